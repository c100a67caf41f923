"""The navigator: ways that fishes plan through what they remember, and follow (Kuffner & Latombe 1999, §5 and §7).

A fish knows of no obstacle that it does not remember, and takes what it has not seen for open water. It plans to a
goal that it knows; a goal that it has yet to find it looks for, going to the nearest place from which there is more to
be seen. It plans anew when what it sees contradicts its path, when its goal has moved, when it has strayed, and now
and then. Where no way is left, what may have moved is doubted, and what was shut may have opened.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.elementary import exp, log
from ...base.state import Stateful, state
from ...base.vectors import cross, dot, norm, unit
from ...habitat.obstacles import Obstacles
from ...habitat.tank import WaterBox
from ..tuning import GIRTH_LENGTHS
from ..vision import field_cosine
from ..visual_memory.memory import VisualMemory
from ..visual_memory.pieces import placed, turned
from .lattice import EASY, FARTHEST_COST, OPAQUE, SHUT, STRAIGHT_COST, Lattice
from .paths import even, rounded, shortened
from .tuning import (
    AHEAD_BONUS_CELLS,
    AIM_LENGTHS,
    BITING_LENGTHS,
    EASY_LENGTHS,
    ENDED_LENGTHS,
    GOAL_SHIFT_LENGTHS,
    LATTICE_LENGTHS,
    LEAST_PLAN_SECONDS,
    LENGTH_STEP,
    LOST_SECONDS,
    MOST_PATH_POINTS,
    PASSED_LENGTHS,
    PASSING_LENGTHS,
    PLAN_SECONDS,
    PLANS_AT_ONCE,
    REFUGE_LENGTHS,
    ROUND_LOOK_SECONDS,
    STRAYED_LENGTHS,
    THINNED_SPACINGS,
    TURN_RADIUS_LENGTHS,
)

NEVER = -1e6
"""Seconds, of what was not done yet."""
LOST, BOUND, EXPLORING = range(3)
"""The state of a fish: without any way, on one to its goal, or on one to where there is more to be seen."""
OVER_A_STEP = 1e-6
"""Of the number of a lattice, by which a length that has one of its own may seem to be beyond it."""


@dataclass(frozen=True)
class Courses:
    """The courses of n fishes.

    Attributes:
        wish: Unit vector to the next place on its way; nothing where it has none, (n, 3).
        left: Metres that are left of the way, (n,).
        at: LOST, BOUND or EXPLORING, (n,) int8.
    """

    wish: np.ndarray
    left: np.ndarray
    at: np.ndarray


class Navigator(Stateful):
    """The ways of some fishes.

    Attributes:
        fishes: Rows of those, rising, (m,).
        path: The places of each way in metres, a cell apart, NaN beyond its end, (m, points, 3).
        along: The place of its way that each is at, (m,).
        at: LOST, BOUND or EXPLORING, (m,) int8.
        destination: Goal for which each way was planned in metres, NaN before there is one, (m, 3).
    """

    path: np.ndarray = state("f8", "memory", MOST_PATH_POINTS, 3, unit="m", unset=np.nan)
    along: np.ndarray = state("i8", "memory", low=0, high=MOST_PATH_POINTS - 1)
    at: np.ndarray = state("i1", "memory", low=LOST, high=EXPLORING)
    destination: np.ndarray = state("f8", "memory", 3, unit="m", unset=np.nan)
    _planned: np.ndarray = state("f8", "memory", unit="s", begin=NEVER)
    _looked: np.ndarray = state("f8", "memory", unit="s", begin=NEVER)
    _seen: np.ndarray = state("u1", "memory", "byte")  # a bit a cell of the lattice

    def __init__(
        self, memory: VisualMemory, length: np.ndarray, sight: np.ndarray, tank: WaterBox, obstacles: Obstacles
    ):
        """Begins with nothing planned and nothing seen.

        Args:
            memory: Memories of the fishes that find their way.
            length: Lengths of all fishes in metres, (fish,).
            sight: Distance at which each sees another of its own length, in metres, (fish,).
            tank: Their water.
            obstacles: Obstacles, of which the bed, and walls of a tank that is no box, are known to all.
        """
        self.memory, self.fishes = memory, memory.fishes
        number = len(self.fishes)
        self._sight, self.length = sight[self.fishes], length[self.fishes]
        self._pieces = np.searchsorted(memory.pieces.owner, np.arange(len(memory.pieces) + 1))
        self._step = np.ceil(log(self.length) / log(LENGTH_STEP) - OVER_A_STEP).astype(int)
        self._grounds: dict[int, tuple[Lattice, np.ndarray]] = {}
        for step in np.unique(self._step).tolist():
            self._grounds[step] = _ground(_length(step), tank, obstacles)
        most = max((len(lattice) for lattice, _ in self._grounds.values()), default=0)
        self._fill(memory=number, byte=(most + 7) // 8)
        self._charts: dict[int, tuple[int, np.ndarray]] = {}
        self._stamps: dict[tuple[int, int], tuple[bytes, np.ndarray, np.ndarray]] = {}
        self._frontiers: dict[int, tuple[float, np.ndarray]] = {}
        self._now, self._plans = NEVER, 0

    def lattice(self, row: int) -> Lattice:
        """The lattice in which the fish of a row plans."""
        return self._grounds[int(self._step[row])][0]

    def chart(self, row: int) -> np.ndarray:
        """The kind of each cell by the knowledge of the fish of a row, EASY to OPAQUE, (cell,) uint8."""
        lattice, ground = self._grounds[int(self._step[row])]
        revision, known = int(self.memory.revision[row]), self._charts.get(row)
        if known is None or known[0] != revision:
            chart, poses = ground.copy(), self.memory.poses(row)
            for piece in np.flatnonzero(~np.isnan(self.memory.piece_time[row])).tolist():
                cells, kinds = self._stamp(row, piece, poses[piece])
                chart[cells] = np.maximum(chart[cells], kinds)
            known = self._charts[row] = revision, chart
        return known[1]

    def seen(self, row: int) -> np.ndarray:
        """Mask of the cells that the fish of a row has looked at, (cell,) bool."""
        return np.unpackbits(self._seen[row], count=len(self.lattice(row))).view(bool)

    def way(self, row: int) -> np.ndarray:
        """The rest of the way of the fish of a row in metres, (n, 3)."""
        path = self.path[row, self.along[row] :]
        return path[~np.isnan(path[:, 0])]

    def frontier(self, row: int) -> np.ndarray:
        """Places with more to be seen when the fish of a row last looked, if it explores; in metres, (n, 3)."""
        if self.at[row] != EXPLORING:
            return np.zeros((0, 3))
        known = self._frontiers.get(row)
        if known is None or known[0] != self._looked[row]:
            cells = np.flatnonzero(self._borders(row, self.seen(row)))
            known = self._frontiers[row] = float(self._looked[row]), self.lattice(row).middles[cells]
        return known[1]

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """See Stateful."""
        super().restore(state)
        self._charts.clear()
        self._frontiers.clear()

    def begin(self, t: float) -> None:
        """Begins a frame at `t` seconds, in which a few may plan."""
        self._now, self._plans = t, 0

    def rows(self, fishes: np.ndarray) -> np.ndarray:
        """Rows of these fishes, (n,), among those that find their way; -1 for others, (n,)."""
        return self.memory.row_of[fishes]

    def look_round(self, rows: np.ndarray, place: np.ndarray, ahead: np.ndarray) -> None:
        """Has some of these fishes take in their surroundings, if their last look is a while ago; see `lead`."""
        for row, at, way in zip(rows.tolist(), place, ahead, strict=True):
            if self._now - self._looked[row] >= ROUND_LOOK_SECONDS:
                self._look(row, at, way)

    def lead(
        self, rows: np.ndarray, goals: np.ndarray, known: np.ndarray, place: np.ndarray, ahead: np.ndarray
    ) -> Courses:
        """Leads some of these fishes, which have looked round.

        Args:
            rows: Rows of n of them, (n,).
            goals: Place of the goal of each in metres, (n, 3).
            known: Whether it knows the place of its goal; the others look round for it, (n,) bool.
            place: Metres, (n, 3).
            ahead: Headings, (n, 3).
        """
        self._plan_anew(rows, goals, known, place, ahead)
        wish, left = np.zeros((len(rows), 3)), np.zeros(len(rows))
        for index, row in enumerate(rows.tolist()):
            path = self.way(row)
            if not len(path):
                continue
            lattice, length = self.lattice(row), self.length[row]
            ends = max(1, int(np.ceil(AIM_LENGTHS * length / lattice.cell)))
            wish[index] = unit(path[min(ends, len(path) - 1)] - place[index])
            left[index] = float(norm(path[0] - place[index])) + lattice.cell * (len(path) - 1)
        return Courses(wish, left, self.at[rows].copy())

    def refuge(self, row: int, place: np.ndarray, foe: np.ndarray, its_length: float) -> np.ndarray | None:
        """The nearest place that the one of a row has looked at where a foe does not get in, or else cannot see it.

        Best is where it gets in by no way at all, next where it does not by what was looked at.

        Args:
            row: Row of the fish that looks for it.
            place: Its place in metres, (3,).
            foe: Place of its foe in metres, (3,).
            its_length: Length of the foe in metres.

        Returns:
            Metres, (3,); None where it knows of none.
        """
        lattice, chart, seen = self.lattice(row), self.chart(row), self.seen(row)
        _, costs = self._reached(row, seen, place)
        reach = STRAIGHT_COST * REFUGE_LENGTHS * float(self.length[row]) / lattice.cell
        near = costs < min(reach, FARTHEST_COST)
        room = GIRTH_LENGTHS * its_length - self._room(row)[0]  # it squeezes through whatever its body fits into
        wider = max(0, int(np.rint(room / lattice.cell)))
        safe = np.zeros(len(lattice), dtype=bool)
        if wider:
            its_chart = lattice.widened(chart, wider)
            for known in (its_chart, np.where(seen, its_chart, np.uint8(SHUT))):
                if not safe.any():
                    safe = near & ~self._endangered(lattice, known, foe, its_length)
        if not safe.any():
            exposed = np.zeros(len(lattice), dtype=bool)
            lattice.looked_at(chart, foe, np.zeros(3), np.inf, 0.0, exposed)
            safe = near & ~exposed
        ends = np.flatnonzero(safe)
        if not len(ends):
            return None
        return lattice.middles[int(ends[costs[ends].argmin()])]

    @staticmethod
    def _endangered(lattice: Lattice, chart: np.ndarray, foe: np.ndarray, its_length: float) -> np.ndarray:
        """Mask of cells in which a foe at a place (3,) and of a length in metres bites, by its chart, (cell,) bool."""
        weights = lattice.weights(chart)
        cell = lattice.entry(weights, foe)
        if cell < 0:
            return np.zeros(len(lattice), dtype=bool)
        reached = lattice.costs(weights, np.array([cell])) < FARTHEST_COST
        return lattice.grown(reached, int(np.ceil(BITING_LENGTHS * its_length / lattice.cell)))

    def _room(self, row: int) -> tuple[float, float]:
        """Least distance of ways from obstacles in metres, and that of easy ones."""
        length = _length(int(self._step[row]))
        return PASSING_LENGTHS * length, EASY_LENGTHS * length

    def _stamp(self, row: int, piece: int, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The cells near a piece whose obstacle is at a pose (7,), and their kinds for the fish, (n,) both."""
        key = int(self._step[row]), piece
        found = self._stamps.get(key)
        if found is None or found[0] != pose.tobytes():
            clear, easy = self._room(row)
            of, own = self.memory.pieces, slice(*self._pieces[piece : piece + 2])
            lattice = self.lattice(row)
            places, outwards = _spread(
                placed(pose, of.points[own]), turned(pose, of.normals[own]), of.spacing[piece], lattice.cell
            )
            solid = places if of.sheet[piece] else np.concatenate((places, places - lattice.cell * outwards))
            cells, squares = lattice.near(solid, easy)
            found = self._stamps[key] = pose.tobytes(), cells, lattice.kinds(squares, clear, easy)
        return found[1:]

    def _look(self, row: int, place: np.ndarray, ahead: np.ndarray) -> None:
        """Takes in the surroundings."""
        self._looked[row] = self._now
        seen = self.seen(row)
        self.lattice(row).looked_at(self.chart(row), place, ahead, float(self._sight[row]), field_cosine(), seen)
        self._note(row, seen)

    def _note(self, row: int, seen: np.ndarray) -> None:
        packed = np.packbits(seen)
        self._seen[row, : len(packed)] = packed

    def in_sight(self, rows: np.ndarray, goals: np.ndarray) -> np.ndarray:
        """Mask of those of these that have looked at the places of their goals, (n,) bool."""
        found = np.zeros(len(rows), dtype=bool)
        for index, row in enumerate(rows.tolist()):
            cell = int(self.lattice(row).cells(goals[index]))
            found[index] = bool(self._seen[row, cell // 8] & (128 >> cell % 8))
        return found

    def _plan_anew(
        self, rows: np.ndarray, goals: np.ndarray, known: np.ndarray, place: np.ndarray, ahead: np.ndarray
    ) -> None:
        """Goes on along ways, and plans those anew that must be, whose last plans are oldest first; see `lead`."""
        due = []
        for index, row in enumerate(rows.tolist()):
            if self._must_plan(row, goals[index], bool(known[index]), place[index]):
                due.append((float(self._planned[row]), index))
        for _, index in sorted(due)[: max(PLANS_AT_ONCE - self._plans, 0)]:
            self._plans += 1
            row = int(rows[index])
            self._planned[row] = self._now
            self._plan(row, goals[index], bool(known[index]), place[index], ahead[index])

    def _must_plan(self, row: int, goal: np.ndarray, known: bool, place: np.ndarray) -> bool:
        """True if a way has to be planned anew; meanwhile the fish goes on along it."""
        since = self._now - self._planned[row]
        off, path = self._go_on(row, place), self.way(row)
        if since < LEAST_PLAN_SECONDS:
            return False
        if not len(path):
            return since > LOST_SECONDS
        length, lattice = float(self.length[row]), self.lattice(row)
        shut = self.chart(row)[lattice.cells(path[1:])] >= SHUT
        if (shut[1:] & shut[:-1]).any() or off > STRAYED_LENGTHS * length or since > PLAN_SECONDS:
            return True
        if known != (self.at[row] == BOUND):
            return True
        if known:
            return bool(norm(goal - self.destination[row]) > GOAL_SHIFT_LENGTHS * length)
        end = int(lattice.cells(path[-1]))
        return float(norm(path[-1] - place)) < ENDED_LENGTHS * length or not self._borders(row, self.seen(row))[end]

    def _go_on(self, row: int, place: np.ndarray) -> float:
        """Takes in how far along its way one is; metres that it is off it, 0 without any."""
        path = self.way(row)
        if not len(path):
            return 0.0
        near = max(1, int(np.ceil(PASSED_LENGTHS * self.length[row] / self.lattice(row).cell)))
        off = norm(path[:near] - place)
        nearest = int(off.argmin())
        self.along[row] += nearest
        return float(off[nearest])

    def _borders(self, row: int, seen: np.ndarray) -> np.ndarray:
        """Mask of cells with more to be seen: easy ones beside easy ones not yet looked at, (cell,)."""
        lattice, easy = self.lattice(row), self.chart(row) == EASY
        hidden = (easy & ~seen & lattice.inner).reshape(lattice.shape)
        beside = np.zeros(lattice.shape, dtype=bool)
        beside[1:] |= hidden[:-1]
        beside[:-1] |= hidden[1:]
        beside[:, 1:] |= hidden[:, :-1]
        beside[:, :-1] |= hidden[:, 1:]
        beside[:, :, 1:] |= hidden[:, :, :-1]
        beside[:, :, :-1] |= hidden[:, :, 1:]
        return beside.reshape(-1) & easy & seen & lattice.inner

    def _plan(self, row: int, goal: np.ndarray, known: bool, place: np.ndarray, ahead: np.ndarray) -> None:
        """Plans the way of the one of a row, and doubts what it knows where there is none; see `lead`."""
        found = self._planned_to(row, goal, place) if known else self._explored(row, place, ahead)
        if found is None and self._doubt(row):
            found = self._planned_to(row, goal, place) if known else self._explored(row, place, ahead)
        self.path[row], self.along[row], self.destination[row] = np.nan, 0, goal
        self.at[row] = LOST if found is None else BOUND if known else EXPLORING
        if found is not None:
            self.path[row, : len(found)] = found

    def _planned_to(self, row: int, goal: np.ndarray, place: np.ndarray) -> np.ndarray | None:
        """The way to a goal, (n, 3); None where there is none."""
        lattice = self.lattice(row)
        weights = lattice.weights(self.chart(row), self.seen(row))
        start, end = lattice.entry(weights, place), lattice.entry(weights, goal)
        if start < 0:
            return None
        costs = lattice.costs(weights, np.array([end]))
        if costs[start] == FARTHEST_COST:
            return None
        way = lattice.descent(weights, costs, start)
        last = goal if end == int(lattice.cells(goal)) else lattice.middles[end]
        return self._smooth(row, weights, way, place, last)

    def _explored(self, row: int, place: np.ndarray, ahead: np.ndarray) -> np.ndarray | None:
        """The way to the nearest place from which there is more to be seen, those ahead first, (n, 3); or None."""
        lattice, seen = self.lattice(row), self.seen(row)
        weights, costs = self._reached(row, seen, place)
        ends = np.flatnonzero(self._borders(row, seen) & (costs < FARTHEST_COST))
        if not len(ends):
            return None
        bearing = dot(unit(lattice.middles[ends] - place), ahead)
        end = int(ends[(costs[ends] - 0.5 * STRAIGHT_COST * AHEAD_BONUS_CELLS * bearing).argmin()])
        way = lattice.descent(weights, costs, end)[::-1]
        return self._smooth(row, weights, way, place, lattice.middles[end])

    def _reached(self, row: int, seen: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The costs of cells that the fish of a row has looked at, and of ways to these from a place, (cell,) both."""
        lattice = self.lattice(row)
        weights = lattice.weights(np.where(seen, self.chart(row), np.uint8(SHUT)))
        start = lattice.entry(weights, place)
        if start < 0:
            return weights, np.full(len(lattice), FARTHEST_COST)
        return weights, lattice.costs(weights, np.array([start]))

    def _smooth(self, row: int, weights: np.ndarray, way: np.ndarray, place: np.ndarray, end: np.ndarray) -> np.ndarray:
        """The path along cells of a way, (n,), from a place (3,) to an end (3,), in metres."""
        lattice = self.lattice(row)
        if len(way) < 2:
            return even(np.stack((place, end)), lattice.cell)
        corners = shortened(lattice, weights, way, place, end)
        return even(rounded(lattice, weights, corners, TURN_RADIUS_LENGTHS * float(self.length[row])), lattice.cell)

    def _doubt(self, row: int) -> bool:
        """No longer takes for shut what may have moved since, or else for seen what it has looked at; whether it can.

        See §6 of the paper: doors that were closed may have been opened in the meantime.
        """
        seen, memory = self.seen(row), self.memory
        before, poses = ~np.isnan(memory.piece_time[row]), memory.poses(row)
        memory.doubt(self.fishes[row : row + 1], self._now, PLAN_SECONDS)
        doubted = np.flatnonzero(before & np.isnan(memory.piece_time[row]))
        if len(doubted):
            for piece in doubted.tolist():
                seen[self._stamp(row, piece, poses[piece])[0]] = False
        elif seen.any():
            seen[:] = False
        else:
            return False
        self._note(row, seen)
        return True


def _spread(places: np.ndarray, outwards: np.ndarray, spacing: float, cell: float) -> tuple[np.ndarray, np.ndarray]:
    """Places (n, 3) on a surface with normals (n, 3), and others about each on it, so that they are a cell apart.

    Of the places that memory has, some `spacing` in metres apart, a few were thinned out.
    """
    count = max(1, int(np.ceil(THINNED_SPACINGS * spacing / cell)))
    offsets = THINNED_SPACINGS * spacing * ((np.arange(count) + 0.5) / count - 0.5)
    sideways = np.eye(3)[np.abs(outwards).argmin(axis=1)]
    one = unit(cross(outwards, sideways))
    other = cross(outwards, one)
    along, across = (grid.reshape(-1, 1, 1) for grid in np.meshgrid(offsets, offsets, indexing="ij"))
    found = places + along * one + across * other
    return found.reshape(-1, 3), np.broadcast_to(outwards, found.shape).reshape(-1, 3)


def _length(step: int) -> float:
    """The length in metres for which there is the lattice of this number."""
    return float(exp(step * log(LENGTH_STEP)))


def _ground(length: float, tank: WaterBox, obstacles: Obstacles) -> tuple[Lattice, np.ndarray]:
    """The lattice of fishes of a length in metres, and what its cells are like by walls, floor, bed and surface."""
    lattice = Lattice(tank.size, LATTICE_LENGTHS * length)
    gaps = tank.distance(lattice.middles)[0]
    for solid in obstacles.grounds:
        gaps = np.minimum(gaps, solid.distance(lattice.middles)[0])
    gaps = np.maximum(gaps, 0.0)
    chart = lattice.kinds(np.square(gaps), PASSING_LENGTHS * length, EASY_LENGTHS * length)
    chart[~lattice.inner] = OPAQUE
    return lattice, chart
