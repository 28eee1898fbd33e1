#include "status_line.h"
#include <stdio.h>

void status_line_text(char line[STATUS_LINE], const status_line *s, double elapsed)
{
    char what[160] = "", decided[96] = "", news[280] = "", others[32] = "", used[32], left[32];
    const queue_cell *c = s->cell;
    if (c && s->run >= 0)
        snprintf(what, sizeof what, "; now %s: %s %s %s #%d", c->file->b->name, c->cell.s.dataset, c->cell.model,
                 c->cell.loss, s->run);
    else if (c)
        snprintf(what, sizeof what, "; now %s: preparing the data of %s", c->file->b->name, c->cell.s.dataset);
    if (c && s->others > 0)
        snprintf(others, sizeof others, " and %d more", s->others);
    if (s->decided && s->decided[0] + s->open[0])
        snprintf(decided, sizeof decided, ", %d of %d comparisons decided", s->decided[0], s->decided[0] + s->open[0]);
    if (s->news && *s->news)
        snprintf(news, sizeof news, "; last: %s", s->news);
    clock_text(used, sizeof used, elapsed);
    clock_text(left, sizeof left, s->left);
    snprintf(line, STATUS_LINE, "%d runs%s, %s elapsed, %s left%s%s%s", s->done, decided, used, left, news, what,
             others);
}
