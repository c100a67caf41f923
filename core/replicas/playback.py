"""Playback: replicas moved by captured cycles, all in array operations (Yu & Terzopoulos 1999, §5, app. A and B).

A fish is on its carrier, which moves on by the motion of the command (eq. 10 and 11); the cycles say how its own frame
sways about the carrier, and its nodes lie in that frame (eq. 12), scaled by alpha, its length. It shows a mixture of
four poses, the corners, such as two paces and two turns between which it swims.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.attitude import compose, conjugate, matrices, normalised, of_frames
from ..base.elementary import arcsin, arctan2, exp, sin_and_cos, smooth_step
from ..base.state import Stateful, state
from ..base.vectors import norm, wrap
from ..body.anatomy import LOWER_TIP_NODE, NODES, body_frame
from ..compiled import changes, compiled, reads, real, takes, writes
from .repertoire import POSES
from .tables import CORNERS, PADDED, REPLICAS_A_THREAD, SegmentTables
from .tuning import LEAST_WARP_SECONDS, MOST_ROLL, ROLLING_SECONDS, WARP_SPEED

HEADING, SLOPE, ROLL, PLACE = 0, 1, 2, slice(3, 6)
"""Columns of a carrier."""

REPLAY = compiled(
    "replay",
    over="n",
    least=REPLICAS_A_THREAD,
    poses=reads("f4", "rows", "count", 3, 24),
    sways=reads("f8", "rows", "count", 7),
    corners=takes("i8", "n", 4),
    shares=takes("f8", "n", 4),
    moments=takes("f8", "n"),
    once=takes("i8", "n"),
    motions=takes("f8", "n", 4),
    lengths=takes("f8", "n"),
    offsets=takes("f4", "n", 3, 24),
    fading=takes("f8", "n"),
    shown=takes("?", "n"),
    before=takes("f8", "n", 6),
    carriers=writes("f8", "n", 6),
    origins=writes("f8", "n", 3),
    frames=writes("f8", "n", 3, 3),
    nodes=changes("f8", "n", 23, 3),
    seconds=real(),
)


@dataclass(frozen=True, eq=False)
class Mixture:
    """The mixtures of poses that some fishes, (n,), show.

    Attributes:
        corners: Rows of the tables, (n, 4) int64.
        shares: Share of each, (n, 4), 1 together.
        moments: Progress through the cycle in poses, (n,), 0 to below `POSES`.
        once: 1 where the cycle happens once, 0 elsewhere, (n,) int64.
    """

    corners: np.ndarray
    shares: np.ndarray
    moments: np.ndarray
    once: np.ndarray

    def put(self, rows: np.ndarray | slice, some: Mixture) -> None:
        """Takes over the mixtures of the fishes of these rows, (n,)."""
        self.corners[rows], self.shares[rows] = some.corners, some.shares
        self.moments[rows], self.once[rows] = some.moments, some.once

    def of(self, rows: np.ndarray) -> Mixture:
        """Mixtures of the fishes of these rows, (n,)."""
        return Mixture(self.corners[rows], self.shares[rows], self.moments[rows], self.once[rows])


class Playback(Stateful):
    """Places and shapes of replicas.

    Attributes:
        length: Body length of each in metres, (fish,).
        carriers: Heading, slope and roll in radians and place in metres, (fish, 6). The heading is not wrapped.
        offsets: Remaining difference of the shape shown from the mixture, in body lengths, (fish, 3, 24) float32.
        fading: The share of the time of a transition that is left, (fish,).
        fade: The share that passes in a second, (fish,).
        origins: Origins of their own frames in metres, (fish, 3).
        frames: Columns ahead, left and up, (fish, 3, 3).
        nodes: Nodes in metres, (fish, 23, 3); of those that were not shown, as they were.
    """

    carriers: np.ndarray = state("f8", "fish", 6)
    offsets: np.ndarray = state("f4", "fish", 3, PADDED, unit="lengths")
    fading: np.ndarray = state("f8", "fish")
    fade: np.ndarray = state("f8", "fish", unit="1/s")
    origins: np.ndarray = state("f8", "fish", 3, unit="m")
    frames: np.ndarray = state("f8", "fish", 3, 3)
    nodes: np.ndarray = state("f8", "fish", NODES, 3, unit="m")

    def __init__(self, tables: SegmentTables, length: np.ndarray):
        """Begins with all fishes at the origin, heading along x."""
        self.tables, self.length = tables, np.ascontiguousarray(length, dtype=float)
        self._fill(fish=len(length))
        self.frames[:] = np.eye(3)

    def __len__(self) -> int:
        return len(self.length)

    def put(self, rows: np.ndarray, place: np.ndarray, frames: np.ndarray, mixture: Mixture) -> None:
        """Puts fishes somewhere, with the shape of their mixture.

        Args:
            rows: Their rows, (n,).
            place: Places of the origins of their own frames in metres, (n, 3).
            frames: Columns ahead, left and up, (n, 3, 3).
            mixture: Their mixtures.
        """
        self.origins[rows], self.frames[rows] = place, frames
        self.fading[rows] = 0.0
        self._carry(rows, mixture)

    def displace(self, rows: np.ndarray, origins: np.ndarray, turn: np.ndarray) -> None:
        """Turns the carriers of fishes (n,) by so many radians (n,), and puts own frames at these origins (n, 3)."""
        sine, cosine = sin_and_cos(turn)
        x, y, z = (self.carriers[rows, PLACE] - self.origins[rows]).T
        self.carriers[rows, HEADING] += turn
        self.carriers[rows, PLACE] = origins + np.stack((cosine * x - sine * y, sine * x + cosine * y, z), axis=-1)

    def show(self, rows: np.ndarray, mixture: Mixture) -> None:
        """Puts own frames and nodes of fishes (n,) where their carriers and mixtures have them."""
        still = np.zeros((len(rows), 4))
        shown = self._shown(rows, mixture, still, self.fading[rows], 0.0)
        self.origins[rows], self.frames[rows], self.nodes[rows] = shown

    def join(self, rows: np.ndarray, shown: Mixture, mixture: Mixture, seconds: float) -> None:
        """Passes from one mixture to another without a jump (app. A).

        The nodes do not jump because their difference fades, in as many frames as it takes node 22 to cover its way
        at a natural speed; the own frame does not because the carrier takes up the difference.

        Args:
            rows: Rows of the fishes, (n,).
            shown: The mixtures that they show now.
            mixture: The mixtures that they show from now on.
            seconds: Length of a frame in seconds.
        """
        self.warp(rows, self._pose(rows, shown) - self._pose(rows, mixture, faded=True), seconds)
        self._carry(rows, mixture)

    def warp(self, rows: np.ndarray, offsets: np.ndarray, seconds: float) -> None:
        """Makes shapes differ from the mixture by these offsets, (n, 3, 24), which fade (app. A, steps 1 to 4).

        They fade gently at both ends, where the paper's do evenly, and never in an instant: no node jerks.
        """
        way = norm(offsets[:, :, LOWER_TIP_NODE].astype(float))
        frames = np.ceil(np.maximum(way / WARP_SPEED, LEAST_WARP_SECONDS) / seconds)
        self.offsets[rows] = offsets
        self.fading[rows], self.fade[rows] = 1.0, 1.0 / (frames * seconds)

    def adopt(self, rows: np.ndarray, nodes: np.ndarray, mixture: Mixture, seconds: float) -> None:
        """Takes over fishes of any shape, such as dynamic ones: place, heading and shape are kept, and fade.

        Args:
            rows: Their rows, (n,).
            nodes: Their nodes in metres, (n, 23, 3).
            mixture: The mixtures that they show from now on.
            seconds: Length of a frame in seconds.
        """
        self.origins[rows], self.frames[rows] = body_frame(nodes)
        self.nodes[rows] = nodes
        arms = nodes - self.origins[rows][:, None]
        turned = self.frames[rows] / self.length[rows, None, None]
        shape = np.zeros((len(rows), 3, PADDED), np.float32)
        for axis in range(3):
            column = turned[:, :, axis]
            shape[:, axis, :NODES] = (
                arms[..., 0] * column[:, :1] + arms[..., 1] * column[:, 1:2] + arms[..., 2] * column[:, 2:]
            )
        self.warp(rows, shape - self._pose(rows, mixture, faded=True), seconds)
        self._carry(rows, mixture)

    def advance(self, mixture: Mixture, motion: np.ndarray, seconds: float, shown: np.ndarray) -> None:
        """Moves all fishes on.

        Args:
            mixture: The mixtures that they show then.
            motion: Motion of their carriers: ahead, left and up in lengths/s, and turn in rad/s, (fish, 4).
            seconds: Time that passes.
            shown: Mask of the fishes whose nodes are wanted, (fish,) bool; of others only frames are kept up (§5.3).
        """
        roll = self.carriers[:, ROLL]
        roll -= np.clip(roll, -MOST_ROLL, MOST_ROLL) * (1.0 - exp(-seconds / ROLLING_SECONDS))  # app. B, slowly
        self.fading[:] = np.maximum(self.fading - self.fade * seconds, 0.0)
        self._replay(
            mixture,
            motion,
            seconds,
            lengths=self.length,
            offsets=self.offsets,
            fading=smooth_step(self.fading),
            shown=shown,
            before=self.carriers.copy(),
            carriers=self.carriers,
            origins=self.origins,
            frames=self.frames,
            nodes=self.nodes,
        )

    def before(
        self, rows: np.ndarray, mixture: Mixture, motion: np.ndarray, rate: np.ndarray, ago: float
    ) -> np.ndarray:
        """Places of the nodes of some fishes a little earlier, in metres, (n, 23, 3).

        Args:
            rows: Their rows, (n,).
            mixture: The mixtures that they show now.
            motion: Motion of their carriers, (n, 4), as in `advance`.
            rate: Poses a second, (n,).
            ago: Seconds before now.
        """
        moments = mixture.moments - rate * ago
        moments = np.where(mixture.once != 0, np.maximum(moments, 0.0), moments % POSES)
        then = Mixture(mixture.corners, mixture.shares, moments, mixture.once)
        fading = np.minimum(self.fading[rows] + self.fade[rows] * ago, 1.0)
        return self._shown(rows, then, motion, fading, -ago)[2]

    def _replay(self, mixture: Mixture, motion: np.ndarray, seconds: float, **fishes: np.ndarray) -> None:
        """Carries some fishes on by a motion and poses them by a mixture; of `REPLAY` the rest of what it takes."""
        REPLAY(
            poses=self.tables.poses,
            sways=self.tables.sway,
            corners=mixture.corners,
            shares=mixture.shares,
            moments=mixture.moments,
            once=mixture.once,
            motions=motion,
            seconds=seconds,
            **fishes,
        )

    def _shown(
        self, rows: np.ndarray, mixture: Mixture, motion: np.ndarray, fading: np.ndarray, seconds: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Origins (n, 3), frames (n, 3, 3) and nodes (n, 23, 3) of some fishes, whose carriers stay as they are.

        Args:
            rows: Their rows, (n,).
            mixture: The mixtures that they show then.
            motion: Motion of their carriers, (n, 4), as in `advance`.
            fading: The share of the time of a transition that is left then, (n,).
            seconds: Time from now on until then.
        """
        count = len(rows)
        found = np.empty((count, 3)), np.empty((count, 3, 3)), np.empty((count, NODES, 3))
        self._replay(
            mixture,
            motion,
            seconds,
            lengths=self.length[rows],
            offsets=self.offsets[rows],
            fading=smooth_step(fading),
            shown=np.ones(count, dtype=bool),
            before=self.carriers[rows],
            carriers=np.empty((count, 6)),
            origins=found[0],
            frames=found[1],
            nodes=found[2],
        )
        return found

    def _swayed(self, mixture: Mixture) -> np.ndarray:
        """Attitude, not yet of length 1, and place of own frames in their carriers, (n, 7)."""
        return self.mixed(self.tables.sway, mixture)

    @staticmethod
    def mixed(table: np.ndarray, mixture: Mixture) -> np.ndarray:
        """Values of a table of rows and poses, (k, poses, m), for mixtures, (n, m)."""
        now, later, share = _between(mixture)
        found = np.zeros((len(now), table.shape[2]))
        for corner in range(CORNERS):
            row, own = mixture.corners[:, corner], mixture.shares[:, corner]
            found += (own * (1.0 - share))[:, None] * table[row, now]
            found += (own * share)[:, None] * table[row, later]
        return found

    def _pose(self, rows: np.ndarray, mixture: Mixture, faded: bool = False) -> np.ndarray:
        """Shapes of fishes of these rows (n,) in their own frames, (n, 3, 24) float32; `faded` leaves no offset."""
        now, later, share = _between(mixture)
        poses, found = self.tables.poses, np.zeros((len(rows), 3, PADDED), np.float32)
        for corner in range(CORNERS):
            row, own = mixture.corners[:, corner], mixture.shares[:, corner]
            found += (own * (1.0 - share)).astype(np.float32)[:, None, None] * poses[row, now]
            found += (own * share).astype(np.float32)[:, None, None] * poses[row, later]
        if not faded:
            found += smooth_step(self.fading[rows]).astype(np.float32)[:, None, None] * self.offsets[rows]
        return found

    def _arms(self, rows: np.ndarray, level: np.ndarray, sway: np.ndarray) -> np.ndarray:
        """Vectors from the places of carriers turned so, (n, 4), to the origins of own frames, (n, 3), in metres."""
        axes, (x, y, z) = matrices(level), (sway[:, 4 + axis, None] for axis in range(3))
        return self.length[rows, None] * ((axes[:, :, 0] * x + axes[:, :, 1] * y) + axes[:, :, 2] * z)

    def _carry(self, rows: np.ndarray, mixture: Mixture) -> None:
        """Puts the carriers of some fishes (n,) where, with this mixture, their own frames stay where they are."""
        sway = self._swayed(mixture)
        level = compose(of_frames(self.frames[rows]), conjugate(normalised(sway[:, :4])))
        axes, before = matrices(level), self.carriers[rows, HEADING]
        heading = arctan2(axes[:, 1, 0], axes[:, 0, 0])
        self.carriers[rows, HEADING] = before + wrap(heading - before)
        self.carriers[rows, SLOPE] = arcsin(np.clip(axes[:, 2, 0], -1.0, 1.0))
        self.carriers[rows, ROLL] = arctan2(axes[:, 2, 1], axes[:, 2, 2])
        self.carriers[rows, PLACE] = self.origins[rows] - self._arms(rows, level, sway)


def _between(mixture: Mixture) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The pose before a moment and the one after it, and its share of the way between them, (n,) each."""
    whole = np.floor(mixture.moments)
    now = whole.astype(np.int64)
    end = np.where(mixture.once != 0, POSES - 1, 0)
    return now, np.where(now + 1 >= POSES, end, now + 1), mixture.moments - whole
