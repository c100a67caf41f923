"""Blocks: fishes of one species whose bodies are moved together, the calm ones by some steps and the swift by finer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.state import Stateful, state
from ..body.anatomy import NODES
from ..body.dynamics import BodyModel
from ..body.kernel import BLOCK_MULTIPLE
from ..body.kernel.ranks import Columns, Samples
from ..body.tuning import LONGEST_BOOK_STEP
from ..motor.mover import Maker, Mover
from ..motor.muscles import Muscles
from ..motor.tuning import BURST_BEAT_STEPS
from ..scene.species import Species
from .strokes import pieces
from .tuning import SWIFT_SHARE, THICK_FLUID

Ends = tuple[np.ndarray, np.ndarray]
"""The steps of a calm and of a swift fish at whose ends strokes are seen within a frame, ascending, (k,) int64."""


class BlockState(Stateful):
    """The state of a block's bodies, as it is saved, in the book's units."""

    x: np.ndarray = state("f8", NODES, 3, "column")
    v: np.ndarray = state("f8", NODES, 3, "column")


@dataclass(eq=False)
class Block(BlockState):
    """Fishes of one species that are moved together, and some that fill it up, in the book's units.

    Those that beat faster than `swift_beat`, or start, are moved by finer steps, which does not affect the others.

    Attributes:
        fishes: Rows of the fishes, (n,).
        rows: Rows of these and of those that fill up, in the arrays of the shoal, (block,) int64.
        model: Their body.
        muscles: Theirs.
        calm: Mover of the calm ones,
        swift: and those that are swift.
        swift_beat: Beats a book unit of time.
        beat: The most beats a second.
        x: Places, (rows of the shoal, 23, 3).
        v: Velocities, likewise.
        gathered: Values computed from those, until they change.
    """

    fishes: np.ndarray
    rows: np.ndarray
    model: BodyModel
    muscles: Muscles
    calm: Mover
    swift: Mover
    swift_beat: float
    beat: float
    x: np.ndarray
    v: np.ndarray
    gathered: dict[str, np.ndarray]

    @classmethod
    def of(
        cls,
        species: Species,
        model: BodyModel,
        fishes: np.ndarray,
        rows: np.ndarray,
        movers: tuple[Mover, Mover],
        shared: tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]],
    ) -> Block:
        """A block of fishes at rest at the origin; `shared` are the whole shoal's arrays."""
        rhythm, calm, swift = species.rhythm, *movers
        muscles = Muscles(species, model, len(rows), calm.dt)
        swift_beat = SWIFT_SHARE * rhythm.tail_beat * species.time_scale
        beat = max(rhythm.burst_beat, rhythm.tail_beat)
        shared[0][rows] = model.rest
        return cls(fishes, rows, model, muscles, calm, swift, swift_beat, beat, *shared)

    def columns(self) -> Columns:
        """The block for the kernel, which its integrators must be of."""
        paces = self.calm.pace(self.muscles), self.swift.pace(self.muscles)
        return Columns(
            *paces, self.swift_beat, self.calm.fins.flapping, len(self.fishes), self.rows, *self.muscles.arrays
        )

    def ends(self, steps: int, period: float) -> Ends:
        """The times at which strokes are sampled within a frame of so many steps of the world and seconds."""
        cuts = pieces(self.beat, period)
        return self.calm.ends(steps, cuts), self.swift.ends(steps, cuts)

    def move(
        self, targets: np.ndarray, steps: int, period: float, seen: np.ndarray | None, idle: np.ndarray
    ) -> list[Samples]:
        """Moves them on by some steps of the world, by any integrator, as `Ranks` does by the kernel's.

        Args:
            targets: Targets of muscles, fins and water of the whole shoal, (14, rows).
            steps: Number of steps.
            period: Seconds that these take.
            seen: Fishes whose strokes are sampled on the way, (fish of the shoal,) bool; none if left out.
            idle: Fishes that stay as they are, (fish of the shoal,) bool.

        Returns:
            Samples of those.
        """
        own = targets.take(self.rows, axis=1)
        swift = (own[0] > self.swift_beat) | (own[6] != 0) | (self.muscles.curl != 0)
        looked, moves = np.zeros(len(self.rows), dtype=bool), np.ones(len(self.rows), dtype=bool)
        moves[: len(self.fishes)] = ~idle[self.fishes]
        if seen is not None:
            looked[: len(self.fishes)] = seen[self.fishes]
        samples = []
        for mover, those in ((self.calm, moves & ~swift), (self.swift, moves & swift)):
            if not those[: len(self.fishes)].any():  # fishes that fill up go along with the calm alone
                continue
            those = np.flatnonzero(those)
            columns = np.resize(those, -(-len(those) // BLOCK_MULTIPLE) * BLOCK_MULTIPLE)
            rows, muscles = self.rows[columns], self.muscles.some(columns, mover.dt)
            x, v = (np.ascontiguousarray(array[rows].transpose(1, 2, 0)) for array in (self.x, self.v))
            shown = np.flatnonzero(looked[those])
            cuts = pieces(self.beat, period) if len(shown) else 1
            for share, then in mover.move(x, v, muscles, own.take(columns, axis=1), steps, cuts):
                samples.append((rows[shown], np.full(len(shown), share), then[:, :, shown].transpose(2, 0, 1)))
            self.x[rows], self.v[rows] = x.transpose(2, 0, 1), v.transpose(2, 0, 1)
            self.muscles.put(columns, muscles)
        return samples

    def state(self) -> dict[str, np.ndarray]:
        """Places and velocities as they have always been saved, (23, 3, block), as copies."""
        return {name: getattr(self, name)[self.rows].transpose(1, 2, 0).copy() for name in self.STATE}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Goes back to what `state` returned; raises as `Stateful` does."""
        shape = *self.x.shape[1:], len(self.rows)
        for name in self.STATE:
            if state[name].shape != shape:
                raise ValueError(f"{name}: found the shape {state[name].shape}, allowed {shape}")
            getattr(self, name)[self.rows] = state[name].transpose(2, 0, 1)
        self.gathered.clear()


def movers(
    species: Species, model: BodyModel, size: int, dt: float, fluid: float, make: Maker, haste: float = 1.0
) -> tuple[Mover, Mover]:
    """The movers of a species' calm and swift fishes, in blocks of a size, by steps of the world of `dt` seconds.

    These suit beats that are quicker than its own by a factor `haste`, as those of its young are.
    """
    rhythm, step = species.rhythm, dt / species.time_scale
    longest = LONGEST_BOOK_STEP / max(fluid / THICK_FLUID, 1.0)
    swiftest = haste * max(rhythm.burst_beat, rhythm.tail_beat) * species.time_scale
    finest = min(longest, 1.0 / (BURST_BEAT_STEPS * swiftest))
    calm = Mover.of(species, model, size, step, longest, make)
    if rhythm.burst_beat <= rhythm.tail_beat and haste == 1.0:
        return calm, calm
    return calm, Mover.of(species, model, size, step, finest, make)
