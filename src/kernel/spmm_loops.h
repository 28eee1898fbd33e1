/* SpMM loops for vectors of BYTES bytes: a template, included once per vector width. NAME(x): suffixed name; CODE,
 * TARGET: target attributes. */
typedef real NAME(vec) __attribute__((vector_size(BYTES)));
typedef real NAME(vec_at) __attribute__((vector_size(BYTES), aligned(sizeof(real)), may_alias));
#ifdef JCB_DOUBLE
typedef int64_t NAME(bits) __attribute__((vector_size(BYTES)));
#else
typedef int32_t NAME(bits) __attribute__((vector_size(BYTES)));
#endif
#define VL (BYTES / (int)sizeof(real))

TARGET INLINE void NAME(square_root)(NAME(vec) * x)
{
#if BYTES == 64 && defined(HAVE_512) && defined(JCB_DOUBLE)
    *x = (NAME(vec))_mm512_sqrt_pd((__m512d)*x);
#elif BYTES == 64 && defined(HAVE_512)
    *x = (NAME(vec))_mm512_sqrt_ps((__m512)*x);
#else
    for (int q = 0; q < VL; q++)
        real_root((real *)x + q);
#endif
}

/* Epilogue of one vector of the product: y index `at`, column `column`. */
TARGET INLINE void NAME(finish)(const job *s, enum ending ending, int fetch, size_t at, size_t column,
                                const NAME(vec) * x)
{
    NAME(vec) y = *x;
    if (ending == UPDATE) {
        NAME(vec) w = *(NAME(vec_at) *)(s->y + at), m = *(NAME(vec_at) *)(s->m + at), v = *(NAME(vec_at) *)(s->v + at);
        ADAM(w, y, m, v, s->adam, FUSE_BY, NAME(square_root));
        *(NAME(vec_at) *)(s->m + at) = m, *(NAME(vec_at) *)(s->v + at) = v;
        y = w;
    }
    if (ending == ACTIVATE && s->end.bias)
        y += *(const NAME(vec_at) *)(s->end.bias + column);
    if (ending == ACTIVATE && s->end.shape == RELU)
        y = (NAME(vec))((NAME(bits))y & (y > 0));
    if (BYTES == 64 && fetch && s->stream)
        STREAM(s->y + at, y);
    else
        *(NAME(vec_at) *)(s->y + at) = y;
}

/* Register block: n vectors of m output rows accumulate over len entries each, from entry at[r] on. begin 0:
 * accumulators start from y. */
TARGET INLINE void NAME(block)(const job *s, enum ending ending, const int *row, const int64_t *at, int64_t len,
                               int begin, int m, int n, int fetch, size_t j)
{
    NAME(vec) acc[4][8];
    if (fetch && n == 8 && *row + WRITE_AHEAD < s->rows)
        for (int q = 0; q < n * VL; q += LINE)
            OWN(s->y + (size_t)(*row + WRITE_AHEAD) * s->d + j + (size_t)q);
    UNROLLED (int r = 0; r < m; r++) {
        size_t base = (size_t)(s->end.map ? s->end.map[row[r]] : row[r]) * s->d + j;
        UNROLLED (int q = 0; q < n; q++)
            acc[r][q] = (NAME(vec)){0};
        UNROLLED (int q = 0; q < n && !begin; q++)
            acc[r][q] = *(const NAME(vec_at) *)(s->y + (size_t)row[r] * s->d + j + (size_t)(q * VL));
        if (begin && s->end.beta != 0)
            UNROLLED (int q = 0; q < n; q++)
                acc[r][q] = s->end.beta * *(const NAME(vec_at) *)(s->end.base + base + q * VL);
    }
    const real *x = s->x + j, *val[4];
    const int *idx[4];
    UNROLLED (int r = 0; r < m; r++)
        idx[r] = s->idx + at[r], val[r] = s->val ? s->val + at[r] : NULL;
    for (int64_t k = 0; k < len; k++)
        UNROLLED (int r = 0; r < m; r++) {
            const real *in = x + (size_t)idx[r][k] * s->d;
            __asm__("" : "+r"(in)); /* keeps one base address in a register instead of n */
            if (fetch) {
                const real *next = x + (size_t)idx[r][at[r] + k + s->prefetch < s->all ? k + s->prefetch : k] * s->d;
                for (int q = 0; q < n * VL; q += LINE)
                    __builtin_prefetch(next + q);
            }
            real v = s->val ? s->f * val[r][k] : s->f;
            UNROLLED (int q = 0; q < n; q++)
                FUSE_BY(acc[r][q], v, *(const NAME(vec_at) *)(in + q * VL));
        }
    UNROLLED (int r = 0; r < m; r++)
        UNROLLED (int q = 0; q < n; q++) {
            size_t column = j + (size_t)(q * VL);
            NAME(finish)(s, ending, fetch, (size_t)row[r] * s->d + column, column, &acc[r][q]);
        }
}

/* All columns of m rows. Eight independent accumulators (8 vectors x 1 row, 4 x 2 or 2 x 4) hide the latency of the
 * multiply-adds; wide 0: at most four vectors of a row. */
