// Throws of dice: what core/base/dice.py defines and explains, compiled.

#include "compiled/exact.h"

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15u;

// The finaliser of SplitMix64.
static inline uint64_t mix(uint64_t word) {
    word += GOLDEN;
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

// Dice.uniform: where streams begin and how often each fish has thrown, (fish,), rows (n,), the lower and the upper ends,
// (2,) or (2, n), and what falls, (n,). Numbers: n, and whether each has ends of its own.
SEEN int32_t artfish_throw(void **arrays, const int64_t *numbers) {
    const uint64_t *keys = arrays[0];
    uint64_t *throws = arrays[1];
    const int64_t *fishes = arrays[2];
    const double *low = arrays[3], *high = low + (numbers[1] ? numbers[0] : 1);
    double *found = arrays[4];
    for (int64_t i = 0; i < numbers[0]; i++) {
        const int64_t fish = fishes[i], end = numbers[1] ? i : 0;
        const double unit = (double)(mix(keys[fish] + throws[fish]++ * GOLDEN) >> 11) * 0x1p-53;
        found[i] = low[end] + (high[end] - low[end]) * unit;
    }
    return 0;
}

// Dice.shares: where streams begin, (fish,), rows and turns (n,), and what falls, (n, parts). Numbers: n, parts.
SEEN int32_t artfish_shares(void **arrays, const int64_t *numbers) {
    const uint64_t *keys = arrays[0], *turns = arrays[2];
    const int64_t *fishes = arrays[1], parts = numbers[1];
    double *found = arrays[3];
    for (int64_t i = 0; i < numbers[0]; i++) {
        const uint64_t bits = mix(mix(keys[fishes[i]] ^ GOLDEN) + turns[i] * GOLDEN);
        for (int64_t part = 0; part < parts; part++) *found++ = (double)((bits >> (16 * part)) & 0xFFFF) * 0x1p-16;
    }
    return 0;
}
