// The intention of a fish, one at a time, the most urgent (Tu 1999, §7.5 and §7.7, Fig. 7.4).

#include "compiled/exact.h"
#include "declared.h"

// Rows of Recording.INTENTIONS, and of the rules of intention.py.
enum { AVOID, ESCAPE, SCHOOL, EAT, MATE, LEAVE, WANDER, INTENTIONS, NOTHING = -1 };
enum {
    COLLISION, CLEARANCE, FLIGHT, ALARM, FEAR, REGROUPING, PERSISTENCE, MEMORY, APPETITE, WAY, COMPANY, DISCOMFORT, WHIM,
    RULES
};

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
        const uint8_t *can = enabled + INTENTIONS * me, *reach = within_reach + 2 * i;
        const int social = schooling[me], memory = memories[me], former = intentions[me];
        const int steady = composures[me] > 0.0;
        // It tires of what it was doing, and rests from the other as fast (§7.7.2; the rates are ours).
        double *toil = toils + 2 * me, *rest = rests + 2 * me, desire[2], activation[2], reached[2];
        int near[2];
        for (int k = 0; k < 2; k++) {
            const int appetite = k ? MATE : EAT;
            toil[k] = greatest(toil[k] + (former == appetite ? dt : -dt), 0.0);
            rest[k] = greatest(rest[k] - dt, 0.0);
            desire[k] = (k ? libido : hunger)[i] * (can[appetite] ? 1.0 : 0.0);
            activation[k] = rest[k] > 0.0 ? 0.0 : desire[k] * exponential(-toil[k] / fatigue);
            near[k] = reach[k] || (former == appetite && losses[me] + dt < thinking->search);
            reached[k] = near[k] ? activation[k] : 0.0;
        }

        const int cause = causes[me], kept_clear = cause == COLLISION || cause == CLEARANCE;
        const double left = greatest(bouts[me] - dt, 0.0), ease = steady ? thinking->fear_ease : 1.0;
        const int lately = left > 0.0;
        // Who has fled or is with its school, and neither feeds nor courts, is the sooner afraid (ours).
        const int wary = former == ESCAPE || (social && !is_appetite(former));
        const int fearful = fears[i] > f0 * (wary ? ease : 1.0);
        const int terrified = worst[i] >= f1 * (former == ESCAPE ? ease : 1.0);

        // What presses.
        uint8_t applies[RULES] = {0};
        applies[COLLISION] = dangers[i];
        applies[CLEARANCE] = steady && kept_clear && lately && !fearful && stores[me] != EAT;
        const int danger = applies[COLLISION] || applies[CLEARANCE];
        applies[FLIGHT] = fearful && (terrified || !social) && can[ESCAPE];
        applies[ALARM] = former == ESCAPE && lately;
        const int flees = applies[FLIGHT] || applies[ALARM];
        applies[FEAR] = fearful && social;
        applies[REGROUPING] = social && steady && former == ESCAPE;

        // Memory stores what was interrupted (§7.7.1), and resumes it where it prevails over its rivals, which -gain *
        // tau inhibits (§7.7.2). The desire to school is implicit: it counts as r here, which hunger and libido must
        // exceed.
        const int lasting = (former == SCHOOL && social) || is_appetite(former);
        const int stored = !memory ? NOTHING : (danger || flees) && lasting ? former : stores[me];
        // At an opportunity meanwhile nothing is inhibited.
        const int rivals = is_appetite(former) && is_appetite(stored) && former != stored;
        const double gain = rivals ? 0.0 : traits.gain[me];
        const double tau = stored == SCHOOL ? r : own_of(stored, activation), rival = other_of(stored, activation);
        const int wanted = (stored == SCHOOL || tau > r) && rival - gain * tau <= tau;
        const int has_it = stored == SCHOOL ? together[i] : stored == EAT ? near[0] : near[1];

        // What does not press, and the first of all that apply.
        const int habitual = former == SCHOOL || former == LEAVE || former == WANDER;
        applies[PERSISTENCE] = lately && (own_of(former, activation) > 0.0 || habitual);
        applies[MEMORY] = wanted && has_it;
        applies[APPETITE] = greatest(reached[0], reached[1]) > r;
        applies[WAY] = hindrances[me] >= 1.0 || (cause == WAY && lately);
        applies[COMPANY] = social && together[i];
        applies[DISCOMFORT] = !content[i] && can[LEAVE];
        applies[WHIM] = 1;
        int rule = 0;
        while (!applies[rule]) rule++;

        // If hunger equals libido, it is the former one or else one by chance.
        const int tie = desire[0] == desire[1] && reached[0] > r && reached[1] > r;
        const int by_chance = is_appetite(former) ? former : chances[i] < 0.5 ? EAT : MATE;
        const int greater = tie ? by_chance : reached[0] > reached[1] ? EAT : MATE;
        const int by_rule[RULES] = {
            AVOID, AVOID, ESCAPE, ESCAPE, SCHOOL, SCHOOL, former, stored, greater, AVOID, SCHOOL, LEAVE, WANDER
        };
        const int intention = by_rule[rule];

        // It stays at that for a while (ours): what is renewed as it presses, and what has just begun.
        const int hindered = hindrances[me] >= 1.0;
        const int begins = intention != former || (rule == COLLISION && !kept_clear) || (rule == WAY && hindered);
        const double least_time = rule == FLIGHT ? thinking->flight_share * composures[me]
                                  : rule == FEAR || rule == REGROUPING ? thinking->gathering
                                  : begins ? thinking->least_bout : left;
        bouts[me] = steady ? least_time : 0.0;

        // What it gave up rests, where the desire is still there and only weariness ended it: fresh it would go on.
        const int given_up = is_appetite(former) ? former : stored;
        if (rule >= MEMORY && intention != given_up)
            for (int k = 0; k < 2; k++)
                if (given_up == (k ? MATE : EAT) && near[k] && desire[k] > r && desire[k] >= activation[1 - k])
                    rest[k] = fatigue;
        // Eating or mating stays in memory if an opportunity for the other interrupts it, and as long as it is wanted
        // and out of sight.
        const int dropped = is_appetite(stored) ? stored : former;
        const int keen = own_of(dropped, activation) > r && is_appetite(dropped);
        const int interrupted = keen && is_appetite(intention) && dropped != intention && memory;
        const int keeps = rule <= MEMORY || (wanted && is_appetite(stored) && !has_it);
        stores[me] = (int8_t)(keeps ? stored : interrupted ? dropped : NOTHING);
        since[me] = intention == former ? since[me] + dt : 0.0;
        losses[me] = (intention == EAT && !reach[0]) || (intention == MATE && !reach[1]) ? losses[me] + dt : 0.0;
        causes[me] = (int8_t)rule;
        intentions[me] = found[i] = (int8_t)intention;
        taken_up[i] = rule == MEMORY;
    }
    return 0;
}
