// Solids of any form: what core/geometry/solids.py, mesh_field.py, facets.py, basin.py and bed.py define and explain of
// distances and free paths, compiled.
//
// Operation by operation the same as there, so the bits are those of NumPy's forms. A function takes its arrays in the
// order in which its comment has them, first those of the solid, and does the work of rows from the first number up to
// the second. Which rows it leaves to NumPy's form, for they need the tree of pieces or groups of triangles, is said in
// the last array.

#include "geometry/facets.h"
#include "declared.h"

enum { MOST_MARCHES = 48, MOST_CROSSING = 500, MOST_CELLS_ALONG = 600 };

static const double HALF_DIAGONAL = 0.8660254037844386, CLOSE_CELLS = 0.8660254037844386 + 0.35;
static const double TOUCHING_CELLS = 1e-9, LEVEL_CELLS = 1e-9;

// Where a point is among the samples.
typedef struct {
    double samples[2][2][2], share[3], beyond[3];
    int64_t corner[3], cell;
    int outside;
} Located;

static inline Located located(const Field *field, const double *p) {
    Located at;
    const int64_t *counts = field->counts;
    at.outside = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double local = (p[axis] - field->layout->low[axis]) / field->layout->cell;
        const double inner = least(greatest(local, 0.0), (double)counts[axis] - 1.0);
        at.corner[axis] = inner > 0 ? (int64_t)inner : 0;  // NaN is nowhere
        if (at.corner[axis] > counts[axis] - 2) at.corner[axis] = counts[axis] - 2;
        at.share[axis] = inner - (double)at.corner[axis];
        at.beyond[axis] = (local - inner) * field->layout->cell;
        at.outside |= at.beyond[axis] != 0.0;
    }
    const int64_t along = counts[1] * counts[2], first = along * at.corner[0] + counts[2] * at.corner[1] + at.corner[2];
    for (int x = 0; x < 2; x++)
        for (int y = 0; y < 2; y++)
            for (int z = 0; z < 2; z++) at.samples[x][y][z] = field->samples[first + along * x + counts[2] * y + z];
    at.cell = at.outside ? along * counts[0] - 1 : first;
    return at;
}

static inline double mix(double one, double two, double share) { return one + share * (two - one); }

// sampling.slopes; or sampling.lines, where the slope is left out.
static inline double between(const Located *at, double *slope) {
    const double x = at->share[0], y = at->share[1], z = at->share[2];
    double along_z[2][2], along_yz[2], steep[2];
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) along_z[i][j] = mix(at->samples[i][j][0], at->samples[i][j][1], z);
        along_yz[i] = mix(along_z[i][0], along_z[i][1], y);
        if (slope)
            steep[i] = mix(at->samples[i][0][1] - at->samples[i][0][0], at->samples[i][1][1] - at->samples[i][1][0], y);
    }
    if (slope) {
        slope[0] = along_yz[1] - along_yz[0];
        slope[1] = mix(along_z[0][1] - along_z[0][0], along_z[1][1] - along_z[1][0], x);
        slope[2] = mix(steep[0], steep[1], x);
    }
    return mix(along_yz[0], along_yz[1], x);
}

// MeshField._measured: signed distance of a point in a close cell, and the nearest triangle; whether it is known here.
static inline int measured(const Field *field, const double *p, int64_t row, double *value, int64_t *nearest) {
    const int shell = field->layout->shell != 0.0, gaping = field->layout->gaping != 0.0;
    if (field->crowded[row] || (!shell && (gaping || field->crossing[row] > MOST_CROSSING))) return 0;
    const int32_t *facets = field->owned + field->first[row];
    double closest = INFINITY;
    for (int64_t i = 0; i < field->many[row]; i++) {
        const double away = squared(field, p, facets[i]);
        if (away < closest) closest = away, *nearest = facets[i];
    }
    *value = sqrt(closest);
    if (!shell) {
        int64_t turns = field->turns[row];
        for (int64_t i = 0; i < field->crossing[row]; i++)
            turns += crossed(field, field->middles + 3 * row, p, facets[i]);
        if (turns) *value = -*value;
    }
    return 1;
}

// MeshField._reach_beyond, of one place; the arm.
static inline double reached(const Located *at, double *arm) {
    double slope[3];
    const double last = greatest(between(at, slope), 0.0), length = greatest(sqrt(dot(slope, slope)), LEAST_LENGTH);
    for (int axis = 0; axis < 3; axis++) arm[axis] = at->beyond[axis] + last * (slope[axis] / length);
    return sqrt(dot(arm, arm));
}

