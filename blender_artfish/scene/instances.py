"""Instances of obstacles, as Blender shows them: of Geometry Nodes, collections, faces, vertices and particles.

An instance is an obstacle where what it is an instance of is marked as one, or what makes it is, at whatever depth.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import NamedTuple

import bpy
import numpy as np
from mathutils import Matrix

from ...core.base.codec import SceneError
from ...core.geometry.triangles import MOST_TRIANGLES, surface
from ..blender import runtime
from ..blender.keyframes import moment
from ..identity.roles import MESH_LIKE, is_keyed, makes_instances, world
from ..identity.units import in_metres
from .animated import deforms, needs_sampling
from .meshes import Hull, hull_in

MOST_COPIES = 10_000
"""Instances of one obstacle that count."""
MOST_COPIED_TRIANGLES = 4 * MOST_TRIANGLES
"""Triangles of all of them together; they are looked at in a second or two for each 100,000."""
MOST_HEAPS = 16
"""Meshes that they are put together to: the more, the finer is the water between them, and the longer takes a step."""
MOST_FORMS = 256
"""Meshes that are instanced, of which it is known how they count."""
SAME_METRES = 2e-5
"""By which places of a mesh in its maker's axes may differ by rounding, as that moves."""
UNUSED_LEVEL = 2**31 - 1
"""What Blender has in an instance's path for levels that there are not."""
UNFELT = {
    "POINTCLOUD": "points",
    "CURVES": "hair curves",
    "VOLUME": "a volume",
    "GREASEPENCIL": "Grease Pencil strokes",
    "META": "metaballs",
}
"""What Blender shows of an instance and is no mesh."""


class Copy(NamedTuple):
    """A mesh where an instance puts it.

    Attributes:
        mesh: In its own coordinates.
        matrix: From these to metres in Blender's world.
        maker: What makes the instance.
    """

    mesh: Hull
    matrix: Matrix
    maker: bpy.types.Object | None = None

    def box(self) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest corner of a box around it, in metres, (3,) each."""
        low, high = self.mesh.places.min(axis=0), self.mesh.places.max(axis=0)
        turn = np.array(self.matrix, dtype=float)
        middle = turn[:3, :3] @ (0.5 * (low + high)) + turn[:3, 3]
        reach = np.abs(turn[:3, :3]) @ (0.5 * (high - low))
        return middle - reach, middle + reach


@dataclass
class Instances:
    """What a scene shows of obstacles beside the objects themselves.

    Attributes:
        copies: By the obstacle of which they are, or which makes them.
        unfelt: What is seen of an obstacle and does not count, in words.
        restless: What of an obstacle moves or deforms within what makes its instances, which does not count, in words.
        standing: The objects that are seen themselves, by their `session_uid`; None where all of them are.
        concerned: The same of all objects that make copies or are copied.
    """

    copies: dict[bpy.types.Object, list[Copy]] = field(default_factory=dict)
    unfelt: dict[bpy.types.Object, set[str]] = field(default_factory=dict)
    restless: dict[bpy.types.Object, set[str]] = field(default_factory=dict)
    standing: set[int] | None = None
    concerned: set[int] = field(default_factory=set)

    def stands(self, obj: bpy.types.Object) -> bool:
        """Whether an obstacle stands in the water itself.

        It does though it is hidden, unless it is instanced: an original that is put out of sight is none. What is put
        onto the faces or vertices of its parent is not rendered itself.
        """
        if obj.type == "EMPTY" and obj.instance_type == "COLLECTION":
            return False
        if obj not in self.copies:
            return True
        if obj.parent is not None and obj.parent.instance_type in ("VERTS", "FACES"):
            return False
        return self.standing is None or obj.session_uid in self.standing


def read(scene: bpy.types.Scene, unit: float) -> Instances:
    """Looks once through all that Blender shows of a scene, in units of so many metres."""
    found = Instances()
    if not any(obj.artfish.kind == "OBSTACLE" for obj in bpy.data.objects):
        return found
    if not any(makes_instances(obj) for obj in scene.objects):
        return found
    found.standing = set()
    with _seen_in(scene):
        look = _Look(found, unit)
        for instance in bpy.context.evaluated_depsgraph_get().object_instances:
            look.add(instance)
    return found


def _seen_in(scene: bpy.types.Scene) -> AbstractContextManager[None]:
    """A context in which Blender evaluates this scene, be it another than the window's."""
    if bpy.context.scene == scene:
        return nullcontext()
    override: AbstractContextManager[None] = bpy.context.temp_override(scene=scene, view_layer=scene.view_layers[0])
    return override


