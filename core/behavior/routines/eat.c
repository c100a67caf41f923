// What mouths do to what is near them: what core/behavior/routines/eat.py defines and explains, compiled, with the same
// bits. Every mouth that is open is held against every morsel, mouths in order, which is for where these are few.

#include "compiled/exact.h"

enum { NODES = 23 };

static inline double between(const double *from, const double *to, double *arm) {
    for (int axis = 0; axis < 3; axis++) arm[axis] = to[axis] - from[axis];
    return sqrt(dot(arm, arm));
}

// eat.suction. Arrays: places and headings of mouths (m, 3), how far they are open, lengths of their fishes (m), points
// (p, 3), rows of the mouths that these belong to (p), and reach, cosine, floor and strength (4); and to be filled pulls
// (p, 3), which are nothing as yet. Numbers: m, p.
SEEN int32_t artfish_suction(void **arrays, const int64_t *numbers) {
    const double *places = arrays[0], *ways = arrays[1], *openings = arrays[2], *lengths = arrays[3], *points = arrays[4];
    const int64_t *owners = arrays[5];
    const double reach = ((double *)arrays[6])[0], cosine = ((double *)arrays[6])[1];
    const double floor_lengths = ((double *)arrays[6])[2], strength = ((double *)arrays[6])[3];
    double *pulls = arrays[7];
    for (int64_t mouth = 0; mouth < numbers[0]; mouth++) {
        if (!(openings[mouth] > 0.0)) continue;
        const double most = reach * lengths[mouth], nearest = floor_lengths * lengths[mouth];
        for (int64_t point = 0; point < numbers[1]; point++) {
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

// eat.swallowed. Arrays: places of mouths (m, 3), how far they are open, lengths of their fishes (m), places (p, 3) and
// sizes (p) of morsels, and the least opening, reach and mouthful (3); and to be filled the mouth that swallows each,
// -1 as yet, and how near it is, infinite as yet (p). Numbers: m, p.
SEEN int32_t artfish_swallowed(void **arrays, const int64_t *numbers) {
    const double *places = arrays[0], *openings = arrays[1], *lengths = arrays[2], *morsels = arrays[3];
    const double *sizes = arrays[4], least_opening = ((double *)arrays[5])[0], reach = ((double *)arrays[5])[1];
    const double mouthful = ((double *)arrays[5])[2];
    int64_t *eaters = arrays[6];
    double *gaps = arrays[7];
    for (int64_t mouth = 0; mouth < numbers[0]; mouth++) {
        if (!(openings[mouth] > least_opening)) continue;
        for (int64_t morsel = 0; morsel < numbers[1]; morsel++) {
            double arm[3];
            const double distance = between(places + 3 * mouth, morsels + 3 * morsel, arm);
            if (!(distance <= reach * lengths[mouth]) || !(sizes[morsel] <= mouthful * lengths[mouth])) continue;
            if (distance < gaps[morsel]) gaps[morsel] = distance, eaters[morsel] = mouth;
        }
    }
    return 0;
}

// eat.mouth: nodes (fish, 23, 3), rows (n,); noses (n, 3), and where they face, (n, 3). Numbers: n.
SEEN int32_t artfish_mouth(void **arrays, const int64_t *numbers) {
    const double *nodes = arrays[0];
    const int64_t *rows = arrays[1];
    double *place = arrays[2], *ahead = arrays[3];
    for (int64_t i = 0; i < numbers[0]; i++, place += 3, ahead += 3) {
        const double *nose = nodes + 3 * NODES * rows[i], *ring = nose + 3;
        for (int axis = 0; axis < 3; axis++, ring++) {
            place[axis] = nose[axis];
            ahead[axis] = nose[axis] - ((ring[0] + ring[6]) + (ring[3] + ring[9])) / 4.0;
        }
        const double size = greatest(sqrt(dot(ahead, ahead)), LEAST_LENGTH);
        for (int axis = 0; axis < 3; axis++) ahead[axis] /= size;
    }
    return 0;
}
