/* portable: within an ulp or a few of the C library's long double, at random and awkward arguments; no choice of the
 * compiler changes a bit, which the hash of all results shows. */
#include "../../src/base/portable.h"
#include "../../src/base/hash.h"
#include "../../src/base/rng.h"
#include "test.h"
#include <float.h>

typedef struct function {
    const char *name;
    double (*f)(double);
    long double (*exact)(long double);
    double low, high, ulps;
} function;

static const function table[] = {
    {"exp", portable_exp, expl, -700, 700, 1},
    {"exp of little", portable_exp, expl, -1, 1, 1},
    {"expm1", portable_expm1, expm1l, -40, 40, 4},
    {"expm1 of little", portable_expm1, expm1l, -1e-3, .5, 4},
    {"log", portable_log, logl, 0, 2, 1},
    {"log of much", portable_log, logl, 1, 1e300, 1},
    {"log near 1", portable_log, logl, .999, 1.001, 1},
    {"log1p", portable_log1p, log1pl, 0, 1, 3},
    {"log1p of little", portable_log1p, log1pl, 0, 1e-9, 3},
    {"cos", portable_cos, cosl, -7, 7, 1.5},
    {"sin", portable_sin, sinl, -7, 7, 1.5},
    {"tanh", portable_tanh, tanhl, -25, 25, 3},
    {"tanh of little", portable_tanh, tanhl, -.1, .1, 3},
};

/* Of the difference, in units of the last place of the exact value. */
static double ulps(double got, long double want)
{
    double near = (double)fabsl(want), unit = nextafter(near, INFINITY) - near;
    return (double)fabsl((long double)got - want) / (unit > DBL_MIN ? unit : DBL_MIN);
}

static uint64_t add(uint64_t h, double x) { return hash_bytes(h, &x, sizeof x); }

TEST_MAIN(test_portable)
{
    enum { N = 100000 };
    rng r = rng_make(1, 0, RNG_STATS);
    uint64_t all = HASH_INIT;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const function *t = &table[k];
        double worst = 0, at = 0;
        for (uint64_t i = 0; i < N; i++) {
            double x = t->low + (t->high - t->low) * rng_uniform(r, k, i), y = t->f(x), off = ulps(y, t->exact(x));
            all = add(all, y);
            if (off > worst)
                worst = off, at = x;
        }
        printf("%-16s %.3f ulp\n", t->name, worst);
        CHECK(worst <= t->ulps, "%s(%a): %.2f ulp", t->name, at, worst);
    }
    double worst = 0, beta[] = {.9, .999, .99, .5};
    for (int b = 0; b < 4; b++)
        for (long n = 0; n < 3000; n++) {
            double y = portable_power(beta[b], n), off = ulps(y, powl(beta[b], (long double)n));
            all = add(all, y);
            worst = off > worst ? off : worst;
        }
    CHECK(worst < .51, "power: %.3f ulp", worst);
    CHECK(portable_exp(0) == 1 && portable_exp(-1e4) == 0 && isinf(portable_exp(1e4)) && isnan(portable_exp(NAN)),
          "exp");
    CHECK(isinf(portable_log(0)) && isnan(portable_log(-1)) && portable_log(1) == 0 && isinf(portable_log(INFINITY)),
          "log");
    CHECK(portable_log1p(0) == 0 && portable_expm1(0) == 0 && portable_tanh(0) == 0 && portable_tanh(-99) == -1,
          "at 0");
    CHECK(portable_cos(0) == 1 && portable_sin(0) == 0, "at 0");
    CHECK(all == UINT64_C(0x5099c2e2e003bb86), "the bits are others: %016llx", (unsigned long long)all);
    return test_end();
}
