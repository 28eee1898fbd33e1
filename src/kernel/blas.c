#include "blas.h"
#include "../base/err.h"
#include "simd.h"
#include <stdio.h>
#include <string.h>
#ifdef JCB_MKL
#include <mkl.h>
#else
#include <cblas.h>
char *openblas_get_config(void);
char *openblas_get_corename(void);
void openblas_set_num_threads(int);
#endif

#ifdef JCB_DOUBLE
#define GEMM cblas_dgemm
#else
#define GEMM cblas_sgemm
#endif

#define ROWS 256   /* rows of the output in a block */
#define COLS 512   /* columns of the output in a block (tn) */
#define SERIAL 2e6 /* flops below which a parallel region costs more than it saves */

static char name[128] = "unset";
static int fast = 1;

const char *blas_name(void) { return name; }

int blas_fast(void) { return fast; }

void blas_init(void)
{
#ifdef JCB_MKL
    /* STRICT reproducibility also makes results independent of alignment. On other than Intel CPUs MKL refuses to name
     * a branch (but the slow COMPATIBLE one) and AUTO keeps its default code. */
    static const struct {
        int code;
        const char *name, *needs; /* the least that simd_name() has to be */
    } branch[] = {{MKL_CBWR_AVX512 | MKL_CBWR_STRICT, "avx512-strict", "x86-64-v4"},
                  {MKL_CBWR_AVX2 | MKL_CBWR_STRICT, "avx2-strict", "x86-64-v3"},
                  {MKL_CBWR_AUTO | MKL_CBWR_STRICT, "auto-strict", ""}};
    const char *path = "default";
    for (size_t i = 0; i < sizeof branch / sizeof *branch; i++)
        if (strcmp(simd_name(), branch[i].needs) >= 0 && mkl_cbwr_set(branch[i].code) == MKL_CBWR_SUCCESS) {
            path = branch[i].name;
            break;
        }
    MKLVersion v; /* queried after the branch is set: the query fixes the default one */
    mkl_get_version(&v);
    mkl_set_num_threads(1);
    snprintf(name, sizeof name, "mkl-%d.%d.%d %s", v.MajorVersion, v.MinorVersion, v.UpdateVersion, path);
#else
    char version[32] = "";
    if (strstr(openblas_get_config(), "SINGLE_THREADED")) /* it keeps one work buffer for all callers */
        die("the serial OpenBLAS cannot be called from several threads; install libopenblas-pthread-dev");
    openblas_set_num_threads(1);
    sscanf(openblas_get_config(), "OpenBLAS %31s", version);
    snprintf(name, sizeof name, "openblas-%s %s", version, openblas_get_corename());
    fast = strcmp(openblas_get_corename(), "Prescott") !=
           0; /* its fallback for unknown CPUs: 33 GFLOP/s where gemm.c has 160 */
#endif
}

static double flops(int m, int n, int k) { return 2.0 * m * n * k; }

void blas_nn(real *c, const real *a, const real *b, int m, int n, int k, real beta)
{
    int blocks = (m + ROWS - 1) / ROWS;
#pragma omp parallel for schedule(dynamic) if (blocks > 1 && flops(m, n, k) > SERIAL)
    for (int i = 0; i < blocks; i++) {
        size_t r = (size_t)i * ROWS;
        int rows = m - (int)r < ROWS ? m - (int)r : ROWS;
        GEMM(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, n, k, 1, a + r * (size_t)k, k, b, n, beta,
             c + r * (size_t)n, n);
    }
}

void blas_nt(real *c, const real *a, const real *b, int m, int n, int k, real beta)
{
    int blocks = (m + ROWS - 1) / ROWS;
#pragma omp parallel for schedule(dynamic) if (blocks > 1 && flops(m, n, k) > SERIAL)
    for (int i = 0; i < blocks; i++) {
        size_t r = (size_t)i * ROWS;
        int rows = m - (int)r < ROWS ? m - (int)r : ROWS;
        GEMM(CblasRowMajor, CblasNoTrans, CblasTrans, rows, n, k, 1, a + r * (size_t)k, k, b, k, beta,
             c + r * (size_t)n, n);
    }
}

/* The sum runs over k, so the blocks cut m and n: no partial sums to add up. */
void blas_tn(real *c, const real *a, const real *b, int m, int n, int k, real beta)
{
    const int tall = 64;
    int bm = (m + tall - 1) / tall, bn = (n + COLS - 1) / COLS;
#pragma omp parallel for collapse(2) schedule(dynamic) if (bm * bn > 1 && flops(m, n, k) > SERIAL)
    for (int i = 0; i < bm; i++)
        for (int j = 0; j < bn; j++) {
            int r = i * tall, rows = m - r < tall ? m - r : tall;
            int q = j * COLS, cols = n - q < COLS ? n - q : COLS;
            GEMM(CblasRowMajor, CblasTrans, CblasNoTrans, rows, cols, k, 1, a + r, m, b + q, n, beta,
                 c + (size_t)r * (size_t)n + q, n);
        }
}
