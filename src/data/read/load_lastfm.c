/* load_lastfm: LastFM Asia as at SNAP: PATH_edges.csv (node_1,node_2), PATH_target.csv (id,target) and, when it exists,
 * PATH_features.json (node -> list of liked artists; binary features). Without it the data set has no features and the
 * caller substitutes some. No split is published. */
#include "load_common.h"
#include "../text.h"

void load_lastfm(load *l)
{
    dataset *d = &l->out->d;
    text t = text_open(file_read(l->tmp, arena_printf(l->tmp, "%s_target.csv", l->path), 0));
    text_header(&t, "id,target");
    load_count_nodes(l, &t);
    d->y = NEW(l->a, int, (size_t)d->nodes);
    for (int i = 0; i < d->nodes; i++) {
        text_int(&t, "the next node id", i, i);
        text_char(&t, ',');
        d->y[i] = (int)text_int(&t, "a class", 0, NODES_MAX);
        text_eol(&t);
    }
    d->classes = load_count_classes(d->y, d->nodes, t.path);
    t = text_open(file_read(l->tmp, arena_printf(l->tmp, "%s_edges.csv", l->path), 0));
    text_header(&t, "node_1,node_2");
    load_edge_lines(l, &t, ',', d->nodes);
    const char *features = arena_printf(l->tmp, "%s_features.json", l->path);
    if (file_named(features))
        load_json_features(l, features);
}
