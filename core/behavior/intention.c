// The intention of a fish: what core/behavior/intention.py defines and explains, compiled, with the same bits.

#include "compiled/exact.h"

enum { AVOID, ESCAPE, SCHOOL, EAT, MATE, LEAVE, WANDER, INTENTIONS, NOTHING = -1 };
enum { F0, F1, COURAGE, GAIN, FATIGUE };

typedef struct {
    double fear_ease, gathering, least_bout;
} Numbers;

static inline int is_appetite(int intention) { return intention == EAT || intention == MATE; }

// What an intention has of a pair, of eating and of mating: nothing where it is neither.
static inline double own_of(int intention, const double *pair) {
    return greatest(intention == EAT ? pair[0] : 0.0, intention == MATE ? pair[1] : 0.0);
}

static inline double other_of(int intention, const double *pair) {
    return greatest(intention == EAT ? 0.0 : pair[0], intention == MATE ? 0.0 : pair[1]);
}

// IntentionGenerator.decide: Numbers; rows (n,); danger, contentment, fear in all and of the worst, hunger, libido, seconds
// since the last decision and a throw, (n,) each; of all fishes f0, f1, r, gain and fatigue (5, fish), what is enabled
// (fish, 7), who schools and who remembers, composure, (fish,) each; what each holds and has stored, since when, alarm and
// bout, (fish,) each, toil and rest (fish, 2), which change; intentions and whether they are resumed, (n,) both. Numbers:
// fishes.
SEEN int32_t artfish_intend(void **arrays, const int64_t *numbers) {
    const int64_t fishes = numbers[2];
    const Numbers *of = arrays[0];
    const int64_t *rows = arrays[1];
    const uint8_t *dangers = arrays[2], *content = arrays[3];
    const double *fears = arrays[4], *worst = arrays[5], *hunger = arrays[6], *libido = arrays[7];
    const double *seconds = arrays[8], *chances = arrays[9], *traits = arrays[10];
    const uint8_t *enabled = arrays[11], *schooling = arrays[12], *memories = arrays[13];
    const double *composures = arrays[14];
    int8_t *intentions = arrays[15], *stores = arrays[16];
    double *since = arrays[17], *alarms = arrays[18], *bouts = arrays[19], *toils = arrays[20], *rests = arrays[21];
    int8_t *found = arrays[22];
    uint8_t *taken_up = arrays[23];
    for (int64_t i = numbers[0]; i < numbers[1]; i++) {
        const int64_t me = rows[i];
        const double f0 = traits[F0 * fishes + me], f1 = traits[F1 * fishes + me], r = traits[COURAGE * fishes + me];
        const double fatigue = traits[FATIGUE * fishes + me], dt = seconds[i];
        const uint8_t *can = enabled + INTENTIONS * me;
        const int social = schooling[me], memory = memories[me], former = intentions[me];
        const int steady = composures[me] > 0.0;
        double *toil = toils + 2 * me, *rest = rests + 2 * me, desire[2], activation[2];
        for (int k = 0; k < 2; k++) {
            const int appetite = k ? MATE : EAT;
            toil[k] = greatest(toil[k] + (former == appetite ? dt : -dt), 0.0);
            rest[k] = greatest(rest[k] - dt, 0.0);
            desire[k] = (k ? libido : hunger)[i] * (can[appetite] ? 1.0 : 0.0);
            activation[k] = rest[k] > 0.0 ? 0.0 : desire[k] * exponential(-toil[k] / fatigue);
        }

        const double left = greatest(bouts[me] - dt, 0.0), ease = steady ? of->fear_ease : 1.0;
        const int fearful = fears[i] > f0 * (former == SCHOOL || former == ESCAPE ? ease : 1.0);
        const int terrified = worst[i] >= f1 * (former == ESCAPE ? ease : 1.0);
        const int gets_clear = steady && former == AVOID && left > 0.0 && !fearful && stores[me] != EAT;
        const int danger = dangers[i] || gets_clear;
        const int must = fearful && (terrified || !social) && can[ESCAPE];
        const double alarm = alarms[me] = must ? composures[me] : greatest(alarms[me] - dt, 0.0);
        const int flees_on = must || (alarm > 0.0 && former == ESCAPE), afraid = !danger && (fearful || flees_on);
        int gather = afraid && !terrified && social && !flees_on;
        const int flee = afraid && !gather && can[ESCAPE];
        gather |= !danger && !flee && social && former == ESCAPE && left > 0.0;
        const int calm = !danger && !gather && !flee;

        const int lasting = former == SCHOOL || is_appetite(former);
        const int stored = !memory ? NOTHING : (danger || flee) && lasting ? former : stores[me];
        const int rivals = is_appetite(former) && is_appetite(stored) && former != stored;
        const double gain = rivals ? 0.0 : traits[GAIN * fishes + me];
        const double tau = stored == SCHOOL ? r : own_of(stored, activation), rival = other_of(stored, activation);
        const int resumed = calm && (stored == SCHOOL || tau > r) && rival - gain * tau <= tau;
        int chosen = social ? SCHOOL : content[i] || !can[LEAVE] ? WANDER : LEAVE;
        if (greatest(activation[0], activation[1]) > r) {
            const int tie = desire[0] == desire[1] && activation[0] > r && activation[1] > r;
            const int greater = activation[0] > activation[1] ? EAT : MATE;
            chosen = !tie ? greater : is_appetite(former) ? former : chances[i] < 0.5 ? EAT : MATE;
        }
        int intention = danger ? AVOID : flee ? ESCAPE : gather ? SCHOOL : resumed ? stored : chosen;
        const int may_stay = own_of(former, activation) > 0.0 || former == SCHOOL || former == LEAVE || former == WANDER;
        const int stays = calm && left > 0.0 && may_stay, waits = !calm || stays;
        intention = stays ? former : intention;
        const double least_time = gather || flee ? of->gathering : intention == former ? left : of->least_bout;
        bouts[me] = steady ? least_time : 0.0;

        const int given_up = is_appetite(former) ? former : stored;
        if (!waits && intention != given_up)
            for (int k = 0; k < 2; k++)
                if (given_up == (k ? MATE : EAT) && desire[k] > r && desire[k] >= activation[1 - k]) rest[k] = fatigue;
        const int dropped = is_appetite(stored) ? stored : former;
        const int keen = own_of(dropped, activation) > r && is_appetite(dropped);
        const int interrupted = keen && is_appetite(intention) && dropped != intention;
        stores[me] = (int8_t)(resumed || waits ? stored : interrupted && memory ? dropped : NOTHING);
        since[me] = intention == former ? since[me] + dt : 0.0;
        intentions[me] = found[i] = (int8_t)intention;
        taken_up[i] = resumed;
    }
    return 0;
}
