// The triangles of solids, each in axes of its own, see core/geometry/facets.py: how far they are, where they are nearest,
// and whether lines cross them.

#pragma once

#include "compiled/exact.h"
#include "declared.h"

enum { MESH, BASIN, BED };

// A point in the axes of a triangle, and how far along its other two sides it is: 0 at one end to 1 at the other. The
// corners are at (0, 0), (length, 0) and (out, height).
typedef struct {
    double x, y, z, length, out, height, left, right;
} Local;

static inline Local local_to(const Field *field, const double *p, int64_t row) {
    const double *t = field->table + row;
    const int64_t m = field->facets;
    Local at;
    at.x = t[0] * p[0] + t[m] * p[1] + t[2 * m] * p[2] - t[9 * m];
    at.y = t[3 * m] * p[0] + t[4 * m] * p[1] + t[5 * m] * p[2] - t[10 * m];
    at.z = t[6 * m] * p[0] + t[7 * m] * p[1] + t[8 * m] * p[2] - t[11 * m];
    at.length = t[12 * m], at.out = t[13 * m], at.height = t[14 * m];
    const double far = at.x - at.length, reach = at.length - at.out;
    at.left = least(greatest((at.x * at.out + at.y * at.height) * t[15 * m], 0.0), 1.0);
    at.right = least(greatest((at.y * at.height - far * reach) * t[16 * m], 0.0), 1.0);
    return at;
}

static inline int over(const Local *at) {
    const double far = at->x - at->length, reach = at->length - at->out;
    return (at->y > 0.0) & (at->x * at->height > at->y * at->out) & (-far * at->height > at->y * reach);
}

// Square of the distance between a point and a triangle.
static inline double squared(const Field *field, const double *p, int64_t row) {
    const Local at = local_to(field, p, row);
    const double far = at.x - at.length, reach = at.length - at.out;
    const double along = at.x - least(greatest(at.x, 0.0), at.length);
    const double left_x = at.x - at.left * at.out, left_y = at.y - at.left * at.height;
    const double right_x = far + at.right * reach, right_y = at.y - at.right * at.height;
    double found = along * along + at.y * at.y;
    found = least(found, left_x * left_x + left_y * left_y);
    found = least(found, right_x * right_x + right_y * right_y);
    return (over(&at) ? 0.0 : found) + at.z * at.z;
}

// The place of a triangle that is nearest to a point.
static inline void nearest_on(const Field *field, const double *p, int64_t row, double *place) {
    const Local at = local_to(field, p, row);
    const double reach = at.length - at.out;
    const double u[4] = {least(greatest(at.x, 0.0), at.length), at.left * at.out, at.length - at.right * reach, at.x};
    const double v[4] = {0.0, at.left * at.height, at.right * at.height, at.y};
    int which = 3;
    if (!over(&at)) {
        double closest = INFINITY;
        which = 0;
        for (int side = 0; side < 3; side++) {
            const double x = u[side] - at.x, y = v[side] - at.y, away = x * x + y * y;
            if (away < closest) closest = away, which = side;
        }
    }
    const double *t = field->table + row, *corner = field->corners + 9 * row;
    for (int axis = 0; axis < 3; axis++)
        place[axis] = corner[axis] + u[which] * t[axis * field->facets] + v[which] * t[(3 + axis) * field->facets];
}

// A line crosses a triangle inwards, 1, outwards, -1, or not at all, 0. Of triangles that share a side, a line through it
// crosses one, since the side is tested in the same way for both (Woop, Benthin and Wald 2013).
static inline int crossed(const Field *field, const double *start, const double *end, int64_t row) {
    const double plane = field->table[11 * field->facets + row];
    const int before = dot(start, field->normals + 3 * row) - plane > 0.0;
    const int after = dot(end, field->normals + 3 * row) - plane > 0.0;
    if ((before == after) | field->flat[row]) return 0;
    double arms[3][3], way[3];
    int left[3];
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 3; k++) arms[k][axis] = field->corners[9 * row + 3 * k + axis] - start[axis];
        way[axis] = end[axis] - start[axis];
    }
    for (int k = 0; k < 3; k++) {
        const double *a = arms[k], *b = arms[(k + 1) % 3];
        const double normal[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
        const double side = dot(normal, way);
        left[k] = side == 0.0 ? field->upward[3 * row + k] != 0 : side > 0.0;
    }
    return (left[0] == left[1]) & (left[1] == left[2]) ? (before ? 1 : -1) : 0;
}
