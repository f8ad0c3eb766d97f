/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evaluates the proofs of the setting table.
 */
#include "run/proof.h"

#include <string.h>
#include "vm/domain.h"

/* A fact is a word or a few; a guest that says more is not quoted whole. */
#define EFFECTIVE_MAX 256

/* Where one proof looks. */
typedef struct View {
    const char *live_xml, *argv;
    GHashTable *facts;
    char *node; /* regular expression for libvirt's name of the disk's node */
} View;

/* libvirt names the nodes of a disk after the index it shows in the live
 * document; any node will do where it shows none. */
static char *
disk_node(const char *live_xml)
{
    g_autofree char *index =
        live_xml
            ? domain_xpath_string(live_xml, "string($disk/source/@index)", NULL)
            : NULL;

    if (!index || *index == '\0')
        return g_strdup("libvirt-[0-9]+");
    return g_strdup_printf("libvirt-%s", index);
}

static char *
look_xml(const View *view, const char *selector, const char *value)
{
    g_autofree char *path = setting_expand(selector, value);

    return view->live_xml ? domain_xpath_string(view->live_xml, path, NULL)
                          : NULL;
}

/* `selector` with "%node" and "%s" replaced; the level is text, not a
 * pattern. */
static char *
argv_pattern(const View *view, const char *selector, const char *value)
{
    g_autofree char *quoted = g_regex_escape_string(value, -1);
    g_auto(GStrv) parts = g_strsplit(selector, "%node", -1);
    g_autofree char *bound = g_strjoinv(view->node, parts);

    return setting_expand(bound, quoted);
}

static char *
look_argv(const View *view, const char *selector, const char *value)
{
    g_autofree char *pattern = argv_pattern(view, selector, value);
    g_autoptr(GRegex) regex = NULL;
    g_autoptr(GMatchInfo) match = NULL;

    if (!view->argv)
        return NULL;
    regex = g_regex_new(pattern, G_REGEX_MULTILINE, 0, NULL);
    if (!regex)
        return NULL;
    if (!g_regex_match(regex, view->argv, 0, &match))
        return g_strdup("no match");
    return g_regex_get_capture_count(regex) > 0 ? g_match_info_fetch(match, 1)
                                                : g_strdup("match");
}

static char *
look_guest(const View *view, const char *selector, const char *value)
{
    const char *fact =
        view->facts ? g_hash_table_lookup(view->facts, selector) : NULL;

    (void) value;
    return g_strdup(fact);
}

typedef char *(*LookFunc)(const View *view, const char *selector,
                          const char *value);

typedef struct Source {
    LookFunc look; /* what took effect; NULL: cannot be seen */
    const char *name;
} Source;

static const Source sources[] = {
    [PROOF_LIVE_XML] = {look_xml, "live XML"},
    [PROOF_ARGV] = {look_argv, "QEMU arguments"},
    [PROOF_GUEST] = {look_guest, "guest"},
};

static char *
source_text(const SettingProof *proof)
{
    if (proof->source == PROOF_GUEST)
        return g_strdup_printf("guest %s", proof->selector);
    return g_strdup(sources[proof->source].name);
}

static char *
effective_text(char *seen)
{
    g_autofree char *owned = seen;
    g_autofree char *cut = NULL;

    if (!owned)
        return g_strdup("cannot be seen");
    cut = g_strndup(owned, EFFECTIVE_MAX);
    return g_utf8_make_valid(cut, -1);
}

static AttemptProof *
check_proof(const View *view, const Setting *setting, const SettingProof *proof,
            const char *value)
{
    AttemptProof *result = g_new0(AttemptProof, 1);
    char *seen = sources[proof->source].look(view, proof->selector, value);

    result->setting = g_strdup(setting->name);
    result->source = source_text(proof);
    result->requested = setting_expand(proof->expected, value);
    result->ok = seen && strcmp(seen, result->requested) == 0;
    result->effective = effective_text(seen);
    return result;
}

/* Whether the cell has the level in which the proof cannot be seen. */
static bool
is_excepted(const Design *design, const Cell *cell, const char *except)
{
    g_auto(GStrv) pair = except ? g_strsplit(except, "=", 2) : NULL;
    const Setting *setting = pair ? setting_find(pair[0]) : NULL;

    return setting &&
           g_strcmp0(design_level(design, cell, setting), pair[1]) == 0;
}

static bool
check_setting(const Design *design, const Cell *cell, const Setting *setting,
              const View *view, GPtrArray *proofs)
{
    const char *level = design_level(design, cell, setting);
    g_autofree char *value = setting_value(setting, level);
    bool all_hold = true;

    for (const SettingProof *proof = setting->proofs; proof && proof->selector;
         proof++) {
        AttemptProof *result;

        if (!setting_level_is(setting, level, proof->level) ||
            is_excepted(design, cell, proof->except))
            continue;
        result = check_proof(view, setting, proof, value);
        all_hold = all_hold && result->ok;
        g_ptr_array_add(proofs, result);
    }
    return all_hold;
}

bool
proof_check(const Design *design, const Cell *cell, const char *live_xml,
            const char *argv, GHashTable *guest_facts, GPtrArray *proofs)
{
    g_autofree char *node = disk_node(live_xml);
    const View view = {live_xml, argv, guest_facts, node};
    bool all_hold = true;

    if (!cell_is_guest(cell))
        return true;
    for (const Setting *row = setting_table; row->name; row++)
        all_hold = check_setting(design, cell, row, &view, proofs) && all_hold;
    return all_hold;
}
