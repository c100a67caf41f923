// What neighbours are to a fish: what core/perception/collision.py of threats, core/perception/alarm.py of mates that
// know of foes, core/behavior/routines/school.py and keep_off of core/behavior/routines/avoid.py define and explain,
// compiled.
//
// Operation by operation the same as there, so the bits are those of NumPy's forms. A function takes its arrays in the
// order in which its comment has them, those that it fills last, and does the work of rows from the first number up to
// the second.

#include "exact.h"

enum { MOST_NEIGHBOURS = 64 };

// sums.total of so many numbers, which it uses up.
static inline double total(double *terms, int64_t count) {
    fold(terms, count, 1);
    return terms[0];
}

// sums.weighted: shares (k,), vectors (k, 3).
static inline void weighted(const double *shares, const double *vectors, int64_t count, double *sum) {
    double terms[MOST_NEIGHBOURS];
    for (int axis = 0; axis < 3; axis++) {
        for (int64_t i = 0; i < count; i++) terms[i] = shares[i] * vectors[3 * i + axis];
        sum[axis] = total(terms, count);
    }
}

typedef struct {
    double nose, tail, girth, foreseen;
} Body;

// collision.threats: offsets, motions and headings of neighbours (n, k, 3), their lengths (n, k), who is there (n, k),
// frames (n, 3, 3), length (n,), box ahead, behind, sideways and up (n, 4), comfort (n,), numbers of Body (4,); portion
// (n, k), urgency (n, k), away (n, k, 3). Numbers: k.
SEEN int32_t artfish_threats(void **arrays, const int64_t *numbers) {
    const double *offsets = arrays[0], *motions = arrays[1], *headings = arrays[2], *lengths = arrays[3];
    const uint8_t *there = arrays[4];
    const double *frames = arrays[5], *own = arrays[6], *boxes = arrays[7], *comforts = arrays[8];
    const Body body = *(const Body *)arrays[9];
    double *portions = arrays[10], *urgencies = arrays[11], *aways = arrays[12];
    const int64_t others = numbers[2];
    for (int64_t row = numbers[0]; row < numbers[1]; row++) {
        const double *frame = frames + 9 * row, *box = boxes + 4 * row, mine = own[row];
        const double long_side = greatest(box[0], box[1]), corner = sqrt(long_side * long_side + 1 + box[3] * box[3]);
        const double high[3] = {box[0], box[2], box[3]}, low[3] = {-box[1], -box[2], -box[3]};
        for (int64_t pair = others * row; pair < others * (row + 1); pair++) {
            const double *offset = offsets + 3 * pair, *motion = motions + 3 * pair, *ahead = headings + 3 * pair;
            const double other = lengths[pair];
            const double sideways = comforts[row] * least(mine, other) + body.girth * (mine + other);
            const double swiftness = dot(motion, motion);
            const double reach = corner * sideways - body.tail * other + body.foreseen * sqrt(swiftness);
            portions[pair] = urgencies[pair] = 0.0;
            memset(aways + 3 * pair, 0, 3 * sizeof *aways);
            if (!there[pair] || !(sqrt(dot(offset, offset)) <= reach)) continue;
            const double when = -dot(offset, motion) / greatest(swiftness, 1e-12);
            const double moment = within(when, 0.0, body.foreseen);
            double nose[3], line[3], start[3], way[3], enter = 0.0, leave = 1.0;
            for (int axis = 0; axis < 3; axis++) {
                nose[axis] = offset[axis] + moment * motion[axis] + body.nose * other * ahead[axis];
                line[axis] = (body.tail - body.nose) * other * ahead[axis];
            }
            local(frame, nose, start), local(frame, line, way);
            for (int axis = 0; axis < 3; axis++) {
                start[axis] /= sideways, way[axis] /= sideways;
                way[axis] = fabs(way[axis]) < 1e-12 ? 1e-12 : way[axis];
                const double first = (low[axis] - start[axis]) / way[axis];
                const double second = (high[axis] - start[axis]) / way[axis];
                enter = greatest(enter, least(first, second));
                leave = least(leave, greatest(first, second));
            }
            const double nearest = -dot(start, way) / greatest(dot(way, way), 1e-12);
            const double share = greatest(least(nearest, leave), enter);
            double deepest = -INFINITY, from[3];
            for (int axis = 0; axis < 3; axis++) {
                const double at = start[axis] + share * way[axis];
                deepest = greatest(deepest, greatest(at / high[axis], at / low[axis]));
                from[axis] = -(nose[axis] + share * line[axis]);
            }
            portions[pair] = greatest(leave - enter, 0.0);
            urgencies[pair] = leave > enter ? greatest(1 - deepest, 0.0) : 0.0;
            const double far = greatest(sqrt(dot(from, from)), 1e-9);
            for (int axis = 0; axis < 3; axis++) aways[3 * pair + axis] = from[axis] / far;
        }
    }
    return 0;
}

