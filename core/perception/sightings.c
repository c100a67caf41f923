// Alarm at predators; tests/plain/perception/sightings.py says the same in NumPy.

#include "compiled/exact.h"
#include "declared.h"

// Sightings.alarms: the nearest of the predators that are a choice for all, or of its own choices, and which fishes that
// one alarms and startles.
SEEN int32_t artfish_startle(const StartleCall *call, int64_t begin, int64_t end) {
    TAKE_STARTLE(call);
    uint8_t *startled = alarms + fishes;
    for (int64_t i = begin; i < end; i++) {
        const int64_t me = rows[i], *choice = foes + (choices > 1 ? many * i : 0);
        double least_square = INFINITY;
        nearest[i] = choice[0];
        for (int64_t k = 0; k < many; k++) {
            double arm[3];
            for (int axis = 0; axis < 3; axis++) arm[axis] = middles[3 * choice[k] + axis] - middles[3 * me + axis];
            const double square = dot(arm, arm);
            if (square < least_square) least_square = square, nearest[i] = choice[k];
        }
        double arm[3];
        for (int axis = 0; axis < 3; axis++) arm[axis] = middles[3 * nearest[i] + axis] - noses[3 * me + axis];
        const double away = sqrt(dot(arm, arm));
        alarms[me] = away < alarming[me], startled[me] = away < startling[me];
    }
    return 0;
}
