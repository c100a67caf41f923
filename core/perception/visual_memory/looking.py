"""Looking around: what a fish sees, and what it expected to see and does not (Kuffner & Latombe 1999, §5).

The paper draws the scene twice for a character: V is what it sees, and V_M what it would see of its memory M, once that
has taken V in. An object in V_M and not in V has gone from its place. Here nothing is drawn twice, for less tells the
same. All of V is in M as it is, so that the two differ by what is remembered and not seen; and of that, whatever is
still where it is remembered is hidden in V by what is nearer, which is in V or itself hidden, and so hides it in V_M as
well. There remains what is remembered elsewhere than it is. It is expected where nothing real is before the place that
it is remembered at, nor any other of those that remain.
"""

from __future__ import annotations

import numpy as np

from ...base.attitude import NOT_TURNED, compose, conjugate, of_frames
from ...base.elementary import arctan2
from ...base.vectors import cross, dot, norm
from ...body.anatomy import body_frame
from ...geometry.deforming import Deforming
from ...habitat.movers import Movers
from ...habitat.plankton import PlanktonCloud
from ..swimmers import Swimmers
from ..tuning import GIRTH_LENGTHS, NOSE_END_LENGTHS, PIECE_POINTS, TAIL_END_LENGTHS
from ..vision import Vision, blocks, in_field
from .memory import MOTION, VisibleObjects, VisualMemory
from .pictures import CyclopeanImages
from .pieces import ObstaclePieces, own, placed, turned

SPIN_SECONDS = 1e-3
"""Over which the turning of a body is measured."""
LOOK_ROUNDS = slice(0, None, 16), slice(0, None, 4)
"""Points of a piece that settle most cases, and those by which the rest are looked at."""
LINES_AT_ONCE = 100_000
"""Lines of sight that are in memory at once."""
AROUND_SHARE = 0.25
"""Share of the size of a piece within which a pixel's ray meets it near one of its points."""
BRIM_METRES = 1e-6
"""Around the cell of a piece, so that no line runs between two."""
ALONG_BODY = (NOSE_END_LENGTHS, 0.5 * (NOSE_END_LENGTHS + TAIL_END_LENGTHS), TAIL_END_LENGTHS)
"""Places along the axis of a remembered fish by which it would be seen, in lengths."""


def gather(
    swimmers: Swimmers,
    node_velocities: np.ndarray,
    alive: np.ndarray,
    movers: Movers,
    plankton: PlanktonCloud,
    pieces: ObstaclePieces,
    t: float,
    period: float,
) -> VisibleObjects:
    """The places of all things, and their motion.

    Args:
        swimmers: All fishes.
        node_velocities: Velocities of their nodes in m/s, (fish, 23, 3).
        alive: Fishes that are there, (fish,) bool.
        movers: Moving obstacles.
        plankton: The food.
        pieces: Pieces of the obstacles.
        t: Now, in seconds of the film.
        period: Seconds that a frame lasts.
    """
    fish = np.empty((len(alive), MOTION))
    fish[:, :3], fish[:, 3:7], fish[:, 7:10] = swimmers.place, of_frames(swimmers.frames), swimmers.velocity
    _, later = body_frame(swimmers.nodes + SPIN_SECONDS * node_velocities)
    change = (later - swimmers.frames) / SPIN_SECONDS
    axes = [cross(swimmers.frames[:, :, axis], change[:, :, axis]) for axis in range(3)]
    fish[:, 10:] = 0.5 * (axes[0] + axes[1] + axes[2])
    motion = np.empty((len(movers), MOTION))
    for row, solid in enumerate(movers.solids):
        motion[row] = _deformed(solid) if isinstance(solid, Deforming) else _moved(movers, row, period)
    food = np.concatenate((plankton.place, plankton.velocity(t)), axis=1)
    moving = pieces.mover[pieces.mover >= 0]
    return VisibleObjects(fish, motion[moving], food, alive, plankton.alive)


