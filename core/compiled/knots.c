// Fewest knots of curves of cubics within a bound: what core/base/knots.py defines, compiled.

#include <stdlib.h>

#include "compiled/exact.h"
#include "declared.h"

// True if the cubic between two moments is within the bound at all moments between them and half way from each to the
// next, where the curve is that of all knots; the middle moment is the likeliest to say no, and is tried first.
static int fits(const double *value, const double *slope, const double *time, int64_t a, int64_t b, double bound) {
    const double span = time[b] - time[a], rise = value[b] - value[a];
    const double begin = span * slope[a], bend = 3.0 * rise - 2.0 * begin - span * slope[b];
    const double twist = begin + span * slope[b] - 2.0 * rise;
    const int64_t middle = (a + b) / 2;
    for (int64_t turn = a; turn < b; turn++) {
        const int64_t at = turn == a ? middle : turn;
        const double s = (time[at] - time[a]) / span;
        if (!(fabs(value[a] + s * (begin + s * (bend + s * twist)) - value[at]) <= bound)) return 0;
    }
    for (int64_t at = a; at < b; at++) {
        const double gap = time[at + 1] - time[at], s = (time[at] + 0.5 * gap - time[a]) / span;
        const double half = 0.5 * (value[at] + value[at + 1]) + 0.125 * gap * (slope[at] - slope[at + 1]);
        if (!(fabs(value[a] + s * (begin + s * (bend + s * twist)) - half) <= bound)) return 0;
    }
    return 1;
}

// knots: of equally few the path whose last stretches are the longest.
SEEN int32_t artfish_knots(const KnotsCall *call, int64_t begin, int64_t end) {
    TAKE_KNOTS(call);
    if (!moments) return 0;
    int64_t *few = malloc((size_t)moments * 2 * sizeof *few), *from = few + moments;
    if (!few) return 1;
    for (int64_t curve = begin; curve < end; curve++) {
        const double *value = values + curve * moments, *slope = slopes + curve * moments;
        uint8_t *knot = knotted + curve * moments;
        few[0] = 0;
        for (int64_t at = 1; at < moments; at++) {
            const int64_t first = at > longest ? at - longest : 0;
            few[at] = few[at - 1] + 1, from[at] = at - 1;
            for (int64_t start = first; start < at - 1; start++)
                if (few[start] + 1 < few[at] && fits(value, slope, times, start, at, bounds[curve]))
                    few[at] = few[start] + 1, from[at] = start;
        }
        memset(knot, 0, (size_t)moments);
        int64_t at = moments - 1;
        for (; at; at = from[at]) knot[at] = 1;
        knot[0] = 1;
    }
    free(few);
    return 0;
}
