// Who is near whom: what core/base/nearest.py defines, compiled.
//
// Points stand in the order of a balanced k-d tree: each half of a span of them is on its side of a plane, and so on
// down to leaves of a few. Of each span its box is kept. Distances to boxes are computed by the same operations in the
// same order as those to points, and rounding keeps order, so that no point is nearer than the box that it is in, to
// the last bit: what is found is what trying all of them would find, in the same order, whatever the shape of the tree.
//
// A tree of depth 0 is one leaf, which is plain search.

#include <stdlib.h>

#include "compiled/exact.h"
#include "declared.h"

enum {
    STRIP = 16,     // points whose distances are computed together
    FEW = 64,       // points that are looked for, for which there is room at hand
    ROOM = 64,      // points that are kept, beyond as many as are looked for, before they are sorted
    BINS = 64,      // by distance, that they are sorted by first
};

static inline int64_t first_of(int64_t count, int64_t level, int64_t node) { return (count * node) >> level; }

static inline const double *box_of(const Tree *tree, int64_t level, int64_t node) {
    return tree->boxes + 6 * (((int64_t)1 << level) - 1 + node);
}

// Square of the distance between a place and a box, 0 inside.
static inline double gap_of(const double *box, const double *at) {
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double under = box[axis] - at[axis], over = at[axis] - box[3 + axis];
        const double out = under > over ? under : over, gap = out > 0.0 ? out : 0.0;
        square = axis ? square + gap * gap : gap * gap;
    }
    return square;
}

// Square of the distance between two boxes, 0 where they meet.
static inline double gap_between(const double *one, const double *other) {
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double under = one[axis] - other[3 + axis], over = other[axis] - one[3 + axis];
        const double out = under > over ? under : over, gap = out > 0.0 ? out : 0.0;
        square = axis ? square + gap * gap : gap * gap;
    }
    return square;
}

// Squares of the distances between a place and so many points, STRIP at most, from one on.
static inline void squares_of(const Tree *tree, int64_t from, int64_t count, const double *at, double *squares) {
    const double *x = tree->places + from, *y = x + tree->count, *z = y + tree->count;
    for (int64_t i = 0; i < count; i++) {
        const double dx = x[i] - at[0], dy = y[i] - at[1], dz = z[i] - at[2];
        squares[i] = (dx * dx + dy * dy) + dz * dz;
    }
}

static inline void swap_points(double *x, double *y, double *z, int64_t *rows, int64_t i, int64_t j) {
    const double a = x[i], b = y[i], c = z[i];
    const int64_t row = rows[i];
    x[i] = x[j], y[i] = y[j], z[i] = z[j], rows[i] = rows[j];
    x[j] = a, y[j] = b, z[j] = c, rows[j] = row;
}

// Parts a span so that what comes before `middle` is no more along an axis than what comes from there on (Hoare).
static void part(double *x, double *y, double *z, int64_t *rows, const double *along, int64_t from, int64_t to,
                 int64_t middle) {
    int64_t low = from, high = to - 1;
    while (low < high) {
        const double a = along[low], b = along[low + (high - low) / 2], c = along[high];
        const double pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
        int64_t i = low, j = high;
        while (i <= j) {
            while (along[i] < pivot) i++;
            while (along[j] > pivot) j--;
            if (i <= j) swap_points(x, y, z, rows, i++, j--);
        }
        if (middle <= j) high = j;
        else if (middle >= i) low = i;
        else return;
    }
}

// Points._plant: of so many branches the levels from `top` to before `levels`; no leaf may be empty, and all points are
// finite.
SEEN int32_t artfish_plant(const PlantCall *call, int64_t begin, int64_t end) {
    TAKE_PLANT(call);
    const int64_t count = tree->count, depth = tree->depth;
    int64_t *rows = tree->rows;
    double *x = tree->places, *y = x + count, *z = y + count, *boxes = tree->boxes;
    if (top == 0) {
        for (int64_t i = 0; i < count; i++)
            rows[i] = i, x[i] = points[3 * i], y[i] = points[3 * i + 1], z[i] = points[3 * i + 2];
    }
    for (int64_t level = top; level < levels; level++) {
        for (int64_t node = begin << (level - top); node < end << (level - top); node++) {
            const int64_t from = first_of(count, level, node), to = first_of(count, level, node + 1);
            double *box = boxes + 6 * (((int64_t)1 << level) - 1 + node);
            const double *along[3] = {x, y, z};
            int widest = 0;
            for (int axis = 0; axis < 3; axis++) {
                double least = along[axis][from], most = least;
                for (int64_t i = from; i < to; i++) {
                    const double value = along[axis][i];
                    least = value < least ? value : least;
                    most = value > most ? value : most;
                }
                box[axis] = least, box[3 + axis] = most;
                if (most - least > box[3 + widest] - box[widest]) widest = axis;
            }
            if (level < depth) part(x, y, z, rows, along[widest], from, to, first_of(count, level + 1, 2 * node + 1));
        }
    }
    return 0;
}