def _deformed(solid: Deforming) -> np.ndarray:
    """The pose of a solid that deforms, and its motion as a whole, (13,)."""
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
    """The eyes of all fishes that remember what they see."""

    def __init__(self, memory: VisualMemory, vision: Vision, smell: np.ndarray, movers: Movers) -> None:
        """Takes over whose eyes they are.

        Args:
            memory: Memory that takes in the view.
            vision: The eye of every fish that does not see with images.
            smell: Distance at which each of these smells food in metres, (fish,): this is how it knows of it.
            movers: Moving obstacles.
        """
        self.memory, self.vision, self.smell, self.movers = memory, vision, smell, movers
        pieces = memory.pieces
        self.size = 2.0 * norm(pieces.half)
        self.middle = placed(pieces.home, pieces.middle)
        self.points, self.normals = self.posed(np.arange(len(pieces)), pieces.home[:, None])

    def look(
        self,
        rows: np.ndarray,
        t: float,
        now: VisibleObjects,
        swimmers: Swimmers,
        pictures: CyclopeanImages | None = None,
    ) -> None:
        """Lets some look around, take in what they see and miss what they do not.

        Args:
            rows: Rows of their memories, (n,).
            t: Now, in seconds of the film.
            now: Their surroundings.
            swimmers: All fishes.
            pictures: Images of these n, if they see with images; None of all others.
        """
        moving = self.memory.moving
        self.middle[moving] = placed(now.pieces[:, :7], self.memory.pieces.middle[moving])
        self.points[moving], self.normals[moving] = self.posed(moving, now.pieces[:, None, :7])
        glance = self.glance(rows, now, swimmers, pictures)
        seen = glance.fish(), glance.pieces(), glance.food()
        self.memory.observe(rows, t, now, *seen)
        self.memory.miss(rows, *glance.missed(*seen))

    def glance(
        self, rows: np.ndarray, now: VisibleObjects, swimmers: Swimmers, pictures: CyclopeanImages | None = None
    ) -> _Glance:
        """The glance of these; the arguments are those of `look`."""
        if pictures is None:
            return _Glance(self, rows, now, swimmers)
        return _Gaze(self, rows, now, swimmers, pictures)

    def posed(self, piece: np.ndarray, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Points by which pieces (k,) are seen at poses (k, 1, 7), in metres, and their normals, (k, s, 3) both."""
        pieces = self.memory.pieces
        looked = pieces.looked[piece]
        return placed(pose, pieces.points[looked]), turned(pose, pieces.normals[looked])


class _Glance:
    """A look around by the present kind of vision: V first, then what of V_M is not in it."""

    def __init__(self, eyes: Lookout, rows: np.ndarray, now: VisibleObjects, swimmers: Swimmers) -> None:
        self._eyes, self._memory, self._rows, self._now, self._swimmers = eyes, eyes.memory, rows, now, swimmers
        self._fishes = eyes.memory.fishes[rows]
        self._eye, self._ahead = swimmers.nose[self._fishes], swimmers.ahead[self._fishes]

    def fish(self) -> np.ndarray:
        """Mask of the fishes that each sees, (n, fish) bool."""
        others, all_of = np.tile(np.arange(len(self._now.fish)), (len(self._rows), 1)), self._swimmers
        there = self._now.fish_there
        return self._eyes.vision.look(self._fishes, others, all_of.nose, all_of.ahead, all_of.nodes, there)[0]

    def pieces(self) -> np.ndarray:
        """Mask of the pieces of obstacles that each sees, (n, p) bool."""
        eyes = self._eyes
        seen = np.zeros((len(self._rows), len(eyes.size)), dtype=bool)
        if not seen.size:
            return seen
        away = norm(eyes.middle - self._eye[:, None]) - 0.5 * eyes.size
        row, piece = np.nonzero(away <= self._reach(np.arange(len(seen))[:, None], eyes.size))
        for first in range(0, len(row), LINES_AT_ONCE // PIECE_POINTS):
            i, p = (of[first : first + LINES_AT_ONCE // PIECE_POINTS] for of in (row, piece))
            found = np.zeros(len(i), dtype=bool)
            for points in LOOK_ROUNDS:
                rest = np.flatnonzero(~found)
                it = p[rest]
                ends = eyes.points[it, points], eyes.normals[it, points]
                found[rest] = self._shows(i[rest], it, *ends)[0].any(axis=1)
            seen[i, p] = found
        return seen

    def food(self) -> np.ndarray:
        """Mask of the particles that each smells, (n, particle) bool."""
        return self._now.food_there & self._has_in_reach(self._now.food[None, :, :3])

    def missed(
        self, fish: np.ndarray, pieces: np.ndarray, food: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The objects that each expects and misses, given those that it sees, both as `VisualMemory.miss` has them."""
        memory, rows, now = self._memory, self._rows, self._now
        away = (memory.piece_motion[rows, :, :7] != now.pieces[:, :7]).any(axis=2)
        known = ~np.isnan(memory.piece_time[np.ix_(rows, memory.moving)])
        self._stale = known & ~pieces[:, memory.moving] & away
        lost = ~np.isnan(memory.fish_time[rows]) & ~fish
        gone = np.zeros(self._stale.shape, dtype=bool)
        i, p = np.nonzero(self._stale)
        if len(i):
            posed = self._eyes.posed(memory.moving[p], memory.piece_motion[rows[i], p, None, :7])
            gone[i, p] = self._uncovered(i, p, *self._shows(i, memory.moving[p], *posed)).any(axis=1)
        j, other = np.nonzero(lost)
        if len(j):
            body, length = memory.fish_motion[rows[j], other], self._eyes.vision.length[other]
            along = length[:, None, None] * np.array(ALONG_BODY)[:, None] * (1.0, 0.0, 0.0)
            ends = placed(body[:, None, :7], along)
            clear = self._free(j, ends, self._reach(j, length), GIRTH_LENGTHS * length)
            lost[j, other] = self._uncovered(j, None, clear, ends).any(axis=1)
        return lost, gone, self._eaten(~np.isnan(memory.food_time[rows]) & ~food)

    def _eaten(self, unseen: np.ndarray) -> np.ndarray:
        """Mask of particles that each remembers, misses now, and would smell if they were there, (n, particle)."""
        return unseen & self._has_in_reach(self._memory.food_motion[self._rows, :, :3])

    def _has_in_reach(self, places: np.ndarray) -> np.ndarray:
        """Mask of the places (n or 1, k, 3) that each smells, (n, k)."""
        return norm(places - self._eye[:, None]) <= self._eyes.smell[self._fishes][:, None]

    def _reach(self, row: np.ndarray, size: np.ndarray) -> np.ndarray:
        """Metres at which those of rows see a thing of a size, as they see another fish of that length (§6.3.2)."""
        fishes, vision = self._fishes[row], self._eyes.vision
        return vision.sight[fishes] * size / vision.length[fishes]

    def _shows(
        self, row: np.ndarray, piece: np.ndarray, points: np.ndarray, normals: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Mask of the points of its piece that each of k would see, (k, s), and the places looked at, (k, s, 3).

        Args:
            row: Row of the fish, (k,).
            piece: Row of its piece, (k,).
            points: Points on the surface of each in metres, (k, s, 3).
            normals: Outwards from there, (k, s, 3).
        """
        pieces = self._memory.pieces
        facing = dot(normals, self._eye[row][:, None] - points)
        side = np.where(pieces.sheet[piece][:, None] & (facing < 0.0), -1.0, 1.0)
        afloat = points + (side * pieces.lift[piece][:, None])[..., None] * normals
        faces = side * facing > 0.0
        size = self._eyes.size[piece]
        return faces & self._free(row, afloat, self._reach(row, size), AROUND_SHARE * size, faces), afloat

    def _free(
        self,
        row: np.ndarray,
        ends: np.ndarray,
        reach: np.ndarray,
        radius: np.ndarray,
        among: np.ndarray | None = None,
    ) -> np.ndarray:
        """Mask of the places that each of k has in reach and in view, with nothing real before them, (k, s).

        Args:
            row: Row of the fish, (k,).
            ends: Metres, (k, s, 3).
            reach: Metres, (k,).
            radius: Radius of the object around each place in metres, (k,).
            among: Places that count, (k, s); all if left out.
        """
        ray = ends - self._eye[row][:, None]
        away = norm(ray)
        free = (away <= reach[:, None]) & in_field(ray, away, self._ahead[row][:, None])
        return self._unhidden(row, ends, radius, free if among is None else free & among)

    def _unhidden(self, row: np.ndarray, ends: np.ndarray, radius: np.ndarray, free: np.ndarray) -> np.ndarray:
        """Mask of the places in view, (k, s), that no obstacle hides, (k, s)."""
        obstacles = self._eyes.vision.obstacles
        k, s = np.nonzero(free)
        if len(obstacles):
            free[k, s] = ~blocks(self._eye[row[k]], ends[k, s], obstacles)
        return free

    def _uncovered(self, row: np.ndarray, piece: np.ndarray | None, clear: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """Mask of the places that are not hidden by the remembered place of a moved piece, either, (k, s).

        Args:
            row: Row of the fish that looks, (k,).
            piece: Piece expected there, among the pieces that move; None where that is no piece, (k,).
            clear: Places that nothing real hides, (k, s).
            ends: Places in metres, (k, s, 3).
        """
        memory, stale, clear = self._memory, self._stale, clear.copy()
        pieces = memory.pieces
        for one in np.flatnonzero(stale.any(axis=0)).tolist():
            others = stale[row, one] if piece is None else stale[row, one] & (piece != one)
            k, s = np.nonzero(clear & others[:, None])
            if not len(k):
                continue
            which, pose = memory.moving[one], memory.piece_motion[self._rows[row[k]], one, :7]
            start, end = own(pose, self._eye[row[k]]), own(pose, ends[k, s])
            start, end, meets = _clipped(start, end, *pieces.cell[which])
            here = self._now.pieces[one, None, :7]
            solid = self._eyes.movers.solids[pieces.mover[which]]
            meets[meets] = solid.blocks(placed(here, start[meets]), placed(here, end[meets]))
            clear[k[meets], s[meets]] = False
        return clear


class _Gaze(_Glance):
    """A look around by images: V is what they show, and their ranges say what is nearer than what is expected."""

    def __init__(
        self, eyes: Lookout, rows: np.ndarray, now: VisibleObjects, swimmers: Swimmers, pictures: CyclopeanImages
    ) -> None:
        super().__init__(eyes, rows, now, swimmers)
        self._pictures, self._everyone = pictures, np.arange(len(rows))[:, None]

    def fish(self) -> np.ndarray:
        """See _Glance."""
        length = self._eyes.vision.length
        return self._pictures.nearest[:, 1 : 1 + len(length)] <= self._reach(self._everyone, length)

    def pieces(self) -> np.ndarray:
        """See _Glance."""
        pieces, size = self._memory.pieces, self._eyes.size
        poses = pieces.home.copy()
        poses[self._memory.moving] = self._now.pieces[:, :7]
        return self._pictures.pieces(pieces, poses, len(self._now.fish)) <= self._reach(self._everyone, size)

    def food(self) -> np.ndarray:
        """Mask of the particles that each sees, (n, particle) bool."""
        first = self._pictures.food
        return np.isfinite(self._pictures.nearest[:, first : first + len(self._now.food)])

    def _eaten(self, unseen: np.ndarray) -> np.ndarray:
        i, particle = np.nonzero(unseen)
        ends = self._memory.food_motion[self._rows[i], particle, None, :3]
        clear = self._pictures.clear(i, ends, self._pictures.grain)
        unseen[i, particle] = self._uncovered(i, None, clear, ends)[:, 0]
        return unseen

    def _unhidden(self, row: np.ndarray, ends: np.ndarray, radius: np.ndarray, free: np.ndarray) -> np.ndarray:
        return free & self._pictures.clear(row, ends, radius)


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
