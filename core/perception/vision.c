// Who sees whom: what core/perception/vision.py defines and explains, compiled, with the same bits.

#include "habitat/cylinders.h"
#include "declared.h"

enum { MOST_NODES = 32 };

static const double BLOCKING_SLACK = 1.001;

// vision._behind_cylinders, of one line.
static inline int blocked(const double *start, const double *end, const Cylinder *cylinders, int64_t count) {
    const double dx = end[0] - start[0], dy = end[1] - start[1], dz = end[2] - start[2];
    const double flat = dx * dx + dy * dy, steep = fabs(dz) < 1e-12 ? 1e-12 : dz, half = 0.5 * sqrt(flat);
    const double middle_x = 0.5 * (start[0] + end[0]), middle_y = 0.5 * (start[1] + end[1]);
    for (const Cylinder *of = cylinders; of < cylinders + count; of++) {
        const double across_x = middle_x - of->x, across_y = middle_y - of->y, wide = half + of->radius;
        if (!(across_x * across_x + across_y * across_y < wide * wide * BLOCKING_SLACK)) continue;
        const double x = start[0] - of->x, y = start[1] - of->y, z = start[2] - of->z;
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
    const int64_t last = n * others;
    if (points > MOST_NODES) return 1;
    for (int64_t pair = 0; pair < last; pair++) middles[4 * candidates[pair] + 3] = -1.0;
    for (int64_t pair = 0; pair < last; pair++) {
        double *middle = middles + 4 * candidates[pair], sums[3 * MOST_NODES], farthest = 0.0;
        if (middle[3] != -1.0) continue;
        const double *node = nodes + 3 * points * candidates[pair];
        memcpy(sums, node, (size_t)(3 * points) * sizeof *sums);
        for (int64_t left = points; left > 1; left = (left + 1) / 2)
            for (int64_t i = 0; i < 3 * (left / 2); i++) sums[i] += sums[3 * ((left + 1) / 2) + i];
        for (int axis = 0; axis < 3; axis++) middle[axis] = sums[axis] / (double)points;
        for (int64_t i = 0; i < points; i++) {
            const double arm[3] = {node[3 * i] - middle[0], node[3 * i + 1] - middle[1], node[3 * i + 2] - middle[2]};
            farthest = greatest(farthest, dot(arm, arm));
        }
        middle[3] = sqrt(farthest);
    }
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
