/* Numbers have 16 bits; those below a threshold keep their element. A block of the generator has eight of them, eight
 * blocks are made at once. */
#include "dropout.h"
#include "philox.h"
#include "simd.h"
#include <math.h>
#include <string.h>

static inline uint32_t threshold(const dropout *o)
{
    uint32_t below = (uint32_t)lrint((1 - o->p) * 65536);
    return below ? below : 1;
}

real dropout_scale(const dropout *o) { return o->p > 0 ? (real)(65536.0 / threshold(o)) : 1; }

/* Blocks of eight elements to drop: many[v] of them, at to[at[v]], by block[v] of row[v]. */
typedef struct batch {
    uint32_t block[8], row[8];
    int64_t at[8];
    int count[8], n;
} batch;

#if defined(HAVE_512) && !defined(JCB_DOUBLE)
CODE_512 static inline uint64_t keeps(const dropout *o, __m512i block, __m512i row, __m512i last)
{
    __m512i number[2];
    philox8_512(number, o->r, block, row, o->op, o->step);
    return _mm512_cmple_epu16_mask(number[0], last) | (uint64_t)_mm512_cmple_epu16_mask(number[1], last) << 32;
}

CODE_512 static void row_512(float *to, const float *from, int d, const dropout *o, uint32_t row)
{
    const __m512i last = _mm512_set1_epi16((short)(threshold(o) - 1)), eight = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    const __m512 scale = _mm512_set1_ps(dropout_scale(o));
    for (int j = 0; j < d; j += 64) {
        uint64_t keep = keeps(o, _mm512_add_epi64(_mm512_set1_epi64(j / 8), eight), _mm512_set1_epi64(row), last);
        for (int q = j; q < d && q < j + 64; q += 16, keep >>= 16) {
            __mmask16 there = d - q < 16 ? (__mmask16)((1u << (d - q)) - 1) : 0xffff;
            _mm512_mask_storeu_ps(
                to + q, there,
                _mm512_maskz_mul_ps((__mmask16)keep & there, _mm512_maskz_loadu_ps(there, from + q), scale));
        }
    }
}

CODE_512 static void batch_512(const batch *b, float *to, const float *from, const dropout *o)
{
    const __m512i last = _mm512_set1_epi16((short)(threshold(o) - 1));
    const __m256 scale = _mm256_set1_ps(dropout_scale(o));
    uint64_t keep = keeps(o, _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)b->block)),
                          _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)b->row)), last);
    for (int v = 0; v < b->n; v++, keep >>= 8) {
        __mmask8 there = (__mmask8)((1u << b->count[v]) - 1);
        __m256 x = _mm256_maskz_loadu_ps(there, from + b->at[v]);
        _mm256_mask_storeu_ps(to + b->at[v], there, _mm256_maskz_mul_ps((__mmask8)keep & there, x, scale));
    }
}
#endif

CLONES static void row_any(real *to, const real *from, int d, const dropout *o, uint32_t row)
{
    uint32_t below = threshold(o);
    real scale = dropout_scale(o);
    for (int j = 0; j < d; j += 64) {
        uint16_t keep[64];
        uint32_t block[8], rows[8];
        for (uint32_t l = 0; l < 8; l++)
            block[l] = (uint32_t)j / 8 + l, rows[l] = row;
        philox8(keep, o->r, block, rows, o->op, o->step);
        int w = d - j < 64 ? d - j : 64;
        for (int q = 0; q < w; q++)
            to[j + q] = keep[q] < below ? from[j + q] * scale : 0;
    }
}

CLONES static void batch_any(const batch *b, real *restrict to, const real *restrict from, const dropout *o)
{
    uint16_t keep[64];
    uint32_t below = threshold(o);
    const real factor[2] = {0, dropout_scale(o)}; /* no branch: it would be unpredictable */
    philox8(keep, o->r, b->block, b->row, o->op, o->step);
    for (int v = 0; v < b->n; v++)
        for (int e = 0; e < b->count[v]; e++)
            to[b->at[v] + e] = from[b->at[v] + e] * factor[keep[8 * v + e] < below] + 0; /* + 0: no minus zeros */
}

#if defined(HAVE_512) && !defined(JCB_DOUBLE)
#define CHOSEN(what) (simd_512() ? what##_512 : what##_any)
#else
#define CHOSEN(what) what##_any
#endif

void dropout_row(real *to, const real *from, int d, const dropout *o, uint32_t row)
{
    if (o->p > 0)
        CHOSEN(row)(to, from, d, o, row);
    else if (to != from)
        memcpy(to, from, (size_t)d * sizeof(real));
}

static void entries(real *to, const csr *s, const int *id, const dropout *o, int first, int last)
{
    void (*drop)(const batch *, real *, const real *, const dropout *) = CHOSEN(batch);
    batch b = {.n = 0};
    for (int i = first; i < last; i++)
        for (int64_t k = s->ptr[i]; k < s->ptr[i + 1]; k += 8) {
            b.block[b.n] = (uint32_t)(k - s->ptr[i]) / 8, b.row[b.n] = (uint32_t)id[i];
            b.at[b.n] = k, b.count[b.n] = s->ptr[i + 1] - k < 8 ? (int)(s->ptr[i + 1] - k) : 8;
            if (++b.n == 8) {
                drop(&b, to, s->val, o);
                b.n = 0;
            }
        }
    drop(&b, to, s->val, o);
}

void dropout_entries(real *to, const csr *s, const int *id, const dropout *o)
{
    const int chunk = 256;
    int chunks = (s->rows + chunk - 1) / chunk;
#pragma omp parallel for schedule(static) if (csr_nnz(s) > SERIAL_WORK)
    for (int c = 0; c < chunks; c++)
        entries(to, s, id, o, c * chunk, (c + 1) * chunk < s->rows ? (c + 1) * chunk : s->rows);
}
