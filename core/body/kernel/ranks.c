// Who is moved side by side in a frame, and whose strokes are seen within it.

#include "body/kernel/muscles.h"
#include "body/kernel/shoal.h"

// Arrays: the shoal; whose strokes are seen (fish) uint8; ranks; where each fish's samples begin (fish), -1 for none;
// the fish of each sample, and the share of the frame that has passed then; what there are, (2), ranks and samples; and
// who is idle (fish) uint8, and stays as it is.
// Numbers: lanes. Nothing is done for angles that are beyond what sin_and_cos takes.
SEEN int32_t artfish_ranks(void **arrays, const int64_t *numbers) {
    const Shoal *shoal = arrays[0];
    const uint8_t *seen = arrays[1];
    Rank *ranks = arrays[2], *rank = ranks;
    int64_t *samples_of = arrays[3], *fish = arrays[4], *counts = arrays[6], samples = 0;
    double *share = arrays[5];
    const uint8_t *idle = arrays[7];
    const int64_t lanes = numbers[0], fishes = numbers[1], steps = numbers[2], blocks = numbers[3];
    const double *targets = shoal->targets;
    for (int64_t b = 0; b < blocks; b++) {
        const Block *block = shoal->blocks + b;
        for (int32_t swift = 0; swift < 2; swift++) {
            const Pace *pace = block->paces + swift;
            const Sinews sinews = *pace->muscles;
            const int64_t own = steps * pace->parts;
            if (sinews.segments > MOST_SEGMENTS) return 1;
            int company = 0;
            rank->count = 0;
            for (int64_t column = 0; column < block->columns; column++) {
                if (column >= block->fishes && !company) break;  // who fills up goes along with the calm alone
                const int64_t row = block->rows[column];
                if (idle[row]) continue;
                const double beat = targets[FREQUENCY * fishes + row], curl = targets[CURL * fishes + row];
                const int curling = curl != 0.0 || block->curl[column] != 0.0;
                if ((beat > block->swift_beat || curling) != swift) continue;
                const double gamma = fabs(targets[GAMMA * fishes + row]) + fabs(targets[(GAMMA + 1) * fishes + row]);
                if (!soundly(&sinews, beat, block->phase[column], own) || !(gamma < FARTHEST_ANGLE)) return 1;
                company = 1;
                if (rank->count == lanes) (++rank)->count = 0;
                if (!rank->count) rank->block = (int32_t)b, rank->swift = swift, rank->curling = 0;
                rank->columns[rank->count++] = (int32_t)column;
                rank->curling |= curling;
                samples_of[row] = seen[row] ? samples : -1;
                for (int64_t cut = 0; seen[row] && cut < pace->cuts; cut++, samples++)
                    fish[samples] = row, share[samples] = (double)pace->ends[cut] / (double)own;
            }
            if (rank->count) rank++;
        }
    }
    for (Rank *each = ranks; each < rank; each++)
        for (int64_t lane = each->count; lane < lanes; lane++) each->columns[lane] = each->columns[each->count - 1];
    counts[0] = rank - ranks, counts[1] = samples;
    return 0;
}
