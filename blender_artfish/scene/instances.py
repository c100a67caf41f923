"""Instances of obstacles in Blender: from Geometry Nodes, collections, faces, vertices and particles.

An instance is an obstacle if its original or its maker is marked as one, at any depth.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import bpy
import numpy as np
from mathutils import Matrix

from ...core.base.codec import SceneError
from ...core.geometry.triangles import MOST_TRIANGLES, surface
from ..blender import runtime
from ..blender.keyframes import moment
from ..blender.words import Message
from ..identity.roles import MESH_LIKE, is_keyed, makes_instances, world
from ..identity.units import in_metres
from .animated import deforms, needs_sampling
from .meshes import Hull, hull_in

MOST_COPIES = 10_000
"""Most instances of one obstacle that count."""
MOST_COPIED_TRIANGLES = 4 * MOST_TRIANGLES
"""Most triangles of all of them together; reading takes a second or two for each 100,000."""
MOST_HEAPS = 16
"""Most meshes that instances are joined into: more make the water between them finer, and a step slower."""
MOST_FORMS = 256
"""Most instanced meshes whose checked form is cached."""
SAME_METRES = 2e-5
"""Largest rounding error of a mesh in its moving maker's axes."""
UNUSED_LEVEL = 2**31 - 1
"""Blender's value for unused levels of an instance's path."""
UNFELT: dict[str, Message] = {
    "POINTCLOUD": "points",
    "CURVES": "hair curves",
    "VOLUME": "a volume",
    "GREASEPENCIL": "Grease Pencil strokes",
    "META": "metaballs",
}
"""Names of the instanced data that is visible but no mesh."""


class Copy(NamedTuple):
    """An instanced mesh.

    Attributes:
        mesh: The mesh, in its own coordinates.
        matrix: Matrix from these to metres in Blender's world.
        maker: The object that makes the instance.
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
    """Instances of obstacles in a scene, beside the objects themselves.

    Attributes:
        copies: Copies by their obstacle, the original or the maker.
        unfelt: Visible parts of an obstacle that do not count, in words.
        restless: Parts that move or deform within the maker of the instances, which does not count, in words.
        standing: The objects that are visible themselves, by `session_uid`; None if all are.
        concerned: All objects that make copies or are copied, likewise.
    """

    copies: dict[bpy.types.Object, list[Copy]] = field(default_factory=dict)
    unfelt: dict[bpy.types.Object, set[str]] = field(default_factory=dict)
    restless: dict[bpy.types.Object, set[str]] = field(default_factory=dict)
    standing: set[int] | None = None
    concerned: set[int] = field(default_factory=set)

    def stands(self, obj: bpy.types.Object) -> bool:
        """True if an obstacle itself stands in the water.

        It does even if hidden, unless it is instanced: a hidden original does not count. An object instanced
        on its parent's faces or vertices is not rendered itself.
        """
        if obj.type == "EMPTY" and obj.instance_type == "COLLECTION":
            return False
        if obj not in self.copies:
            return True
        if obj.parent is not None and obj.parent.instance_type in ("VERTS", "FACES"):
            return False
        return self.standing is None or obj.session_uid in self.standing


def read(scene: bpy.types.Scene, unit: float) -> Instances:
    """Reads all that Blender shows of a scene once, with `unit` metres in a scene unit."""
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


def _seen_in(scene: bpy.types.Scene) -> AbstractContextManager[Any]:
    """A context in which Blender evaluates this scene, though it may not be the window's."""
    if bpy.context.scene == scene:
        return nullcontext()
    return bpy.context.temp_override(scene=scene, view_layer=scene.view_layers[0])


class _Look:
    """A pass through all that Blender shows."""

    def __init__(self, found: Instances, unit: float) -> None:
        self._found, self._unit = found, unit
        self._parents: dict[int, tuple[bpy.types.Object, Matrix | None]] = {}
        self._paths: dict[tuple[int, ...], bpy.types.Object] = {}
        self._meshes: dict[int, Hull] = {}
        self._last = 0

    def add(self, instance: bpy.types.DepsgraphObjectInstance) -> None:
        """Adds the next instance."""
        shown = instance.object
        original = shown.original
        if not instance.is_instance:
            if self._found.standing is not None and instance.show_self:
                self._found.standing.add(original.session_uid)
            return
        parent, moved = self._parent(instance.parent)
        path = tuple(level for level in instance.persistent_id if level != UNUSED_LEVEL)
        # An instance's container comes before it, and has the end of its path.
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
        """The part of an instance that moves or deforms apart from its maker, in words; "" if none does."""
        if maker.instance_type == "COLLECTION":
            moving = next((obj for obj in inner if is_keyed(obj) or needs_sampling(obj)), None)
            return moving.name if moving else ""
        if any(deforms(obj) for obj in inner):
            return inner[-1].name
        flying = any(each.settings.type == "EMITTER" for each in maker.particle_systems)
        return "particles" if flying else ""

    def _parent(self, evaluated: bpy.types.Object) -> tuple[bpy.types.Object, Matrix | None]:
        """The maker of an instance, and the matrix that moves it to its keyed place at the frame being read."""
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
        """A mesh, read once for all its instances."""
        key = mesh.as_pointer()
        if key not in self._meshes:
            self._meshes[key] = hull_in(mesh)
        return self._meshes[key]


