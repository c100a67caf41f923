// Schools (Tu 1999, §7.9.2 and fig. 7.13, after Reynolds 1987): core/behavior/routines/school.py explains them.

#include <stdlib.h>

#include "behavior/routines/company.h"
#include "declared.h"

enum { CLOSE_UP, DRAW_IN, MATCH, SWIM_ALONG };  // the leaves of the decision tree

// school.keep_together.
SEEN int32_t artfish_keep_together(const KeepTogetherCall *call, int64_t begin, int64_t end) {
    TAKE_KEEP_TOGETHER(call);
    double *distance = malloc((size_t)(4 * others + 1) * sizeof *distance);
    if (!distance) return 1;
    double *guide = distance + others, *draw = guide + others, *terms = draw + others;
    for (int64_t row = begin; row < end; row++) {
        const double *offset = offsets + 3 * others * row, *motion = motions + 3 * others * row;
        const double *heading = headings + 3 * others * row, *size = lengths + others * row;
        const uint8_t *mate = kin + others * row, *lead = leads + others * row, *near = nears + others * row;
        const double *ahead = aheads + 3 * row, length = own[row];
        double trailing = 0.0, lost = 1.0;
        int64_t many = 0;
        for (int64_t i = 0; i < others; i++) many += mate[i] != 0;
        const double watched = floor(heeds[row] * (double)many) + 1.0, accord = accords[row];
        int64_t rank = 0;
        for (int64_t i = 0; i < others; i++) {
            const double mates = mate[i] ? 1.0 : 0.0, leading = lead[i] ? 1.0 : 0.0;
            distance[i] = sqrt(dot(offset + 3 * i, offset + 3 * i));
            // A leader shows the way from afar; near it, a fish goes as it goes rather than where it is.
            const double remote = within(distance[i] / (school->train * length) - 0.5, 0.0, 1.0);
            trailing = greatest(trailing, mates * leading * remote);
            lost = least(lost, mate[i] ? remote : 1.0);
            rank += mate[i] != 0;
            const double one = mate[i] && (double)rank == watched ? (double)many : 0.0;
            const double voice = accord + (1.0 - accord) * one;
            guide[i] = mates * (1.0 + school->leader * leading) * (1.0 + school->remote * remote) * voice;
            draw[i] = mates * (1.0 + school->leader * leading * remote);
            // Those glanced at count towards the middle where they are another party: the nearest stand for what is
            // between.
            draw[i] *= near[i] ? 1.0 : within(distance[i] / (school->party * length) - 1.0, 0.0, 1.0);
        }
        memcpy(terms, guide, (size_t)others * sizeof *terms);
        const double guides = greatest(total(terms, others), 1.0);
        memcpy(terms, draw, (size_t)others * sizeof *terms);
        const double draws = greatest(total(terms, others), 1.0);
        for (int64_t i = 0; i < others; i++) guide[i] /= guides, draw[i] /= draws;
        double course[3], gain[3], middle[3], closing[3];
        weighted(guide, heading, others, terms, course);
        weighted(guide, motion, others, terms, gain);
        weighted(draw, offset, others, terms, middle);
        const double consent = greatest(sqrt(dot(course, course)), school->consent);
        const double far = greatest(sqrt(dot(middle, middle)), school->least_middle * length);
        for (int axis = 0; axis < 3; axis++) course[axis] /= consent, closing[axis] = middle[axis] / far;
        const double faster = dot(gain, ahead) / greatest(speeds[row], length), lag = dot(closing, ahead);

        int64_t ahead_of_it = 0, beside_it = 0, first = 0, second = 0;
        double close_ahead = 0.0, close_beside = 0.0;
        double before = INFINITY, abreast = INFINITY;
        int check = 0;
        for (int64_t i = 0; i < others; i++) {
            if (!mate[i]) continue;
            const double *arm = offset + 3 * i, away = greatest(distance[i], 1e-9), lengths_off = distance[i] / length;
            const double bearing = dot(arm, ahead) / away;
            if (bearing > school->front) {
                const double approach = -dot(arm, motion + 3 * i) / away;
                const double room = distance[i] - 0.5 * (length + size[i]);
                check |= approach * school->closing > greatest(room, school->least_room * length);
                ahead_of_it++, close_ahead += lengths_off < school->in_front ? 1.0 : 0.0;
                if (lengths_off < before) before = lengths_off, first = i;
            } else if (bearing >= school->behind) {
                beside_it++, close_beside += lengths_off < school->beside ? 1.0 : 0.0;
                if (lengths_off < abreast) abreast = lengths_off, second = i;
            }
        }
        // A fish with nobody at all in front leads, or is on the rim, and goes by the next question.
        const int leaf = close_ahead < school->enough && ahead_of_it ? CLOSE_UP
            : close_beside < school->enough && beside_it             ? DRAW_IN
            : dot(course, ahead) < school->alike                     ? MATCH
                                                                 : SWIM_ALONG;
        const double *to = offset + 3 * (leaf == CLOSE_UP ? first : second), here = many ? 1.0 : 0.0;
        const double to_it = greatest(sqrt(dot(to, to)), LEAST_LENGTH), strength = school->pulls[leaf] * here;
        for (int axis = 0; axis < 3; axis++)
            pulls[3 * row + axis] = alignments[row] * course[axis] + closing[axis] + strength * (to[axis] / to_it);
        const double hurry = school->keeping_up * faster + school->keeping_up * lag + school->spurts[leaf] * here;
        // A fish with nobody near makes haste to get to them: one that swims as fast as they do never would.
        const double behind = lost * greatest(lag, 0.0);
        hurries[row] = within(hurry, -school->most_keeping_up, school->most_keeping_up)
            + school->catch_up * greatest(trailing, behind);
        formed[row] = leaf >= MATCH, checks[row] = check != 0;
    }
    free(distance);
    return 0;
}

// school.wait_for.
SEEN int32_t artfish_wait_for(const WaitForCall *call, int64_t begin, int64_t end) {
    TAKE_WAIT_FOR(call);
    double middle[3], *mates = malloc((size_t)(2 * others + 1) * sizeof *mates), *terms = mates + others;
    if (!mates) return 1;
    for (int64_t row = begin; row < end; row++) {
        for (int64_t i = 0; i < others; i++) mates[i] = terms[i] = kin[others * row + i] ? 1.0 : 0.0;
        const double many = greatest(total(terms, others), 1.0);
        weighted(mates, offsets + 3 * others * row, others, terms, middle);
        for (int axis = 0; axis < 3; axis++) middle[axis] /= many;
        const double behind = -dot(middle, aheads + 3 * row) / lengths[row];
        slower[row] = -within(slowing * (behind - patience), 0.0, most);
    }
    free(mates);
    return 0;
}
