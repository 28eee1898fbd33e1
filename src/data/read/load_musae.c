/* load_musae: the Facebook page-page graph of MUSAE as at SNAP: PATH_edges.csv (id_1,id_2), PATH_target.csv
 * (id,facebook_id,page_name,page_type) and PATH_features.json (node -> list of feature ids; binary features).
 *
 * Classes are the page types in alphabetical order: company 0, government 1, politician 2, tvshow 3. No split is
 * published. */
#include "load_common.h"
#include "../text.h"

static const char *const types[] = {"company", "government", "politician", "tvshow"};
#define TYPES ((int)(sizeof types / sizeof *types))

static void read_targets(load *l)
{
    dataset *d = &l->out->d;
    text t = text_open(file_read(l->tmp, arena_printf(l->tmp, "%s_target.csv", l->path), 0));
    text_header(&t, "id,facebook_id,page_name,page_type");
    load_count_nodes(l, &t);
    d->classes = TYPES;
    d->y = NEW(l->a, int, (size_t)d->nodes);
    for (int i = 0; i < d->nodes; i++) {
        text_int(&t, "the next node id", i, i);
        text_char(&t, ',');
        text_csv(&t);
        text_char(&t, ',');
        text_csv(&t);
        text_char(&t, ',');
        bytes type = text_csv(&t);
        int c = 0;
        while (c < TYPES && !text_equal(type, types[c]))
            c++;
        char shown[48];
        if (c == TYPES)
            text_die(&t, "page type '%s' is not one of company, government, politician, tvshow",
                     text_show(shown, type.p, type.n));
        d->y[i] = c;
        text_eol(&t);
    }
}

void load_musae(load *l)
{
    read_targets(l);
    text t = text_open(file_read(l->tmp, arena_printf(l->tmp, "%s_edges.csv", l->path), 0));
    text_header(&t, "id_1,id_2");
    load_edge_lines(l, &t, ',', l->out->d.nodes);
    load_json_features(l, arena_printf(l->tmp, "%s_features.json", l->path));
}