class Heaps(NamedTuple):
    """The copies of an obstacle in the water, joined into a few meshes of neighbours.

    Attributes:
        hulls: Meshes in metres in Blender's world.
        taken: Number of copies in them.
        there: Number of copies in the water.
        shells: Number of those without a clear inside, which count as thin shells.
    """

    hulls: list[Hull]
    taken: int
    there: int
    shells: int


def carried(copies: list[Copy], matrix: Matrix) -> Heaps:
    """All copies of one maker, joined in its axes, into which a matrix brings them from Blender's world."""
    within = [copy._replace(matrix=matrix @ copy.matrix) for copy in copies]
    found = heaps(within, np.full(3, -np.inf), np.full(3, np.inf), 1)
    return found._replace(hulls=[_kept(copies[0].maker, row, hull) for row, hull in enumerate(found.hulls)])


def _kept(maker: bpy.types.Object | None, row: int, hull: Hull) -> Hull:
    """A mesh in the axes of a maker; the former one if they differ only by rounding."""
    kept, key = runtime.of(_Carried), (maker.session_uid if maker else 0, row)
    before = kept.setdefault(key, hull)
    alike = before.places.shape == hull.places.shape and np.array_equal(before.triangles, hull.triangles)
    if not alike or np.abs(before.places - hull.places).max(initial=0.0) > SAME_METRES:
        kept[key] = hull
    return kept[key]


class _Carried(dict[tuple[int, int], Hull]):
    """Meshes in their makers' axes, by the maker's `session_uid` and their rows."""


def heaps(copies: list[Copy], low: np.ndarray, high: np.ndarray, many: int = MOST_HEAPS) -> Heaps:
    """The copies in a box between two corners in metres, (3,) each, joined into about so many meshes at the most."""
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
        for kind in (whole, ~whole)  # shells without an inside would enclose the space between
        for rows in _parted(order[kind], ends.mean(axis=1), sizes, many)
    ]
    return Heaps(made, len(order), len(wet), int(np.count_nonzero(~whole)))


class _Form(NamedTuple):
    """An instanced mesh in its checked form: facing outwards, with gaps filled, and whether it is then closed."""

    hull: Hull
    closed: bool


def _form_of(mesh: Hull) -> _Form:
    """The checked form of a mesh, computed once for each."""
    forms = runtime.of(_Forms)
    key = mesh.key
    if key not in forms:
        if len(forms) >= MOST_FORMS:
            forms.clear()
        forms[key] = _judged(mesh)
    return forms[key]


class _Forms(dict[bytes, _Form]):
    """Checked forms of meshes, by their keys."""


def _judged(mesh: Hull) -> _Form:
    try:
        made = surface(mesh.places.astype(float), mesh.faces)
    except SceneError:  # it is all on a line, without a side for fishes to be on
        return _Form(mesh, False)
    made = made.filled or made
    return _Form(Hull(made.vertices.astype(np.float32), made.triangles.astype(np.int32)), made.closed)


def _parted(rows: np.ndarray, middles: np.ndarray, sizes: np.ndarray, many: int) -> Iterator[np.ndarray]:
    """Rows of neighbours, none with too many triangles: the largest group is halved, again and again."""
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
    """Copies joined into one mesh."""
    hulls = [copy.mesh.moved(copy.matrix) for copy in copies]
    begins = np.cumsum([0, *(len(hull.places) for hull in hulls)])
    triangles = [hull.triangles + begin for hull, begin in zip(hulls, begins[:-1], strict=True)]
    places = np.concatenate([hull.places for hull in hulls])
    return Hull(places, np.concatenate(triangles).astype(np.int32))
