/* cell: what a run is of: hyper-parameters, and what their words mean. Text becomes a cell once
 * (train/method/resolve.h); problems, trainers, methods, the queue, records and verdicts take cells and look up no
 * names. */
#ifndef JCB_CELL_H
#define JCB_CELL_H

#include "../data/dataset.h"
#include "../net/backbone.h"

struct method;
struct objective; /* net/loss/loss.h */

typedef struct cell {
    const char *experiment;   /* that the cell is of; NULL: none */
    const char *setting;      /* key=value,...: tells cells of equal data set, model and loss apart; "-": none */
    spec s;                   /* the hyper-parameters */
    const backbone *backbone; /* of s.model */
    const struct objective *objective; /* of s.loss, without +cs */
    int smoothed;                      /* 1: Correct & Smooth follows training, s.loss is NAME+cs */
    const struct method *method;       /* of s.method and s.loss */
    const char *model, *loss; /* as records and tables show them: names, the method's and "-" where it has networks
                                 of its own */
} cell;

/* The network of the cell for the numbers of features and classes of d. Called through problem_model. */
void cell_build(model *m, const cell *c, const dataset *d, enum first_layer first);

#endif
