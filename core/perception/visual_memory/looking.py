"""Looking around: what a fish sees, and what it expected to see and does not (Kuffner & Latombe 1999, §5).

The paper draws the scene twice for a character: V is what it sees, and V_M what it would see of its memory M, once that
has taken V in. What is in V_M and not in V has gone from where it was. Here nothing is drawn twice, for less tells the
same. All of V is in M as it is, so that the two differ by what is remembered and not seen; and of that, whatever is
still where it is remembered is hidden in V by what is nearer, which is in V or itself hidden, and so hides it in V_M as
well. There remains what is remembered elsewhere than it is. It is expected where nothing real is before the place that
it is remembered at, nor any other of those that remain.
"""

from __future__ import annotations

import numpy as np

from ...base.attitude import compose, conjugate, of_frames
from ...base.elementary import arctan2
from ...base.vectors import cross, dot, norm
from ...body.anatomy import body_frame
from ...geometry.deforming import Deforming
from ...habitat.movers import Movers
from ...habitat.plankton import PlanktonCloud
from ..swimmers import Swimmers
from ..tuning import NOSE_END_LENGTHS, PIECE_POINTS, TAIL_END_LENGTHS
from ..vision import Vision, blocks, in_field
from .memory import MOTION, NOT_TURNED, Surroundings, VisualMemory
from .pieces import Pieces, own, placed, turned

SPIN_SECONDS = 1e-3
"""Over which the turning of a body is measured."""
FIRST_POINTS = 4
"""Points of a piece that settle most cases; only of the rest all are looked at."""
LINES_AT_ONCE = 100_000
"""Lines of sight that are in memory at once."""
BRIM_METRES = 1e-6
"""Around the cell of a piece, so that no line runs between two."""
ALONG_BODY = (NOSE_END_LENGTHS, 0.5 * (NOSE_END_LENGTHS + TAIL_END_LENGTHS), TAIL_END_LENGTHS)
"""Of a fish that is remembered, the places along its axis by which it would be seen, in lengths."""


def gather(
    swimmers: Swimmers,
    node_velocities: np.ndarray,
    alive: np.ndarray,
    movers: Movers,
    plankton: PlanktonCloud,
    pieces: Pieces,
    t: float,
    period: float,
) -> Surroundings:
    """Where everything is and how it moves.

    Args:
        swimmers: All fishes.
        node_velocities: Of their nodes in m/s, (fish, 23, 3).
        alive: Which fishes are there, (fish,) bool.
        movers: What moves among the obstacles.
        plankton: The food.
        pieces: Of the obstacles.
        t: Now, in seconds of the film.
        period: Seconds that a frame lasts.
    """
    fish = np.empty((len(alive), MOTION))
    fish[:, :3], fish[:, 3:7], fish[:, 7:10] = swimmers.place, of_frames(swimmers.frames), swimmers.velocity
    _, later = body_frame(swimmers.nodes + SPIN_SECONDS * node_velocities)
    change = (later - swimmers.frames) / SPIN_SECONDS
    axes = (cross(swimmers.frames[:, :, axis], change[:, :, axis]) for axis in range(3))
    fish[:, 10:] = 0.5 * sum(axes)
    motion = np.empty((len(movers), MOTION))
    for row, solid in enumerate(movers.solids):
        motion[row] = _deformed(solid) if isinstance(solid, Deforming) else _moved(movers, row, period)
    food = np.concatenate((plankton.place, plankton.velocity(t)), axis=1)
    moving = pieces.mover[pieces.mover >= 0]
    return Surroundings(fish, motion[moving], food, alive, plankton.alive)


def _deformed(solid: Deforming) -> np.ndarray:
    """Where a solid is that deforms, and how it moves as a whole, (13,)."""
    speed = solid.velocity(solid.middle[None])[0]
    return np.concatenate((solid.middle, NOT_TURNED, speed, np.zeros(3)))


def _moved(movers: Movers, row: int, period: float) -> np.ndarray:
    """Pose of a rigid solid now, and its motion in the last frame, (13,)."""
    pose, before = movers.pose[row], movers.before[row]
    turn = compose(pose[3:], conjugate(before[3:]))
    turn = np.where(turn[0] < 0.0, -turn, turn)
    sine = norm(turn[1:])
    rate = 2.0 * float(arctan2(sine, turn[0])) / period
    return np.concatenate((pose, (pose[:3] - before[:3]) / period, rate * turn[1:] / max(float(sine), 1e-300)))


