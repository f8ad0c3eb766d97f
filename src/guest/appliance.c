/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Putting the payload into a disk image with libguestfs: see appliance.h.
 *
 * The appliance is a small virtual machine that libguestfs builds once out of
 * the host's kernel (supermin) and keeps in our cache.  A launch costs some
 * ten seconds under emulation, everything after it two.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <guestfs.h>
#include "base/file.h"
#include "base/log.h"
#include "base/paths.h"
#include "guest/appliance.h"
#include "guest/disk-parts.h"
#include "guest-payload/wire.h"

/* Memory of the appliance (MiB): e2fsck and a mount need no more, and less of
 * it boots faster. */
#define MEMORY_MIB 512
/* The only drive. */
#define DEVICE "/dev/sda"
/* What is kept of what the appliance and its helpers say (bytes). */
#define SAID_MAX (64 * 1024)

typedef struct Appliance {
    guestfs_h *g;
    GString *said; /* by it and its helpers, the end of it */
} Appliance;

/* The handle goes first: it still talks while it closes. */
static void
appliance_free(Appliance *appliance)
{
    if (!appliance)
        return;
    if (appliance->g)
        guestfs_close(appliance->g);
    g_string_free(appliance->said, TRUE);
    g_free(appliance);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Appliance, appliance_free)

/* How an appliance is started. */
typedef enum {
    START_KVM,
    START_TCG,
    START_TALKING /* TCG, and everything is written down */
} Start;

/* Words by which a line that gives the reason of a failure is known ... */
static const char *const reason_words[] = {"cannot", "denied",  "No space",
                                           "error:", "rror: ",  "failed",
                                           "panic",  "No such", "not found",
                                           NULL};
/* ... and those by which a line is known that only points elsewhere. */
static const char *const empty_words[] = {
    "see earlier errors", "see debug messages", "ignoring", "udev", NULL};

static void
hear(guestfs_h *g G_GNUC_UNUSED, void *data, uint64_t event G_GNUC_UNUSED,
     int handle G_GNUC_UNUSED, int flags G_GNUC_UNUSED, const char *text,
     size_t length, const uint64_t *array G_GNUC_UNUSED,
     size_t array_length G_GNUC_UNUSED)
{
    GString *said = data;

    g_string_append_len(said, text, length);
    if (said->len > SAID_MAX)
        g_string_erase(said, 0, said->len - SAID_MAX);
}

static bool
contains_any(const char *line, const char *const *words)
{
    for (gsize i = 0; words[i]; i++)
        if (strstr(line, words[i]))
            return true;
    return false;
}

/* A line as part of a message: no white space and no full stop around it. */
static char *
without_stop(char *line)
{
    gsize length = strlen(g_strstrip(line));

    while (length > 0 && line[length - 1] == '.')
        length--;
    return g_strndup(line, length);
}

/* The last line that gives a reason, else libguestfs's own words.  Caller
 * frees. */
static char *
find_reason(const char *said, const char *own)
{
    g_auto(GStrv) lines = g_strsplit_set(said, "\r\n", -1);

    for (gsize i = g_strv_length(lines); i-- > 0;) {
        g_autofree char *line = g_utf8_make_valid(lines[i], -1);

        if (contains_any(line, reason_words) &&
            !contains_any(line, empty_words))
            return without_stop(line);
    }
    return g_strndup(own, strcspn(own, "\n"));
}

/* What cures the usual failures; "" when we do not know. */
static const char *
remedy(const char *reason)
{
    if (strstr(reason, "for reading") && strstr(reason, "ermission denied"))
        return ": the appliance needs a kernel it can read, run "
               "`sudo chmod a+r /boot/vmlinuz-*`";
    if (strstr(reason, "suitable kernel") || strstr(reason, "/lib/modules"))
        return ": the appliance needs a kernel with its modules, install the "
               "package linux-image-cloud-amd64";
    return "";
}

/* Fails with what libguestfs says about the step that went wrong.  Ctrl-C in
 * a terminal reaches the appliance too and ends it: then that is the reason. */
static bool
fail_step(const Appliance *appliance, const char *what, GError **err)
{
    const char *own = guestfs_last_error(appliance->g);

    if (!disk_not_interrupted(err))
        return false;
    return vs_fail(err, "libguestfs cannot %s: %s", what,
                   own ? own : "no reason given");
}

/* Sets everything there is to set before the launch. */
static bool
set_up(Appliance *appliance, const char *image, Start start, const char *cache)
{
    guestfs_h *g = appliance->g;
    const guint64 events = GUESTFS_EVENT_APPLIANCE | GUESTFS_EVENT_LIBRARY;
    g_autofree char *dir = g_path_get_dirname(image);

    guestfs_set_error_handler(g, NULL, NULL); /* it would print */
    return guestfs_set_event_callback(g, hear, events, 0, appliance->said) >=
               0 &&
           guestfs_set_verbose(g, start == START_TALKING) == 0 &&
           guestfs_set_backend(g, "direct") == 0 &&
           (start == START_KVM ||
            guestfs_set_backend_setting(g, "force_tcg", "1") == 0) &&
           guestfs_set_cachedir(g, cache) == 0 &&
           guestfs_set_tmpdir(g, dir) == 0 &&
           guestfs_set_memsize(g, MEMORY_MIB) == 0 &&
           guestfs_set_smp(g, 1) == 0 && guestfs_set_network(g, 0) == 0 &&
           /* "unsafe" leaves flushing to us: the image is synced whole. */
           guestfs_add_drive_opts(g, image, GUESTFS_ADD_DRIVE_OPTS_FORMAT,
                                  "raw", GUESTFS_ADD_DRIVE_OPTS_CACHEMODE,
                                  "unsafe", -1) == 0;
}

