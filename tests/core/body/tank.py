"""A few bodies of one species in still or moving water, moved by one scheme; what tests of the schemes share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.body.anatomy import BOOK_STEP, NODES
from artfish.core.body.dynamics import BodyModel
from artfish.core.body.forces import Finless, Fins
from artfish.core.body.integrators import Integrator
from artfish.core.body.production import Production
from artfish.core.body.tuning import LONGEST_BOOK_STEP
from artfish.core.motor.muscles import Muscles
from artfish.tests.core.kinds import each

STEP = 1.0 / 48.0  # seconds, that of a scene by default
every_species = pytest.mark.parametrize("name", each())

Scheme = Callable[[BodyModel, int, float, Fins], Integrator]


def default_step(name: str) -> float:
    """The step in seconds that a species is simulated with; the book's for the book's own fish."""
    return BOOK_STEP * Species.load(name).time_scale if name == "thesis" else STEP


class Tank:
    """A few bodies of one species, moved by one scheme, with muscles but without fins, in the book's units."""

    def __init__(self, name: str, scheme: Scheme, dt: float, fishes: int, fluid: float = 1.0, fins: Fins | None = None):
        self.species = Species.load(name)
        self.model = BodyModel(self.species.body, fluid)
        step = dt / self.species.time_scale
        self.parts = int(np.ceil(step / LONGEST_BOOK_STEP - 1e-9)) if scheme is Production else 1
        self.step = step / self.parts
        self.integrator = scheme(self.model, fishes, self.step, fins or Finless())
        self.muscles = Muscles(self.species, self.model, fishes, self.step)
        self.x, self.v = self.model.resting(fishes), np.zeros((NODES, 3, fishes))
        self.water = np.zeros((3, fishes))
        self.slack = np.repeat(self.model.natural[self.model.muscles][:, None], fishes, axis=1)
        self.speed = self.model.length * self.species.time_scale
        """One body length a second in the book's units."""

    def drift(self) -> None:
        """One step with slack muscles."""
        for _ in range(self.parts):
            self.integrator.step(self.x, self.v, self.slack, self.water)

    def wriggle(self, seconds: float, effort: float = 1.0) -> None:
        """The first fish swims, the last turns as hard as it can, those between do some of both."""
        fishes = self.x.shape[2]
        beat = np.full(fishes, self.species.rhythm.tail_beat * self.species.time_scale)
        bend = np.linspace(0.0, 1.0, fishes)
        rates, swing = np.stack([beat, 2.0 * beat]), effort * np.stack([np.ones(fishes), bend, bend])
        for _ in range(round(seconds / (self.step * self.species.time_scale))):
            lengths = self.muscles.advance(rates, swing)[0]
            self.integrator.step(self.x, self.v, lengths, self.water)

    @property
    def energy(self) -> np.ndarray:
        """Kinetic and elastic energy of fishes with slack muscles, (fish,)."""
        return self.model.energy(self.x, self.v, self.slack)

    @property
    def middle(self) -> np.ndarray:
        """Centers of mass in body lengths, (3, fish)."""
        return self.model.momentum(self.x) / self.model.mass / self.model.length
