/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A CSV file, field by field, from libcsv: see csv-file.h. */
#include "data/csv-file.h"

#include <csv.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Bytes read at a time; the heading has to end within them to have its
 * delimiter found out. */
#define CHUNK_SIZE (1u << 16)
/* libcsv enlarges a field by this many bytes at a time. */
#define FIELD_STEP 4096

typedef struct Reader {
    struct csv_parser parser;
    const CsvSink *sink;
    CsvProblems *problems;
    guint line; /* that the next character is on, from 1 */
    guint row;  /* line that the current row began on */
    guint column;
    int last_end; /* character that ended the row before, or 0 */
    bool stop;
} Reader;

static void
on_field(void *text, size_t length, void *data)
{
    Reader *reader = data;
    const char *end = (const char *) text + length;

    if (reader->stop)
        return;
    reader->sink->field(reader->sink->data, reader->row, reader->column++,
                        text);
    for (const char *p = text; (p = memchr(p, '\n', (gsize) (end - p))); p++)
        reader->line++;
    reader->last_end = 0;
}

/* Called for every line end outside quotes, that of an empty line too; the LF
 * of CRLF is one of these. */
static void
on_row(int end, void *data)
{
    Reader *reader = data;
    bool second_half = end == '\n' && reader->last_end == '\r';

    if (reader->column > 0 && !reader->stop)
        reader->stop = !reader->sink->end_row(reader->sink->data, reader->row,
                                              reader->column);
    reader->column = 0;
    if (end > 0 && !second_half)
        reader->line++;
    reader->last_end = end;
    reader->row = reader->line;
}

/* libcsv's: no field grows beyond what one may have. */
static void *
field_realloc(void *old, size_t size)
{
    return size <= CSV_FIELD_MAX ? realloc(old, size) : NULL;
}

static void
explain_error(Reader *reader)
{
    switch (csv_error(&reader->parser)) {
    case CSV_EPARSE:
        csv_problems_add(reader->problems, reader->row, NULL,
                         "a quote (\") inside a field: write it twice, and "
                         "quote the whole field");
        break;
    default:
        csv_problems_add(reader->problems, reader->row, NULL,
                         "a field of more than %u bytes: a quote was left "
                         "open, or this is no CSV file",
                         CSV_FIELD_MAX);
        break;
    }
}

/* The separator of the heading: a comma if there is any, or the commonest of
 * these. */
static char
find_delimiter(const char *text, gsize length)
{
    static const char candidates[] = {';', '\t', '|'};
    guint count[256] = {0};
    bool quoted = false;
    char best = ',';

    for (gsize i = 0; i < length; i++) {
        if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted && (text[i] == '\n' || text[i] == '\r'))
            break;
        else if (!quoted)
            count[(guchar) text[i]]++;
    }
    for (gsize i = 0; count[','] == 0 && i < G_N_ELEMENTS(candidates); i++)
        if (count[(guchar) candidates[i]] > count[(guchar) best])
            best = candidates[i];
    return best;
}

/* Bytes of a byte order mark; complains about one of UTF-16. */
static gsize
skip_mark(Reader *reader, const char *text, gsize length)
{
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        return 3;
    if (length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 ||
                        memcmp(text, "\xfe\xff", 2) == 0)) {
        csv_problems_add(reader->problems, 0, NULL,
                         "is UTF-16 text: save it as UTF-8");
        reader->stop = true;
    }
    return 0;
}

static void
parse_chunk(Reader *reader, const char *text, gsize length)
{
    const char *nul = memchr(text, '\0', length);
    gsize good = nul ? (gsize) (nul - text) : length;

    if (csv_parse(&reader->parser, text, good, on_field, on_row, reader) <
        good) {
        explain_error(reader);
        reader->stop = true;
    } else if (nul) {
        csv_problems_add(reader->problems, reader->row, NULL,
                         "a NUL byte: this is no text file");
        reader->stop = true;
    }
}

static void
parse_end(Reader *reader)
{
    if (reader->stop ||
        csv_fini(&reader->parser, on_field, on_row, reader) == 0)
        return;
    csv_problems_add(reader->problems, reader->row, NULL,
                     "the file ends inside a quoted field");
}

static bool
parse_stream(Reader *reader, FILE *file, const char *path, char *delimiter,
             GError **err)
{
    g_autofree char *chunk = g_malloc(CHUNK_SIZE);
    gsize length = fread(chunk, 1, CHUNK_SIZE, file);
    gsize skip = skip_mark(reader, chunk, length);

    if (!*delimiter)
        *delimiter = find_delimiter(chunk + skip, length - skip);
    csv_set_delim(&reader->parser, (guchar) *delimiter);
    while (length > 0 && !reader->stop) {
        parse_chunk(reader, chunk + skip, length - skip);
        length = fread(chunk, 1, CHUNK_SIZE, file);
        skip = 0;
    }
    if (ferror(file))
        return vs_fail_errno(err, errno, "cannot read '%s'", path);
    parse_end(reader);
    return true;
}

bool
csv_file_read(const char *path, char delimiter, const CsvSink *sink,
              CsvProblems *problems, char *ret_delimiter, GError **err)
{
    Reader reader = {.sink = sink, .problems = problems, .line = 1, .row = 1};
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "re");
    bool done = false;

    if (!file)
        return vs_fail_errno(err, errno, "cannot open '%s'", path);
    *ret_delimiter = delimiter;
    csv_init(&reader.parser,
             CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL | CSV_APPEND_NULL);
    csv_set_realloc_func(&reader.parser, field_realloc);
    csv_set_blk_size(&reader.parser, FIELD_STEP);
    done = parse_stream(&reader, file, path, ret_delimiter, err);
    csv_free(&reader.parser);
    if (!is_stdin)
        fclose(file);
    return done;
}
