// What mouths do to what is near them (Tu 1999, §7.9.1); core/behavior/routines/eat.py has the numbers, which are ours.

#include <stdlib.h>

#include "compiled/exact.h"
#include "declared.h"

enum { SLABS = 256 };

// Points in slabs across x, so that a mouth is held against those near it alone: the points of a slab are those of
// `order` from its own `first` on to that of the next. What is no number is in the first, and near nobody.
typedef struct {
    double low, scale;
    int64_t first[SLABS + 1], *order;
} Slabs;

static inline int64_t slab_of(const Slabs *slabs, double x) {
    const double at = (x - slabs->low) * slabs->scale;
    return at > 0.0 ? (int64_t)least(at, SLABS - 1) : 0;
}

// Lays points in slabs; 1 where memory is exhausted.
static int lay_in(Slabs *slabs, const double *points, int64_t many) {
    double low = INFINITY, high = -INFINITY;
    for (int64_t point = 0; point < many; point++) {
        const double x = points[3 * point];
        if (isfinite(x)) low = least(low, x), high = greatest(high, x);
    }
    slabs->low = low, slabs->scale = SLABS / (high - low);
    memset(slabs->first, 0, sizeof slabs->first);
    slabs->order = malloc((size_t)(many + 1) * sizeof *slabs->order);
    if (!slabs->order) return 1;
    for (int64_t point = 0; point < many; point++) slabs->first[slab_of(slabs, points[3 * point]) + 1]++;
    for (int64_t slab = 0; slab < SLABS; slab++) slabs->first[slab + 1] += slabs->first[slab];
    for (int64_t point = many - 1; point >= 0; point--)
        slabs->order[--slabs->first[slab_of(slabs, points[3 * point]) + 1]] = point;
    for (int64_t slab = 0; slab < SLABS; slab++) slabs->first[slab] = slabs->first[slab + 1];
    slabs->first[SLABS] = many;
    return 0;
}

// The slabs of all that is within reach of a place, with some to spare for rounding.
static inline void near(const Slabs *slabs, double x, double reach, const int64_t **from, const int64_t **to) {
    const double wide = reach + 1e-9 * (fabs(x) + reach);
    *from = slabs->order + slabs->first[slab_of(slabs, x - wide)];
    *to = slabs->order + slabs->first[slab_of(slabs, x + wide) + 1];
}

static inline double between(const double *from, const double *to, double *arm) {
    for (int axis = 0; axis < 3; axis++) arm[axis] = to[axis] - from[axis];
    return sqrt(dot(arm, arm));
}

// eat.suction; pulls are nothing as yet, and are added up in the order of mouths.
SEEN int32_t artfish_suction(const SuctionCall *call) {
    TAKE_SUCTION(call);
    Slabs slabs;
    if (lay_in(&slabs, points, many)) return 1;
    for (int64_t mouth = 0; mouth < mouths; mouth++) {
        if (!(openings[mouth] > 0.0)) continue;
        const double most = reach * lengths[mouth], nearest = floor_lengths * lengths[mouth];
        const int64_t *each, *end;
        for (near(&slabs, places[3 * mouth], most, &each, &end); each < end; each++) {
            const int64_t point = *each;
            double arm[3];
            const double distance = between(places + 3 * mouth, points + 3 * point, arm);
            if (!(distance <= most) || !(dot(arm, ways + 3 * mouth) >= cosine * distance)) continue;
            if (owners[point] == mouth) continue;
            const double share = nearest / greatest(distance, nearest);
            const double size = strength * openings[mouth] * (share * share), norm = greatest(distance, LEAST_LENGTH);
            for (int axis = 0; axis < 3; axis++) pulls[3 * point + axis] += -size * (arm[axis] / norm);
        }
    }
    free(slabs.order);
    return 0;
}

// eat.swallowed; nobody swallows anything as yet, and gaps are infinite. Of equally near mouths the first swallows.
SEEN int32_t artfish_swallowed(const SwallowedCall *call) {
    TAKE_SWALLOWED(call);
    Slabs slabs;
    if (lay_in(&slabs, morsels, many)) return 1;
    for (int64_t mouth = 0; mouth < mouths; mouth++) {
        if (!(openings[mouth] > least_opening)) continue;
        const double most = reach * lengths[mouth];
        const int64_t *each, *end;
        for (near(&slabs, places[3 * mouth], most, &each, &end); each < end; each++) {
            const int64_t morsel = *each;
            double arm[3];
            const double distance = between(places + 3 * mouth, morsels + 3 * morsel, arm);
            if (!(distance <= most) || !(sizes[morsel] <= mouthful * lengths[mouth])) continue;
            if (distance < gaps[morsel]) gaps[morsel] = distance, eaters[morsel] = mouth;
        }
    }
    free(slabs.order);
    return 0;
}
