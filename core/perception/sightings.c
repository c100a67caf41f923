// Whom predators alarm: what core/perception/sightings.py defines and explains, compiled, with the same bits.

#include "compiled/exact.h"

// Sightings.alarms: who is afraid, (n,), and predators that live, (p,), by their rows; of all fishes middles and noses (fish,
// 3), how near a predator alarms each and is too close, (fish,) both; the nearest predator of each, (n,), and whom it alarms
// and startles, (2, fish). Numbers: p, fishes.
SEEN int32_t artfish_startle(void **arrays, const int64_t *numbers) {
    const int64_t *rows = arrays[0], *foes = arrays[1];
    const double *middles = arrays[2], *noses = arrays[3], *alarming = arrays[4], *startling = arrays[5];
    int64_t *nearest = arrays[6];
    uint8_t *alarmed = arrays[7], *startled = alarmed + numbers[3];
    for (int64_t i = numbers[0]; i < numbers[1]; i++) {
        const int64_t me = rows[i];
        double least_square = INFINITY;
        nearest[i] = foes[0];
        for (int64_t k = 0; k < numbers[2]; k++) {
            double arm[3];
            for (int axis = 0; axis < 3; axis++) arm[axis] = middles[3 * foes[k] + axis] - middles[3 * me + axis];
            const double square = dot(arm, arm);
            if (square < least_square) least_square = square, nearest[i] = foes[k];
        }
        double arm[3];
        for (int axis = 0; axis < 3; axis++) arm[axis] = middles[3 * nearest[i] + axis] - noses[3 * me + axis];
        const double away = sqrt(dot(arm, arm));
        alarmed[me] = away < alarming[me], startled[me] = away < startling[me];
    }
    return 0;
}
