"""The objects of fishes that play live: one mesh a fish, moved at every frame, and one for all that drifts.

A NURBS surface is tessellated at every change, seven of them a fish; of a mesh only the vertices are set. For sixty
fishes, places and evaluation take 7 ms a frame this way, and 23 as surfaces (benchmarks/live.py). A fish is an object
of its own, so that it can be picked in the viewport; it has the materials of its species.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ...core.form.look import Look
from ...core.form.polygons import Polygons
from ...core.recording import LOOK_ARRAYS, Recording
from ...core.scene.species import Species
from ...core.studio.rehearsal import Rehearsal
from ..fish import individuality, surfaces
from ..fish.surfaces import Fish
from ..identity import provenance, references
from ..identity.provenance import ROW
from ..identity.references import MARK
from ..identity.units import metres
from ..stage import hook
from .meshes import (
    GRAIN_CORNERS,
    LINE_HOOK_LENGTHS,
    around,
    blades,
    fish_mesh,
    octahedra,
    paint,
    plain_material,
    reshape,
    scattered,
    strips,
    tube,
)

LIVE_COLLECTION = "Artfish live"
PART_PROPERTY = "artfish_part"
"""Custom property of whatever is no fish: what it is."""
ABSENT_PROPERTY = "artfish_absent"
"""Custom property of what is not there in the frame that is shown, a fish that was eaten or a bait that was taken:
whether the animator had hidden it, in the viewport and in renders."""
FORMER_NAME = "Artfish former"
"""What is called so is about to go."""


class Puppets:
    """The objects that show a world.

    They may vanish at any time, by undo or by the animator's hand; they are known by numbers that undo leaves alone.

    Attributes:
        collection: Holds them.
        fishes: By rows; None for one that was deleted.
    """

    def __init__(self, scene: bpy.types.Scene, recording: Recording, origin: Vector) -> None:
        """Makes them in a scene.

        Args:
            scene: Gets them.
            recording: What they are to show.
            origin: Where its own origin is in Blender's world, in metres.
        """
        self._unit = metres(scene)
        self.origin = np.array(origin)
        self._scene, self._home = scene.session_uid, 0
        self._settle(scene)
        self._length = recording.body_length
        self._groups: list[tuple[Polygons, np.ndarray]] = []
        self.fishes: list[Fish | None] = [None] * len(recording.species)
        for name in dict.fromkeys(recording.species):
            species, rows = recording.species_models[name], np.flatnonzero(np.array(recording.species) == name)
            self._groups.append((Polygons(species), rows))
            self._make_fishes(species, self._groups[-1][0], rows, recording.seeds)
        self._alive = np.ones(len(self.fishes), dtype=bool)
        self._parts: dict[str, bpy.types.Object] = {}
        self._deleted: set[int | str] = set()  # rows and parts that the animator has deleted
        self._grain, self._grains = recording.scene.plankton.size, 0
        self._bubbles = recording.bubbles_size
        if len(self._bubbles):
            self._put("Bubbles", *octahedra(len(self._bubbles)), (0.8, 0.95, 1.0))
        self._make_weed(recording)
        self._make_hook(recording)
        self._fits = _needs(recording)
        self._numbers = [fish.root.session_uid for fish in self.fishes if fish is not None]

    def show(self, frame: Mapping[str, np.ndarray]) -> int:
        """Moves everything to where it is in a frame.

        Args:
            frame: Arrays as `Rehearsal.__getitem__` gives them.

        Returns:
            How many fishes could not be shown because they were deleted.
        """
        nodes, fins, mouth, alive = (frame[name] for name in ("nodes", "fins", "mouth", "alive"))
        for polygons, rows in self._groups:
            there = rows[alive[rows]]
            if len(there):
                look = Look(*(frame[name][there] for name in LOOK_ARRAYS))
                moved = polygons.vertices(nodes[there], fins[there], self._length[there], mouth[there], look)
                self._move(there, *moved)
        for row in np.flatnonzero(alive != self._alive).tolist():
            self._hide(row, not alive[row])
        self._alive = alive.copy()
        self._drift(frame)
        return sum(fish is None for fish in self.fishes)

    @property
    def _scale(self) -> tuple[float, float, float]:
        """Of objects whose meshes are in metres."""
        return (1.0 / self._unit,) * 3

    def fit(self, rehearsal: Rehearsal) -> bool:
        """Whether they can show this too; where a fish was deleted, another world brings it back."""
        return rehearsal.frames == 0 or None not in self.fishes and self._fits == _needs(rehearsal.recording())

    def seen(self, scene: bpy.types.Scene) -> bool:
        """Whether any fish is still in a scene."""
        return any(scene in obj.users_scene for obj in self._left())

    @property
    def numbers(self) -> set[int]:
        """Those of its fishes, and of the collection that holds all."""
        return {self._home, *self._numbers}

    def discard(self) -> None:
        """Removes what is left of the fishes, wherever it is."""
        _delete(self._left())

    def _left(self) -> list[bpy.types.Object]:
        """The fishes that were not deleted, though perhaps taken out of the scene."""
        there = {obj.session_uid: obj for obj in bpy.data.objects}
        return [there[number] for number in self._numbers if number in there]

    def place(self, scene: bpy.types.Scene, origin: Vector) -> None:
        """Moves what drifts to where a tank stands, and makes all as large as a scene's units have it."""
        self.origin, self._unit = np.array(origin), metres(scene)
        for name, obj in self._parts.items():
            if name != "Bait":
                with suppress(ReferenceError):  # deleted by hand
                    obj.scale = self._scale
                    if name != "Hook":
                        obj.location = self.origin / self._unit
        for fish in self.fishes:
            if fish is not None:
                with suppress(ReferenceError):
                    fish.root.scale = self._scale

    def suits(self, scene: bpy.types.Scene, origin: Vector) -> bool:
        """Whether they are where a tank stands, and as large as a scene's units have it."""
        return tuple(self.origin) == origin[:] and self._unit == metres(scene)

    def _lose(self, which: int | str) -> None:
        """A fish, by its row, or a part was deleted by hand; it goes on as soon as undo brings it back."""
        self._deleted.add(which)
        if isinstance(which, int):
            self.fishes[which] = None
        else:
            del self._parts[which]

    def find_again(self) -> bool:
        """Looks up everything by its number, after undo; whether it is all there but for what was deleted by hand."""
        there = {obj.session_uid: obj for obj in bpy.data.objects}
        homes = {collection.session_uid: collection for collection in bpy.data.collections}
        if self._home not in homes:
            return False
        self.collection = homes[self._home]
        self.fishes = [_fish(there[number]) if number in there else None for number in self._numbers]
        self._alive = np.array(
            [fish is None or fish.root.get(ABSENT_PROPERTY) is None for fish in self.fishes], dtype=bool
        )
        own = {provenance.of(obj, PART_PROPERTY): obj for obj in self.collection.objects if references.is_ours(obj)}
        parts = {*self._parts, *(which for which in self._deleted if isinstance(which, str))}
        self._parts = {name: own[name] for name in parts if name in own}
        if "Plankton" in self._parts:
            self._grains = len(self._parts["Plankton"].data.vertices) // len(GRAIN_CORNERS)
        gone = {row for row, fish in enumerate(self.fishes) if fish is None} | (parts - own.keys())
        return gone <= self._deleted

    def _make_fishes(self, species: Species, polygons: Polygons, rows: np.ndarray, seeds: np.ndarray) -> None:
        model = fish_mesh(species.common_name, polygons)
        paint(model, species, polygons, next(each for each in bpy.data.scenes if each.session_uid == self._scene))
        number = surfaces.first_number(species.common_name)
        for place, row in enumerate(rows.tolist()):
            name = f"{species.common_name} {number + place:02d}"
            obj = self._link(bpy.data.objects.new(name, model.copy() if place else model))
            obj.data.name = name
            obj[ROW] = row
            obj[individuality.INDIVIDUAL] = float(np.random.default_rng(int(seeds[row])).random())
            obj.rotation_mode, obj.scale = "QUATERNION", self._scale
            self.fishes[row] = _fish(obj)

    def _settle(self, scene: bpy.types.Scene) -> None:
        """Makes the collection that holds them."""
        self.collection = bpy.data.collections.new(LIVE_COLLECTION)
        self.collection[MARK] = True
        provenance.sign([self.collection])
        scene.collection.children.link(self.collection)
        self._home = self.collection.session_uid

    def _link(self, obj: bpy.types.Object) -> bpy.types.Object:
        obj[MARK] = True
        provenance.sign([obj])
        if self._home not in {collection.session_uid for collection in bpy.data.collections}:  # deleted by hand
            self._settle(next(scene for scene in bpy.data.scenes if scene.session_uid == self._scene))
        self.collection.objects.link(obj)
        return obj

    def _move(self, rows: np.ndarray, vertices: np.ndarray, places: np.ndarray, turns: np.ndarray) -> None:
        """Moves fishes of some rows (n,) with vertices (n, count, 3) in frames at places (n, 3), turns (n, 3, 3)."""
        places = (places + self.origin) / self._unit
        for number, row in enumerate(rows.tolist()):
            fish = self.fishes[row]
            if fish is None:
                continue
            if not reshape(fish.root, vertices[number]):
                self._lose(row)
                continue
            fish.root.location = places[number]
            fish.root.rotation_quaternion = Matrix(turns[number]).to_quaternion()

    def _hide(self, row: int, hidden: bool) -> None:
        fish = self.fishes[row]
        try:
            if fish is not None:
                _hide(fish.root, hidden)
        except ReferenceError:
            self._lose(row)

    def _drift(self, frame: Mapping[str, np.ndarray]) -> None:
        """Moves plankton, bubbles, seaweed and hook."""
        place, there = frame["plankton"], frame["plankton_alive"]
        if len(place):
            if self._grains != len(place):  # more have been dropped
                self._grains = len(place)
                self._put("Plankton", *octahedra(len(place)), (0.85, 0.95, 0.6))
            self._set("Plankton", scattered(place, np.where(there, 0.5 * self._grain, 0.0)))
        if len(self._bubbles):
            self._set("Bubbles", scattered(frame["bubbles"], np.where(frame["bubbles_alive"], 0.5 * self._bubbles, 0)))
        if len(frame["seaweed"]):
            self._set("Seaweed", frame["seaweed"][:, :, None] + self._blades)
        points = frame["hook"]
        if len(points):
            self._set("Line", around(points[:-1], LINE_HOOK_LENGTHS * self._hook))
            steel = self._parts.get("Hook")
            try:
                if steel is not None:
                    steel.location = (points[-1] + self.origin) / self._unit
                    steel.rotation_quaternion = Quaternion(hook.upright((points[-2] - points[-1])[None])[0])
                self._bait(not hook.bitten(frame["nodes"], points, frame["alive"]))
            except ReferenceError:
                self._lose("Hook")

    def _bait(self, hangs: bool) -> None:
        bait = self._parts.get("Bait")
        try:
            if bait is not None and (bait.get(ABSENT_PROPERTY) is not None) == hangs:
                _hide(bait, not hangs)
        except ReferenceError:
            self._lose("Bait")

    def _make_weed(self, recording: Recording) -> None:
        clusters = recording.scene.seaweed
        leaves = recording.seaweed.shape[1]
        if not leaves:
            return
        self._blades = blades(clusters, leaves)
        self._put("Seaweed", *strips(leaves), clusters[0].colour)

    def _make_hook(self, recording: Recording) -> None:
        settings = recording.scene.hook
        if settings is None:
            return
        self._hook = settings.size
        self._put("Hook", *hook.barbed(settings.size), (0.6, 0.6, 0.65))
        self._put("Bait", *hook.worm(settings.size), (0.5, 0.15, 0.12))
        self._parts["Hook"].rotation_mode = "QUATERNION"
        self._parts["Bait"].location, self._parts["Bait"].scale = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
        self._parts["Bait"].parent = self._parts["Hook"]
        rings = recording.hook.shape[1] - 1
        self._put("Line", *tube(rings), (0.8,) * 3)

    def _put(
        self, name: str, vertices: int | np.ndarray, faces: np.ndarray, colour: tuple[float, float, float]
    ) -> None:
        """Makes the object of something that drifts, in place of the one before."""
        self._deleted.discard(name)
        before = self._parts.pop(name, None)
        if before is not None:
            with suppress(ReferenceError):  # it may be deleted already
                bpy.data.batch_remove([before.data])
        mesh = bpy.data.meshes.new(name)
        places = np.zeros((vertices, 3)) if isinstance(vertices, int) else vertices
        mesh.from_pydata(places.tolist(), [], faces.tolist())
        mesh.shade_smooth()
        mesh.materials.append(plain_material(f"Artfish live {name.lower()}", colour))
        obj = self._parts[name] = self._link(bpy.data.objects.new(name, mesh))
        obj[PART_PROPERTY] = name
        obj.location, obj.scale = self.origin / self._unit, self._scale

    def _set(self, name: str, vertices: np.ndarray) -> None:
        if name in self._parts and not reshape(self._parts[name], vertices):
            self._lose(name)


