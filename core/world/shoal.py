"""The shoal: every fish's body as arrays, one row a fish, and how they are moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.state import Stateful
from ..base.sums import total, weighted
from ..base.vectors import dot, local, unit
from ..body.anatomy import MASSES, NODES, body_frame
from ..body.dynamics import BodyModel
from ..body.kernel import BLOCK_MULTIPLE, mover
from ..body.tuning import LONGEST_BOOK_STEP
from ..motor.center import Drive
from ..motor.mover import Maker, Mover
from ..motor.muscles import Muscles
from ..motor.tuning import BURST_BEAT_STEPS
from ..scene.species import Species
from .strokes import Strokes, pieces
from .tuning import BLOCK_FISHES, SWIFT_SHARE, THICK_FLUID

_Moved = tuple[np.ndarray, np.ndarray, Muscles, np.ndarray, int]
_Seen = tuple[np.ndarray, float, np.ndarray]

MASS_SHARES = MASSES / total(MASSES)
"""Share of a body's mass that each node has, (23,)."""


@dataclass(eq=False)
class _Block(Stateful):
    """Fishes of one species that are moved together, in the book's units, fish axis last.

    Those that beat faster than `swift_beat`, or start, are moved by finer steps; who does so is nothing to the others.
    """

    _STATE = "x", "v"

    fishes: np.ndarray
    model: BodyModel
    muscles: Muscles
    mover: Mover
    swift: Mover
    swift_beat: float
    beat: float
    x: np.ndarray
    v: np.ndarray
    gathered: dict[str, np.ndarray]

    def move(self, targets: np.ndarray, steps: int, seen: np.ndarray, cuts: int) -> list[_Seen]:
        """Moves them on by some steps of the world.

        Args:
            targets: As of `Mover.move`.
            steps: How many.
            seen: Who is looked at on the way, (block,) bool.
            cuts: In how many pieces, of which the ends are looked at.

        Returns:
            Columns (n,) of the block that are seen, the share of the steps that were done, and their places then,
            (23, 3, n).
        """
        swift = np.flatnonzero((targets[0] > self.swift_beat) | (targets[6] != 0) | (self.muscles.curl != 0))
        everyone, calmly = np.arange(self.x.shape[2]), seen.copy()
        calmly[swift] = False
        if not len(swift):
            return _seen(self.mover, (self.x, self.v, self.muscles, targets, steps), cuts, everyone, calmly)
        columns = np.resize(swift, -(-len(swift) // BLOCK_MULTIPLE) * BLOCK_MULTIPLE)
        x, v = self.x.take(columns, axis=2), self.v.take(columns, axis=2)
        muscles, samples = self.muscles.some(columns, self.swift.dt), []
        first = np.arange(len(columns)) < len(swift)
        own = x, v, muscles, targets.take(columns, axis=1), steps
        samples += _seen(self.swift, own, cuts, columns, seen[columns] & first)
        if len(swift) < len(self.fishes):
            calm = targets.copy()
            calm[6, swift] = 0.0
            samples += _seen(self.mover, (self.x, self.v, self.muscles, calm, steps), cuts, everyone, calmly)
        self.x[:, :, columns], self.v[:, :, columns] = x, v
        self.muscles.put(columns, muscles)
        return samples

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Goes back to what `state` returned."""
        super().restore(state)
        self.gathered.clear()

    def spread(self, values: np.ndarray) -> np.ndarray:
        """Per-fish values (..., fish of the world) as those of the block, (..., block), idle fishes at zero."""
        out = np.zeros((*values.shape[:-1], self.x.shape[2]))
        out[..., : len(self.fishes)] = values.take(self.fishes, axis=-1)
        return out


def _seen(mover: Mover, moved: _Moved, cuts: int, columns: np.ndarray, seen: np.ndarray) -> list[_Seen]:
    """Moves bodies, which are these columns of a block, and returns samples of those that are seen."""
    own = np.flatnonzero(seen)
    samples = mover.move(*moved, cuts if len(own) else 1)
    return [(columns[own], share, x.take(own, axis=2)) for share, x in samples]


class Shoal(Stateful):
    """Bodies of all fishes, and which of them are there.

    Attributes:
        species: The species that occur.
        kind: Row of each fish's species, (fish,).
        length: Body length of each fish in metres, (fish,).
        dt: Length of a step in seconds.
        alive: Which fishes are there: alive, and entered, (fish,) bool. One array for good, which others may keep.
    """

    _STATE = ("alive",)

    def __init__(
        self,
        species: Sequence[Species],
        kind: np.ndarray,
        length: np.ndarray,
        dt: float,
        fluid: float = 1.0,
        integrator: Maker = mover,
    ):
        """Puts every fish at rest at the origin, heading along x.

        Args:
            species: The species that occur.
            kind: Row of each fish's species, (fish,).
            length: Body length of each fish in metres, (fish,).
            dt: Length of a step in seconds.
            fluid: Factor on every force of the water: 1 is water, 0 is air.
            integrator: Makes what moves a block of bodies.
        """
        self.species, self.kind, self.length, self.dt = tuple(species), kind, length, dt
        self.alive = np.ones(len(kind), dtype=bool)
        book_length = np.array([s.body.book_length for s in species])[kind]
        self._metres = length / book_length
        self._seconds = np.array([s.time_scale for s in species])[kind]
        # What muscles, fins and water are set to, in the book's units: beats, contractions, angles, rowing, flow.
        same, speed = np.ones(len(kind)), self._seconds / self._metres
        self._units = np.stack([self._seconds] * 3 + [same] * 6 + [length * speed] * 2 + [speed] * 3)
        self._blocks: list[_Block] = []
        self._known: dict[str, np.ndarray] = {}  # places and velocities as they were gathered, until they change
        for row, one in enumerate(self.species):
            model = BodyModel(one.body, fluid)
            own = np.flatnonzero(kind == row)
            longest, step = LONGEST_BOOK_STEP / max(fluid / THICK_FLUID, 1.0), dt / one.time_scale
            beat = max(one.rhythm.burst_beat, one.rhythm.tail_beat)
            swiftest = beat * one.time_scale
            finest = min(longest, 1.0 / (BURST_BEAT_STEPS * swiftest))
            # Blocks are of one size and share the working memory of one integrator.
            shares = np.array_split(own, -(-len(own) // BLOCK_FISHES))
            size = -(-len(shares[0]) // BLOCK_MULTIPLE) * BLOCK_MULTIPLE
            usual = Mover.of(one, model, size, step, longest, integrator)
            swift = usual
            if one.rhythm.burst_beat > one.rhythm.tail_beat:
                swift = Mover.of(one, model, size, step, finest, integrator)
            fastest = SWIFT_SHARE * one.rhythm.tail_beat * one.time_scale
            for fishes in shares:
                x, muscles = model.resting(size), Muscles(one, model, size, usual.dt)
                v = np.zeros((NODES, 3, size))
                self._blocks.append(_Block(fishes, model, muscles, usual, swift, fastest, beat, x, v, self._known))

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def nodes(self) -> np.ndarray:
        """Places of the nodes in metres, (fish, 23, 3), not to be written; gathered anew only after a move."""
        return self._gathered("x", self._metres)

    @property
    def node_velocities(self) -> np.ndarray:
        """Velocities of the nodes in m/s, (fish, 23, 3); as `nodes`."""
        return self._gathered("v", self._metres / self._seconds)

    @property
    def center_of_mass(self) -> np.ndarray:
        """Centers of mass in metres, (fish, 3)."""
        return weighted(MASS_SHARES, self.nodes)

    @property
    def velocity(self) -> np.ndarray:
        """Velocities of the centers of mass in m/s, (fish, 3)."""
        return weighted(MASS_SHARES, self.node_velocities)

    @property
    def bend(self) -> np.ndarray:
        """Contraction of the front turning segment, left positive, (fish,)."""
        bend = np.zeros(len(self))
        for block in self._blocks:
            bend[block.fishes] = block.muscles.bend[0, : len(block.fishes)]
        return bend

    def frames(self, nodes: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Each fish's own frame: origins (fish, 3) in metres and columns ahead, left, up (fish, 3, 3)."""
        return body_frame(self.nodes if nodes is None else nodes)

    def put(self, fishes: np.ndarray, place: np.ndarray, frames: np.ndarray, speed: np.ndarray) -> None:
        """Puts fishes at rest somewhere, with straight bodies.

        Args:
            fishes: Which, (n,).
            place: Their centers of mass in metres, (n, 3).
            frames: Columns ahead, left and up, (n, 3, 3).
            speed: Their speed ahead in m/s, (n,).
        """
        self._known.clear()
        row_of = {int(fish): row for row, fish in enumerate(fishes)}
        for block in self._blocks:
            for column, fish in enumerate(block.fishes.tolist()):
                if fish not in row_of:
                    continue
                row = row_of[fish]
                turned = local(frames[row].T, block.model.rest)
                block.x[:, :, column] = turned + place[row] / self._metres[fish]
                block.v[:, :, column] = frames[row, :, 0] * speed[row] * self._seconds[fish] / self._metres[fish]

    def pose(self, fishes: np.ndarray, nodes: np.ndarray, velocity: np.ndarray) -> None:
        """Puts every node of some fishes somewhere.

        Args:
            fishes: Which, (n,), each once.
            nodes: Metres, (n, 23, 3).
            velocity: Of the nodes in m/s, (n, 23, 3).
        """
        self._known.clear()
        row = np.full(len(self), -1)
        row[fishes] = np.arange(len(fishes))
        x = nodes / self._metres[fishes, None, None]
        v = velocity * (self._seconds / self._metres)[fishes, None, None]
        for block in self._blocks:
            column = np.flatnonzero(row[block.fishes] >= 0)
            own = row[block.fishes[column]]
            block.x[:, :, column], block.v[:, :, column] = x[own].transpose(1, 2, 0), v[own].transpose(1, 2, 0)

    def push(self, fishes: np.ndarray, change: np.ndarray) -> None:
        """Changes the velocities of nodes.

        Args:
            fishes: Which, (n,), each once.
            change: In m/s, (n, 23 or 1, 3).
        """
        self._add("v", fishes, change * (self._seconds / self._metres)[fishes, None, None])

    def shift(self, fishes: np.ndarray, way: np.ndarray) -> None:
        """Moves fishes as a whole, out of what they touch; what of their velocity leads into it is lost.

        Args:
            fishes: Which, (n,), each once.
            way: In metres, (n, 3).
        """
        out = unit(way)
        into = np.minimum(dot(self.velocity[fishes], out), 0.0)
        self._add("x", fishes, (way / self._metres[fishes, None])[:, None])
        self._add("v", fishes, (-into[:, None] * out / (self._metres / self._seconds)[fishes, None])[:, None])

    def displace(self, fishes: np.ndarray, way: np.ndarray, change: np.ndarray) -> None:
        """Moves nodes and changes their velocities.

        Args:
            fishes: Which, (n,), each once.
            way: In metres, (n, 23, 3).
            change: In m/s, (n, 23, 3).
        """
        self._add("x", fishes, way / self._metres[fishes, None, None])
        self.push(fishes, change)

    def _add(self, name: str, fishes: np.ndarray, change: np.ndarray) -> None:
        """Adds to a block array of these fishes, (n, 23 or 1, 3), in the book's units."""
        self._known.pop(name, None)
        everyone = np.zeros((len(self), *change.shape[1:]))
        everyone[fishes] = change
        for block in self._blocks:
            getattr(block, name)[:, :, : len(block.fishes)] += everyone[block.fishes].transpose(1, 2, 0)

    def blocks(self) -> dict[str, Stateful]:
        """All that changes with time of the bodies, by the name that it has in a saved world."""
        named: dict[str, Stateful] = {}
        for row, block in enumerate(self._blocks):
            named |= {f"block {row}": block, f"muscles {row}": block.muscles}
        return named

    def start_beats(self, phase: np.ndarray) -> None:
        """Sets the phase of every fish's beat in radians, (fish,), so that no two need beat in step."""
        for block in self._blocks:
            block.muscles.phase[:] = block.spread(phase)

    def move(self, drive: Drive, water: np.ndarray, steps: int, seen: np.ndarray | None = None) -> Strokes:
        """Moves every fish on by some steps of `dt` seconds.

        Args:
            drive: What muscles and fins are to do meanwhile.
            water: Velocity of the water at each fish in m/s, (fish, 3).
            steps: How many steps.
            seen: Whose strokes are looked at on the way, (fish,) bool; nobody's if left out.

        Returns:
            Samples of those.
        """
        self._known.clear()
        rates, swing = (drive.frequency, drive.rate, drive.fling), (drive.amplitude, *drive.bend, drive.curl)
        targets = np.concatenate([np.stack([*rates, *swing]), drive.gamma, drive.row, water.T])
        targets *= self._units
        seen, samples = np.zeros(len(self), dtype=bool) if seen is None else seen, []
        for block in self._blocks:
            own = block.spread(seen).astype(bool)
            for columns, share, x in block.move(block.spread(targets), steps, own, pieces(block.beat, steps * self.dt)):
                fishes = block.fishes[columns]
                samples.append((fishes, share, x.transpose(2, 0, 1) * self._metres[fishes, None, None]))
        return Strokes.joined(samples, self.nodes) if samples else Strokes.none()

    def _gathered(self, name: str, scale: np.ndarray) -> np.ndarray:
        """A block array in the public order, (fish, 23, 3), scaled from the book's units by a factor a fish."""
        if name not in self._known:
            out = np.empty((len(self), NODES, 3))
            for block in self._blocks:
                out[block.fishes] = getattr(block, name)[:, :, : len(block.fishes)].transpose(2, 0, 1)
            out = out * scale[:, None, None]
            out.flags.writeable = False
            self._known[name] = out
        return self._known[name]