typedef struct {
    double train, leader, remote, consent, least_middle, party, front, behind, in_front, beside, enough, alike;
    double closing, least_room, keeping_up, most_keeping_up, catch_up, pulls[4], spurts[4];
} School;

enum { CLOSE_UP, DRAW_IN, MATCH, SWIM_ALONG };

// school.keep_together: offsets, motions and headings of neighbours (n, k, 3), their lengths, who are kin, who
// lead and who are near (n, k) each, headings (n, 3), speed, length, heed and accord (n,) each, numbers of School; pull
// (n, 3), hurry, formed and check (n,) each. Numbers: k.
SEEN int32_t artfish_keep_together(void **arrays, const int64_t *numbers) {
    const double *offsets = arrays[0], *motions = arrays[1], *headings = arrays[2], *lengths = arrays[3];
    const uint8_t *kin = arrays[4], *leads = arrays[5], *nears = arrays[6];
    const double *aheads = arrays[7], *speeds = arrays[8], *own = arrays[9], *heeds = arrays[10], *accords = arrays[11];
    const School *of = arrays[12];
    double *pulls = arrays[13], *hurries = arrays[14];
    uint8_t *formed = arrays[15], *checks = arrays[16];
    const int64_t others = numbers[2];
    if (others > MOST_NEIGHBOURS || others < 1) return 1;
    for (int64_t row = numbers[0]; row < numbers[1]; row++) {
        const double *offset = offsets + 3 * others * row, *motion = motions + 3 * others * row;
        const double *heading = headings + 3 * others * row, *size = lengths + others * row;
        const uint8_t *mate = kin + others * row, *lead = leads + others * row, *near = nears + others * row;
        const double *ahead = aheads + 3 * row, length = own[row];
        double distance[MOST_NEIGHBOURS], guide[MOST_NEIGHBOURS], draw[MOST_NEIGHBOURS], terms[MOST_NEIGHBOURS];
        double trailing = -INFINITY, lost = INFINITY;
        int64_t many = 0;
        for (int64_t i = 0; i < others; i++) many += mate[i] != 0;
        const double watched = floor(heeds[row] * (double)many) + 1.0, accord = accords[row];
        int64_t rank = 0;
        for (int64_t i = 0; i < others; i++) {
            const double mates = mate[i] ? 1.0 : 0.0, leading = lead[i] ? 1.0 : 0.0;
            distance[i] = sqrt(dot(offset + 3 * i, offset + 3 * i));
            const double remote = within(distance[i] / (of->train * length) - 0.5, 0.0, 1.0);
            trailing = greatest(trailing, mates * leading * remote);
            lost = least(lost, mate[i] ? remote : 1.0);
            rank += mate[i] != 0;
            const double one = mate[i] && (double)rank == watched ? (double)many : 0.0;
            const double voice = accord + (1.0 - accord) * one;
            guide[i] = mates * (1.0 + of->leader * leading) * (1.0 + of->remote * remote) * voice;
            draw[i] = mates * (1.0 + of->leader * leading * remote);
            draw[i] *= near[i] ? 1.0 : within(distance[i] / (of->party * length) - 1.0, 0.0, 1.0);
        }
        memcpy(terms, guide, others * sizeof *terms);
        const double guides = greatest(total(terms, others), 1.0);
        memcpy(terms, draw, others * sizeof *terms);
        const double draws = greatest(total(terms, others), 1.0);
        for (int64_t i = 0; i < others; i++) guide[i] /= guides, draw[i] /= draws;
        double course[3], gain[3], middle[3], closing[3];
        weighted(guide, heading, others, course);
        weighted(guide, motion, others, gain);
        weighted(draw, offset, others, middle);
        const double consent = greatest(sqrt(dot(course, course)), of->consent);
        const double far = greatest(sqrt(dot(middle, middle)), of->least_middle * length);
        for (int axis = 0; axis < 3; axis++) course[axis] /= consent, closing[axis] = middle[axis] / far;
        const double faster = dot(gain, ahead) / greatest(speeds[row], length), lag = dot(closing, ahead);

        int64_t ahead_of_it = 0, beside_it = 0, close_ahead = 0, close_beside = 0, first = 0, second = 0;
        double before = INFINITY, abreast = INFINITY;
        int check = 0;
        for (int64_t i = 0; i < others; i++) {
            if (!mate[i]) continue;
            const double *arm = offset + 3 * i, away = greatest(distance[i], 1e-9), lengths_off = distance[i] / length;
            const double bearing = dot(arm, ahead) / away;
            if (bearing > of->front) {
                const double approach = -dot(arm, motion + 3 * i) / away;
                const double room = distance[i] - 0.5 * (length + size[i]);
                check |= approach * of->closing > greatest(room, of->least_room * length);
                ahead_of_it++, close_ahead += lengths_off < of->in_front;
                if (lengths_off < before) before = lengths_off, first = i;
            } else if (bearing >= of->behind) {
                beside_it++, close_beside += lengths_off < of->beside;
                if (lengths_off < abreast) abreast = lengths_off, second = i;
            }
        }
        const int leaf = close_ahead < of->enough && ahead_of_it ? CLOSE_UP
            : close_beside < of->enough && beside_it             ? DRAW_IN
            : dot(course, ahead) < of->alike                     ? MATCH
                                                                 : SWIM_ALONG;
        const double *to = offset + 3 * (leaf == CLOSE_UP ? first : second), here = many ? 1.0 : 0.0;
        const double to_it = greatest(sqrt(dot(to, to)), LEAST_LENGTH), strength = of->pulls[leaf] * here;
        for (int axis = 0; axis < 3; axis++)
            pulls[3 * row + axis] = course[axis] + closing[axis] + strength * (to[axis] / to_it);
        const double hurry = of->keeping_up * faster + of->keeping_up * lag + of->spurts[leaf] * here;
        const double behind = lost * greatest(lag, 0.0);
        hurries[row] = within(hurry, -of->most_keeping_up, of->most_keeping_up)
            + of->catch_up * greatest(trailing, behind);
        formed[row] = leaf >= MATCH, checks[row] = check;
    }
    return 0;
}

