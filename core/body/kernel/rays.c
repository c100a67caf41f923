// Rays, sight and distances among walls and upright cylinders: what core/habitat/obstacles.py, core/habitat/tank.py,
// core/perception/collision.py, core/perception/vision.py and core/world/containment.py define and explain, compiled.
//
// Operation by operation the same as there, so the bits are those of NumPy's forms. A function takes its arrays in the
// order in which its comment has them, those that it fills last, and does the work of rows from the first number up to
// the second.

#include "exact.h"

enum { MOST_MINDED = 8, MOST_NODES = 32, MOST_STEPS = 16, STRIP = 32 };

static const double BLOCKING_SLACK = 1.001;
static const double SLACK = 1.000000001;  // a square root and a few sums err by far less

typedef struct {
    double x, y, z, radius, height;
} Cylinder;

// Squares of how far so many cylinders' axes are, STRIP at most.
static inline void squares_of(const double *p, const Cylinder *cylinders, int64_t count, double *squares) {
    for (int64_t i = 0; i < count; i++) {
        const double x = p[0] - cylinders[i].x, y = p[1] - cylinders[i].y;
        squares[i] = x * x + y * y;
    }
}

// The row of the cylinder whose surface is nearest.
static inline int64_t nearest_cylinder(const double *p, const Cylinder *cylinders, int64_t count) {
    int64_t nearest = 0;
    double closest = INFINITY, squares[STRIP];
    for (int64_t from = 0; from < count; from += STRIP) {
        const int64_t end = from + STRIP < count ? from + STRIP : count;
        squares_of(p, cylinders + from, end - from, squares);
        for (int64_t row = from; row < end; row++) {
            const Cylinder *of = cylinders + row;
            const double square = squares[row - from], far = (closest + of->radius) * SLACK;
            if (far > 0.0 && square > far * far) continue;
            const double out = sqrt(square) - of->radius, up = fabs(p[2] - of->z - of->height / 2) - of->height / 2;
            const double most = greatest(out, up), beyond_out = greatest(out, 0.0), beyond_up = greatest(up, 0.0);
            const double distance = most > 0 ? sqrt(beyond_out * beyond_out + beyond_up * beyond_up) : most;
            if (distance < closest) nearest = row, closest = distance;
        }
    }
    return nearest;
}

// From the nearest cylinder, and where that grows unless it is left out.
static inline double from_cylinders(const double *p, const Cylinder *cylinders, int64_t count, double *way) {
    const Cylinder *of = cylinders + nearest_cylinder(p, cylinders, count);
    const double x = p[0] - of->x, y = p[1] - of->y, z = p[2] - of->z - of->height / 2;
    const double length = sqrt(x * x + y * y), out = length - of->radius, up = fabs(z) - of->height / 2;
    const double beyond_out = greatest(out, 0.0), beyond_up = greatest(up, 0.0);
    const double corner = sqrt(beyond_out * beyond_out + beyond_up * beyond_up);
    if (way) {
        const int inside = corner == 0, on_axis = length == 0;
        const double scale = inside ? 1.0 : corner;
        const double sideways = inside ? (out >= up ? 1.0 : 0.0) : beyond_out / scale;
        const double upright = (inside ? (out < up ? 1.0 : 0.0) : beyond_up / scale) * (z < 0 ? -1.0 : 1.0);
        const double safe = on_axis ? 1.0 : length;
        way[0] = sideways * (on_axis ? 1.0 : x / safe);
        way[1] = sideways * (on_axis ? 0.0 : y / safe);
        way[2] = upright;
    }
    return corner + least(greatest(out, up), 0.0);
}

// From the nearest side of a box between two corners, positive in it.
static inline double from_walls(const double *p, const double *low, const double *high) {
    double inner = INFINITY, beyond[3];
    for (int axis = 0; axis < 3; axis++) {
        const double under = p[axis] - low[axis], over = high[axis] - p[axis];
        inner = least(least(inner, under), over);
        beyond[axis] = greatest(-under, 0.0) - greatest(-over, 0.0);
    }
    const double outer = sqrt(dot(beyond, beyond));
    return outer > 0 ? -outer : inner;
}

