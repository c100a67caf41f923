"""Between the objects of a Blender scene and a scene file: `read` makes the one of the other, `write` the other way.

What stands in the water is told by `Object.artfish`, not by names, so objects may be renamed, moved, scaled, linked and
deleted. A scene file's tank begins at the origin; in Blender it may stand anywhere, and `Reading.origin` says where.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from math import pi
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import bpy
import numpy as np
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree

from ...core.base.codec import Height, Item, Place, SceneError, Spot, Wording, decode, shown
from ...core.scene.scene import MeshObstacle, Scene, Tank, Terrain
from ...core.scene.species import Species
from ..blender.declarations import fill, json_of
from ..blender.keyframes import reading_at
from ..direction import conversion as direction_conversion
from ..direction import markers
from ..identity.film_time import film
from ..identity.film_time import short as _short
from ..identity.roles import is_evaluated, objects_of, refuse_hidden, world
from ..species import library
from .objects import At, add, clear, collection_of
from .properties import display_size

DEFAULT_TANK = (10.0, 8.0, 4.0)
"""Metres, of the water where no tank stands."""
BED_PLACES = 64
"""Places along each side of the tank at which the height of a mesh is felt."""
NEAR = 1e-4
"""Metres that a place may be beyond the tank by rounding."""
SIDES = 24
"""Of a pillar's mesh."""
AHEAD = Vector((1.0, 0.0, 0.0))
UP = Vector((0.0, 0.0, 1.0))
ELSEWHERE = "; one edited in another file must be saved as your own there, or exported there and imported here"
"""What to do about a species that is not known."""
BOX = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
"""Faces of a box whose corners come as those of `_corners`."""
EDGES = ((0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7))
"""Its edges."""


_shapes: WeakValueDictionary[tuple[Any, ...], Any] = WeakValueDictionary()


class Shape(NamedTuple):
    """What is made of meshes: the same object again as long as these stay as they are and anybody holds it.

    To check a mesh and to sample the water around it takes long, and is done once for the object made of it.

    Attributes:
        of: The class of what is made.
        key: What it depends on.
        tell: Tells it as JSON would hold it.
    """

    of: type
    key: tuple[Any, ...]
    tell: Callable[[], dict[str, Any]]

    def made(self, place: Place) -> Any:
        """What is made, of which messages say that it stands at a place.

        Raises:
            SceneError: The meshes are not as they must be.
        """
        key = self.of, self.key
        made = _shapes.get(key)
        if made is None:
            made = _shapes[key] = decode(self.of, self.tell(), place)
        return made


class Hull(NamedTuple):
    """A mesh as Blender evaluates it, modifiers and all.

    Attributes:
        places: Of its vertices in Blender's coordinates, (n, 3) float32.
        sizes: How many corners each face has, (m,).
        corners: The vertices of all faces, one face after the other.
    """

    places: np.ndarray
    sizes: np.ndarray
    corners: np.ndarray

    @property
    def key(self) -> bytes:
        """The same for the same mesh."""
        found = blake2b(digest_size=16)
        for array in self:
            found.update(np.int64(len(array)).tobytes() + array.tobytes())
        return found.digest()

    @property
    def faces(self) -> list[list[int]]:
        """The vertices of each face."""
        corners, ends = self.corners.tolist(), np.cumsum(self.sizes).tolist()
        return [corners[first:end] for first, end in zip([0, *ends], ends, strict=False)]


@dataclass(frozen=True)
class Reading:
    """A Blender scene as the simulation reads it.

    Attributes:
        scene: What lives and stands in it, checked.
        origin: Where the corner of its tank, the origin of its own coordinates, is in Blender, in metres.
        models: Species by name, those edited in this file first.
        objects: Which objects made the items of each list of the scene, such as "fishes", in order.
    """

    scene: Scene
    origin: Vector
    models: dict[str, Species]
    objects: dict[str, list[bpy.types.Object]] = field(default_factory=dict)

    @property
    def shoals(self) -> list[bpy.types.Object]:
        """The empties of the groups of fishes, in order."""
        return self.objects.get("fishes", [])


