"""The objects and settings of a Blender scene, read into a scene of the simulation without changing Blender.

Objects in the water are marked by `Object.artfish`, not by names, so they may be renamed, moved, scaled, linked and
deleted. A scene file's tank begins at the origin; in Blender it may stand anywhere, at `Reading.origin`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import bpy
from mathutils import Vector

from ...core.base.codec import Place, parse, shown
from ...core.scene.scene import Scene
from ...core.scene.species import Species
from ...core.world.fitting import misgivings
from ..blender.background import in_thread
from ..blender.declarations import json_of
from ..blender.jobs import Job, Steps
from ..blender.keyframes import reading_at
from ..blender.messages import plain
from ..blender.words import translated
from ..direction import markers
from ..direction.instructions import read_instructions
from ..direction.reader import read as read_direction
from ..direction.relations import read_relations
from ..dive.rides import ride_of
from ..identity.film_time import Clock, clock, film
from ..identity.keyed import BRIGHTNESS_PATH, read_keys
from ..identity.precision import rounded, short
from ..identity.roles import is_keyed, objects_of, world
from ..identity.units import display_size, metres, placed
from ..species import library, memory
from . import movement, remarks
from .bed import bed_data
from .meshes import ShapeOfMeshes
from .objects import AHEAD, UP
from .obstacles import WaterPlace, obstacles_data
from .painting import stage_data
from .soundness import doubts_of_scene, refusal
from .tank import size_of, tank_data, within
from .wording import InBlender, ObjectError, is_of_mesh

KEYED_SHOT_SECONDS = 0.25
"""Interval between the keys read from a camera's motion, which is linear in between."""
Data = dict[str, Any]
"""Data as JSON, or a `ShapeOfMeshes` for meshes."""
SAMPLED = 0.2
"""Share of a job's work that is done when everything is sampled."""


@dataclass(frozen=True)
class Reading:
    """A Blender scene as read for the simulation.

    Attributes:
        scene: The scene, checked.
        origin: Corner of its tank, the origin of its own coordinates, in Blender, metres.
        models: Species by name, those edited in this file first.
        objects: The objects of the items of each list of the scene, such as "fishes", in order.
    """

    scene: Scene
    origin: Vector
    models: dict[str, Species]
    objects: dict[str, list[bpy.types.Object]] = field(default_factory=dict)

    @property
    def shoals(self) -> list[bpy.types.Object]:
        """The empties of the shoals, in order."""
        return self.objects.get("fishes", [])


def read(scene: bpy.types.Scene, first: int | None = None) -> Reading:
    """The scene from a Blender scene's objects and settings.

    Args:
        scene: The scene.
        first: Frame at which the film begins; the scene's first if left out.

    Raises:
        SceneError: Something is not as it must be; the message names the object.
    """
    found = draft(scene, first)
    return found.read(found.form())


def read_steps(job: Job, scene: bpy.types.Scene, first: int | None = None) -> Steps[tuple[Draft, Reading]]:
    """`read` in steps: what only Blender's evaluation can place is sampled over the film's frames first.

    Args:
        job: The job this is part of.
        scene: The scene.
        first: Frame at which the film begins; the scene's first if left out.

    Raises:
        SceneError: Something is not as it must be; the message names the object.
    """
    markers.follow(scene)
    (begin, end), text = film(scene), job.text
    with movement.reading(scene):
        if movement.sampled(scene):
            with job.phase("Looking at what moves", SAMPLED):
                for frame in movement.sample(scene):
                    job.advance(
                        (frame - begin + 1) / (end - begin + 1),
                        translated("Looking at what moves, frame {frame}", frame=frame),
                    )
                    yield
        job.text = text
        found = draft(scene, first)
    return found, found.read((yield from in_thread(found.form)))


@dataclass(frozen=True)
class Draft:
    """A Blender scene, read as far as Blender is needed; the rest, which may take seconds, is `form`.

    Attributes:
        form: Makes the scene without touching Blender; raises a SceneError, as `read` does.
        origin: See `Reading`.
        models: See `Reading`.
        objects: See `Reading`.
        name: Name of the Blender scene.
        wording: Wording of its errors for a person.
    """

    form: Callable[[], Scene]
    origin: Vector
    models: dict[str, Species]
    objects: dict[str, list[bpy.types.Object]]
    name: str
    wording: InBlender

    def saying(self) -> AbstractContextManager[None]:
        """A context in which errors in the formed scene name its objects, too."""
        return self.wording.saying(self.name)

    def warnings(self, formed: Scene) -> tuple[str, ...]:
        """Warnings about the formed scene, a line each."""
        return tuple(plain(self.wording.error(one, self.name)) for one in misgivings(formed, self.models))

    def read(self, formed: Scene) -> Reading:
        """The reading, with the scene from `form`."""
        return Reading(formed, self.origin, self.models, self.objects)