TARGET INLINE void NAME(add_rows)(const job *s, enum ending ending, const int *row, const int64_t *at, int64_t len,
                                  int begin, int m, int wide, int fetch)
{
    size_t j = 0;
    if (m == 1 && (wide || BYTES == 32))
        for (; j + 8 * VL <= s->d; j += 8 * VL)
            NAME(block)(s, ending, row, at, len, begin, 1, 8, fetch, j);
    for (; j + 4 * VL <= s->d; j += 4 * VL)
        NAME(block)(s, ending, row, at, len, begin, m, 4, fetch, j);
    for (; j + 2 * VL <= s->d; j += 2 * VL)
        NAME(block)(s, ending, row, at, len, begin, m, 2, fetch, j);
    for (; j + VL <= s->d; j += VL)
        NAME(block)(s, ending, row, at, len, begin, m, 1, fetch, j);
    for (; j < s->d; j++)
        for (int r = 0; r < m; r++) {
            real *to = s->y + (size_t)row[r] * s->d + j, acc = begin ? 0 : *to;
            if (begin && s->end.beta != 0)
                acc = s->end.beta * s->end.base[(size_t)(s->end.map ? s->end.map[row[r]] : row[r]) * s->d + j];
            for (int64_t k = at[r]; k < at[r] + len; k++)
                acc = fused(s->val ? s->f * s->val[k] : s->f, s->x[(size_t)s->idx[k] * s->d + j], acc);
            if (ending == UPDATE) {
                ADAM(*to, acc, s->m[to - s->y], s->v[to - s->y], s->adam, FUSE_ONE, real_root);
                continue;
            }
            acc += ending == ACTIVATE && s->end.bias ? s->end.bias[j] : 0;
            *to = ending == ACTIVATE && s->end.shape == RELU && !(acc > 0) ? 0 : acc;
        }
}

/* Rows [first, last), at most CHUNK_MAX, band by band: the rows of X in a band are read from L2 by all of them. */
CODE static void NAME(bands)(const job *s, int first, int last)
{
    int64_t at[CHUNK_MAX];
    for (int i = first; i < last; i++)
        at[i - first] = s->ptr[i];
    for (int end = s->band; end < s->cols + s->band; end += s->band)
        for (int i = first; i < last; i++) {
            int64_t from = at[i - first], k = from;
            while (k < s->ptr[i + 1] && s->idx[k] < end)
                k++;
            at[i - first] = k;
            int begins = end == s->band, ends = end >= s->cols;
            if (k > from || begins || ends)
                NAME(add_rows)(s, ends ? s->ending : STORE, &i, &from, k - from, begins, 1, 0, 0);
        }
}

/* Rows [first, last) of the permutation csr.order: neighbours of equal length are computed together, 2 or 4 at a
 * time. */
CODE static void NAME(ordered)(const job *all, int first, int last)
{
    const job s = *all;
    const int max = s.d < 2 * VL ? 4 : 2;
    for (const int *row = s.order + first, *end = s.order + last; row < end;) {
        int64_t at[4], len = length(&s, row[0]);
        int m = 1;
        while (m < max && row + m < end && length(&s, row[m]) == len)
            m++;
        m = m == 3 ? 2 : m;
        for (int r = 0; r < m; r++)
            at[r] = s.ptr[row[r]];
        if (m == 4)
            NAME(add_rows)(&s, s.ending, row, at, len, 1, 4, 0, 0);
        else if (m == 2)
            NAME(add_rows)(&s, s.ending, row, at, len, 1, 2, 0, 0);
        else
            NAME(add_rows)(&s, s.ending, row, at, len, 1, 1, 0, 0);
        row += m;
    }
}

/* Four rows of nv vectors, lengths ascending. Four independent chains hide the latency of the multiply-adds: entry k of
 * all rows until the shortest ends, then of three, two, one. f is 1. */
TARGET INLINE void NAME(add_four_rows)(const job *s, enum ending ending, const int *row, int nv)
{
    const size_t d = (size_t)(nv * VL);
    const real *x = s->x, *val[4];
    const int *idx[4];
    int64_t len[4], k = 0;
    NAME(vec) acc[4][2];
    UNROLLED (int r = 0; r < 4; r++) {
        const size_t base = (size_t)(s->end.map ? s->end.map[row[r]] : row[r]) * d;
        idx[r] = s->idx + s->ptr[row[r]], val[r] = s->val + s->ptr[row[r]], len[r] = length(s, row[r]);
        UNROLLED (int q = 0; q < nv; q++)
            acc[r][q] = (NAME(vec)){0};
        if (s->end.beta != 0)
            UNROLLED (int q = 0; q < nv; q++)
                acc[r][q] = s->end.beta * *(const NAME(vec_at) *)(s->end.base + base + q * VL);
    }
#define WHILE_ROW(shortest)                                                          \
    for (; k < len[shortest]; k++)                                                   \
        UNROLLED (int r = shortest; r < 4; r++) {                                    \
            const real *in = x + (size_t)(unsigned)idx[r][k] * d;                    \
            UNROLLED (int q = 0; q < nv; q++)                                        \
                FUSE_BY(acc[r][q], val[r][k], *(const NAME(vec_at) *)(in + q * VL)); \
        }
    WHILE_ROW(0)
    WHILE_ROW(1)
    WHILE_ROW(2)
    WHILE_ROW(3)
#undef WHILE_ROW
    UNROLLED (int r = 0; r < 4; r++)
        UNROLLED (int q = 0; q < nv; q++)
            NAME(finish)(s, ending, 0, (size_t)row[r] * d + (size_t)(q * VL), (size_t)(q * VL), &acc[r][q]);
}

