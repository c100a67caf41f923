// A shoal as the kernel sees it: ranks.py lays it out and says what each field is.

#pragma once

#include <stdint.h>

#include "declared.h"

enum { MOST_LANES = 16, TARGETS = 14 };
// Rows of the targets: beats, bends and C-starts a unit of time; amplitude, bends and curl; fins; water.
enum { FREQUENCY, RATE, FLING, AMPLITUDE, BEND, CURL = BEND + 2, GAMMA, ROW = GAMMA + 2, WATER = ROW + 2 };

// How a block's fishes are moved: the calm ones by one, the swift ones by the other.
typedef struct {
    const void *body;
    const Sinews *muscles;
    const int64_t *ends;
    int64_t parts, hurrying, cuts;
} Pace;

typedef struct {
    Pace paces[2];
    double swift_beat, flapping;
    int64_t columns, fishes, muscles;  // the columns beyond the fishes only fill up
    const int64_t *rows;
    double *phase, *swing, *curl, *lengths;
} Block;

// Fishes of one block and pace side by side; in lanes beyond their number the last of them stands in.
struct Rank { int32_t block, swift, count, curling, columns[MOST_LANES]; };

struct Shoal {
    const Block *blocks;
    const Rank *ranks;
    int64_t *next;
    const double *targets, *metres;
    double *x, *v;
    const int64_t *samples_of;
    double *samples;
    int64_t fishes, steps, count;
};
