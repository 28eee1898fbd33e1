/* Epochs: prediction of the validation nodes, then training from fixed parameters; 3 layers with batch normalisation,
 * dropout 0.5, CE.
 *
 * Checked: the parameters afterwards are those of an epoch without fusion and without values shared with the
 * prediction. Operations: those of the dense products. Bytes: every operand and result of a product once
 * (net/profile.h). The limit is the sum of both times, not the longer one: an op is bound mostly by one of them. */
#include "../../src/net/profile.h"
#include "../../src/train/method/resolve.h"
#include "../../src/train/trainer.h"
#include "kernels.h"
#include <string.h>

typedef struct epoch {
    trainer *t;
    real *start, *plain; /* parameters before and after the plain epoch */
} epoch;

static void learn(trainer *t, const real *start)
{
    size_t bytes = t->m->size * sizeof(real);
    memcpy(t->net.w, start, bytes);
    memset(t->net.mean, 0, bytes), memset(t->net.var, 0, bytes);
    workspace_forward(t->val, 0);
    trainer_learn(t, 1);
}

static void done(work *w)
{
    epoch *e = w->state;
    trainer_free(e->t);
}

static int setup(work *w, const char *name)
{
    epoch *e = w->state = NEW(&w->a, epoch, 1);
    spec s = spec_default();
    s.dataset = w->in->name, s.model = name, s.hidden = w->d, s.layers = 3, s.norm_batch = 1, s.epochs = 1;
    if (w->in->files || problem_dataset(w->in->p)->ym || !w->in->features)
        return 0;
    const cell c = resolve_cell(&s, NULL, "-");
    problem_prepare(w->in->p, &c);
    trainer *plain = trainer_new(w->in->p, &c, 1, 0);
    size_t n = plain->m->size;
    e->start = NEW(&w->a, real, n), e->plain = NEW(&w->a, real, n);
    memcpy(e->start, plain->net.w, n * sizeof(real));
    trainer_policy(plain, RECYCLE | RECEPTIVE_FIELD);
    learn(plain, e->start);
    memcpy(e->plain, plain->net.w, n * sizeof(real));
    trainer_free(plain);
    e->t = trainer_new(w->in->p, &c, 1, 0);
    profile_work least = profile_compulsory(e->t->train, e->t->val);
    w->flops = least.dense_flops, w->bytes = least.bytes, w->sum = 1, w->done = done;
    w->out = e->t->net.w, w->rows = 1, w->width = (int)n;
    return 1;
}

static int setup_mlp(work *w) { return setup(w, "mlp"); }
static int setup_sgc(work *w) { return setup(w, "sgc"); }
static int setup_gcn(work *w) { return setup(w, "gcn"); }
static int setup_sage(work *w) { return setup(w, "sage"); }

static void run(work *w)
{
    epoch *e = w->state;
    learn(e->t, e->start);
}

static double error(work *w)
{
    epoch *e = w->state;
    return check_error(w->out, e->plain, (size_t)w->width);
}

const kernel kernels_epoch[] = {
    {"epoch", "epoch_mlp", WIDEST, setup_mlp, run, NULL, error},
    {"epoch", "epoch_sgc", WIDEST, setup_sgc, run, NULL, error},
    {"epoch", "epoch_gcn", WIDEST, setup_gcn, run, NULL, error},
    {"epoch", "epoch_sage", WIDEST, setup_sage, run, NULL, error},
    {0},
};