def _hide(obj: bpy.types.Object, hidden: bool) -> None:
    """Takes something out of sight, or shows it again as far as the animator has not hidden it."""
    if hidden:
        obj[ABSENT_PROPERTY] = [obj.hide_viewport, obj.hide_render]
        obj.hide_viewport = obj.hide_render = True
    elif obj.get(ABSENT_PROPERTY) is not None:
        try:
            viewport, render = map(bool, obj[ABSENT_PROPERTY])
        except (TypeError, ValueError):  # somebody has put something else there
            viewport = render = False
        obj.hide_viewport, obj.hide_render = viewport, render
        del obj[ABSENT_PROPERTY]


def _needs(recording: Recording) -> tuple:
    """What puppets are made for."""
    scene, models = recording.scene, recording.species_models
    forms = {name: (model.body, model.form, model.looks) for name, model in models.items()}
    drifting = scene.seaweed, scene.bubbles, scene.hook, scene.plankton.size
    return recording.species, tuple(recording.body_length.tolist()), forms, drifting


def stale(scene: bpy.types.Scene) -> list[bpy.types.Collection]:
    """Collections of live play in a scene, whoever made them."""
    found = scene.collection.children_recursive
    return [collection for collection in found if collection.get(MARK) and collection.library is None]


def remove(scene: bpy.types.Scene, others: Set[int], heirs: Mapping[int, bpy.types.Object], wait: bool = True) -> None:
    """Takes what plays live out of a scene, with its meshes; what an animator has put into its collection stays.

    Args:
        scene: Where it is.
        others: Numbers of what plays in other scenes: of that, a copied scene only lets go.
        heirs: Fishes that come in the place of those that go, by rows; what refers to one of the others, to ride on it
            or to look at it, refers to an empty until there is one again.
        wait: Whether empties that stand so in the place of fishes already stay, too, where nothing else goes.
    """
    going = _made(scene, others)
    wait = wait or any(isinstance(obj, bpy.types.Object) and not references.stands_in(obj) for obj in going)
    _delete(references.hand_over(scene, going, heirs, wait))