// Obstacles._from_cylinders: points (n, 3), cylinders (k, 5); distance (n,), direction (n, 3). Numbers: k.
SEEN int32_t artfish_from_cylinders(void **arrays, const int64_t *numbers) {
    const double *points = arrays[0];
    const Cylinder *cylinders = arrays[1];
    double *distance = arrays[2], *direction = arrays[3];
    for (int64_t i = numbers[0]; i < numbers[1]; i++)
        distance[i] = from_cylinders(points + 3 * i, cylinders, numbers[2], direction + 3 * i);
    return 0;
}

// Antenna._gap but for solids: points (n, 3), cylinders (k, 5), corners of the tank (2, 3); gap (n,). Numbers: k.
SEEN int32_t artfish_gap(void **arrays, const int64_t *numbers) {
    const double *points = arrays[0], *box = arrays[2];
    const Cylinder *cylinders = arrays[1];
    double *gap = arrays[3];
    for (int64_t i = numbers[0]; i < numbers[1]; i++) {
        const double *p = points + 3 * i;
        const double walls = from_walls(p, box, box + 3);
        gap[i] = numbers[2] ? least(walls, from_cylinders(p, cylinders, numbers[2], NULL)) : walls;
    }
    return 0;
}

// Obstacles.nearest: the cylinders with the nearest mantles, nearest first, of equally near ones the first.
static inline int64_t minded(const double *p, const Cylinder *cylinders, int64_t count, int64_t most, int64_t *rows) {
    if (count <= most) {
        for (int64_t row = 0; row < count; row++) rows[row] = row;
        return count;
    }
    double away[MOST_MINDED], outs[STRIP];
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

// Obstacles.free_path, of one path against one cylinder.
static inline double up_to_cylinder(const double *start, const double *way, double margin, const Cylinder *of) {
    const double half_height = of->height / 2, wide = of->radius + margin;
    const double x = start[0] - of->x, y = start[1] - of->y, z = start[2] - of->z - half_height;
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

// Tank.free_path, of one path.
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

// Antenna.free_path but for solids: places (n, 3), starts (n, 1 or c, 3), ways (n, 1 or c, 3), margins (n, 1 or c),
// cylinders (k, 5), corners of the tank (2, 3); free (n, c). Numbers: c, how many starts, how many ways, how many margins,
// k, how many are minded.
SEEN int32_t artfish_free_path(void **arrays, const int64_t *numbers) {
    const double *places = arrays[0], *starts = arrays[1], *ways = arrays[2], *margins = arrays[3], *box = arrays[5];
    const Cylinder *cylinders = arrays[4];
    double *free = arrays[6];
    const int64_t paths = numbers[2], step = numbers[3] > 1, turn = numbers[4] > 1, keep = numbers[5] > 1;
    const int64_t count = numbers[6];
    int64_t rows[MOST_MINDED];
    if (numbers[7] > MOST_MINDED) return 1;
    for (int64_t i = numbers[0]; i < numbers[1]; i++) {
        const double *start = starts + 3 * numbers[3] * i, *way = ways + 3 * numbers[4] * i;
        const double *margin = margins + numbers[5] * i;
        const int64_t near = minded(places + 3 * i, cylinders, count, numbers[7], rows);
        for (int64_t path = 0; path < paths; path++, start += 3 * step, way += 3 * turn, margin += keep) {
            double far = up_to_walls(start, way, *margin, box, box + 3);
            for (int64_t row = 0; row < near; row++)
                far = least(far, up_to_cylinder(start, way, *margin, cylinders + rows[row]));
            free[paths * i + path] = far;
        }
    }
    return 0;
}

// vision.blocks, of one line, but for solids.
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

// Middles of fishes that are looked at, and how far their nodes are from them: candidates (n, k), nodes (fish, p, 3);
// middles (fish, 4), those of all others as they were. Numbers: k, p.
SEEN int32_t artfish_middles(void **arrays, const int64_t *numbers) {
    const int64_t *candidates = arrays[0], first = numbers[0] * numbers[2], last = numbers[1] * numbers[2];
    const double *nodes = arrays[1];
    double *middles = arrays[2];
    const int64_t points = numbers[3];
    if (points > MOST_NODES) return 1;
    for (int64_t pair = first; pair < last; pair++) middles[4 * candidates[pair] + 3] = -1.0;
    for (int64_t pair = first; pair < last; pair++) {
        double *middle = middles + 4 * candidates[pair], sums[3 * MOST_NODES], farthest = 0.0;
        if (middle[3] != -1.0) continue;
        const double *node = nodes + 3 * points * candidates[pair];
        memcpy(sums, node, 3 * points * sizeof *sums);
        for (int64_t left = points; left > 1; left = (left + 1) / 2)
            for (int64_t i = 0; i < 3 * (left / 2); i++) sums[i] += sums[3 * ((left + 1) / 2) + i];
        for (int axis = 0; axis < 3; axis++) middle[axis] = sums[axis] / points;
        for (int64_t i = 0; i < points; i++) {
            const double arm[3] = {node[3 * i] - middle[0], node[3 * i + 1] - middle[1], node[3 * i + 2] - middle[2]};
            farthest = greatest(farthest, dot(arm, arm));
        }
        middle[3] = sqrt(farthest);
    }
    return 0;
}

// Vision.look but for solids: fishes (n,), candidates (n, k), eyes (fish, 3), headings (fish, 3), nodes (fish, p, 3),
// alive (fish,), sight (fish,), length (fish,), middles (fish, 4), cylinders (c, 5), cosine of half the field (1,);
// distance (n, k), seen (n, k) or, where every node is looked at, (n, k, p). Numbers: k, p, c, whether every is.
SEEN int32_t artfish_look(void **arrays, const int64_t *numbers) {
    const int64_t *fishes = arrays[0], *candidates = arrays[1];
    const double *eyes = arrays[2], *headings = arrays[3], *nodes = arrays[4], *sight = arrays[6], *length = arrays[7];
    const double *middles = arrays[8], *cosine = arrays[10];
    const uint8_t *alive = arrays[5];
    const Cylinder *cylinders = arrays[9];
    double *distance = arrays[11];
    uint8_t *seen = arrays[12];
    const int64_t others = numbers[2], points = numbers[3], every = numbers[5];
    for (int64_t row = numbers[0]; row < numbers[1]; row++) {
        const int64_t me = fishes[row];
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
                    visible = (far <= reach) & (dot(ray, ahead) >= *cosine * far)
                        && !blocked(eye, node, cylinders, numbers[4]);
                }
                if (every) seen[points * pair + point] = visible;
                any |= visible;
                if (!every && (any || !near)) break;
            }
            if (!every) seen[pair] = any;
            distance[pair] = every | any ? away : INFINITY;
        }
    }
    return 0;
}

