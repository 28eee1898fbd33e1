#include "status_line.h"
#include <stdio.h>

void status_line_write(progress *p, const status_line *s)
{
    char what[160] = "", claims[96] = "", others[32] = "", elapsed[32], left[32];
    const queue_cell *c = s->cell;
    if (c && s->run >= 0)
        snprintf(what, sizeof what, "  %s: %s %s %s #%d", c->file->b->name, c->cell.s.dataset, c->cell.model,
                 c->cell.loss, s->run);
    else if (c)
        snprintf(what, sizeof what, "  %s: preparing the data of %s", c->file->b->name, c->cell.s.dataset);
    if (c && s->others > 0)
        snprintf(others, sizeof others, " and %d more", s->others);
    if (s->open && s->decided[1] + s->open[1])
        snprintf(claims, sizeof claims, ", comparisons: %d decided, %d open (stand-ins: %d, %d)", s->decided[0],
                 s->open[0], s->decided[1], s->open[1]);
    else if (s->open)
        snprintf(claims, sizeof claims, ", comparisons: %d decided, %d open", s->decided[0], s->open[0]);
    clock_text(elapsed, sizeof elapsed, clock_now() - p->start);
    clock_text(left, sizeof left, s->left);
    progress_text(p, "%d runs%s%s%s  %s elapsed, %s left", s->done, claims, what, others, elapsed, left);
}
