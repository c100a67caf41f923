// Throws of dice: what core/base/dice.py defines and explains, compiled.

#include "compiled/exact.h"
#include "declared.h"

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15u;

// The finaliser of SplitMix64.
static inline uint64_t mix(uint64_t word) {
    word += GOLDEN;
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

// Dice.uniform; the ends are those of all, or each has its own.
SEEN int32_t artfish_throw(const ThrowCall *call) {
    TAKE_THROW(call);
    const double *low = ends, *high = ends + many;
    for (int64_t i = 0; i < n; i++) {
        const int64_t fish = fishes[i], own = many > 1 ? i : 0;
        const double unit = (double)(mix(keys[fish] + throws[fish]++ * GOLDEN) >> 11) * 0x1p-53;
        found[i] = low[own] + (high[own] - low[own]) * unit;
    }
    return 0;
}

// Dice.shares.
SEEN int32_t artfish_shares(const SharesCall *call) {
    TAKE_SHARES(call);
    for (int64_t i = 0; i < n; i++) {
        const uint64_t bits = mix(mix(keys[fishes[i]] ^ GOLDEN) + turns[i] * GOLDEN);
        for (int64_t part = 0; part < parts; part++)
            found[parts * i + part] = (double)((bits >> (16 * part)) & 0xFFFF) * 0x1p-16;
    }
    return 0;
}
