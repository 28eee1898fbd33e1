/* For configure, which compiles this with the flags of the tree and runs it: do sums that the tree computes in several
 * ways round alike? y_j = sum_k w_k x_(i_k)j, one chain of multiply-adds over k for each j, is computed with one
 * accumulator, with one vector and with four, and by updates of the whole row, for the instruction set that is chosen
 * at start-up, as in src/kernel/spmm_loops.h. A compiler that fuses only some of these multiply-adds (gcc 14 without
 * --param=avoid-fma-max-bits=0) gives different last bits. Writes "yes" or "no", the instruction set and whether
 * multiply-adds are fused to the file conftest.val. Not a plain dot product of two arrays: gcc
 * vectorises its products and adds them one by one, unfused whatever the flags. */
#include "../../src/kernel/simd.c" /* NOLINT(bugprone-suspicious-include) */
#include <stdio.h>
#include <string.h>

enum { N = 40, D = 64 }; /* terms of each sum, sums */

#define VECTORS(name, code, bytes, count)                                                                    \
    code static void name(float *y, const float *w, const int *idx, const float *x, int n)                   \
    {                                                                                                        \
        typedef float vec __attribute__((vector_size(bytes), aligned(sizeof(float)), may_alias));            \
        enum { WIDTH = (bytes) / sizeof(float) };                                                            \
        for (int j = 0; j < D; j += (count)*WIDTH) {                                                         \
            vec sum[count];                                                                                  \
            for (int q = 0; q < (count); q++)                                                                \
                sum[q] = (vec){0};                                                                           \
            for (int k = 0; k < n; k++)                                                                      \
                for (int q = 0; q < (count); q++)                                                            \
                    sum[q] += w[k] * *(const vec *)(x + (size_t)idx[k] * D + (size_t)j + (size_t)q * WIDTH); \
            for (int q = 0; q < (count); q++)                                                                \
                *(vec *)(y + j + (size_t)q * WIDTH) = sum[q];                                                \
        }                                                                                                    \
    }
VECTORS(one_vector, CLONES, 32, 1)
VECTORS(four_vectors, CLONES, 32, 4)
VECTORS(one_long_vector, CODE_512, 64, 1)
VECTORS(four_long_vectors, CODE_512, 64, 4)

CLONES static void one_number(float *y, const float *w, const int *idx, const float *x, int n)
{
    for (int j = 0; j < D; j++) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += w[k] * x[(size_t)idx[k] * D + (size_t)j];
        y[j] = sum;
    }
}

CLONES static void add_to(float *restrict y, float f, const float *restrict x)
{
    for (int j = 0; j < D; j++)
        y[j] += f * x[j];
}

static void updates(float *y, const float *w, const int *idx, const float *x, int n)
{
    memset(y, 0, D * sizeof *y);
    for (int k = 0; k < n; k++)
        add_to(y, w[k], x + (size_t)idx[k] * D);
}

static float number(void) /* in -0.5 .. 0.5 */
{
    static unsigned state = 1;
    return (float)((state = state * 1664525u + 1013904223u) >> 8) / 16777216 - 0.5f;
}

int main(void)
{
    static float w[N], x[N * D], want[D], y[D], plain[D];
    static int idx[N];
    void (*way[])(float *, const float *, const int *, const float *, int) = {one_vector, four_vectors, updates,
                                                                              one_long_vector, four_long_vectors};
    for (int k = 0; k < N; k++)
        w[k] = number(), idx[k] = (7 * k) % N;
    for (int k = 0; k < N * D; k++)
        x[k] = number();
    int alike = 1, fused = 0;
    one_number(want, w, idx, x, N);
    for (int i = 0; i < (simd_512() ? 5 : 3); i++) {
        way[i](y, w, idx, x, N);
        alike &= !memcmp(y, want, sizeof y);
    }
    for (int k = 0; k < N; k++)
        for (int j = 0; j < D; j++) {
            volatile float product = w[k] * x[idx[k] * D + j];
            plain[j] += product;
        }
    fused = memcmp(want, plain, sizeof want) != 0;
    FILE *f = fopen("conftest.val", "w");
    return !f ||
           fprintf(f, "%s %s %s\n", alike ? "yes" : "no", simd_name(),
                   fused ? "fused multiply-adds" : "no fused multiply-adds") < 0 ||
           fclose(f);
}
