/* html: the sections of the report. Text from files is escaped by buf_html; the page is HTML5 and well-formed XML. */
#ifndef JCB_HTML_H
#define JCB_HTML_H

#include "render_parts.h"
#include "report.h"

/* ---- html.c ---- */

extern const char *const html_class[VERDICTS]; /* CSS class and symbol of a cell's verdict */
extern const char *const html_symbol[VERDICTS];
extern const char
    *const html_claim_class[CLAIM_VERDICTS + 1]; /* of an ordering's verdict; the last: on stand-in data */
extern const char *const html_claim_symbol[CLAIM_VERDICTS + 1];

void html_el(buf *out, const char *tag, const char *text); /* <tag attributes>text</tag>, the text escaped */
void html_number(buf *out, const char *text);              /* escaped, with minus signs */
const char *html_claim_word(int i);                        /* for the same i */
void html_tag(buf *out, const char *class, const char *symbol, int n, const char *word);
void html_verdict(buf *out, const char *class, const char *symbol, const char *word); /* a <td> */
void html_head(buf *out, const char *const *title, int n);                            /* <thead> of one line */
void html_line(buf *out, const char *const *value, int n);                            /* a <tr> of numbers or words */
void html_bar(buf *out, const tally *k);                                              /* the orderings by verdict */
void html_programs(buf *out, const char *experiments, int count);
void html_table_link(buf *out, const table_def *d); /* "1 main_res" */

/* ---- the sections ---- */

typedef struct drawn_figure {
    const char *name, *caption, *svg; /* svg NULL: it cannot be shown */
} drawn_figure;

typedef struct figures {
    drawn_figure *v;
    int n;
    const char *gnuplot; /* the version that drew them, or NULL */
} figures;

figures html_figures_read(arena *a, const char *dir);
void html_figures(buf *out, const figures *f, const char *dir);

void html_calibration(arena *a, buf *out, const tables *all);
void html_partitions(arena *a, buf *out, const tables *all);
void html_variance(arena *a, buf *out, const tables *all);
void html_explain(arena *a, buf *out, const tables *all);
void html_summary(arena *a, buf *out, const tables *all);
void html_statements(buf *out, const tables *all);
void html_machine(arena *a, buf *out, const tables *all, const report *r, const figures *f);
void html_experiments(arena *a, buf *out, const tables *all);
void html_failures(buf *out, const tables *all);
void html_data(arena *a, buf *out, const tables *all, const char *data_dir);
void html_commands(buf *out, const tables *all);

#endif
