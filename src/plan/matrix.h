/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A matrix: the question, the settings to sweep and how.  Read from a YAML
 * file (MATRIX.md, vsweep-matrix(5)) or made from --set options; checked
 * whole, so that what a Matrix says can be planned.
 */
#pragma once

#include <glib.h>
#include "base/error.h"
#include "setting/setting.h"
#include "guest-payload/catalogue.h"

typedef enum {
    DESIGN_AUTO, /* not given: full up to 12 cells, else star+pairs up to 3
                    settings or with pairs named, else ofat */
    DESIGN_OFAT,
    DESIGN_STAR_PAIRS,
    DESIGN_FULL,
    DESIGN_PAIRWISE,
    DESIGN_LIST
} DesignKind;

/* The payload without a guest: not at all; as the host is; and also confined
 * to the CPUs and memory of the baseline guest (METHOD 8.1). */
typedef enum { HOST_NONE, HOST_HOST, HOST_LADDER } HostRung;
typedef enum { HYGIENE_QUICK, HYGIENE_NORMAL, HYGIENE_STRICT } Hygiene;

typedef struct Factor {
    const Setting *setting;
    GPtrArray *levels; /* char *, at least one, in the order given */
    guint baseline;    /* index into levels */
} Factor;

/* Two factors whose interaction is asked for: indices into Matrix.factors. */
typedef struct FactorPair {
    guint a, b; /* a < b */
} FactorPair;

/* A conjunction of setting = level. */
typedef struct Rule {
    GPtrArray *settings; /* const Setting * */
    GPtrArray *levels;   /* char * */
    char *why;           /* or NULL */
    char *label;         /* include: the cell's name, or NULL */
} Rule;

typedef struct WorkloadUse {
    const WorkloadInfo *info;
    char *values[CATALOGUE_PARAMS_MAX]; /* by index in info->params; all set
                                           (given, default or quick) */
    bool given[CATALOGUE_PARAMS_MAX];
} WorkloadUse;

/* What was found out about a matrix that is costly to find out again. */
typedef struct MatrixMemo {
    GPtrArray *array; /* pairwise: guint *, the rows besides the baseline */
} MatrixMemo;

typedef struct Matrix {
    char *path; /* as given; "(command line)" when made from options */
    char *text; /* the file's text, or the YAML made from the options */
    char *name;
    char *question;      /* or NULL */
    char *domain_path;   /* absolute path of the template */
    char *disk;          /* target of the disk under test, or NULL: first */
    char *storage;       /* directory for images, or NULL: default */
    char *kernel;        /* path, or NULL: newest fitting on the host */
    char *fs;            /* "ext4" */
    guint64 disk_bytes;  /* size of the disk under test */
    char *memory;        /* "1G" */
    bool baseline_given; /* false: first level of each, and reports say so */
    GPtrArray *factors;  /* Factor *, in the order given; memory, vcpus ...
                            that do not vary are not here */
    Rule *fixed;         /* settings held at one level that is not default */
    Rule *best;          /* the tuned cell; NULL: not declared */
    GPtrArray *excludes; /* Rule * */
    GPtrArray *includes; /* Rule * */
    DesignKind design;
    GArray *pairs;                /* FactorPair: those named for star+pairs */
    GArray *crossed;              /* guint: places, as they stood in the file,
                                     of the settings of full:...; else empty */
    Rule *uncrossed;              /* the others at their baseline, which they
                                     have in `fixed` too: they do not vary */
    guint blocks_min, blocks_max; /* 0: by the plan's bound */
    double precision;             /* 0: not given */
    gint64 budget_ns;             /* 0: none */
    GPtrArray *workloads;         /* WorkloadUse * */
    GPtrArray *primary;           /* const MetricInfo * */
    HostRung host;
    Hygiene hygiene;
    bool allow_unsafe;
    bool quick;         /* --quick: sizes, design ofat, 3 blocks */
    char *design_place; /* where the file says which design, for messages */
    MatrixMemo *memo;
} Matrix;

/* Reads and checks a file.  On failure the error holds every complaint, one
 * a line, each with file:line:column. `quick` picks the quick parameter
 * values where the file gives none. */
Matrix *matrix_load(const char *path, bool quick, GError **err);
/* The same from a text; `path` is for messages and relative paths. */
Matrix *matrix_parse(const char *text, const char *path, bool quick,
                     GError **err);
/* A matrix from --set SETTING=LEVEL,LEVEL and -w WORKLOAD options, both
 * NULL-terminated; writes the YAML it stands for into Matrix.text. */
Matrix *matrix_from_options(const char *const *sets,
                            const char *const *workloads, bool quick,
                            GError **err);
/* Bytes of the pre-filled work file the workloads need on the disk (the
 * largest "file" parameter), 0 when none needs one. */
guint64 matrix_work_bytes(const Matrix *matrix);
/* "disk.io=threads, vcpus=1".  Caller frees. */
char *matrix_rule_text(const Rule *rule);
void matrix_free(Matrix *matrix);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Matrix, matrix_free)
