// A shoal as the kernel sees it: tables.py declares its structs, ranks.py lays them out and says what each field is.

#pragma once

#include <stdint.h>

#include "declared.h"

enum { MOST_LANES = 16, TARGETS = 14 };
// Rows of the targets: beats, bends and C-starts a unit of time; amplitude, bends and curl; fins; water.
enum { FREQUENCY, RATE, FLING, AMPLITUDE, BEND, CURL = BEND + 2, GAMMA, ROW = GAMMA + 2, WATER = ROW + 2 };

// Fishes of one block and pace side by side; in lanes beyond their number the last of them stands in.
typedef struct { int32_t block, swift, count, curling, columns[MOST_LANES]; } Rank;

// Of the addresses of all blocks, that of one.
static inline const Block *block_of(const int64_t *blocks, int64_t block) {
    return (const Block *)(intptr_t)blocks[block];
}

// How a block's fishes are moved: the calm ones by one, the swift ones by the other.
static inline const Pace *pace_of(const Block *block, int swift) { return swift ? block->swift : block->calm; }
