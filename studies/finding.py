"""The finding of a study: successes among trials of a claim, and a confidence interval of their share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeVar

from scipy.special import betaincinv

Outcome = TypeVar("Outcome")
CONFIDENCE = 0.95
NO_BLENDER = "not tried: bpy is not installed (python tools/environment.py test)"


@dataclass(frozen=True)
class Finding:
    """One claim, tried many times.

    Attributes:
        claim: The expected outcome, in words.
        successes: Number of trials with this outcome.
        trials: Number of trials.
        least: Required share of successes; None if it is only reported.
        note: Further measurements.
    """

    claim: str
    successes: int
    trials: int
    least: float | None = None
    note: str = ""

    def interval(self) -> tuple[float, float]:
        """Bounds of the true share of success with 95 % confidence (Clopper and Pearson 1934)."""
        failures, tail = self.trials - self.successes, 0.5 * (1.0 - CONFIDENCE)
        low = betaincinv(self.successes, failures + 1, tail) if self.successes else 0.0
        high = betaincinv(self.successes + 1, failures, 1.0 - tail) if failures else 1.0
        return float(low), float(high)

    def holds(self) -> bool | None:
        """True if it came out as often as required; None if nothing is required."""
        return None if self.least is None else self.successes >= self.least * self.trials - 1e-9


def counted(claim: str, outcomes: Iterable[bool], least: float | None = None, note: str = "") -> Finding:
    """The finding of trials, each a success or not."""
    results = [bool(outcome) for outcome in outcomes]
    return Finding(claim, sum(results), len(results), least, note)


def each(trial: Callable[..., Outcome], *cases: Sequence[Any]) -> list[Outcome]:
    """Results of a module-level function for every combination of arguments, in order.

    Combinations are shared among as many processes as there are processors.
    """
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        waiting = [pool.submit(trial, *case) for case in product(*cases)]
        return [one.result() for one in waiting]


def times(factor: int, seeds: range) -> range:
    """A range of seeds longer by a factor, from the same first seed."""
    return range(seeds.start, seeds.start + factor * len(seeds))


def table(findings: Iterable[Finding]) -> str:
    """Findings as a table in Markdown."""
    verdict = {True: "yes", False: "**no**", None: ""}
    lines = ["| claim | came out | share, 95 % | least | holds | note |", "|---|---|---|---|---|---|"]
    for one in findings:
        low, high = one.interval()
        least = "" if one.least is None else f"{one.least:.0%}"
        share = f"{low:.0%} to {high:.0%}"
        count = f"{one.successes} of {one.trials}"
        lines.append(f"| {one.claim} | {count} | {share} | {least} | {verdict[one.holds()]} | {one.note} |")
    return "\n".join(lines)
