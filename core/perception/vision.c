// Sight of fishes by fishes (Tu 1999, sections 6.3 and 6.4); tests/plain/perception/vision.py says the same in NumPy.

#include <stdlib.h>

#include "habitat/cylinders.h"
#include "declared.h"

static const double BLOCKING_SLACK = 1.001;  // so that no rounding loses a pillar that only just stands in the way

// Whether some of a line is in any of so many cylinders, equations 6.1 and 6.2.
static inline int blocked(const double *start, const double *end, const Cylinder *cylinders, int64_t count) {
    const double dx = end[0] - start[0], dy = end[1] - start[1], dz = end[2] - start[2];
    const double flat = dx * dx + dy * dy, steep = fabs(dz) < 1e-12 ? 1e-12 : dz, half = 0.5 * sqrt(flat);
    const double middle_x = 0.5 * (start[0] + end[0]), middle_y = 0.5 * (start[1] + end[1]);
    for (const Cylinder *of = cylinders; of < cylinders + count; of++) {
        const double across_x = middle_x - of->x, across_y = middle_y - of->y, wide = half + of->radius;
        if (!(across_x * across_x + across_y * across_y < wide * wide * BLOCKING_SLACK)) continue;
        const double x = start[0] - of->x, y = start[1] - of->y, z = start[2] - of->z;
        // The part of the line, t in [0, 1], between the heights of foot and top, and how near it comes to the axis.
        const double foot = -z / steep, top = (of->height - z) / steep;
        const double enter = greatest(least(foot, top), 0.0), leave = least(greatest(foot, top), 1.0);
        const double nearest = flat > 0 ? -(x * dx + y * dy) / flat : 0.0;
        const double t = least(greatest(nearest, enter), leave), to_x = x + t * dx, to_y = y + t * dy;
        if ((enter < leave) & (to_x * to_x + to_y * to_y < of->radius * of->radius)) return 1;
    }
    return 0;
}

// Middles of fishes that are looked at, and how far their nodes are from them.
SEEN int32_t artfish_middles(const MiddlesCall *call) {
    TAKE_MIDDLES(call);
    const int64_t last = n * others, numbers = 3 * points;
    double *sums = malloc((size_t)numbers * sizeof *sums + 1);
    if (!sums) return 1;
    for (int64_t pair = 0; pair < last; pair++) middles[4 * candidates[pair] + 3] = -1.0;
    for (int64_t pair = 0; pair < last; pair++) {
        double *middle = middles + 4 * candidates[pair], farthest = 0.0;
        if (middle[3] != -1.0) continue;
        const double *node = nodes + numbers * candidates[pair];
        memcpy(sums, node, (size_t)numbers * sizeof *sums);
        fold(sums, points, 3);
        for (int axis = 0; axis < 3; axis++) middle[axis] = sums[axis] / (double)points;
        for (int64_t i = 0; i < points; i++) {
            const double arm[3] = {node[3 * i] - middle[0], node[3 * i + 1] - middle[1], node[3 * i + 2] - middle[2]};
            farthest = greatest(farthest, dot(arm, arm));
        }
        middle[3] = sqrt(farthest);
    }
    free(sums);
    return 0;
}

// vision.blocks but for solids.
SEEN int32_t artfish_behind_cylinders(const BehindCylindersCall *call, int64_t begin, int64_t end) {
    TAKE_BEHIND_CYLINDERS(call);
    for (int64_t i = begin; i < end; i++) behind[i] = blocked(starts + 3 * i, ends + 3 * i, cylinders, count) != 0;
    return 0;
}

// Vision.look but for solids. Where there are as many looks as points every node is looked at, or else one look tells
// whether any is seen.
SEEN int32_t artfish_look(const LookCall *call, int64_t begin, int64_t end) {
    TAKE_LOOK(call);
    const int every = looks > 1;
    for (int64_t row = begin; row < end; row++) {
        const int64_t me = rows[row];
        const double *eye = eyes + 3 * me, *ahead = headings + 3 * me;
        for (int64_t pair = others * row; pair < others * (row + 1); pair++) {
            const int64_t other = candidates[pair];
            const double *middle = middles + 4 * other, *node = nodes + 3 * points * other;
            const double arm[3] = {middle[0] - eye[0], middle[1] - eye[1], middle[2] - eye[2]};
            const double away = sqrt(dot(arm, arm)), reach = sight[me] * length[other] / length[me];
            const int near = (other != me) & (alive[other] != 0) & (away - middle[3] <= reach);
            int any = 0;
            for (int64_t point = 0; point < points; point++, node += 3) {
                int visible = 0;
                if (near) {
                    const double ray[3] = {node[0] - eye[0], node[1] - eye[1], node[2] - eye[2]};
                    const double far = sqrt(dot(ray, ray));
                    visible = (far <= reach) & (dot(ray, ahead) >= cosine * far)
                        && !blocked(eye, node, cylinders, count);
                }
                if (every) seen[points * pair + point] = visible != 0;
                any |= visible;
                if (!every && (any || !near)) break;
            }
            if (!every) seen[pair] = any != 0;
            distance[pair] = every | any ? away : INFINITY;
        }
    }
    return 0;
}