// Points.move: the points of a tree are elsewhere, in the order that they have there.
SEEN int32_t artfish_replant(const ReplantCall *call) {
    TAKE_REPLANT(call);
    const int64_t count = tree->count, depth = tree->depth, leaves = ((int64_t)1 << depth) - 1;
    const int64_t *rows = tree->rows;
    double *x = tree->places, *y = x + count, *z = y + count, *boxes = tree->boxes;
    for (int64_t i = 0; i < count; i++) {
        const double *point = points + 3 * rows[i];
        x[i] = point[0], y[i] = point[1], z[i] = point[2];
    }
    for (int64_t leaf = 0; leaf <= leaves; leaf++) {
        const int64_t from = first_of(count, depth, leaf), to = first_of(count, depth, leaf + 1);
        double *box = boxes + 6 * (leaves + leaf);
        const double *along[3] = {x, y, z};
        for (int axis = 0; axis < 3; axis++) {
            double least = along[axis][from], most = least;
            for (int64_t i = from; i < to; i++) {
                const double value = along[axis][i];
                least = value < least ? value : least;
                most = value > most ? value : most;
            }
            box[axis] = least, box[3 + axis] = most;
        }
    }
    for (int64_t node = leaves - 1; node >= 0; node--) {
        const double *left = boxes + 6 * (2 * node + 1), *right = left + 6;
        for (int axis = 0; axis < 3; axis++) {
            boxes[6 * node + axis] = left[axis] < right[axis] ? left[axis] : right[axis];
            boxes[6 * node + 3 + axis] = left[3 + axis] > right[3 + axis] ? left[3 + axis] : right[3 + axis];
        }
    }
    return 0;
}

typedef struct {
    double square;
    int64_t row;
} Other;

typedef struct {
    const double *at;
    Other *others, *between;    // the nearest so far, or all that may be among them, and as much room
    int64_t most, many;
    double bound;
} Nearest;

static inline int is_before(Other one, Other other) {
    return one.square < other.square || (one.square == other.square && one.row < other.row);
}

// Keeps the nearest in order, of equally near ones the first row first, while it looks at all that may be nearer.
static void visit_nearest(const Tree *tree, const Nearest *found, int64_t level, int64_t node) {
    const int64_t last = found->most - 1;
    Other *others = found->others;
    if (level < tree->depth) {
        const double left = gap_of(box_of(tree, level + 1, 2 * node), found->at);
        const double right = gap_of(box_of(tree, level + 1, 2 * node + 1), found->at);
        const int64_t nearer = right < left;
        if ((nearer ? right : left) <= others[last].square) visit_nearest(tree, found, level + 1, 2 * node + nearer);
        if ((nearer ? left : right) <= others[last].square) visit_nearest(tree, found, level + 1, 2 * node + !nearer);
        return;
    }
    const int64_t to = first_of(tree->count, level, node + 1);
    double squares[STRIP];
    for (int64_t from = first_of(tree->count, level, node); from < to; from += STRIP) {
        const int64_t count = to - from < STRIP ? to - from : STRIP;
        squares_of(tree, from, count, found->at, squares);
        for (int64_t i = 0; i < count; i++) {
            const Other other = {squares[i], tree->rows[from + i]};
            if (other.square > others[last].square || is_before(others[last], other)) continue;
            int64_t rank = last;
            for (; rank > 0 && is_before(other, others[rank - 1]); rank--) others[rank] = others[rank - 1];
            others[rank] = other;
        }
    }
}

// Puts those that are found in order and keeps the nearest; bins by distance come first, which nearly do it.
static void sort_nearest(Nearest *found) {
    Other *others = found->others;
    const int64_t many = found->many;
    double farthest = 0.0;
    for (int64_t i = 0; i < many; i++) farthest = others[i].square > farthest ? others[i].square : farthest;
    if (farthest > 1e-280 && farthest < 1e280) {
        const double scale = (BINS - 1) / farthest;
        int32_t ends[BINS + 1] = {0};
        for (int64_t i = 0; i < many; i++) ends[(int32_t)(others[i].square * scale) + 1]++;
        for (int bin = 1; bin < BINS; bin++) ends[bin] += ends[bin - 1];
        for (int64_t i = 0; i < many; i++) found->between[ends[(int32_t)(others[i].square * scale)]++] = others[i];
        found->others = found->between, found->between = others, others = found->others;
    }
    for (int64_t i = 1; i < many; i++) {
        const Other other = others[i];
        int64_t rank = i;
        for (; rank > 0 && is_before(other, others[rank - 1]); rank--) others[rank] = others[rank - 1];
        others[rank] = other;
    }
    if (many >= found->most) found->many = found->most, found->bound = others[found->most - 1].square;
}

