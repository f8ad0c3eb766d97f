#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every lint passes a clean tree and names each offence planted in it.
# shellcheck disable=SC2016 # the planted shell files are quoted on purpose
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
lint=$TOP/tests/lint

# clean: a small tree without offence, in $tree.
tree=$TMP/tree
clean() {
  rm -rf "$tree"
  mkdir -p "$tree"/src/{base,data,run,report,stats} "$tree"/guest-payload \
    "$tree"/tests/unit
  cp "$TOP/.clang-format" "$tree"
  cat >"$tree/src/base/a.h" <<'END'
#pragma once
#include <glib.h>

gboolean vs_fail(GError **err, const char *format, ...);
END
  cat >"$tree/src/data/b.c" <<'END'
#include "base/a.h"

/* exit(1) and strcpy() in a comment, and "ends here." too */
gboolean
b(GError **err)
{
    g_print("exit(1) in a text.");
    return vs_fail(err, "version %" G_GINT64_FORMAT ", not 1.5", (gint64) 1);
}
END
  cp "$tree/src/base/a.h" "$tree/tests/unit/util.h"
  printf 'static int c;\n' >"$tree/guest-payload/c.c"
  printf 'int\nmain(void)\n{\n    exit(0);\n}\n' >"$tree/src/main.c"
  printf '#!/bin/sh\necho "$1"\n' >"$tree/tests/run.sh"
}

# plant FILE: appends standard input.
plant() {
  mkdir -p "$tree/$(dirname "$1")"
  cat >>"$tree/$1"
}

# catches LINT DESCRIPTION REGEX: it fails, and a line of its output matches.
catches() {
  run "$lint/$1.sh" "$tree"
  if [ "$status" = 1 ]; then
    has "$1: $2" "$TMP/out" "$3"
  else
    result 1 "$1: $2 (status $status)"
    show "$TMP/out" "$TMP/err"
  fi
  clean
}

# passes LINT DESCRIPTION
passes() {
  ok "$1: $2" "$lint/$1.sh" "$tree"
  clean
}

# lines COUNT: that many lines of C that do nothing.
lines() {
  local i
  for ((i = 0; i < $1; i++)); do echo "    ;"; done
}

clean
for name in layering headers sizes format messages shell cppcheck; do
  passes $name "a clean tree"
done

# ------------------------------------------------------------------- layering
plant src/base/x.h <<<'#include "data/b.h"'
catches layering "upwards" '^src/base/x.h:1: base may not include "data/b.h"'
plant src/data/x.c <<<'#include "vm/machine.h"'
catches layering "sideways" '^src/data/x.c:1: data may not'
plant src/report/x.c <<<'#include "run/sweep.h"'
catches layering "across" '^src/report/x.c:1: report may not'
printf '\n\n#  include "plan/matrix.h"\n' | plant src/stats/x.c
catches layering "with blanks, third line" '^src/stats/x.c:3: stats may not'
plant src/run/x.c <<<'#include "guest-payload/job.h"'
catches layering "into the payload" '^src/run/x.c:1: .*only catalogue.h and wire.h'
plant guest-payload/x.c <<<'#include "base/error.h"'
catches layering "out of the payload" '^guest-payload/x.c:1: guest-payload may not'
plant guest-payload/x.c <<<'#include <glib.h>'
catches layering "GLib in the payload" '^guest-payload/x.c:1: <glib.h> belongs to src/'
plant src/data/x.c <<<'#include "b.h"'
catches layering "no directory" '^src/data/x.c:1: "b.h" does not name'
plant src/newroom/x.c <<<'#include "base/a.h"'
catches layering "a room nobody planned" '^src/newroom/x.c:1: newroom may not'
for pair in 'libvirt/libvirt.h run' 'guestfs.h guest' 'sqlite3.h report' \
  'yaml.h data' 'gsl/gsl_cdf.h report' 'libxml/tree.h plan' 'jansson.h run' \
  'libkmod.h vm' 'archive.h host' 'openssl/evp.h base'; do
  read -r header room <<<"$pair"
  plant "src/$room/x.c" <<<"#include <$header>"
  catches layering "$header in $room" "^src/$room/x.c:1: <$header> belongs to"
done
plant src/data/x.c <<<'#include <curl/curl.h>'
catches layering "a library without owner" '^src/data/x.c:1: <curl/curl.h> belongs to nobody'
for pair in 'run data/store.h' 'run base/error.h' 'report stats/holm.h' \
  'data guest-payload/wire.h'; do
  read -r room header <<<"$pair"
  plant "src/$room/x.c" <<<"#include \"$header\""
  passes layering "$room may include $header"
