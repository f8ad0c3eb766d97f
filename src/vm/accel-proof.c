/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The proof that an accelerator works: see accel-proof.h. */
#include <stdio.h>
#include <string.h>
#include "base/clock.h"
#include "vm/accel-proof.h"
#include "vm/channel.h"
#include "vm/domain.h"
#include "vm/machine.h"
#include "vm/watchdog.h"

/* Creation, and the end after READY or the limit. */
#define SPARE_NS (60 * CLOCK_NS_PER_S)

/* "type" is the first key of every line, so this is the whole of parsing. */
static bool
is_ready_line(const char *line)
{
    static const char *const tokens[] = {"{", "\"type\"", ":", "\"ready\""};

    for (gsize i = 0; i < G_N_ELEMENTS(tokens); i++) {
        line += strspn(line, " \t");
        if (!g_str_has_prefix(line, tokens[i]))
            return false;
        line += strlen(tokens[i]);
    }
    return true;
}

/* CHANNEL_LINE when READY came. */
static ChannelEvent
await_ready(Channel *channel, gint64 limit_ns)
{
    gint64 deadline_ns = clock_raw_ns() + limit_ns;

    for (;;) {
        g_autofree char *line = NULL;
        ChannelEvent event = channel_next(channel, deadline_ns, &line);

        if (event != CHANNEL_LINE || is_ready_line(line))
            return event;
    }
}

static char *
describe(ChannelEvent event, const Machine *machine, gint64 limit_ns)
{
    switch (event) {
    case CHANNEL_TIMEOUT:
        return g_strdup_printf("the micro guest did not reach READY within "
                               "%d s",
                               (int) (limit_ns / CLOCK_NS_PER_S));
    case CHANNEL_RUBBISH:
        return g_strdup("the micro guest talked rubbish");
    default:
        return g_strdup_printf("the micro guest ended before READY (%s)",
                               machine_state_name(machine_state(machine)));
    }
}

/* NULL: it reached READY. */
static char *
boot(Connect *connect, const char *xml, gint64 limit_ns,
     ChannelEvent *ret_event)
{
    g_autoptr(GError) why = NULL;
    g_autoptr(Machine) machine = machine_create(connect, xml, &why);
    g_autoptr(Channel) channel =
        machine ? channel_open_machine(machine, &why) : NULL;

    if (!channel || !machine_resume(machine, &why))
        return g_strdup(why->message);
    *ret_event = await_ready(channel, limit_ns);
    return *ret_event == CHANNEL_LINE ? NULL
                                      : describe(*ret_event, machine, limit_ns);
}

static char *
boot_guarded(Connect *connect, const char *xml, gint64 limit_ns,
             ChannelEvent *ret_event)
{
    g_autoptr(GError) why = NULL;
    g_autofree char *name = domain_xpath_string(xml, "/domain/name", &why);
    char *failure = NULL;

    if (!name)
        return g_strdup(why ? why->message : "the document has no name");
    watchdog_arm(name, clock_raw_ns() + limit_ns + SPARE_NS);
    failure = boot(connect, xml, limit_ns, ret_event);
    watchdog_disarm();
    return failure;
}

bool
accel_proof(Connect *connect, const char *const *xmls, gint64 limit_ns,
            bool *ret_proved, char **ret_why, GError **err)
{
    gint64 start_ns = clock_raw_ns();
    double seconds = 0;

    for (gsize i = 0; xmls[i]; i++) {
        ChannelEvent event = CHANNEL_LINE;
        g_autofree char *failure =
            boot_guarded(connect, xmls[i], limit_ns, &event);

        if (event == CHANNEL_INTERRUPTED) {
            g_set_error(err, VS_ERROR, VS_ERROR_INTERRUPTED, "interrupted");
            return false;
        }
        if (failure) {
            *ret_proved = false;
            *ret_why = g_steal_pointer(&failure);
            return true;
        }
    }
    seconds = (double) (clock_raw_ns() - start_ns) / (double) CLOCK_NS_PER_S;
    *ret_proved = true;
    *ret_why = g_strdup_printf("proved by booting in %.1f s", seconds);
    return true;
}
