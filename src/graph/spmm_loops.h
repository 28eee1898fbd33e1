/* The loops of spmm for vectors of BYTES bytes; NAME(x) makes their names, CODE says for which CPU. Included once for each. */
typedef real NAME(vec) __attribute__((vector_size(BYTES)));
typedef real NAME(vec_at) __attribute__((vector_size(BYTES), aligned(sizeof(real)), may_alias));
#define VL (BYTES / (int)sizeof(real))

/* n vectors of m output rows with equally many entries, held in registers while the entries stream by. */
INLINE void NAME(block)(const job *s, const int *row, int m, int n, int fetch, size_t j)
{
    NAME(vec) acc[4][8];
    const int ahead = n == 8 ? 10 : 16; /* entries whose rows are fetched beforehand */
    const int64_t len = length(s, row[0]);
    for (int r = 0; r < m; r++) {
        const real *from = s->base + (size_t)(s->map ? s->map[row[r]] : row[r]) * s->d + j;
        for (int q = 0; q < n; q++)
            acc[r][q] = (NAME(vec)){0};
        for (int q = 0; q < n && s->beta != 0; q++)
            acc[r][q] = s->beta * *(const NAME(vec_at) *)(from + q * VL);
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
            *(NAME(vec_at) *)(s->y + (size_t)row[r] * s->d + j + (size_t)(q * VL)) = acc[r][q];
}

/* All columns of m rows: eight vectors at a time of one row, or fewer of two or four rows, keep the multipliers busy. */
INLINE void NAME(few)(const job *s, const int *row, int m, int fetch)
{
    size_t j = 0;
    if (m == 1)
        for (; j + 8 * VL <= s->d; j += 8 * VL)
            NAME(block)(s, row, 1, 8, fetch, j);
    for (; j + 4 * VL <= s->d; j += 4 * VL)
        NAME(block)(s, row, m, 4, fetch, j);
    for (; j + 2 * VL <= s->d; j += 2 * VL)
        NAME(block)(s, row, m, 2, fetch, j);
    for (; j + VL <= s->d; j += VL)
        NAME(block)(s, row, m, 1, fetch, j);
    for (; j < s->d; j++)
        for (int r = 0; r < m; r++) {
            real acc = s->beta != 0 ? s->beta * s->base[(size_t)(s->map ? s->map[row[r]] : row[r]) * s->d + j] : 0;
            for (int64_t k = s->ptr[row[r]]; k < s->ptr[row[r] + 1]; k++)
                acc += (s->val ? s->f * s->val[k] : s->f) * s->x[(size_t)s->idx[k] * s->d + j];
            s->y[(size_t)row[r] * s->d + j] = acc;
        }
}

/* The rows in [first, last), of the order where there is one. */
CODE static void NAME(spmm_rows)(const job *all, int first, int last)
{
    const job s = *all;
    if (!s.order) {
        for (int i = first; i < last && s.near; i++)
            NAME(few)(&s, &i, 1, 0);
        for (int i = first; i < last && !s.near; i++)
            NAME(few)(&s, &i, 1, 1);
        return;
    }
    const int most = s.d < 2 * VL ? 4 : 2;
    for (const int *row = s.order + first, *end = s.order + last; row < end;) {
        int m = 1;
        while (m < most && row + m < end && length(&s, row[m]) == length(&s, row[0]))
            m++;
        if (m == 4)
            NAME(few)(&s, row, 4, 0);
        else if (m >= 2)
            NAME(few)(&s, row, m = 2, 0);
        else
            NAME(few)(&s, row, 1, 0);
        row += m;
    }
}

#undef VL
#undef NAME
#undef BYTES
#undef CODE
