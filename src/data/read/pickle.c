#include "pickle.h"
#include "../../base/err.h"
#include "../text.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define STACK_MAX 65536
#define TUPLE_MAX 8

/* In the order of enum name. */
static const char *const global_names[] = {"scipy.sparse.csr csr_matrix",
                                           "numpy.core.multiarray _reconstruct",
                                           "numpy ndarray",
                                           "numpy dtype",
                                           "collections defaultdict",
                                           "__builtin__ list"};
enum name { CSR_MATRIX, RECONSTRUCT, NDARRAY, DTYPE, DEFAULTDICT, LIST, NAMES };

typedef struct vm {
    arena *tmp;
    bytes b;
    size_t at, op_at; /* offsets of the next byte and of the current opcode */
    pickle_seq stack, memo;
} vm;

static _Noreturn void refuse(const vm *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static _Noreturn void refuse(const vm *v, const char *fmt, ...)
{
    char why[256], op[8] = "";
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    unsigned c = v->b.p[v->op_at]; /* the byte beyond the file is 0 */
    if (c > ' ' && c < 127)
        snprintf(op, sizeof op, " '%c'", (int)c);
    die("%s: byte %zu: opcode 0x%02x%s: %s", v->b.path, v->op_at, c, op, why);
}

static const unsigned char *take(vm *v, size_t n)
{
    if (n > v->b.n - v->at)
        refuse(v, "needs %zu bytes, %zu are left: truncated or corrupt", n, v->b.n - v->at);
    v->at += n;
    return v->b.p + v->at - n;
}

static int64_t take_uint(vm *v, size_t n)
{
    const unsigned char *p = take(v, n);
    int64_t x = 0;
    for (size_t k = 0; k < n; k++)
        x |= (int64_t)p[k] << 8 * k;
    return x;
}

static void seq_push(vm *v, pickle_seq *s, pickle_value x)
{
    GROW(v->tmp, s->v, s->n, s->capacity, 2);
    s->v[s->n++] = x;
}

static void push(vm *v, pickle_value x)
{
    if (v->stack.n == STACK_MAX)
        refuse(v, "more than %d values on the stack", STACK_MAX);
    seq_push(v, &v->stack, x);
}

static pickle_value pop(vm *v)
{
    if (v->stack.n == 0)
        refuse(v, "the stack is empty");
    return v->stack.v[--v->stack.n];
}

static pickle_value *top(vm *v)
{
    if (v->stack.n == 0)
        refuse(v, "the stack is empty");
    return &v->stack.v[v->stack.n - 1];
}

/* Pops the values above the last mark, and the mark; the values stay valid until the next push. */
static pickle_value *pop_mark(vm *v, int64_t *n)
{
    int64_t k = v->stack.n;
    while (k > 0 && v->stack.v[k - 1].kind != PICKLE_MARK)
        k--;
    if (k == 0)
        refuse(v, "no mark on the stack");
    *n = v->stack.n - k;
    v->stack.n = k - 1;
    return v->stack.v + k;
}

static void push_int(vm *v, int64_t x) { push(v, (pickle_value){.kind = PICKLE_INT, .i = x}); }

static void push_seq(vm *v, enum pickle_kind kind)
{
    push(v, (pickle_value){.kind = kind, .seq = NEW(v->tmp, pickle_seq, 1)});
}

static void push_tuple(vm *v, const pickle_value *x, int64_t n)
{
    if (n > TUPLE_MAX)
        refuse(v, "a tuple of %lld values", (long long)n);
    pickle_seq *s = NEW(v->tmp, pickle_seq, 1);
    s->n = s->capacity = n;
    s->v = NEW(v->tmp, pickle_value, (size_t)n);
    for (int64_t k = 0; k < n; k++) {
        if (x[k].kind == PICKLE_MARK)
            refuse(v, "a mark inside a tuple");
        s->v[k] = x[k];
    }
    push(v, (pickle_value){.kind = PICKLE_TUPLE, .seq = s});
}

static void short_tuple(vm *v, int64_t n)
{
    if (v->stack.n < n)
        refuse(v, "the stack is empty");
    v->stack.n -= n;
    pickle_value x[3];
    memcpy(x, v->stack.v + v->stack.n, (size_t)n * sizeof *x);
    push_tuple(v, x, n);
}

static void op_text(vm *v, size_t n)
{
    const unsigned char *p = take(v, n);
    push(v, (pickle_value){.kind = PICKLE_TEXT, .i = (int64_t)n, .text = p});
}

static void op_global(vm *v)
{
    char name[128] = "", shown[48];
    size_t n = 0;
    for (int lines = 0; lines < 2;) {
        unsigned char c = *take(v, 1);
        if (n == sizeof name - 1)
            refuse(v, "a name of more than %zu bytes", n);
        lines += c == '\n';
        name[n++] = c == '\n' ? ' ' : (char)c;
    }
    name[n - 1] = 0;
    for (int k = 0; k < NAMES; k++)
        if (!strcmp(name, global_names[k])) {
            push(v, (pickle_value){.kind = PICKLE_GLOBAL, .i = k});
            return;
        }
    refuse(v, "names '%s', which is not part of these files", text_show(shown, (unsigned char *)name, n - 1));
}

static void op_put(vm *v, int64_t k)
{
    pickle_value x = *top(v);
    if (k > v->memo.n + 1)
        refuse(v, "memo entry %lld after %lld", (long long)k, (long long)v->memo.n);
    while (v->memo.n <= k)
        seq_push(v, &v->memo, (pickle_value){.kind = PICKLE_MARK});
    v->memo.v[k] = x;
}

static void op_get(vm *v, int64_t k)
{
    enum pickle_kind kind = k < v->memo.n ? v->memo.v[k].kind : PICKLE_MARK;
    if (kind != PICKLE_GLOBAL && kind != PICKLE_DTYPE && kind != PICKLE_TEXT)
        refuse(v, "memo entry %lld is not a name, a type or text", (long long)k);
    push(v, v->memo.v[k]);
}

static int is_text(const pickle_value *x, const char *s)
{
    return x->kind == PICKLE_TEXT && (size_t)x->i == strlen(s) && !memcmp(x->text, s, (size_t)x->i);
}

static int is_int(const pickle_value *x, int64_t i) { return x->kind == PICKLE_INT && x->i == i; }

static int is_global(const pickle_value *x, enum name k) { return x->kind == PICKLE_GLOBAL && x->i == k; }

/* The three calls that occur: _reconstruct(ndarray, (0,), 'b'), dtype('i4' or 'f4', 0, 1), defaultdict(list). */
static void op_reduce(vm *v)
{
    pickle_value args = pop(v), f = pop(v);
    if (args.kind != PICKLE_TUPLE || f.kind != PICKLE_GLOBAL)
        refuse(v, "not a call of a known name");
    const pickle_value *x = args.seq->v;
    int64_t n = args.seq->n;
    pickle_array *y = NEW(v->tmp, pickle_array, 1);
    if (f.i == RECONSTRUCT && n == 3 && is_global(x, NDARRAY) && x[1].kind == PICKLE_TUPLE && x[1].seq->n == 1 &&
        is_int(x[1].seq->v, 0) && is_text(x + 2, "b")) {
        push(v, (pickle_value){.kind = PICKLE_ARRAY, .array = y});
    } else if (f.i == DTYPE && n == 3 && (is_text(x, "i4") || is_text(x, "f4")) && is_int(x + 1, 0) &&
               is_int(x + 2, 1)) {
        y->type = (char)x[0].text[0];
        push(v, (pickle_value){.kind = PICKLE_DTYPE, .array = y});
    } else if (f.i == DEFAULTDICT && n == 1 && is_global(x, LIST)) {
        push_seq(v, PICKLE_DICT);
    } else {
        refuse(v, "calls %s with arguments that do not occur in these files", global_names[f.i]);
    }
}

static void op_newobj(vm *v)
{
    pickle_value args = pop(v), c = pop(v);
    if (args.kind != PICKLE_TUPLE || args.seq->n != 0 || !is_global(&c, CSR_MATRIX))
        refuse(v, "creates an object that is not csr_matrix()");
    push(v, (pickle_value){.kind = PICKLE_CSR});
}

/* State (1, shape, dtype, False, bytes). */
static void build_array(vm *v, pickle_array *y, const pickle_value *state)
{
    const pickle_value *x = state->kind == PICKLE_TUPLE ? state->seq->v : NULL;
    if (y->type || !x || state->seq->n != 5 || !is_int(x, 1) || x[1].kind != PICKLE_TUPLE || x[1].seq->n < 1 ||
        x[1].seq->n > 2 || x[2].kind != PICKLE_DTYPE || x[3].kind != PICKLE_BOOL || x[3].i || x[4].kind != PICKLE_TEXT)
        refuse(v, "the state of an array has an unexpected form");
    const pickle_value *n = x[1].seq->v;
    y->dims = (int)x[1].seq->n;
    y->rows = n[0].i;
    y->cols = y->dims == 2 ? n[1].i : 1;
    y->type = x[2].array->type;
    y->data = x[4].text;
    for (int k = 0; k < y->dims; k++)
        if (n[k].kind != PICKLE_INT || n[k].i < 0 || n[k].i > INT32_MAX)
            refuse(v, "the shape of an array is corrupt");
    int64_t size;
    if (__builtin_mul_overflow(4 * y->rows, y->cols, &size) || size != x[4].i)
        refuse(v, "an array of %lld x %lld in %lld bytes", (long long)y->rows, (long long)y->cols, (long long)x[4].i);
}

/* State (3, '<', None, None, None, -1, -1, 0). */
static void build_dtype(vm *v, const pickle_value *state)
{
    const pickle_value *x = state->kind == PICKLE_TUPLE ? state->seq->v : NULL;
    if (!x || state->seq->n != 8 || !is_int(x, 3) || !is_text(x + 1, "<") || x[2].kind != PICKLE_NONE ||
        x[3].kind != PICKLE_NONE || x[4].kind != PICKLE_NONE || !is_int(x + 5, -1) || !is_int(x + 6, -1) ||
        !is_int(x + 7, 0))
        refuse(v, "an element type that is not little-endian int32 or float32");
}

static void op_build(vm *v)
{
    pickle_value state = pop(v), *x = top(v);
    if (x->kind == PICKLE_ARRAY)
        build_array(v, x->array, &state);
    else if (x->kind == PICKLE_DTYPE)
        build_dtype(v, &state);
    else if (x->kind == PICKLE_CSR && !x->seq && state.kind == PICKLE_DICT)
        x->seq = state.seq;
    else
        refuse(v, "sets the state of an object that is not an array, a type or a csr_matrix");
}

static void op_append(vm *v, const pickle_value *x, int64_t n)
{
    pickle_value *list = top(v);
    if (list->kind != PICKLE_LIST)
        refuse(v, "appends to an object that is not a list");
    for (int64_t k = 0; k < n; k++) {
        if (x[k].kind != PICKLE_INT)
            refuse(v, "appends an object that is not an integer");
        seq_push(v, list->seq, x[k]);
    }
}

static void op_setitems(vm *v)
{
    int64_t n;
    const pickle_value *x = pop_mark(v, &n);
    pickle_value *dict = top(v);
    if (dict->kind != PICKLE_DICT || n % 2)
        refuse(v, "sets items of an object that is not a dictionary");
    for (int64_t k = 0; k < n; k++) {
        if (k % 2 == 0 && x[k].kind != PICKLE_INT && x[k].kind != PICKLE_TEXT)
            refuse(v, "a key is neither integer nor text");
        seq_push(v, dict->seq, x[k]);
    }
}

static void step(vm *v, int op)
{
    int64_t n;
    pickle_value x, *list;
    switch (op) {
    case '(': push(v, (pickle_value){.kind = PICKLE_MARK}); break;
    case ')': push_tuple(v, NULL, 0); break;
    case ']': push_seq(v, PICKLE_LIST); break;
    case '}': push_seq(v, PICKLE_DICT); break;
    case 'N': push(v, (pickle_value){.kind = PICKLE_NONE}); break;
    case 0x88: push(v, (pickle_value){.kind = PICKLE_BOOL, .i = 1}); break;
    case 0x89: push(v, (pickle_value){.kind = PICKLE_BOOL}); break;
    case 'J': push_int(v, (int32_t)take_uint(v, 4)); break;
    case 'K': push_int(v, take_uint(v, 1)); break;
    case 'M': push_int(v, take_uint(v, 2)); break;
    case 'U': op_text(v, (size_t)take_uint(v, 1)); break;
    case 'T': op_text(v, (size_t)take_uint(v, 4)); break;
    case 'c': op_global(v); break;
    case 'q': op_put(v, take_uint(v, 1)); break;
    case 'r': op_put(v, take_uint(v, 4)); break;
    case 'h': op_get(v, take_uint(v, 1)); break;
    case 0x85: short_tuple(v, 1); break;
    case 0x86: short_tuple(v, 2); break;
    case 0x87: short_tuple(v, 3); break;
    case 't':
        list = pop_mark(v, &n);
        push_tuple(v, list, n);
        break;
    case 'R': op_reduce(v); break;
    case 0x81: op_newobj(v); break;
    case 'b': op_build(v); break;
    case 'a':
        x = pop(v);
        op_append(v, &x, 1);
        break;
    case 'e':
        list = pop_mark(v, &n);
        op_append(v, list, n);
        break;
    case 'u': op_setitems(v); break;
    default: refuse(v, "not part of these files: refused");
    }
}

pickle_value pickle_read(arena *tmp, bytes b)
{
    vm v = {.tmp = tmp, .b = b};
    if (b.n < 3 || b.p[0] != 0x80 || b.p[1] != 2)
        die("%s: not a pickle of protocol 2, or empty", b.path);
    for (v.at = 2;;) {
        v.op_at = v.at;
        int op = *take(&v, 1);
        if (op == '.')
            break;
        step(&v, op);
    }
    if (v.stack.n != 1 || v.stack.v[0].kind == PICKLE_MARK || v.at != b.n)
        refuse(&v, "ends with %lld values on the stack and %zu bytes left", (long long)v.stack.n, b.n - v.at);
    return v.stack.v[0];
}

const pickle_value *pickle_get(const pickle_value *dict, const char *key)
{
    const pickle_seq *s = dict->seq;
    for (int64_t k = 0; s && k + 1 < s->n; k += 2)
        if (is_text(&s->v[k], key))
            return &s->v[k + 1];
    return NULL;
}

int32_t pickle_i4(const pickle_array *x, int64_t k)
{
    int32_t y;
    memcpy(&y, x->data + 4 * k, 4);
    return y;
}

float pickle_f4(const pickle_array *x, int64_t k)
{
    float y;
    memcpy(&y, x->data + 4 * k, 4);
    return y;
}
