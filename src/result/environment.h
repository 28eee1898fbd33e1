/* environment: machines, builds and run time, as recorded. */
#ifndef JCB_ENVIRONMENT_H
#define JCB_ENVIRONMENT_H

#include "table_parts.h"

typedef struct environment_values {
    const char **v;
    int *count, n; /* rows with each value */
} environment_values;

/* A fact of a run as text; "": not recorded. */
typedef const char *environment_fact(arena *a, const record *r);
environment_fact environment_experiment_name, environment_commit, environment_cpu, environment_blas,
    environment_threads, environment_jobs, environment_metis_bits;

/* The different values of a fact over the runs of an experiment (NULL: of all), in the order of their first run. */
environment_values environment_distinct(arena *a, const tables *all, const char *experiment, environment_fact *fact);
/* "x, y (3 runs)"; counts: adds the number of rows if there are several values. Not escaped; "–" without values. */
const char *environment_list(arena *a, const environment_values *d, int counts);

typedef struct environment_cost {
    int ok, failed, cells; /* runs, and the different cells they belong to */
    double seconds;        /* of training, a sum over runs; NaN: not recorded */
} environment_cost;

environment_cost environment_experiment(arena *a, const tables *all, const char *experiment); /* NULL: all */
const char *environment_duration(arena *a, double seconds); /* "1.5 h"; "–" for NaN */
const char *environment_machine(arena *a);                  /* this one: processor, cores, memory */

#endif
