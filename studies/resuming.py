"""A study of many trials goes on where it was stopped: what came of each is written down as soon as it is known."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path


def resumed(log: Path, trials: Iterable[int], trial: Callable[[int], str]) -> dict[int, str]:
    """What came of trials, by number; those of which a log tells are not made again.

    When all are made the log goes, so that the next time begins anew.

    Args:
        log: Where a line is written after each trial.
        trials: Their numbers.
        trial: Makes one, and says what was wrong; "" if nothing was.
    """
    found = dict(map(json.loads, log.read_text().splitlines())) if log.exists() else {}
    log.parent.mkdir(parents=True, exist_ok=True)
    wanted = list(trials)
    for number in wanted:
        if number not in found:
            found[number] = trial(number)
            with log.open("a") as file:
                file.write(json.dumps([number, found[number]]) + "\n")
    log.unlink(missing_ok=True)
    return {number: found[number] for number in wanted}
