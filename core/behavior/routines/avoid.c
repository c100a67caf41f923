// A fish weighs its ways: what core/behavior/routines/avoid.py defines and explains, compiled in the steps between which
// paths are felt, with the same bits. A function gives 1 where it leaves its rows to NumPy's form.

#include "behavior/routines/company.h"

typedef struct {
    double least_speed, turning_rate, tightest, stream, blocked_cost, turn_cost, least_firmness, danger_firmness;
    double pressing_cost, wound, dizziness, bonus, detour;
} Weights;

// vectors.vector.
static inline void vector(double azimuth, double slope, double *way) {
    double left, ahead, up, flat;
    sin_and_cos(azimuth, &left, &ahead);
    sin_and_cos(slope, &up, &flat);
    way[0] = flat * ahead, way[1] = flat * left, way[2] = up + 0.0;
}

// avoid.fan: wishes (n, 3), aims (n,), headings (n, 3), jitter (n,), least and greatest slope (n,) each, turns, climbs
// and levels of the fan (3, c - 2); headings (n,), azimuths, climbs, turns (n, c) each, ways (n, c, 3). Numbers: c.
SEEN int32_t artfish_fan(void **arrays, const int64_t *numbers) {
    const double *wishes = arrays[0], *aims = arrays[1], *aheads = arrays[2], *jitters = arrays[3];
    const double *lows = arrays[4], *highs = arrays[5];
    const int64_t count = numbers[2], spread = count - 2;
    const double *turned = arrays[6], *climbed = turned + spread, *level_ways = climbed + spread;
    double *headings = arrays[7], *azimuths = arrays[8], *climbs = arrays[9], *turns = arrays[10], *ways = arrays[11];
    for (int64_t row = numbers[0]; row < numbers[1]; row++) {
        const double *wish = wishes + 3 * row, *ahead = aheads + 3 * row;
        const double out = sqrt(wish[0] * wish[0] + wish[1] * wish[1]);
        for (int axis = 0; axis < 3; axis++)
            if (!(fabs(wish[axis]) < 1e150) || !(fabs(ahead[axis]) < 1e150)) return 1;
        const double heading = arctan2(ahead[1], ahead[0]);
        const double level = within(arctan2(wish[2], out), lows[row], highs[row]);
        headings[row] = heading;
        for (int64_t way = 0; way < count; way++) {
            const int64_t at = count * row + way, of = way - 2;
            azimuths[at] = way == 0 ? arctan2(wish[1], wish[0]) : way == 1 ? aims[row] : heading + turned[of] + jitters[row];
            climbs[at] = way < 2 || level_ways[of] != 0.0 ? level : climbed[of];
            if (!(fabs(azimuths[at]) < FARTHEST_ANGLE) || !(fabs(climbs[at]) < FARTHEST_ANGLE)) return 1;
            turns[at] = wrap(azimuths[at] - heading);
            vector(azimuths[at], climbs[at], ways + 3 * at);
        }
    }
    return 0;
}

