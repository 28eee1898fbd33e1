/* kernels_result: a measurement as a line and as a record. */
#include "../../src/base/hash.h"
#include "kernels.h"
#include "version.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const columns[] = {"key",
                                      "experiment",
                                      "dataset",
                                      "model",
                                      "loss",
                                      "setting",
                                      "run",
                                      "seed",
                                      "kernel",
                                      "d",
                                      "threads",
                                      "ms_best",
                                      "ms_median",
                                      "gflops",
                                      "gbs",
                                      "limit_fraction",
                                      "gather_fraction",
                                      "vs_mkl",
                                      "vs_spmm",
                                      "valid",
                                      "nodes",
                                      "entries",
                                      "blas",
                                      "cpu",
                                      "commit",
                                      "origin",
                                      "data_hash",
                                      "param_hash",
                                      "status"};
enum { COLUMNS = sizeof columns / sizeof *columns };

record_file *kernels_records(arena *a, const char *out)
{
    return record_open(a, arena_printf(a, "%s/records/kernels.tsv", out), columns, COLUMNS);
}

static const char *number(char buf[32], double x, const char *format)
{
    snprintf(buf, 32, isfinite(x) ? format : "-", x);
    return buf;
}

static void put_number(record_row *row, const char *column, const char *format, double x)
{
    char text[32];
    record_put(row, column, "%s", number(text, x, format));
}

void kernels_append(record_file *f, const result *r)
{
    const dataset *d = r->in ? problem_dataset(r->in->p) : NULL;
    const char *name = d ? d->name : "machine", *setting = r->in && r->in->files ? "order=files" : "-";
    uint64_t key = hash_text(hash_text(hash_text(HASH_INIT, name), setting), r->kernel);
    key = hash_u64(hash_u64(hash_u64(key, (uint64_t)r->d), (uint64_t)r->threads), d ? d->hash : 0);
    record_row row = record_row_new(f);
    record_put_hash(&row, "key", key);
    record_put(&row, "experiment", "kernels");
    record_put(&row, "dataset", "%s", name);
    record_put(&row, "model", "-");
    record_put(&row, "loss", "-");
    record_put(&row, "setting", "%s", setting);
    record_put(&row, "run", "0");
    record_put(&row, "seed", "0");
    record_put(&row, "kernel", "%s", r->kernel);
    record_put(&row, "d", "%d", r->d);
    record_put(&row, "threads", "%d", r->threads);
    put_number(&row, "ms_best", "%.6g", r->ms);
    put_number(&row, "ms_median", "%.6g", r->median);
    put_number(&row, "gflops", "%.5g", r->gflops);
    put_number(&row, "gbs", "%.5g", r->gbs);
    put_number(&row, "limit_fraction", "%.4f", r->limit);
    put_number(&row, "gather_fraction", "%.4f", r->gather);
    put_number(&row, "vs_mkl", "%.3f", r->vs_mkl);
    put_number(&row, "vs_spmm", "%.3f", r->vs_spmm);
    record_put(&row, "valid", "%d", r->valid);
    record_put(&row, "nodes", "%d", r->in ? r->in->nodes : 0);
    record_put(&row, "entries", "%lld", r->in ? (long long)csr_nnz(&r->in->adj) : 0LL);
    record_put_build(&row, JCB_COMMIT);
    record_put(&row, "origin", "%s", d ? origin_name[d->origin] : "real");
    record_put_hash(&row, "data_hash", d ? d->hash : 0);
    record_put(&row, "param_hash", "-");
    record_put(&row, "status", "%s", r->valid ? "ok" : "failed:the result is wrong");
    record_row_append(&row);
}

void kernels_print(const result *r)
{
    char a[32], b[32], c[32];
    printf("  %-12s %4d %3d %10.4f %10.4f %8.1f %8.1f %6.2f %6s %8s %8s  %s\n", r->kernel, r->d, r->threads, r->ms,
           r->median, r->gflops, r->gbs, r->limit, number(c, r->gather, "%.2f"), number(a, r->vs_mkl, "%.2f"),
           number(b, r->vs_spmm, "%.2f"), r->valid ? "VALID" : "INVALID");
    if (!strncmp(r->kernel, "epoch", 5))
        printf("  %-12s %.2f x the bound: %.1f GFLOP of dense products at the sgemm rate + %.2f GB at triad\n", "",
               1 / r->limit, 1e-3 * r->gflops * r->ms, 1e-3 * r->gbs * r->ms);
    fflush(stdout);
}
