"""Motion of a block of bodies of one species: muscles and fins that drive an integrator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..body.dynamics import BodyModel
from ..body.forces import Fins
from ..body.integrators import Integrator
from ..body.kernel import Kernel
from ..body.kernel.ranks import Pace
from ..scene.species import Species
from .muscles import Muscles
from .pectorals import PectoralForces

Maker = Callable[[BodyModel, int, float, Fins], Integrator]


@dataclass(eq=False)
class Mover:
    """The muscles' steps, fins and integrator of bodies of a species: `parts` steps for each one of the world."""

    parts: int
    dt: float
    fins: PectoralForces
    integrator: Integrator

    @classmethod
    def of(cls, species: Species, model: BodyModel, size: int, dt: float, longest: float, make: Maker) -> Mover:
        """One for steps of `dt` book units, none of which is longer than `longest`."""
        parts = max(1, int(np.ceil(dt / longest - 1e-9)))
        fins = PectoralForces(species, model, size, np.float32)
        return cls(parts, dt / parts, fins, make(model, size, dt / parts, fins))

    def pace(self, muscles: Muscles) -> Pace:
        """The same for the kernel, of which the integrator must be."""
        assert isinstance(self.integrator, Kernel)
        return Pace(self.integrator, *muscles.tables(self.dt), self.parts)

    def ends(self, steps: int, cuts: int) -> np.ndarray:
        """The own steps done at the cuts of some steps of the world into so many pieces, (k,) int64."""
        cut = np.rint(np.linspace(0, steps * self.parts, cuts + 1)).astype(np.int64)
        return np.unique(cut)[1:-1].copy()

    def move(
        self, x: np.ndarray, v: np.ndarray, muscles: Muscles, targets: np.ndarray, steps: int, cuts: int = 1
    ) -> list[tuple[float, np.ndarray]]:
        """Moves bodies on by some steps of the world, in place.

        Args:
            x: Places, (23, 3, fish).
            v: Velocities, (23, 3, fish).
            muscles: Theirs.
            targets: Targets of muscles, fins and water, (14, fish).
            steps: Number of steps.
            cuts: Number of parts to cut the steps into; the end of each is sampled.

        Returns:
            The share of the steps that were done and places (23, 3, fish) then, of every end but the last.
        """
        self.fins.hold(targets[7:9], targets[9:11])
        curl = targets[[6, 2]] if targets[6].any() or muscles.curl.any() else None
        lengths = muscles.advance(targets[:2], targets[3:6], steps * self.parts, curl)
        samples = []
        for begin, end in pairwise([0, *self.ends(steps, cuts).tolist(), len(lengths)]):
            self.integrator.advance(x, v, lengths[begin:end], targets[11:])
            if end < len(lengths):
                samples.append((end / len(lengths), x.copy()))
        return samples
