/* GEMM kernels for vectors of BYTES bytes and MR x (NV vectors) tiles: a template, included once per variant of gemm.c.
 * NAME(x): suffixed name; CODE: target attribute. */
typedef real NAME(vec) __attribute__((vector_size(BYTES)));
typedef real NAME(vec_at) __attribute__((vector_size(BYTES), aligned(sizeof(real)), may_alias));
#define VL (BYTES / (int)sizeof(real))
#define NR (NV * VL)

/* ROWS x NR of C += A (ROWS rows rs apart, columns cs apart) times a packed panel of k rows. */
#define MICRO(ROWS)                                                                                           \
    case ROWS: {                                                                                              \
        NAME(vec) acc[ROWS][NV];                                                                              \
        EACH_ACC(ROWS, acc[r][q] = zero)                                                                      \
        if (beta != 0)                                                                                        \
            EACH_ACC(ROWS, acc[r][q] = beta * *(NAME(vec_at) *)(c + r * ldc + q * VL))                        \
        for (int p = 0; p < k; p++)                                                                           \
            EACH_ACC(ROWS, FUSE_BY(acc[r][q], a[r * rs + p * cs], *(const NAME(vec) *)(b + p * NR + q * VL))) \
        EACH_ACC(ROWS, *(NAME(vec_at) *)(c + r * ldc + q * VL) = acc[r][q])                                   \
        break;                                                                                                \
    }
#define EACH_ACC(ROWS, what)              \
    UNROLLED (int r = 0; r < ROWS; r++) { \
        UNROLLED (int q = 0; q < NV; q++) \
            what;                         \
    }

TARGET INLINE void NAME(micro)(real *c, size_t ldc, const real *a, size_t rs, size_t cs, const real *b, int rows, int k,
                               real beta)
{
    const NAME(vec) zero = {0};
    /* clang-format off */
    switch (rows) {
        MICRO(1) MICRO(2) MICRO(3) MICRO(4) MICRO(5) MICRO(6)
#if MR > 6
        MICRO(7) MICRO(8)
#endif
#if MR > 8
        MICRO(9) MICRO(10) MICRO(11) MICRO(12)
#endif
    }
    /* clang-format on */
}

/* rows x cols of C += A times one panel. A partial last panel goes through a full-width buffer. */
TARGET INLINE void NAME(tile)(real *c, size_t ldc, const real *a, size_t rs, size_t cs, const real *b, int rows,
                              int cols, int k, real beta)
{
    real edge[MR * NR] __attribute__((aligned(BYTES)));
    real *to = cols == NR ? c : edge;
    for (int r = 0; r < rows && cols < NR && beta != 0; r++)
        copy_few(edge + r * NR, c + (size_t)r * ldc, cols);
    NAME(micro)(to, cols == NR ? ldc : NR, a, rs, cs, b, rows, k, beta);
    for (int r = 0; r < rows && cols < NR; r++)
        copy_few(c + (size_t)r * ldc, edge + r * NR, cols);
}

/* Panels of NR columns of B, k x n, whose elements stand (p, j) -> p rs + j cs. */
CODE static void NAME(pack)(real *restrict out, const real *restrict b, size_t rs, size_t cs, int n, int k)
{
    for (int j = 0; j < n; j += NR, out += (size_t)k * NR) {
        int w = n - j < NR ? n - j : NR;
        const real *from = b + (size_t)j * cs;
        if (w < NR)
            memset(out, 0, (size_t)k * NR * sizeof(real));
        if (w == NR && cs == 1)
            for (int p = 0; p < k; p++)
                for (int q = 0; q < NR; q++)
                    out[p * NR + q] = from[(size_t)p * rs + (size_t)q];
        else if (cs == 1)
            for (int p = 0; p < k; p++)
                copy_few(out + p * NR, from + (size_t)p * rs, w);
        else
            for (int q = 0; q < w; q++)
                for (int p = 0; p < k; p++)
                    out[p * NR + q] = from[(size_t)p * rs + (size_t)q * cs];
    }
}

/* m rows of C over all n and k; B(p, j) = b[p rs + j cs]. ahead: rows of A after these that the next call reads; they
 * are fetched along, and so are the lines of C. 0: neither. */
CODE static void NAME(rows_times)(real *c, const real *a, const real *b, size_t rs, size_t cs, int m, int n, int k,
                                  real beta, int ahead)
{
    int tiles = (n + NR - 1) / NR * ((m + MR - 1) / MR) * ((k + KC - 1) / KC);
    fetch f = fetch_new(a + (size_t)m * (size_t)k, (size_t)ahead * (size_t)k, tiles);
    for (int j = 0; j < n; j += NC)
        for (int p = 0; p < k || p == 0; p += KC) {
            int cols = n - j < NC ? n - j : NC, deep = k - p < KC ? k - p : KC;
            NAME(pack)(right, b + (size_t)p * rs + (size_t)j * cs, rs, cs, cols, deep);
            for (int q = 0; q < cols; q += NR)
                for (int i = 0; i < m; i += MR) {
                    real *to = c + (size_t)i * (size_t)n + (size_t)(j + q);
                    for (int r = MR; ahead && r < 2 * MR && i + r < m; r++) /* the tile below */
                        for (int v = 0; v < NV; v++)
                            __builtin_prefetch(to + (size_t)r * (size_t)n + v * VL, 1, 2);
                    fetch_some(&f);
                    NAME(tile)
                    (to, (size_t)n, a + (size_t)i * (size_t)k + (size_t)p, (size_t)k, 1,
                     right + (size_t)q * (size_t)deep, m - i < MR ? m - i : MR, cols - q < NR ? cols - q : NR, deep,
                     p ? 1 : beta);
                }
        }
}

/* rows x cols of C = A^T B; a and b start at their first column. */
CODE static void NAME(columns_times)(real *c, const real *a, const real *b, int rows, int cols, int m, int n, int k,
                                     real beta)
{
    for (int p = 0; p < k || p == 0; p += DEEP) {
        int deep = k - p < DEEP ? k - p : DEEP, tiles = (cols + NR - 1) / NR * ((rows + MR - 1) / MR);
        int next = p + deep, last = !far(m + n, k) ? next : k - next < DEEP ? k : next + DEEP; /* rows to be fetched */
        int each = tiles ? DEEP / tiles + 1 : 0;                                               /* with each tile */
        for (int d = 0; d < deep; d++)
            memcpy(left + d * TALL, a + (size_t)(p + d) * (size_t)m, (size_t)rows * sizeof(real));
        NAME(pack)(right, b + (size_t)p * (size_t)n, (size_t)n, 1, cols, deep);
        for (int q = 0; q < cols; q += NR)
            for (int i = 0; i < rows; i += MR) {
                for (int d = 0; d < each && next < last; d++, next++)
                    fetch_row(a + (size_t)next * (size_t)m, rows), fetch_row(b + (size_t)next * (size_t)n, cols);
                NAME(tile)
                (c + (size_t)i * (size_t)n + (size_t)q, (size_t)n, left + i, 1, TALL, right + (size_t)q * (size_t)deep,
                 rows - i < MR ? rows - i : MR, cols - q < NR ? cols - q : NR, deep, p ? 1 : beta);
            }
    }
}

#undef VL
#undef NR
#undef MICRO
#undef EACH_ACC
#undef NAME
#undef BYTES
#undef MR
#undef NV
#undef CODE
#undef TARGET
#undef FUSE_BY