def make(scene: bpy.types.Scene, recording: Recording, origin: Vector, others: Set[int]) -> Puppets:
    """Makes puppets in the place of those that are in a scene; see `Puppets` and `remove`."""
    former = _made(scene, others)
    bodies = [obj.data for obj in former if isinstance(obj, bpy.types.Object) and obj.data is not None]
    meshes = [mesh for mesh in bodies if mesh.users == 1]
    names = {obj: obj.name for obj in former if provenance.row_of(obj) != provenance.NO_ROW}
    for obj in (*former, *meshes):
        obj.name = FORMER_NAME  # its own is free now
    made = Puppets(scene, recording, origin)
    heirs = {row: fish.root for row, fish in enumerate(made.fishes) if fish is not None}
    for obj, name in names.items():
        if provenance.row_of(obj) not in heirs:
            obj.name = name
    _delete(references.hand_over(scene, former, heirs))
    return made


def _made(scene: bpy.types.Scene, others: Set[int]) -> list[bpy.types.ID]:
    """What plays live in a scene, whoever made it; what an animator has put into its collection is taken out."""
    for collection in scene.collection.children.values():
        if collection.session_uid in others:
            scene.collection.children.unlink(collection)
    marked = [obj for obj in scene.objects if obj.get(MARK) and obj.library is None]
    made = [obj for obj in marked if references.is_ours(obj)]
    for obj in set(marked).difference(made):
        del obj[MARK]  # a copy is the animator's from now on, whatever they call it
    ours: list[bpy.types.ID] = [obj for obj in made if obj.session_uid not in others]
    for collection in stale(scene):
        if collection.session_uid in others:
            continue
        _keep(collection.objects, scene.collection.objects)
        _keep(collection.children, scene.collection.children)
        ours.append(collection)
    return ours


def _keep(members: Any, home: Any) -> None:
    """Puts what an animator has among ours, objects or collections, where it stays, unless it is there already."""
    there = set(home)
    for each in members:
        if not each.get(MARK) and each not in there:
            home.link(each)


def _delete(ids: Sequence[bpy.types.ID]) -> None:
    """Removes objects, with meshes that nobody else has, and collections."""
    references.set_down(ids)
    meshes = {obj.data for obj in ids if isinstance(obj, bpy.types.Object) and obj.data is not None}
    bpy.data.batch_remove(ids)
    bpy.data.batch_remove([mesh for mesh in meshes if not mesh.users])


def _fish(obj: bpy.types.Object) -> Fish:
    return Fish(obj, {"body": obj}, {})
