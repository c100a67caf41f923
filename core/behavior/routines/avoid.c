// A fish weighs its ways (Tu 1999, §6.6.1 and §7.8.1), in the steps between which paths are felt; and what pushes it
// off neighbours and walls. core/behavior/routines/avoid.py explains them.

#include <stdlib.h>

#include "behavior/routines/company.h"
#include "declared.h"

// vectors.vector.
static inline void vector(double azimuth, double slope, double *way) {
    double left, ahead, up, flat;
    sin_and_cos(azimuth, &left, &ahead);
    sin_and_cos(slope, &up, &flat);
    way[0] = flat * ahead, way[1] = flat * left, way[2] = up + 0.0;
}

// avoid.fan_of: the wish, the aim, and what is spread about the heading.
SEEN int32_t artfish_fan(const FanCall *call, int64_t begin, int64_t end) {
    TAKE_FAN(call);
    for (int64_t row = begin; row < end; row++) {
        const double *wish = wishes + 3 * row, *ahead = aheads + 3 * row;
        const double out = sqrt(wish[0] * wish[0] + wish[1] * wish[1]);
        const double heading = arctan2(ahead[1], ahead[0]);
        const double level = within(arctan2(wish[2], out), lows[row], highs[row]);
        headings[row] = heading;
        for (int64_t way = 0; way < count; way++) {
            const int64_t at = count * row + way, k = way - 2;
            const double wanted = way == 0 ? arctan2(wish[1], wish[0]) : aims[row];
            azimuths[at] = way < 2 ? wanted : heading + spread.turned[k] + jitters[row];
            climbs[at] = way < 2 || spread.level[k] != 0.0 ? level : spread.climbed[k];
            turns[at] = wrap(azimuths[at] - heading);
            vector(azimuths[at], climbs[at], ways + 3 * at);
        }
    }
    return 0;
}

// avoid.tangents: corners are twice the way to them. A fish without room slows down and turns more tightly, in the end
// on the spot.
SEEN int32_t artfish_tangents(const TangentsCall *call, int64_t begin, int64_t end) {
    TAKE_TANGENTS(call);
    for (int64_t row = begin; row < end; row++) {
        const double fast = greatest(speeds[row], weights->least_speed * lengths[row]) / weights->turning_rate;
        const double radius = least(fast, weights->tightest * straights[row]);
        for (int64_t at = count * row; at < count * (row + 1); at++) {
            const double half = turns[at] / 2, azimuth = headings[row] + half;
            double sine, cosine;
            sin_and_cos(fabs(half) / 2, &sine, &cosine);
            const double corner = radius * (sine / cosine);
            corners[at] = 2 * corner;
            for (int axis = 0; axis < 3; axis++)
                starts[3 * at + axis] = places[3 * row + axis] + corner * aheads[3 * row + axis];
            vector(azimuth, climbs[at], halfways + 3 * at);
        }
    }
    return 0;
}

// avoid.onward. Slower than the water no way leads upstream; a fish that must can swim faster.
SEEN int32_t artfish_onward(const OnwardCall *call, int64_t begin, int64_t end) {
    TAKE_ONWARD(call);
    for (int64_t row = begin; row < end; row++) {
        const double *drift = drifts + 3 * row, fast = greatest(speeds[row], weights->least_speed * lengths[row]);
        const double able = greatest(fast, weights->stream * sqrt(dot(drift, drift)));
        for (int64_t at = count * row; at < count * (row + 1); at++) {
            double ground[3];
            for (int axis = 0; axis < 3; axis++) {
                ends[3 * at + axis] = starts[3 * at + axis] + legs[at] * halfways[3 * at + axis];
                ground[axis] = ways[3 * at + axis] * able + drift[axis];
            }
            const double length = greatest(sqrt(dot(ground, ground)), LEAST_LENGTH);
            for (int axis = 0; axis < 3; axis++) grounds[3 * at + axis] = ground[axis] / length;
        }
    }
    return 0;
}

// avoid.weigh: of equally good ways the first, and so of those whose merit is no number.
SEEN int32_t artfish_weigh(const WeighCall *call, int64_t begin, int64_t end) {
    TAKE_WEIGH(call);
    for (int64_t row = begin; row < end; row++) {
        const double *wish = wishes + 3 * row, wound = wounds[row];
        const double size = greatest(sqrt(dot(wish, wish)), LEAST_LENGTH);
        const double to[3] = {wish[0] / size, wish[1] / size, wish[2] / size};
        // The closer the danger, the more harm there is in another change of mind.
        const double danger = greatest(1 - straights[row] / sights[row], 0.0);
        const double firmness = weights->least_firmness + weights->danger_firmness * danger;
        const double side = wound > 0.0 ? 1.0 : wound < 0.0 ? -1.0 : 0.0;
        const double enough = side * within(fabs(wound) - weights->wound, 0.0, 1.0);
        double most = -INFINITY, first = 0.0;
        int64_t best = 0;
        for (int64_t way = 0; way < count; way++) {
            const int64_t at = count * row + way;
            const double blocked = greatest(1 - frees[at] / sights[row], 0.0), off = azimuths[at] - aims[row];
            double sine, cosine;
            sin_and_cos(off, &sine, &cosine);
            double merit = zeals[row] * dot(ways + 3 * at, to) - weights->blocked_cost * (blocked * blocked)
                - weights->turn_cost * fabs(turns[at] / 2);
            merit += firmness * cosine;
            merit -= weights->pressing_cost * pressed[at];
            merit -= weights->dizziness * greatest(enough * within(turns[at], -1.0, 1.0), 0.0);
            if (way == 1) merit += weights->bonus;
            if (merit > most || (merit != merit && most == most)) most = merit, best = way;
            if (way == 0) first = blocked;
        }
        azimuth[row] = wrap(azimuths[count * row + best]), climb[row] = climbs[count * row + best];
        detour[row] = (first > weights->detour) & (best > 0);
    }
    return 0;
}

// avoid.keep_off: a push in touch, and less before; the smaller of two gives way more.
SEEN int32_t artfish_keep_off(const KeepOffCall *call, int64_t begin, int64_t end) {
    TAKE_KEEP_OFF(call);
    double *shares = malloc((size_t)(2 * others + 1) * sizeof *shares), *terms = shares + others;
    if (!shares) return 1;
    for (int64_t row = begin; row < end; row++) {
        for (int64_t i = 0; i < others; i++) {
            const double other = lengths[others * row + i], giving_way = 2 * other / (own[row] + other);
            shares[i] = push * giving_way * urgencies[others * row + i];
        }
        weighted(shares, aways + 3 * others * row, others, terms, pushes + 3 * row);
    }
    free(shares);
    return 0;
}

// avoid.press_off, one wall after the other.
SEEN int32_t artfish_press_off(const PressOffCall *call, int64_t begin, int64_t end) {
    TAKE_PRESS_OFF(call);
    for (int64_t i = begin; i < end; i++) {
        double *wish = pressed + 3 * i;
        memcpy(wish, wishes + 3 * i, 3 * sizeof *wish);
        for (const double *wall = pushes + 12 * i; wall < pushes + 12 * (i + 1); wall += 3) {
            const double size = sqrt(dot(wall, wall)), safe = greatest(size, LEAST_LENGTH);
            const double off[3] = {wall[0] / safe, wall[1] / safe, wall[2] / safe};
            const double against = least(size, 1.0) * least(dot(wish, off), 0.0);
            for (int axis = 0; axis < 3; axis++) wish[axis] += wall[axis] - against * off[axis];
        }
    }
    return 0;
}
