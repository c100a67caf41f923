// The kernel alone, without Python. It reads a block of fishes from standard input, moves it and writes it out; or,
// where its argument names one of the library's functions, that one's arrays and numbers, and writes the arrays out as
// they are then. What it reads is laid out by test_arm64.py, and FUNCTIONS is a macro with F(name) for each.

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

typedef int32_t Function(void **arrays, const int64_t *numbers);
#define F(name) Function artfish_##name;
FUNCTIONS
#undef F
#define F(name) {#name, artfish_##name},
static const struct { const char *name; Function *run; } known[] = { FUNCTIONS };

static int run(const char *name) {
    int64_t *counts = taken(2 * sizeof(int64_t));  // of arrays and of numbers
    int64_t *sizes = taken(counts[0] * sizeof(int64_t)), *numbers = taken(counts[1] * sizeof(int64_t));
    void **arrays = calloc(counts[0] + 1, sizeof(void *));
    for (int64_t k = 0; k < counts[0]; k++) arrays[k] = taken(sizes[k]);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (!strcmp(known[k].name, name)) {
            if (known[k].run(arrays, numbers)) return 4;
            for (int64_t a = 0; a < counts[0]; a++) fwrite(arrays[a], 1, sizes[a], stdout);
            return 0;
        }
    return 5;
}

int main(int argc, char **argv) {
    if (argc > 1) return run(argv[1]);
    int64_t *sizes = taken(4 * sizeof(int64_t));  // fishes, steps, bytes of Body without pointers, pointers
    int64_t fishes = sizes[0], steps = sizes[1];
    if (sizes[2] != offsetof(Body, unit_nodes) || sizes[3] * sizeof(void *) != sizeof(Body) - offsetof(Body, unit_nodes))
        return 3;
    Body body;
    __builtin_memcpy(&body, taken(sizes[2]), sizes[2]);
    for (int64_t pointer = 0; pointer < sizes[3]; pointer++) {
        int64_t *bytes = taken(sizeof(int64_t));
        void *array = taken(*bytes);
        __builtin_memcpy((char *)&body + sizes[2] + pointer * sizeof(void *), &array, sizeof(void *));
    }
    size_t state = VALUES * fishes * sizeof(double);
    double *x = taken(state), *v = taken(state);
    double *muscles = taken(steps * body.muscles * fishes * sizeof(double)), *water = taken(3 * fishes * sizeof(double));
    float *fins = taken(8 * fishes * sizeof(float));
    move_alone(&body, fishes, 0, fishes, steps, x, v, muscles, water, fins);
    fwrite(x, 1, state, stdout);
    fwrite(v, 1, state, stdout);
    return 0;
}
