// The solids of fields.c, and their triangles: what core/geometry/facets.py defines and explains.

#include "compiled/exact.h"

enum { MESH, BASIN, BED };

// A mesh: numbers as in Layout, counts of samples (3,), samples, row of each cell and of those that are edged, of close
// cells where their triangles begin, how many they are, how many cross it, how often the mesh goes around its middle,
// whether it is crowded, and its middle (n, 3); triangles, and of all of them the table (17, m), corners (m, 3, 3),
// normals (m, 3), whether it is flat (m,) and which of its sides are upward (m, 3). A bed: Layout, counts, samples.
typedef struct {
    double low[3], cell, half, grain, middle[3], radius, shell, gaping, step[2], top, depth, diagonal, levels;
} Layout;

typedef struct {
    int64_t kind, facets;
    const Layout *of;
    const int64_t *counts;
    const double *samples;
    const int32_t *rows, *edged;
    const int64_t *first, *many, *crossing, *turns;
    const uint8_t *crowded;
    const double *middles;
    const int32_t *owned;
    const double *table, *corners, *normals;
    const uint8_t *flat, *upward;
} Field;

enum { FIELD_ARRAYS = 17 };

static Field field_of(void **arrays, int64_t kind, int64_t facets) {
    return (Field){kind,       facets,     arrays[0],  arrays[1],  arrays[2],  arrays[3],  arrays[4],
                   arrays[5],  arrays[6],  arrays[7],  arrays[8],  arrays[9],  arrays[10], arrays[11],
                   arrays[12], arrays[13], arrays[14], arrays[15], arrays[16]};
}

// A point in the axes of a triangle.
typedef struct {
    double x, y, z, length, out, height, left, right;
} Local;

static inline Local local_to(const Field *field, const double *p, int64_t row) {
    const double *t = field->table + row;
    const int64_t m = field->facets;
    Local of;
    of.x = t[0] * p[0] + t[m] * p[1] + t[2 * m] * p[2] - t[9 * m];
    of.y = t[3 * m] * p[0] + t[4 * m] * p[1] + t[5 * m] * p[2] - t[10 * m];
    of.z = t[6 * m] * p[0] + t[7 * m] * p[1] + t[8 * m] * p[2] - t[11 * m];
    of.length = t[12 * m], of.out = t[13 * m], of.height = t[14 * m];
    const double far = of.x - of.length, reach = of.length - of.out;
    of.left = least(greatest((of.x * of.out + of.y * of.height) * t[15 * m], 0.0), 1.0);
    of.right = least(greatest((of.y * of.height - far * reach) * t[16 * m], 0.0), 1.0);
    return of;
}

static inline int over(const Local *of) {
    const double far = of->x - of->length, reach = of->length - of->out;
    return (of->y > 0.0) & (of->x * of->height > of->y * of->out) & (-far * of->height > of->y * reach);
}

// Facets.squared.
static inline double squared(const Field *field, const double *p, int64_t row) {
    const Local of = local_to(field, p, row);
    const double far = of.x - of.length, reach = of.length - of.out;
    const double along = of.x - least(greatest(of.x, 0.0), of.length);
    const double left_x = of.x - of.left * of.out, left_y = of.y - of.left * of.height;
    const double right_x = far + of.right * reach, right_y = of.y - of.right * of.height;
    double found = along * along + of.y * of.y;
    found = least(found, left_x * left_x + left_y * left_y);
    found = least(found, right_x * right_x + right_y * right_y);
    return (over(&of) ? 0.0 : found) + of.z * of.z;
}

// Facets.nearest.
static inline void nearest_on(const Field *field, const double *p, int64_t row, double *place) {
    const Local of = local_to(field, p, row);
    const double reach = of.length - of.out;
    const double u[4] = {least(greatest(of.x, 0.0), of.length), of.left * of.out, of.length - of.right * reach, of.x};
    const double v[4] = {0.0, of.left * of.height, of.right * of.height, of.y};
    int which = 3;
    if (!over(&of)) {
        double closest = INFINITY;
        which = 0;
        for (int side = 0; side < 3; side++) {
            const double x = u[side] - of.x, y = v[side] - of.y, away = x * x + y * y;
            if (away < closest) closest = away, which = side;
        }
    }
    const double *t = field->table + row, *corner = field->corners + 9 * row;
    for (int axis = 0; axis < 3; axis++)
        place[axis] = corner[axis] + u[which] * t[axis * field->facets] + v[which] * t[(3 + axis) * field->facets];
}

// Facets.crossed.
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
