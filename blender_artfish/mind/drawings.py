"""Geometry of the overlays: lines and triangles in the world, computed without a screen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ...core.recording import Recording
from ...core.studio.insight import FAINT_PREFERENCE, VisualField
from .source import Observation
from .swatches import INTENTIONS, RELATION_COLOURS

if TYPE_CHECKING:
    from ...core.studio.memories import Knowledge

ARC_STEPS = 60  # segments of an arc around the whole field of view
RIM_SPOKES = 8
SEEN_COLOUR, FIELD_EDGE_COLOUR, FIELD_FACE_COLOUR = (
    (0.45, 0.9, 1.0, 0.55),
    (1.0, 1.0, 1.0, 0.45),
    (1.0, 1.0, 1.0, 0.045),
)
FOR_COLOUR, AGAINST_COLOUR = (0.45, 0.95, 0.35, 0.95), (1.0, 0.30, 0.25, 0.95)
SLOW_COLOUR, FAST_COLOUR = (0.10, 0.30, 0.65, 0.45), (0.55, 0.95, 1.0, 0.95)
BARB_SHARE = 0.22
"""Length of an arrow's barbs, over the arrow's."""
STILL_SPEED = 1e-4
"""Speed in m/s below which water has no arrow."""
GRAIN_LENGTHS = 0.12
"""Size of the mark around a particle, over the length of the fish that targets it."""
AGE_COLOURS = {0.0: (0.25, 0.92, 0.5), 10.0: (1.0, 0.85, 0.25), 60.0: (0.72, 0.3, 0.72)}
"""Colours of memories by their age in seconds; older ones look like the oldest."""
MOST_RELATIONS = 400
"""Arrows of relations that are drawn at the most."""
FAINTEST = 0.25
"""Alpha of the arrow of a relation of no strength."""
FACE_ALPHA, EDGE_ALPHA = 0.28, 0.9
UNSEEN_COLOUR = (0.85, 0.88, 0.95, 0.28)
WAY_COLOUR, FRONTIER_COLOUR = (1.0, 1.0, 1.0, 0.95), (0.3, 0.85, 1.0, 0.9)
REMEMBERED_LENGTHS, FRONTIER_METRES = 0.3, 0.03
"""Sizes of the marks at a remembered fish, over its length, and at the places of a frontier."""
BOX_WIRES = np.array([(0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7)])
BOX_SIDES = np.array([(0, 1, 3, 2), (6, 7, 5, 4), (4, 5, 1, 0), (2, 3, 7, 6), (0, 2, 6, 4), (5, 7, 3, 1)])
"""Corners of a box, as in `core.studio.memories.BOX_CORNERS`, along its edges and around its sides."""
BOX_TRIANGLES = np.concatenate([BOX_SIDES[:, :3], BOX_SIDES[:, [0, 2, 3]]], axis=1).reshape(-1, 3)


@dataclass(frozen=True)
class Drawing:
    """Lines and triangles, in metres in Blender's world.

    Attributes:
        lines: Two ends of each line, (2 n, 3) float32.
        line_colours: (2 n, 4) float32.
        faces: Three corners of each triangle, (3 m, 3) float32.
        face_colours: (3 m, 4) float32.
    """

    lines: np.ndarray
    line_colours: np.ndarray
    faces: np.ndarray
    face_colours: np.ndarray

    @classmethod
    def of(
        cls,
        lines: ArrayLike = (),
        line_colours: ArrayLike = (0.0,) * 4,
        faces: ArrayLike = (),
        face_colours: ArrayLike = (0.0,) * 4,
    ) -> Drawing:
        """A drawing of ends and corners (..., 3), each with one colour (4,) for all or one a point."""
        ends, corners = (np.asarray(points, np.float32).reshape(-1, 3) for points in (lines, faces))
        return cls(ends, _spread(line_colours, ends), corners, _spread(face_colours, corners))

    @classmethod
    def joined(cls, drawings: Iterable[Drawing], matrix: Any) -> Drawing:
        """All drawings as one, moved from the recording's world to Blender's by a matrix (4, 4)."""
        parts = [cls.of(), *drawings]
        return cls(
            moved(np.concatenate([part.lines for part in parts]), matrix),
            np.concatenate([part.line_colours for part in parts]),
            moved(np.concatenate([part.faces for part in parts]), matrix),
            np.concatenate([part.face_colours for part in parts]),
        )


def moved(places: np.ndarray, matrix: Any) -> np.ndarray:
    """Positions (n, 3) transformed by a matrix (4, 4), of the same dtype."""
    of = np.array(matrix, dtype=places.dtype)
    return places @ of[:3, :3].T + of[:3, 3]


def draw(observed: Observation, names: Iterable[str]) -> Drawing:
    """The drawing of the enabled overlays, of "field", "seen", "focus", "relations", "memory" and so on.

    Overlays of a single fish are left out if none is active or it is dead.
    """
    made = []
    recording, frame, row = observed.recording, observed.frame, observed.row
    lives = row >= 0 and bool(recording.alive[frame, row])
    for what in names:
        if what == "currents":
            made.append(currents(*observed.insight.flow(frame)))
        elif what == "preferences":
            made.append(preferences(observed))
        elif lives and what == "field":
            made.append(field(observed.insight.field(recording, frame, row)))
        elif lives and what == "seen":
            made.append(seen(observed))
        elif lives and what == "focus":
            made.append(focus(observed))
        elif lives and what == "relations":
            made.append(relations(observed))
        elif lives and what == "memory":
            made.append(memory(observed.known))
        elif lives and what == "way":
            made.append(way(observed.known))
    return Drawing.joined(made, observed.matrix)


def field(of: VisualField) -> Drawing:
    """The field of view: the horizontal and the vertical sector, and the rim of the blind cone behind."""
    angle = np.linspace(-of.half, of.half, ARC_STEPS + 1)
    level = np.stack((np.cos(angle), np.sin(angle), np.zeros_like(angle)), axis=1)
    upright = level[:, [0, 2, 1]]
    around = np.linspace(0.0, 2 * np.pi, 4 * RIM_SPOKES + 1)
    far, wide = np.cos(of.half), np.sin(of.half)
    rim = np.stack((np.full_like(around, far), wide * np.cos(around), wide * np.sin(around)), axis=1)
    spokes = np.stack((np.zeros((RIM_SPOKES, 3)), rim[:-1:4]), axis=1)
    lines = np.concatenate([_chain(level), _chain(upright), _chain(rim), spokes.reshape(-1, 3)])
    fan = np.stack((np.zeros((ARC_STEPS, 3)), level[:-1], level[1:]), axis=1).reshape(-1, 3)
    return Drawing.of(_placed(lines, of), FIELD_EDGE_COLOUR, _placed(fan, of), FIELD_FACE_COLOUR)


def seen(observed: Observation) -> Drawing:
    """A line from the eye to the middle of every fish that the active one sees, and a mark there."""
    recording, frame, row = observed.recording, observed.frame, observed.row
    others = observed.insight.seen(recording, frame, row)
    eye = observed.insight.field(recording, frame, row).eye
    middle = np.asarray(recording.nodes[frame, others], float).mean(axis=1)
    rays = np.stack((np.broadcast_to(eye, middle.shape), middle), axis=1)
    marks = middle[:, None] + 0.12 * recording.body_length[others][:, None, None] * OCTAHEDRON_EDGES
    return Drawing.of(np.concatenate([rays.reshape(-1, 3), marks.reshape(-1, 3)]), SEEN_COLOUR)


def focus(observed: Observation) -> Drawing:
    """A line to the focus of the active fish's intention, in the intention's colour, and a mark around it."""
    recording, frame, row = observed.recording, observed.frame, observed.row
    place = observed.insight.focus(recording, frame, row)
    if place is None:
        return Drawing.of()
    other = int(recording.target[frame, row])
    size = 0.6 * recording.body_length[other] if other >= 0 else GRAIN_LENGTHS * recording.body_length[row]
    ray = np.stack((observed.insight.field(recording, frame, row).eye, place))
    colour = (*list(INTENTIONS.values())[recording.intention[frame, row]], 0.95)
    return Drawing.of(np.concatenate([ray, place + size * OCTAHEDRON_EDGES]), colour)


def relations(observed: Observation) -> Drawing:
    """Arrows from the active fish to those that it has a relation to, and to it from those that have one to it.

    Each is in the colour of its kind, and the fainter the weaker it is.
    """
    recording, frame, bonds = observed.recording, observed.frame, observed.insight.bonds
    found = [*bonds.of(recording, frame, observed.row), *bonds.to(recording, frame, observed.row)][:MOST_RELATIONS]
    if not found:
        return Drawing.of()
    ends = np.array([(bond.fish, bond.other) for bond in found])
    start, end = np.moveaxis(np.asarray(recording.nodes[frame][ends], float).mean(axis=2), 1, 0)
    arrow = end - start
    head = arrow / np.maximum(np.linalg.norm(arrow, axis=1, keepdims=True), 1e-9)
    lines = _arrows(start, arrow, recording.body_length[ends[:, 1], None] * head)
    colours = np.array([(*RELATION_COLOURS[bond.kind], FAINTEST + (1.0 - FAINTEST) * bond.strength) for bond in found])
    return Drawing.of(lines, np.repeat(colours, lines.shape[1], axis=0))


def preferences(observed: Observation) -> Drawing:
    """The strongest motor preference of every living fish: an arrow for, a bar across its path against.

    A full preference is as long as the fish.
    """
    recording, frame = observed.recording, observed.frame
    start, way, strength = observed.insight.preferences(recording, frame)
    there = recording.alive[frame] & (np.abs(strength) >= FAINT_PREFERENCE)
    start, way, strength, length = start[there], way[there], strength[there], recording.body_length[there]
    arrow = (np.abs(strength) * length)[:, None] * way
    end, side, up = start + arrow, *_across(arrow)
    for_it = (strength > 0)[:, None]
    one, other = (end + sign * side - np.where(for_it, BARB_SHARE, 0.0) * arrow for sign in (1.0, -1.0))
    high, low = (end + sign * up - np.where(for_it, BARB_SHARE, 0.0) * arrow for sign in (1.0, -1.0))
    tip = [np.where(for_it, end, opposite) for opposite in (other, one, low, high)]
    lines = np.stack((start, end, one, tip[0], other, tip[1], high, tip[2], low, tip[3]), axis=1)
    colours = np.where(for_it, FOR_COLOUR, AGAINST_COLOUR)
    return Drawing.of(lines, np.repeat(colours, lines.shape[1], axis=0))


def currents(places: np.ndarray, velocity: np.ndarray) -> Drawing:
    """An arrow at each point where water moves: the longest is seven tenths of the grid's spacing.

    Args:
        places: Points of a grid, metres, (n, 3).
        velocity: Velocities there, m/s, (n, 3).
    """
    speed = np.linalg.norm(velocity, axis=1)
    moves = speed > STILL_SPEED
    if not moves.any():
        return Drawing.of()
    apart = np.sort(np.linalg.norm(places - places[0], axis=1))[1] if len(places) > 1 else 1.0
    start, share = places[moves], speed[moves] / speed.max()
    arrow = 0.7 * apart * velocity[moves] / speed.max()
    lines = _arrows(start, arrow, arrow)
    colours = np.asarray(SLOW_COLOUR) + share[:, None] * (np.asarray(FAST_COLOUR) - SLOW_COLOUR)
    return Drawing.of(lines, np.repeat(colours, lines.shape[1], axis=0))


def age_shares(ages: np.ndarray) -> np.ndarray:
    """Position in the legend of memories of these ages in seconds, 0 to 1, (n,), on a logarithmic scale."""
    return np.minimum(np.log1p(ages) / np.log1p(max(AGE_COLOURS)), 1.0)


def age_colours(ages: np.ndarray) -> np.ndarray:
    """Their colours, (n, 3)."""
    knots, stops = age_shares(np.array(list(AGE_COLOURS))), np.array(list(AGE_COLOURS.values()))
    return np.stack([np.interp(age_shares(ages), knots, stop) for stop in stops.T], axis=-1)


def memory(known: Knowledge) -> Drawing:
    """Solid boxes around known obstacles, wire boxes around unknown space; marks at fishes as last seen."""
    colours = age_colours(known.ages)
    lines = [known.boxes[:, BOX_WIRES].reshape(-1, 3), known.unknown[:, BOX_WIRES].reshape(-1, 3)]
    line_colours = [_each(colours, EDGE_ALPHA, BOX_WIRES.size), np.tile(UNSEEN_COLOUR, (len(lines[1]), 1))]
    marks = known.fishes[:, None] + REMEMBERED_LENGTHS * known.lengths[:, None, None] * OCTAHEDRON_EDGES
    lines.append(marks.reshape(-1, 3))
    line_colours.append(_each(age_colours(known.fish_ages), EDGE_ALPHA, len(OCTAHEDRON_EDGES)))
    faces = known.boxes[:, BOX_TRIANGLES].reshape(-1, 3)
    return Drawing.of(
        np.concatenate(lines), np.concatenate(line_colours), faces, _each(colours, FACE_ALPHA, BOX_TRIANGLES.size)
    )


def way(known: Knowledge) -> Drawing:
    """The remaining path, and the places from which the fish has yet to look on."""
    path = np.stack((known.way[:-1], known.way[1:]), axis=1).reshape(-1, 3)
    marks = (known.frontier[:, None] + FRONTIER_METRES * OCTAHEDRON_EDGES).reshape(-1, 3)
    colours = [np.tile(WAY_COLOUR, (len(path), 1)), np.tile(FRONTIER_COLOUR, (len(marks), 1))]
    return Drawing.of(np.concatenate((path, marks)), np.concatenate(colours))


def words(observed: Observation) -> tuple[np.ndarray, list[str], np.ndarray]:
    """The intention of every living fish.

    Returns:
        Places above the fishes in metres in Blender's world, (n, 3); the words; their colours, (n, 3).
    """
    recording, frame = observed.recording, observed.frame
    there = np.flatnonzero(recording.alive[frame])
    nodes = np.asarray(recording.nodes[frame, there], float)
    place = nodes.mean(axis=1)
    place[:, 2] = nodes[..., 2].max(axis=1) + 0.1 * recording.body_length[there]
    intention = recording.intention[frame, there]
    colours = np.array(list(INTENTIONS.values()))[intention]
    return moved(place, observed.matrix), [Recording.INTENTIONS[row] for row in intention], colours


def projected(places: np.ndarray, matrix: Any, width: float, height: float) -> tuple[np.ndarray, np.ndarray]:
    """Screen positions of points (n, 3).

    Args:
        places: Points, metres.
        matrix: Matrix from the world to clip space, (4, 4).
        width: Width of the region in pixels.
        height: Its height.

    Returns:
        Pixels from the bottom left, (n, 2), and whether each is in front of the viewer and on the screen, (n,).
    """
    clip = np.column_stack((places, np.ones(len(places)))) @ np.asarray(matrix, float).T
    ahead = clip[:, 3] > 1e-6
    cube = clip[:, :2] / np.where(ahead, clip[:, 3], 1.0)[:, None]
    return (0.5 + 0.5 * cube) * (width, height), ahead & (np.abs(cube) < 1.0).all(axis=1)


def _arrows(start: np.ndarray, arrow: np.ndarray, head: np.ndarray) -> np.ndarray:
    """Lines of arrows from points (n, 3), with tips as of arrows of other lengths, (n, 3) all, (n, 10, 3)."""
    end, side, up = start + arrow, *_across(head)
    barbs = [end - BARB_SHARE * head + way for way in (side, -side, up, -up)]
    return np.stack((start, end, end, barbs[0], end, barbs[1], end, barbs[2], end, barbs[3]), axis=1)


def _chain(points: np.ndarray) -> np.ndarray:
    """The lines from each point to the next, (2 n, 3)."""
    return np.stack((points[:-1], points[1:]), axis=1).reshape(-1, 3)


def _octahedron() -> np.ndarray:
    tips = np.concatenate((np.eye(3), -np.eye(3)))
    return np.concatenate([(tips[i], tips[j]) for i in range(6) for j in range(i) if i != j + 3])


OCTAHEDRON_EDGES = _octahedron()
"""The ends of the twelve edges of an octahedron of radius 1, (24, 3)."""


def _placed(points: np.ndarray, of: VisualField) -> np.ndarray:
    """Points of an eye's unit sphere in the world."""
    return of.eye + of.radius * points @ of.axes.T


def _across(arrow: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two vectors across each arrow, half as long as its barbs, (n, 3) each."""
    upright = np.abs(arrow[:, 2]) > 0.9 * np.linalg.norm(arrow, axis=1)
    other = np.where(upright[:, None], (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    size = 0.5 * BARB_SHARE * np.linalg.norm(arrow, axis=1, keepdims=True)
    side = np.cross(arrow, other)
    side *= size / np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-12)
    up = np.cross(side, arrow)
    return side, up * size / np.maximum(np.linalg.norm(up, axis=1, keepdims=True), 1e-12)


def _spread(colour: ArrayLike, points: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(np.broadcast_to(np.asarray(colour, np.float32), (len(points), 4)))


def _each(colours: np.ndarray, alpha: float, points: int) -> np.ndarray:
    """Colours (n, 3) with an alpha, for so many points each, (n * points, 4)."""
    return np.repeat(np.column_stack((colours, np.full(len(colours), alpha))), points, axis=0)
