"""The surroundings of an eye as shapes to be drawn, each with its identity and its colour.

Fishes are the coarse meshes of their surfaces; pillars, plankton and bubbles are what they are; meshes, the bed and
what moves are their triangles. The water's own surface is seen, too, from below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ...base.attitude import rotated
from ...base.elementary import sin_and_cos
from ...base.sums import mean
from ...body.anatomy import FACES, NODES
from ...form.coupling import coupling_of
from ...form.look import Look
from ...form.polygons import POLYGON_PARTS, polygons_of
from ...geometry.bed import Bed
from ...geometry.deforming import Deforming
from ...geometry.moving import Moving
from ...scene.species import Species
from ..tuning import COLOURS, DRAWN_SIDES, HOOK_WIDTH
from .drawing import Shapes

WALLS = "wall", "wall", "wall", "wall", "bottom", "surface"
"""Kinds of the six walls of the water, as `drawing` numbers them."""


@dataclass(frozen=True)
class SeenIdentity:
    """The object of an identity.

    Attributes:
        identity: Its number in identity maps.
        kind: "fish", "obstacle", "submarine", "wall", "bottom", "surface", "bed", "leaf", "food", "bubble", "bait" or
            "hook", which is the line, too.
        row: Row within its kind; of a fish or an obstacle its row in the world.
    """

    identity: int
    kind: str
    row: int


class RetinaScenery:
    """Everything visible in a world at a moment.

    Attributes:
        shapes: Their forms.
        owner: Identity of each shape, in the order of their marks, and 0 at the end for `NOTHING`, (shapes + 1,) int32.
        colour: Colour of each, linear red, green and blue, and black at the end, (shapes + 1, 3) float32.
        walls: Identities of the six walls of the water, (6,).
        first: First identity of each kind that there is, and the number of its identities.
        own: The first triangle of each fish and the one after its last, (fish, 2).
    """

    def __init__(self, parts: Any, bodies: np.ndarray | None = None) -> None:
        """Gathers the visible things.

        Args:
            parts: Parts of a world (`world.parts.Parts`).
            bodies: Nodes of all fishes in metres, (fish, 23, 3), whose faces are drawn in place of their surfaces.
        """
        water = parts.water
        self.first: dict[str, tuple[int, int]] = {}
        self.identities = 0
        self._meshes: list[tuple[np.ndarray, ...]] = []
        self._count = 0
        self._balls: list[tuple[np.ndarray, np.ndarray, str]] = []
        self._pillars: list[tuple[np.ndarray, int]] = []
        fishes, scene = len(parts.bodies.shoal), parts.model.scene
        self._name("fish", fishes)
        if bodies is None:
            self._fishes(parts)
        else:
            self._bodies(bodies, np.flatnonzero(parts.bodies.shoal.alive))
        self._name("obstacle", len(scene.obstacles))
        self._obstacles(parts, fishes + 1)
        self._bed_and_walls(scene)
        self._weed(water.weed, scene)
        plankton, bubbles = water.plankton, water.bubbles
        self._ball(plankton.place, np.full(len(plankton.place), 0.5 * scene.plankton.size), plankton.alive, "food")
        self._ball(bubbles.place, 0.5 * bubbles.size, bubbles.alive, "bubble")
        if water.hook is not None:
            self._hook(water.hook)
        self._gather()

    @property
    def table(self) -> tuple[SeenIdentity, ...]:
        """The object of each identity, from 1 on."""
        return tuple(
            SeenIdentity(first + row, kind, row) for kind, (first, count) in self.first.items() for row in range(count)
        )

    def of(self, *kinds: str) -> np.ndarray:
        """Mask of identities of these kinds, (identities + 1,) bool; 0 is of none."""
        found = np.zeros(self.identities + 1, dtype=bool)
        for first, count in (self.first.get(kind, (0, 0)) for kind in kinds):
            found[first : first + count] = count > 0
        return found

    def _name(self, kind: str, count: int) -> np.ndarray:
        """Numbers what is of a kind, on from what there is of it; the identities, (count,)."""
        first = self.identities + 1
        begun, before = self.first.get(kind, (first, 0))
        self.first[kind] = begun, before + count
        self.identities += count
        return np.arange(first, first + count)

    def _fishes(self, parts: Any) -> None:
        bodies = parts.bodies
        shoal, signs = bodies.shoal, bodies.signs
        self.own, first = np.zeros((len(bodies.shoal), 2), dtype=np.int64), 0
        fins, names = bodies.fins.fins(bodies.gamma), np.array(parts.species)
        look = Look(signs.breath, signs.fold, signs.tail, signs.gaze)
        for name in dict.fromkeys(parts.species):
            rows = np.flatnonzero((names == name) & shoal.alive)
            skin = skin_of(parts.model.models[name])
            now = Look(*(of[rows] for of in vars(look).values()))
            places = skin.polygons.placed(shoal.nodes[rows], fins[rows], shoal.length[rows], bodies.mouth[rows], now)
            count = skin.polygons.count
            triangles = skin.triangles + count * np.arange(len(rows))[:, None, None]
            many = len(skin.triangles)
            self.own[rows] = first + many * np.arange(len(rows))[:, None] + (0, many)
            first += many * len(rows)
            owner, colour = np.repeat(rows + 1, many), np.tile(skin.colour, (len(rows), 1))
            self._add(places.reshape(-1, 3), triangles.reshape(-1, 3), np.tile(skin.both, len(rows)), owner, colour)

    def _bodies(self, nodes: np.ndarray, there: np.ndarray) -> None:
        """The bodies of the fishes that are there, (n,), by the faces between their masses, all of a colour."""
        self.own, many = np.zeros((len(nodes), 2), dtype=np.int64), len(FACES)
        self.own[there] = many * np.arange(len(there))[:, None] + (0, many)
        triangles = (FACES + NODES * np.arange(len(there))[:, None, None]).reshape(-1, 3)
        owner, grey = np.repeat(there + 1, many), np.full((len(triangles), 3), 0.5)
        self._add(nodes[there].reshape(-1, 3), triangles, np.zeros(len(triangles), dtype=bool), owner, grey)

    def _obstacles(self, parts: Any, first: int) -> None:
        movers, scene = parts.water.obstacles.movers, parts.model.scene
        moving = dict(zip(movers.rows.tolist(), zip(movers.solids, movers.pose, strict=True), strict=True))
        for row, obstacle in enumerate(scene.obstacles):
            if obstacle.kind == "cylinder" and row not in moving:
                self._pillars.append((np.array([*obstacle.at, obstacle.radius, obstacle.height]), first + row))
            else:
                vertices, triangles = _moved(obstacle, *moving[row]) if row in moving else obstacle.placed
                self._solid(vertices, triangles, first + row, COLOURS["obstacle"])
        if scene.ride is not None:
            (identity,) = self._name("submarine", 1)
            pose = movers.pose[-1]
            vertices, faces = _prism(0.5 * scene.ride.girth, scene.ride.length)
            along = (vertices - (0.0, 0.0, 0.5 * scene.ride.length))[:, [2, 1, 0]] * (1.0, 1.0, -1.0)
            self._solid(rotated(pose[3:], along) + pose[:3], faces, int(identity), COLOURS["submarine"])

    def _bed_and_walls(self, scene: Any) -> None:
        size = np.array(scene.tank.size, dtype=float)
        self.walls = np.concatenate([self._name(kind, 1) for kind in WALLS])
        self._box = np.stack([np.zeros(3), size]) if scene.tank.faces is None else None
        if scene.tank.faces is not None:
            surface = scene.tank.basin.surface
            self._solid(surface.vertices, surface.triangles, int(self.walls[0]), COLOURS["wall"], both=True)
        if scene.terrain is not None:
            (identity,) = self._name("bed", 1)
            self._solid(*ground_of(scene), int(identity), COLOURS["bed"], both=True)

    def _weed(self, weed: Any, scene: Any) -> None:
        """A ribbon a leaf, that lies across the way it leans."""
        place = weed.place
        identities = self._name("leaf", len(place))
        if not len(place):
            return
        width = 0.5 * np.array([scene.seaweed[cluster].width for cluster in weed.cluster])[:, None, None]
        side = width * np.stack([*sin_and_cos(identities.astype(float)), np.zeros(len(place))], axis=1)[:, None]
        ribbon, own = _ribbon(place - side, place + side)
        triangles = (own + ribbon.shape[1] * np.arange(len(place))[:, None, None]).reshape(-1, 3)
        owner = np.repeat(identities, len(own))
        colour = np.tile(COLOURS["leaf"], (len(owner), 1))
        self._add(ribbon.reshape(-1, 3), triangles, np.ones(len(owner), bool), owner, colour)

    def _ball(self, place: np.ndarray, radius: np.ndarray, alive: np.ndarray, kind: str) -> None:
        identities, there = self._name(kind, len(place)), np.flatnonzero(alive)
        self._balls.append((np.column_stack([place[there], radius[there]]), identities[there], kind))

    def _hook(self, hook: Any) -> None:
        """The line and the bend as a narrow ribbon, and the bait."""
        (identity,) = self._name("hook", 1)
        points, half = hook.points, 0.5 * HOOK_WIDTH * hook.description.size
        ribbon = _ribbon(points - (0.0, half, 0.0), points + (0.0, half, 0.0))
        self._solid(*ribbon, int(identity), COLOURS["hook"], both=True)
        self._ball(hook.place[None], np.array([0.5 * hook.bait]), np.array([hook.offered]), "bait")

    def _solid(
        self, vertices: np.ndarray, triangles: np.ndarray, identity: int, colour: Sequence[float], both: bool = False
    ) -> None:
        many = len(triangles)
        self._add(vertices, triangles, np.full(many, both), np.full(many, identity), np.tile(colour, (many, 1)))

    def _add(
        self, vertices: np.ndarray, triangles: np.ndarray, both: np.ndarray, owner: np.ndarray, colour: np.ndarray
    ) -> None:
        self._meshes.append((vertices.astype(float), triangles + self._count, both, owner, colour))
        self._count += len(vertices)

    def _gather(self) -> None:
        none = np.zeros((0, 3)), np.zeros((0, 3), int), np.zeros(0, bool), np.zeros(0, int), np.zeros((0, 3))
        vertices, triangles, both, owner, colour = (np.concatenate(of) for of in zip(none, *self._meshes, strict=True))
        balls = np.concatenate([of for of, _, _ in self._balls])
        pillars = np.array([of for of, _ in self._pillars]).reshape(-1, 5)
        self.shapes = Shapes(vertices, triangles.astype(np.int32), both, balls, pillars, self._box)
        owners = [owner, *[of for _, of, _ in self._balls], np.array([of for _, of in self._pillars], dtype=int)]
        colours = [colour, *[np.tile(COLOURS[kind], (len(of), 1)) for of, _, kind in self._balls]]
        colours.append(np.tile(COLOURS["obstacle"], (len(pillars), 1)))
        if self._box is not None:
            owners.append(self.walls)
            colours.append(np.array([COLOURS[kind] for kind in WALLS]))
        self.owner = np.concatenate([*owners, [0]]).astype(np.int32)
        self.colour = np.concatenate([*colours, [(0.0, 0.0, 0.0)]]).astype(np.float32)


class CoarseSkin:
    """The coarse mesh of a species, in triangles.

    Attributes:
        coupling: Coupling of its surfaces.
        polygons: The mesh.
        triangles: Vertices of the triangles, (n, 3).
        both: Whether each is of a fin, which has no inside, (n,) bool.
        colour: Colour of each, (n, 3).
    """

    def __init__(self, species: Species) -> None:
        self.coupling, self.polygons = coupling_of(species), polygons_of(species, coarse=True)
        faces, part, uv = self.polygons.faces, self.polygons.part, mean(self.polygons.uv, axis=1)
        self.triangles = np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])
        skin = part == POLYGON_PARTS.index("skin")
        looks, up = species.looks, 1.0 - uv[:, :1]
        colour = np.where(up > 1.0 - looks.back_reach, looks.back, looks.side)
        colour = np.where(up < looks.belly_reach, looks.belly, colour)
        colour = np.where(uv[:, 1:] > 1.0 - looks.rear_reach, looks.rear, colour)
        colour = np.where(uv[:, 1:] < looks.face_reach, looks.face, colour)
        for number, name in enumerate(POLYGON_PARTS[1:5], 1):
            colour = np.where((part == number)[:, None], getattr(looks, name), colour)
        self.both, self.colour = np.tile(~skin, 2), np.tile(colour, (2, 1))


_made: dict[tuple[str, int], tuple[Any, Any]] = {}
MOST_MADE = 64
"""Species and scenes whose meshes are kept in memory."""


def _once(kind: str, of: Any, make: Callable[[Any], Any]) -> Any:
    """The product of a species or a scene, which are never changed, made once."""
    known = _made.get((kind, id(of)))
    if known is None or known[0] is not of:
        while len(_made) >= MOST_MADE:
            del _made[next(iter(_made))]
        _made[kind, id(of)] = known = of, make(of)
    return known[1]


def skin_of(species: Species) -> CoarseSkin:
    """The mesh of a species."""
    return _once("skin", species, CoarseSkin)


def ground_of(scene: Any) -> tuple[np.ndarray, np.ndarray]:
    """The bed of the sea of a scene: vertices in metres, (v, 3), and their rows for each triangle, (n, 3)."""
    return _once("ground", scene, _ground)


def _moved(obstacle: Any, solid: Moving, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Vertices in metres and triangles of an obstacle where it is now."""
    if isinstance(solid, Deforming):
        return solid.vertices, solid.triangles
    if obstacle.kind == "cylinder":
        vertices, faces = _prism(obstacle.radius, obstacle.height)
    else:
        vertices, faces = obstacle.upright(obstacle.surface.vertices), obstacle.surface.triangles
    return rotated(pose[3:], vertices) + pose[:3], faces


