#include "command_log.h"
#include "../base/clock.h"
#include "../base/file.h"
#include "../base/buf.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void append(const char *path, const buf *line)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0)
        return;
    ssize_t ignored = write(fd, line->s, line->n);
    (void)ignored;
    close(fd);
}

/* Appends a word quoted for the shell; line ends and tabs, which would end the field, become spaces. */
static void put_word(buf *out, const char *word)
{
    int plain = *word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789=,.:/_-+%@") ==
                             strlen(word);
    buf_put(out, plain ? "" : "'");
    for (; *word; word++)
        buf_add(out, "%c", strchr("\t\r\n", *word) ? ' ' : *word);
    buf_put(out, plain ? "" : "'");
}

void command_text(buf *out, const char *program, int argc, char *const *argv)
{
    buf_put(out, program);
    for (int i = 1; i < argc; i++) {
        buf_put(out, " ");
        put_word(out, argv[i]);
    }
}

void command_log_start(command_log *l, const char *dir, const char *program, int argc, char *const *argv, int jobs)
{
    arena a = {0};
    buf line = {.a = &a};
    char when[32] = "?";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    l->start = clock_now();
    snprintf(l->path, sizeof l->path, "%s/commands.log", dir);
    snprintf(l->id, sizeof l->id, "%llx-%lx", (unsigned long long)now, (long)getpid());
    buf_add(&line, "started\t%s\t%s\t%d\t", l->id, when, jobs);
    command_text(&line, program, argc, argv);
    buf_put(&line, "\n");
    append(l->path, &line);
    arena_free(&a);
}

void command_log_end(const command_log *l, int runs)
{
    arena a = {0};
    buf line = {.a = &a};
    buf_add(&line, "ended\t%s\t%.1f\t%d\n", l->id, clock_now() - l->start, runs);
    append(l->path, &line);
    arena_free(&a);
}

typedef struct start {
    const char *id;
    int line; /* index of its command */
} start;

static void read_start(command_line *v, int *n, start *s, char *const field[5])
{
    int k = 0;
    while (k < *n && strcmp(v[k].command, field[4]))
        k++;
    if (k == *n)
        v[(*n)++] = (command_line){.command = field[4], .first = field[2]};
    v[k].starts++;
    v[k].jobs = atoi(field[3]);
    *s = (start){field[1], k};
}

command_line *command_log_read(arena *a, const char *dir, int *n)
{
    const char *path = arena_printf(a, "%s/commands.log", dir);
    *n = 0;
    if (!file_named(path))
        return NULL;
    bytes b = file_read(a, path, 0);
    size_t lines = 1, starts = 0;
    for (size_t i = 0; i < b.n; i++)
        lines += b.p[i] == '\n';
    command_line *v = NEW(a, command_line, lines);
    start *s = NEW(a, start, lines);
    char *text = arena_printf(a, "%s", (const char *)b.p);
    for (char *line; (line = strsep(&text, "\n")) && text;) {
        char *field[5];
        int fields = 0;
        while (fields < 5 && line)
            field[fields++] = strsep(&line, "\t");
        if (fields == 5 && !strcmp(field[0], "started"))
            read_start(v, n, &s[starts++], field);
        for (size_t k = starts; fields == 4 && !strcmp(field[0], "ended") && k-- > 0;)
            if (!strcmp(s[k].id, field[1])) {
                command_line *c = v + s[k].line;
                c->ended++;
                c->seconds += strtod(field[2], NULL);
                c->runs += atoi(field[3]);
                break;
            }
    }
    return v;
}