def read(scene: bpy.types.Scene, first: int | None = None) -> Reading:
    """The scene that its objects and settings make.

    Args:
        scene: The scene.
        first: Frame at which the film begins; the scene's first if left out.

    Raises:
        SceneError: Something is not as it must be; the message names the object.
    """
    held = draft(scene, first)
    return held.read(held.form())


@dataclass(frozen=True)
class Draft:
    """A Blender scene that is read as far as Blender is needed; the rest, which may take seconds, is `form`.

    Attributes:
        form: Makes the scene and touches nothing of Blender; raises a SceneError, as `read` does.
        origin: See `Reading`.
        models: The same.
        objects: The same.
    """

    form: Callable[[], Scene]
    origin: Vector
    models: dict[str, Species]
    objects: dict[str, list[bpy.types.Object]]

    def read(self, formed: Scene) -> Reading:
        """The reading, with what `form` has made."""
        return Reading(formed, self.origin, self.models, self.objects)


def draft(scene: bpy.types.Scene, first: int | None = None) -> Draft:
    """What Blender is needed for to `read` a scene.

    Raises:
        SceneError: What Blender says already is not as it must be.
    """
    data, origin, objects = to_data(scene, first)
    models = _models(scene, {group["species"] for group in data.get("fishes", ())})
    names = {key: [thing.name for thing in found] for key, found in objects.items()}
    return Draft(partial(_form, data, scene.name, library.names(scene), names, origin), origin, models, objects)


def _form(data: dict[str, Any], file: str, known: list[str], names: dict[str, list[str]], origin: Vector) -> Scene:
    """The scene of what `to_data` found; what is wrong with it is said of the objects."""
    try:
        return Scene.from_dict(_shaped(data, file), file, known)
    except SceneError as error:
        wording = InBlender(names, origin)
        allowed = wording.words(error.allowed) + (ELSEWHERE if error.key.endswith(".species") else "")
        there = "" if error.file == file else error.file
        raise SceneError(wording.words(error.found), allowed, wording.key(error.key), there) from None


class InBlender(Wording):
    """How what is wrong with a scene is written for an animator: with names of objects, and places as Blender has them.

    Attributes:
        names: Of the objects that made the items of each list of the scene, in order.
        origin: Where the scene's own origin is in Blender, in metres.
    """

    def __init__(self, names: dict[str, list[str]], origin: Vector) -> None:
        self.names, self.origin = names, origin

    def key(self, key: str) -> str:
        """The object in place of an item of a list; of a tank or a bed there is one, be it of several objects."""
        section, dot, rest = key.partition(".")
        if section in ("tank", "terrain") and self.names.get(section):
            return ", ".join(self.names[section]) + dot + rest
        section, _, rest = key.partition("[")
        number, _, rest = rest.partition("]")
        return self.item(Item(section, int(number))) + rest if number else key

    def spot(self, spot: Spot) -> str:
        """A place counts from Blender's origin."""
        return shown(direction_conversion.rounded(self.origin + Vector(spot.at)))

    def height(self, height: Height) -> str:
        """A height counts from Blender's origin."""
        return f"{self.origin.z + height.z:.3g}"

    def item(self, item: Item) -> str:
        """The name of the object."""
        names = self.names.get(item.section, [])
        return names[item.index] if item.index < len(names) else super().item(item)


def to_data(
    scene: bpy.types.Scene, first: int | None = None
) -> tuple[dict[str, Any], Vector, dict[str, list[bpy.types.Object]]]:
    """The scene as JSON holds it, where its origin is in Blender, and which objects made its lists.

    What is made of meshes is a `Shape`.
    """
    markers.follow(scene)
    begins = film(scene)[0] if first is None else first
    with reading_at(begins):
        return _to_data(scene, begins)


