// Rest lengths of muscles: what core/motor/muscles.py defines and explains, compiled, with the same operations in the
// same order and therefore the same bits. Fishes are taken by the chunk, so that a compiler takes several at a time.

#include "exact.h"

enum { MUSCLES = 12, CHUNK = 64 };

typedef struct {
    double dt, most, bending, release, swiftest, lag[2], beating[2];
    double natural[MUSCLES], shortest[MUSCLES], curling[MUSCLES], left[MUSCLES];
} Constants;

// Muscles.advance: constants, rates (2, fish), swing (3, fish), curl (2, fish); phase (fish), swing (3, fish), curl
// (fish) and lengths (12, fish) as they are; the first three as they are then, (5, fish), and the lengths after each
// step, (steps, 12, fish). Numbers: fishes, steps, whether anybody curls, whether any muscle can be too slow.
SEEN int32_t artfish_muscles(void **arrays, const int64_t *numbers) {
    const Constants *of = arrays[0];
    const double *rates = arrays[1], *aims = arrays[2], *curls = arrays[3];
    const double *phases = arrays[4], *swings = arrays[5], *curled = arrays[6], *before = arrays[7];
    double *states = arrays[8], *lengths = arrays[9];
    const int64_t end = numbers[1], fishes = numbers[2], steps = numbers[3], curling = numbers[4], hurrying = numbers[5];
    const double turn = 6.283185307179586;
    for (int64_t i = numbers[0]; i < end; i++) {
        const double last = turn * (double)steps * (of->dt * rates[i]) + phases[i];
        if (!(fabs(last) + fabs(of->lag[0]) + fabs(of->lag[1]) < FARTHEST_ANGLE)) return 1;
    }
    for (int64_t first = numbers[0]; first < end; first += CHUNK) {
        const int64_t count = end - first < CHUNK ? end - first : CHUNK;
        double beat[CHUNK], share[3][2][CHUNK], course[CHUNK], bulk[CHUNK];
        for (int64_t step = 0; step < steps; step++) {
            const double ordinal = (double)step + 1.0;
            double *restrict own = lengths + step * MUSCLES * fishes + first;
            double *restrict phase = states + first;
            for (int segment = 0; segment < 3; segment++) {  // the beat, and the two that turn
                double *restrict now = states + (1 + segment) * fishes + first;
                for (int64_t i = 0; i < count; i++) {
                    const int64_t row = segment * fishes + first + i;
                    const double aim = aims[row], from = swings[row];
                    const double bend = least(of->dt * rates[fishes + first + i], of->swiftest);
                    const double slow = fabs(aim) < fabs(from) ? of->release : 1.0;
                    const double pace = segment ? bend * slow : of->dt * rates[first + i];
                    const double farthest = ordinal * pace;
                    now[i] = greatest(least(aim - from, farthest), -farthest) + from;
                }
            }
            for (int64_t i = 0; i < count; i++) {
                beat[i] = states[fishes + first + i];
                phase[i] = turn * ordinal * (of->dt * rates[first + i]) + phases[first + i];
            }
            for (int segment = 0; segment < 2; segment++) {
                const double *bends = states + (2 + segment) * fishes + first;
                for (int64_t i = 0; i < count; i++) {
                    const double left = greatest(bends[i], 0.0);
                    share[segment][0][i] = of->bending * left;
                    share[segment][1][i] = of->bending * (left - bends[i]);
                }
            }
            for (int64_t i = 0; i < count; i++) share[2][0][i] = share[2][1][i] = 0.0;
            for (int segment = 0; segment < 2; segment++)
                for (int64_t i = 0; i < count; i++) {
                    double sine, cosine;
                    sin_and_cos(phase[i] - of->lag[segment], &sine, &cosine);
                    const double wave = sine * beat[i];
                    share[1 + segment][0][i] += of->beating[segment] * (beat[i] + wave);
                    share[1 + segment][1][i] += of->beating[segment] * (beat[i] - wave);
                }
            if (curling)
                for (int64_t i = 0; i < count; i++) {
                    const double from = curled[first + i], farthest = ordinal * (of->dt * curls[fishes + first + i]);
                    const double now = from + within(curls[first + i] - from, -farthest, farthest);
                    states[4 * fishes + first + i] = now;
                    course[i] = now * now * (3.0 * sign(now) - 2.0 * now);
                    bulk[i] = fabs(course[i]);
                }
            for (int muscle = 0; muscle < MUSCLES; muscle++) {
                double *restrict now = own + muscle * fishes;
                const double *last = step ? now - MUSCLES * fishes : before + muscle * fishes + first;
                const double *contracted = share[muscle / 4][of->left[muscle] != 0.0 ? 0 : 1];
                const double natural = of->natural[muscle], shortest = of->shortest[muscle], curl = of->curling[muscle];
                for (int64_t i = 0; i < count; i++) now[i] = greatest(natural * (1.0 - contracted[i]), shortest);
                if (curling)
                    for (int64_t i = 0; i < count; i++)
                        now[i] = (now[i] + bulk[i] * (natural - now[i])) + curl * course[i];
                if (hurrying)
                    for (int64_t i = 0; i < count; i++)
                        now[i] = greatest(least(now[i] - last[i], of->most), -of->most) + last[i];
            }
        }
        if (!curling) memcpy(states + 4 * fishes + first, curled + first, (size_t)count * sizeof *states);
    }
    return 0;
}