// MeshField.depth.
static inline int mesh_depth(const Field *field, const double *p, double *depth) {
    const Located at = located(field, p);
    double value = between(&at, NULL), arm[3];
    int64_t nearest = 0;
    if (field->edged[at.cell] >= 0 && !measured(field, p, field->edged[at.cell], &value, &nearest)) return 0;
    if (at.outside) value = reached(&at, arm);
    *depth = value - field->layout->half;
    return 1;
}

// MeshField.bound.
static inline int mesh_bound(const Field *field, const double *p, double keep, double *depth, double *clear) {
    const Located at = located(field, p);
    const Layout *layout = field->layout;
    const double spare = HALF_DIAGONAL * layout->cell;
    double value = between(&at, NULL), arm[3];
    int64_t nearest = 0;
    const int64_t edged = field->edged[at.cell], row = fabs(value - layout->half - keep) <= spare ? edged : -1;
    const double above = greatest(value, 0.0), surely = sqrt(dot(at.beyond, at.beyond) + above * above) - spare - layout->half;
    if (row >= 0 && !measured(field, p, row, &value, &nearest)) return 0;
    if (at.outside) value = reached(&at, arm);
    *depth = value - layout->half;
    const int far = field->rows[at.cell] < 0;
    if ((row >= 0) | (!far & (edged < 0)))
        *clear = *depth;
    else
        *clear = greatest(surely, far ? (CLOSE_CELLS - HALF_DIAGONAL) * layout->cell - layout->half : 0.0);
    return 1;
}

// MeshField.distance.
static inline int mesh_distance(const Field *field, const double *p, double *distance, double *way) {
    const Located at = located(field, p);
    const Layout *layout = field->layout;
    double slope[3], value = between(&at, slope);
    const int64_t row = field->edged[at.cell];
    if (row >= 0) {
        int64_t nearest = 0;
        double place[3];
        if (!measured(field, p, row, &value, &nearest)) return 0;
        nearest_on(field, p, nearest, place);
        const int touching = fabs(value) < TOUCHING_CELLS * layout->cell;
        for (int axis = 0; axis < 3; axis++)
            slope[axis] = touching ? field->normals[3 * nearest + axis] : (p[axis] - place[axis]) / value;
    }
    if (at.outside) value = reached(&at, slope);
    double length = sqrt(dot(slope, slope));
    if (length < LEVEL_CELLS * layout->cell) slope[0] = slope[1] = 0.0, slope[2] = length = 1.0;
    *distance = value - layout->half;
    for (int axis = 0; axis < 3; axis++) way[axis] = slope[axis] / length;
    return 1;
}