def _ribbon(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The strip between the two edges of each ribbon, (..., k, 3) both: its vertices, (..., 2k, 3), and triangles."""
    many = left.shape[-2]
    step = 2 * np.arange(many - 1)[:, None]
    vertices = np.stack([left, right], axis=-2).reshape(*left.shape[:-2], 2 * many, 3)
    return vertices, np.concatenate([step + (0, 1, 3), step + (0, 3, 2)])


@lru_cache(maxsize=64)
def _prism(radius: float, height: float) -> tuple[np.ndarray, np.ndarray]:
    """An upright pillar with its foot at the origin, as triangles."""
    angle = 2.0 * np.pi * np.arange(DRAWN_SIDES) / DRAWN_SIDES
    ring = radius * np.stack([*sin_and_cos(angle), 0.0 * angle], axis=1)
    vertices = np.concatenate([ring, ring + (0.0, 0.0, height), [(0.0, 0.0, 0.0), (0.0, 0.0, height)]])
    here, foot, top = np.arange(DRAWN_SIDES), 2 * DRAWN_SIDES, 2 * DRAWN_SIDES + 1
    after = np.roll(here, -1)
    sides = [(here, after, DRAWN_SIDES + after), (here, DRAWN_SIDES + after, DRAWN_SIDES + here)]
    ends = [
        (np.full(DRAWN_SIDES, foot), after, here),
        (np.full(DRAWN_SIDES, top), DRAWN_SIDES + here, DRAWN_SIDES + after),
    ]
    return vertices, np.concatenate([np.stack(of, axis=1) for of in (*sides, *ends)])


def _ground(scene: Any) -> tuple[np.ndarray, np.ndarray]:
    """The bed of the sea as triangles."""
    bed = Bed.from_scene(scene)
    assert bed is not None
    x, y = np.meshgrid(bed.x, bed.y, indexing="ij")
    vertices = np.stack([x, y, bed.heights], axis=-1).reshape(-1, 3)
    rows = np.arange(x.size).reshape(x.shape)
    corners = rows[:-1, :-1], rows[1:, :-1], rows[1:, 1:], rows[:-1, 1:]
    a, b, c, d = (of.ravel() for of in corners)
    return vertices, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
