/* The parts of the jcb command. Each takes its own argc and argv and returns the exit code. */
#ifndef JCB_JCB_H
#define JCB_JCB_H

#include "../run/select.h" /* select_dirs: the directories behind --data */

int jcb_train(int argc, char **argv);
int jcb_predict(int argc, char **argv);
int jcb_tune(int argc, char **argv);
int jcb_compare(int argc, char **argv);
int jcb_figures(int argc, char **argv);
int jcb_attack(int argc, char **argv);
int jcb_bench(int argc, char **argv);
int jcb_fetch(int argc, char **argv);
int jcb_data(int argc, char **argv);
int jcb_check(int argc, char **argv);
int jcb_merge(int argc, char **argv);
int jcb_diff(int argc, char **argv);
int jcb_partition(int argc, char **argv);
int jcb_tables(int argc, char **argv);
int jcb_reproduce(int argc, char **argv);
int jcb_report(int argc, char **argv);

int jcb_bench_link(int argc, char **argv, const char *name); /* bench_NAME, a link to this program */

/* The directory NAME of a results directory, for programs that read records and write files:
 *   --records not given   --out is the results directory (NULL: "results"): OUT/NAME
 *   --records given       "results/NAME"; then --out is the directory of the files themselves */
const char *jcb_results(arena *a, const char *records, const char *out, const char *name);

/* DIR/records where there is such a directory, else DIR. */
const char *jcb_records(arena *a, const char *dir);

/* Dies when the directory of the file that an option names does not exist: before the work rather than after it. NULL:
 * the option was not given. */
void jcb_need_directory(const char *option, const char *file);

/* Draws the figures in dir by plots/draw.sh, in all formats or one ("svg"; NULL: all). Returns its exit code. */
int jcb_draw(const char *dir, const char *format);

/* Before any work: an unknown data set is a wrong command line, one whose files are missing an error. */
void jcb_need_dataset(const data_dirs *dirs, const char *name);

void jcb_warn_origin(const dataset *d); /* says so when the data are a substitute or a twin */

/* ---- outputs.c: of one run; prob and z have a row for each node, files a line for each, in the order of the files.
 * part: the split; NULL: not known ---- */

/* Label, predicted class, confidence and probability of each class, part of the split. scores: no confidence. */
void jcb_write_predictions(const char *path, const dataset *d, mat prob, int scores, const split *part);
void jcb_write_embeddings(const char *path, const dataset *d, mat z, const split *part);
void jcb_show_classes(const dataset *d, mat prob, const split *part); /* test nodes: F1 by class, confusion matrix */

/* A search for hyper-parameters, as the options of jcb tune say it. Returns 0, or 128 + a signal that stopped it; dies
 * when there is no winner. */
typedef struct tune_found { /* the points, the best first */
    int n;
    struct compare_point *point;
} tune_found;

typedef struct tune_options {
    const char *dataset; /* overrides the base's; NULL: that one */
    const char *experiment, *base, *setting, *grid, *data, *out, *specs,
        *memory;                          /* memory: see base/memory.h; set by the caller */
    int random, seeds, seed, jobs, quiet; /* random 0: the whole grid */
    int balanced;                         /* 1: the random points are balanced (grid.h) */
    const tune_found *among;              /* only the first `keep` of these points; NULL: all */
    int keep;
    double time;
    tune_found *found; /* set, from *a; NULL: not asked for */
    arena *a;
} tune_options;
int jcb_tune_search(const tune_options *o);

#endif
