#include "page.h"
#include "../base/file.h"
#include "result/report_files.h" /* report_css, report_js: the files of that name, see local.mk */

static void head(buf *out, const char *title, time_t written)
{
    buf_put(out, "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\"><head>"
                 "<meta charset=\"utf-8\"/>\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                 "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\"/>\n<title>");
    buf_html(out, title);
    buf_put(out, "</title>\n<style>\n");
    buf_put(out, report_css);
    buf_put(out, "</style></head>\n<body");
    if (written)
        buf_add(out, " data-written=\"%lld\"", (long long)written);
    buf_put(out, ">\n");
}

static void contents(buf *out, const doc *d)
{
    buf_put(out, "<nav aria-label=\"Contents\"><details><summary>Contents</summary><ul>");
    for (const doc_block *b = d->first; b; b = b->next) {
        int part = b->kind == DOC_HEADING && b->level < 3;
        if (!b->id || (b->kind != DOC_HEADING && (b->kind != DOC_FIGURE || b->level)))
            continue;
        buf_add(out, "<li%s><a href=\"#%s\">", part ? " class=\"part\"" : "", b->id);
        buf_html(out, b->kind == DOC_FIGURE ? b->id : b->level == 1 ? "Summary" : b->text);
        buf_put(out, "</a></li>");
    }
    buf_put(out, "</ul></details></nav>\n");
}

void page_write(const char *path, const char *title, const doc *d, time_t written)
{
    buf out = {.a = d->a};
    head(&out, title, written);
    contents(&out, d);
    buf_put(&out, "<main>\n");
    doc_html(&out, d);
    buf_add(&out, "</main>\n<script>\n%s</script>\n</body></html>\n", report_js);
    file_write(path, out.s, out.n);
}