/* Starts the appliance in one way. */
static Appliance *
start_one(const char *image, Start start, const char *cache, GError **err)
{
    g_autoptr(Appliance) appliance = g_new0(Appliance, 1);
    g_autofree char *reason = NULL;

    appliance->said = g_string_new(NULL);
    appliance->g = guestfs_create();
    if (!appliance->g) {
        vs_fail_errno(err, errno, "cannot make a libguestfs handle");
        return NULL;
    }
    if (!set_up(appliance, image, start, cache)) {
        fail_step(appliance, "prepare its appliance", err);
        return NULL;
    }
    if (guestfs_launch(appliance->g) == 0)
        return g_steal_pointer(&appliance);
    reason =
        find_reason(appliance->said->str, guestfs_last_error(appliance->g));
    vs_fail(err, "libguestfs cannot start its appliance: %s%s", reason,
            remedy(reason));
    return NULL;
}

/* Starts the appliance: under KVM where that is proved, then under TCG, then
 * once more with everything written down, because only that tells why. */
static Appliance *
start(const char *image, bool kvm, GError **err)
{
    static const Start ways[] = {START_KVM, START_TCG, START_TALKING};
    g_autofree char *base = paths_cache(err);
    g_autofree char *cache = NULL;

    if (!base)
        return NULL;
    cache = g_build_filename(base, "appliance", NULL);
    if (!file_mkdir(cache, err))
        return NULL;
    for (gsize i = kvm ? 0 : 1; i < G_N_ELEMENTS(ways); i++) {
        g_autoptr(GError) why = NULL;
        Appliance *appliance = start_one(image, ways[i], cache, &why);

        if (appliance)
            return appliance;
        if (!disk_not_interrupted(err))
            return NULL;
        log_debug("%s", why->message);
        if (i + 1 == G_N_ELEMENTS(ways))
            g_propagate_error(err, g_steal_pointer(&why));
    }
    return NULL;
}

/* Puts the files in, owned by root as on every other disk. */
static bool
put_files(const Appliance *appliance, const char *payload, const char *sha256,
          GError **err)
{
    g_autofree char *line = g_strconcat(sha256, "\n", NULL);
    guestfs_h *g = appliance->g;

    if (guestfs_mount(g, DEVICE, "/") < 0)
        return fail_step(appliance, "mount the image", err);
    if (guestfs_mkdir_p(g, "/" WIRE_DISK_DIR) < 0 ||
        guestfs_chown(g, 0, 0, "/" WIRE_DISK_DIR) < 0)
        return fail_step(appliance, "make the directory on the image", err);
    if (guestfs_upload(g, payload, "/" WIRE_DISK_PAYLOAD) < 0 ||
        guestfs_chmod(g, 0755, "/" WIRE_DISK_PAYLOAD) < 0)
        return fail_step(appliance, "put the payload on the image", err);
    if (guestfs_write(g, "/" WIRE_DISK_DIGEST, line, strlen(line)) < 0)
        return fail_step(appliance, "put the digest on the image", err);
    if (guestfs_umount(g, "/") < 0)
        return fail_step(appliance, "unmount the image", err);
    return true;
}

/* Checks the file system, and reads the payload again through a new mount,
 * so that it comes from the image and not from memory. */
static bool
check_files(const Appliance *appliance, const char *sha256, GError **err)
{
    guestfs_h *g = appliance->g;
    char *read = NULL;
    bool same = false;

    if (guestfs_e2fsck(g, DEVICE, GUESTFS_E2FSCK_CORRECT, 1, -1) < 0)
        return fail_step(appliance, "check the file system", err);
    if (guestfs_mount_ro(g, DEVICE, "/") < 0)
        return fail_step(appliance, "mount the image again", err);
    read = guestfs_checksum(g, "sha256", "/" WIRE_DISK_PAYLOAD);
    if (!read)
        return fail_step(appliance, "read the payload on the image", err);
    same = g_str_equal(read, sha256);
    free(read);
    if (!same)
        return vs_fail(err, "the payload on the image is not the one put "
                            "there: its digest differs");
    if (guestfs_umount(g, "/") < 0)
        return fail_step(appliance, "unmount the image", err);
    return true;
}

bool
appliance_inject(const char *image, const char *payload, const char *sha256,
                 bool kvm, GError **err)
{
    g_autoptr(Appliance) appliance = start(image, kvm, err);

    if (!appliance || !disk_not_interrupted(err) ||
        !put_files(appliance, payload, sha256, err) ||
        !disk_not_interrupted(err) || !check_files(appliance, sha256, err))
        return false;
    if (guestfs_shutdown(appliance->g) < 0)
        return fail_step(appliance, "shut its appliance down", err);
    return true;
}

char *
appliance_version(void)
{
    guestfs_h *g = guestfs_create_flags(GUESTFS_CREATE_NO_ENVIRONMENT);
    struct guestfs_version *version = g ? guestfs_version(g) : NULL;
    char *text = g_strdup("unknown");

    if (version) {
        g_free(text);
        text =
            g_strdup_printf("%" PRIi64 ".%" PRIi64 ".%" PRIi64, version->major,
                            version->minor, version->release);
        guestfs_free_version(version);
    }
    if (g)
        guestfs_close(g);
    return text;
}
