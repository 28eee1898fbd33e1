/* The loops of spmm for vectors of BYTES bytes; NAME(x) makes their names, CODE and TARGET say for which CPU. Included once for each. */
typedef real NAME(vec) __attribute__((vector_size(BYTES)));
typedef real NAME(vec_at) __attribute__((vector_size(BYTES), aligned(sizeof(real)), may_alias));
#ifdef JCB_DOUBLE
typedef int64_t NAME(bits) __attribute__((vector_size(BYTES)));
#else
typedef int32_t NAME(bits) __attribute__((vector_size(BYTES)));
#endif
#define VL (BYTES / (int)sizeof(real))

TARGET INLINE void NAME(square_root)(NAME(vec) *x)
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

/* What becomes of a vector of the product, at its place in y and in its row. */
TARGET INLINE void NAME(put)(const job *s, enum ending ending, size_t at, size_t column, const NAME(vec) *x)
{
    NAME(vec) y = *x;
    if (ending == UPDATE) {
        NAME(vec) w = *(NAME(vec_at) *)(s->y + at), m = *(NAME(vec_at) *)(s->m + at), v = *(NAME(vec_at) *)(s->v + at);
        ADAM(w, y, m, v, s->adam, NAME(square_root));
        *(NAME(vec_at) *)(s->m + at) = m, *(NAME(vec_at) *)(s->v + at) = v;
        y = w;
    }
    if (ending == ACTIVATE && s->end.bias)
        y += *(const NAME(vec_at) *)(s->end.bias + column);
    if (ending == ACTIVATE && s->end.shape == RELU)
        y = (NAME(vec))((NAME(bits))y & (y > 0));
    *(NAME(vec_at) *)(s->y + at) = y;
}

/* n vectors of m output rows with equally many entries, held in registers while the entries stream by. */
TARGET INLINE void NAME(block)(const job *s, enum ending ending, const int *row, int m, int n, int fetch, size_t j)
{
    NAME(vec) acc[4][8];
    const int ahead = n == 8 ? 10 : 16; /* entries whose rows are fetched beforehand */
    const int64_t len = length(s, row[0]);
    for (int r = 0; r < m; r++) {
        const real *from = s->end.base + (size_t)(s->end.map ? s->end.map[row[r]] : row[r]) * s->d + j;
        for (int q = 0; q < n; q++)
            acc[r][q] = (NAME(vec)){0};
        for (int q = 0; q < n && s->end.beta != 0; q++)
            acc[r][q] = s->end.beta * *(const NAME(vec_at) *)(from + q * VL);
    }
    for (int64_t k = 0; k < len; k++)
        for (int r = 0; r < m; r++) {
            int64_t at = s->ptr[row[r]] + k;
            const real *in = s->x + (size_t)s->idx[at] * s->d + j;
            if (fetch) {
                const real *next = s->x + (size_t)s->idx[at + ahead < s->all ? at + ahead : at] * s->d + j;
                for (int q = 0; q < n * VL; q += LINE)
                    __builtin_prefetch(next + q);
            }
            real v = s->val ? s->f * s->val[at] : s->f;
            for (int q = 0; q < n; q++)
                acc[r][q] += v * *(const NAME(vec_at) *)(in + q * VL);
        }
    for (int r = 0; r < m; r++)
        for (int q = 0; q < n; q++)
            NAME(put)(s, ending, (size_t)row[r] * s->d + j + (size_t)(q * VL), j + (size_t)(q * VL), &acc[r][q]);
}

/* All columns of m rows: eight vectors at a time of one row, or fewer of two or four rows, keep the multipliers busy. */
TARGET INLINE void NAME(few)(const job *s, enum ending ending, const int *row, int m, int fetch)
{
    size_t j = 0;
    if (m == 1)
        for (; j + 8 * VL <= s->d; j += 8 * VL)
            NAME(block)(s, ending, row, 1, 8, fetch, j);
    for (; j + 4 * VL <= s->d; j += 4 * VL)
        NAME(block)(s, ending, row, m, 4, fetch, j);
    for (; j + 2 * VL <= s->d; j += 2 * VL)
        NAME(block)(s, ending, row, m, 2, fetch, j);
    for (; j + VL <= s->d; j += VL)
        NAME(block)(s, ending, row, m, 1, fetch, j);
    for (; j < s->d; j++)
        for (int r = 0; r < m; r++) {
            size_t at = (size_t)row[r] * s->d + j;
            real acc = s->end.beta != 0 ? s->end.beta * s->end.base[(size_t)(s->end.map ? s->end.map[row[r]] : row[r]) * s->d + j] : 0;
            for (int64_t k = s->ptr[row[r]]; k < s->ptr[row[r] + 1]; k++)
                acc += (s->val ? s->f * s->val[k] : s->f) * s->x[(size_t)s->idx[k] * s->d + j];
            if (ending == UPDATE) {
                ADAM(s->y[at], acc, s->m[at], s->v[at], s->adam, real_root);
                continue;
            }
            acc += s->end.bias ? s->end.bias[j] : 0;
            s->y[at] = s->end.shape == RELU && !(acc > 0) ? 0 : acc;
        }
}

/* The rows in [first, last), of the order where there is one. */
TARGET INLINE void NAME(rows)(const job *all, enum ending ending, int first, int last)
{
    const job s = *all;
    if (!s.order) {
        for (int i = first; i < last && s.near; i++)
            NAME(few)(&s, ending, &i, 1, 0);
        for (int i = first; i < last && !s.near; i++)
            NAME(few)(&s, ending, &i, 1, 1);
        return;
    }
    const int most = s.d < 2 * VL ? 4 : 2;
    for (const int *row = s.order + first, *end = s.order + last; row < end;) {
        int m = 1;
        while (m < most && row + m < end && length(&s, row[m]) == length(&s, row[0]))
            m++;
        if (m == 4)
            NAME(few)(&s, ending, row, 4, 0);
        else if (m >= 2)
            NAME(few)(&s, ending, row, m = 2, 0);
        else
            NAME(few)(&s, ending, row, 1, 0);
        row += m;
    }
}

CODE static void NAME(spmm_rows)(const job *s, int first, int last)
{
    if (s->adam)
        NAME(rows)(s, UPDATE, first, last);
    else if (s->end.bias || s->end.shape == RELU)
        NAME(rows)(s, ACTIVATE, first, last);
    else
        NAME(rows)(s, STORE, first, last);
}

#undef VL
#undef NAME
#undef BYTES
#undef CODE
#undef TARGET