def _to_data(scene: bpy.types.Scene, begins: int) -> tuple[dict[str, Any], Vector, dict[str, list[bpy.types.Object]]]:
    low, size = size_of(scene)
    settings, render = scene.artfish, scene.render
    fps = float(f"{render.fps / render.fps_base:.7g}")
    data: dict[str, Any] = json_of(settings.water) | {"fps": fps}
    if settings.still_water:
        data["fluid_viscosity"] = 0.0
    starts, ends = film(scene)
    data["duration"] = max(ends - starts + 1, 1) / fps
    data["tank"] = _tank(scene, low, size)
    data["light"], data["temperature"] = json_of(settings.light), json_of(settings.temperature)
    objects = {"tank": objects_of(scene, "TANK")[:1]}

    def place(thing: bpy.types.Object) -> list[float]:
        return _within(world(thing).translation - low, size)

    def each(key: str, kind: str, tell: Any) -> None:
        found = objects_of(scene, kind)
        if found:
            data[key], objects[key] = [inside(thing, tell(thing, place(thing))) for thing in found], found

    def inside(thing: bpy.types.Object, told_of: dict[str, Any]) -> dict[str, Any]:
        at = told_of.get("at", low - low)
        if any(not 0.0 <= x <= length for x, length in zip(at, size[:], strict=True)):
            found = shown(direction_conversion.rounded(low + Vector(at)))
            ends = [shown(direction_conversion.rounded(end)) for end in (low, low + size)]
            raise SceneError(found, f"in the tank, {ends[0]} to {ends[1]}", key=f"{thing.name}.at")
        return told_of

    each("fishes", "SHOAL", _shoal)
    solids = {thing: _obstacle(thing, place(thing), low, size) for thing in objects_of(scene, "OBSTACLE")}
    there = {thing: solid for thing, solid in solids.items() if solid is not None}
    if there:
        data["obstacles"], objects["obstacles"] = list(there.values()), list(there)
    if settings.flow:
        each("current", "CURRENT", _current)
    each("seaweed", "SEAWEED", lambda thing, at: {"at": at, **_scaled(json_of(thing.artfish.seaweed), thing)})
    each("bubbles", "BUBBLES", lambda thing, at: {"at": at, **_scaled(json_of(thing.artfish.bubbles), thing)})
    for thing in objects_of(scene, "PLANKTON")[:1]:
        data["plankton"] = _scaled(json_of(thing.artfish.plankton), thing)
        if not thing.artfish.everywhere:
            data["plankton"] = inside(thing, {"at": place(thing), **data["plankton"]})
    for thing in objects_of(scene, "HOOK")[:1]:
        data["hook"] = inside(thing, {"at": place(thing), **json_of(thing.artfish.hook)})
    sources = objects_of(scene, "HEAT")
    if sources:
        heat = [inside(thing, {"at": place(thing), **_scaled(json_of(thing.artfish.heat), thing)}) for thing in sources]
        data["temperature"]["sources"], objects["temperature.sources"] = heat, sources
    beds = objects_of(scene, "BED")
    if beds:
        data["terrain"], objects["terrain"] = _bed(beds, low, size), beds
    elif settings.hills:
        data["terrain"] = json_of(settings.terrain)
    for thing in objects_of(scene, "CAMERA")[:1]:
        if thing.type == "CAMERA":
            data["camera"] = _camera(thing, low)
    led, leading = direction_conversion.read(scene, objects.get("fishes", []), low, fps, begins)
    data |= led
    objects |= leading
    for thing, event in zip(objects.get("events", ()), data.get("events", ()), strict=True):
        inside(thing, event)
    return data, low, objects


