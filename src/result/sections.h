/* sections: the parts of the report, of RESULTS.md and of the files of single tables. Each is made here once, as blocks
 * of a document (doc.h); which of them a page has is decided in report.c, results.c and table_files.c. */
#ifndef JCB_SECTIONS_H
#define JCB_SECTIONS_H

#include "../data/dataset.h"
#include "gains.h"
#include "metattack.h"
#include "table_parts.h"
#include "doc.h"

/* ---- section_summary.c: what came out ---- */

void section_progress(doc *d, const tables *all, const char *line); /* line: of jcb reproduce; NULL: it does not run */
void section_headline(doc *d, const tables *all);                   /* sentences, also those of the README */
void section_tiles(doc *d, const tables *all);
void section_tables(doc *d, const tables *all, const char *suffix); /* a line for each table; suffix: of the files that
                                                                     * it links to; NULL: links within the page */
void section_overall(doc *d, const tables *all);                    /* one look over all data sets */
void section_statements(doc *d, const tables *all);

/* ---- section_table.c: one table ---- */

void section_table(doc *d, const table *t, int level); /* level: of its heading */
const char *const *section_legend(arena *a, const table *t, int *n);

/* ---- section_gains.c ---- */

void section_gains(doc *d, const gains *g, int level, int places); /* places: 1: also every data set and model */
void section_all_gains(doc *d, const tables *all, int level, int places);
const char *section_gains_sentence(arena *a, const tables *all); /* the rows of the headline; NULL: not measured */
void section_metattack(doc *d, const metattack_graph *v, int n);

/* ---- section_differences.c: what differs, what was not run ---- */

void section_reasons(doc *d, const tables *all);
void section_differences(doc *d, const tables *all);
void section_not_run(doc *d, const tables *all, const char *const *programs); /* ends with NULL */

/* ---- section_depends.c: tuning, duplicated nodes ---- */

void section_tuning(doc *d, const tables *all, const char *specs);
void section_leaks(doc *d, const tables *all, const data_dirs *dirs);
const char *section_missing_data(arena *a, const tables *all, const data_dirs *dirs); /* "a, b" of the records */

/* ---- section_environment.c: machine, experiments, data, commands, hashes ---- */

void section_machine(doc *d, const tables *all, const char *commit, const char *flags, const char *gnuplot);
void section_experiments(doc *d, const tables *all);
void section_failures(doc *d, const tables *all);
void section_data(doc *d, const tables *all, const char *data_dir);
void section_commands(doc *d, const char *records_dir);
void section_hashes(doc *d, const tables *all, const char *records_dir,
                    const char *reference); /* reference: may be NULL */

/* ---- section_figures.c ---- */

typedef struct figures {
    doc_block *v; /* drawings with their captions */
    int n;
    const char *gnuplot; /* the version that drew them; NULL: unknown */
} figures;

figures section_figures_read(arena *a, const char *dir);
const doc_block *section_figures_find(const figures *f, const char *name);

/* ---- what several sections say ---- */

typedef struct span { /* of counts above 0 */
    int min, max;
} span;

void span_add(span *s, int n);
const char *span_text(arena *a, span s); /* "3 to 10", "10"; "–": none */

extern const enum doc_mark section_mark[VERDICTS], section_claim_mark[CLAIM_VERDICTS + 1]; /* the last: stand-in data */
const char *section_claim_word(int i);

#endif
