"""A scene as an animator writes it: the tank, its fishes, its obstacles and its currents.

A scene is one JSON file, in presets/scenes or anywhere, checked against these dataclasses. World coordinates:
metres, z up, the tank spanning from the origin to `tank.size`.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, ClassVar

from ..base.codec import Height, ListItem, Place, SceneError, Spot, decode, encode, shown
from ..base.declaration import beside, flag, integer, number, text
from ..base.files import lies_below, preset_folder, preset_names, read_preset_or_file, write_json
from ..base.formats import stamped, unstamped
from ..geometry.bed import Bed
from .breeding import Breeding
from .controller import Controller, refuse_search
from .detail import Detail, Shot
from .direction import Arrival, Ball, Curve, Fill, Food, Fright, Leader, Region, Stream, Target, Want, refuse_strangers
from .fishes import FishGroup
from .instruction import Act, Mark, refuse_unknown
from .inventory import Camera, Hook, Plankton, Seaweed, Vent
from .limits import MOST_FISHES, MOST_PARTICLES
from .motion import read_motion
from .obstacles import Cylinder, MeshObstacle
from .relation import Relation, refuse_relations
from .ride import Ride
from .species import Species
from .stage import Stage
from .tank import Tank, Terrain
from .water import Light, PointCurrent, Temperature, UniformCurrent, Vortex, Water

HIGHEST_HILLS = 0.8  # of the tank's depth, to which hills may rise


@dataclass(frozen=True)
class Scene:
    """One scene, checked and immutable. `Scene.load("reef")` reads a preset, `Scene.load(path)` a file.

    Attributes:
        source: Name of its origin in messages.
        models: Species of its fishes that are files beside it, by their stems; no values of the scene.
    """

    source: ClassVar[str] = "scene"

    name: str = text("scene", "Name that a person reads")
    fps: float = number(24.0, 1.0, 240.0, "1/s", "Frames a second")
    duration: float = number(10.0, 0.001, 36_000.0, "s", "Length of the film")
    preroll: float = number(0.0, 0.0, 3600.0, "s", "Time that the fishes have lived already when the film begins")
    substeps: int = integer(2, 1, 1000, "", "Steps of the simulation in one frame")
    fluid_viscosity: float = number(1.0, 0.0, 10.0, "", "Factor on every force of water and fins; 0 is air")
    tank: Tank = field(default_factory=Tank)
    fishes: tuple[FishGroup, ...] = ()
    obstacles: tuple[Cylinder | MeshObstacle, ...] = ()
    terrain: Terrain | None = None
    current: tuple[UniformCurrent | PointCurrent | Vortex, ...] = ()
    plankton: Plankton = field(default_factory=Plankton)
    stage: Stage = field(default_factory=Stage)
    water: Water | None = None
    light: Light = field(default_factory=Light)
    temperature: Temperature = field(default_factory=Temperature)
    seaweed: tuple[Seaweed, ...] = ()
    bubbles: tuple[Vent, ...] = ()
    hook: Hook | None = None
    camera: Camera | None = None
    ride: Ride | None = None
    detail: Detail | None = None
    breeding: Breeding | None = None
    direction: tuple[Target | Arrival | Curve | Region | Leader | Ball | Fill | Stream, ...] = ()
    wants: tuple[Want, ...] = ()
    marks: tuple[Mark, ...] = ()
    instructions: tuple[Act, ...] = ()
    relations: tuple[Relation, ...] = ()
    grudges: bool = flag(
        False, "Whether fishes come to fear who chased them, and to dislike who drove them off at food, for a while"
    )
    events: tuple[Food | Fright, ...] = ()
    models: Mapping[str, Species] = beside(dict)

    def __post_init__(self) -> None:
        refuse_strangers(self)
        refuse_unknown(self)
        refuse_relations(self)
        placed = (each.within(self.tank.size) if isinstance(each, MeshObstacle) else each for each in self.obstacles)
        object.__setattr__(self, "obstacles", tuple(placed))
        if self.count > MOST_FISHES:
            raise SceneError(f"{self.count} fishes in all", f"up to {MOST_FISHES}", key="fishes")
        if self.breeding is not None:
            self._refuse_breeding(self.breeding)
        dropped = sum(event.count for event in self.events if isinstance(event, Food))
        if self.plankton.count + dropped > MOST_PARTICLES:
            food = f"{dropped} particles of food beside {self.plankton.count} of plankton"
            raise SceneError(food, f"up to {MOST_PARTICLES} in all", key="events")
        for section in ("fishes", "obstacles", "current", "seaweed", "bubbles", "events", "marks"):
            for index, item in enumerate(getattr(self, section)):
                if not isinstance(item, UniformCurrent) and getattr(item, "motion", None) is None:
                    self._refuse_outside(f"{section}[{index}].at", item.at)
        if self.plankton.at is not None:
            self._refuse_outside("plankton.at", self.plankton.at)
        bed = Bed.from_scene(self)
        if bed is not None and bed.top > HIGHEST_HILLS * self.tank.size[2]:
            most = f"up to {HIGHEST_HILLS * self.tank.size[2]:.3g} m, {HIGHEST_HILLS:g} of the tank's depth"
            raise SceneError(f"hills up to {bed.top:.3g} m", most, "terrain")
        for index, source in enumerate(self.temperature.sources):
            self._refuse_outside(f"temperature.sources[{index}].at", source.at)
        if self.hook is not None:
            self._refuse_outside("hook.at", self.hook.at)
        if self.ride is not None:
            self._refuse_ride(self.ride)
        if self.detail is not None and not self.shots:
            raise SceneError("no camera", "keys of one here, the scene's own camera, or a ride", key="detail.camera")
        for index, group in enumerate(self.fishes):
            self._refuse_below(index, group.at, bed)
        for section in ("fishes", "seaweed", "bubbles"):
            for index, group in enumerate(getattr(self, section)):
                self._refuse_inside(f"{section}[{index}].at", group.at)

    @property
    def count(self) -> int:
        """Number of fishes in all groups together."""
        return sum(group.count for group in self.fishes)

    @property
    def frames(self) -> int:
        """Number of frames that the duration comes to, at least one."""
        return max(1, round(self.duration * self.fps))

    @property
    def preroll_frames(self) -> int:
        """Number of frames that the pre-roll comes to."""
        return round(self.preroll * self.fps)

    @property
    def bodies(self) -> tuple[Any, ...]:
        """The obstacles, and the submarine after the last: what rows of obstacles count."""
        return self.obstacles if self.ride is None else (*self.obstacles, self.ride)

    @property
    def shots(self) -> tuple[Shot, ...]:
        """Keys of the camera by which levels of detail go; none without one, a camera of the scene's own or a ride."""
        if self.detail is not None and self.detail.camera is not None:
            return self.detail.camera
        own, ride = self.camera, self.ride
        if own is None and ride is not None:  # by which levels go while nobody rides
            ahead = tuple(x + along for x, along in zip(ride.at, ride.heading, strict=True))
            own = Camera(at=ride.at, look_at=ahead, lens=ride.camera.lens)
        return () if own is None else (Shot(time=0.0, at=own.at, look_at=own.look_at, lens=own.lens),)

    @staticmethod
    def names() -> tuple[str, ...]:
        """The names of the presets, sorted."""
        return preset_names("scenes")

    @classmethod
    def load(
        cls,
        name_or_path: str | os.PathLike[str],
        species: Collection[str] | None = None,
        files_from: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
    ) -> Scene:
        """Reads a preset by its name, or a file.

        Args:
            name_or_path: Name of a preset, such as "reef", or a path to a JSON file.
            species: Names that fishes may have; those of the presets if left out.
            files_from: A folder, or several, from which the scene may name files, beside its own folder.

        Raises:
            SceneError: If the file cannot be read or anything in it is not as declared.
        """
        data, file = read_preset_or_file("scenes", name_or_path)
        folder = preset_folder("scenes") if file != os.fspath(name_or_path) else Path(name_or_path).parent
        return cls.from_dict(data, file, species, folder, files_from)

    @classmethod
    def from_dict(
        cls,
        data: dict[str, Any],
        file: str = "scene",
        species: Collection[str] | None = None,
        folder: str | os.PathLike[str] | None = "",
        files_from: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
    ) -> Scene:
        """Checks a scene as JSON would hold it.

        Args:
            data: The scene's keys and values.
            file: Name of its origin in messages.
            species: Names that fishes may have; those of the presets if left out.
            folder: Folder at which the paths of its meshes and controllers begin, and in or below which they lie; "" if
                the caller answers for them, None if the data must hold them itself and name no file.
            files_from: A folder, or several, from which it may name files beside that.

        Raises:
            SceneError: At the first thing that is not as declared.
        """
        data = unstamped("scene", data, file)
        scene = decode(cls, _found_from(folder, files_from, data, Place(file)), Place(file))
        object.__setattr__(scene, "source", file)  # not one of its values: equal scenes may come from two files
        known = Species.names() if species is None else species
        models: dict[str, Species] = {}
        for index, group in enumerate(scene.fishes):
            if group.species not in known and group.species not in models:
                place = Place(file, f"fishes[{index}].species")
                models[group.species] = _species_beside(folder, group.species, known, place)
        object.__setattr__(scene, "models", models)
        return scene

    @cached_property
    def rows(self) -> tuple[range, ...]:
        """The rows of the fishes of each group."""
        begins = list(accumulate((group.count for group in self.fishes), initial=0))
        return tuple(map(range, begins, begins[1:]))

    def rows_of(self, group: int, member: int | None = None) -> range:
        """The rows of the fishes of a group, or of the one fish of it that is its member, counted from 0."""
        rows = self.rows[group]
        return rows if member is None else rows[member : member + 1]

    def to_dict(self) -> dict[str, Any]:
        """The scene as JSON holds it; `from_dict` makes an equal scene of it."""
        return encode(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the scene as JSON that `load` reads back to an equal scene.

        Raises:
            SceneError: If the file cannot be written, or a value set in Python is not as declared.
        """
        self.from_dict(self.to_dict(), os.fspath(path), {group.species for group in self.fishes})
        write_json(path, stamped("scene", self.to_dict()))

    def with_fishes(self, fishes: Sequence[FishGroup]) -> Scene:
        """The same scene with other fishes, which are not checked."""
        made = copy(self)
        made.__dict__.pop("rows", None)
        object.__setattr__(made, "fishes", tuple(fishes))
        return made

    def refuse_beginning(self, group: int, at: tuple[float, float, float]) -> None:
        """Refuses a place where no fish of a group may begin.

        Raises:
            SceneError: Outside the water, below the bed, or in an obstacle.
        """
        self._refuse_outside(f"fishes[{group}].at", at)
        self._refuse_below(group, at, Bed.from_scene(self))
        self._refuse_inside(f"fishes[{group}].at", at)

    def _refuse_below(self, group: int, at: tuple[float, float, float], bed: Bed | None) -> None:
        if bed is not None and at[2] < bed.height(*at[:2]):
            least = "z of ", Height(float(bed.height(*at[:2]))), " m or more there"
            raise SceneError((Spot(at), " below the bed"), least, f"fishes[{group}].at")

    def _refuse_inside(self, key: str, at: tuple[float, float, float]) -> None:
        for which, pillar in enumerate(self.obstacles):
            if pillar.motion is None and pillar.holds(at):
                found = Spot(at), " inside ", ListItem("obstacles", which)
                raise SceneError(found, "a place clear of every obstacle", key)

    def _refuse_breeding(self, breeding: Breeding) -> None:
        if not self.fishes:
            raise SceneError("breeding without fishes", "fishes that begin", "breeding")
        if self.count + breeding.born > MOST_FISHES:
            found = f"{breeding.born} beside {self.count} fishes"
            raise SceneError(found, f"up to {MOST_FISHES} in all", "breeding.born")
        if self.detail is not None:
            raise SceneError("breeding with levels of detail", "one of both", "breeding")
        for index, group in enumerate(self.fishes):
            if group.controller is not None:
                found = "a controller of one body, of which children have others"
                raise SceneError(found, "none in a scene with breeding", f"fishes[{index}].controller")

    def _refuse_ride(self, ride: Ride) -> None:
        self._refuse_outside("ride.at", ride.at)
        least = min(self.tank.size)
        if 2.0 * ride.girth > least:
            raise SceneError(f"a hull of {ride.girth:.3g} m", f"half of {least:.3g} m, the tank's least", "ride.length")
        for which, obstacle in enumerate(self.obstacles):
            if obstacle.holds(ride.at):
                found = Spot(ride.at), " inside ", ListItem("obstacles", which)
                raise SceneError(found, "a place clear of every obstacle", "ride.at")

    def _refuse_outside(self, key: str, at: tuple[float, float, float]) -> None:
        if any(not 0.0 <= place <= size for place, size in zip(at, self.tank.size, strict=True)):
            raise SceneError((Spot(at),), ("in the tank, ", Spot((0, 0, 0)), " to ", Spot(self.tank.size)), key)
        if key.startswith("fishes") and not self.tank.holds(at):
            raise SceneError((Spot(at), " outside the tank's walls"), "in the water", key)


def _species_beside(folder: str | os.PathLike[str] | None, name: str, known: Collection[str], place: Place) -> Species:
    """The species whose file lies in the folder of a scene; its stem is its name."""
    presets = ", ".join(known)
    if not folder:
        place.refuse(shown(name), f"one of {presets}")
    path = os.path.join(folder, f"{name}.json")
    if os.path.basename(name) != name or not os.path.isfile(path) or not lies_below(path, folder):
        place.refuse(shown(name), f"one of {presets}, or the stem of a species' file beside the scene")
    return Species.load(path)


def _found_from(
    folder: str | os.PathLike[str] | None,
    files_from: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    data: Any,
    place: Place,
) -> Any:
    """The scene's data with the paths of its meshes as they are from here, and with what its other files hold.

    A value that is not as declared stays so.
    """
    if not isinstance(data, dict):
        return data
    more = (files_from,) if isinstance(files_from, str | os.PathLike) else files_from

    def found(name: str, where: Place, instead: str) -> str:
        if folder is None:
            where.refuse("the name of a file", instead)
        path = os.path.join(folder, name)
        if folder != "" and not any(lies_below(path, root) for root in (folder, *more)):
            allowed = "a file beside the scene or below, or in a folder that you allow with --files-from (files_from)"
            where.refuse("a file elsewhere", allowed)
        return path

    def placed(item: Any, where: Place) -> Any:
        if not isinstance(item, dict):
            return item
        files = {name: item[name] for name in ("file", "motion") if isinstance(item.get(name), str)}
        if "file" in files:
            files["file"] = found(files["file"], where.under("file"), "the mesh itself, as vertices and faces")
        if "motion" in files:
            motion = where.under("motion")
            files["motion"] = read_motion(found(files["motion"], motion, "a list of keys"), motion)
        return {**item, **files}

    def led(group: Any, where: Place) -> Any:
        named = group.get("controller") if isinstance(group, dict) else None
        if named is None or isinstance(named, Controller):
            return group
        where = where.under("controller")
        if isinstance(named, dict):
            refuse_search(named, where)
            return group
        if not isinstance(named, str):
            where.refuse(shown(named), "the path of a file that artfish learn wrote, or what that holds")
        return {**group, "controller": Controller.load(found(named, where, "the controller itself"))}

    made = dict(data)
    for section, of in (("obstacles", placed), ("fishes", led)):
        if isinstance(data.get(section), list):
            made[section] = [of(item, place.under(section).item(row)) for row, item in enumerate(data[section])]
    return made
