// The kernel alone, without Python. It reads a block of fishes from standard input, moves it and writes it out; or,
// where its argument names one of the library's functions, that one's fields and sizes, and writes its arrays out as they
// are then. What it reads is laid out by test_arm64.py, and FUNCTIONS is a macro with F(name) for each, or S(name) for
// one that takes a span of rows.

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANES 4
#define MOVE move_alone
#define SWIM swim_alone
#include "body/kernel/kernel.c"

static void *taken(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory || fread(memory, 1, bytes, stdin) != bytes) exit(2);
    return memory;
}

typedef int32_t Whole(const void *call);
typedef int32_t Spanned(const void *call, int64_t begin, int64_t end);
#define F(name) {#name, (void *)artfish_##name, 0},
#define S(name) {#name, (void *)artfish_##name, 1},
static const struct { const char *name; void *run; int spanned; } known[] = { FUNCTIONS };

static int run(const char *name) {
    int64_t *counts = taken(3 * sizeof(int64_t));  // of fields and of sizes, and the row after the last
    const int64_t fields = counts[0], sizes = counts[1];
    int64_t *lengths = taken((size_t)fields * sizeof(int64_t));  // of arrays, in bytes; -1 for a number
    int64_t *call = calloc((size_t)(fields + sizes), sizeof(int64_t));
    int64_t *last = taken((size_t)sizes * sizeof(int64_t));
    memcpy(call + fields, last, (size_t)sizes * sizeof(int64_t));
    for (int64_t k = 0; k < fields; k++) {
        void *field = taken(lengths[k] < 0 ? sizeof(int64_t) : (size_t)lengths[k]);
        if (lengths[k] < 0) memcpy(call + k, field, sizeof(int64_t));
        else call[k] = (int64_t)(intptr_t)field;
    }
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strcmp(known[k].name, name)) continue;
        if (known[k].spanned ? ((Spanned *)known[k].run)(call, 0, counts[2]) : ((Whole *)known[k].run)(call)) return 4;
        for (int64_t a = 0; a < fields; a++)
            if (lengths[a] >= 0) fwrite((void *)(intptr_t)call[a], 1, (size_t)lengths[a], stdout);
        return 0;
    }
    return 5;
}

int main(int argc, char **argv) {
    if (argc > 1) return run(argv[1]);
    int64_t *sizes = taken(4 * sizeof(int64_t));  // fishes, steps, bytes of Body without pointers, pointers
    int64_t fishes = sizes[0], steps = sizes[1];
    if (sizes[2] != offsetof(Body, unit_nodes) || sizes[3] * sizeof(void *) != offsetof(Body, units) - sizes[2]) return 3;
    Body body;
    __builtin_memcpy(&body, taken(sizes[2]), sizes[2]);
    for (int64_t pointer = 0; pointer < sizes[3]; pointer++) {
        int64_t *bytes = taken(sizeof(int64_t));
        void *array = taken(*bytes);
        __builtin_memcpy((char *)&body + sizes[2] + pointer * sizeof(void *), &array, sizeof(void *));
    }
    size_t rest = sizeof(Body) - offsetof(Body, units);
    __builtin_memcpy(&body.units, taken(rest), rest);
    size_t state = VALUES * fishes * sizeof(double);
    double *x = taken(state), *v = taken(state);
    double *muscles = taken(steps * body.muscles * fishes * sizeof(double)), *water = taken(3 * fishes * sizeof(double));
    float *fins = taken(8 * fishes * sizeof(float));
    move_alone(&body, fishes, 0, fishes, steps, x, v, muscles, water, fins);
    fwrite(x, 1, state, stdout);
    fwrite(v, 1, state, stdout);
    return 0;
}
