"""All forces on the body, gathered at its nodes: those of its units, of the water and of the fins."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ..base.memory import Scratch, aligned
from .anatomy import FACES, NODES
from .dynamics import NODES_TO_UNITS, BodyModel, UnitForces
from .hydrodynamics import NODES_TO_FACES, NODES_TO_TAIL, Limits, TailReaction, WaterForces
from .spine import AHEAD_AXIS, SHOULDER_GROUP, TAIL_GROUP, UP_AXIS


class Fins(Protocol):
    """What pushes a fish besides its skin and tail.

    Attributes:
        weights: How the force on the left and the right fin is handed to the nodes, (2, 23).
        strength: mu A of equation 4.16.
        strokes: What the fins do, (4, 2, fish): how far their normals point ahead and up, their speed backwards, and
            the lift of their flapping.
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
        """None is too fast."""
        return np.inf

    def push(self, flow: np.ndarray, ahead: np.ndarray, up: np.ndarray, inertia: float = np.inf) -> np.ndarray:
        """No force, (2, 3, fish)."""
        return np.zeros((2, *ahead.shape))


class Forces:
    """All forces on a block of fishes, gathered at the nodes.

    Arrays that are ours have the three components first in memory, which lets NumPy run through them in one go,
    and the nodes first in shape where they are handed on.
    """

    def __init__(
        self,
        model: BodyModel,
        fishes: int,
        fins: Fins,
        dtype: type,
        scratch: Scratch | None = None,
        limits: Limits | None = None,
    ):
        """Prepares for blocks of this many fishes.

        Args:
            model: Their body.
            fishes: How many.
            fins: What pushes them besides skin and tail.
            dtype: Precision of all forces.
            scratch: Memory to work in; its own if left out.
            limits: What no force may exceed; the book's forces have none.
        """
        self.units = UnitForces(model, fishes, dtype, scratch)
        self.skin = WaterForces(model, fishes, dtype, scratch, limits)
        self.tail = TailReaction(model, fishes, dtype, limits) if model.tail_inertia else None
        self._inertia = limits.inertia if limits else np.inf
        self._limbs = np.concatenate([fins.weights, NODES_TO_TAIL]).astype(dtype)
        self.fins = fins
        self._units_to_nodes = np.ascontiguousarray(-NODES_TO_UNITS.T.astype(dtype))
        self._water_to_nodes = np.ascontiguousarray(
            np.concatenate([NODES_TO_FACES, fins.weights, NODES_TO_TAIL]).T.astype(dtype)
        )
        self._water = aligned((3, len(FACES) + 3, fishes), dtype)
        self.total, self.external = (aligned((3, NODES, fishes), dtype) for _ in range(2))

    def evaluate(self, x: np.ndarray, flow: np.ndarray, muscles: np.ndarray, frames: np.ndarray) -> np.ndarray:
        """The force on every node, (23, 3, fish), at velocities `flow` relative to the water.

        What the water alone does stays in `external`, and this in `total`, (3, 23, fish) both.

        Args:
            x: Positions, (23, 3, fish).
            flow: Velocities relative to the water, (23, 3, fish).
            muscles: Rest lengths of the muscles, (12, fish).
            frames: Unit vectors up, ahead and left of each group of nodes, (3, 3, 7, fish).
        """
        water, up, ahead = (
            self._water.swapaxes(0, 1),
            frames[UP_AXIS, :, SHOULDER_GROUP],
            frames[AHEAD_AXIS, :, SHOULDER_GROUP],
        )
        self.units.evaluate(x, flow, muscles)
        self.skin.evaluate(x, flow, ahead, water[:-3], self.units.spans)
        limbs = np.matmul(self._limbs, flow.swapaxes(0, 1))
        water[-3:-1] = self.fins.push(limbs[:, :2], ahead, up, self._inertia)
        if self.tail is not None:
            self.tail.evaluate(limbs[:, 2], frames[AHEAD_AXIS:, :, TAIL_GROUP], water[-1])
        np.matmul(self._units_to_nodes, self.units.forces, out=self.total)
        np.matmul(self._water_to_nodes, self._water, out=self.external)
        self.total += self.external
        return self.total.swapaxes(0, 1)
