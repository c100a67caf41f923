"""All bodies of a shoal, moved on by a frame in one compiled call: muscles, fins and bodies, block by block.

In a frame fishes of one block that are moved by equal steps stand side by side in ranks, one in each lane of a
register; ranks.c lines them up, and kernel.c moves rank after rank, in as many threads as is worthwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...base.threads import together
from ...compiled import Kept, compiled, integer, keep, part, reads, writes
from ..anatomy import NODES
from .integrator import BLOCK_MULTIPLE, LEAST_FISHES, Kernel
from .tables import BLOCK, FRAME, MOVED_BY, SHOAL

TARGETS = 14
"""Number of values to which muscles, fins and water of a fish are set: shoal.h names the rows."""
RANK = 4 + BLOCK_MULTIPLE
"""Whole numbers of a rank: the struct `Rank` of shoal.h."""
Samples = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Bodies within a frame: rows of their fishes (m,), the share of it that had passed (m,), and nodes (m, 23, 3)."""

RANKS = compiled(
    "ranks",
    shoal=part(SHOAL),
    blocks=reads("i8", "many"),
    ranks=writes("i4", "places", 20),
    seen=reads("u1", "fishes"),
    fish=writes("i8", "room"),
    share=writes("f8", "room"),
    counts=writes("i8", 2),
    idle=reads("u1", "fishes"),
    lanes=integer(),
    steps=integer(),
)


@dataclass(frozen=True, eq=False)
class Pace:
    """Means by which some fishes of a block are moved.

    Attributes:
        integrator: Integrator that moves their bodies by a step.
        muscles: Data of their muscles for muscles.h.
        hurries: True if a muscle can be too slow for what it is set to.
        parts: Number of their steps in one of the world.
    """

    integrator: Kernel
    muscles: Kept
    hurries: bool
    parts: int


@dataclass(frozen=True, eq=False)
class Columns:
    """A block of fishes of one species; all arrays are kept, and filled anew by every frame.

    Attributes:
        calm: Means by which they are moved.
        swift: Means for those that beat faster than `swift_beat`, or start.
        swift_beat: Beats a book unit of time.
        flapping: Lift of their fins' flapping, in the book's units.
        fishes: Number of columns that are fishes; the others fill up, and go along where any fish is calm.
        rows: Row of each in the arrays of the shoal, (block,) int64.
        phase: Phase of their beats, (block,).
        swing: Amplitude of the beat and bends, (3, block).
        curl: Curl of their C-starts, (block,).
        lengths: Rest lengths of their muscles, (muscles, block).
    """

    calm: Pace
    swift: Pace
    swift_beat: float
    flapping: float
    fishes: int
    rows: np.ndarray
    phase: np.ndarray
    swing: np.ndarray
    curl: np.ndarray
    lengths: np.ndarray


class Ranks:
    """Moves all blocks of a shoal."""

    def __init__(
        self,
        build: tuple[Callable[[int], None], int],
        blocks: Sequence[Columns],
        x: np.ndarray,
        v: np.ndarray,
        targets: np.ndarray,
        metres: np.ndarray,
    ):
        """Lays a shoal out for the kernel; the arrays are kept.

        Args:
            build: The function of the library, and the number of fishes that a register of it holds.
            blocks: Those of the shoal.
            x: Places in the book's units, (fish, 23, 3).
            v: Velocities, likewise.
            targets: Values to which muscles, fins and water are set, (14, fish).
            metres: Metres in one book unit of length, (fish,).
        """
        self._swim, self._lanes = build
        self._columns, fishes = blocks, len(x)
        self._ends: Sequence[tuple[np.ndarray, np.ndarray]] | None = None
        self._blocks: list[Kept] = []
        self._places = np.zeros(0, np.int64)
        most = sum(-(-len(block.rows) // self._lanes) + 1 for block in blocks)
        self._ranks = np.zeros((most, RANK), np.int32)
        self._next, self._counts = np.zeros(1, np.int64), np.zeros(2, np.int64)
        self._seen, self._idle = np.zeros((2, fishes), np.uint8)
        self._fish, self._share = np.zeros(0, np.int64), np.zeros(0)
        self._shoal = keep(SHOAL, targets=targets, metres=metres, x=x, v=v, samples_of=np.zeros(fishes, np.int64))

    def move(
        self,
        steps: int,
        seen: np.ndarray | None,
        ends: Sequence[tuple[np.ndarray, np.ndarray]],
        idle: np.ndarray | None = None,
    ) -> Samples:
        """Moves all fishes on by some steps of the world, in place.

        Args:
            steps: Number of steps.
            seen: Mask of the first fishes whose strokes are looked at on the way, (n,) bool; none if left out.
            ends: Of each block, the steps of a calm and of a swift fish at whose ends they are, ascending, (k,) int64.
            idle: Mask of the first fishes that stay as they are, (n,) bool; none if left out.

        Returns:
            Samples of those, block by block.
        """
        if ends is not self._ends:
            self._look_at(ends)
        self._seen[:] = 0
        if seen is not None:
            self._seen[: len(seen)] = seen
        self._idle[:] = 0
        if idle is not None:
            self._idle[: len(idle)] = idle
        RANKS(
            shoal=self._shoal,
            blocks=self._places,
            ranks=self._ranks,
            seen=self._seen,
            fish=self._fish,
            share=self._share,
            counts=self._counts,
            idle=self._idle,
            lanes=self._lanes,
            steps=steps,
        )
        count, samples = self._counts.tolist()
        nodes, self._next[0] = np.empty((samples, NODES, 3)), 0
        frame = keep(
            FRAME,
            shoal=self._shoal,
            blocks=self._places,
            ranks=self._ranks,
            samples=nodes,
            next=self._next,
            steps=steps,
            count=count,
        )
        together(lambda: self._swim(frame.address), count * self._lanes // LEAST_FISHES)
        return self._fish[:samples].copy(), self._share[:samples].copy(), nodes

    def _look_at(self, ends: Sequence[tuple[np.ndarray, np.ndarray]]) -> None:
        """Sets the steps at whose ends strokes are seen."""
        self._ends, self._blocks = ends, [_block(*each) for each in zip(self._columns, ends, strict=True)]
        self._places = np.array([block.address for block in self._blocks], np.int64)
        most = sum(len(of.rows) * max(map(len, own)) for of, own in zip(self._columns, ends, strict=True))
        self._fish, self._share = np.empty(most, np.int64), np.empty(most)


def _block(columns: Columns, ends: tuple[np.ndarray, np.ndarray]) -> Kept:
    """The block as the kernel sees it."""
    calm, swift = (
        keep(
            MOVED_BY,
            body=of.integrator.body,
            muscles=of.muscles.address,
            ends=own,
            parts=of.parts,
            hurrying=of.hurries,
        )
        for of, own in zip((columns.calm, columns.swift), ends, strict=True)
    )
    return keep(
        BLOCK,
        calm=calm,
        swift=swift,
        swift_beat=columns.swift_beat,
        flapping=columns.flapping,
        fishes=columns.fishes,
        rows=columns.rows,
        phase=columns.phase,
        swing=columns.swing,
        curl=columns.curl,
        lengths=columns.lengths,
    )
