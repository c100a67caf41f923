"""The repertoires of several species as tables that playback looks things up in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.elementary import arctan2
from ..base.sums import total
from ..body.anatomy import NODES
from ..compiled import compiled, reads, takes, writes
from .repertoire import GAITS, POSES, RESPONSES, Repertoire
from .tuning import BURST_PACE

SWIM, GLIDE, BRAKE, RETREAT, START = range(len(GAITS))
PADDED = 24
"""Nodes in a row of a table, the last of which is empty, so that a row fills registers."""
LEFT_SIDE, RIGHT_SIDE = 0, 1
CORNERS = 4
"""Poses from which one is mixed."""
REPLICAS_A_THREAD = 500
"""Fewest replicas that are worth a thread of their own."""

MIX = compiled(
    "mix",
    over="n",
    least=REPLICAS_A_THREAD,
    kinds=takes("i8", "n"),
    pace=takes("f8", "n"),
    turn=takes("f8", "n"),
    pace_knots=reads("f8", "paces"),
    turn_knots=reads("f8", "turns"),
    grid=reads("i8", "species", "paces", "turns"),
    motions=reads("f8", "rows", 4),
    corners=writes("i8", "n", 4),
    shares=writes("f8", "n", 4),
    mixed=writes("f8", "n", 4),
)


class SegmentTables:
    """All segments of some species, and of each the mirror image; k rows.

    Attributes:
        poses: Nodes in the fish's own frame in body lengths, (k, poses, 3, 24) float32.
        sway: Attitude and place of that frame in the carrier, (k, poses, 7).
        tension: Tension of the muscles, (k, poses, 3).
        motion: Motion of the carrier: ahead in lengths/s, angle of the nose to its left in rad, turn in rad/s, and
            cycles a second, (k, 4). There is none upwards: as the motor center trims the path, so the secondary
            controller keeps it.
        drift: Drift of the carrier to the left in lengths/s, which only a C-start has, (k,).
        seconds: Duration of a cycle, (k,).
        paces: Paces at which swimming was captured, (p,).
        turns: Remainders of turns at which it was captured in rad, to the right and to the left, rising, (t,).
        grid: The row of swimming at each pace and turn, (species, p, t).
        gaits: The row of each gait, that of the left and of the right, (species, 5, 2).
        responses: Responses of each species, by their names in `RESPONSES`, (species,).
    """

    def __init__(self, repertoires: Sequence[Repertoire]):
        """Puts repertoires together, one per species."""
        both = [side for one in repertoires for side in (one, one.mirrored())]
        first = np.cumsum([0, *(len(side) for side in both)])
        nodes = np.concatenate([side.nodes for side in both])
        self.poses = np.zeros((len(nodes), POSES, 3, PADDED), np.float32)
        self.poses[..., :NODES] = nodes.swapaxes(2, 3)
        self.sway = np.concatenate([np.concatenate([side.attitude, side.place], axis=2) for side in both])
        self.tension = np.concatenate([side.tension for side in both])
        self.seconds = np.concatenate([side.seconds for side in both])
        velocity, yaw = (np.concatenate([getattr(side, name) for side in both]) for name in ("velocity", "yaw"))
        self.drift = velocity[:, 1]
        w, _, _, z = total(self.sway[:, :, :4], axis=1).T
        self.motion = np.column_stack([velocity[:, 0], 2.0 * arctan2(z, w), yaw, 1.0 / self.seconds])
        swims = [(side.gait == SWIM) & (side.climb == 0.0) for side in both]
        self.paces = np.unique(np.concatenate([side.pace[own] for side, own in zip(both, swims, strict=True)]))
        self.turns = np.unique(np.concatenate([side.turn[own] for side, own in zip(both, swims, strict=True)]))
        shape = len(repertoires), len(self.paces), len(self.turns)
        self.grid, self.gaits = np.zeros(shape, np.int64), np.zeros((len(repertoires), len(GAITS), 2), np.int64)
        for kind in range(len(repertoires)):
            for side in (LEFT_SIDE, RIGHT_SIDE):
                row = 2 * kind + side
                own, begin = np.flatnonzero(swims[row]), int(first[row])
                columns = np.flatnonzero(self.turns >= 0.0 if side == LEFT_SIDE else self.turns < 0.0)
                for p, t in np.ndindex(len(self.paces), len(columns)):
                    far = np.abs(both[row].pace[own] - self.paces[p]) + np.abs(
                        both[row].turn[own] - self.turns[columns[t]]
                    )
                    self.grid[kind, p, columns[t]] = begin + own[np.argmin(far)]
                for gait in range(len(GAITS)):
                    rows = np.flatnonzero((both[row].gait == gait) & (both[row].climb == 0.0))
                    self.gaits[kind, gait, side] = begin + rows[0] if len(rows) else self.grid[kind, 0, 0]
        self.responses = {name: np.array([one.response(name) for one in repertoires]) for name in RESPONSES}

    def mixed(self, kind: np.ndarray, pace: np.ndarray, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Mixtures for fishes that swim at paces and turns between those of the grid.

        Args:
            kind: Row of each fish's species, (fish,) int64.
            pace: Paces, (fish,).
            turn: Turns, (fish,).

        Returns:
            The four corners between which they are, (fish, 4) int64, the share of each, and the motion of them
            together, (fish, 4) both.
        """
        fishes = len(kind)
        corners, shares = np.empty((fishes, CORNERS), dtype=np.int64), np.empty((fishes, CORNERS))
        motion = np.empty((fishes, CORNERS))
        MIX(
            kinds=kind,
            pace=pace,
            turn=turn,
            pace_knots=self.paces,
            turn_knots=self.turns,
            grid=self.grid,
            motions=self.motion,
            corners=corners,
            shares=shares,
            mixed=motion,
        )
        return corners, shares, motion

    @property
    def fastest(self) -> float:
        """The pace of a full burst, or full speed where no species bursts."""
        return min(float(self.paces[-1]), BURST_PACE)