static inline double dot4(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

// Bed.depth; or Bed.distance, where the way is not left out.
static inline double bed_distance(const Field *field, const double *p, double *way) {
    const Layout *layout = field->layout;
    int64_t corner[2];
    double share[2];
    for (int axis = 0; axis < 2; axis++) {
        const double local = least(greatest(p[axis] / layout->step[axis], 0.0), (double)field->counts[axis] - 1.0);
        corner[axis] = local > 0 ? (int64_t)local : 0;
        if (corner[axis] > field->counts[axis] - 2) corner[axis] = field->counts[axis] - 2;
        share[axis] = local - (double)corner[axis];
    }
    const double x = share[0], y = share[1], weights[4] = {(1 - x) * (1 - y), (1 - x) * y, x * (1 - y), x * y};
    const int64_t levels = (int64_t)layout->levels, wide = 4 + levels, first = field->counts[1] * corner[0] + corner[1];
    const double *samples[4] = {field->samples + wide * first, field->samples + wide * (first + 1),
                                field->samples + wide * (first + field->counts[1]),
                                field->samples + wide * (first + field->counts[1] + 1)};
    double ground[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < (way ? 3 : 1); k++) {
        const double terms[4] = {samples[0][k] * weights[0], samples[1][k] * weights[1], samples[2][k] * weights[2],
                                 samples[3][k] * weights[3]};
        ground[k] = way ? (terms[0] + terms[2]) + (terms[1] + terms[3]) : terms[0] + terms[1] + terms[2] + terms[3];
    }
    const double above = p[2] - ground[0], higher = greatest(above, 0.0) / layout->cell;
    const double local = least(logarithm(1.0 + higher) / LN2, layout->levels);
    const int64_t whole = local > 0 ? (int64_t)local : 0, level = whole < levels - 1 ? whole : levels - 1;
    const double part = local - (double)level;
    double low[4], high[4];
    for (int k = 0; k < 4; k++) low[k] = samples[k][3 + level], high[k] = samples[k][4 + level];
    if (!way) {
        const double under = dot4(low, weights);
        return above * (under + part * (dot4(high, weights) - under));
    }
    double nearness[4], rise[4];
    for (int k = 0; k < 4; k++) rise[k] = high[k] - low[k], nearness[k] = low[k] + part * rise[k];
    const double rate = (above > 0) & (local < layout->levels) ? 1.0 / ((1.0 + higher) * layout->cell * LN2) : 0.0;
    const double k = dot4(nearness, weights), up = k + above * rate * dot4(rise, weights);
    const double along_x[4] = {(y - 1) / layout->step[0], -y / layout->step[0], (1 - y) / layout->step[0], y / layout->step[0]};
    const double along_y[4] = {(x - 1) / layout->step[1], (1 - x) / layout->step[1], -x / layout->step[1], x / layout->step[1]};
    const double slope[3] = {above * dot4(nearness, along_x) - up * ground[1],
                             above * dot4(nearness, along_y) - up * ground[2], greatest(up, 0.05)};
    const double length = greatest(sqrt(dot(slope, slope)), LEAST_LENGTH);
    for (int axis = 0; axis < 3; axis++) way[axis] = slope[axis] / length;
    return above * k;
}

// Solid.distance of any; whether it is known here.
static inline int distance_to(const Field *field, const double *p, double *distance, double *way) {
    if (field->kind == BED) {
        *distance = bed_distance(field, p, way);
        return 1;
    }
    if (!mesh_distance(field, p, distance, way)) return 0;
    if (field->kind == BASIN) {
        *distance = -*distance;
        for (int axis = 0; axis < 3; axis++) way[axis] = -way[axis];
    }
    return 1;
}

// Solid.depth of any; whether it is known here.
static inline int depth_of(const Field *field, const double *p, double *depth) {
    if (field->kind == BED) {
        *depth = bed_distance(field, p, NULL);
        return 1;
    }
    if (!mesh_depth(field, p, depth)) return 0;
    if (field->kind == BASIN) *depth = -*depth;
    return 1;
}

// Solid.bound of any; whether it is known here.
static inline int bound_of(const Field *field, const double *p, double keep, double *depth, double *clear) {
    if (field->kind == MESH) return mesh_bound(field, p, keep, depth, clear);
    if (!depth_of(field, p, depth)) return 0;
    *clear = *depth;
    return 1;
}

// Solid.span of any.
static inline void span_of(const Field *field, const double *p, const double *way, double margin, double *enter,
                           double *leave) {
    const Layout *layout = field->layout;
    if (field->kind == BED) {
        const double rise = way[2], room = p[2] - (layout->top + margin), cross = fabs(room) / greatest(fabs(rise), 1e-12);
        *enter = room <= 0 ? 0.0 : rise < 0 ? cross : INFINITY;
        *leave = least((room <= 0) & (rise > 0) ? cross : INFINITY, layout->diagonal);
        return;
    }
    const double arm[3] = {p[0] - layout->middle[0], p[1] - layout->middle[1], p[2] - layout->middle[2]};
    const double b = dot(arm, way), wide = layout->radius + layout->half + margin;
    const double discriminant = b * b - dot(arm, arm) + wide * wide, root = sqrt(greatest(discriminant, 0.0));
    *enter = greatest(-b - root, 0.0), *leave = discriminant > 0 ? root - b : -INFINITY;
    if (field->kind == BASIN) *enter = 0.0, *leave = greatest(*leave, 0.0);
}

// Solid.distance, and what is left to NumPy.
SEEN int32_t artfish_solid_distance(const SolidDistanceCall *call, int64_t begin, int64_t end) {
    TAKE_SOLID_DISTANCE(call);
    for (int64_t i = begin; i < end; i++)
        left[i] = !distance_to(field, points + 3 * i, distance + i, direction + 3 * i);
    return 0;
}

// Solid.free_path, and what is left to NumPy.
SEEN int32_t artfish_solid_free_path(const SolidFreePathCall *call, int64_t begin, int64_t end) {
    TAKE_SOLID_FREE_PATH(call);
    const double grain = field->layout->grain, share = (field->layout->depth - field->layout->top) / 3;
    for (int64_t i = begin; i < end; i++) {
        const double *start = points + 3 * i, *way = ways + 3 * i;
        const double keep = field->kind == BED ? least(margins[i], share) : margins[i];
        double t, leave;
        span_of(field, start, way, keep, &t, &leave);
        leave = least(leave, reaches[i]);
        free[i] = INFINITY, left[i] = 0;
        int on = t < leave;
        for (int march = 0; on && march < MOST_MARCHES; march++) {
            const double place[3] = {start[0] + t * way[0], start[1] + t * way[1], start[2] + t * way[2]};
            double depth, clear, distance, out[3];
            if (!bound_of(field, place, keep, &depth, &clear)) {
                left[i] = 1, on = 0;
                break;
            }
            const double gap = depth - keep;
            if (gap < grain) {
                if (!distance_to(field, place, &distance, out)) {
                    left[i] = 1, on = 0;
                    break;
                }
                if (dot(out, way) < 0) {
                    free[i] = t, on = 0;
                    break;
                }
            }
            t += greatest(least(gap, clear), grain);
            on = t < leave;
        }
        if (on) free[i] = t;
    }
    return 0;
}

// MeshField.followed: whether a line goes through a triangle, and whether it is inside before; whether that is known.
static inline int followed(const Field *field, const double *start, const double *end, int *through, int *inside) {
    const Layout *layout = field->layout;
    const double ray[3] = {end[0] - start[0], end[1] - start[1], end[2] - start[2]};
    const double length = sqrt(dot(ray, ray)), safe = greatest(length, LEAST_LENGTH);
    const double way[3] = {ray[0] / safe, ray[1] / safe, ray[2] / safe};
    const Field whole = {.kind = MESH, .layout = layout};
    double t, leave, depth;
    span_of(&whole, start, way, 0.0, &t, &leave);
    leave = least(leave, length);
    *through = *inside = 0;
    if (!(t < leave)) return 1;
    if (!mesh_depth(field, start, &depth)) return 0;
    *inside = depth < 0;
    for (int step = 0; step < MOST_CELLS_ALONG && t < leave && !*through; step++) {
        const double place[3] = {start[0] + t * way[0], start[1] + t * way[1], start[2] + t * way[2]};
        const Located at = located(field, place);
        const int64_t row = field->rows[at.cell];
        const double value = between(&at, NULL), outer = dot(at.beyond, at.beyond), above = greatest(value, 0.0);
        depth = (outer > 0 ? sqrt(outer + above * above) : value) - layout->half;
        double onward = greatest(fabs(depth) - HALF_DIAGONAL * layout->cell, (CLOSE_CELLS - HALF_DIAGONAL) * layout->cell);
        if (row >= 0) {
            double nearest = INFINITY;
            for (int axis = 0; axis < 3; axis++) {
                const double steep = fabs(way[axis]) < 1e-12 ? 1e-12 : way[axis];
                const double origin = layout->low[axis] + layout->cell * (double)at.corner[axis];
                nearest = least(nearest, ((steep > 0 ? origin + layout->cell : origin) - place[axis]) / steep);
            }
            onward = greatest(nearest, 0.0), depth = INFINITY;
            if (layout->shell != 0.0 && !mesh_depth(field, place, &depth)) return 0;
            const int32_t *facets = field->owned + field->first[row];
            for (int64_t i = 0; i < field->crossing[row] && !*through; i++)
                *through = crossed(field, start, end, facets[i]) != 0;
        }
        if (layout->shell != 0.0) onward = least(onward, greatest(depth, 0.5 * layout->half));
        *inside |= depth < 0;
        t = t + onward + TOUCHING_CELLS * layout->cell;
    }
    return 1;
}

// Solid.blocks of a bed.
static inline int bed_blocks(const Field *field, const double *start, const double *end) {
    const double ray[3] = {end[0] - start[0], end[1] - start[1], end[2] - start[2]};
    const double length = sqrt(dot(ray, ray)), safe = greatest(length, 1e-12);
    const double way[3] = {ray[0] / safe, ray[1] / safe, ray[2] / safe};
    double t, leave;
    span_of(field, start, way, 0.0, &t, &leave);
    leave = least(leave, length);
    for (int march = 0; t < leave; march++) {
        if (march == MOST_MARCHES) return 1;
        const double place[3] = {start[0] + t * way[0], start[1] + t * way[1], start[2] + t * way[2]};
        const double depth = bed_distance(field, place, NULL);
        if (depth < 0) return 1;
        t += greatest(depth, 2 * field->layout->grain);
    }
    return 0;
}

// Solid.blocks, and what is left to NumPy.
SEEN int32_t artfish_solid_blocks(const SolidBlocksCall *call, int64_t begin, int64_t end) {
    TAKE_SOLID_BLOCKS(call);
    for (int64_t i = begin; i < end; i++) {
        const double *start = starts + 3 * i, *stop = ends + 3 * i;
        int through = 0, inside = 0;
        double depth;
        left[i] = 0;
        if (field->kind == BED)
            through = bed_blocks(field, start, stop);
        else if (!followed(field, start, stop, &through, &inside))
            left[i] = 1;
        else if (field->kind == BASIN) {
            if (depth_of(field, start, &depth))
                inside = depth < 0;
            else
                left[i] = 1;
        }
        blocked[i] = through || inside;
    }
    return 0;
}