// Collects all that are within the bound, which becomes less where they are many.
static void visit_bounded(const Tree *tree, Nearest *found, int64_t level, int64_t node) {
    if (!(gap_of(box_of(tree, level, node), found->at) <= found->bound)) return;
    if (level < tree->depth) {
        visit_bounded(tree, found, level + 1, 2 * node);
        visit_bounded(tree, found, level + 1, 2 * node + 1);
        return;
    }
    const int64_t to = first_of(tree->count, level, node + 1);
    double squares[STRIP];
    for (int64_t from = first_of(tree->count, level, node); from < to; from += STRIP) {
        const int64_t count = to - from < STRIP ? to - from : STRIP;
        squares_of(tree, from, count, found->at, squares);
        if (found->many > found->most + ROOM - STRIP) sort_nearest(found);
        Other *next = found->others + found->many;
        for (int64_t i = 0; i < count; i++) {
            *next = (Other){squares[i], tree->rows[from + i]};
            next += squares[i] <= found->bound;
        }
        found->many = next - found->others;
    }
}

// Points.search: the nearest by rank, and how far the last of them is, squared; 0 before where nobody knows.
//
// Who has a notion of how far to look need not sort those that turn out not to be among the nearest.
SEEN int32_t artfish_nearest(const NearestCall *call, int64_t begin, int64_t end) {
    TAKE_NEAREST(call);
    const int64_t most = ranks[many - 1];
    Other few[2 * (FEW + ROOM)], *room = most > FEW ? malloc((size_t)(2 * (most + ROOM)) * sizeof *few) : few;
    if (!room) return 1;
    for (int64_t place = begin; place < end; place++) {
        Nearest found = {places + 3 * place, room, room + most + ROOM, most, 0, 1.2 * far[place]};
        if (found.bound > 0.0) {
            visit_bounded(tree, &found, 0, 0);
            sort_nearest(&found);
        }
        if (found.many < most) {
            for (int64_t rank = 0; rank < most; rank++) found.others[rank] = (Other){INFINITY, INT64_MAX};
            visit_nearest(tree, &found, 0, 0);
        }
        for (int64_t i = 0; i < many; i++) rows[place * many + i] = found.others[ranks[i] - 1].row;
        far[place] = found.others[most - 1].square;
    }
    if (room != few) free(room);
    return 0;
}

typedef struct {
    const double *at;
    double reach;
    int64_t *rows;      // of those that are found, as far as there is room
    int64_t room, many, enough;
} Within;

static void visit_within(const Tree *tree, Within *found, int64_t level, int64_t node) {
    if (!(sqrt(gap_of(box_of(tree, level, node), found->at)) <= found->reach) || found->many > found->enough) return;
    if (level < tree->depth) {
        visit_within(tree, found, level + 1, 2 * node);
        visit_within(tree, found, level + 1, 2 * node + 1);
        return;
    }
    const int64_t to = first_of(tree->count, level, node + 1);
    double squares[STRIP];
    for (int64_t from = first_of(tree->count, level, node); from < to; from += STRIP) {
        const int64_t count = to - from < STRIP ? to - from : STRIP;
        squares_of(tree, from, count, found->at, squares);
        for (int64_t i = 0; i < count; i++) {
            if (!(sqrt(squares[i]) <= found->reach)) continue;
            if (found->many < found->room) found->rows[found->many] = tree->rows[from + i];
            found->many++;
        }
    }
}

