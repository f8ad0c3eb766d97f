/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which module files a guest needs and in what order.  Built on libkmod and
 * on the index that depmod made for that kernel; the host's own modprobe.d
 * (blacklists, options) is no concern of the guest and is not read.
 */
#include <errno.h>
#include <libkmod.h>
#include "guest/kernel.h"

typedef struct kmod_ctx KmodCtx;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(KmodCtx, kmod_unref)

/* One module on the way. */
typedef struct Step {
    char *path;
    bool soft; /* may fail to load */
} Step;

typedef struct Order {
    GHashTable *seen; /* module name -> Step */
    GPtrArray *steps; /* Step, in the order to load */
} Order;

static void
step_free(gpointer data)
{
    Step *step = data;

    g_free(step->path);
    g_free(step);
}

static void visit(Order *order, struct kmod_module *module, bool soft);

static void
visit_list(Order *order, struct kmod_list *list, bool soft)
{
    struct kmod_list *item = NULL;

    kmod_list_foreach(item, list)
    {
        struct kmod_module *module = kmod_module_get_module(item);

        visit(order, module, soft);
        kmod_module_unref(module);
    }
    kmod_module_unref_list(list);
}

/* Puts a module behind what it depends on.  A module met first as a soft
 * dependency and then as a real one loses the mark, and so does what it
 * depends on in its turn. */
static void
visit(Order *order, struct kmod_module *module, bool soft)
{
    const char *path = kmod_module_get_path(module);
    Step *step = g_hash_table_lookup(order->seen, kmod_module_get_name(module));
    struct kmod_list *pre = NULL, *post = NULL;

    if (!path || (step && (soft || !step->soft)))
        return; /* built in, or here already */
    if (step) {
        step->soft = false;
        visit_list(order, kmod_module_get_dependencies(module), false);
        return;
    }
    step = g_new0(Step, 1);
    step->path = g_strdup(path);
    step->soft = soft;
    g_hash_table_insert(order->seen, g_strdup(kmod_module_get_name(module)),
                        step);
    kmod_module_get_softdeps(module, &pre, &post);
    visit_list(order, pre, true);
    visit_list(order, kmod_module_get_dependencies(module), step->soft);
    g_ptr_array_add(order->steps, step);
    visit_list(order, post, true);
}

/* Adds what `need` stands for; false when it has to be there and is not. */
static bool
add_need(Order *order, KmodCtx *kmod, const char *need)
{
    bool optional = *need == '-';
    struct kmod_list *found = NULL;

    if (kmod_module_new_from_lookup(kmod, need + optional, &found) < 0 ||
        !found)
        return optional;
    visit_list(order, found, optional);
    return true;
}

static GPtrArray *
order_paths(const Order *order)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < order->steps->len; i++) {
        const Step *step = g_ptr_array_index(order->steps, i);

        g_ptr_array_add(paths,
                        g_strconcat(step->soft ? "-" : "", step->path, NULL));
    }
    return paths;
}

GPtrArray *
kernel_load_order(const char *modules_dir, const char *const *needs,
                  char **ret_missing, GError **err)
{
    const char *no_config = NULL;
    g_autoptr(KmodCtx) kmod = kmod_new(modules_dir, &no_config);
    g_autoptr(GPtrArray) steps = g_ptr_array_new_with_free_func(step_free);
    g_autoptr(GHashTable) seen =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Order order = {seen, steps};

    if (!kmod) {
        vs_fail_errno(err, errno, "cannot read the modules in '%s'",
                      modules_dir);
        return NULL;
    }
    kmod_set_log_priority(kmod, 0); /* it would print */
    kmod_load_resources(kmod);      /* only faster: failure is no matter */
    for (gsize i = 0; needs[i]; i++)
        if (!add_need(&order, kmod, needs[i])) {
            *ret_missing = g_strdup(needs[i]);
            return NULL;
        }
    return order_paths(&order);
}