// school.wait_for: offsets of neighbours (n, k, 3), who are kin (n, k), headings (n, 3), length (n,), how much slower a
// length makes, patience and the most (3,); slower (n,). Numbers: k.
SEEN int32_t artfish_wait_for(void **arrays, const int64_t *numbers) {
    const double *offsets = arrays[0], *aheads = arrays[2], *lengths = arrays[3], *of = arrays[4];
    const uint8_t *kin = arrays[1];
    double *slower = arrays[5], mates[MOST_NEIGHBOURS], terms[MOST_NEIGHBOURS], middle[3];
    const int64_t others = numbers[2];
    if (others > MOST_NEIGHBOURS || others < 1) return 1;
    for (int64_t row = numbers[0]; row < numbers[1]; row++) {
        for (int64_t i = 0; i < others; i++) mates[i] = terms[i] = kin[others * row + i] ? 1.0 : 0.0;
        const double many = greatest(total(terms, others), 1.0);
        weighted(mates, offsets + 3 * others * row, others, middle);
        for (int axis = 0; axis < 3; axis++) middle[axis] /= many;
        const double behind = -dot(middle, aheads + 3 * row) / lengths[row];
        slower[row] = -within(of[0] * (behind - of[1]), 0.0, of[2]);
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

// alarm.known_to_mates: who listens, by their ordinal (n,) and row (n,), foes of all that look around (looks, k), which of
// the alarmed are nearest (n, m) and the rows of these; whom each fish sees and is alarmed by, school and reach, (fish,)
// each, places and headings (fish, 3), the cosine of half the field (1,); which foes are known (looks, k). Numbers: k, m.
SEEN int32_t artfish_heard(void **arrays, const int64_t *numbers) {
    const int64_t *ordinals = arrays[0], *listeners = arrays[1], *foes = arrays[2], *nearest = arrays[3];
    const int64_t *alarmed = arrays[4], *sighted = arrays[5], *school = arrays[6];
    const double *reaches = arrays[7], *places = arrays[8], *aheads = arrays[9], *field = arrays[10];
    uint8_t *known = arrays[11];
    const int64_t others = numbers[2], near = numbers[3];
    for (int64_t row = numbers[0]; row < numbers[1]; row++) {
        const int64_t me = listeners[row], first = others * ordinals[row];
        for (int64_t i = 0; i < near; i++) {
            const int64_t mate = alarmed[nearest[near * row + i]];
            if (school[mate] != school[me] || mate == me) continue;
            double offset[3];
            for (int axis = 0; axis < 3; axis++) offset[axis] = places[3 * mate + axis] - places[3 * me + axis];
            const double gap = sqrt(dot(offset, offset));
            if (!(gap <= reaches[me]) || !(dot(offset, aheads + 3 * me) >= *field * gap)) continue;
            for (int64_t k = first; k < first + others; k++) known[k] |= foes[k] == sighted[mate];
        }
    }
    return 0;
}

// Sightings.alarms: who is afraid, (n,), and predators that live, (p,), by their rows; of all fishes middles and noses (fish,
// 3), how near a predator alarms each and is too close, (fish,) both; the nearest predator of each, (n,), and whom it alarms
// and startles, (2, fish). Numbers: p, fishes.
SEEN int32_t artfish_startle(void **arrays, const int64_t *numbers) {
    const int64_t *rows = arrays[0], *foes = arrays[1];
    const double *middles = arrays[2], *noses = arrays[3], *alarming = arrays[4], *startling = arrays[5];
    int64_t *nearest = arrays[6];
    uint8_t *alarmed = arrays[7], *startled = alarmed + numbers[3];
    for (int64_t i = numbers[0]; i < numbers[1]; i++) {
        const int64_t me = rows[i];
        double least_square = INFINITY;
        nearest[i] = foes[0];
        for (int64_t k = 0; k < numbers[2]; k++) {
            double arm[3];
            for (int axis = 0; axis < 3; axis++) arm[axis] = middles[3 * foes[k] + axis] - middles[3 * me + axis];
            const double square = dot(arm, arm);
            if (square < least_square) least_square = square, nearest[i] = foes[k];
        }
        double arm[3];
        for (int axis = 0; axis < 3; axis++) arm[axis] = middles[3 * nearest[i] + axis] - noses[3 * me + axis];
        const double away = sqrt(dot(arm, arm));
        alarmed[me] = away < alarming[me], startled[me] = away < startling[me];
    }
    return 0;
}