class _Look:
    """A pass through what Blender shows."""

    def __init__(self, found: Instances, unit: float) -> None:
        self._found, self._unit = found, unit
        self._parents: dict[int, tuple[bpy.types.Object, Matrix | None]] = {}
        self._paths: dict[tuple[int, ...], bpy.types.Object] = {}
        self._meshes: dict[int, Hull] = {}
        self._last = 0

    def add(self, instance: bpy.types.DepsgraphObjectInstance) -> None:
        """Takes what is shown next."""
        shown = instance.object
        original = shown.original
        if not instance.is_instance:
            if self._found.standing is not None and instance.show_self:
                self._found.standing.add(original.session_uid)
            return
        parent, moved = self._parent(instance.parent)
        path = tuple(level for level in instance.persistent_id if level != UNUSED_LEVEL)
        # What holds an instance comes before it, and its path is the end of the instance's.
        self._paths.setdefault(path, original)
        above = [self._paths[path[level:]] for level in range(len(path) - 1, 0, -1) if path[level:] in self._paths]
        chain = [parent, *above, original]
        owner = next((each for each in chain if each.artfish.kind == "OBSTACLE"), None)
        if owner is None:
            return
        self._found.concerned.update(each.session_uid for each in chain)
        if shown.type in UNFELT:
            self._found.unfelt.setdefault(owner, set()).add(UNFELT[shown.type])
        if not isinstance(shown.data, bpy.types.Mesh):
            return
        if original == parent and parent.type in MESH_LIKE - {"MESH"} and len(path) == 1:
            return  # its own mesh, which Blender shows as an instance of a curve or a text
        matrix = in_metres(instance.matrix_world.copy() if moved is None else moved @ instance.matrix_world, self._unit)
        self._found.copies.setdefault(owner, []).append(Copy(self._mesh(shown.data), matrix, parent))
        if word := self._restless(parent, chain[1:]):
            self._found.restless.setdefault(owner, set()).add(word)

    def _restless(self, maker: bpy.types.Object, inner: list[bpy.types.Object]) -> str:
        """What of an instance moves or deforms otherwise than what makes it, in words; "" if nothing does."""
        if maker.instance_type == "COLLECTION":
            moving = next((obj for obj in inner if is_keyed(obj) or needs_sampling(obj)), None)
            return moving.name if moving else ""
        if any(deforms(obj) for obj in inner):
            return inner[-1].name
        flying = any(each.settings.type == "EMITTER" for each in maker.particle_systems)
        return "particles" if flying else ""

    def _parent(self, evaluated: bpy.types.Object) -> tuple[bpy.types.Object, Matrix | None]:
        """What makes an instance, and what moves it to where its keys place it at the frame that is read."""
        parent = evaluated.original
        uid = parent.session_uid
        if uid != self._last:
            self._last, self._paths = uid, {}
        if uid not in self._parents:
            keyed = moment() is not None and is_keyed(parent)
            moved = world(parent) @ evaluated.matrix_world.inverted_safe() if keyed else None
            self._parents[uid] = parent, moved
        return self._parents[uid]

    def _mesh(self, mesh: bpy.types.Mesh) -> Hull:
        """A mesh, read once for all instances of it."""
        key = mesh.as_pointer()
        if key not in self._meshes:
            self._meshes[key] = hull_in(mesh)
        return self._meshes[key]


class Heaps(NamedTuple):
    """The copies of an obstacle that are in the water, put together to a few meshes of neighbours.

    Attributes:
        hulls: Meshes in metres in Blender's world.
        taken: How many copies are in them.
        there: How many are in the water.
        shells: How many of them have no clear inside, and count as thin shells.
    """

    hulls: list[Hull]
    taken: int
    there: int
    shells: int


def carried(copies: list[Copy], matrix: Matrix) -> Heaps:
    """All copies of one maker, put together in its axes, into which a matrix brings them from Blender's world."""
    within = [copy._replace(matrix=matrix @ copy.matrix) for copy in copies]
    found = heaps(within, np.full(3, -np.inf), np.full(3, np.inf), 1)
    return found._replace(hulls=[_kept(copies[0].maker, row, hull) for row, hull in enumerate(found.hulls)])


