// The intention of a fish, one at a time, the most urgent (Tu 1999, §7.5 and §7.7, Fig. 7.4).

#include "compiled/exact.h"
#include "declared.h"

enum { AVOID, ESCAPE, SCHOOL, EAT, MATE, LEAVE, WANDER, INTENTIONS, NOTHING = -1 };

static inline int is_appetite(int intention) { return intention == EAT || intention == MATE; }

// What an intention has of a pair, of eating and of mating: nothing where it is neither.
static inline double own_of(int intention, const double *pair) {
    return greatest(intention == EAT ? pair[0] : 0.0, intention == MATE ? pair[1] : 0.0);
}

static inline double other_of(int intention, const double *pair) {
    return greatest(intention == EAT ? 0.0 : pair[0], intention == MATE ? 0.0 : pair[1]);
}

// IntentionGenerator.decide.
SEEN int32_t artfish_intend(const IntendCall *call, int64_t begin, int64_t end) {
    TAKE_INTEND(call);
    for (int64_t i = begin; i < end; i++) {
        const int64_t me = rows[i];
        const double f0 = traits.f0[me], f1 = traits.f1[me], r = traits.r[me];
        const double fatigue = traits.fatigue[me], dt = seconds[i];
        const uint8_t *can = enabled + INTENTIONS * me;
        const int social = schooling[me], memory = memories[me], former = intentions[me];
        const int steady = composures[me] > 0.0;
        // It tires of what it was doing, and rests from the other as fast (§7.7.2; the rates are ours).
        double *toil = toils + 2 * me, *rest = rests + 2 * me, desire[2], activation[2];
        for (int k = 0; k < 2; k++) {
            const int appetite = k ? MATE : EAT;
            toil[k] = greatest(toil[k] + (former == appetite ? dt : -dt), 0.0);
            rest[k] = greatest(rest[k] - dt, 0.0);
            desire[k] = (k ? libido : hunger)[i] * (can[appetite] ? 1.0 : 0.0);
            activation[k] = rest[k] > 0.0 ? 0.0 : desire[k] * exponential(-toil[k] / fatigue);
        }

        const double left = greatest(bouts[me] - dt, 0.0), ease = steady ? thinking->fear_ease : 1.0;
        const int fearful = fears[i] > f0 * (former == SCHOOL || former == ESCAPE ? ease : 1.0);
        const int terrified = worst[i] >= f1 * (former == ESCAPE ? ease : 1.0);
        // A fish that courted keeps clear for a while, or it would soon be there again; food would get away.
        const int gets_clear = steady && former == AVOID && left > 0.0 && !fearful && stores[me] != EAT;
        const int danger = dangers[i] || gets_clear;
        const int must = fearful && (terrified || !social) && can[ESCAPE];
        // It flees on for a while once it no longer has to (ours).
        const double alarm = alarms[me] = must ? composures[me] : greatest(alarms[me] - dt, 0.0);
        const int flees_on = must || (alarm > 0.0 && former == ESCAPE), afraid = !danger && (fearful || flees_on);
        int gather = afraid && !terrified && social && !flees_on;
        const int flee = afraid && !gather && can[ESCAPE];
        // For a while, before it feeds again.
        gather |= !danger && !flee && social && former == ESCAPE && left > 0.0;
        const int calm = !danger && !gather && !flee;

        // Memory stores what was interrupted (§7.7.1), and resumes it where it prevails over its rivals, which -gain *
        // tau inhibits (§7.7.2). The desire to school is implicit: it counts as r here, which hunger and libido must
        // exceed.
        const int lasting = former == SCHOOL || is_appetite(former);
        const int stored = !memory ? NOTHING : (danger || flee) && lasting ? former : stores[me];
        // At an opportunity meanwhile nothing is inhibited.
        const int rivals = is_appetite(former) && is_appetite(stored) && former != stored;
        const double gain = rivals ? 0.0 : traits.gain[me];
        const double tau = stored == SCHOOL ? r : own_of(stored, activation), rival = other_of(stored, activation);
        const int resumed = calm && (stored == SCHOOL || tau > r) && rival - gain * tau <= tau;
        int chosen = social ? SCHOOL : content[i] || !can[LEAVE] ? WANDER : LEAVE;
        if (greatest(activation[0], activation[1]) > r) {
            // If hunger equals libido, it is the former one or else one by chance.
            const int tie = desire[0] == desire[1] && activation[0] > r && activation[1] > r;
            const int greater = activation[0] > activation[1] ? EAT : MATE;
            chosen = !tie ? greater : is_appetite(former) ? former : chances[i] < 0.5 ? EAT : MATE;
        }
        int intention = danger ? AVOID : flee ? ESCAPE : gather ? SCHOOL : resumed ? stored : chosen;
        // It may go on for a while, though another intention would now win (ours).
        const int habitual = former == SCHOOL || former == LEAVE || former == WANDER;
        const int may_stay = own_of(former, activation) > 0.0 || habitual;
        const int stays = calm && left > 0.0 && may_stay, waits = !calm || stays;
        intention = stays ? former : intention;
        const double unpressed = intention == former ? left : thinking->least_bout;
        const double least_time = gather || flee ? thinking->gathering : unpressed;
        bouts[me] = steady ? least_time : 0.0;

        // What it gave up rests, where the desire is still there and only weariness ended it: fresh it would go on.
        const int given_up = is_appetite(former) ? former : stored;
        if (!waits && intention != given_up)
            for (int k = 0; k < 2; k++)
                if (given_up == (k ? MATE : EAT) && desire[k] > r && desire[k] >= activation[1 - k]) rest[k] = fatigue;
        // Eating or mating stays in memory if an opportunity for the other interrupts it.
        const int dropped = is_appetite(stored) ? stored : former;
        const int keen = own_of(dropped, activation) > r && is_appetite(dropped);
        const int interrupted = keen && is_appetite(intention) && dropped != intention;
        stores[me] = (int8_t)(resumed || waits ? stored : interrupted && memory ? dropped : NOTHING);
        since[me] = intention == former ? since[me] + dt : 0.0;
        intentions[me] = found[i] = (int8_t)intention;
        taken_up[i] = resumed != 0;
    }
    return 0;
}
