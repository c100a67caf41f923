"""Optimisers behind one interface: the paper's simulated annealing, and CMA-ES."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ..base.state import Stateful, state
from .tuning import (
    ANNEALING_BUMP,
    ANNEALING_COOLING,
    ANNEALING_HEAT,
    ANNEALING_MEETING,
    ANNEALING_STEP,
    EVOLUTION_BUMP,
    EVOLUTION_STEP,
)


class Search(Protocol):
    """Looks for the least of a function of a point, by trying some points at a time.

    Attributes:
        best: The best point so far, (n,).
        score: Value of the function there.
        steps: Number of steps done.
    """

    best: np.ndarray
    score: float
    steps: int

    def ask(self) -> np.ndarray:
        """The points to try next, (candidate, n)."""

    def tell(self, values: np.ndarray) -> None:
        """Takes the values of the function there, (candidate,), in the same order."""

    def state(self) -> dict[str, np.ndarray]:
        """The state needed to go on."""

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Goes back to what `state` returned."""


class Annealing(Stateful):
    """Simulated annealing (Kirkpatrick et al. 1983): chains side by side, each of which perturbs where it stands.

    A step perturbs one muscle's control for a while; what makes the objective less is kept, and what makes it more is
    with a chance that falls with the temperature. Now and then the worse half of the chains go on from where the
    better half are (population annealing, Hukushima and Iba 2003). The last number of a point is perturbed too.

    Attributes:
        best: The best point so far, (n,).
        score: Value of the function there.
        steps: Number of steps done.
    """

    points: np.ndarray = state("f8", "candidate", "number")
    values: np.ndarray = state("f8", "candidate", unset=np.inf)
    best: np.ndarray = state("f8", "number")
    score: float = state("f8", unset=np.inf)
    steps: int = state("i8", low=0)

    def __init__(self, begin: np.ndarray, candidates: int, seed: int, period: int):
        """Begins where all candidates are alike.

        Args:
            begin: A point, (n,): rows of `period` numbers each, that go round, and one more.
            candidates: Number of chains.
            seed: Seed of its random numbers.
            period: Numbers in a row.
        """
        self._fill(candidate=candidates, number=len(begin))
        self.points[:] = self.best[:] = begin
        self._seed, self._period, self._tried = seed, period, self.points

    def ask(self) -> np.ndarray:
        """The points to try next, (candidate, n)."""
        dice, (count, size), period = self._dice(0), self.points.shape, self._period
        row = dice.integers(0, size // period, count)
        away = np.abs(np.arange(period) - dice.uniform(0.0, period, count)[:, None])
        bump = _bump(away, period, ANNEALING_BUMP)
        bump *= ANNEALING_STEP * dice.standard_normal(count)[:, None]
        self._tried = self.points.copy()
        columns = row[:, None] * period + np.arange(period)
        np.put_along_axis(self._tried, columns, np.take_along_axis(self.points, columns, axis=1) + bump, axis=1)
        self._tried[:, -1] += ANNEALING_STEP * dice.standard_normal(count) * (dice.random(count) < 0.25)
        return self._tried

    def tell(self, values: np.ndarray) -> None:
        """Takes the values of the function there, (candidate,)."""
        heat = ANNEALING_HEAT / (1.0 + self.steps / ANNEALING_COOLING)
        accepted = values < self.values - heat * np.log(1.0 - self._dice(1).random(len(values)))
        self.points[accepted], self.values[accepted] = self._tried[accepted], values[accepted]
        least = int(values.argmin())
        if values[least] < self.score:
            self.best, self.score = self._tried[least].copy(), float(values[least])
        self.steps += 1
        if self.steps % ANNEALING_MEETING == 0 and len(values) > 1:
            order, half = np.argsort(self.values, kind="stable"), len(values) // 2
            self.points[order[-half:]], self.values[order[-half:]] = (
                self.points[order[:half]],
                self.values[order[:half]],
            )

    def _dice(self, purpose: int) -> np.random.Generator:
        """A stream for this step alone, so that nothing of it has to be kept."""
        return np.random.default_rng([self._seed, self.steps, purpose])


class Evolution(Stateful):
    """CMA-ES (Hansen 2016) whose covariance is a diagonal (Ros & Hansen 2008), as befits hundreds of numbers.

    It varies whole stretches of a control as annealing does: each number of a row is a bump that reaches some samples
    either way. Samples that vary each by itself would cost a hundred times what they swim, and what is found then has
    many small quick waves in place of one beat.

    Attributes:
        best: The best point so far, (n,).
        score: Value of the function there.
        steps: Generations so far.
    """

    mean: np.ndarray = state("f8", "number")
    sigma: float = state("f8", begin=EVOLUTION_STEP)
    variance: np.ndarray = state("f8", "number", begin=1)
    path: np.ndarray = state("f8", "number")
    step_path: np.ndarray = state("f8", "number")
    best: np.ndarray = state("f8", "number")
    score: float = state("f8", unset=np.inf)
    steps: int = state("i8", low=0)

    def __init__(self, begin: np.ndarray, candidates: int, seed: int, period: int):
        """Begins about a point; arguments as of `Annealing`."""
        n, half = len(begin), candidates // 2
        weights = np.log(0.5 * (candidates + 1.0)) - np.log(np.arange(1.0, half + 1.0))
        self._weights = weights / weights.sum()
        self._mass = mass = float(1.0 / np.square(self._weights).sum())
        self._step_rate = (mass + 2.0) / (n + mass + 5.0)
        self._damping = 1.0 + 2.0 * max(0.0, np.sqrt((mass - 1.0) / (n + 1.0)) - 1.0) + self._step_rate
        self._path_rate = (4.0 + mass / n) / (n + 4.0 + 2.0 * mass / n)
        separable = (n + 2.0) / 3.0
        one = 2.0 / (np.square(n + 1.3) + mass)
        self._one = separable * one
        most = separable * 2.0 * (mass - 2.0 + 1.0 / mass) / (np.square(n + 2.0) + mass)
        self._many = min(1.0 - self._one, most)
        self._usual = np.sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n))
        self._fill(number=n)
        self.best[:] = begin
        self._seed, self._candidates, self._begin = seed, candidates, begin
        self._moves = np.zeros((candidates, n))
        bump = _bump(np.arange(period), period, EVOLUTION_BUMP)
        self._bumps = np.stack([np.roll(bump, place) for place in range(period)]) / np.sqrt(np.square(bump).sum())

    def ask(self) -> np.ndarray:
        """The points to try next, (candidate, n)."""
        dice = np.random.default_rng([self._seed, self.steps])
        self._moves = dice.standard_normal((self._candidates, len(self.mean))) * np.sqrt(self.variance)
        return self._points(self.mean + self.sigma * self._moves)

    def tell(self, values: np.ndarray) -> None:
        """Takes the values of the function there, (candidate,)."""
        order = np.argsort(values, kind="stable")[: len(self._weights)]
        if values[order[0]] < self.score:
            self.best = self._points((self.mean + self.sigma * self._moves[order[0]])[None])[0]
            self.score = float(values[order[0]])
        moves = self._moves[order]
        move = (self._weights[:, None] * moves).sum(axis=0)
        self.mean = self.mean + self.sigma * move
        self.steps += 1
        rate, mass = self._step_rate, self._mass
        self.step_path = (1.0 - rate) * self.step_path
        self.step_path += np.sqrt(rate * (2.0 - rate) * mass) * move / np.sqrt(self.variance)
        length = float(np.sqrt(np.square(self.step_path).sum()))
        settled = length / np.sqrt(1.0 - (1.0 - rate) ** (2.0 * self.steps))
        going = settled < (1.4 + 2.0 / (len(move) + 1.0)) * self._usual
        rate = self._path_rate
        self.path = (1.0 - rate) * self.path + going * np.sqrt(rate * (2.0 - rate) * mass) * move
        self.variance = (1.0 - self._one - self._many) * self.variance + self._one * np.square(self.path)
        self.variance += self._many * (self._weights[:, None] * np.square(moves)).sum(axis=0)
        self.sigma = float(self.sigma * np.exp(self._step_rate / self._damping * (length / self._usual - 1.0)))

    def _points(self, bumps: np.ndarray) -> np.ndarray:
        """The points that sizes of bumps stand for, (candidate, n); the last number stands for itself."""
        rows = bumps[:, :-1].reshape(len(bumps), -1, len(self._bumps))
        made = (rows @ self._bumps).reshape(len(bumps), -1)
        return self._begin + np.concatenate([made, bumps[:, -1:]], axis=1)


def _bump(away: np.ndarray, period: int, reach: float) -> np.ndarray:
    """The share of a perturbation so many samples away from its middle, either way round a period, (...)."""
    return np.exp(-0.5 * np.square(np.minimum(away, period - away) / reach))