class Lookout:
    """The eyes of all fishes that remember what they see, by the present kind of vision."""

    def __init__(self, memory: VisualMemory, vision: Vision, smell: np.ndarray, movers: Movers) -> None:
        """Takes over whose eyes they are.

        Args:
            memory: That takes in what they see.
            vision: The eye of every fish.
            smell: How far each smells food in metres, (fish,): this is how it knows of it.
            movers: What moves among the obstacles.
        """
        self._memory, self._vision, self._smell, self._movers = memory, vision, smell, movers
        pieces = memory.pieces
        self._size = 2.0 * norm(pieces.half)
        self._middle = placed(pieces.home, pieces.middle)
        self._points = placed(pieces.home[:, None], pieces.points[pieces.looked])
        self._normals = turned(pieces.home[:, None], pieces.normals[pieces.looked])

    def look(self, rows: np.ndarray, t: float, now: Surroundings, swimmers: Swimmers) -> None:
        """Lets some look around, take in what they see and miss what they do not.

        Args:
            rows: Of their memories, (n,).
            t: Now, in seconds of the film.
            now: Where everything is.
            swimmers: All fishes.
        """
        memory = self._memory
        fishes = memory.fishes[rows]
        moving = memory.moving
        self._middle[moving] = placed(now.pieces[:, :7], memory.pieces.middle[moving])
        self._points[moving], self._normals[moving] = self._posed(moving, now.pieces[:, None, :7])
        everyone = np.tile(np.arange(len(now.fish)), (len(fishes), 1))
        fish, _ = self._vision.look(fishes, everyone, swimmers.nose, swimmers.ahead, swimmers.nodes, now.fish_there)
        pieces = self._pieces(fishes, swimmers)
        food = now.food_there & self._smelled(fishes, swimmers, now.food[None, :, :3])
        memory.observe(rows, t, now, fish, pieces, food)
        self._expect(rows, now, swimmers, fish, pieces, food)

    def _posed(self, piece: np.ndarray, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Points by which pieces (k,) are seen at poses (k, 1, 7), in metres, and their normals, (k, s, 3) both."""
        pieces = self._memory.pieces
        looked = pieces.looked[piece]
        return placed(pose, pieces.points[looked]), turned(pose, pieces.normals[looked])

    def _reach(self, fishes: np.ndarray, size: np.ndarray) -> np.ndarray:
        """Metres at which fishes see what is so large, as they see another fish of that length (§6.3.2)."""
        return self._vision.sight[fishes] * size / self._vision.length[fishes]

    def _smelled(self, fishes: np.ndarray, swimmers: Swimmers, places: np.ndarray) -> np.ndarray:
        """Whether n fishes smell what is at places (n or 1, k, 3), (n, k)."""
        return norm(places - swimmers.nose[fishes][:, None]) <= self._smell[fishes][:, None]

    def _pieces(self, fishes: np.ndarray, swimmers: Swimmers) -> np.ndarray:
        """Which pieces each of n fishes sees, (n, p)."""
        seen = np.zeros((len(fishes), len(self._middle)), dtype=bool)
        if not seen.size:
            return seen
        away = norm(self._middle - swimmers.nose[fishes][:, None]) - 0.5 * self._size
        row, piece = np.nonzero(away <= self._reach(fishes[:, None], self._size))
        for first in range(0, len(row), LINES_AT_ONCE // PIECE_POINTS):
            i, p = (of[first : first + LINES_AT_ONCE // PIECE_POINTS] for of in (row, piece))
            found = np.zeros(len(i), dtype=bool)
            for points in (slice(0, None, FIRST_POINTS), slice(None)):
                rest = np.flatnonzero(~found)
                me, it = fishes[i[rest]], p[rest]
                ends = self._points[it, points], self._normals[it, points]
                found[rest] = self._clear(me, it, *ends, swimmers)[0].any(axis=1)
            seen[i, p] = found
        return seen

    def _clear(
        self, fishes: np.ndarray, piece: np.ndarray, points: np.ndarray, normals: np.ndarray, swimmers: Swimmers
    ) -> tuple[np.ndarray, np.ndarray]:
        """Which points of its piece each of k fishes would see, (k, s), and where they are looked at, (k, s, 3).

        Args:
            fishes: (k,).
            piece: (k,).
            points: Of the surface of each in metres, (k, s, 3).
            normals: Outwards from there, (k, s, 3).
            swimmers: All fishes.
        """
        eye, pieces = swimmers.nose[fishes], self._memory.pieces
        facing = dot(normals, eye[:, None] - points)
        side = np.where(pieces.sheet[piece][:, None] & (facing < 0.0), -1.0, 1.0)
        afloat = points + (side * pieces.lift[piece][:, None])[..., None] * normals
        clear = side * facing > 0.0
        reach = self._reach(fishes, self._size[piece])
        return clear & self._sight(eye, swimmers.ahead[fishes], afloat, reach, clear), afloat

    def _sight(
        self, eye: np.ndarray, ahead: np.ndarray, ends: np.ndarray, reach: np.ndarray, among: np.ndarray
    ) -> np.ndarray:
        """Which places (k, s, 3), of those that count (k, s), k eyes have in reach (k,), in view and free, (k, s)."""
        ray = ends - eye[:, None]
        away = norm(ray)
        free = among & (away <= reach[:, None]) & in_field(ray, away, ahead[:, None])
        row, point = np.nonzero(free)
        if len(self._vision.obstacles):
            free[row, point] = ~blocks(eye[row], ends[row, point], self._vision.obstacles)
        return free

    def _expect(
        self,
        rows: np.ndarray,
        now: Surroundings,
        swimmers: Swimmers,
        fish: np.ndarray,
        pieces: np.ndarray,
        food: np.ndarray,
    ) -> None:
        """Forgets what is in V_M and not in V, which is `fish`, `pieces` and `food`, see `VisualMemory.observe`."""
        memory = self._memory
        fishes, moving = memory.fishes[rows], memory.moving
        away = (memory.piece_motion[rows, :, :7] != now.pieces[:, :7]).any(axis=2)
        stale = ~np.isnan(memory.piece_time[np.ix_(rows, moving)]) & ~pieces[:, moving] & away
        gone = np.zeros(stale.shape, dtype=bool)
        i, p = np.nonzero(stale)
        if len(i):
            posed = self._posed(moving[p], memory.piece_motion[rows[i], p, None, :7])
            clear, ends = self._clear(fishes[i], moving[p], *posed, swimmers)
            gone[i, p] = self._uncovered(i, p, swimmers.nose[fishes[i]], ends, clear, stale, rows, now).any(axis=1)
        elsewhere = ~now.fish_there | (memory.fish_motion[rows] != now.fish).any(axis=2)
        lost = ~np.isnan(memory.fish_time[rows]) & ~fish & elsewhere
        j, other = np.nonzero(lost)
        if len(j):
            me, body, length = fishes[j], memory.fish_motion[rows[j], other], self._vision.length[other]
            ends = placed(body[:, None, :7], length[:, None, None] * np.array(ALONG_BODY)[:, None] * (1.0, 0.0, 0.0))
            eye, everywhere = swimmers.nose[me], np.ones(ends.shape[:2], dtype=bool)
            clear = self._sight(eye, swimmers.ahead[me], ends, self._reach(me, length), everywhere)
            lost[j, other] = self._uncovered(j, None, eye, ends, clear, stale, rows, now).any(axis=1)
        eaten = ~np.isnan(memory.food_time[rows]) & ~food
        eaten &= self._smelled(fishes, swimmers, memory.food_motion[rows, :, :3])
        memory.miss(rows, lost, gone, eaten)

    def _uncovered(
        self,
        row: np.ndarray,
        piece: np.ndarray | None,
        eye: np.ndarray,
        ends: np.ndarray,
        clear: np.ndarray,
        stale: np.ndarray,
        rows: np.ndarray,
        now: Surroundings,
    ) -> np.ndarray:
        """Which places are hidden by nothing that is remembered elsewhere than it is, either.

        Args:
            row: Who looks, among `rows`, (k,).
            piece: What is expected there, among the pieces that move; None where that is no piece, (k,).
            eye: Metres, (k, 3).
            ends: Places in metres, (k, s, 3).
            clear: Which of them nothing real hides, (k, s).
            stale: Which pieces each remembers elsewhere than they are, (n, moving piece).
            rows: Of the memories of those who look around, (n,).
            now: Where everything is.
        """
        memory, clear = self._memory, clear.copy()
        pieces = memory.pieces
        for one in np.flatnonzero(stale.any(axis=0)).tolist():
            others = stale[row, one] if piece is None else stale[row, one] & (piece != one)
            k, s = np.nonzero(clear & others[:, None])
            if not len(k):
                continue
            which, pose = memory.moving[one], memory.piece_motion[rows[row[k]], one, :7]
            start, end = own(pose, eye[k]), own(pose, ends[k, s])
            start, end, meets = _clipped(start, end, *pieces.cell[which])
            here = now.pieces[one, None, :7]
            solid = self._movers.solids[pieces.mover[which]]
            meets[meets] = solid.blocks(placed(here, start[meets]), placed(here, end[meets]))
            clear[k[meets], s[meets]] = False
        return clear


def _clipped(
    start: np.ndarray, end: np.ndarray, middle: np.ndarray, half: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The parts of lines (k, 3) to (k, 3) within a box, and which have any, (k,)."""
    way = end - start
    steep = np.where(np.abs(way) < 1e-12, 1e-12, way)
    low, high = middle - half - BRIM_METRES, middle + half + BRIM_METRES
    one, other = (low - start) / steep, (high - start) / steep
    enter = np.maximum(np.minimum(one, other).max(axis=1), 0.0)[:, None]
    leave = np.minimum(np.maximum(one, other).min(axis=1), 1.0)[:, None]
    return start + enter * way, start + leave * way, (enter < leave)[:, 0]