def _kept(maker: bpy.types.Object | None, row: int, hull: Hull) -> Hull:
    """A mesh in the axes of a maker as it was before, where nothing but rounding tells them apart."""
    kept, key = runtime.of(_Carried), (maker.session_uid if maker else 0, row)
    before = kept.setdefault(key, hull)
    alike = before.places.shape == hull.places.shape and np.array_equal(before.triangles, hull.triangles)
    if not alike or np.abs(before.places - hull.places).max(initial=0.0) > SAME_METRES:
        kept[key] = hull
    return kept[key]


class _Carried(dict[tuple[int, int], Hull]):
    """Meshes in the axes of what makes them, by its `session_uid` and their rows."""


def heaps(copies: list[Copy], low: np.ndarray, high: np.ndarray, many: int = MOST_HEAPS) -> Heaps:
    """The copies in a box, from corner to corner in metres, (3,) each, put together to about so many at the most."""
    wet, boxes = [], []
    for copy in copies:
        if len(copy.mesh.triangles):
            least, most = copy.box()
            if (least < high).all() and (most > low).all():
                wet.append(copy)
                boxes.append((least, most))
    if not wet:
        return Heaps([], 0, 0, 0)
    ends = np.array(boxes)
    sizes = np.array([len(copy.mesh.triangles) for copy in wet])
    order = np.argsort(-(ends[:, 1] - ends[:, 0]).max(axis=1), kind="stable")
    order = order[sizes[order] <= MOST_TRIANGLES][:MOST_COPIES]
    order = np.sort(order[np.cumsum(sizes[order]) <= MOST_COPIED_TRIANGLES])
    forms = {id(wet[row].mesh): _form_of(wet[row].mesh) for row in order}
    whole = np.array([forms[id(wet[row].mesh)].closed for row in order], dtype=bool)
    made = [
        _together([Copy(forms[id(wet[row].mesh)].hull, wet[row].matrix) for row in rows])
        for kind in (whole, ~whole)  # what has no inside would make one of what is between
        for rows in _parted(order[kind], ends.mean(axis=1), sizes, many)
    ]
    return Heaps(made, len(order), len(wet), int(np.count_nonzero(~whole)))


class _Form(NamedTuple):
    """A mesh that is instanced as it counts: facing outwards, with its gaps filled, and whether it is closed then."""

    hull: Hull
    closed: bool


def _form_of(mesh: Hull) -> _Form:
    """How a mesh counts, found once for each."""
    forms = runtime.of(_Forms)
    key = mesh.key
    if key not in forms:
        if len(forms) >= MOST_FORMS:
            forms.clear()
        forms[key] = _judged(mesh)
    return forms[key]


class _Forms(dict[bytes, _Form]):
    """How meshes count, by their keys."""


def _judged(mesh: Hull) -> _Form:
    try:
        made = surface(mesh.places.astype(float), mesh.faces)
    except SceneError:  # it is all on a line, and has no side on which fishes could be
        return _Form(mesh, False)
    made = made.filled or made
    return _Form(Hull(made.vertices.astype(np.float32), made.triangles.astype(np.int32)), made.closed)


def _parted(rows: np.ndarray, middles: np.ndarray, sizes: np.ndarray, many: int) -> Iterator[np.ndarray]:
    """Rows of neighbours, none with too many triangles: what is largest is halved, again and again."""
    parts = [rows] if len(rows) else []
    while parts:
        triangles = [int(sizes[part].sum()) for part in parts]
        full = [row for row, part in enumerate(parts) if len(part) > 1 and triangles[row] > MOST_TRIANGLES]
        able = full or [row for row, part in enumerate(parts) if len(part) > 1 and len(parts) < many]
        if not able:
            break
        extents = [float(np.ptp(middles[parts[row]], axis=0).max()) for row in able]
        part = parts.pop(able[int(np.argmax(extents))])
        axis = int(np.argmax(np.ptp(middles[part], axis=0)))
        along = part[np.argsort(middles[part, axis], kind="stable")]
        parts += [np.sort(along[: len(along) // 2]), np.sort(along[len(along) // 2 :])]
    yield from sorted(parts, key=lambda part: int(part[0]))


def _together(copies: list[Copy]) -> Hull:
    """Copies as one mesh."""
    hulls = [copy.mesh.moved(copy.matrix) for copy in copies]
    begins = np.cumsum([0, *(len(hull.places) for hull in hulls)])
    triangles = [hull.triangles + begin for hull, begin in zip(hulls, begins[:-1], strict=True)]
    places = np.concatenate([hull.places for hull in hulls])
    return Hull(places, np.concatenate(triangles).astype(np.int32))
