# SPDX-License-Identifier: GPL-3.0-or-later
# vsweep: which virtual machine setting costs what.  `make help` lists targets.

prefix ?= /usr/local
bindir ?= $(prefix)/bin
datadir ?= $(prefix)/share
mandir ?= $(datadir)/man
bash_compdir ?= $(datadir)/bash-completion/completions

VERSION := 0.1.0

# pkg-config name = Debian package.  One list; what is missing is named whole.
PKGS := libvirt=libvirt-dev libvirt-qemu=libvirt-dev libguestfs=libguestfs-dev sqlite3=libsqlite3-dev \
        yaml-0.1=libyaml-dev libxml-2.0=libxml2-dev glib-2.0=libglib2.0-dev \
        jansson=libjansson-dev gsl=libgsl-dev libkmod=libkmod-dev \
        libarchive=libarchive-dev
PKG_NAMES := $(foreach p,$(PKGS),$(firstword $(subst =, ,$(p))))

comma := ,
SANITIZE ?=
B := build$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-7s %s\n' $(1) $(2))

# ---------------------------------------------------------------- the tools
NO_DEPS := help clean setup quickstart check lint oracles-r
ifneq ($(filter-out $(NO_DEPS),$(or $(MAKECMDGOALS),all)),)
MISSING := $(foreach p,$(PKGS),$(shell pkg-config --exists \
    $(firstword $(subst =, ,$(p))) 2>/dev/null || echo $(lastword $(subst =, ,$(p))))) \
    $(shell echo '\#include <csv.h>' | $(CC) -E - >/dev/null 2>&1 || echo libcsv-dev)