def write(scene: bpy.types.Scene, wanted: Scene, origin: At = (0.0, 0.0, 0.0)) -> bpy.types.Collection:
    """Make objects and settings of a scene; what stood in the water before is cleared away.

    Objects that Artfish made go; an animator's own meshes and cameras stay and are no part of the scene any more.

    Args:
        scene: Gets them.
        wanted: What they are to say.
        origin: Where the corner of the tank is to stand, in metres.

    Returns:
        The collection that holds them.
    """
    data, low = wanted.to_dict(), Vector(origin)
    clear(scene)
    settings = scene.artfish
    fill(settings.water, data)
    fill(settings.light, data.get("light", {}))
    fill(settings.temperature, data.get("temperature", {}))
    settings.flow, settings.still_water = True, False
    settings.hills = wanted.terrain is not None and wanted.terrain.heights is None
    fill(settings.terrain, data.get("terrain", {}))
    scene.render.fps = max(1, round(wanted.fps))
    scene.render.fps_base = scene.render.fps / wanted.fps
    scene.frame_end = scene.frame_start + wanted.frames - 1
    size = Vector(wanted.tank.size)
    if wanted.tank.faces is None:
        add_tank(scene, low + 0.5 * size, size)
    else:
        walls = bpy.data.meshes.new("Tank")
        walls.from_pydata(wanted.tank.vertices, [], wanted.tank.faces)
        tank = add(scene, "TANK", low, walls)
        tank.display_type, tank.hide_render = "WIRE", True
    for group in data.get("fishes", ()):
        _put_shoal(scene, group, low)
    for obstacle, held in zip(wanted.obstacles, data.get("obstacles", ()), strict=True):
        _put_obstacle(scene, obstacle, held, low)
    for held in data.get("current", ()):
        thing = add(scene, "CURRENT", low + (Vector(held["at"]) if "at" in held else 0.5 * size))
        current = thing.artfish.current
        fill(current, held)
        current.kind, current.radius = held["kind"], held.get("radius", current.radius)
        if "direction" in held:
            _point(thing, UP, held["direction"])
    for key, kind in (("seaweed", "SEAWEED"), ("bubbles", "BUBBLES")):
        for held in data.get(key, ()):
            fill(getattr(add(scene, kind, low + Vector(held["at"])).artfish, key), held)
    plankton = data.get("plankton", {})
    if plankton.get("count"):
        thing = add(scene, "PLANKTON", low + Vector(plankton.get("at", 0.5 * size)))
        fill(thing.artfish.plankton, plankton)
        thing.artfish.everywhere = "at" not in plankton
    if wanted.hook is not None:
        fill(add(scene, "HOOK", low + Vector(wanted.hook.at)).artfish.hook, data["hook"])
    for held in data.get("temperature", {}).get("sources", ()):
        fill(add(scene, "HEAT", low + Vector(held["at"])).artfish.heat, held)
    if wanted.terrain is not None and wanted.terrain.heights is not None:
        _put_bed(scene, wanted.terrain.heights, low, size)
    if wanted.camera is not None:
        _put_camera(scene, wanted.camera, low)
    direction_conversion.write(scene, wanted, low, objects_of(scene, "SHOAL"))
    markers.follow(scene)
    return collection_of(scene)


def add_tank(scene: bpy.types.Scene, at: At, size: At) -> bpy.types.Object:
    """A new tank about a place: edges of a box, for an empty whose scale is applied becomes a cube."""
    walls = bpy.data.meshes.new("Tank")
    walls.from_pydata(_corners(Vector((-0.5,) * 3), Vector((0.5,) * 3)), EDGES, [])
    tank = add(scene, "TANK", at, walls)
    tank.scale = size
    return tank


def _bed(beds: list[bpy.types.Object], low: Vector, size: Vector) -> Shape:
    """The bed of the sea over a grid in the tank."""
    columns, rows = beds[0].get("artfish_places", (BED_PLACES, BED_PLACES))
    hulls = [_hull(bed) for bed in beds]
    for bed, hull in zip(beds, hulls, strict=True):
        if not len(hull.sizes):
            raise SceneError("a mesh without faces", "one with an upper side, as the sea bed", key=bed.name)
    key = (*(hull.key for hull in hulls), low[:], size[:], columns, rows)
    return Shape(Terrain, key, partial(_told_bed, hulls, low, size, columns, rows))


