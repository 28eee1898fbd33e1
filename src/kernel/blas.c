#include "blas.h"
#include "../base/err.h"
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
#define SERIAL 2e6 /* flops below which a parallel region costs more than it saves */

static char name[128] = "unset";

const char *blas_name(void) { return name; }

void blas_init(void)
{
#ifdef JCB_MKL
    MKLVersion v;
    mkl_get_version(&v);
    mkl_set_num_threads(1);
    snprintf(name, sizeof name, "mkl-%d.%d.%d", v.MajorVersion, v.MinorVersion, v.UpdateVersion);
#else
    char version[32] = "";
    if (strstr(openblas_get_config(), "SINGLE_THREADED")) /* it keeps one work buffer for all callers */
        die("the serial OpenBLAS cannot be called from several threads; install libopenblas-pthread-dev");
    openblas_set_num_threads(1);
    sscanf(openblas_get_config(), "OpenBLAS %31s", version);
    snprintf(name, sizeof name, "openblas-%s %s", version, openblas_get_corename());
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