def draft(scene: bpy.types.Scene, first: int | None = None) -> Draft:
    """The part of `read` that needs Blender.

    Raises:
        SceneError: Blender's data is invalid.
    """
    data, origin, objects = to_data(scene, first)
    models = _models(scene, {group["species"] for group in data.get("fishes", ())})
    names = {key: [obj.name for obj in found] for key, found in objects.items()}
    wording = InBlender(names, origin)
    form = partial(_form, data, scene.name, library.names(scene), wording, scene.session_uid)
    return Draft(form, origin, models, objects, scene.name, wording)


def _form(data: Data, file: str, known: list[str], wording: InBlender, uid: int) -> Scene:
    """The scene from `to_data`, for the Blender scene of this `session_uid`; errors name the objects."""
    try:
        with wording.saying(file):
            made = Scene.from_dict(_shaped(data, file), file, known)
    except ObjectError as error:
        if error.subject and is_of_mesh(error.rest):
            remarks.doubt(uid, error.subject, refusal(error))
        raise
    shapes = data.get("obstacles", ())
    own = [not isinstance(each, ShapeOfMeshes) or each.own for each in shapes]
    remarks.settle(uid, doubts_of_scene(made.obstacles, wording.names.get("obstacles", []), own))
    return made


def _shaped(data: Data, file: str) -> Data:
    """The data of `to_data`, with its shapes made."""

    def made(value: Any, place: Place) -> Any:
        if isinstance(value, ShapeOfMeshes):
            return value.made(place)
        return [made(item, place.item(row)) for row, item in enumerate(value)] if isinstance(value, list) else value

    return {key: made(value, Place(file, key)) for key, value in data.items()}


def _models(scene: bpy.types.Scene, names: set[str]) -> dict[str, Species]:
    """The species of the fishes; unknown names are left out, for the scene to report."""
    known = library.models(scene)
    return {name: known[name] for name in sorted(names) if name in known}


def to_data(scene: bpy.types.Scene, first: int | None = None) -> tuple[Data, Vector, dict[str, list[bpy.types.Object]]]:
    """The scene as JSON, its origin in Blender, and the objects of its lists."""
    begins = film(scene)[0] if first is None else first
    with reading_at(begins):
        found = _Collection(scene)
        found.add_settings()
        found.add_inhabitants()
        found.add_surroundings()
        found.add_direction(begins)
        read_instructions(scene, found.data, found.objects, found.low)
        read_relations(scene, found.data, found.objects)
    return found.data, found.low, found.objects


def schedule(scene: bpy.types.Scene) -> tuple[Scene, dict[str, Species], list[bpy.types.Object]]:
    """The shoals of a scene and what leads them, in its tank's box, their species, and the objects that lead.

    Raises:
        SceneError: Something of these is not as it must be.
    """
    begins, render = film(scene)[0], scene.render
    with reading_at(begins):
        found = _Collection(scene)
        found.data["fps"] = float(f"{render.fps / render.fps_base:.7g}")
        found.data["duration"] = max(film(scene)[1] - begins + 1, 1) / found.data["fps"]
        found.data["tank"] = {"size": [float(side) for side in found.size]}
        found._add("fishes", "SHOAL", partial(_shoal, found.unit))
        found.add_direction(begins)
    made = Scene.from_dict(found.data, scene.name, library.names(scene))
    names = {group["species"] for group in found.data.get("fishes", ())}
    return made, _models(scene, names), found.objects.get("direction", [])


