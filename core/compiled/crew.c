// Threads that share out the rows of one function: each takes up one piece of them after the other, until none is left.
//
// Helpers are threads of Python's that wait there and come here, without the interpreter's lock, when there is work. Who
// comes late finds nothing left to do. One task is shared out at a time; whoever brings another meanwhile does it alone.

#include <stdint.h>

#include "compiled/seen.h"

enum { DONE = 0, REFUSED = 1, UNFINISHED = 2 };
static const int64_t LONGEST_LOOKS = 2000;      // at whether helpers are done, before others are given the processor

typedef int32_t (*Work)(const void *call, int64_t begin, int64_t end);

static struct {
    int64_t owned;      // whether it is somebody's
    int64_t tasks;      // so far
    int64_t open;       // the number of the task that may be taken up, 0 for none
    int64_t helping;    // helpers that look at it
    int64_t next;       // the row with which the next piece begins
    int64_t refused;
    Work work;
    const void *call;
    int64_t size, piece;
} task;

static inline int64_t seen(const int64_t *value) { return __atomic_load_n(value, __ATOMIC_SEQ_CST); }

static inline void set(int64_t *value, int64_t to) { __atomic_store_n(value, to, __ATOMIC_SEQ_CST); }

static inline void rest(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void take_up(void) {
    while (1) {
        const int64_t begin = __atomic_fetch_add(&task.next, task.piece, __ATOMIC_SEQ_CST), end = begin + task.piece;
        if (begin >= task.size) return;
        if (task.work(task.call, begin, end < task.size ? end : task.size)) set(&task.refused, 1);
    }
}

// Whether helpers are done with what was shared out, and how it ended.
SEEN int32_t artfish_settled(void) {
    for (int64_t looks = 0; seen(&task.helping); looks++) {
        if (looks > LONGEST_LOOKS) return UNFINISHED;
        rest();
    }
    const int32_t refused = seen(&task.refused) != 0;
    set(&task.owned, 0);
    return refused ? REFUSED : DONE;
}

// Has a function do its work on so many rows in pieces of so many. Where it ends unfinished, `settled` is to be asked
// until it is.
SEEN int32_t artfish_share(Work work, const void *call, int64_t size, int64_t piece) {
    int64_t nobody = 0;
    if (!__atomic_compare_exchange_n(&task.owned, &nobody, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return work(call, 0, size) ? REFUSED : DONE;
    task.work = work, task.call = call, task.size = size, task.piece = piece;
    set(&task.next, 0), set(&task.refused, 0);
    set(&task.open, ++task.tasks);
    take_up();
    set(&task.open, 0);
    return artfish_settled();
}

// Helps with whatever is shared out, until there has been nothing for so many looks.
SEEN void artfish_help(int64_t patience) {
    int64_t last = 0;
    for (int64_t looks = 0; looks < patience; looks++) {
        const int64_t now = seen(&task.open);
        if (!now || now == last) {
            rest();
            continue;
        }
        __atomic_fetch_add(&task.helping, 1, __ATOMIC_SEQ_CST);
        if (seen(&task.open) == now) take_up(), last = now, looks = 0;
        __atomic_fetch_sub(&task.helping, 1, __ATOMIC_SEQ_CST);
    }
}

// Forgets who was helping, in a process that has been forked off one with helpers.
SEEN void artfish_alone(void) {
    set(&task.helping, 0), set(&task.open, 0), set(&task.owned, 0);
}