done
for pair in 'src/data/store-x.c sqlite3.h' 'guest-payload/x.c jansson.h' \
  'src/vm/domain-x.c libxml/tree.h' 'src/base/x.c sys/stat.h'; do
  read -r file header <<<"$pair"
  plant "$file" <<<"#include <$header>"
  passes layering "$file may include $header"
done

# -------------------------------------------------------------------- headers
plant src/data/x.h <<<'
#pragma once
gint64 x(void);'
catches headers "a type from nowhere" '^src/data/x.h:3:.*gint64'
plant src/data/x.h <<<'typedef struct X { int x; } X;'
catches headers "no guard" '^src/data/x.h:1:.*redefinition'
plant guest-payload/x.h <<<'#pragma once
#include <glib.h>'
catches headers "GLib in the payload" '^guest-payload/x.h:2:.*glib.h'
plant tests/unit/x.h <<<'#pragma once
int x();'
catches headers "an old declaration" '^tests/unit/x.h:2:.*prototype'

# ---------------------------------------------------------------------- sizes
{
  printf 'void\nx(void)\n{\n'
  lines 79
  echo '}'
} | plant src/data/x.c
catches sizes "a function of 81 lines" '^src/data/x.c:3: function of 81 lines'
{
  printf 'void\nx(void)\n{\n'
  lines 78
  echo '}'
} | plant src/data/x.c
passes sizes "a function of 80 lines"
lines 501 | plant tests/unit/x.c
catches sizes "a file of 501 lines" '^tests/unit/x.c:501: '
lines 500 | plant guest-payload/x.h
passes sizes "a file of 500 lines"

# --------------------------------------------------------------------- format
plant src/data/x.c <<<'int  x;'
catches format "two blanks" '^src/data/x.c:1:'
plant tests/unit/x.c <<<'void x(void);
void x(void) {}'
catches format "braces" '^tests/unit/x.c:2:'

# ------------------------------------------------------------------- messages
plant src/data/x.c <<<'
    return vs_fail(err, "no such cell.");'
catches messages "a full stop" '^src/data/x.c:2: message ends in a full stop'
plant src/data/x.c <<<'return vs_fail(err,
  "no such "
  "cell.", x);'
catches messages "in the second piece" '^src/data/x.c:1: message ends'
plant src/data/x.c <<<'vs_fail_errno(err, errno, "file %" JSON_INTEGER_FORMAT " is bad.", 1);'
catches messages "behind a format macro" '^src/data/x.c:1: message ends'
plant src/run/x.c <<<'log_warning("slow.\n");'
catches messages "before a newline" '^src/run/x.c:1: message ends'
plant src/run/x.c <<<'attempt_fail(a, OUTCOME_HANG, "silent.");'
catches messages "an attempt's reason" '^src/run/x.c:1: message ends'
plant src/data/x.c <<<'/* two
lines */ void x(void) { exit(1); }'
catches messages "exit" '^src/data/x.c:2: exit\(\) outside main.c'
plant src/data/x.c <<<'int at_exit(int), _exit(int); x->exit(1);'
passes messages "not exit"
for name in strcpy strcat sprintf vsprintf strtok gets localtime; do
  plant guest-payload/x.c <<<"x = $name (a);"
  catches messages "$name" "^guest-payload/x.c:1: $name\(\)"
done
plant src/data/x.c <<<'fgets(a); snprintf(a); g_strtok(a); x.gets(a); localtime_r(a);'
passes messages "their safe relatives"

# ---------------------------------------------------------------------- shell
plant tests/x.sh <<<'#!/bin/sh
cd $1'
catches shell "an unquoted word" '^tests/x.sh:2:.*SC2086'
plant src/x.bash <<<'# shellcheck shell=bash
rm -rf $1/*'
catches shell "by name" '^src/x.bash:2:'
plant tests/tool <<<'#!/usr/bin/env bash
rm $1'
catches shell "by first line" '^tests/tool:2:'

# ------------------------------------------------------------------- cppcheck
plant src/data/x.c <<<'int x(void) { int *p = 0; return *p; }'
catches cppcheck "a null pointer" '^src/data/x.c:1:.*nullPointer'
plant guest-payload/x.c <<<'#include <stdlib.h>
void x(void) { char *p = malloc(1); p[1] = 0; free(p); }'
catches cppcheck "in the payload" '^guest-payload/x.c:2:.*out of bounds'
plant src/data/x.c <<<'#include <unistd.h>
#include <fcntl.h>
#define g_autofd __attribute__((cleanup(a)))
void a(int *fd) { close(*fd); }
int x(void) { g_autofd int fd = open("/", 0); return fd > 1; }'
passes cppcheck "a descriptor that closes itself"
plant src/data/x.c <<<'int x(void) {
int *p = 0;
/* cppcheck-suppress nullPointer */
return *p; }'
passes cppcheck "what is marked as meant"

done_testing
