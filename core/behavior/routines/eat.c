// What mouths do to what is near them: what core/behavior/routines/eat.py defines and explains, compiled, with the same
// bits. Every mouth that is open is held against every morsel, mouths in order, which is for where these are few.

#include "compiled/exact.h"
#include "declared.h"

static inline double between(const double *from, const double *to, double *arm) {
    for (int axis = 0; axis < 3; axis++) arm[axis] = to[axis] - from[axis];
    return sqrt(dot(arm, arm));
}

// eat.suction; pulls are nothing as yet.
SEEN int32_t artfish_suction(const SuctionCall *call) {
    TAKE_SUCTION(call);
    for (int64_t mouth = 0; mouth < mouths; mouth++) {
        if (!(openings[mouth] > 0.0)) continue;
        const double most = reach * lengths[mouth], nearest = floor_lengths * lengths[mouth];
        for (int64_t point = 0; point < many; point++) {
            double arm[3];
            const double distance = between(places + 3 * mouth, points + 3 * point, arm);
            if (!(distance <= most) || !(dot(arm, ways + 3 * mouth) >= cosine * distance)) continue;
            if (owners[point] == mouth) continue;
            const double share = nearest / greatest(distance, nearest);
            const double size = strength * openings[mouth] * (share * share), norm = greatest(distance, LEAST_LENGTH);
            for (int axis = 0; axis < 3; axis++) pulls[3 * point + axis] += -size * (arm[axis] / norm);
        }
    }
    return 0;
}

// eat.swallowed; nobody swallows anything as yet, and gaps are infinite.
SEEN int32_t artfish_swallowed(const SwallowedCall *call) {
    TAKE_SWALLOWED(call);
    for (int64_t mouth = 0; mouth < mouths; mouth++) {
        if (!(openings[mouth] > least_opening)) continue;
        for (int64_t morsel = 0; morsel < many; morsel++) {
            double arm[3];
            const double distance = between(places + 3 * mouth, morsels + 3 * morsel, arm);
            if (!(distance <= reach * lengths[mouth]) || !(sizes[morsel] <= mouthful * lengths[mouth])) continue;
            if (distance < gaps[morsel]) gaps[morsel] = distance, eaters[morsel] = mouth;
        }
    }
    return 0;
}
