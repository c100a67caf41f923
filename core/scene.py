"""What an animator writes: the tank, who swims in it, what stands in it and how the water moves.

A scene is one JSON file, in presets/scenes or anywhere, checked against these dataclasses. World coordinates:
metres, z up, the tank spanning from the origin to `tank.size`.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass, field, fields, make_dataclass
from math import hypot
from typing import Any

from .codec import OPTIONAL, REQUIRED, Place, decode, encode, shown
from .declaration import Declared, choice, declared, integer, number, text, vector
from .files import preset_names, read_preset_or_file, write_json
from .species import TYPES, Drives, Species

MOST_FISHES = 100_000
FAR = 10_000.0  # metres; no place lies farther out


@dataclass(frozen=True)
class Tank:
    """The water, a box from the origin to `size`."""

    size: tuple = vector((10.0, 8.0, 4.0), 0.1, FAR, "m", "Length, width and depth of the water, along x, y and z")


def _optional(cls: type, doc: str) -> type:
    """A dataclass with the fields of another, all of them free to be left out."""
    own = [(f.name, float | None, declared(OPTIONAL, f.metadata["declared"])) for f in fields(cls)]
    made = make_dataclass(f"{cls.__name__}Change", own, frozen=True)
    made.__doc__, made.__module__ = doc, __name__
    return made


DrivesChange: Any = _optional(Drives, "Numbers of the mind in which these fishes differ from their species.")


@dataclass(frozen=True)
class Habits:
    """Innate likes (Tu 1999, §7.3)."""

    schooling: bool | None = declared(OPTIONAL, Declared("flag", "Whether it likes company; the species' if left out"))


@dataclass(frozen=True, kw_only=True)
class FishGroup:
    """Fishes of one species that begin near each other."""

    species: str = text(REQUIRED, "Species, as the stem of its file in presets/species")
    count: int = integer(1, 1, MOST_FISHES, "", "How many fishes")
    at: tuple = vector(REQUIRED, 0.0, FAR, "m", "Middle of the places where they begin", shape=(3,))
    spread: float = number(0.0, 0.0, FAR, "m", "Radius around that within which places clear of all else are drawn")
    heading: tuple | None = vector(OPTIONAL, -1e6, 1e6, "", "Direction they begin in; any if left out", shape=(3,))
    size: float = number(1.0, 0.05, 20.0, "", "Factor on the length of the species")
    type: str | None = choice(OPTIONAL, TYPES, "Predator, prey or pacifist; the species' if left out")
    sex: str = choice("mixed", ("male", "female", "mixed"), "Sex of these fishes")
    leader: bool = declared(
        False, Declared("flag", "Whether its own kind follow these fishes, which zigzag ahead of them")
    )
    habits: Habits = field(default_factory=Habits)
    mind: DrivesChange = field(default_factory=DrivesChange)

    def __post_init__(self) -> None:
        _refuse_zero("heading", self.heading)


@dataclass(frozen=True)
class Cylinder:
    """An upright pillar."""

    kind: str = choice(REQUIRED, ("cylinder",), "An upright pillar")
    at: tuple = vector(REQUIRED, 0.0, FAR, "m", "Middle of its foot", shape=(3,))
    radius: float = number(0.3, 0.001, FAR, "m", "Its radius")
    height: float = number(1.0, 0.001, FAR, "m", "Its height above the foot")

    def holds(self, point: tuple[float, float, float]) -> bool:
        """Whether a point (x, y, z) in metres lies inside the pillar."""
        x, y, z = (p - a for p, a in zip(point, self.at, strict=True))
        return hypot(x, y) < self.radius and 0.0 <= z < self.height


@dataclass(frozen=True)
class UniformCurrent:
    """Water that moves alike everywhere, steadily or to and fro."""

    kind: str = choice(REQUIRED, ("uniform",), "Alike everywhere")
    direction: tuple = vector(REQUIRED, -1e6, 1e6, "", "Where the water goes", shape=(3,))
    strength: float = number(0.1, 0.0, 10.0, "m/s", "Speed of the water, the most of it if it goes to and fro")
    period: float = number(0.0, 0.0, 3600.0, "s", "Time of once to and fro; 0 is steady")

    def __post_init__(self) -> None:
        _refuse_zero("direction", self.direction)


@dataclass(frozen=True)
class PointCurrent:
    """Water that streams out of a place or into it."""

    kind: str = choice(REQUIRED, ("source", "sink"), "Out of a place (source) or into it (sink)")
    at: tuple = vector(REQUIRED, 0.0, FAR, "m", "The place", shape=(3,))
    strength: float = number(0.1, 0.0, 10.0, "m/s", "Speed of the water at the radius")
    radius: float = number(0.5, 0.001, FAR, "m", "Radius at which the water has that speed; it fades farther out")


@dataclass(frozen=True)
class Vortex:
    """Water that circles around an axis."""

    kind: str = choice(REQUIRED, ("vortex",), "Circling around an axis")
    at: tuple = vector(REQUIRED, 0.0, FAR, "m", "A place on the axis", shape=(3,))
    strength: float = number(0.1, 0.0, 10.0, "m/s", "Speed of the water at the radius")
    radius: float = number(0.5, 0.001, FAR, "m", "Radius at which the water has that speed; it fades farther out")
    direction: tuple = vector(
        (0.0, 0.0, 1.0), -1e6, 1e6, "", "The axis; the water circles anticlockwise as seen from its tip"
    )

    def __post_init__(self) -> None:
        _refuse_zero("direction", self.direction)


@dataclass(frozen=True)
class Plankton:
    """Food that drifts."""

    count: int = integer(0, 0, 100_000, "", "How many particles")
    at: tuple | None = vector(OPTIONAL, 0.0, FAR, "m", "Middle of the cloud; all of the tank if left out", shape=(3,))
    spread: float = number(0.5, 0.0, FAR, "m", "Radius of the cloud")
    growth: float = number(0.0, 0.0, 1000.0, "1/s", "How many grow anew in a second where some have been eaten")
    size: float = number(0.006, 0.0005, 0.2, "m", "Size of a particle")


@dataclass(frozen=True)
class Camera:
    """Where the film is shot from. May stand outside the tank."""

    at: tuple = vector(REQUIRED, -FAR, FAR, "m", "Place of the camera", shape=(3,))
    look_at: tuple = vector(REQUIRED, -FAR, FAR, "m", "What it looks at", shape=(3,))
    lens: float = number(35.0, 1.0, 500.0, "mm", "Focal length on a sensor 36 mm wide")

    def __post_init__(self) -> None:
        if self.at == self.look_at:
            raise ValueError(f"look_at: found {shown(self.look_at)}, allowed another place than at")


@dataclass(frozen=True)
class Scene:
    """One scene, checked and immutable. `Scene.load("reef")` reads a preset, `Scene.load(path)` a file."""

    name: str = text("scene", "Name that a person reads")
    fps: float = number(24.0, 1.0, 240.0, "1/s", "Frames a second")
    duration: float = number(10.0, 0.001, 36_000.0, "s", "Length of the film")
    substeps: int = integer(2, 1, 1000, "", "Steps of the simulation in one frame")
    fluid_viscosity: float = number(1.0, 0.0, 10.0, "", "Factor on every force of water and fins; 0 is air")
    tank: Tank = field(default_factory=Tank)
    fishes: tuple[FishGroup, ...] = ()
    obstacles: tuple[Cylinder, ...] = ()
    current: tuple[UniformCurrent | PointCurrent | Vortex, ...] = ()
    plankton: Plankton = field(default_factory=Plankton)
    camera: Camera | None = None

    def __post_init__(self) -> None:
        if self.count > MOST_FISHES:
            raise ValueError(f"fishes: found {self.count} fishes in all, allowed up to {MOST_FISHES}")
        for section in ("fishes", "obstacles", "current"):
            for index, item in enumerate(getattr(self, section)):
                if not isinstance(item, UniformCurrent):
                    self._refuse_outside(f"{section}[{index}].at", item.at)
        if self.plankton.at is not None:
            self._refuse_outside("plankton.at", self.plankton.at)
        for index, group in enumerate(self.fishes):
            for which, pillar in enumerate(self.obstacles):
                if pillar.holds(group.at):
                    raise ValueError(
                        f"fishes[{index}].at: found {shown(group.at)} inside obstacles[{which}], "
                        "allowed a place clear of every obstacle"
                    )

    @property
    def count(self) -> int:
        """Number of fishes in all groups together."""
        return sum(group.count for group in self.fishes)

    @property
    def frames(self) -> int:
        """Number of frames that the duration comes to, at least one."""
        return max(1, round(self.duration * self.fps))

    @staticmethod
    def names() -> tuple[str, ...]:
        """The names of the presets, sorted."""
        return preset_names("scenes")

    @classmethod
    def load(cls, name_or_path: str | os.PathLike[str], species: Collection[str] | None = None) -> Scene:
        """Reads a preset by its name, or a file.

        Args:
            name_or_path: Name of a preset, such as "reef", or a path to a JSON file.
            species: Names that fishes may have; those of the presets if left out.

        Raises:
            SceneError: Where the file cannot be read or anything in it is not as declared.
        """
        return cls.from_dict(*read_preset_or_file("scenes", name_or_path), species=species)

    @classmethod
    def from_dict(cls, data: dict[str, Any], file: str = "scene", species: Collection[str] | None = None) -> Scene:
        """Checks a scene as JSON would hold it.

        Args:
            data: The scene's keys and values.
            file: What messages call the place where it comes from.
            species: Names that fishes may have; those of the presets if left out.

        Raises:
            SceneError: At the first thing that is not as declared.
        """
        scene = decode(cls, data, Place(file))
        known = Species.names() if species is None else species
        for index, group in enumerate(scene.fishes):
            if group.species not in known:
                place = Place(file, f"fishes[{index}].species")
                place.refuse(shown(group.species), f"one of {', '.join(known)}")
        return scene

    def to_dict(self) -> dict[str, Any]:
        """The scene as JSON holds it; `from_dict` makes an equal scene of it."""
        return encode(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the scene as JSON that `load` reads back to an equal scene.

        Raises:
            SceneError: Where the file cannot be written, or a value set in Python is not as declared.
        """
        self.from_dict(self.to_dict(), os.fspath(path), {group.species for group in self.fishes})
        write_json(path, self.to_dict())

    def _refuse_outside(self, key: str, at: tuple[float, float, float]) -> None:
        if any(not 0.0 <= place <= size for place, size in zip(at, self.tank.size, strict=True)):
            raise ValueError(f"{key}: found {shown(at)}, allowed in the tank, [0, 0, 0] to {shown(self.tank.size)}")


def _refuse_zero(key: str, direction: tuple[float, float, float] | None) -> None:
    if direction is not None and hypot(*direction) < 1e-9:
        raise ValueError(f"{key}: found {shown(direction)}, allowed a direction, not all zeros")