def _told_bed(hulls: list[Hull], low: Vector, size: Vector, columns: int, rows: int) -> dict[str, Any]:
    """Heights of meshes over a grid in the tank, rows along x, from its floor; 0 where there is no mesh."""
    trees = [BVHTree.FromPolygons(hull.places.tolist(), hull.faces) for hull in hulls]
    above, found = low.z + size.z + 1.0, []
    for row in range(rows):
        line = []
        for column in range(columns):
            # Rays through the very edge of a mesh may miss it.
            x = low.x + size.x * min(max(column / (columns - 1), 1e-5), 1 - 1e-5)
            y = low.y + size.y * min(max(row / (rows - 1), 1e-5), 1 - 1e-5)
            hits = [tree.ray_cast(Vector((x, y, above)), -UP)[0] for tree in trees]
            line.append(_short(max([hit.z - low.z for hit in hits if hit is not None] + [0.0])))
        found.append(line)
    return {"heights": found}


def size_of(scene: bpy.types.Scene) -> tuple[Vector, Vector]:
    """Lowest corner and size of the water."""
    for thing in objects_of(scene, "TANK")[:1]:
        matrix = world(thing)
        corners = [matrix @ corner for corner in _box(thing)]
        low = Vector([min(corner[axis] for corner in corners) for axis in range(3)])
        return low, Vector([max(corner[axis] for corner in corners) - low[axis] for axis in range(3)])
    size = Vector(DEFAULT_TANK)
    return Vector((-0.5 * size.x, -0.5 * size.y, 0.0)), size


def _shaped(data: dict[str, Any], file: str) -> dict[str, Any]:
    """What `to_data` found, with what is made of meshes made."""

    def made(value: Any, place: Place) -> Any:
        if isinstance(value, Shape):
            return value.made(place)
        return [made(item, place.item(row)) for row, item in enumerate(value)] if isinstance(value, list) else value

    return {key: made(value, Place(file, key)) for key, value in data.items()}


def _tank(scene: bpy.types.Scene, low: Vector, size: Vector) -> dict[str, Any] | Shape:
    """The tank, with vertices and faces where it is no upright box."""
    box = {"size": [_short(length) for length in size]}
    for thing in objects_of(scene, "TANK")[:1]:
        hull = _box_hull(thing) if _is_told_by_box(thing) else _hull(thing)
        if len(hull.places) == 8:
            ends = [{_short(place - low[axis]) for place in hull.places[:, axis].tolist()} for axis in range(3)]
            if all(len(places) <= 2 for places in ends):
                return box
        key = hull.key, low[:], size[:]
        return Shape(Tank, key, partial(_told_walls, box, hull, low))
    return box


def _is_told_by_box(thing: bpy.types.Object) -> bool:
    """Whether a tank is the box about its object: it is an empty, or has but edges, which must be those of a box."""
    mesh = thing.data
    if not isinstance(mesh, bpy.types.Mesh) or mesh.polygons or thing.modifiers:
        return thing.type == "EMPTY"
    if not (_is_box_of_edges(mesh) or _is_wire_box(mesh)):
        found = "edges without faces that are no whole box, or single vertices beside it"
        raise SceneError(found, "the edges of a box, an empty, or a closed mesh", thing.name)
    return True


def _told_walls(box: dict[str, Any], hull: Hull, low: Vector) -> dict[str, Any]:
    """A tank that is no box as JSON holds it."""
    return box | {"vertices": _rounded_all(hull.places, low), "faces": hull.faces}


def _box_hull(thing: bpy.types.Object) -> Hull:
    matrix = world(thing)
    places = np.array([(matrix @ corner)[:] for corner in _box(thing)], dtype=np.float32)
    return Hull(places, np.full(len(BOX), 4, dtype=np.int32), np.array(BOX, dtype=np.int32).ravel())


def _box(thing: bpy.types.Object) -> list[Vector]:
    """Corners of the box about an object, in its own coordinates; of our box of edges they are its vertices."""
    if thing.type == "EMPTY":
        reach = Vector((thing.empty_display_size,) * 3)
        return _corners(-reach, reach)
    if isinstance(thing.data, bpy.types.Mesh) and not thing.modifiers and _is_box_of_edges(thing.data):
        return [vertex.co.copy() for vertex in thing.data.vertices]
    ends = [[end(corner[axis] for corner in thing.bound_box) for axis in range(3)] for end in (min, max)]
    return _corners(Vector(ends[0]), Vector(ends[1]))