// vision.blocks of cylinders: starts (n, 3), ends (n, 3), cylinders (c, 5); whether each line is blocked (n,) uint8.
// Numbers: c.
SEEN int32_t artfish_blocks(void **arrays, const int64_t *numbers) {
    const double *starts = arrays[0], *ends = arrays[1];
    uint8_t *found = arrays[3];
    for (int64_t i = numbers[0]; i < numbers[1]; i++)
        found[i] = blocked(starts + 3 * i, ends + 3 * i, arrays[2], numbers[2]) != 0;
    return 0;
}

// The least and the greatest of x, y and z: nodes (n, p, 3); low (n, 3), high (n, 3). Numbers: p.
SEEN int32_t artfish_extents(void **arrays, const int64_t *numbers) {
    const double *nodes = arrays[0];
    double *lows = arrays[1], *highs = arrays[2];
    const int64_t points = numbers[2];
    for (int64_t i = numbers[0]; i < numbers[1]; i++) {
        const double *node = nodes + 3 * points * i;
        double low[3] = {node[0], node[1], node[2]}, high[3] = {node[0], node[1], node[2]};
        for (int64_t point = 1; point < points; point++)
            for (int axis = 0; axis < 3; axis++) {
                low[axis] = least(low[axis], node[3 * point + axis]);
                high[axis] = greatest(high[axis], node[3 * point + axis]);
            }
        memcpy(lows + 3 * i, low, sizeof low);
        memcpy(highs + 3 * i, high, sizeof high);
    }
    return 0;
}

// Antenna.keep_clear: places (n, 3), distance to what stands (n,), where that grows (n, 3), distances to keep (n,), corners
// of the tank (2, 3); pushes (n, 4, 3).
SEEN int32_t artfish_keep_clear(void **arrays, const int64_t *numbers) {
    const double *places = arrays[0], *distances = arrays[1], *outwards = arrays[2], *berths = arrays[3];
    const double *box = arrays[4];
    double *pushes = arrays[5];
    for (int64_t i = numbers[0]; i < numbers[1]; i++) {
        double *push = pushes + 12 * i;
        for (int axis = 0; axis < 3; axis++) {
            const double low = places[3 * i + axis] - box[axis], high = box[3 + axis] - places[3 * i + axis];
            const double share = 2 * within(1 - least(low, high) / berths[i], 0.0, 2.0), side = low <= high ? 1.0 : -1.0;
            for (int k = 0; k < 3; k++) push[3 * axis + k] = share * (side * (k == axis ? 1.0 : 0.0));
        }
        const double share = 2 * within(1 - distances[i] / berths[i], 0.0, 2.0);
        for (int k = 0; k < 3; k++) push[9 + k] = share * outwards[3 * i + k];
    }
    return 0;
}

