"""The objects of live fishes: one mesh a species, an object a fish, and one mesh for all that drifts.

The purpose of the fishes' objects is explained in `swarms`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ...core.body.anatomy import body_frame
from ...core.recording import Recording
from ...core.studio.rehearsal import Rehearsal
from ..fish import individuality, surfaces
from ..fish.surfaces import FishObjects
from ..identity import provenance, references
from ..identity.provenance import ROW
from ..identity.references import MARK
from ..identity.units import metres
from ..stage import hook
from . import pace
from .meshes import (
    ABSENT_PROPERTY,
    GRAIN_CORNERS,
    LINE_HOOK_LENGTHS,
    SPAWN_METRES,
    around,
    blades,
    hide,
    octahedra,
    plain_material,
    reshape,
    scattered,
    strips,
    tube,
)
from .swarms import Swarm, SwarmFrame

LIVE_COLLECTION = "Artfish live"
PART_PROPERTY = "artfish_part"
"""Custom property of objects that are no fish: their part."""
MOST_ALONE = 60
"""Most fishes drawn separately at once, however many are selected."""
LOOKING_FRAMES = 8
"""Frames of playback within which each fish is checked once for being hidden."""
REFERRED_FRAMES = 24
"""Frames of playback between searches for fishes that are referred to."""


class Puppets:
    """The objects that show a world.

    They may vanish at any time, by undo or deletion; they are found by session numbers that undo preserves.

    Attributes:
        collection: Their collection.
        fishes: Fishes by row; None for a deleted one.
    """

    def __init__(self, scene: bpy.types.Scene, recording: Recording, origin: Vector) -> None:
        """Makes them in a scene.

        Args:
            scene: Their scene.
            recording: The recording to show.
            origin: Its origin in Blender's world, metres.
        """
        self._unit = metres(scene)
        self.origin = np.array(origin)
        self._scene, self._home = scene.session_uid, 0
        self._settle(scene)
        self.fishes: list[FishObjects | None] = [None] * len(recording.species)
        self._parts: dict[str, bpy.types.Object] = {}
        self._deleted: set[int | str] = set()  # rows and parts that the animator has deleted
        self._swarms = [Swarm(recording.species_models[name], recording) for name in dict.fromkeys(recording.species)]
        for swarm in self._swarms:
            self._make_fishes(swarm)
        self._many = np.zeros(len(self.fishes), dtype=bool)  # fishes of large shoals
        for swarm in self._swarms:
            self._many[swarm.rows] = bool(swarm.far)
        self._resting, self._referred, self._shows = np.zeros_like(self._many), np.zeros_like(self._many), 0
        self._places = np.zeros((len(self.fishes), 3))
        self._drawn = np.zeros((2, len(self.fishes)), dtype=bool)
        self._alive = np.ones(len(self.fishes), dtype=bool)
        self._grain, self._grains = recording.scene.plankton.size, 0
        self._bubbles, self._spawns = recording.bubbles_size, 0
        if len(self._bubbles):
            self._put("Bubbles", *octahedra(len(self._bubbles)), (0.8, 0.95, 1.0))
        self._make_weed(recording)
        self._make_hook(recording)
        self._fits = _needs(recording)
        self._numbers = [fish.root.session_uid for fish in self.fishes if fish is not None]

    def picture(self, frame: Mapping[str, np.ndarray]) -> SwarmFrame:
        """The picture of a frame; may run in a thread, since it touches neither Blender nor changing data."""
        places, turns = body_frame(np.array(frame["nodes"], dtype=float))
        return SwarmFrame(places, turns, {swarm.part: swarm.picture(frame) for swarm in self._swarms})

    def show(self, frame: Mapping[str, np.ndarray], picture: SwarmFrame | None = None, hurried: bool = False) -> int:
        """Moves everything to its place in a frame.

        Args:
            frame: Arrays as `Rehearsal.__getitem__` gives them.
            picture: The frame's picture, if already made.
            hurried: Whether another frame follows at once: objects of fishes in large shoals rest in place
                meanwhile, unless they are drawn separately or referred to.

        Returns:
            Number of fishes not shown because they were deleted.
        """
        alive, picture = frame["alive"], picture or self.picture(frame)
        changed = np.flatnonzero(alive != self._alive).tolist()
        for row in changed:
            self._hide(row, not alive[row])
        self._alive, self._places = alive.copy(), picture.places
        if hurried and self._shows % REFERRED_FRAMES == 0:
            self._referred = self._find_referred()
        self._shows = self._shows + 1 if hurried else 0
        rows = sorted({*self._due(hurried), *changed})
        self._drawn, rested = self._draw(rows), self._resting
        self._resting = self._many & ~self._drawn[1] & ~self._referred & hurried
        self._place(np.flatnonzero(alive & ~self._resting), picture)
        looked = self._resting != rested
        looked[rows] = True
        there = alive & np.array([fish is not None for fish in self.fishes], dtype=bool)
        for swarm in self._swarms:
            for row in swarm.dress(
                self.fishes, swarm.rows[looked[swarm.rows]].tolist(), self._drawn[1], self._resting, self.scene
            ):
                self._lose(row)
                there[row] = False
            seen, alone = (there & self._drawn)[:, swarm.rows]
            own = np.flatnonzero(alone)
            drawn = swarm.alone(frame, own) if len(own) else ()
            for row, vertices in zip(swarm.rows[own].tolist(), drawn, strict=True):
                if not reshape(self.fishes[row].root, (vertices - picture.places[row]) @ picture.turns[row]):
                    self._lose(row)
            for part, vertices in swarm.drawn(frame, picture.swarms[swarm.part], seen & ~alone).items():
                if self._set(part, vertices):
                    mesh = self._parts[part].data
                    assert isinstance(mesh, bpy.types.Mesh)
                    swarm.renumber(part, mesh)
        self._drift(frame)
        return sum(fish is None for fish in self.fishes)

    def is_behind(self, hurried: bool = False) -> bool:
        """True if selection or hiding has changed since fishes were shown, or some rest needlessly."""
        if not hurried and self._resting.any():
            return True
        return not np.array_equal(self._drawn, self._draw(self._due(hurried)))

    def place_of(self, row: int) -> Vector:
        """Position of a fish in the current frame, in Blender's units."""
        return Vector((self._places[row] + self.origin) / self._unit)

    def _due(self, hurried: bool) -> list[int]:
        """Rows of the fishes to check now for being selected, hidden or worked on.

        During playback they take turns, except those selected or drawn separately.
        """
        if not hurried or self._shows <= 1:
            return list(range(len(self.fishes)))
        chosen = {obj.session_uid for layer in self.scene.view_layers for obj in layer.objects.selected if obj}
        due = self._drawn[1] | (np.arange(len(self.fishes)) % LOOKING_FRAMES == self._shows % LOOKING_FRAMES)
        due[[row for row, number in enumerate(self._numbers) if number in chosen]] = True
        return np.flatnonzero(due).tolist()

    def _find_referred(self) -> np.ndarray:
        """Fishes of large shoals that something is attached to or tracks, (fish,) bool."""
        rows = {self._numbers[row]: row for row in np.flatnonzero(self._many).tolist()}
        roots = {obj: rows[obj.session_uid] for obj in bpy.data.objects if obj.session_uid in rows}
        found = np.zeros_like(self._many)
        found[[roots[obj] for obj in references.followed(list(roots))]] = True
        return found

    def row_at(self, obj: bpy.types.Object, face: int) -> int:
        """Row of the fish that a face of an object belongs to; negative if none."""
        swarm = self.swarm_of(obj)
        return -1 if swarm is None else swarm.row_of(provenance.of(obj, PART_PROPERTY), face)

    def swarm_of(self, obj: bpy.types.Object | None) -> Swarm | None:
        """The fishes that an object draws, if it draws more than one."""
        part = None if obj is None else provenance.of(obj, PART_PROPERTY)
        return next((swarm for swarm in self._swarms if part in swarm.parts and self._parts.get(part) == obj), None)

    @property
    def scene(self) -> bpy.types.Scene:
        """Their scene."""
        return next(scene for scene in bpy.data.scenes if scene.session_uid == self._scene)

    @property
    def _scale(self) -> tuple[float, float, float]:
        """Scale of objects whose meshes are in metres."""
        return (1.0 / self._unit,) * 3

    def fit(self, rehearsal: Rehearsal) -> bool:
        """True if they can show this rehearsal, too; a new world restores deleted fishes."""
        return rehearsal.frames == 0 or None not in self.fishes and self._fits == _needs(rehearsal.recording())

    def seen(self, scene: bpy.types.Scene) -> bool:
        """True if any fish is still in a scene."""
        return any(scene in obj.users_scene for obj in self._left())

    @property
    def numbers(self) -> set[int]:
        """Session numbers of its fishes, and of their collection."""
        return {self._home, *self._numbers}

    def discard(self) -> None:
        """Removes the remaining objects, wherever they are."""
        there = set(bpy.data.objects)
        delete([*self._left(), *(obj for obj in self._parts.values() if obj in there)])

    def _left(self) -> list[bpy.types.Object]:
        """The fishes that were not deleted, though perhaps removed from the scene."""
        there = {obj.session_uid: obj for obj in bpy.data.objects}
        return [there[number] for number in self._numbers if number in there]

    def place(self, scene: bpy.types.Scene, origin: Vector) -> None:
        """Moves what drifts to the tank's place, and scales everything to the scene's units."""
        self.origin, self._unit = np.array(origin), metres(scene)
        for name, obj in self._parts.items():
            if name != "Bait":
                with suppress(ReferenceError):  # deleted by hand
                    obj.scale = self._scale
                    if name != "Hook":
                        obj.location = (self.origin / self._unit).tolist()
        for fish in self.fishes:
            if fish is not None:
                with suppress(ReferenceError):
                    fish.root.scale = self._scale

    def suits(self, scene: bpy.types.Scene, origin: Vector) -> bool:
        """True if they match the tank's place and the scene's units."""
        return tuple(self.origin) == origin[:] and self._unit == metres(scene)

    def _lose(self, which: int | str) -> None:
        """Note that a fish, by its row, or a part was deleted by hand; undo may bring it back."""
        self._deleted.add(which)
        if isinstance(which, int):
            self.fishes[which] = None
        else:
            del self._parts[which]

    def find_again(self) -> bool:
        """Looks up everything by number after undo; returns whether all but deleted objects were found."""
        there = {obj.session_uid: obj for obj in bpy.data.objects}
        homes = {collection.session_uid: collection for collection in bpy.data.collections}
        if self._home not in homes:
            return False
        self.collection = homes[self._home]
        roots = [there.get(number) for number in self._numbers]
        self.fishes = [None if root is None else FishObjects(root, {"body": root}, {}) for root in roots]
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

    def _make_fishes(self, swarm: Swarm) -> None:
        for part in swarm.parts:
            self._install(part, swarm.make(part, self.scene))
        number = surfaces.first_number(name := swarm.species.common_name)
        for place, row in enumerate(swarm.rows.tolist()):
            mesh = bpy.data.meshes.new(f"{name} {number + place:02d}")
            swarm.stand_in(mesh, place)
            obj = self._link(bpy.data.objects.new(mesh.name, mesh))
            obj[ROW] = row
            obj[individuality.INDIVIDUAL] = float(swarm.individual[place])
            obj.rotation_mode, obj.scale = "QUATERNION", self._scale
            self.fishes[row] = FishObjects(obj, {"body": obj}, {})

    def _settle(self, scene: bpy.types.Scene) -> None:
        """Makes their collection."""
        self.collection = bpy.data.collections.new(LIVE_COLLECTION)
        self.collection[MARK] = True
        provenance.sign([self.collection])
        scene.collection.children.link(self.collection)
        self._home = self.collection.session_uid

    def _link(self, obj: bpy.types.Object) -> bpy.types.Object:
        obj[MARK] = True
        provenance.sign([obj])
        if self._home not in {collection.session_uid for collection in bpy.data.collections}:  # deleted by hand
            self._settle(self.scene)
        self.collection.objects.link(obj)
        return obj

    def _place(self, rows: np.ndarray, picture: SwarmFrame) -> None:
        """Moves the objects of these rows to their places in a picture."""
        at = ((picture.places[rows] + self.origin) / self._unit).tolist()  # Blender reads lists much faster
        for row, place, axes in zip(rows.tolist(), at, picture.turns[rows].tolist(), strict=True):
            fish = self.fishes[row]
            try:
                if fish is not None:
                    fish.root.location = place
                    fish.root.rotation_quaternion = Matrix(axes).to_quaternion()
            except ReferenceError:
                self._lose(row)

    def _draw(self, rows: Sequence[int]) -> np.ndarray:
        """Fishes that are visible, and fishes drawn separately since they are selected or worked on, (2, fish).

        Only these rows are checked anew.
        """
        layers, rendering = list(self.scene.view_layers), pace.circumstances().rendering
        chosen = {obj.session_uid for layer in layers for obj in layer.objects.selected if obj}
        seen, alone = found = self._drawn.copy()
        for row in rows:
            fish = self.fishes[row]
            try:
                if fish is None:
                    seen[row] = alone[row] = False
                    continue
                root = fish.root
                seen[row] = not root.hide_render if rendering else any(root.visible_get(view_layer=of) for of in layers)
                alone[row] = root.session_uid in chosen or root.mode != "OBJECT" or len(root.modifiers) > 0
            except ReferenceError:
                self._lose(row)
                seen[row] = alone[row] = False
        alone[np.flatnonzero(alone)[MOST_ALONE:]] = False
        for swarm in self._swarms:
            if not all(part in self._parts for part in swarm.parts):  # one was deleted by hand
                alone[swarm.rows] = True
        return found

    def _hide(self, row: int, hidden: bool) -> None:
        fish = self.fishes[row]
        try:
            if fish is not None:
                hide(fish.root, hidden)
        except ReferenceError:
            self._lose(row)

    def _drift(self, frame: Mapping[str, np.ndarray]) -> None:
        """Moves plankton, bubbles, spawn, seaweed and hook."""
        place, there = frame["plankton"], frame["plankton_alive"]
        if len(place):
            if self._grains != len(place):  # more have been dropped
                self._grains = len(place)
                self._put("Plankton", *octahedra(len(place)), (0.85, 0.95, 0.6))
            self._set("Plankton", scattered(place, np.where(there, 0.5 * self._grain, 0.0)))
        if len(self._bubbles):
            self._set("Bubbles", scattered(frame["bubbles"], np.where(frame["bubbles_alive"], 0.5 * self._bubbles, 0)))
        if len(frame["spawn"]):
            if self._spawns != len(frame["spawn"]):  # the first of whom may court now
                self._spawns = len(frame["spawn"])
                self._put("Spawn", *octahedra(self._spawns), (1.0, 0.75, 0.5))
            self._set("Spawn", scattered(frame["spawn"], np.where(frame["spawn_kind"] >= 0, SPAWN_METRES, 0.0)))
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
                hide(bait, not hangs)
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
        """Makes the object of a drifting part, replacing the one before."""
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
        self._install(name, mesh)

    def _install(self, name: str, mesh: bpy.types.Mesh) -> None:
        """Makes the object of a part, at the tank's place."""
        obj = self._parts[name] = self._link(bpy.data.objects.new(mesh.name, mesh))
        obj[PART_PROPERTY] = name
        obj.location, obj.scale = (self.origin / self._unit).tolist(), self._scale

    def _set(self, name: str, vertices: np.ndarray) -> bool:
        """Moves the vertices of a part; returns whether it exists."""
        if name in self._parts and not reshape(self._parts[name], vertices):
            self._lose(name)
        return name in self._parts


def _needs(recording: Recording) -> tuple:
    """Key of all that puppets are made for."""
    scene, models = recording.scene, recording.species_models
    forms = {name: (model.body, model.form, model.looks) for name, model in models.items()}
    drifting = scene.seaweed, scene.bubbles, scene.hook, scene.plankton.size
    return recording.species, tuple(recording.body_length.tolist()), forms, drifting


def delete(ids: Sequence[bpy.types.ID]) -> None:
    """Removes objects and collections, with meshes that only they use."""
    references.set_down(ids)
    meshes = {obj.data for obj in ids if isinstance(obj, bpy.types.Object) and obj.data is not None}
    bpy.data.batch_remove(ids)
    bpy.data.batch_remove([mesh for mesh in meshes if not mesh.users])
