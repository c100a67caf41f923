// Paths and berths: what the antenna feels of walls and pillars (Tu 1999, section 6.6.1).
//
// tests/plain/perception/collision.py says the same in NumPy.

#include <stdlib.h>

#include "habitat/cylinders.h"
#include "declared.h"

// Antenna._gap but for solids; the box is two corners of the tank.
SEEN int32_t artfish_gap(const GapCall *call, int64_t begin, int64_t end) {
    TAKE_GAP(call);
    for (int64_t i = begin; i < end; i++) {
        const double *p = points + 3 * i;
        gap[i] = least(from_walls(p, box, box + 3), from_cylinders(p, cylinders, count, NULL));
    }
    return 0;
}

// The cylinders with the nearest mantles, nearest first, of equally near ones the first; there is room for the rows and
// distances of the most that are minded.
static inline int64_t minded(
    const double *p, const Cylinder *cylinders, int64_t count, int64_t most, int64_t *rows, double *away
) {
    if (count <= most) {
        for (int64_t row = 0; row < count; row++) rows[row] = row;
        return count;
    }
    double outs[STRIP];
    for (int64_t from = 0; from < count; from += STRIP) {
        const int64_t end = from + STRIP < count ? from + STRIP : count;
        squares_of(p, cylinders + from, end - from, outs);
        for (int64_t i = 0; i < end - from; i++) outs[i] = sqrt(outs[i]) - cylinders[from + i].radius;
        for (int64_t row = from; row < end; row++) {
            const double out = outs[row - from];
            int64_t at = row < most ? row : most;
            if (at == most && !(out < away[most - 1])) continue;
            if (at == most) at = most - 1;
            for (; at > 0 && out < away[at - 1]; at--) away[at] = away[at - 1], rows[at] = rows[at - 1];
            away[at] = out, rows[at] = row;
        }
    }
    return most;
}

// Length of a path before it comes within a margin of a cylinder, which with its margin is a cylinder again: larger by it
// in radius and at either end. One that starts within it has none if it leads farther in, and all its way if it leads out.
static inline double up_to_cylinder(const double *start, const double *way, double margin, const Cylinder *of) {
    const double half_height = of->height / 2, wide = of->radius + margin;
    const double x = start[0] - of->x, y = start[1] - of->y, z = start[2] - of->z - half_height;
    // Equation 6.2 with 6.1 put in, a t^2 + 2 b t + c = 0, for the mantle, and a slab for the two ends.
    const double a = greatest(way[0] * way[0] + way[1] * way[1], 1e-12);
    const double b = x * way[0] + y * way[1], c = x * x + y * y - wide * wide, discriminant = b * b - a * c;
    if (!(discriminant > 0)) return INFINITY;
    const double steep = fabs(way[2]) < 1e-12 ? 1e-12 : way[2];
    const double root = sqrt(discriminant), half = (half_height + margin) / fabs(steep), middle = -z / steep;
    const double enter = greatest((-b - root) / a, middle - half), leave = least((-b + root) / a, middle + half);
    const int outward = (enter < 0) & ((b > 0) | ((z * way[2] > 0) & (fabs(z) > half_height)));
    const double onward = greatest(enter, 0.0);
    return (leave > onward) & !outward ? onward : INFINITY;
}

// Length of a path before it comes within a margin of a wall that it leads towards; no more than a third of the tank is
// kept from a wall.
static inline double up_to_walls(const double *start, const double *way, double margin, const double *low,
                                 const double *size) {
    double free = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        if (way[axis] == 0) continue;
        const double edge = least(margin, size[axis] / 3), at = start[axis];
        const double room = greatest(way[axis] > 0 ? size[axis] - edge - at : at - edge - low[axis], 0.0);
        free = least(free, room / greatest(fabs(way[axis]), 1e-12));
    }
    return free;
}

// Antenna.free_path but for solids, with the box as low corner and size, minding so many pillars at most.
// Starts, ways and margins are those of each path, or one for all paths of a fish.
SEEN int32_t artfish_free_path(const FreePathCall *call, int64_t begin, int64_t end) {
    TAKE_FREE_PATH(call);
    const int64_t step = begins > 1, turn = headings > 1, keep = berths > 1, kept = most < count ? most : count;
    int64_t *rows = malloc((size_t)kept * sizeof *rows + 1);
    double *away = malloc((size_t)kept * sizeof *away + 1);
    for (int64_t i = begin; i < end && rows && away; i++) {
        const double *start = starts + 3 * begins * i, *way = ways + 3 * headings * i;
        const double *margin = margins + berths * i;
        const int64_t near = minded(places + 3 * i, cylinders, count, most, rows, away);
        for (int64_t path = 0; path < paths; path++, start += 3 * step, way += 3 * turn, margin += keep) {
            double far = up_to_walls(start, way, *margin, box, box + 3);
            for (int64_t row = 0; row < near; row++)
                far = least(far, up_to_cylinder(start, way, *margin, cylinders + rows[row]));
            free_paths[paths * i + path] = far;
        }
    }
    const int32_t lacking = !rows || !away;
    free(rows), free(away);
    return lacking;
}

// collision.noses: a fish goes sideways by a half circle about a middle beside it, and its nose ahead of it all the way.
SEEN int32_t artfish_noses(const NosesCall *call, int64_t begin, int64_t end) {
    TAKE_NOSES(call);
    for (int64_t i = begin; i < end; i++) {
        const double *p = places + 3 * i, *ahead = headings + 3 * i, r = radii[i], reach = reaches[i];
        const double on[3] = {ahead[0], ahead[1], ahead[2] * 0.0};
        const double sideways[3] = {0.0 * ahead[2] - 1.0 * ahead[1], 1.0 * ahead[0] - 0.0 * ahead[2],
                                    0.0 * ahead[1] - 0.0 * ahead[0]};
        for (int64_t a = 0; a < angles; a++) {
            const double along = r * swing.sines[a] + reach * swing.cosines[a];
            const double across = swing.signs[a] * (r * (1.0 - swing.cosines[a]) + reach * swing.sines[a]);
            for (int axis = 0; axis < 3; axis++)
                noses[3 * (angles * i + a) + axis] = (p[axis] + along * on[axis]) + across * sideways[axis];
        }
    }
    return 0;
}

// collision.swung: the deepest that a nose gets on the way to a turn, less that of a half turn to the better side.
SEEN int32_t artfish_swung(const SwungCall *call, int64_t begin, int64_t end) {
    TAKE_SWUNG(call);
    const int64_t steps = (angles - 1) / 2;
    double *left = malloc((size_t)(2 * steps + 2) * sizeof *left), *right = left + steps + 1;
    if (!left) return 1;
    for (int64_t i = begin; i < end; i++) {
        const double *middle = depths + (2 * steps + 1) * i + steps;
        left[0] = right[0] = middle[0];
        for (int64_t step = 1; step <= steps; step++) {
            left[step] = greatest(left[step - 1], middle[step]);
            right[step] = greatest(right[step - 1], middle[-step]);
        }
        const double better = least(left[steps], right[steps]);
        for (int64_t way = ways * i; way < ways * (i + 1); way++) {
            const double share = fabs(turns[way]) * (double)steps / 3.141592653589793;
            const int64_t step = share < (double)steps ? (int64_t)((share + ROUNDER) - ROUNDER) : steps;
            pressed[way] = greatest((turns[way] > 0 ? left : right)[step] - better, 0.0);
        }
    }
    free(left);
    return 0;
}