// mind.press_off: pushes of walls (n, 4, 3); wishes (n, 3), which it changes.
SEEN int32_t artfish_press_off(void **arrays, const int64_t *numbers) {
    const double *pushes = arrays[0];
    double *wishes = arrays[1];
    for (int64_t i = numbers[0]; i < numbers[1]; i++) {
        double *wish = wishes + 3 * i;
        for (const double *wall = pushes + 12 * i; wall < pushes + 12 * (i + 1); wall += 3) {
            const double size = sqrt(dot(wall, wall)), safe = greatest(size, LEAST_LENGTH);
            const double off[3] = {wall[0] / safe, wall[1] / safe, wall[2] / safe};
            const double against = least(size, 1.0) * least(dot(wish, off), 0.0);
            for (int axis = 0; axis < 3; axis++) wish[axis] += wall[axis] - against * off[axis];
        }
    }
    return 0;
}

// collision.noses: places (n, 3), headings (n, 3), radii (n,), reaches (n,), sines, cosines and signs (3, a); noses
// (n, a, 3). Numbers: a.
SEEN int32_t artfish_noses(void **arrays, const int64_t *numbers) {
    const double *places = arrays[0], *headings = arrays[1], *radii = arrays[2], *reaches = arrays[3];
    const int64_t angles = numbers[2];
    const double *sines = arrays[4], *cosines = sines + angles, *signs = cosines + angles;
    double *noses = arrays[5];
    for (int64_t i = numbers[0]; i < numbers[1]; i++) {
        const double *p = places + 3 * i, *ahead = headings + 3 * i, r = radii[i], reach = reaches[i];
        const double on[3] = {ahead[0] * 1.0, ahead[1] * 1.0, ahead[2] * 0.0};
        const double sideways[3] = {0.0 * ahead[2] - 1.0 * ahead[1], 1.0 * ahead[0] - 0.0 * ahead[2],
                                    0.0 * ahead[1] - 0.0 * ahead[0]};
        for (int64_t a = 0; a < angles; a++) {
            const double along = r * sines[a] + reach * cosines[a];
            const double across = signs[a] * (r * (1.0 - cosines[a]) + reach * sines[a]);
            for (int axis = 0; axis < 3; axis++)
                noses[3 * (angles * i + a) + axis] = (p[axis] + along * on[axis]) + across * sideways[axis];
        }
    }
    return 0;
}

// collision.swung: turns (n, c), depths (n, 2 s + 1); pressed (n, c). Numbers: c, s.
SEEN int32_t artfish_swung(void **arrays, const int64_t *numbers) {
    const double *turns = arrays[0], *depths = arrays[1];
    double *pressed = arrays[2], left[MOST_STEPS + 1], right[MOST_STEPS + 1];
    const int64_t ways = numbers[2], steps = numbers[3];
    if (steps > MOST_STEPS) return 1;
    for (int64_t i = numbers[0] * ways; i < numbers[1] * ways; i++)
        if (!(fabs(turns[i]) <= 3.2)) return 1;
    for (int64_t i = numbers[0]; i < numbers[1]; i++) {
        const double *middle = depths + (2 * steps + 1) * i + steps;
        left[0] = right[0] = middle[0];
        for (int64_t step = 1; step <= steps; step++) {
            left[step] = greatest(left[step - 1], middle[step]);
            right[step] = greatest(right[step - 1], middle[-step]);
        }
        const double better = least(left[steps], right[steps]);
        for (int64_t way = ways * i; way < ways * (i + 1); way++) {
            const double share = fabs(turns[way]) * (double)steps / 3.141592653589793;
            const int64_t step = (int64_t)((share + ROUNDER) - ROUNDER);
            pressed[way] = greatest((turns[way] > 0 ? left : right)[step] - better, 0.0);
        }
    }
    return 0;
}
