/* html: elements that several parts of the report use. */
#include "html.h"
#include <string.h>

const char *const html_class[VERDICTS] = {"yes", "no", "no", "open", "apart", "apart", "none"};
const char *const html_symbol[VERDICTS] = {"✓", "▲", "▼", "?", "◇", "·", "–"};
const char *const html_claim_class[CLAIM_VERDICTS + 1] = {"yes", "no", "same", "open", "none", "apart"};
const char *const html_claim_symbol[CLAIM_VERDICTS + 1] = {"✓", "✗", "≈", "?", "–", "◇"};

void html_el(buf *out, const char *tag, const char *text)
{
    buf_add(out, "<%s>", tag);
    buf_html(out, text);
    buf_add(out, "</%.*s>", (int)strcspn(tag, " "), tag);
}

void html_number(buf *out, const char *text)
{
    for (const char *s = text; *s;) {
        size_t n = strcspn(s, "-");
        buf_html(out, arena_printf(out->a, "%.*s", (int)n, s));
        s += n;
        if (!*s)
            break;
        int number = (s[1] >= '0' && s[1] <= '9') || !strncmp(s + 1, "∞", strlen("∞"));
        int minus = number && (s == text || strchr(" [", s[-1])); /* not a hyphen */
        buf_put(out, minus ? "−" : "-");
        s++;
    }
}

const char *html_claim_word(int i) { return i < CLAIM_VERDICTS ? claim_verdict_word[i] : "on stand-ins"; }

void html_tag(buf *out, const char *class, const char *symbol, int n, const char *word)
{
    buf_add(out, " <span class=\"tag %s\"><i>%s</i> %d %s</span>", class, symbol, n, word);
}

void html_verdict(buf *out, const char *class, const char *symbol, const char *word)
{
    buf_add(out, "<td class=\"%s\"><i>%s</i> ", class, symbol);
    buf_html(out, word);
    buf_put(out, "</td>");
}

void html_head(buf *out, const char *const *title, int n)
{
    buf_put(out, "<thead><tr>");
    for (int j = 0; j < n; j++)
        html_el(out, "th", title[j]);
    buf_put(out, "</tr></thead>\n");
}

void html_bar(buf *out, const tally *k)
{
    int count[CLAIM_VERDICTS + 1], all = 0, at = 0;
    static const int order[] = {CONFIRMED, CONTRADICTED, EQUAL, OPEN, CLAIM_VERDICTS, CLAIM_NOT_RUN};
    for (int i = 0; i <= CLAIM_VERDICTS; i++)
        all += count[i] = i < CLAIM_VERDICTS ? k->claim[i] : k->stand_in;
    if (!all)
        return;
    buf_add(out, "<svg class=\"bar\" viewBox=\"0 0 %d 1\" preserveAspectRatio=\"none\" aria-hidden=\"true\">", all);
    for (int i = 0; i <= CLAIM_VERDICTS; i++) {
        int c = order[i];
        if (count[c])
            buf_add(out, "<rect class=\"%s\" x=\"%d\" y=\"0\" width=\"%d\" height=\"1\"/>", html_claim_class[c], at,
                    count[c]);
        at += count[c];
    }
    buf_put(out, "</svg>");
}

void html_line(buf *out, const char *const *value, int n)
{
    buf_put(out, "<tr>");
    for (int j = 0; j < n; j++) {
        buf_put(out, "<td>");
        html_number(out, value[j]);
        buf_put(out, "</td>");
    }
    buf_put(out, "</tr>\n");
}

void html_programs(buf *out, const char *experiments, int count)
{
    for (const char *e = experiments; *e; e += *e == ',') {
        int n = (int)strcspn(e, ",");
        buf_add(out, "%s<code>bench/bench_%.*s --runs %d</code>", e == experiments ? "" : ", ", n, e, count);
        e += n;
    }
}

void html_table_link(buf *out, const table_def *d)
{
    buf_add(out, "<a href=\"#t-%s\">%d <span class=\"label\">%s</span></a>", d->label, d->number, d->label);
}
