"""Races of two or more pieces of work on a machine that also does other things."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import numpy as np


def race(
    contestants: Mapping[str, Callable[[], object]],
    rounds: int,
    before: Callable[[int], object] = lambda turn: None,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, np.ndarray]:
    """Time each contestant once a round, in turns, so that a busy spell of the machine meets all of them.

    Args:
        contestants: The work of each; called once unmeasured, to warm up.
        rounds: Number of measurements of each.
        before: Called, unmeasured, with the number of each round at its beginning.
        clock: `time.process_time` for work on one thread, which ignores other processes.

    Returns:
        Seconds of each, (rounds,). The least is the work itself; the median of the quotients is the ratio.
    """
    before(0)
    for work in contestants.values():
        work()
    seconds: dict[str, np.ndarray] = {name: np.empty(rounds) for name in contestants}
    for turn in range(rounds):
        before(turn)
        for name, work in contestants.items():
            begin = clock()
            work()
            seconds[name][turn] = clock() - begin
    return seconds
