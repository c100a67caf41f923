// Solids of any form: distances, free paths and lines of sight. tests/plain/geometry/compiled_solids.py says the same in
// NumPy.
//
// A mesh is known by samples of its distance, between which it is interpolated, and in edged cells, where that would err,
// by the few triangles that can be nearest there, see core/geometry/mesh_field.py; a bed by its heights, see
// core/geometry/bed.py. A place that is no number is at a distance that is none, and in nobody's way.

#include "geometry/facets.h"
#include "geometry/winding.h"
#include "declared.h"

enum {
    MOST_MARCHES = 48,      // steps of a path; one that is not at its end by then ends where it is
    MOST_CELLS_ALONG = 600, // that a line of sight is followed through, several times as many as there are along any
    MOST_CROSSING = 500,    // triangles through a cell, from which on groups of them tell sooner what is inside
    CROWD_PIECES = 24,      // of which one is taken to be of the nearest triangle, the nearest by their middles
};

static const double HALF_DIAGONAL = 0.8660254037844386, CLOSE_CELLS = 0.8660254037844386 + 0.35;
static const double TOUCHING_CELLS = 1e-9;  // from the surface, within which a place lies on it
static const double LEVEL_CELLS = 1e-9;     // slope of the samples from one to the next below which it says no way

// Where a point is among the samples: those around it, its place between them, the metres beyond the grid, and its cell,
// which is the last, in which nothing is, of what is beyond it.
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

// The value interpolated between samples, and by how much it grows along a cell of each axis, unless that is left out.
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

// Square of the distance of a point from the nearest triangle of those that the pieces with the nearest middles are of.
static double crowd_squared(const Field *field, const double *p, int64_t *nearest) {
    int64_t ranks[CROWD_PIECES], rows[CROWD_PIECES];
    const int64_t count = field->pieces->count, many = count < CROWD_PIECES ? count : CROWD_PIECES;
    double far = 0.0, closest = INFINITY;
    for (int64_t rank = 0; rank < many; rank++) ranks[rank] = rank + 1;
    const NearestCall near = {
        .tree = field->pieces, .places = p, .ranks = ranks, .far = &far, .rows = rows, .n = 1, .many = many,
    };
    *nearest = 0;
    if (!(dot(p, p) < INFINITY) || !many || artfish_nearest(&near, 0, 1)) return NAN;
    for (int64_t rank = 0; rank < many; rank++) {
        const double away = squared(field, p, field->owners[rows[rank]]);
        if (away < closest) closest = away, *nearest = field->owners[rows[rank]];
    }
    return closest;
}

// Whether a point in a close cell is inside: by the crossings of a line from the middle of the cell, or by its winding
// number about the triangles in groups.
static int inside(const Field *field, const double *p, int64_t row) {
    if (field->layout->shell != 0.0) return 0;
    if (field->layout->gaping != 0.0 || field->crossing[row] > MOST_CROSSING)
        return fabs(winding_at(field->groups, p)) > 0.5;
    const int32_t *facets = field->owned + field->first[row];
    int64_t turns = field->turns[row];
    for (int64_t i = 0; i < field->crossing[row]; i++) turns += crossed(field, field->middles + 3 * row, p, facets[i]);
    return turns != 0;
}

// Signed distance of a point in a close cell, and the nearest triangle, of equally near ones the first.
static double measured(const Field *field, const double *p, int64_t row, int64_t *nearest) {
    double closest = INFINITY;
    *nearest = 0;
    if (field->crowded[row]) {
        closest = crowd_squared(field, p, nearest);
    } else {
        const int32_t *facets = field->owned + field->first[row];
        for (int64_t i = 0; i < field->many[row]; i++) {
            const double away = squared(field, p, facets[i]);
            if (!(away >= closest)) closest = away, *nearest = facets[i];
        }
    }
    return inside(field, p, row) ? -sqrt(closest) : sqrt(closest);
}

// Distance of a place beyond the grid, and the arm to it from the surface: the triangle nearest to the last place of the
// grid on the way is taken to be nearest there too.
static inline double reached(const Located *at, double *arm) {
    double slope[3];
    const double last = greatest(between(at, slope), 0.0), length = greatest(sqrt(dot(slope, slope)), LEAST_LENGTH);
    for (int axis = 0; axis < 3; axis++) arm[axis] = at->beyond[axis] + last * (slope[axis] / length);
    return sqrt(dot(arm, arm));
}

static inline double mesh_depth(const Field *field, const double *p) {
    const Located at = located(field, p);
    const int64_t row = field->edged[at.cell];
    double arm[3];
    int64_t nearest;
    const double value = at.outside ? reached(&at, arm) : row >= 0 ? measured(field, p, row, &nearest) : between(&at, NULL);
    return value - field->layout->half;
}

