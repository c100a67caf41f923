// The compiled step alone, without Python: reads a block of fishes from standard input, moves it and writes it out.
// What it reads is laid out by test_arm64.py.

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define LANES 4
#define MOVE move_alone
#include "kernel.c"

static void *taken(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory || fread(memory, 1, bytes, stdin) != bytes) exit(2);
    return memory;
}

int main(void) {
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
