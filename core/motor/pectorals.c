// The visible motion of pectoral fins (Tu 1999, app. B): core/motor/pectorals.py explains it.

#include "compiled/exact.h"
#include "declared.h"

static const double PI = 3.141592653589793;

// FinMotion.advance, by `dt`, with a share of the way to an effort; beats of flaps and what effort adds, and of oars
// and what speed adds. In a turn the inner fin oars less: 0 of `inner` stops it, -1 lets it oar backwards.
SEEN int32_t artfish_fin_motion(const FinMotionCall *call, int64_t begin, int64_t end) {
    TAKE_FIN_MOTION(call);
    for (int64_t i = begin; i < end; i++) {
        const double inner = 1.0 - within(2.0 * fabs(bends[i]), 0.0, 2.0), reach = reaches[i] = strokes[fishes + i];
        double rate = oaring[i] * (oar_beats + oar_beats_more * least(speeds[i], most_speed));
        rate = backs[i] ? greatest(rate, oar_beats + oar_beats_more) : rate;
        for (int fin = 0; fin < 2; fin++) {
            const int64_t k = fin * fishes + i;
            efforts[k] += share * (least(fabs(gammas[k] - PI / 2) / most_effort, 1.0) - efforts[k]);
            phases[k] += 2.0 * PI * dt * (flap_beats + flap_beats_more * efforts[k]);
            const int slow = fin ? bends[i] < 0.0 : bends[i] > 0.0;
            oars[k] += 2.0 * PI * dt * rate * (backs[i] ? -1.0 : slow ? inner : 1.0);
            phases[k] = reach > 0.0 ? strokes[i] : phases[k];
        }
    }
    return 0;
}