static int rising(const void *one, const void *other) {
    const int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

static void sort_rows(int64_t *rows, int64_t many) {
    if (many > 32) {
        qsort(rows, (size_t)many, sizeof *rows, rising);
        return;
    }
    for (int64_t i = 1; i < many; i++) {
        const int64_t row = rows[i];
        int64_t j = i;
        for (; j > 0 && rows[j - 1] > row; j--) rows[j] = rows[j - 1];
        rows[j] = row;
    }
}

// Points.within: of the centers from the first to before the last, with rows of centers and of points as pairs. Where
// there are more than there is room for, only their number is of use.
SEEN int32_t artfish_within(const WithinCall *call) {
    TAKE_WITHIN(call);
    int64_t *rows = pairs, *found_rows = rows + room;
    int64_t done = 0;
    for (int64_t center = first; center < last; center++) {
        const double *at = centers + 3 * center;
        const int64_t left = done < room ? room - done : 0;
        Within near = {at, reach[center], found_rows + (left ? done : 0), left, 0, INT64_MAX};
        visit_within(tree, &near, 0, 0);
        if (near.many <= left) {
            sort_rows(near.rows, near.many);
            for (int64_t i = 0; i < near.many; i++) {
                const double *point = points + 3 * near.rows[i];
                const double dx = point[0] - at[0], dy = point[1] - at[1], dz = point[2] - at[2];
                rows[done + i] = center, distances[done + i] = sqrt((dx * dx + dy * dy) + dz * dz);
            }
        }
        done += near.many;
    }
    found[0] = done;
    return 0;
}

// Points.throng: whether more points than enough are within reach.
SEEN int32_t artfish_throng(const ThrongCall *call, int64_t begin, int64_t end) {
    TAKE_THRONG(call);
    for (int64_t center = begin; center < end; center++) {
        const double *at = centers + 3 * center;
        Within found = {at, reach[center], 0, 0, 0, enough};
        visit_within(tree, &found, 0, 0);
        many[center] = found.many > enough;
    }
    return 0;
}

typedef struct {
    const double *reaches, *most;   // of the points in the tree's order, and the most of each node
    int64_t leaf;                   // whose points are held against those that come after them in the tree
    int64_t *first, *second;        // rows of those that meet, as far as there is room
    int64_t room, many;
} Meeting;

static void visit_meeting(const Tree *tree, Meeting *found, int64_t level, int64_t node) {
    const int64_t base = ((int64_t)1 << level) - 1, number = base + node;
    const int64_t leaves = ((int64_t)1 << tree->depth) - 1, own = leaves + found->leaf;
    if ((node + 1) << (tree->depth - level) <= found->leaf) return;
    const double *box = tree->boxes + 6 * number, most = found->most[number];
    if (!(sqrt(gap_between(box, tree->boxes + 6 * own)) < found->most[own] + most)) return;
    if (level < tree->depth) {
        visit_meeting(tree, found, level + 1, 2 * node);
        visit_meeting(tree, found, level + 1, 2 * node + 1);
        return;
    }
    const int64_t end = first_of(tree->count, level, found->leaf + 1), to = first_of(tree->count, level, node + 1);
    double squares[STRIP];
    for (int64_t one = first_of(tree->count, level, found->leaf); one < end; one++) {
        const double *x = tree->places, *y = x + tree->count, *z = y + tree->count;
        const double at[3] = {x[one], y[one], z[one]}, reach = found->reaches[one];
        if (!(sqrt(gap_of(box, at)) < reach + most)) continue;
        const int64_t begin = node == found->leaf ? one + 1 : first_of(tree->count, level, node);
        for (int64_t from = begin; from < to; from += STRIP) {
            const int64_t count = to - from < STRIP ? to - from : STRIP;
            squares_of(tree, from, count, at, squares);
            for (int64_t i = 0; i < count; i++) {
                if (!(sqrt(squares[i]) < reach + found->reaches[from + i])) continue;
                const int64_t a = tree->rows[one], b = tree->rows[from + i];
                if (found->many < found->room) {
                    found->first[found->many] = a < b ? a : b;
                    found->second[found->many] = a < b ? b : a;
                }
                found->many++;
            }
        }
    }
}

// What `meeting` goes by: reach in the order of the tree, and the widest in each node.
SEEN int32_t artfish_reaches(const ReachesCall *call) {
    TAKE_REACHES(call);
    for (int64_t i = 0; i < tree->count; i++) reaches[i] = reach[tree->rows[i]];
    for (int64_t node = 0; node < (int64_t)1 << tree->depth; node++) {
        double widest = -INFINITY;
        for (int64_t i = first_of(tree->count, tree->depth, node); i < first_of(tree->count, tree->depth, node + 1); i++)
            widest = reaches[i] > widest ? reaches[i] : widest;
        most[((int64_t)1 << tree->depth) - 1 + node] = widest;
    }
    for (int64_t node = ((int64_t)1 << tree->depth) - 2; node >= 0; node--) {
        const double left = most[2 * node + 1], right = most[2 * node + 2];
        most[node] = left > right ? left : right;
    }
    return 0;
}

// Points.meeting: pairs of points that are less far apart than both reach, lower row first, but the pairs in no order, of
// the leaves from the first to before the last. As in `within`, more than there is room for are only counted.
SEEN int32_t artfish_meeting(const MeetingCall *call) {
    TAKE_MEETING(call);
    Meeting met = {reaches, most, 0, pairs, pairs + room, room, 0};
    for (met.leaf = first; met.leaf < last; met.leaf++) visit_meeting(tree, &met, 0, 0);
    found[0] = met.many;
    return 0;
}
