// Motor preferences: the strength with which desires speak for turning to their targets (Tu 1999, §6.5.2, §7.6).

#include "perception/focuser.h"
#include "declared.h"

static inline int is_any(const double *vector) { return vector[0] != 0.0 || vector[1] != 0.0 || vector[2] != 0.0; }

enum { FISH, FOOD, PARTNER, THREAT, TARGETS };

// M of one fish, one a motor skill, -1 to 1: the mean of all that speaks for an action plus the mean of all that speaks
// against it (§6.5.2). Each target speaks for or against turning to its side, and to its height.
static inline void attend(
    const Frontal *front, const double *frame, const double *offsets, const double *values, double *preferences
) {
    double sums[2][SKILLS] = {{0.0}}, many[2][SKILLS] = {{0.0}};
    for (int target = 0; target < TARGETS; target++) {
        const double value = values[target];
        if (!(value > 0.0) && !(value < 0.0)) continue;
        double own[3];
        local(frame, offsets + 3 * target, own);
        const int against = value < 0.0, side = side_of(front->angle, own), height = own[2] > 0.0 ? ASCEND : DESCEND;
        sums[against][side] += value, many[against][side] += 1.0;
        if (fabs(own[2]) > front->sine * sqrt(dot(own, own))) sums[against][height] += value, many[against][height] += 1.0;
    }
    for (int skill = 0; skill < SKILLS; skill++) {
        preferences[skill] = 0.0 + sums[0][skill] / greatest(many[0][skill], 1.0);
        preferences[skill] += sums[1][skill] / greatest(many[1][skill], 1.0);
    }
}

// preferences.prefer.
SEEN int32_t artfish_prefer(const PreferCall *call, int64_t begin, int64_t end) {
    TAKE_PREFER(call);
    const double *feelings[3] = {fears, hungers, libidos};
    for (int64_t row = begin; row < end; row++) {
        const int64_t me = rows[row], fish = fishes[me], mate = mates[me], food = foods[me];
        const double *nose = noses + 3 * me, *threat = threats + 3 * row;
        const int intention = intentions[me];
        const int about = intention == ESCAPE ? 0 : intention == EAT ? 1 : intention == MATE ? 2 : -1;
        const double strength = greatest(about < 0 ? 1.0 : feelings[about][me], 1e-3);
        double offsets[3 * TARGETS] = {0.0}, values[TARGETS];
        for (int axis = 0; axis < 3; axis++) {
            const double at_fish = fish != NOTHING ? middles[3 * fish + axis] - nose[axis] : 0.0;
            if (!predators[me]) offsets[3 * FISH + axis] = at_fish;
            if (food != NOTHING) offsets[3 * FOOD + axis] = morsels[3 * food + axis] - nose[axis];
            if (food == NOTHING && predators[me]) offsets[3 * FOOD + axis] = at_fish;
            if (mate != NOTHING) offsets[3 * PARTNER + axis] = middles[3 * mate + axis] - nose[axis];
            offsets[3 * THREAT + axis] = threat[axis];
        }
        for (int wish = FISH; wish <= PARTNER; wish++) values[wish] = least(feelings[wish][me] / strength, 1.0);
        values[FISH] = -values[FISH];
        values[THREAT] = -least(sqrt(dot(threat, threat)), 1.0);
        for (int target = 0; target < TARGETS; target++) values[target] *= is_any(offsets + 3 * target) ? 1.0 : 0.0;
        attend(front, frames + 9 * me, offsets, values, preferences + SKILLS * me);
    }
    return 0;
}
