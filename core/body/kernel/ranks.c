// Who is moved side by side in a frame, and whose strokes are seen within it.

#include "body/kernel/shoal.h"

// Ranks.move: who is moved side by side; where each fish's samples begin, -1 for none, whose each is, and the share of
// the frame that has passed then.
SEEN int32_t artfish_ranks(const RanksCall *call) {
    TAKE_RANKS(call);
    Rank *const first = (Rank *)ranks, *rank = first;
    int64_t samples = 0, *samples_of = shoal->samples_of;
    const double *targets = shoal->targets;
    for (int64_t b = 0; b < many; b++) {
        const Block *block = block_of(blocks, b);
        for (int32_t swift = 0; swift < 2; swift++) {
            const Pace *pace = pace_of(block, swift);
            const int64_t own = steps * pace->parts;
            int company = 0;
            rank->count = 0;
            for (int64_t column = 0; column < block->columns; column++) {
                if (column >= block->fishes && !company) break;  // who fills up goes along with the calm alone
                const int64_t row = block->rows[column];
                if (idle[row]) continue;
                const double beat = targets[FREQUENCY * fishes + row], curl = targets[CURL * fishes + row];
                const int curling = curl != 0.0 || block->curl[column] != 0.0;
                if ((beat > block->swift_beat || curling) != swift) continue;
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
    for (Rank *each = first; each < rank; each++)
        for (int64_t lane = each->count; lane < lanes; lane++) each->columns[lane] = each->columns[each->count - 1];
    counts[0] = rank - first, counts[1] = samples;
    return 0;
}
