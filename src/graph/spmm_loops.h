/* The loops of spmm for vectors of BYTES bytes; NAME(x) makes their names, CODE says for which CPU. Included once for each. */
typedef real NAME(vec) __attribute__((vector_size(BYTES)));
typedef real NAME(vec_at) __attribute__((vector_size(BYTES), aligned(sizeof(real)), may_alias));
#define VL (BYTES / (int)sizeof(real))

/* n vectors of m output rows, held in registers while len entries of each, from at[r] on, stream by. begin 0: the rows go on from what is in y. */
INLINE void NAME(block)(const job *s, const int *row, const int64_t *at, int64_t len, int begin, int m, int n, int fetch, size_t j)
{
    NAME(vec) acc[4][8];
    if (fetch && n == 8 && *row + SOON < s->rows)
        for (int q = 0; q < n * VL; q += LINE)
            OWN(s->y + (size_t)(*row + SOON) * s->d + j + (size_t)q);
    for (int r = 0; r < m; r++) {
        const real *base = s->base + (size_t)(s->map ? s->map[row[r]] : row[r]) * s->d + j;
        for (int q = 0; q < n; q++)
            acc[r][q] = (NAME(vec)){0};
        for (int q = 0; q < n && !begin; q++)
            acc[r][q] = *(const NAME(vec_at) *)(s->y + (size_t)row[r] * s->d + j + (size_t)(q * VL));
        for (int q = 0; q < n && begin && s->beta != 0; q++)
            acc[r][q] = s->beta * *(const NAME(vec_at) *)(base + q * VL);
    }
    for (int64_t k = 0; k < len; k++)
        for (int r = 0; r < m; r++) {
            int64_t e = at[r] + k;
            const real *in = s->x + (size_t)s->idx[e] * s->d + j;
            if (fetch) {
                const real *next = s->x + (size_t)s->idx[e + s->ahead < s->all ? e + s->ahead : e] * s->d + j;
                for (int q = 0; q < n * VL; q += LINE)
                    __builtin_prefetch(next + q);
            }
            real v = s->val ? s->f * s->val[e] : s->f;
            for (int q = 0; q < n; q++)
                acc[r][q] += v * *(const NAME(vec_at) *)(in + q * VL);
        }
    for (int r = 0; r < m; r++) {
        real *to = s->y + (size_t)row[r] * s->d + j;
        for (int q = 0; q < n; q++)
            if (BYTES == 64 && s->stream)
                STREAM(to + q * VL, acc[r][q]);
            else
                *(NAME(vec_at) *)(to + q * VL) = acc[r][q];
    }
}

/* All columns of m rows: eight vectors at a time of one row, or fewer of two or four rows, keep the multipliers busy. wide 0: four. */
INLINE void NAME(few)(const job *s, const int *row, const int64_t *at, int64_t len, int begin, int m, int wide, int fetch)
{
    size_t j = 0;
    if (m == 1 && (wide || BYTES == 32))
        for (; j + 8 * VL <= s->d; j += 8 * VL)
            NAME(block)(s, row, at, len, begin, 1, 8, fetch, j);
    for (; j + 4 * VL <= s->d; j += 4 * VL)
        NAME(block)(s, row, at, len, begin, m, 4, fetch, j);
    for (; j + 2 * VL <= s->d; j += 2 * VL)
        NAME(block)(s, row, at, len, begin, m, 2, fetch, j);
    for (; j + VL <= s->d; j += VL)
        NAME(block)(s, row, at, len, begin, m, 1, fetch, j);
    for (; j < s->d; j++)
        for (int r = 0; r < m; r++) {
            real *to = s->y + (size_t)row[r] * s->d + j, acc = begin ? 0 : *to;
            if (begin && s->beta != 0)
                acc = s->beta * s->base[(size_t)(s->map ? s->map[row[r]] : row[r]) * s->d + j];
            for (int64_t k = at[r]; k < at[r] + len; k++)
                acc += (s->val ? s->f * s->val[k] : s->f) * s->x[(size_t)s->idx[k] * s->d + j];
            *to = acc;
        }
}

/* The rows in [first, last), at most MOST, a band of the columns after another: long rows that read the same band read it from a near cache. */
INLINE void NAME(bands)(const job *s, int first, int last)
{
    int64_t at[MOST];
    for (int i = first; i < last; i++)
        at[i - first] = s->ptr[i];
    for (int end = s->band; end < s->cols + s->band; end += s->band)
        for (int i = first; i < last; i++) {
            int64_t from = at[i - first], k = from;
            while (k < s->ptr[i + 1] && s->idx[k] < end)
                k++;
            at[i - first] = k;
            if (k > from || end == s->band)
                NAME(few)(s, &i, &from, k - from, end == s->band, 1, 0, 0);
        }
}

/* The rows in [first, last), of the order where there is one. */
CODE static void NAME(spmm_rows)(const job *all, int first, int last)
{
    const job s = *all;
    if (s.band) {
        NAME(bands)(&s, first, last);
    } else if (!s.order) {
#define EACH(wide, fetch) \
    for (int i = first; i < last; i++) \
        NAME(few)(&s, &i, s.ptr + i, length(&s, i), 1, 1, wide, fetch)
        if (s.wide && s.ahead)
            EACH(1, 1);
        else if (s.wide)
            EACH(1, 0);
        else if (s.ahead)
            EACH(0, 1);
        else
            EACH(0, 0);
#undef EACH
    } else {
        const int most = s.d < 4 * VL ? 4 : s.d < 8 * VL ? 2 : 1;
        for (const int *row = s.order + first, *end = s.order + last; row < end;) {
            int64_t at[4], len = length(&s, row[0]);
            int m = 1;
            while (m < most && row + m < end && length(&s, row[m]) == len)
                m++;
            m = m == 3 ? 2 : m;
            for (int r = 0; r < m; r++)
                at[r] = s.ptr[row[r]];
            if (m == 4)
                NAME(few)(&s, row, at, len, 1, 4, 0, 0);
            else if (m == 2)
                NAME(few)(&s, row, at, len, 1, 2, 0, 0);
            else
                NAME(few)(&s, row, at, len, 1, 1, 0, 0);
            row += m;
        }
    }
    if (BYTES == 64 && s.stream)
        FENCE();
}

#undef VL
#undef NAME
#undef BYTES
#undef CODE