ifneq ($(strip $(MISSING)),)
$(error missing Debian packages: $(strip $(MISSING)) - run `make setup')
endif
endif

WARN := -Wall -Wextra -Wshadow -Wvla -Wformat=2 -Wmissing-prototypes \
        -Wstrict-prototypes -Wwrite-strings -Wundef \
        $(if $(DEVELOPER),-Werror)
HARDEN := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer, \
          -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE)
HARDEN_LD := $(if $(SANITIZE),-fsanitize=$(SANITIZE),-pie -Wl$(comma)-z$(comma)relro$(comma)-z$(comma)now)
VS_CPPFLAGS := -D_GNU_SOURCE -I. -Isrc \
               -DVS_VERSION='"$(VERSION)"' -DVS_DATADIR='"$(datadir)/vsweep"' \
               -DVS_SOURCE_DIR='"$(CURDIR)"' -DVS_PAYLOAD_DIR='"$(CURDIR)/build"' -DVS_BUILD_DIR='"$(abspath $(B))"' \
               $(shell pkg-config --cflags $(PKG_NAMES) 2>/dev/null) $(CPPFLAGS)
VS_CFLAGS := -std=gnu11 -O2 -g $(WARN) $(HARDEN) $(CFLAGS)
VS_LDFLAGS := $(HARDEN_LD) $(LDFLAGS)
VS_LIBS = $(shell pkg-config --libs $(PKG_NAMES) 2>/dev/null) -lcsv -lm

# The payload is static, has no sanitizer, and takes no host flags.
GUEST_CFLAGS ?= -std=gnu11 -O2 -g $(WARN)
GUEST_LIBS := -luring -ljansson -lsqlite3 -lcrypto -ldl -lpthread -lm

SRC := $(wildcard src/*/*.c)
OBJ := $(SRC:%.c=$(B)/%.o) \
       $(patsubst %.c,$(B)/%.o,$(wildcard guest-payload/catalogue*.c)) $(B)/src/data/schema.o
PAYLOAD_SRC := $(wildcard guest-payload/*.c)
PAYLOAD_OBJ := $(PAYLOAD_SRC:%.c=build/payload/%.o)
PAYLOAD := build/vsweep-payload
UNIT := $(patsubst %.c,$(B)/%,$(wildcard tests/unit/test-*.c))
CAMPAIGNS := $(patsubst %.c,$(B)/%,$(wildcard tests/campaigns/*.c))
MAN := $(patsubst src/man/%.pod,$(B)/man/%,$(wildcard src/man/*.pod))

.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := all

all: $(B)/vsweep $(PAYLOAD) $(MAN) ## build vsweep, the payload and the manuals

$(B)/vsweep: $(B)/src/main.o $(B)/libvsweep.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(VS_LDFLAGS) -o $@ $^ $(VS_LIBS)

$(B)/libvsweep.a: $(OBJ)
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(B)/%.o: %.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(VS_CPPFLAGS) $(VS_CFLAGS) -MMD -MP -c -o $@ $<

# The schema is SQL in a file of its own, linked in as bytes.
$(B)/src/data/schema.o: src/data/schema.sql
	$(call say,LD,$<)
	$(Q)mkdir -p $(@D) && ld -r -b binary -z noexecstack -o $@ $<

build/payload/%.o: %.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) -D_GNU_SOURCE -I. -Iguest-payload \
	    $(GUEST_CFLAGS) -MMD -MP -c -o $@ $<

$(PAYLOAD): $(PAYLOAD_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CC) -static -o $@ $^ $(GUEST_LIBS) 2>$@.log || { cat $@.log; exit 1; }
	$(Q)strip --strip-debug $@

$(B)/man/%: src/man/%.pod
	$(call say,POD,$<)
	$(Q)mkdir -p $(@D) && pod2man --section=$(patsubst .%,%,$(suffix $*)) \
	    --name=$(basename $*) --center='vsweep' --release='vsweep $(VERSION)' \
	    --date=2026-11-30 $< $@

$(B)/tests/unit/%: tests/unit/%.c $(B)/libvsweep.a
	$(call say,TEST,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(VS_CPPFLAGS) $(VS_CFLAGS) $(VS_LDFLAGS) \
	    -MMD -MP -MF $@.d -o $@ $< $(B)/libvsweep.a -lcmocka $(VS_LIBS) \
	    $(if $(findstring /test-payload-,$@),$(GUEST_LIBS))

$(B)/tests/campaigns/%: tests/campaigns/%.c $(B)/libvsweep.a
	$(call say,TEST,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(VS_CPPFLAGS) $(VS_CFLAGS) $(VS_LDFLAGS) \
	    -MMD -MP -MF $@.d -o $@ $< $(B)/libvsweep.a $(VS_LIBS)

tests: $(UNIT) $(CAMPAIGNS) # the unit test programs, the campaigns unrun

# ---------------------------------------------------------------- for people
setup: ## install the Debian packages to build and run (sudo when not root)
	@src/setup/debian.sh run

quickstart: ## set up, build, and run the main job in about 4 minutes
	@src/setup/debian.sh run
	@$(MAKE) --no-print-directory all
	$(B)/vsweep run matrices/cache-modes.yaml --quick

install: all ## install below $(DESTDIR)$(prefix)
	install -d '$(DESTDIR)$(bindir)' '$(DESTDIR)$(datadir)/vsweep/matrices' \
	    '$(DESTDIR)$(datadir)/vsweep/domains' '$(DESTDIR)$(bash_compdir)' \
	    '$(DESTDIR)$(mandir)/man1' '$(DESTDIR)$(mandir)/man5'
	install -m 755 $(B)/vsweep '$(DESTDIR)$(bindir)/vsweep'
	install -m 755 $(PAYLOAD) '$(DESTDIR)$(datadir)/vsweep/vsweep-payload'
	install -m 644 matrices/*.yaml '$(DESTDIR)$(datadir)/vsweep/matrices'
	install -m 644 domains/*.xml '$(DESTDIR)$(datadir)/vsweep/domains'
	install -m 644 src/completion/vsweep.bash '$(DESTDIR)$(bash_compdir)/vsweep'
	install -m 644 $(B)/man/vsweep.1 '$(DESTDIR)$(mandir)/man1/vsweep.1'
	install -m 644 $(B)/man/vsweep-*.5 '$(DESTDIR)$(mandir)/man5'

# ---------------------------------------------------------------- the tests
# T=tests/cli/run.t picks tests; without it all of them run.
T ?= $(UNIT) $(sort $(wildcard tests/lint/*.t tests/cli/*.t tests/boot/*.t))
JOBS ?= 2

check: ## set up, build, lint, and pass all tests, real boots included
	@src/setup/debian.sh check
	@$(MAKE) --no-print-directory all tests
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory prove

# By itself UBSan only prints, and the test passes.  libvirt and libguestfs
# leak nothing that needs a suppression.
SANITIZE_ENV := $(if $(SANITIZE),UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1)

prove: all tests ## run the tests alone, T=... for some of them
	$(Q)VSWEEP_BUILD='$(abspath $(B))' $(SANITIZE_ENV) \
	    prove -j$(JOBS) --timer --exec '' $(T)

bench-analyze: $(B)/vsweep ## a million values through vsweep analyze, beside sort
	@VSWEEP_BUILD='$(abspath $(B))' tests/bench/analyze.sh

check-stats: $(CAMPAIGNS) ## what statistics promise, counted on drawn sweeps (10 minutes)
	@tests/campaigns/check-stats.sh $(CAMPAIGNS)

lint: ## format, sizes, layering, headers, cppcheck, shellcheck, messages
	@src/setup/debian.sh check
	@for check in tests/lint/*.sh; do \
	    printf '  LINT    %s\n' "$$check"; "$$check" || failed=1; \
	done; test -z "$$failed"

oracles-r: ## what R says about the test data again (needs r-base-core)
	Rscript tests/data/oracles/r/make.R tests/data/oracles/r

bench-plan: all ## time and memory of planning a million combinations
	@VSWEEP_BUILD='$(abspath $(B))' tests/bench/plan.sh

clean: ## remove what was built
	rm -rf build build-*

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed 's/:.*## /\t/' | \
	    awk -F'\t' '{printf "  make %-13s %s\n", $$1, $$2}'

-include $(OBJ:.o=.d) $(B)/src/main.d $(PAYLOAD_OBJ:.o=.d) $(UNIT:%=%.d) $(CAMPAIGNS:%=%.d)

.PHONY: all tests setup quickstart install check prove bench-analyze bench-plan check-stats lint oracles-r clean help