// The depth of a point, exact where it matters whether that is `keep`, and metres without any surface around it, which may
// be fewer: where it is interpolated, the depth may exceed the truth by half a cell's diagonal.
static inline void mesh_bound(const Field *field, const double *p, double keep, double *depth, double *clear) {
    const Located at = located(field, p);
    const Layout *layout = field->layout;
    const double spare = HALF_DIAGONAL * layout->cell;
    double value = between(&at, NULL), arm[3];
    int64_t nearest;
    const int64_t edged = field->edged[at.cell], row = fabs(value - layout->half - keep) <= spare ? edged : -1;
    const double above = greatest(value, 0.0), surely = sqrt(dot(at.beyond, at.beyond) + above * above) - spare - layout->half;
    if (row >= 0) value = measured(field, p, row, &nearest);
    if (at.outside) value = reached(&at, arm);
    *depth = value - layout->half;
    const int far = field->rows[at.cell] < 0;
    if ((row >= 0) | (!far & (edged < 0)))
        *clear = *depth;
    else
        *clear = greatest(surely, far ? (CLOSE_CELLS - HALF_DIAGONAL) * layout->cell - layout->half : 0.0);
}

static inline double mesh_distance(const Field *field, const double *p, double *way) {
    const Located at = located(field, p);
    const Layout *layout = field->layout;
    double slope[3], value = between(&at, slope);
    const int64_t row = field->edged[at.cell];
    if (row >= 0) {
        int64_t nearest;
        double place[3];
        value = measured(field, p, row, &nearest);
        nearest_on(field, p, nearest, place);
        const int touching = fabs(value) < TOUCHING_CELLS * layout->cell;
        for (int axis = 0; axis < 3; axis++)
            slope[axis] = touching ? field->normals[3 * nearest + axis] : (p[axis] - place[axis]) / value;
    }
    if (at.outside) value = reached(&at, slope);
    double length = sqrt(dot(slope, slope));
    if (length < LEVEL_CELLS * layout->cell) slope[0] = slope[1] = 0.0, slope[2] = length = 1.0;
    for (int axis = 0; axis < 3; axis++) way[axis] = slope[axis] / length;
    return value - layout->half;
}

