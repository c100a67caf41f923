"""A study of many trials goes on where it was stopped: what came of each is written down as soon as it is known."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path

from .finding import NO_BLENDER, Finding, counted


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


def tried_in_blender(claim: str, log: Path, seeds: range, trial: Callable[[int], str]) -> Finding:
    """The finding of trials that take Blender, resumed; or that there is none.

    Args:
        claim: What should come out, in words.
        log: As for `resumed`.
        seeds: Of the trials.
        trial: Makes one, and says what was wrong; "" if nothing was.
    """
    if find_spec("bpy") is None:
        return Finding(claim, 0, 0, note=NO_BLENDER)
    found = resumed(log, seeds, trial)
    failed = [f"{number}: {fault}" for number, fault in found.items() if fault]
    return counted(claim, [not fault for fault in found.values()], 1.0, "; ".join(failed).replace("|", "/"))
