// What noses find: what core/perception/smell.py defines and explains, compiled, with the same bits.

#include "perception/focuser.h"
#include "declared.h"

enum { MOST_CONTENDERS = 8 };

typedef struct {
    const double *frame;
    double length, reach, farthest;
} Nose;

// Smell._cost of a morsel that lies so far off.
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

// Smell._weigh, where what lies farther off than the best cost is not weighed: it could not be one of them.
SEEN int32_t artfish_smell(const SmellCall *call, int64_t begin, int64_t end) {
    TAKE_SMELL(call);
    const int64_t contenders = (int64_t)noticing->contenders;
    const int64_t bait = noticing->bait >= 0.0 ? (int64_t)noticing->bait : -2, others = near + 1 + (baited != 0);
    if (contenders > MOST_CONTENDERS || near < 1) return 1;
    for (int64_t i = begin; i < end; i++) {
        const int64_t fish = fishes[i], first = kept[i] ? olds[i] : rows[nearest[near * i]];
        const Nose nose = {
            frames + 9 * i, lengths[fish], reaches[fish],
            (1.0 + noticing->turn_cost) * reaches[fish] + noticing->run_up * lengths[fish],
        };
        int64_t best[MOST_CONTENDERS], many = 0;  // morsels that contend, cheapest first
        double costs[MOST_CONTENDERS], worths[MOST_CONTENDERS], offsets[3 * MOST_CONTENDERS], own = INFINITY;
        double last = INFINITY, closest = INFINITY;
        for (int64_t k = 0; k < others; k++) {
            const int64_t morsel = k == 0 ? first : k <= near ? rows[nearest[near * i + k - 1]] : bait;
            double offset[3];
            for (int axis = 0; axis < 3; axis++) offset[axis] = places[3 * morsel + axis] - noses[3 * i + axis];
            const double distance = sqrt(dot(offset, offset));
            const int beyond = distance > nose.reach, lures = morsel == bait;
            if (!beyond) closest = least(closest, distance);
            if (k && !lures && (beyond || (many == contenders && distance > costs[many - 1]))) {
                last = beyond ? INFINITY : distance;
                continue;
            }
            const double cost = beyond ? INFINITY : cost_of(noticing, &nose, offset, distance, lures);
            if (!k) own = cost;
            last = cost;
            const double worth = 1.0 - cost / nose.farthest;
            if (!(worth >= 0.0) || (many == contenders && !(worth > worths[many - 1]))) continue;
            int64_t at = many < contenders ? many++ : many - 1;
            for (; at > 0 && worth > worths[at - 1]; at--) {
                worths[at] = worths[at - 1], costs[at] = costs[at - 1], best[at] = best[at - 1];
                memcpy(offsets + 3 * at, offsets + 3 * at - 3, sizeof offset);
            }
            worths[at] = worth, costs[at] = cost, best[at] = morsel;
            memcpy(offsets + 3 * at, offset, sizeof offset);
        }
        // Without any that is worth it, the last one stands for the best, as in NumPy's form.
        int64_t winner = 0, chosen = others == near + 1 ? rows[nearest[near * i + near - 1]] : bait;
        double cost = last;
        if (many) {
            double most = -INFINITY;
            const int outright = many < 2 || worths[0] - noticing->lead > worths[1];
            for (int64_t k = 0; k < many && !outright; k++) {
                double arm[3];
                local(nose.frame, offsets + 3 * k, arm);
                const int side = side_of(noticing->front, arm);
                const double swayed = worths[k] + noticing->side_weight * preferences[SKILLS * fish + side];
                if (swayed > most) most = swayed, winner = k;
            }
            chosen = best[winner], cost = costs[winner];
        }
        const int loyal = kept[i] && own <= cost + devotions[fish] && isfinite(own);
        foods[i] = loyal ? first : isfinite(cost) ? chosen : NOTHING;
        nearby[i] = closest;
    }
    return 0;
}