static inline double dot4(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

// Depth of a place above a bed; or its distance, where the way is not left out. Heights are bilinear between the places of
// the grid, and the distance is that above the bed times its sampled nearness.
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

// Solid.distance of any.
static inline double distance_to(const Field *field, const double *p, double *way) {
    if (field->kind == BED) return bed_distance(field, p, way);
    const double distance = mesh_distance(field, p, way);
    if (field->kind == MESH) return distance;
    for (int axis = 0; axis < 3; axis++) way[axis] = -way[axis];
    return -distance;
}

// Solid.depth of any.
static inline double depth_of(const Field *field, const double *p) {
    if (field->kind == BED) return bed_distance(field, p, NULL);
    return field->kind == MESH ? mesh_depth(field, p) : -mesh_depth(field, p);
}

// See mesh_bound.
static inline void bound_of(const Field *field, const double *p, double keep, double *depth, double *clear) {
    if (field->kind == MESH)
        mesh_bound(field, p, keep, depth, clear);
    else
        *depth = *clear = depth_of(field, p);
}

// Between which metres of a path it may come within the margin: none where the first is not the smaller. Of a bed below the
// highest hill and its margin, and not beyond the tank; of a mesh within the sphere around it and its margin; of a basin
// anywhere up to the far side of that.
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

// Formed.depth.
SEEN int32_t artfish_solid_depth(const SolidDepthCall *call, int64_t begin, int64_t end) {
    TAKE_SOLID_DEPTH(call);
    for (int64_t i = begin; i < end; i++) depth[i] = depth_of(field, points + 3 * i);
    return 0;
}

// Formed.distance.
SEEN int32_t artfish_solid_distance(const SolidDistanceCall *call, int64_t begin, int64_t end) {
    TAKE_SOLID_DISTANCE(call);
    for (int64_t i = begin; i < end; i++) distance[i] = distance_to(field, points + 3 * i, direction + 3 * i);
    return 0;
}

// MeshField.nearest.
SEEN int32_t artfish_solid_nearest(const SolidNearestCall *call, int64_t begin, int64_t end) {
    TAKE_SOLID_NEAREST(call);
    for (int64_t i = begin; i < end; i++) {
        crowd_squared(field, points + 3 * i, nearest + i);
        nearest_on(field, points + 3 * i, nearest[i], places + 3 * i);
    }
    return 0;
}

// Metres along a path to where it comes within a margin, by sphere tracing (Hart 1996): the distance to the solid is what a
// path may safely go on. Never more than a third of the water above its hills is kept from a bed.
static double path_of(const Field *field, const double *start, const double *way, double margin, double reach) {
    const double grain = field->layout->grain, share = (field->layout->depth - field->layout->top) / 3;
    const double keep = field->kind == BED ? least(margin, share) : margin;
    double t, leave;
    span_of(field, start, way, keep, &t, &leave);
    leave = least(leave, reach);
    for (int march = 0; t < leave; march++) {
        if (march == MOST_MARCHES) return t;
        const double place[3] = {start[0] + t * way[0], start[1] + t * way[1], start[2] + t * way[2]};
        double depth, clear, out[3];
        bound_of(field, place, keep, &depth, &clear);
        const double gap = depth - keep;
        if (gap < grain) {
            distance_to(field, place, out);
            if (dot(out, way) < 0) return t;
        }
        t += greatest(least(gap, clear), grain);
    }
    return INFINITY;
}

// Formed.free_path.
SEEN int32_t artfish_solid_free_path(const SolidFreePathCall *call, int64_t begin, int64_t end) {
    TAKE_SOLID_FREE_PATH(call);
    for (int64_t i = begin; i < end; i++) free[i] = path_of(field, points + 3 * i, ways + 3 * i, margins[i], reaches[i]);
    return 0;
}

// Whether a line goes through a triangle of a mesh, and whether it is inside before it: of one that does not, only that of
// its start and of places far from the surface is said. Near the surface it is held against the triangles themselves.
static inline void follow(const Field *field, const double *start, const double *end, int *through, int *within_it) {
    const Layout *layout = field->layout;
    const double ray[3] = {end[0] - start[0], end[1] - start[1], end[2] - start[2]};
    const double length = sqrt(dot(ray, ray)), safe = greatest(length, LEAST_LENGTH);
    const double way[3] = {ray[0] / safe, ray[1] / safe, ray[2] / safe};
    const Field whole = {.kind = MESH, .layout = layout};
    double t, leave;
    span_of(&whole, start, way, 0.0, &t, &leave);
    leave = least(leave, length);
    *through = *within_it = 0;
    if (!(t < leave)) return;
    *within_it = mesh_depth(field, start) < 0;
    for (int step = 0; step < MOST_CELLS_ALONG && t < leave && !*through; step++) {
        const double place[3] = {start[0] + t * way[0], start[1] + t * way[1], start[2] + t * way[2]};
        const Located at = located(field, place);
        const int64_t row = field->rows[at.cell];
        const double value = between(&at, NULL), outer = dot(at.beyond, at.beyond), above = greatest(value, 0.0);
        double depth = (outer > 0 ? sqrt(outer + above * above) : value) - layout->half;
        double onward = greatest(fabs(depth) - HALF_DIAGONAL * layout->cell, (CLOSE_CELLS - HALF_DIAGONAL) * layout->cell);
        if (row >= 0) {
            double nearest = INFINITY;
            for (int axis = 0; axis < 3; axis++) {
                const double steep = fabs(way[axis]) < 1e-12 ? 1e-12 : way[axis];
                const double origin = layout->low[axis] + layout->cell * (double)at.corner[axis];
                nearest = least(nearest, ((steep > 0 ? origin + layout->cell : origin) - place[axis]) / steep);
            }
            onward = greatest(nearest, 0.0);
            // The depth of places in close cells is that of shells alone, which are thicker than their triangles.
            depth = layout->shell != 0.0 ? mesh_depth(field, place) : INFINITY;
            const int32_t *facets = field->owned + field->first[row];
            for (int64_t i = 0; i < field->crossing[row] && !*through; i++)
                *through = crossed(field, start, end, facets[i]) != 0;
        }
        if (layout->shell != 0.0) onward = least(onward, greatest(depth, 0.5 * layout->half));
        *within_it |= depth < 0;
        t = t + onward + TOUCHING_CELLS * layout->cell;
    }
}

// Whether a bed hides one end of a line from the other; one that keeps close to it for all its marches is taken for hidden.
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

// Formed.blocks: a basin hides what its start is not in, too.
SEEN int32_t artfish_solid_blocks(const SolidBlocksCall *call, int64_t begin, int64_t end) {
    TAKE_SOLID_BLOCKS(call);
    for (int64_t i = begin; i < end; i++) {
        const double *start = starts + 3 * i, *stop = ends + 3 * i;
        int through = 0, hidden = 0;
        if (field->kind == BED)
            through = bed_blocks(field, start, stop);
        else
            follow(field, start, stop, &through, &hidden);
        if (field->kind == BASIN) hidden = depth_of(field, start) < 0;
        blocked[i] = through || hidden;
    }
    return 0;
}
