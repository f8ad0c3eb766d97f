/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Applies the edits of a setting's level to a domain document.
 */
#include "setting/setting.h"
#include "setting/xpath.h"

#include <string.h>

typedef struct EditTarget {
    xmlDocPtr doc;
    xmlNodePtr disk;
    const char *path;
    const char *name;
    const char *value; /* the text to write; "%s" is replaced already */
} EditTarget;

static xmlNodePtr
parse_fragment(const EditTarget *target, GError **err)
{
    g_autoptr(xmlDoc) fragment =
        xpath_parse(target->value, "XML of a setting", err);

    if (!fragment)
        return NULL;
    return xmlDocCopyNode(xmlDocGetRootElement(fragment), target->doc, 1);
}

static bool
edit_attribute(const EditTarget *target, GError **err)
{
    xmlNodePtr node = xpath_make(target->doc, target->disk, target->path, err);
    g_autoptr(xmlXPathObject) found = NULL;

    if (!node)
        return false;
    found = xpath_eval(target->doc, target->disk, target->path, err);
    if (!found)
        return false;
    for (int i = 0; i < found->nodesetval->nodeNr; i++)
        xmlSetProp(found->nodesetval->nodeTab[i], BAD_CAST target->name,
                   BAD_CAST target->value);
    return true;
}

static bool
edit_text(const EditTarget *target, GError **err)
{
    xmlNodePtr node = xpath_make(target->doc, target->disk, target->path, err);

    if (!node)
        return false;
    xpath_set_text(node, target->value);
    return true;
}

static bool
edit_append_text(const EditTarget *target, GError **err)
{
    xmlNodePtr node;

    if (*target->value == '\0')
        return true;
    node = xpath_make(target->doc, target->disk, target->path, err);
    if (!node)
        return false;
    if (node->children)
        xmlNodeAddContent(node, BAD_CAST " ");
    xmlNodeAddContent(node, BAD_CAST target->value);
    return true;
}

static bool
edit_append(const EditTarget *target, GError **err)
{
    xmlNodePtr parent =
        xpath_make(target->doc, target->disk, target->path, err);
    xmlNodePtr fragment = parent ? parse_fragment(target, err) : NULL;

    if (!fragment)
        return false;
    xpath_add(parent, fragment);
    return true;
}

static bool
edit_fragment(const EditTarget *target, GError **err)
{
    g_autofree char *old = g_strdup_printf("%s/%s", target->path, target->name);

    return xpath_remove(target->doc, target->disk, old, err) &&
           edit_append(target, err);
}

static bool
edit_remove(const EditTarget *target, GError **err)
{
    return xpath_remove(target->doc, target->disk, target->path, err);
}

typedef bool (*EditFunc)(const EditTarget *target, GError **err);

static const EditFunc edit_funcs[] = {
    [EDIT_ATTRIBUTE] = edit_attribute, [EDIT_TEXT] = edit_text,
    [EDIT_FRAGMENT] = edit_fragment,   [EDIT_APPEND] = edit_append,
    [EDIT_REMOVE] = edit_remove,       [EDIT_APPEND_TEXT] = edit_append_text,
};

/* Whether the text of an edit is XML, in which the level must be escaped. */
static bool
edit_is_xml(EditOp op)
{
    return op == EDIT_FRAGMENT || op == EDIT_APPEND;
}

static bool
apply_edit(const SettingEdit *edit, const char *level_value, xmlDocPtr doc,
           xmlNodePtr disk, GError **err)
{
    g_autofree char *escaped = edit_is_xml(edit->op)
                                   ? g_markup_escape_text(level_value, -1)
                                   : g_strdup(level_value);
    g_autofree char *path = setting_expand(edit->path, level_value);
    g_autofree char *value =
        setting_expand(edit->value ? edit->value : "", escaped);
    EditTarget target = {doc, disk, path, edit->name, value};

    return edit_funcs[edit->op](&target, err);
}

bool
setting_apply(const Setting *setting, const char *level, xmlDocPtr doc,
              xmlNodePtr disk, GError **err)
{
    g_autofree char *value = setting_value(setting, level);

    for (const SettingEdit *edit = setting->edits; edit && edit->path; edit++) {
        if (!setting_level_is(setting, level, edit->level))
            continue;
        if (!apply_edit(edit, value, doc, disk, err)) {
            g_prefix_error(err, "%s: ", setting->name);
            return false;
        }
    }
    return true;
}
