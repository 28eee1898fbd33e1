#include "cell.h"
#include "../base/err.h"
#include "../net/loss/loss.h"

void cell_build(model *m, const cell *c, const dataset *d, enum first_layer first)
{
    *m = (model){.features = d->features,
                 .classes = d->classes,
                 .multi = d->ym != NULL,
                 .clusters = c->s.clusters,
                 .first = first};
    if (m->multi && (!c->objective->multi || c->smoothed))
        die("loss '%s' is for data with one label a node; %s has several: use ce or jc", c->s.loss, d->name);
    c->objective->build(m, &c->s, c->backbone);
}
