/* Batches: arenas that are reset, workspaces that are bound again, the contract of backward and update. In double. */
#include "../../../src/kernel/blas.h"
#include "../../../src/net/loss/loss.h"
#include "../../../src/train/trainer.h"
#include "../cell_of.h"
#include "../test.h"
#include "../toy.h"

/* --- arenas --- */

static void test_arena(void)
{
    arena a = {0};
    char *kept = NEW(&a, char, 1000);
    memset(kept, 7, 1000);
    arena_mark mark = arena_now(&a);
    size_t live = a.live;
    char *first_big = NULL;
    for (int round = 0; round < 5; round++) {
        int dirty = 0;
        for (int k = 0; k < 40; k++) { /* small ones fill several chunks, large ones have a chunk each */
            size_t n = (size_t)(k % 10 == 3 ? 3000000 + k : 90000);
            char *v = NEW(&a, char, n);
            for (size_t i = 0; i < n; i++)
                dirty += v[i] != 0;
            memset(v, 1 + round, n);
            if (k == 3 && !round)
                first_big = v;
#ifndef __SANITIZE_ADDRESS__
            CHECK(k != 3 || v == first_big, "round %d: the large block moved: memory is not used again", round);
#endif
        }
        CHECK(!dirty, "round %d: %d bytes are not zero", round, dirty);
        arena_reset(&a, mark);
        CHECK(a.live == live, "round %d: %zu bytes are live, not %zu", round, a.live, live);
    }
    for (int i = 0; i < 1000; i++)
        CHECK(kept[i] == 7, "what was allocated before the mark has changed");
    /* Marks nest. */
    NEW(&a, char, 5000);
    arena_mark inner = arena_now(&a);
    NEW(&a, char, 4000000);
    arena_reset(&a, inner);
    arena_reset(&a, mark);
    CHECK(a.live == live, "nested marks: %zu bytes are live, not %zu", a.live, live);
    arena_free(&a);
    arena_mark empty = arena_now(&a);
    NEW(&a, char, 100);
    arena_reset(&a, empty);
    CHECK(a.live == 0, "a mark of an empty arena");
    arena_free(&a);
}

/* --- workspaces --- */

static trainer *trained_on(problem **p, const char *name, const char *loss)
{
    *p = toy(200, 24, 3, 1);
    spec s = spec_default();
    s.model = name, s.loss = loss, s.hidden = 8, s.clusters = 4, s.partition = partition_rule_read("random"),
    s.heads = 2, s.in_dropout = 0.2;
    problem_prepare(*p, CELL(&s));
    return trainer_new(*p, CELL(&s), 5, 0);
}

/* Forward and backward do not change the parameters, whatever the policy of the workspace; update does. */
static void check_contract(const char *name, const char *loss)
{
    problem *p;
    trainer *t = trained_on(&p, name, loss);
    size_t bytes = t->m->size * sizeof(real);
    real *was = NEW(&t->a, real, t->m->size);
    memcpy(was, t->net.w, bytes);
    workspace_forward(t->val, 0);
    workspace_forward(t->train, 1);
    workspace_backward(t->train);
    CHECK(!memcmp(was, t->net.w, bytes), "%s %s: forward or backward has changed the parameters", name, loss);
    const adam o = {0.01, 0.9, 0.999, 1e-8};
    const adam_now now[2] = {adam_at(&o, 0, 1), adam_at(&o, 0, 1)};
    workspace_update(t->train, now);
    real *stepped = NEW(&t->a, real, t->m->size);
    memcpy(stepped, t->net.w, bytes);
    CHECK(memcmp(was, stepped, bytes), "%s %s: update has changed nothing", name, loss);
    /* workspace_learn, with the fused update: the same bits. */
    net_init(&t->net, 5, 0);
    workspace_forward(t->val, 0);
    workspace_learn(t->train, 1, now);
    CHECK(!memcmp(stepped, t->net.w, bytes), "%s %s: workspace_learn does not do what the three calls do", name, loss);
    trainer_free(t);
    problem_close(p);
}

/* A workspace that has been bound to another batch in between gives the same gradient as a new one, and memory stops
 * growing. */
static void check_rebind(const char *name, const char *loss)
{
    problem *p;
    trainer *t = trained_on(&p, name, loss);
    const split *q = &t->part;
    arena own = {0};
    batch large = batch_full(&t->data, q->idx[TRAIN], q->n[TRAIN], q->idx[TRAIN], q->n[TRAIN]);
    batch small = batch_full(&t->data, q->idx[TRAIN], 3, q->idx[TRAIN], 3);
    workspace *ws = workspace_new(&own, program_compile(&own, t->m, 1, POLICY_ALL & ~FUSE_UPDATE), &t->net, NULL);
    ws->r = t->train->r;
    real *first = NEW(&t->a, real, t->m->size);
    size_t live = 0;
    for (int k = 0; k < 7; k++) {
        workspace_bind(ws, k % 2 ? &small : &large);
        workspace_forward(ws, 3);
        workspace_backward(ws);
        if (!k) {
            memcpy(first, t->net.g, t->m->size * sizeof(real));
            live = own.live;
        }
        CHECK(k % 2 || (!memcmp(first, t->net.g, t->m->size * sizeof(real)) && own.live == live),
              "%s %s: bound again, other gradient or memory", name, loss);
        CHECK(!(k % 2) || memcmp(first, t->net.g, t->m->size * sizeof(real)),
              "%s %s: the smaller batch has the gradient of the larger", name, loss);
    }
    arena_free(&own);
    trainer_free(t);
    problem_close(p);
}

/* The gradient of a weight that every op of a long network shares is cleared once, by the first of them. */
static void test_shared_weight(void)
{
    problem *p;
    trainer *t = trained_on(&p, "gcn", "ce");
    workspace *ws = workspace_new(&t->a, program_compile(&t->a, t->m, 1, POLICY_ALL), &t->net, NULL);
    int filled = 0;
    for (int k = 0; k < MAX_OPS; k++) {
        CHECK(workspace_beta_param(ws, 0) == (k > 0), "use %d of a parameter: its gradient starts anew", k);
        CHECK(workspace_beta(&filled) == (k > 0), "use %d of an output: its gradient starts anew", k);
    }
    trainer_free(t);
    problem_close(p);
}

TEST_MAIN(test_batch)
{
    blas_init();
    test_arena();
    test_shared_weight();
    for (int b = 0; backbones[b]; b++)
        for (int o = 0; objectives[o]; o++) {
            check_contract(backbones[b]->name, objectives[o]->name);
            check_rebind(backbones[b]->name, objectives[o]->name);
        }
    return test_end();
}