class _Collection:
    """A scene as it is read kind by kind.

    Attributes:
        scene: The scene.
        unit: Metres in a unit of the scene.
        low: Lowest corner of its water, in metres.
        size: Size of its water, metres.
        data: The data read so far.
        objects: The objects of the items of each list.
    """

    def __init__(self, scene: bpy.types.Scene) -> None:
        self.scene, self.unit, (self.low, self.size) = scene, metres(scene), size_of(scene)
        self.data: Data = {}
        self.objects = {"tank": objects_of(scene, "TANK")[:1]}

    def add_settings(self) -> None:
        """Settings of the whole water."""
        settings, render = self.scene.artfish, self.scene.render
        fps = float(f"{render.fps / render.fps_base:.7g}")
        self.data |= json_of(settings.water) | {"fps": fps}
        if settings.still_water:
            self.data["fluid_viscosity"] = 0.0
        if settings.generations.on:
            self.data["breeding"] = json_of(settings.generations)
        if settings.detail.on:
            shots = settings.detail.shots
            self.data["detail"] = json_of(settings.detail) | (parse(shots, "camera") if shots else {})
        starts, ends = film(self.scene)
        self.data["duration"] = max(ends - starts + 1, 1) / fps
        self.data["tank"] = tank_data(self.scene, self.low, self.size)
        self.data["stage"] = stage_data(self.scene, self.unit, self.low, self.size)
        if settings.sea.on:
            self.data["water"] = json_of(settings.sea)
        light = settings.light
        bright = read_keys(self.scene, BRIGHTNESS_PATH, 0, light.brightness, Clock(fps, starts))
        self.data["light"] = json_of(light) | ({"brightness": bright} if isinstance(bright, list) else {})
        self.data["temperature"] = json_of(settings.temperature)

    def add_inhabitants(self) -> None:
        """Fishes, plants and food, obstacles and currents."""
        self._add("fishes", "SHOAL", partial(_shoal, self.unit))
        standing = obstacles_data(self.scene, WaterPlace(self.unit, self.low, self.size))
        remarks.keep(self.scene, standing.remarks, standing.concerned)
        if standing.data:
            self.data["obstacles"], self.objects["obstacles"] = standing.data, standing.objects
        if self.scene.artfish.flow:
            self._add("current", "CURRENT", partial(_current, self.unit))
        for key, kind in (("seaweed", "SEAWEED"), ("bubbles", "BUBBLES")):
            self._add(key, kind, partial(_group, key, self.unit))
        for obj in objects_of(self.scene, "PLANKTON")[:1]:
            self.objects["plankton"] = [obj]
            self.data["plankton"] = _scaled(json_of(obj.artfish.plankton), obj, self.unit)
            if not obj.artfish.everywhere:
                self.data["plankton"] = self._inside(obj, {"at": self._place(obj), **self.data["plankton"]})

    def add_surroundings(self) -> None:
        """Hook, heat, bed and camera."""
        for obj in objects_of(self.scene, "HOOK")[:1]:
            self.objects["hook"] = [obj]
            self.data["hook"] = self._inside(obj, {"at": self._place(obj), **json_of(obj.artfish.hook)})
        sources = objects_of(self.scene, "HEAT")
        if sources:
            heat = [self._inside(obj, _group("heat", self.unit, obj, self._place(obj))) for obj in sources]
            self.data["temperature"]["sources"], self.objects["temperature.sources"] = heat, sources
        beds = objects_of(self.scene, "BED")
        if beds:
            self.data["terrain"], self.objects["terrain"] = bed_data(beds, self.unit, self.low, self.size), beds
        elif self.scene.artfish.hills:
            self.data["terrain"] = json_of(self.scene.artfish.terrain)
        ride = ride_of(self.scene)
        if ride is not None:
            self.data["ride"] = ride
        for obj in objects_of(self.scene, "CAMERA")[:1]:
            if obj.type == "CAMERA":
                self.objects["camera"] = [obj]
                self.data["camera"] = _camera(obj, self.unit, self.low)
        if "detail" in self.data:
            self._add_shots()

    def _add_shots(self) -> None:
        """The camera for levels of detail, if one applies: the chosen one, or the scene's own."""
        detail = self.scene.artfish.detail
        known = {"camera", "ride"}.intersection(self.data) or "camera" in self.data["detail"]
        camera = detail.by_camera or (None if known else self.scene.camera)
        if camera is not None and camera.type == "CAMERA":
            self.data["detail"]["camera"] = _shots(camera, self.scene, self.unit, self.low)

    def add_direction(self, begins: int) -> None:
        """Directions and timed events, for a film that begins at a frame."""
        shoals = self.objects.get("fishes", [])
        data, objects = read_direction(self.scene, shoals, self.low, self.data["fps"], begins)
        self.data |= data
        self.objects |= objects
        for obj, event in zip(self.objects.get("events", ()), self.data.get("events", ()), strict=True):
            self._inside(obj, event)

    def _add(self, key: str, kind: str, describe: Callable[[bpy.types.Object, list[float]], Data]) -> None:
        found = objects_of(self.scene, kind)
        if found:
            self.data[key] = [self._inside(obj, describe(obj, self._place(obj))) for obj in found]
            self.objects[key] = found

    def _place(self, obj: bpy.types.Object) -> list[float]:
        return within(placed(obj, self.unit).translation - self.low, self.size)

    def _inside(self, obj: bpy.types.Object, entry: Data) -> Data:
        """An object's entry, checked to be in the tank."""
        at = entry.get("at", (0.0, 0.0, 0.0))
        if any(not 0.0 <= x <= length for x, length in zip(at, self.size[:], strict=True)):
            found, low, high = (shown(rounded(end)) for end in (self.low + Vector(at), self.low, self.low + self.size))
            raise ObjectError(found, translated("in the tank, {low} to {high}", low=low, high=high), obj.name, "at")
        return entry


