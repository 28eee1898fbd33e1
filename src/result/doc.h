/* doc: a document: headings, paragraphs, lists, grids, figures. Sections (sections.h) make it once; doc_md, doc_html
 * and doc_tex write it.
 *
 * Text is UTF-8 without markup of any format; the writers escape it. Emphasis, code and links within a text are set by
 * the marks below, which are control characters, so that no name from a file can be mistaken for one. */
#ifndef JCB_DOC_H
#define JCB_DOC_H

#include "../base/buf.h"

#define DOC_B "\1" /* bold, to DOC_B_END */
#define DOC_B_END "\2"
#define DOC_CODE "\3" /* a word of a program, to DOC_CODE_END */
#define DOC_CODE_END "\4"
#define DOC_LINK "\5" /* address DOC_LINK_TEXT text DOC_LINK_END; "#id": a heading of this document */
#define DOC_LINK_TEXT "\6"
#define DOC_LINK_END "\7"
enum doc_char { DOC_C_B = 1, DOC_C_B_END, DOC_C_CODE, DOC_C_CODE_END, DOC_C_LINK, DOC_C_LINK_TEXT, DOC_C_LINK_END };

/* What a cell says about a result: a colour and a symbol. */
enum doc_mark {
    MARK_NONE,
    MARK_AGREES,
    MARK_HIGHER,
    MARK_LOWER,
    MARK_AGAINST,
    MARK_SAME,
    MARK_OPEN,
    MARK_APART,
    MARK_BARE,
    MARK_MISSING,
    MARKS
};
extern const char *const doc_mark_symbol[MARKS], *const doc_mark_class[MARKS];

enum { DOC_LINES = 3 };

typedef struct doc_cell {
    const char *line[DOC_LINES]; /* NULL: no such line */
    enum doc_mark mark;
    int bold;         /* index of the line that is bold; -1: none */
    const char *note; /* a remark on the cell; NULL: none */
} doc_cell;

typedef struct doc_grid {
    arena *a;
    const char *const *head;      /* head_rows x cols */
    int cols;                     /* columns */
    int head_rows;                /* lines of heads */
    int keys;                     /* the first columns, which name a row; 0: a plain table */
    int lines;                    /* lines of a cell */
    const char *const *line_name; /* lines: "ours", ...; NULL: a cell has one line without a name */
    const char *caption, *label;  /* of the float in LaTeX; NULL: none */
    doc_cell *cell;               /* count */
    int count;                    /* cells so far, row by row */
    int64_t capacity;
} doc_grid;

enum doc_kind {
    DOC_HEADING,
    DOC_TEXT,
    DOC_SMALL, /* a remark below a grid */
    DOC_NOTE,  /* a warning */
    DOC_ITEM,  /* of a list: consecutive ones */
    DOC_COMMANDS,
    DOC_TILES, /* counts in large digits, on pages only */
    DOC_GRID,
    DOC_FIGURE,
    DOC_FOLD, /* what follows, up to DOC_FOLD_END, is folded under its text */
    DOC_FOLD_END
};

typedef struct doc_block {
    enum doc_kind kind;
    int level;        /* of a heading, from 1; of a fold, 1: open */
    const char *id;   /* of a heading or figure; NULL: none */
    const char *text; /* of a figure: its title */
    const char *more; /* of a figure: its caption */
    const char *path; /* of a figure: its drawing, where Markdown finds it */
    const char *svg;  /* of a figure: bytes of it */
    size_t size;
    doc_grid *grid; /* of tiles and grids */
    struct doc_block *next;
} doc_block;

typedef struct doc {
    arena *a;
    doc_block *first, *last;
} doc;

void doc_heading(doc *d, int level, const char *id, const char *text);
void doc_put(doc *d, enum doc_kind kind, const char *text); /* TEXT, SMALL, NOTE, ITEM, COMMANDS */
void doc_say(doc *d, enum doc_kind kind, const char *format, ...) __attribute__((format(printf, 3, 4)));
void doc_fold(doc *d, int open, const char *text);
void doc_fold_end(doc *d);
void doc_figure(doc *d, const doc_block *figure);

/* A grid with one line of column heads, which must outlive the document. Cells are appended row by row. */
doc_grid *doc_table(doc *d, const char *const *head, int cols);
doc_grid *doc_columns(doc *d, const char *heads); /* the same, with tabs between the heads */
void doc_cell_put(doc_grid *g, const char *text); /* NULL: empty */
void doc_cell_say(doc_grid *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Several cells, which tabs separate. */
void doc_cells(doc_grid *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
void doc_cell_mark(doc_grid *g, enum doc_mark mark, const char *text);
doc_cell *doc_cell_add(doc_grid *g);
doc_grid *doc_tiles(doc *d); /* cells: a mark, line 0 a number, line 1 a word */

void doc_md(buf *out, const doc *d);
void doc_tex(buf *out, const doc *d);  /* to be \input into a document that uses booktabs */
void doc_html(buf *out, const doc *d); /* the blocks; HTML5 that is well-formed XML */

/* Text with its marks, for the writers: calls put for plain text and mark for each mark; a link's address goes to mark.
 * What is open at the end is closed. */
typedef struct doc_writer {
    buf *out;
    void (*put)(buf *out, const char *plain);
    void (*mark)(buf *out, char mark, const char *address); /* address: of DOC_LINK and DOC_LINK_END, else NULL */
} doc_writer;
void doc_marked(const doc_writer *w, const char *text);

#endif
