/* Table "tab: hete": accuracy where neighbours tend to differ, on the ten published splits (run k has split k). Nobody published
 * hyper-parameters for it: these are the base of a search, specs/heterophilic.tsv has what was tuned. */
#include "bench.h"
#include <stddef.h>

#define CELLS(dataset)                           \
    "dataset=" dataset " model=gcn loss=ce" BASE, \
    "dataset=" dataset " model=gcn loss=jc" BASE, \
    "dataset=" dataset " model=sgc loss=ce" BASE, \
    "dataset=" dataset " model=sgc loss=jc" BASE, \
    "dataset=" dataset " model=mlp loss=ce" BASE, \
    "dataset=" dataset " model=mlp loss=jc" BASE
#define BASE " lr=.05 wd=5e-5"

static const char *const cells[] = {CELLS("chameleon"), CELLS("squirrel"), CELLS("wisconsin"), NULL};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &(bench){.name = "heterophilic", .about = "table tab: hete: accuracy on heterophilic graphs", .cells = cells});
}