/* Rows [first, last) of the permutation csr.order, four at a time; those that are not in order (long rows, the end of a
 * window) by NAME(ordered). */
#define NARROW(name, ending, nv)                                                                                    \
    CODE static void NAME(name)(const job *all, int first, int last)                                                \
    {                                                                                                               \
        const job s = *all;                                                                                         \
        int i = first;                                                                                              \
        for (; i + 4 <= last; i += 4) {                                                                             \
            const int *row = s.order + i;                                                                           \
            int64_t a = length(&s, row[0]), b = length(&s, row[1]), c = length(&s, row[2]), e = length(&s, row[3]); \
            if ((a <= b) & (b <= c) & (c <= e))                                                                     \
                NAME(add_four_rows)(&s, ending, row, nv);                                                           \
            else                                                                                                    \
                NAME(ordered)(all, i, i + 4);                                                                       \
        }                                                                                                           \
        NAME(ordered)(all, i, last);                                                                                \
    }
NARROW(narrow, STORE, 1)
NARROW(narrow_two, STORE, 2)
NARROW(activate_narrow, ACTIVATE, 1)
NARROW(activate_narrow_two, ACTIVATE, 2)
NARROW(update_narrow, UPDATE, 1)
NARROW(update_narrow_two, UPDATE, 2)
#undef NARROW

/* Rows [first, last) in storage order. plain: f = 1, beta = 0. One specialised function per case: a generic one spills
 * registers. */
#define EACH(name, ending, plain, wide, fetch)                                           \
    CODE static void NAME(name)(const job *all, int first, int last)                     \
    {                                                                                    \
        job s = *all;                                                                    \
        if (plain)                                                                       \
            s.f = 1, s.end.beta = 0, s.end.map = NULL;                                   \
        if (plain && !s.val)                                                             \
            __builtin_unreachable();                                                     \
        for (int i = first; i < last; i++)                                               \
            NAME(add_rows)(&s, ending, &i, s.ptr + i, length(&s, i), 1, 1, wide, fetch); \
        if (BYTES == 64 && fetch && s.stream)                                            \
            FENCE();                                                                     \
    }
EACH(plain, STORE, 1, 0, 0)
EACH(plain_fetch, STORE, 1, 0, 1)
EACH(store, STORE, 0, 0, 0)
EACH(store_fetch, STORE, 0, 0, 1)
EACH(store_wide, STORE, 0, 1, 0)
EACH(store_wide_fetch, STORE, 0, 1, 1)
EACH(activate_plain, ACTIVATE, 1, 0, 0)
EACH(activate_plain_fetch, ACTIVATE, 1, 0, 1)
EACH(activate, ACTIVATE, 0, 0, 0)
EACH(activate_fetch, ACTIVATE, 0, 0, 1)
EACH(update_plain, UPDATE, 1, 0, 0)
EACH(update_fetch, UPDATE, 0, 0, 1)
#undef EACH

static loops *NAME(spmm_rows)(const job *s)
{
    int fetch = s->prefetch > 0, plain = s->f == 1 && s->end.beta == 0 && s->val;
    int one = s->d == VL, two = s->d == 2 * VL;
    if (s->band)
        return NAME(bands);
    if (s->order && s->f == 1 && s->val && (one || two))
        return s->ending == STORE      ? (one ? NAME(narrow) : NAME(narrow_two))
               : s->ending == ACTIVATE ? (one ? NAME(activate_narrow) : NAME(activate_narrow_two))
                                       : (one ? NAME(update_narrow) : NAME(update_narrow_two));
    if (s->order && s->fits_l2)
        return NAME(ordered);
    if (s->ending == UPDATE)
        return plain && !fetch ? NAME(update_plain) : NAME(update_fetch);
    if (s->ending == ACTIVATE && plain)
        return fetch ? NAME(activate_plain_fetch) : NAME(activate_plain);
    if (s->ending == ACTIVATE)
        return fetch ? NAME(activate_fetch) : NAME(activate);
    if (s->wide)
        return fetch ? NAME(store_wide_fetch) : NAME(store_wide);
    if (plain)
        return fetch ? NAME(plain_fetch) : NAME(plain);
    return fetch ? NAME(store_fetch) : NAME(store);
}

#undef VL
#undef NAME
#undef BYTES
#undef CODE
#undef TARGET
#undef FUSE_BY
