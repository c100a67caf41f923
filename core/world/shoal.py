"""The shoal: the bodies of all fishes as arrays, one row per fish, and the motion of these."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from ..base.state import Stateful, state
from ..base.sums import scaled, weighted
from ..base.vectors import dot, local, unit
from ..body.anatomy import MASS_SHARES, NODES, body_frame
from ..body.dynamics import BodyModel
from ..body.kernel import BLOCK_MULTIPLE, mover, shoal_mover
from ..body.kernel.ranks import TARGETS, Ranks, Samples
from ..compiled import changes, compiled, reads, real, takes
from ..motor.center import Drive
from ..motor.mover import Maker, Mover
from ..scene.species import Species
from .blocks import Block, Ends, movers
from .strokes import Strokes
from .tuning import BLOCK_FISHES

AS_IT_IS, PLAYED, RESTING = 0, 1, 2
STANDING_A_THREAD = 1000
"""Fewest fishes that are worth a thread of their own."""

STAND = compiled(
    "stand",
    over="n",
    least=STANDING_A_THREAD,
    how=reads("u1", "n"),
    rested=changes("?", "n"),
    nodes=reads("f8", "n", 23, 3),
    origins=takes("f8", "n", 3),
    frames=takes("f8", "n", 3, 3),
    rests=takes("f8", "species", 23, 3),
    kinds=takes("i8", "n"),
    lengths=takes("f8", "n"),
    velocities=takes("f8", "n", 3),
    metres=takes("f8", "n"),
    speeds=takes("f8", "n"),
    places=changes("f8", "n", 23, 3),
    motions=changes("f8", "n", 23, 3),
    seconds=real(),
)


class Blows(Stateful):
    """Blows to bodies from without between two moves, for code that moves some of them otherwise.

    Attributes:
        struck: Mask of the fishes whose nodes were moved or sped up, (fish,) bool.
        change: Change of their velocities by it in m/s, (fish, 3).
    """

    struck: np.ndarray = state("?", "fish")
    change: np.ndarray = state("f8", "fish", 3, unit="m/s")

    def __init__(self, fishes: int):
        """Begins with no fish struck."""
        self._fill(fish=fishes)

    def add(self, fishes: np.ndarray, change: np.ndarray | float = 0.0) -> None:
        """Notes that these fishes (n,), each once, were struck, with this change of velocity in m/s, (n, 3)."""
        self.struck[fishes] = True
        self.change[fishes] += change

    def clear(self) -> None:
        """Forgets all blows."""
        self.struck[:], self.change[:] = False, 0.0


class Stance(NamedTuple):
    """Places and poses of fishes that something else moves.

    Attributes:
        how: `AS_IT_IS`, `PLAYED` or `RESTING`, (fish,) uint8.
        rested: Mask of the fishes that stood at rest before, (fish,) bool, which is kept up.
        nodes: Nodes of those that are shown in metres, (fish, 23, 3).
        origins: Origins of their own frames in metres, (fish, 3).
        frames: Columns ahead, left and up, (fish, 3, 3).
        rest: Bodies at rest in their own frames, in lengths, (species, 23, 3).
        velocity: Velocity of those that are or were at rest in m/s, (fish, 3); the others have that of their ways.
    """

    how: np.ndarray
    rested: np.ndarray
    nodes: np.ndarray
    origins: np.ndarray
    frames: np.ndarray
    rest: np.ndarray
    velocity: np.ndarray


class Shoal(Stateful):
    """Bodies of all fishes, and the mask of those that are there.

    Attributes:
        species: The species that occur.
        kind: Row of each fish's species, (fish,).
        length: Body length of each fish in metres, (fish,).
        dt: Length of a step in seconds.
        alive: Mask of the fishes that are there: alive, and entered, (fish,) bool. One array for good, which others may
            keep.
        idle: Mask of the fishes whose bodies something else moves, as those of replicas, (fish,) bool.
        blows: Blows to them; None where these are not noted.
    """

    alive: np.ndarray = state("?", "fish", begin=True, recorded="alive")

    def __init__(
        self,
        species: Sequence[Species],
        kind: np.ndarray,
        length: np.ndarray,
        dt: float,
        fluid: float = 1.0,
        integrator: Maker = mover,
        before: Shoal | None = None,
        haste: float = 1.0,
    ):
        """Puts every fish at rest at the origin, heading along x.

        Args:
            species: The species that occur.
            kind: Row of each fish's species, (fish,).
            length: Body length of each fish in metres, (fish,).
            dt: Length of a step in seconds.
            fluid: Factor on every force of the water: 1 is water, 0 is air.
            integrator: Maker of the integrator of a block of bodies.
            haste: Factor by which beats may be quicker than those of a species, where its young grow up.
            before: Shoal with the same steps and fluid, of whose species' bodies these may take the constants.
        """
        self.species, self.kind, self.length, self.dt = tuple(species), kind, length, dt
        self._fill(fish=len(kind))
        self.idle = np.zeros(len(kind), dtype=bool)
        self.blows: Blows | None = None
        book_length = np.array([s.body.book_length for s in species])[kind]
        self._metres = length / book_length
        self._seconds = np.array([s.time_scale for s in species])[kind]
        # Factors to the book's units of settings of muscles, fins and water: beats, contractions, angles, rowing, flow.
        same, speed = np.ones(len(kind)), self._seconds / self._metres
        self._units = np.stack([self._seconds] * 3 + [same] * 6 + [length * speed] * 2 + [speed] * 3)
        self._known: dict[str, np.ndarray] = {}  # places and velocities in metres, until they change
        self._framed: tuple[np.ndarray, tuple[np.ndarray, np.ndarray]] | None = None  # nodes, and frames of them
        self._scales = self._metres, self._metres / self._seconds  # factors to metres, and to metres a second
        self._ends: dict[int, list[Ends]] = {}  # steps at whose ends strokes are seen, by the steps of a frame
        # Blocks of a species are of one size; rows beyond the fishes' are for the columns that fill them up.
        known = {} if before is None else before._made
        self._made: dict[tuple[int, int], tuple[BodyModel, tuple[Mover, Mover]]] = {}
        models, rows, owned = [], len(kind), []
        for row, one in enumerate(self.species):
            own = np.flatnonzero(kind == row)
            shares = np.array_split(own, -(-len(own) // BLOCK_FISHES))
            size = -(-len(shares[0]) // BLOCK_MULTIPLE) * BLOCK_MULTIPLE
            made = known.get((id(one), size))
            if made is None:
                model = BodyModel(one.body, fluid)
                made = model, movers(one, model, size, dt, fluid, integrator, haste)
            model, pair = self._made[id(one), size] = made
            models.append(model)
            for fishes in shares:
                filling = np.arange(rows, rows + size - len(fishes))
                rows += len(filling)
                owned.append((one, model, fishes, np.concatenate((fishes, filling)), pair))
        self._rest, self._targets = [model.rest for model in models], np.zeros((TARGETS, rows))
        self._x, self._v = np.zeros((rows, NODES, 3)), np.zeros((rows, NODES, 3))
        shared = self._x, self._v, self._known
        self._blocks = [Block.of(*block, shared) for block in owned]
        self._block_of = np.zeros(len(kind), dtype=int)
        for number, block in enumerate(self._blocks):
            self._block_of[block.fishes] = number
        self._scale = np.ones(rows)
        self._scale[: len(kind)] = self._metres
        self._ranks: Ranks | None = None
        if integrator is mover:
            columns = [block.columns() for block in self._blocks]
            self._ranks = shoal_mover(columns, self._x, self._v, self._targets, self._scale)

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def nodes(self) -> np.ndarray:
        """Places of the nodes in metres, (fish, 23, 3), not to be written; gathered anew only after a move."""
        return self._gathered("x", self._x, self._scales[0])

    @property
    def node_velocities(self) -> np.ndarray:
        """Velocities of the nodes in m/s, (fish, 23, 3); as `nodes`."""
        return self._gathered("v", self._v, self._scales[1])

    @property
    def center_of_mass(self) -> np.ndarray:
        """Centers of mass in metres, (fish, 3)."""
        return weighted(MASS_SHARES, self.nodes)

    @property
    def velocity(self) -> np.ndarray:
        """Velocities of the centers of mass in m/s, (fish, 3)."""
        return weighted(MASS_SHARES, self.node_velocities)

    def nodes_of(self, fishes: np.ndarray) -> np.ndarray:
        """Places of the nodes of some fishes (n,) in metres, (n, 23, 3), without gathering the others'."""
        return self._x[fishes] * self._metres[fishes, None, None]

    def node_velocities_of(self, fishes: np.ndarray) -> np.ndarray:
        """Velocities of the nodes of some fishes (n,) in m/s, (n, 23, 3), likewise."""
        return self._v[fishes] * (self._metres / self._seconds)[fishes, None, None]

    def velocity_of(self, fishes: np.ndarray) -> np.ndarray:
        """Velocities of the centers of mass of some fishes (n,) in m/s, (n, 3), without gathering the others'."""
        return weighted(MASS_SHARES, self._v[fishes] * (self._metres / self._seconds)[fishes, None, None])

    @property
    def bend(self) -> np.ndarray:
        """Contraction of the front turning segment, left positive, (fish,)."""
        bend = np.zeros(len(self))
        for block in self._blocks:
            bend[block.fishes] = block.muscles.bend[0, : len(block.fishes)]
        return bend

    def frames(self, nodes: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Each fish's own frame: origins (fish, 3) in metres and columns ahead, left, up (fish, 3, 3)."""
        nodes = self.nodes if nodes is None else nodes
        if nodes is not self._known.get("x"):
            return body_frame(nodes)
        if self._framed is None or self._framed[0] is not nodes:  # which are not to be written, and so stay as they are
            self._framed = nodes, body_frame(nodes)
            for array in self._framed[1]:
                array.flags.writeable = False
        return self._framed[1]

    def put(self, fishes: np.ndarray, place: np.ndarray, frames: np.ndarray, speed: np.ndarray) -> None:
        """Puts fishes somewhere with straight bodies, all nodes at one speed.

        Args:
            fishes: Their rows, (n,).
            place: Their centers of mass in metres, (n, 3).
            frames: Columns ahead, left and up, (n, 3, 3).
            speed: Their speed ahead in m/s, (n,).
        """
        self._known.clear()
        for row, fish in enumerate(fishes.tolist()):
            turned = local(frames[row].T, self._rest[self.kind[fish]])
            self._x[fish] = turned + place[row] / self._metres[fish]
            self._v[fish] = frames[row, :, 0] * speed[row] * self._seconds[fish] / self._metres[fish]

    def pose(self, fishes: np.ndarray, nodes: np.ndarray, velocity: np.ndarray) -> None:
        """Sets places and velocities of all nodes of some fishes.

        Args:
            fishes: Their rows, (n,), each once.
            nodes: Places of the nodes in metres, (n, 23, 3).
            velocity: Velocities of the nodes in m/s, (n, 23, 3).
        """
        if self.blows is not None:
            self.blows.add(fishes, weighted(MASS_SHARES, velocity) - self.velocity_of(fishes))
        self.follow(fishes, nodes, velocity)

    def follow(self, fishes: np.ndarray, nodes: np.ndarray, velocity: np.ndarray) -> None:
        """Puts every node of some fishes where what moves them has it, which is no blow; arguments as of `pose`."""
        self._known.clear()
        self._x[fishes] = nodes / self._metres[fishes, None, None]
        self._v[fishes] = velocity * (self._seconds / self._metres)[fishes, None, None]

    def stand(self, stance: Stance, seconds: float) -> None:
        """Puts the nodes of all fishes but those `AS_IT_IS` where something else moved them in so many seconds."""
        self._known.clear()
        how, rested, nodes, origins, frames, rest, velocity = stance
        speeds = self._seconds / self._metres
        STAND(
            how=how,
            rested=rested,
            nodes=nodes,
            origins=origins,
            frames=frames,
            rests=rest,
            kinds=self.kind,
            lengths=self.length,
            velocities=velocity,
            metres=self._metres,
            speeds=speeds,
            places=self._x[: len(self)],
            motions=self._v[: len(self)],
            seconds=seconds,
        )

    def push(self, fishes: np.ndarray, change: np.ndarray) -> None:
        """Changes the velocities of nodes.

        Args:
            fishes: Rows of their fishes, (n,), each once.
            change: Change in m/s, (n, 23 or 1, 3).
        """
        self._known.pop("v", None)
        self._v[fishes] += change * (self._seconds / self._metres)[fishes, None, None]
        if self.blows is not None:
            all_nodes = change.shape[1] == NODES
            self.blows.add(fishes, weighted(MASS_SHARES, change) if all_nodes else change[:, 0])

    def shift(self, fishes: np.ndarray, way: np.ndarray, motion: np.ndarray | float = 0.0) -> None:
        """Moves fishes as a whole, out of what they touch; the part of their velocity that leads into it is lost.

        Args:
            fishes: Their rows, (n,), each once.
            way: Displacement in metres, (n, 3).
            motion: Velocity of what they touch in m/s, (n, 3); it stands if left out.
        """
        out = unit(way)
        into = np.minimum(dot(self.velocity_of(fishes) - motion, out), 0.0)
        self._known.clear()
        self._x[fishes] += (way / self._metres[fishes, None])[:, None]
        self._v[fishes] += (-into[:, None] * out / (self._metres / self._seconds)[fishes, None])[:, None]
        if self.blows is not None:
            self.blows.add(fishes, -into[:, None] * out)

    def displace(self, fishes: np.ndarray, way: np.ndarray, change: np.ndarray) -> None:
        """Moves nodes and changes their velocities.

        Args:
            fishes: Rows of their fishes, (n,), each once.
            way: Displacement in metres, (n, 23, 3).
            change: Change of velocity in m/s, (n, 23, 3).
        """
        self._known.pop("x", None)
        self._x[fishes] += way / self._metres[fishes, None, None]
        self.push(fishes, change)

    def blocks(self) -> dict[str, Stateful]:
        """All parts of the bodies that change with time, by their names in a saved world."""
        named: dict[str, Stateful] = {}
        for row, block in enumerate(self._blocks):
            named |= {f"block {row}": block, f"muscles {row}": block.muscles}
        return named

    def go_on(self, before: Shoal, fishes: np.ndarray) -> None:
        """Has these fishes (n,) be where they were in another shoal, and as they moved, though they have grown.

        A fish grows about its center of mass, and beats on.
        """
        middle = before.center_of_mass[fishes, None]
        grown = (self._metres / before._metres)[fishes, None, None]
        places, velocity = before.nodes_of(fishes), before.node_velocities_of(fishes)
        self.follow(fishes, middle + grown * (places - middle), velocity)
        for fish in fishes.tolist():
            mine, theirs = (of._blocks[of._block_of[fish]] for of in (self, before))
            to, there = (int(np.searchsorted(block.fishes, fish)) for block in (mine, theirs))
            for name in mine.muscles.STATE:
                getattr(mine.muscles, name)[..., to] = getattr(theirs.muscles, name)[..., there]

    def start_beats(self, phase: np.ndarray) -> None:
        """Sets the phase of every fish's beat in radians, (fish,), so that no two need beat in step."""
        for block in self._blocks:
            block.muscles.phase[: len(block.fishes)] = phase[block.fishes]

    def resting(self, species: int) -> np.ndarray:
        """A body at rest of the species of a row, in lengths, (23, 3)."""
        return self._rest[species] / self.species[species].body.book_length

    def beats(self, fishes: np.ndarray) -> np.ndarray:
        """Phase of the beat of some fishes (n,) in radians, (n,)."""
        phase = np.empty(len(fishes))
        for number in np.unique(self._block_of[fishes]).tolist():
            own, block = np.flatnonzero(self._block_of[fishes] == number), self._blocks[number]
            phase[own] = block.muscles.phase[np.searchsorted(block.fishes, fishes[own])]
        return phase

    def tense(self, fishes: np.ndarray, phase: np.ndarray, tension: np.ndarray) -> None:
        """Sets the muscles of some fishes as if they had long moved so.

        Args:
            fishes: Their rows, (n,).
            phase: Of their beats in radians, (n,).
            tension: Amplitude of the beat, and bends of the two turning segments, left positive, (n, 3).
        """
        which = self._block_of[fishes]
        for number in np.unique(which).tolist():
            own, block = np.flatnonzero(which == number), self._blocks[number]
            columns = np.searchsorted(block.fishes, fishes[own])
            block.muscles.tense(columns, phase[own], tension[own].T)

    def move(self, drive: Drive, water: np.ndarray, steps: int, seen: np.ndarray | None = None) -> Strokes:
        """Moves every fish on by some steps of `dt` seconds.

        Args:
            drive: Parameters of muscles and fins meanwhile.
            water: Velocity of the water at each fish in m/s, (fish, 3).
            steps: Number of steps.
            seen: Mask of the fishes whose strokes are looked at on the way, (fish,) bool; none if left out.

        Returns:
            Samples of those.
        """
        self._known.clear()
        rates, swing = (drive.frequency, drive.rate, drive.fling), (drive.amplitude, *drive.bend, drive.curl)
        own = [*rates, *swing, *drive.gamma, *drive.row, *water.T]
        np.multiply(own, self._units, out=self._targets[:, : len(self)])
        if self._ranks is not None:
            samples = self._ranks.move(steps, seen, self._ends_in(steps), self.idle)
        else:
            samples = self._move_blocks(steps, seen)
        return Strokes.of(*samples, self.nodes_of(samples[0])) if len(samples[0]) else Strokes.none()

    def _ends_in(self, steps: int) -> list[Ends]:
        """Steps at whose ends strokes are seen, block by block, in a frame of so many steps."""
        if steps not in self._ends:
            self._ends[steps] = [block.ends(steps, steps * self.dt) for block in self._blocks]
        return self._ends[steps]

    def _move_blocks(self, steps: int, seen: np.ndarray | None) -> Samples:
        """Moves every fish by another integrator than the kernel's; returns samples of those that are seen."""
        moved = [block.move(self._targets, steps, steps * self.dt, seen, self.idle) for block in self._blocks]
        none = np.zeros(0, dtype=int), np.zeros(0), np.zeros((0, NODES, 3))
        fish, share, x = (np.concatenate(part) for part in zip(none, *chain(*moved), strict=True))
        return fish, share, x * self._metres[fish, None, None]

    def _gathered(self, name: str, values: np.ndarray, scale: np.ndarray) -> np.ndarray:
        """Places or velocities of the fishes, (fish, 23, 3), times factors, (fish,)."""
        if name not in self._known:
            out = scaled(values[: len(self)], scale)
            out.flags.writeable = False
            self._known[name] = out
        return self._known[name]
