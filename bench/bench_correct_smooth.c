/* Table cs: MLP, then Correct & Smooth, after training with CE and with JC. The MLPs themselves are the cells of bench_balanced and
 * bench_imbalanced. The stage's parameters are chosen on validation nodes, run by run. */
#include "bench.h"
#include <stddef.h>

#define LASTFM "dataset=lastfmasia model=mlp lr=.05 wd=0 hidden=256 epochs=500 clusters=20 "
#define ARXIV "dataset=ogbn-arxiv model=mlp layers=3 hidden=256 norm_batch=1 lr=.01 wd=0 epochs=500 clusters=50 "

static const char *const cells[] = {
    "model=mlp dataset=cora      loss=ce+cs",
    "model=mlp dataset=cora      loss=jc+cs lr=.005 tau=1.5",
    "model=mlp dataset=citeseer  loss=ce+cs",
    "model=mlp dataset=citeseer  loss=jc+cs lr=.01 hidden=128 tau=1.2 clusters=4",
    "model=mlp dataset=pubmed    loss=ce+cs",
    "model=mlp dataset=pubmed    loss=jc+cs lr=.01 hidden=128 tau=1.5",
    "model=mlp dataset=dblp      loss=ce+cs wd=5e-3",
    "model=mlp dataset=dblp      loss=jc+cs lr=.005 wd=1e-3",
    "model=mlp dataset=facebook  loss=ce+cs",
    "model=mlp dataset=facebook  loss=jc+cs lr=.005 tau=.8 clusters=4",
    LASTFM "loss=ce+cs",
    LASTFM "loss=jc+cs",
    ARXIV "loss=ce+cs",
    ARXIV "loss=jc+cs",
    NULL,
};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &(bench){.name = "correct_smooth", .about = "table cs: Correct & Smooth after MLPs trained with CE and JC", .cells = cells});
}
