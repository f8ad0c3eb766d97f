/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of sweepable settings.  A row is a declaration only: levels, how
 * a level changes the domain document, the disk image or the guest, what it
 * needs, and how to prove that it took effect.  Adding a setting is adding a
 * row to setting/table.c; parser, planner, domain builder, proof and
 * documentation iterate over the table.
 */
#pragma once

#include <libxml/tree.h>
#include "base/error.h"

/* As the `level` of an edit or a proof: every level beyond the known ones. */
#define SETTING_OTHER "*"

typedef enum {
    EDIT_ATTRIBUTE,  /* set attribute `name` of the element(s) at `path` */
    EDIT_TEXT,       /* set the text of the element at `path` */
    EDIT_FRAGMENT,   /* replace child element `name` of `path` by the XML in
                        `value`; append it where there is none */
    EDIT_APPEND,     /* append the XML in `value` to `path`, always */
    EDIT_REMOVE,     /* remove what `path` selects; nothing selected is fine */
    EDIT_APPEND_TEXT /* add " " and `value` to the text of the element */
} EditOp;

/* One change of the document.  `path` is XPath with the variable $disk bound
 * to the disk under test.  "%s" in `path` and `value` stands for the level in
 * the words of libvirt (Setting.convert).  Elements of a path of the form
 * /domain/a/b or $disk/a that are missing at the end are created. */
typedef struct SettingEdit {
    const char *level; /* only for this level; NULL: every level */
    EditOp op;
    const char *path;
    const char *name;
    const char *value;
} SettingEdit;

typedef enum {
    PROOF_LIVE_XML, /* XPath string value in the live domain XML */
    PROOF_ARGV,     /* regular expression on QEMU's arguments (one a line) */
    PROOF_GUEST     /* a fact the guest sent */
} ProofSource;

/* One look at whether a level took effect.  In a regular expression "^" and
 * "$" are the ends of an argument, "%node" stands for libvirt's name of the
 * node of the disk under test ("libvirt-1"), and what its first group matched
 * is compared with `expected`; without a group it is "match" or "no match". */
typedef struct SettingProof {
    const char *level; /* only for this level; NULL: every level */
    ProofSource source;
    const char *selector; /* XPath, regular expression or fact name */
    const char *expected; /* "%s": the level in libvirt's words */
    const char *except;   /* "disk.bus=usb": cannot be seen in cells with that
                             level; NULL: always looked at */
} SettingProof;

typedef struct Setting {
    const char *name;          /* "disk.cache" */
    const char *summary;       /* one line */
    const char *const *levels; /* known levels, the default first */
    /* Levels beyond the known ones, or NULL when the list is closed: checks
     * one and says what is right when it is not. */
    bool (*check)(const char *level, GError **err);
    /* The level in libvirt's words (memory: "1G" -> "1048576"); NULL: as it
     * stands.  Caller frees. */
    char *(*convert)(const char *level);
    const SettingEdit *edits;   /* ends at path == NULL; may be NULL */
    const SettingProof *proofs; /* ends at selector == NULL; may be NULL */
    bool image;                 /* part of what a cell image is made of */
    const char *guest_key;      /* key in the job's "guest" object, or NULL */
    const char *needs;          /* what it needs, for people; NULL: nothing */
    const char *modules;        /* kernel modules the guest needs, per level:
                                   "level:mod,mod level:mod"; NULL: none */
} Setting;

/* All settings in display order; ends at name == NULL. */
extern const Setting setting_table[];

const Setting *setting_find(const char *name);
/* NULL-terminated names of all settings, for suggestions.  Static. */
const char *const *setting_names(void);
/* Whether `level` is one of the setting's; the error names the nearest one
 * or the rule it breaks. */
bool setting_check_level(const Setting *setting, const char *level,
                         GError **err);
/* Whether an edit's or proof's `selector` (a level, NULL, SETTING_OTHER)
 * means this level. */
bool setting_level_is(const Setting *setting, const char *level,
                      const char *selector);
/* The level in libvirt's words.  Caller frees. */
char *setting_value(const Setting *setting, const char *level);
/* `pattern` with each "%s" replaced by `value`.  Caller frees. */
char *setting_expand(const char *pattern, const char *value);
/* Applies the edits of one level to the document. */
bool setting_apply(const Setting *setting, const char *level, xmlDocPtr doc,
                   xmlNodePtr disk, GError **err);
/* Appends to `modules` (char *, owned) the guest modules this level needs. */
void setting_modules(const Setting *setting, const char *level,
                     GPtrArray *modules);
