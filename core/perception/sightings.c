// Whom predators alarm: what core/perception/sightings.py defines and explains, compiled, with the same bits.

#include "compiled/exact.h"
#include "declared.h"

// Sightings.alarms: the nearest of the predators that live, and whom it alarms and startles.
SEEN int32_t artfish_startle(const StartleCall *call, int64_t begin, int64_t end) {
    TAKE_STARTLE(call);
    uint8_t *startled = alarms + fishes;
    for (int64_t i = begin; i < end; i++) {
        const int64_t me = rows[i];
        double least_square = INFINITY;
        nearest[i] = foes[0];
        for (int64_t k = 0; k < many; k++) {
            double arm[3];
            for (int axis = 0; axis < 3; axis++) arm[axis] = middles[3 * foes[k] + axis] - middles[3 * me + axis];
            const double square = dot(arm, arm);
            if (square < least_square) least_square = square, nearest[i] = foes[k];
        }
        double arm[3];
        for (int axis = 0; axis < 3; axis++) arm[axis] = middles[3 * nearest[i] + axis] - noses[3 * me + axis];
        const double away = sqrt(dot(arm, arm));
        alarms[me] = away < alarming[me], startled[me] = away < startling[me];
    }
    return 0;
}
