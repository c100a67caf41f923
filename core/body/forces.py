"""All forces on the body, gathered at its nodes: those of its units, of the water and of the fins."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from .anatomy import NODES
from .dynamics import NODES_TO_UNITS, BodyModel, UnitForces
from .hydrodynamics import NODES_TO_FACES, NODES_TO_TAIL, Limits, TailReaction, WaterForces
from .spine import SHOULDER_GROUP, TAIL_GROUP


class Fins(Protocol):
    """The forces that push a fish besides those on its skin and tail.

    Attributes:
        weights: Shares in which the nodes take the force on the left and the right fin, (2, 23).
        strength: mu A of equation 4.16.
        strokes: The fins' strokes, (4, 2, fish): the components of their normals ahead and up, their speed backwards,
            and the lift of their flapping.
    """

    weights: np.ndarray
    strength: float

    @property
    def strokes(self) -> np.ndarray: ...

    def fastest(self, inertia: float) -> float:
        """The speed of the flow beyond which a fin's push grows no more, with this mass of a fish over the step."""

    def push(self, flow: np.ndarray, ahead: np.ndarray, up: np.ndarray, inertia: float = np.inf) -> np.ndarray:
        """The force on the left and the right fin, (2, 3, fish).

        Args:
            flow: Velocities of the two fins relative to the water, (3, 2, fish).
            ahead: Unit vectors along the fish at its fins, (3, fish).
            up: Unit vectors up, (3, fish).
            inertia: Mass of a fish over the step. Where given, no force is stronger than what stops the fish within
                a few steps; such forces do not occur in swimming.
        """


class Finless:
    """No fins at all."""

    weights = np.zeros((2, NODES))
    strength = 0.0

    def __init__(self, fishes: int = 1):
        """For blocks of this many fishes."""
        self.strokes = np.zeros((4, 2, fishes), np.float32)

    def fastest(self, inertia: float) -> float:
        """Infinite: no flow is too fast."""
        return np.inf

    def push(self, flow: np.ndarray, ahead: np.ndarray, up: np.ndarray, inertia: float = np.inf) -> np.ndarray:
        """No force, (2, 3, fish)."""
        return np.zeros((2, *ahead.shape))


class Forces:
    """All forces on a block of fishes, gathered at the nodes."""

    def __init__(self, model: BodyModel, fins: Fins, dtype: type = np.float64, limits: Limits | None = None):
        """Prepares for bodies.

        Args:
            model: Their body.
            fins: The forces besides those on skin and tail.
            dtype: Precision of all forces.
            limits: Bounds on the forces; the book's forces have none.
        """
        self.units = UnitForces(model, dtype)
        self.skin = WaterForces(model, dtype, limits)
        self.tail = TailReaction(model, limits)
        self.fins = fins
        self._inertia = limits.inertia if limits else np.inf
        self._limbs = np.concatenate([fins.weights, NODES_TO_TAIL]).astype(dtype)
        self._units_to_nodes = -NODES_TO_UNITS.T.astype(dtype)
        self._faces_to_nodes = NODES_TO_FACES.T.astype(dtype)

    def evaluate(
        self, x: np.ndarray, flow: np.ndarray, muscles: np.ndarray, frames: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The force on every node, and what the water alone does of it, (23, 3, fish) each.

        Args:
            x: Positions, (23, 3, fish).
            flow: Velocities relative to the water, (23, 3, fish).
            muscles: Rest lengths of the muscles, (m, fish).
            frames: Unit vectors up, ahead and left of each group of nodes, (3, 7, 3, fish).
        """
        up, ahead, _ = frames[:, SHOULDER_GROUP]
        _, along, across = frames[:, TAIL_GROUP]
        on_units = self.units.evaluate(x, flow, muscles)
        on_skin = self.skin.evaluate(x, flow, ahead)
        limbs = np.einsum("ln,ncf->lcf", self._limbs, flow)
        on_limbs = np.concatenate(
            [
                self.fins.push(limbs[:2].swapaxes(0, 1), ahead, up, self._inertia),
                self.tail.evaluate(limbs[2], along, across)[None],
            ]
        )
        external = np.einsum("ni,icf->ncf", self._faces_to_nodes, on_skin)
        external += np.einsum("ln,lcf->ncf", self._limbs, on_limbs)
        return np.einsum("nu,ucf->ncf", self._units_to_nodes, on_units) + external, external
