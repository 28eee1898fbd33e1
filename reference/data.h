/* data: the matrices, memory and graph of jc.c. */
#ifndef JC_DATA_H
#define JC_DATA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRAIN, VAL, TEST, NONE };

typedef struct matrix {
    int rows, cols;
    double *v;
} matrix;

#define AT(m, i, j) (m).v[(size_t)(i) * (size_t)(m).cols + (size_t)(j)]

static int n, f, c, M;
static matrix A, X; /* n x n, n x f: normalised, see normalise() */
static int *y, *part, *cluster;

/* A matrix of zeros. release(m) frees all matrices made since `made` was m; called once an epoch. */
static void *block[1 << 16];
static int made;

static void *zeros(size_t count, size_t size)
{
    if (!(block[made++] = calloc(count + 1, size)))
        fprintf(stderr, "jc: out of memory\n"), exit(1);
    return block[made - 1];
}

static matrix zero_matrix(int rows, int cols)
{
    return (matrix){rows, cols, zeros((size_t)rows * (size_t)cols, sizeof(double))};
}

static void release(int mark)
{
    while (made > mark)
        free(block[--made]);
}
static FILE *open_file(const char *dir, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *in = fopen(path, "r");
    if (!in)
        perror(path), exit(1);
    return in;
}

/* The next line that is no comment, or NULL. */
static char *line(FILE *in)
{
    static char text[1 << 20];
    while (fgets(text, sizeof text, in))
        if (text[0] != '#' && text[0] != '\n')
            return text;
    fclose(in);
    return NULL;
}

/* Two passes over the files: sizes, then contents. */
static void read_graph(const char *dir)
{
    int i, j, at, used;
    double x;
    char word[16];
    for (FILE *in = open_file(dir, "clusters.txt"); line(in); n++)
        ;
    y = zeros((size_t)n, sizeof *y), part = zeros((size_t)n, sizeof *part), cluster = zeros((size_t)n, sizeof *cluster);
    FILE *in = open_file(dir, "clusters.txt");
    for (i = 0; i < n; i++)
        if (sscanf(line(in), "%d", cluster + i) == 1 && cluster[i] >= M)
            M = cluster[i] + 1;
    in = open_file(dir, "labels.tsv");
    for (char *s; (s = line(in));)
        if (sscanf(s, "%d %d", &i, &j) == 2 && (y[i] = j) >= c)
            c = j + 1;
    for (int pass = 0; pass < 2; pass++) {
        if (pass)
            X = zero_matrix(n, f);
        in = open_file(dir, "features.svm");
        for (char *s; (s = line(in)) && sscanf(s, "%d%n", &i, &at) == 1;)
            for (; sscanf(s + at, "%d:%lf%n", &j, &x, &used) == 2; at += used)
                if (pass)
                    AT(X, i, j) = x;
                else if (j >= f)
                    f = j + 1;
    }
    for (i = 0; i < n; i++)
        part[i] = NONE;
    in = open_file(dir, "split.tsv");
    for (char *s; (s = line(in));)
        if (sscanf(s, "%d %15s", &i, word) == 2)
            part[i] = !strcmp(word, "train") ? TRAIN : !strcmp(word, "val") ? VAL : TEST;
    A = zero_matrix(n, n);
    in = open_file(dir, "edges.tsv");
    for (char *s; (s = line(in));)
        if (sscanf(s, "%d %d", &i, &j) == 2)
            AT(A, i, j) = AT(A, j, i) = i != j;
}

#endif