// avoid.tangents: places (n, 3), headings (n, 3), speed (n,), length (n,), azimuths of the headings (n,), turns and
// climbs (n, c), free ahead (n,), Weights; twice the way to the corner (n, c), starts and halfways (n, c, 3). Numbers: c.
SEEN int32_t artfish_tangents(void **arrays, const int64_t *numbers) {
    const double *places = arrays[0], *aheads = arrays[1], *speeds = arrays[2], *lengths = arrays[3];
    const double *headings = arrays[4], *turns = arrays[5], *climbs = arrays[6], *straights = arrays[7];
    const Weights *of = arrays[8];
    double *corners = arrays[9], *starts = arrays[10], *halfways = arrays[11];
    const int64_t count = numbers[2];
    for (int64_t row = numbers[0]; row < numbers[1]; row++) {
        const double fast = greatest(speeds[row], of->least_speed * lengths[row]) / of->turning_rate;
        const double radius = least(fast, of->tightest * straights[row]);
        for (int64_t at = count * row; at < count * (row + 1); at++) {
            const double half = turns[at] / 2, azimuth = headings[row] + half;
            double sine, cosine;
            if (!(fabs(half) < 100.0) || !(fabs(azimuth) < FARTHEST_ANGLE) || !(fabs(climbs[at]) < FARTHEST_ANGLE)) return 1;
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

// avoid.onward: speed (n,), length (n,), drift (n, 3), ways, starts and halfways (n, c, 3), legs (n, c), Weights; starts
// of the rest and its directions over ground (n, c, 3). Numbers: c.
SEEN int32_t artfish_onward(void **arrays, const int64_t *numbers) {
    const double *speeds = arrays[0], *lengths = arrays[1], *drifts = arrays[2], *ways = arrays[3];
    const double *starts = arrays[4], *halfways = arrays[5], *legs = arrays[6];
    const Weights *of = arrays[7];
    double *ends = arrays[8], *grounds = arrays[9];
    const int64_t count = numbers[2];
    for (int64_t row = numbers[0]; row < numbers[1]; row++) {
        const double *drift = drifts + 3 * row, fast = greatest(speeds[row], of->least_speed * lengths[row]);
        const double able = greatest(fast, of->stream * sqrt(dot(drift, drift)));
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

// avoid.weigh: wishes (n, 3), aims (n,), sight (n,), zeal (n,), wound (n,), free ahead (n,), azimuths, climbs, turns,
// free, pressed (n, c) each, ways (n, c, 3), Weights; azimuth (n,), climb (n,), detour (n,). Numbers: c.
SEEN int32_t artfish_weigh(void **arrays, const int64_t *numbers) {
    const double *wishes = arrays[0], *aims = arrays[1], *sights = arrays[2], *zeals = arrays[3], *wounds = arrays[4];
    const double *straights = arrays[5], *azimuths = arrays[6], *climbs = arrays[7], *turns = arrays[8];
    const double *frees = arrays[9], *pressed = arrays[10], *ways = arrays[11];
    const Weights *of = arrays[12];
    double *azimuth = arrays[13], *climb = arrays[14];
    uint8_t *detour = arrays[15];
    const int64_t count = numbers[2];
    for (int64_t row = numbers[0]; row < numbers[1]; row++) {
        const double *wish = wishes + 3 * row, size = greatest(sqrt(dot(wish, wish)), LEAST_LENGTH), wound = wounds[row];
        const double to[3] = {wish[0] / size, wish[1] / size, wish[2] / size};
        const double danger = greatest(1 - straights[row] / sights[row], 0.0);
        const double firmness = of->least_firmness + of->danger_firmness * danger;
        const double side = wound > 0.0 ? 1.0 : wound < 0.0 ? -1.0 : 0.0;
        const double enough = side * within(fabs(wound) - of->wound, 0.0, 1.0);
        double most = -INFINITY, first = 0.0;
        int64_t best = 0;
        for (int64_t way = 0; way < count; way++) {
            const int64_t at = count * row + way;
            const double blocked = greatest(1 - frees[at] / sights[row], 0.0), off = azimuths[at] - aims[row];
            double sine, cosine;
            if (!(fabs(off) < FARTHEST_ANGLE)) return 1;
            sin_and_cos(off, &sine, &cosine);
            double merit = zeals[row] * dot(ways + 3 * at, to) - of->blocked_cost * (blocked * blocked)
                - of->turn_cost * fabs(turns[at] / 2);
            merit += firmness * cosine;
            merit -= of->pressing_cost * pressed[at];
            merit -= of->dizziness * greatest(enough * within(turns[at], -1.0, 1.0), 0.0);
            if (way == 1) merit += of->bonus;
            if (merit != merit) return 1;
            if (merit > most) most = merit, best = way;
            if (way == 0) first = blocked;
        }
        azimuth[row] = wrap(azimuths[count * row + best]), climb[row] = climbs[count * row + best];
        detour[row] = (first > of->detour) & (best > 0);
    }
    return 0;
}

// avoid.keep_off: urgencies (n, k), ways off (n, k, 3), lengths of neighbours (n, k), length (n,), push in touch (1,);
// push (n, 3). Numbers: k.
SEEN int32_t artfish_keep_off(void **arrays, const int64_t *numbers) {
    const double *urgencies = arrays[0], *aways = arrays[1], *lengths = arrays[2], *own = arrays[3], *push = arrays[4];
    double *pushes = arrays[5], shares[MOST_NEIGHBOURS];
    const int64_t others = numbers[2];
    if (others > MOST_NEIGHBOURS || others < 1) return 1;
    for (int64_t row = numbers[0]; row < numbers[1]; row++) {
        for (int64_t i = 0; i < others; i++) {
            const double other = lengths[others * row + i], giving_way = 2 * other / (own[row] + other);
            shares[i] = *push * giving_way * urgencies[others * row + i];
        }
        weighted(shares, aways + 3 * others * row, others, pushes + 3 * row);
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
