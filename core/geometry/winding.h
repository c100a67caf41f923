// The generalised winding number of a mesh about a place, by groups of its triangles (Barill, Dickson, Schmidt, Levin &
// Jacobson 2018, equation 4, of the first order); core/geometry/winding.py makes the groups.

#pragma once

#include "compiled/exact.h"
#include "declared.h"

enum { LEAF_TRIANGLES = 8, MOST_LEVELS = 32 };  // of more triangles than there are

// Radii of a group of triangles from its middle from which on they count together: they err by some 1 % then.
static const double FAR_RADII = 2.3;

// The share of all directions that a triangle takes in, positive from behind it (van Oosterom & Strackee 1983).
static inline double solid_angle(const double *p, const double *corners) {
    double arms[3][3], away[3];
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) arms[corner][axis] = corners[3 * corner + axis] - p[axis];
        away[corner] = sqrt(dot(arms[corner], arms[corner]));
    }
    const double *a = arms[0], *b = arms[1], *c = arms[2];
    const double across[3] = {b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]};
    const double flat = away[0] * away[1] * away[2] + dot(a, b) * away[2] + dot(b, c) * away[0] + dot(c, a) * away[1];
    return arctan2(dot(a, across), flat) / 6.283185307179586;
}

// Adds what a group takes in, if it is far away for its extent, to the sum of its level, which is counted from 1; or what
// the groups in it do, and of the smallest the triangles, to that of level 0.
static void take_in(const Groups *groups, const double *p, int64_t level, int64_t group, double *sums) {
    const int64_t row = groups->starts[level - 1] + group;
    const double *middle = groups->middles + 3 * row;
    const double arm[3] = {middle[0] - p[0], middle[1] - p[1], middle[2] - p[2]}, away = sqrt(dot(arm, arm));
    if (away > FAR_RADII * groups->radii[row]) {
        sums[level] += dot(groups->areas + 3 * row, arm) / (12.566370614359172 * away * away * away);
    } else if (level > 1) {
        const int64_t below = groups->starts[level - 1] - groups->starts[level - 2];
        for (int64_t child = 4 * group; child < 4 * group + 4 && child < below; child++)
            take_in(groups, p, level - 1, child, sums);
    } else {
        const int64_t last = LEAF_TRIANGLES * (group + 1), end = last < groups->leaves ? last : groups->leaves;
        for (int64_t i = LEAF_TRIANGLES * group; i < end; i++) sums[0] += solid_angle(p, groups->corners + 9 * i);
    }
}

static inline double winding_at(const Groups *groups, const double *p) {
    double sums[MOST_LEVELS + 1] = {0.0}, turns = 0.0;
    take_in(groups, p, groups->bounds - 1, 0, sums);
    for (int64_t level = groups->bounds - 1; level >= 0; level--) turns += sums[level];
    return turns;
}