def _is_box_of_edges(mesh: bpy.types.Mesh) -> bool:
    """Whether it has the edges of the box that `add_tank` makes; turned or bent, it is still meant as one."""
    if (len(mesh.vertices), len(mesh.edges)) != (8, len(EDGES)):
        return False
    return {tuple(sorted(edge.vertices)) for edge in mesh.edges} == set(EDGES)


def _is_wire_box(mesh: bpy.types.Mesh) -> bool:
    """Whether it is edges of the box about it and nothing else, each corner where three meet, however often divided."""
    if not mesh.vertices:
        return False
    places, edges = np.empty((len(mesh.vertices), 3)), np.empty((len(mesh.edges), 2), dtype=np.int32)
    mesh.vertices.foreach_get("co", places.ravel())
    mesh.edges.foreach_get("vertices", edges.ravel())
    low, high = places.min(axis=0), places.max(axis=0)
    near = NEAR * (high - low)
    ends = ((places <= low + near) | (places >= high - near)).sum(axis=1)
    meeting = np.bincount(edges.ravel(), minlength=len(places))
    return bool((ends == 3).sum() == 8 and (ends >= 2).all() and (meeting >= ends).all())


def _corners(low: Vector, high: Vector) -> list[Vector]:
    return [Vector((x, y, z)) for x in (low.x, high.x) for y in (low.y, high.y) for z in (low.z, high.z)]


def _shoal(thing: bpy.types.Object, at: list[float]) -> dict[str, Any]:
    held = thing.artfish
    group = {"at": at, **_scaled(json_of(held.shoal), thing)}
    if held.shoal.use_heading:
        group["heading"] = _direction(thing, AHEAD)
    group |= _character(held)
    if held.members:
        group["members"] = [json_of(member) | _character(member) for member in held.members]
    return group


def _character(held: Any) -> dict[str, Any]:
    """Habits and mind of a shoal or of a single fish, as far as anything is said of them."""
    said = {key: json_of(getattr(held, key)) for key in ("habits", "mind")}
    return {key: what for key, what in said.items() if what}


def _obstacle(thing: bpy.types.Object, at: list[float], low: Vector, size: Vector) -> dict[str, Any] | Shape | None:
    """An upright pillar where it says so and is one still, otherwise its mesh; None where it is out of the water.

    What counts is where it is solid. Its own origin may be anywhere, for the location of a mesh may be applied.
    """
    matrix = world(thing)
    scale, turn = matrix.to_scale(), matrix.to_quaternion()
    placed = all(0.0 <= x <= length for x, length in zip(at, size[:], strict=True))
    upright = abs((turn @ UP).z) > 0.9999 and abs(scale.x - scale.y) < 1e-4 * scale.x
    if thing.artfish.pillar.upright and upright and placed:
        pillar = json_of(thing.artfish.pillar)
        return {"kind": "cylinder", "at": at, "radius": _short(scale.x), "height": _short(scale.z), **pillar}
    hull, own = _hull(thing), matrix.translation
    if len(hull.places):
        ends = [[float(end(hull.places[:, axis])) - low[axis] for axis in range(3)] for end in (np.min, np.max)]
        wet = [(max(least, 0.0), min(most, length)) for least, most, length in zip(*ends, size[:], strict=True)]
        flat = [least == most for least, most in zip(*ends, strict=True)]
        # What only touches the water is out of it; a sheet within it is refused as no closed mesh, not passed over.
        if any(least > most or least == most and not sheet for (least, most), sheet in zip(wet, flat, strict=True)):
            return None
        if not placed:
            at = [_short(0.5 * (least + most)) for least, most in wet]
            own = low + Vector(at)
    own = own.copy()  # a matrix's translation is what it says at the time
    return Shape(MeshObstacle, (hull.key, own[:], *at), partial(_told_mesh, hull, at, own))


