// The strokes of pectoral fins: what core/motor/pectorals.py defines and explains, compiled, with the same bits.

#include "compiled/exact.h"

static const double PI = 3.141592653589793;

// FinMotion.advance of core/motor/pectorals.py: seconds, share of the way to an effort, the widest effort, beats of flaps and
// what effort adds, of oars and what speed adds, the fastest (8,); gamma (2, fish), speed, bend and who rows backwards,
// (fish,) each, strokes (2, fish), how far each oars (fish,); phases, oars and efforts (2, fish) and strokes (fish,), which
// change. Numbers: first fish, the one after the last, fishes.
SEEN int32_t artfish_fin_motion(void **arrays, const int64_t *numbers) {
    const double *of = arrays[0], *gammas = arrays[1], *speeds = arrays[2], *bends = arrays[3];
    const uint8_t *backs = arrays[4];
    const double *strokes = arrays[5], *oaring = arrays[6];
    double *phases = arrays[7], *oars = arrays[8], *efforts = arrays[9], *reaches = arrays[10];
    const int64_t fishes = numbers[2];
    for (int64_t i = numbers[0]; i < numbers[1]; i++) {
        const double inner = 1.0 - within(2.0 * fabs(bends[i]), 0.0, 2.0), reach = reaches[i] = strokes[fishes + i];
        double rate = oaring[i] * (of[5] + of[6] * least(speeds[i], of[7]));
        rate = backs[i] ? greatest(rate, of[5] + of[6]) : rate;
        for (int fin = 0; fin < 2; fin++) {
            const int64_t k = fin * fishes + i;
            efforts[k] += of[1] * (least(fabs(gammas[k] - PI / 2) / of[2], 1.0) - efforts[k]);
            phases[k] += 2.0 * PI * of[0] * (of[3] + of[4] * efforts[k]);
            const int slow = fin ? bends[i] < 0.0 : bends[i] > 0.0;
            oars[k] += 2.0 * PI * of[0] * rate * (backs[i] ? -1.0 : slow ? inner : 1.0);
            phases[k] = reach > 0.0 ? strokes[i] : phases[k];
        }
    }
    return 0;
}
