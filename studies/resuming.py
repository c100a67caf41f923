"""Resumption of an interrupted study of many trials: each outcome is written down as soon as it is known."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path

from .finding import NO_BLENDER, Finding, counted


def resumed(log: Path, trials: Iterable[int], trial: Callable[[int], str]) -> dict[int, str]:
    """Outcomes of trials, by number; those in the log are not run again.

    When all are done the log is deleted, so that the next run begins anew.

    Args:
        log: File with a line for each finished trial.
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
    """The finding of resumed trials that need Blender; without Blender, a finding that says so.

    Args:
        claim: The expected outcome, in words.
        log: As for `resumed`.
        seeds: Seeds of the trials.
        trial: Makes one, and says what was wrong; "" if nothing was.
    """
    if find_spec("bpy") is None:
        return Finding(claim, 0, 0, note=NO_BLENDER)
    found = resumed(log, seeds, trial)
    failed = [f"{number}: {fault}" for number, fault in found.items() if fault]
    return counted(claim, [not fault for fault in found.values()], 1.0, "; ".join(failed).replace("|", "/"))