def _told_mesh(hull: Hull, at: list[float], own: Vector) -> dict[str, Any]:
    """A mesh obstacle as JSON holds it."""
    return {"kind": "mesh", "at": at, "vertices": _rounded_all(hull.places, own), "faces": hull.faces}


def _hull(thing: bpy.types.Object) -> Hull:
    """The mesh of an object as it is evaluated."""
    if thing.type not in {"MESH", "CURVE", "SURFACE", "META", "FONT"}:
        raise SceneError(thing.type.lower(), "a mesh", key=thing.name)
    if not is_evaluated(thing) and any(each.show_viewport for each in thing.modifiers):
        refuse_hidden(thing, "modifiers")
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    try:
        places = np.empty((len(mesh.vertices), 3), dtype=np.float32)
        sizes, corners = (np.empty(len(of), dtype=np.int32) for of in (mesh.polygons, mesh.loops))
        mesh.vertices.foreach_get("co", places.ravel())
        mesh.polygons.foreach_get("loop_total", sizes)
        mesh.loops.foreach_get("vertex_index", corners)
    finally:
        evaluated.to_mesh_clear()
    return Hull(_moved(places, world(thing)), sizes, corners)


def _moved(places: np.ndarray, matrix: Matrix) -> np.ndarray:
    """Places (n, 3) float32 where a matrix moves them, to the bit as `mathutils` does it."""
    columns = np.array(matrix, dtype=np.float32)[:3].T
    moved = np.zeros((len(places), 3))
    for axis in range(3):
        moved += places[:, axis, None] * columns[axis]
    return (moved + columns[3]).astype(np.float32)


def _current(thing: bpy.types.Object, at: list[float]) -> dict[str, Any]:
    current = thing.artfish.current
    flow: dict[str, Any] = {"kind": current.kind, "strength": json_of(current)["strength"]}
    if current.kind == "uniform":
        return {**flow, "direction": _direction(thing, UP), "period": json_of(current)["period"]}
    flow |= {"at": at, "radius": _across(current.radius, thing)}
    return flow if current.kind != "vortex" else {**flow, "direction": _direction(thing, UP)}


def _camera(thing: bpy.types.Object, low: Vector) -> dict[str, Any]:
    at, ahead = world(thing).translation - low, world(thing).to_quaternion() @ -UP
    look_at = at + thing.artfish.distance * ahead
    return {"at": [_short(x) for x in at], "look_at": [_short(x) for x in look_at], "lens": _short(thing.data.lens)}


def _put_shoal(scene: bpy.types.Scene, group: dict[str, Any], low: Vector) -> None:
    thing = add(scene, "SHOAL", low + Vector(group["at"]))
    thing.name = group["species"].replace("_", " ").capitalize()
    held = thing.artfish
    fill(held.shoal, group)
    fill(held.habits, group.get("habits", {}))
    fill(held.mind, group.get("mind", {}))
    for told_of in group.get("members", ()):
        member = held.members.add()
        fill(member, told_of)
        fill(member.habits, told_of.get("habits", {}))
        fill(member.mind, told_of.get("mind", {}))
    if "heading" in group:
        held.shoal.use_heading = True
        _point(thing, AHEAD, group["heading"])


def _put_obstacle(scene: bpy.types.Scene, obstacle: Any, held: dict[str, Any], low: Vector) -> None:
    if obstacle.kind == "cylinder":
        thing = add(scene, "OBSTACLE", low + Vector(obstacle.at), pillar_mesh())
        thing.name = "Pillar"
        thing.scale = (obstacle.radius, obstacle.radius, obstacle.height)
        thing.artfish.pillar.upright = True
        fill(thing.artfish.pillar, held)
        return
    mesh = bpy.data.meshes.new("Rock")
    mesh.from_pydata(obstacle.vertices, [], obstacle.faces)
    thing = add(scene, "OBSTACLE", low + Vector(obstacle.at), mesh)
    thing.scale = (obstacle.scale,) * 3
    if obstacle.up == "y":
        thing.rotation_euler.x = 0.5 * pi


