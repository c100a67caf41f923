// Food that is smelled, and the contest for it (Tu 1999, section 6.5.3); tests/plain/perception/smell.py says the same in
// NumPy.

#include <stdlib.h>

#include "perception/focuser.h"
#include "declared.h"

typedef struct {
    const double *frame;
    double length, reach, farthest;
} Nose;

typedef struct {
    int64_t morsel;
    double cost, worth, offset[3];
} Contender;

// Cost of getting to a morsel that lies so far off, in metres: a turn, and a run-up to what lies awry in the turning circle.
static inline double cost_of(
    const Noticing *noticing, const Nose *nose, const double *offset, double distance, int bait
) {
    double way[3];
    for (int axis = 0; axis < 3; axis++) way[axis] = offset[axis] / greatest(distance, LEAST_LENGTH);
    const double *frame = nose->frame, ahead[3] = {frame[0], frame[3], frame[6]};
    const double cosine = within(dot(way, ahead), -1.0, 1.0), off = arctan2(other_leg(cosine), cosine);
    const double missed = off > noticing->awry && distance < noticing->circle * nose->length ? 1.0 : 0.0;
    const double turning = distance * (1.0 + noticing->turn_cost * off / 3.141592653589793);
    const double cost = turning + noticing->run_up * nose->length * missed;
    return bait ? cost / noticing->lure : cost;
}

// Smell._weigh. A desire is D = 1 - d / O_r. By far the best wins, or else the best of a few once its side counts too. What
// lies farther off than the dearest contender costs is not weighed: it could not be one of them.
SEEN int32_t artfish_smell(const SmellCall *call, int64_t begin, int64_t end) {
    TAKE_SMELL(call);
    const int64_t contenders = (int64_t)noticing->contenders;
    const int64_t bait = noticing->bait >= 0.0 ? (int64_t)noticing->bait : -2, others = near + 1 + (baited != 0);
    Contender *best = malloc((size_t)(contenders + 1) * sizeof *best);  // the most desirable first
    if (!best) return 1;
    for (int64_t i = begin; i < end; i++) {
        const int64_t fish = fishes[i], first = kept[i] ? olds[i] : rows[nearest[near * i]];
        const Nose nose = {
            frames + 9 * i, lengths[fish], reaches[fish],
            (1.0 + noticing->turn_cost) * reaches[fish] + noticing->run_up * lengths[fish],
        };
        int64_t many = 0;
        double own = INFINITY, last = INFINITY, closest = INFINITY;
        for (int64_t k = 0; k < others; k++) {
            const int64_t morsel = k == 0 ? first : k <= near ? rows[nearest[near * i + k - 1]] : bait;
            double offset[3];
            for (int axis = 0; axis < 3; axis++) offset[axis] = places[3 * morsel + axis] - noses[3 * i + axis];
            const double distance = sqrt(dot(offset, offset));
            const int beyond = distance > nose.reach, lures = morsel == bait;
            if (!beyond) closest = least(closest, distance);
            if (k && !lures && (beyond || (many == contenders && distance > best[many - 1].cost))) {
                last = beyond ? INFINITY : distance;
                continue;
            }
            const double cost = beyond ? INFINITY : cost_of(noticing, &nose, offset, distance, lures);
            if (!k) own = cost;
            last = cost;
            const double worth = 1.0 - cost / nose.farthest;
            if (!(worth >= 0.0) || (many == contenders && !(worth > best[many - 1].worth))) continue;
            int64_t at = many < contenders ? many++ : many - 1;
            for (; at > 0 && worth > best[at - 1].worth; at--) best[at] = best[at - 1];
            best[at] = (Contender){morsel, cost, worth, {offset[0], offset[1], offset[2]}};
        }
        // Without any that is worth it, the last one stands for the best.
        int64_t winner = 0, chosen = others == near + 1 ? rows[nearest[near * i + near - 1]] : bait;
        double cost = last;
        if (many) {
            double most = -INFINITY;
            const int outright = many < 2 || best[0].worth - noticing->lead > best[1].worth;
            for (int64_t k = 0; k < many && !outright; k++) {
                double arm[3];
                local(nose.frame, best[k].offset, arm);
                const int side = side_of(noticing->front, arm);
                const double swayed = best[k].worth + noticing->side_weight * preferences[SKILLS * fish + side];
                if (swayed > most) most = swayed, winner = k;
            }
            chosen = best[winner].morsel, cost = best[winner].cost;
        }
        // It stays with its target although another costs less, by no more than its devotion (section 7.7.3).
        const int loyal = kept[i] && own <= cost + devotions[fish] && isfinite(own);
        foods[i] = loyal ? first : isfinite(cost) ? chosen : NOTHING;
        nearby[i] = closest;
    }
    free(best);
    return 0;
}
