"""Measured figures beside their real values, and the table of all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..finding import Finding

RESAMPLES = 2000
TAIL = 2.5  # per cent on either side of an interval of 95 %


def interval(values: Sequence[float] | np.ndarray) -> tuple[float, float]:
    """95 % confidence interval of the median of the values' distribution (bootstrap, percentiles).

    The resamples are always the same, so that a table can be reproduced.
    """
    values = np.asarray(values, dtype=float)
    drawn = np.random.default_rng(0).integers(0, len(values), (RESAMPLES, len(values)))
    low, high = np.percentile(np.median(values[drawn], axis=1), (TAIL, 100.0 - TAIL))
    return float(low), float(high)


@dataclass(frozen=True)
class Figure:
    """The measurement of one row of the table of life, over several fishes or trials.

    Attributes:
        row: Row of the table.
        what: Its description, with the unit.
        values: Values of the trials by species; NaN where the event never came.
        low: Lower bound; None without.
        high: Upper bound; None without.
        share: Share of each one's trials that should be within these bounds, or come out right.
        real: Value of real fish.
        source: Its source.
        tracked: The same function's values of tracked fish, by their group.
        right: The right outcome of yes/no trials; None for numbers.
    """

    row: int
    what: str
    values: Mapping[str, Sequence[float] | np.ndarray]
    low: float | None = None
    high: float | None = None
    share: float = 0.5
    real: str = ""
    source: str = ""
    tracked: Mapping[str, Sequence[float] | np.ndarray] = field(default_factory=dict)
    right: bool | None = field(default=None, kw_only=True)

    def within(self, values: Sequence[float] | np.ndarray) -> np.ndarray:
        """Values within the bounds, (n,) bool; NaN is not."""
        if self.right is not None:
            return np.asarray(values, dtype=bool) == self.right
        values = np.asarray(values, dtype=float)
        low, high = (-np.inf if self.low is None else self.low), (np.inf if self.high is None else self.high)
        return (values >= low) & (values <= high)

    @property
    def judged(self) -> bool:
        """True if it has a bound or a right outcome."""
        return self.right is not None or self.low is not None or self.high is not None

    def holds(self) -> bool | None:
        """True if enough trials of each are within; None if nothing is required."""
        if not self.judged:
            return None
        return all(len(values) and self.within(values).mean() >= self.share - 1e-9 for values in self.values.values())

    def count(self) -> Finding:
        """Number of trials within, of all."""
        inside = [one for values in self.values.values() for one in self.within(values)]
        return Finding(self.what, sum(map(bool, inside)), len(inside))

    def wanted(self) -> str:
        """The requirement, in words."""
        if not self.judged:
            return ""
        if self.right is not None:
            return f"{self.share:.0%} " + ("yes" if self.right else "no")
        if self.low is None or self.high is None:
            words = f"{self.low:.3g} or more" if self.low is not None else f"{self.high:.3g} or less"
        else:
            words = f"{self.low:.3g} to {self.high:.3g}"
        return words if self.share == 0.5 else f"{words}, of {self.share:.0%}"

    def pooled(self) -> str:
        """All trials together: the median and its interval, or the number of yes."""
        every = np.concatenate([np.asarray(values) for values in self.values.values()])
        if self.right is not None:
            return f"**{every.sum():.0f}** yes of {len(every)}"
        known = every[np.isfinite(every)]
        if not len(known):
            return "never"
        return "**{:.3g}** ({:.3g} to {:.3g})".format(np.median(known), *interval(known))

    def line(self) -> str:
        """Its line of the table."""
        each = _each(self.values) if len(self.values) > 1 else ""
        tracked = ", ".join(f"{name} {_median(values)}" for name, values in self.tracked.items())
        inside = ""
        if self.judged:
            count = self.count()
            inside = "{} of {}, {:.0%} to {:.0%}".format(count.successes, count.trials, *count.interval())
        verdict = {True: "yes", False: "**no**", None: ""}[self.holds()]
        real = f"{self.real} ({self.source})" if self.source else self.real
        cells = (self.row, self.what, real, tracked, self.pooled(), each, self.wanted(), inside, verdict)
        return "| " + " | ".join(map(str, cells)) + " |"


def table(figures: Iterable[Figure]) -> str:
    """Figures as a table in Markdown."""
    heads = ("row", "what", "real", "tracked", "ours: median, 95 %", "each", "wanted", "within, 95 %", "holds")
    return "\n".join(["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads), *(one.line() for one in figures)])


def _each(values: Mapping[str, Sequence[float] | np.ndarray]) -> str:
    """The median of each species' values."""
    return ", ".join(f"{name} {_median(mine)}" for name, mine in values.items())


def _median(values: Sequence[float] | np.ndarray) -> str:
    """The median of the known values, and the number of NaN."""
    values = np.asarray(values)
    if values.dtype == bool:
        return f"{values.sum()} of {len(values)}"
    known = values[np.isfinite(values)]
    if not len(known):
        return "never"
    missing = len(values) - len(known)
    return f"{np.median(known):.3g}" + (f" (never: {missing} of {len(values)})" if missing else "")