def pillar_mesh() -> bpy.types.Mesh:
    """An upright cylinder a metre in radius and height, on its foot."""
    import bmesh

    mesh, made = bpy.data.meshes.new("Pillar"), bmesh.new()
    up = Matrix.Translation((0.0, 0.0, 0.5))
    bmesh.ops.create_cone(made, cap_ends=True, segments=SIDES, radius1=1.0, radius2=1.0, depth=1.0, matrix=up)
    made.to_mesh(mesh)
    made.free()
    return mesh


def _put_bed(scene: bpy.types.Scene, rows: Any, low: Vector, size: Vector) -> None:
    columns = len(rows[0])
    places = [
        (size.x * x / (columns - 1), size.y * y / (len(rows) - 1), rows[y][x])
        for y in range(len(rows))
        for x in range(columns)
    ]
    faces = [
        (corner, corner + 1, corner + columns + 1, corner + columns)
        for y in range(len(rows) - 1)
        for corner in range(y * columns, y * columns + columns - 1)
    ]
    mesh = bpy.data.meshes.new("Sea bed")
    mesh.from_pydata(places, [], faces)
    add(scene, "BED", low, mesh)["artfish_places"] = (columns, len(rows))


def _put_camera(scene: bpy.types.Scene, camera: Any, low: Vector) -> None:
    data = bpy.data.cameras.new("Camera")
    data.lens = camera.lens
    thing = add(scene, "CAMERA", low + Vector(camera.at), data)
    ray = Vector(camera.look_at) - Vector(camera.at)
    thing.artfish.distance = ray.length
    thing.rotation_euler = ray.to_track_quat("-Z", "Y").to_euler()
    scene.camera = thing


def _models(scene: bpy.types.Scene, names: set[str]) -> dict[str, Species]:
    """The species that the fishes are of; names that there are not are left out, for the scene to complain of."""
    known = library.models(scene)
    return {name: known[name] for name in sorted(names) if name in known}


def _scaled(said: dict[str, Any], thing: bpy.types.Object) -> dict[str, Any]:
    """What a group says, with its spread or radius as large as the object is scaled."""
    for key in ("spread", "radius"):
        if key in said:
            said[key] = _across(said[key], thing)
    return said


def _across(said: float, thing: bpy.types.Object) -> float:
    """A spread or radius as it is shown: Apply Scale moves the largest scale of an empty into its display size."""
    scale = max(abs(share) for share in world(thing).to_scale())
    return _short(said * scale * (thing.empty_display_size / display_size(said) if thing.type == "EMPTY" else 1.0))


def _direction(thing: bpy.types.Object, axis: Vector) -> list[float]:
    return [_short(number) for number in world(thing).to_quaternion() @ axis]


def _point(thing: bpy.types.Object, axis: Vector, direction: Sequence[float]) -> None:
    """Turn an object so that its axis leads in a direction."""
    thing.rotation_euler = axis.rotation_difference(Vector(direction)).to_euler()


def _within(at: Vector, size: Vector) -> list[float]:
    """A place, back in the tank where only rounding has put it out."""
    return [
        _short(min(max(x, 0.0), length) if -NEAR < x < length + NEAR else x)
        for x, length in zip(at[:], size[:], strict=True)
    ]


def _rounded_all(places: np.ndarray, origin: Vector) -> list[list[float]]:
    """Places (n, 3) float32 as seen from an origin, each number as `_short` has it.

    To scale a number of single precision by a power of ten up to 1e11 loses nothing of it in double precision.
    """
    numbers = (places - np.array(origin, dtype=np.float32)).astype(float)
    size = np.abs(numbers)
    none = size < 1e-6
    size[none] = 1.0
    power = np.floor(np.log10(size)).astype(int)
    power += size >= 10.0 ** (power + 1)
    power -= size < 10.0**power
    scale = 10.0 ** (5 - power)
    return np.where(none, 0.0, np.rint(numbers * scale) / scale).tolist()
