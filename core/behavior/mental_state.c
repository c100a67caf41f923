// Hunger, libido and fear: what core/behavior/mental_state.py and core/behavior/mood.py define and explain, compiled, with
// the same bits.

#include "compiled/exact.h"
#include "declared.h"

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

// MentalState.feel: hunger, libido and fear.
SEEN int32_t artfish_feel(const FeelCall *call) {
    TAKE_FEEL(call);
    int any[3] = {0, 0, 0};
    for (int64_t i = 0; i < 3 * fishes; i++) any[i % 3] |= offsets[i] != 0.0;
    for (int64_t i = 0; i < fishes; i++) {
        const double *offset = offsets + 3 * i, *key = keyed + 3 * i;
        const double metres = traits.book_metres[i], p1 = traits.p1[i];
        const double food = stimulus(foods[i] / metres, traits.q1_h[i], traits.q2_h[i]);
        const double mate = stimulus(mates[i] / metres, traits.q1_l[i], traits.q2_l[i]);
        const double digestion = greatest(1.0 - traits.p0[i] * meals[i], 0.0);
        const double urge = 1.0 - eaten[i] * digestion / traits.appetite[i];
        const double hunger = within(urge + traits.alpha_h[i] * food, 0.0, 1.0);
        found[i] = felt(hunger, offset[0], key[0], any[0]);
        const double wish = p1 * matings[i] * (1.0 - found[i]);
        found[fishes + i] = felt(least(wish + traits.alpha_l[i] * mate, 1.0), offset[1], key[1], any[1]);
        found[2 * fishes + i] = felt(fears[i], offset[2], key[2], any[2]);
    }
    return 0;
}
