// Hunger, libido and fear: what core/behavior/mental_state.py and core/behavior/mood.py define and explain, compiled, with
// the same bits.

#include "compiled/exact.h"

enum { P0, P1, APPETITE, ALPHA_H, ALPHA_L, Q1_H, Q2_H, Q1_L, Q2_L, BOOK_METRES };

// mental_state.stimulus.
static inline double stimulus(double distance, double q1, double q2) {
    const double s = 1.0 / greatest(distance, 1e-300), between = within(s, q1, q2);
    const double rise = (between - q1) / greatest((q2 - q1) + (q2 - between), 1e-300);
    return s > q2 ? 1.0 : rise;
}

// Mood.felt.
static inline double felt(double value, double offset, double keyed, int any) {
    return keyed == keyed ? keyed : any ? within(value + offset, 0.0, 1.0) : value;
}

// MentalState.feel: traits (trait, fish); what is eaten, times since meal and mating, distances of food and mate in
// metres, fear, (fish,) each; offsets and keys of moods, (fish, 3) both; and hunger, libido and fear, (3, fish). Numbers:
// fishes.
SEEN int32_t artfish_feel(void **arrays, const int64_t *numbers) {
    const int64_t fishes = numbers[0];
    const double *traits = arrays[0], *eaten = arrays[1], *meals = arrays[2], *matings = arrays[3];
    const double *foods = arrays[4], *mates = arrays[5], *fears = arrays[6], *offsets = arrays[7], *keyed = arrays[8];
    double *found = arrays[9];
    int any[3] = {0, 0, 0};
    for (int64_t i = 0; i < 3 * fishes; i++) any[i % 3] |= offsets[i] != 0.0;
    for (int64_t i = 0; i < fishes; i++) {
        const double *of = traits + i, *offset = offsets + 3 * i, *key = keyed + 3 * i;
        const double metres = of[BOOK_METRES * fishes], p1 = of[P1 * fishes];
        const double food = stimulus(foods[i] / metres, of[Q1_H * fishes], of[Q2_H * fishes]);
        const double mate = stimulus(mates[i] / metres, of[Q1_L * fishes], of[Q2_L * fishes]);
        const double digestion = greatest(1.0 - of[P0 * fishes] * meals[i], 0.0);
        const double urge = 1.0 - eaten[i] * digestion / of[APPETITE * fishes];
        const double hunger = within(urge + of[ALPHA_H * fishes] * food, 0.0, 1.0);
        found[i] = felt(hunger, offset[0], key[0], any[0]);
        const double wish = p1 * matings[i] * (1.0 - found[i]);
        found[fishes + i] = felt(least(wish + of[ALPHA_L * fishes] * mate, 1.0), offset[1], key[1], any[1]);
        found[2 * fishes + i] = felt(fears[i], offset[2], key[2], any[2]);
    }
    return 0;
}
