"""All bodies of a shoal, moved on by a frame in one compiled call: muscles, fins and bodies, block by block.

In a frame fishes of one block that are moved by equal steps stand side by side in ranks, one in each lane of a
register; ranks.c lines them up, and kernel.c moves rank after rank, in as many threads as is worthwhile.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...base.threads import together
from ...compiled import Kept, compiled, integer, reads, struct, writes
from ..anatomy import NODES
from .integrator import BLOCK_MULTIPLE, LEAST_FISHES, Kernel

TARGETS = 14
"""Number of values to which muscles, fins and water of a fish are set: shoal.h names the rows."""
Samples = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Bodies within a frame: rows of their fishes (m,), the share of it that had passed (m,), and nodes (m, 23, 3)."""

_NUMBER, _REAL, _POINTER = ctypes.c_int64, ctypes.c_double, ctypes.c_void_p

RANKS = compiled(
    "ranks",
    shoal=struct("Shoal"),
    ranks=struct("Rank"),
    seen=reads("u1", "fishes"),
    samples_of=writes("i8", "fishes"),
    fish=writes("i8", "room"),
    share=writes("f8", "room"),
    counts=writes("i8", 2),
    idle=reads("u1", "fishes"),
    lanes=integer(),
    steps=integer(),
    blocks=integer(),
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


class _Pace(ctypes.Structure):
    """The struct `Pace` of shoal.h: `Pace`, and the steps at whose ends strokes are seen."""

    _fields_ = [
        *((name, _POINTER) for name in ("body", "muscles", "ends")),
        *((name, _NUMBER) for name in ("parts", "hurrying", "cuts")),
    ]


class _Block(ctypes.Structure):
    """The struct `Block` of shoal.h: `Columns`."""

    _fields_ = [
        ("paces", _Pace * 2),
        *((name, _REAL) for name in ("swift_beat", "flapping")),
        *((name, _NUMBER) for name in ("columns", "fishes", "muscles")),
        *((name, _POINTER) for name in ("rows", "phase", "swing", "curl", "lengths")),
    ]


class _Rank(ctypes.Structure):
    """The struct `Rank` of shoal.h."""

    _fields_ = [
        *((name, ctypes.c_int32) for name in ("block", "swift", "count", "curling")),
        ("columns", ctypes.c_int32 * BLOCK_MULTIPLE),
    ]


class _Shoal(ctypes.Structure):
    """The struct `Shoal` of shoal.h."""

    _fields_ = [
        *((name, _POINTER) for name in ("blocks", "ranks", "next", "targets", "metres", "x", "v")),
        *((name, _POINTER) for name in ("samples_of", "samples")),
        *((name, _NUMBER) for name in ("fishes", "steps", "count")),
    ]


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
        self._kept = blocks, x, v, targets, metres
        self._ends: Sequence[tuple[np.ndarray, np.ndarray]] | None = None
        fishes, most = len(x), sum(-(-len(block.rows) // self._lanes) + 1 for block in blocks)
        self._blocks, self._ranks = (_Block * len(blocks))(*map(_block, blocks)), (_Rank * most)()
        self._next, self._counts = np.zeros(1, np.int64), np.zeros(2, np.int64)
        self._seen, self._idle = np.zeros((2, fishes), np.uint8)
        self._samples_of = np.zeros(fishes, np.int64)
        self._fish, self._share = np.zeros(0, np.int64), np.zeros(0)
        self._shoal = shoal = _Shoal(ctypes.addressof(self._blocks), ctypes.addressof(self._ranks))
        shoal.fishes, shoal.next, shoal.samples_of = fishes, self._next.ctypes.data, self._samples_of.ctypes.data
        for name, array in (("targets", targets), ("metres", metres), ("x", x), ("v", v)):
            if not (array.flags.c_contiguous and array.dtype == float):
                raise ValueError(f"{name}: found another layout, allowed float64 in C order")
            setattr(shoal, name, array.ctypes.data)

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
        shoal = self._shoal
        if ends is not self._ends:
            self._look_at(ends)
        self._seen[:] = 0
        if seen is not None:
            self._seen[: len(seen)] = seen
        self._idle[:] = 0
        if idle is not None:
            self._idle[: len(idle)] = idle
        shoal.steps = steps
        RANKS(
            shoal=ctypes.addressof(shoal),
            ranks=ctypes.addressof(self._ranks),
            seen=self._seen,
            samples_of=self._samples_of,
            fish=self._fish,
            share=self._share,
            counts=self._counts,
            idle=self._idle,
            lanes=self._lanes,
            steps=steps,
            blocks=len(self._blocks),
        )
        shoal.count, samples = self._counts.tolist()
        nodes, self._next[0] = np.empty((samples, NODES, 3)), 0
        shoal.samples = nodes.ctypes.data
        address = ctypes.addressof(shoal)
        together(lambda: self._swim(address), shoal.count * self._lanes // LEAST_FISHES)
        return self._fish[:samples].copy(), self._share[:samples].copy(), nodes

    def _look_at(self, ends: Sequence[tuple[np.ndarray, np.ndarray]]) -> None:
        """Sets the steps at whose ends strokes are seen."""
        self._ends, most = ends, 0
        for block, own in zip(self._blocks, ends, strict=True):
            most += block.columns * max(map(len, own))
            for pace, steps in zip(block.paces, own, strict=True):
                pace.ends, pace.cuts = steps.ctypes.data, len(steps)
        self._fish, self._share = np.empty(most, np.int64), np.empty(most)


def _block(columns: Columns) -> _Block:
    """The block as the kernel sees it."""
    block = _Block(swift_beat=columns.swift_beat, flapping=columns.flapping)
    block.columns, block.fishes, block.muscles = len(columns.rows), columns.fishes, len(columns.lengths)
    for pace, of in zip(block.paces, (columns.calm, columns.swift), strict=True):
        pace.body, pace.muscles = of.integrator.body.address, of.muscles.address
        pace.parts, pace.hurrying = of.parts, of.hurries
    for name in ("rows", "phase", "swing", "curl", "lengths"):
        array = getattr(columns, name)
        assert array.flags.c_contiguous and array.dtype == (np.int64 if name == "rows" else float)
        setattr(block, name, array.ctypes.data)
    return block
