"""The finding of a study: successes among trials of a claim, and a confidence interval of their share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeVar

from scipy.special import betaincinv

from ..core.farm.engines import engine
from ..core.farm.running import results

Outcome = TypeVar("Outcome")
CONFIDENCE = 0.95
_open: list[Executor] = []
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

    Combinations are shared among the workers of the engine that is open, else among as many processes as there are
    processors.
    """
    if not _open:
        with engine_open():
            return each(trial, *cases)
    return results(_open[-1], trial, product(*cases))


@contextmanager
def engine_open(on: str | None = None, workers: int | None = None) -> Iterator[None]:
    """Within this block all trials run on one engine; see `core.farm.engines.engine`."""
    with engine(on, workers) as executor:
        _open.append(executor)
        try:
            yield
        finally:
            _open.remove(executor)


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