def _shoal(unit: float, obj: bpy.types.Object, at: list[float]) -> Data:
    role = obj.artfish
    group = {"at": at, **_scaled(json_of(role.shoal), obj, unit)}
    if role.shoal.use_heading:
        group["heading"] = _direction(obj, AHEAD)
    if role.shoal.controller:
        group["controller"] = parse(role.shoal.controller, f"{obj.name}: controller")
    group |= _character(role) | memory.json_of(role.memory)
    if role.members:
        group["members"] = [json_of(member) | _character(member) for member in role.members]
    return group


def _character(fishes: Any) -> Data:
    """Habits and mind of a shoal or of a single fish, as far as they are set."""
    character = {key: json_of(getattr(fishes, key)) for key in ("habits", "mind")}
    return {key: numbers for key, numbers in character.items() if numbers}


def _group(key: str, unit: float, obj: bpy.types.Object, at: list[float]) -> Data:
    """An object's property group as an entry, with its place."""
    return {"at": at, **_scaled(json_of(getattr(obj.artfish, key)), obj, unit)}


def _current(unit: float, obj: bpy.types.Object, at: list[float]) -> Data:
    current = obj.artfish.current
    flow: Data = {"kind": current.kind, "strength": json_of(current)["strength"]}
    if current.kind == "uniform":
        return {**flow, "direction": _direction(obj, UP), "period": json_of(current)["period"]}
    flow |= {"at": at, "radius": _across(current.radius, obj, unit)}
    return flow if current.kind != "vortex" else {**flow, "direction": _direction(obj, UP)}


def _camera(obj: bpy.types.Object, unit: float, low: Vector) -> Data:
    matrix = placed(obj, unit)
    at, ahead = matrix.translation - low, matrix.to_quaternion() @ -UP
    look_at = at + obj.artfish.distance * ahead
    return {"at": [short(x) for x in at], "look_at": [short(x) for x in look_at], "lens": short(obj.data.lens)}


def _shots(obj: bpy.types.Object, scene: bpy.types.Scene, unit: float, low: Vector) -> list[Data]:
    """Keys of a camera through the film, without those between two equal ones; a single one without F-curves."""
    (first, last), time = film(scene), clock(scene)
    between = max(1, round(KEYED_SHOT_SECONDS * time.fps))
    frames = [*range(first, last, between), last] if is_keyed(obj) else [first]
    found: list[Data] = []
    for frame in frames:
        with reading_at(frame):
            shot = _camera(obj, unit, low)
        if len(found) > 1 and all(each == shot | {"time": each["time"]} for each in found[-2:]):
            found.pop()
        found.append(shot | {"time": time.seconds(frame)})
    return found


def _scaled(group: Data, obj: bpy.types.Object, unit: float) -> Data:
    """The numbers of a group, with its spread or radius multiplied by the object's scale."""
    for key in ("spread", "radius"):
        if key in group:
            group[key] = _across(group[key], obj, unit)
    return group


def _across(reach: float, obj: bpy.types.Object, unit: float) -> float:
    """A spread or radius as displayed: Apply Scale moves the largest scale of an empty into its display size."""
    scale = max(abs(share) for share in world(obj).to_scale())
    return short(
        reach * scale * (obj.empty_display_size / display_size(obj, reach, unit) if obj.type == "EMPTY" else 1.0)
    )


def _direction(obj: bpy.types.Object, axis: Vector) -> list[float]:
    return [short(number) for number in world(obj).to_quaternion() @ axis]
