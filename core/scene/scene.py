"""What an animator writes: the tank, who swims in it, what stands in it and how the water moves.

A scene is one JSON file, in presets/scenes or anywhere, checked against these dataclasses. World coordinates:
metres, z up, the tank spanning from the origin to `tank.size`.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, fields, make_dataclass, replace
from functools import cached_property
from math import hypot
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ..base.codec import OPTIONAL, REQUIRED, Height, Item, Place, SceneError, Spot, decode, encode, shown
from ..base.declaration import Declared, choice, colour, declared, flag, integer, number, text, vector
from ..base.files import preset_folder, preset_names, read_preset_or_file, write_json
from ..geometry import triangles
from ..geometry.bed import Bed
from ..geometry.solids import Basin, Rock
from .direction import Curve, Food, Fright, Leader, Region, Target, Want, refuse_strangers
from .species import TYPES, Drives, Species

MOST_FISHES = 100_000
FAR = 10_000.0  # metres; no place lies farther out
HIGHEST = 0.8  # of the tank's depth, to which hills may rise


@dataclass(frozen=True)
class Tank:
    """The water, a box from the origin to `size`, or what a closed mesh within that box holds."""

    size: tuple = vector((10.0, 8.0, 4.0), 0.1, FAR, "m", "Length, width and depth of the water, along x, y and z")
    vertices: tuple | None = vector(
        OPTIONAL, -FAR, FAR, "m", "Vertices of its walls, where it is no box", shape=(None, 3)
    )
    faces: tuple | None = vector(
        OPTIONAL, 0, 1e6, "", "Vertices of each face of its walls, counted from 0, all turning alike", (None, None)
    )

    def __post_init__(self) -> None:
        if self.vertices is None and self.faces is None:
            return
        if self.vertices is None or self.faces is None:
            there, missing = ("vertices", "faces") if self.faces is None else ("faces", "vertices")
            raise SceneError(f"nothing beside {there}", "both or neither", key=missing)
        vertices = np.array(self.vertices, dtype=float).reshape(-1, 3)
        solid = triangles.closed(vertices, self.faces)
        over = max(0.0, -float(vertices.min()), float((vertices - self.size).max()))
        if over > 1e-3 * max(self.size):
            raise SceneError(f"one {over:.3g} m outside", f"in the box up to {shown(self.size)}", key="vertices")
        object.__setattr__(self, "vertices", tuple(map(tuple, vertices.tolist())))
        object.__setattr__(self, "faces", tuple(tuple(map(int, face)) for face in self.faces))
        object.__setattr__(self, "_solid", solid)

    @property
    def placed(self) -> tuple[np.ndarray, np.ndarray]:
        """Vertices of the walls in metres, (n, 3), and triangles, (m, 3), which face out of the water."""
        return self._solid  # type: ignore[attr-defined]

    @cached_property
    def basin(self) -> Basin:
        """The walls of a tank that is no box, sampled once."""
        return Basin(*self.placed)

    def holds(self, point: tuple[float, float, float]) -> bool:
        """Whether a point (x, y, z) in metres is in the water."""
        if any(not 0.0 <= place <= size for place, size in zip(point, self.size, strict=True)):
            return False
        if self.faces is None:
            return True
        vertices, faces = self.placed
        return bool(abs(triangles.winding(np.array([point], dtype=float), vertices[faces])[0]) > 0.5)


def _optional(cls: type, doc: str) -> type:
    """A dataclass with the fields of another, all of them free to be left out."""
    own = [(f.name, float | None, declared(OPTIONAL, f.metadata["declared"])) for f in fields(cls)]
    made = make_dataclass(f"{cls.__name__}Change", own, frozen=True)
    made.__doc__, made.__module__ = doc, __name__
    return made


DrivesChange: Any = _optional(Drives, "Numbers of the mind in which these fishes differ from their species.")


@dataclass(frozen=True)
class Habits:
    """Innate likes (Tu 1999, §7.3). Who likes both of an opposed pair, or neither, does not care."""

    brightness: bool | None = declared(OPTIONAL, Declared("flag", "Whether it likes bright places; no if left out"))
    darkness: bool | None = declared(OPTIONAL, Declared("flag", "Whether it likes dark places; no if left out"))
    cold: bool | None = declared(OPTIONAL, Declared("flag", "Whether it likes cold water; no if left out"))
    warmth: bool | None = declared(OPTIONAL, Declared("flag", "Whether it likes warm water; no if left out"))
    schooling: bool | None = declared(OPTIONAL, Declared("flag", "Whether it likes company; the species' if left out"))


@dataclass(frozen=True, kw_only=True)
class Member:
    """One fish of a group, and in what it differs from the others."""

    index: int = integer(REQUIRED, 0, MOST_FISHES - 1, "", "Which fish of the group, counted from 0")
    type: str | None = choice(OPTIONAL, TYPES, "Predator, prey or pacifist; the group's if left out")
    sex: str | None = choice(OPTIONAL, ("male", "female"), "Its sex; as the group says if left out")
    leader: bool | None = declared(
        OPTIONAL, Declared("flag", "Whether its own kind follow it; as the group says if left out")
    )
    habits: Habits = field(default_factory=Habits)
    mind: DrivesChange = field(default_factory=DrivesChange)


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
    females: float = number(0.5, 0.0, 1.0, "", "Share of females among them, on average, where the sexes are mixed")
    seed: int = integer(0, 0, 2**20 - 1, "", "Another seed gives these fishes other places, looks and whims")
    leader: bool = flag(False, "Whether its own kind follow these fishes, which zigzag ahead of them")
    enters: float = number(0.0, 0.0, 36_000.0, "s", "When they come; until then they are not there")
    habits: Habits = field(default_factory=Habits)
    mind: DrivesChange = field(default_factory=DrivesChange)
    members: tuple[Member, ...] = ()

    def __post_init__(self) -> None:
        _refuse_zero("heading", self.heading)
        told: set[int] = set()
        for row, member in enumerate(self.members):
            if member.index >= self.count:
                span = f"0 to {self.count - 1}, a fish of the group"
                raise SceneError(str(member.index), span, key=f"members[{row}].index")
            if member.index in told:
                raise SceneError(f"{member.index} twice", "each fish once", key=f"members[{row}].index")
            told.add(member.index)

    def alone(self, index: int) -> FishGroup:
        """A group of this one fish, with what its member says in the group's place."""
        only = replace(self, count=1, members=())
        for member in self.members:
            if member.index == index:
                own = {name: getattr(member, name) for name in ("type", "sex", "leader")}
                told = {name: value for name, value in own.items() if value is not None}
                return replace(
                    only, **told, habits=_overlaid(self.habits, member.habits), mind=_overlaid(self.mind, member.mind)
                )
        return only


@dataclass(frozen=True)
class Cylinder:
    """An upright pillar."""

    kind: str = choice(REQUIRED, ("cylinder",), "An upright pillar")
    at: tuple = vector(REQUIRED, 0.0, FAR, "m", "Middle of its foot", shape=(3,))
    radius: float = number(0.3, 0.001, FAR, "m", "Its radius")
    height: float = number(1.0, 0.001, FAR, "m", "Its height above the foot")
    deflection: float = number(1.0, 0.0, 1.0, "", "Share of the current that goes around it; 0 lets the water through")
    outflow: float = number(0.0, 0.0, 10.0, "m/s", "Speed at its mantle of water that streams out of it")

    def holds(self, point: tuple[float, float, float]) -> bool:
        """Whether a point (x, y, z) in metres lies inside the pillar."""
        x, y, z = (p - a for p, a in zip(point, self.at, strict=True))
        return hypot(x, y) < self.radius and 0.0 <= z < self.height


@dataclass(frozen=True)
class MeshObstacle:
    """A solid of any form: a closed mesh, given as vertices and faces or read from a file, which then holds them."""

    kind: str = choice(REQUIRED, ("mesh",), "A closed mesh")
    at: tuple = vector(REQUIRED, 0.0, FAR, "m", "Where the mesh's own origin is put", shape=(3,))
    scale: float = number(1.0, 1e-4, 1e4, "", "Factor on the mesh's own size")
    up: str = choice("z", ("z", "y"), "The mesh's own axis that points up; y in the .obj files of most programs")
    file: str | None = text(OPTIONAL, "An .obj file, read when the scene is; its path begins at the scene's folder")
    vertices: tuple | None = vector(OPTIONAL, -1e6, 1e6, "", "Its vertices, if not from a file", shape=(None, 3))
    faces: tuple | None = vector(
        OPTIONAL, 0, 1e6, "", "Vertices of each face, counted from 0, all faces turning alike", shape=(None, None)
    )

    def __post_init__(self) -> None:
        given = [self.file is not None, self.vertices is not None, self.faces is not None]
        if given not in ([True, False, False], [False, True, True]):
            names = [name for name, there in zip(("file", "vertices", "faces"), given, strict=True) if there]
            found = " and ".join(names) or "neither of them"
            raise SceneError(found, "either file or vertices and faces", key="file")
        faces: Sequence[Sequence[float]] = self.faces or ()
        vertices = np.array(self.vertices or (), dtype=float).reshape(-1, 3)
        try:
            if self.file is not None:
                vertices, faces = triangles.read_obj(self.file)
            solid = triangles.closed(vertices, faces)
        except SceneError as error:
            if self.file is None:
                raise
            origin = f" ({os.path.basename(self.file)}, {error.key})" if error.key else ""
            raise SceneError(f"{error.found}{origin}", error.allowed, "file") from None
        held: dict[str, Any] = {
            "file": None,
            "at": tuple(self.at),
            "vertices": tuple(map(tuple, vertices.tolist())),
            "_solid": solid,
        }
        held["faces"] = tuple(tuple(map(int, face)) for face in faces)
        for name, value in held.items():
            object.__setattr__(self, name, value)

    @cached_property
    def placed(self) -> tuple[np.ndarray, np.ndarray]:
        """Vertices in the tank in metres, (n, 3), and its triangles, which face outwards, (m, 3)."""
        vertices, faces = self._solid  # type: ignore[attr-defined]
        if self.up == "y":
            vertices = vertices[:, [0, 2, 1]] * (1.0, -1.0, 1.0)
        return vertices * self.scale + self.at, faces

    @cached_property
    def solid(self) -> Rock:
        """The field around the mesh, sampled once."""
        return Rock(*self.placed)

    @cached_property
    def _ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest corner of the box around the mesh."""
        vertices, _ = self.placed
        return vertices.min(axis=0), vertices.max(axis=0)

    def holds(self, point: tuple[float, float, float]) -> bool:
        """Whether a point (x, y, z) in metres lies inside the mesh."""
        place, (low, high) = np.array(point, dtype=float), self._ends
        if (place < low).any() or (place > high).any():
            return False
        vertices, faces = self.placed
        return bool(abs(triangles.winding(place[None], vertices[faces])[0]) > 0.5)


@dataclass(frozen=True)
class Terrain:
    """Hills on the bed of the sea, in place of the tank's flat floor."""

    relief: float = number(0.0, 0.0, FAR, "m", "Height of the highest random hills")
    scale: float = number(1.5, 0.01, FAR, "m", "From a random hill to the valley beside it, about")
    seed: int = integer(0, 0, 2**31 - 1, "", "Which random hills")
    heights: tuple | None = vector(
        *(OPTIONAL, 0.0, FAR, "m", "Heights under the hills: rows along x over all the tank, the first at y = 0"),
        shape=(None, None),
    )

    def __post_init__(self) -> None:
        if self.heights is None:
            return
        rows, columns = len(self.heights), {len(row) for row in self.heights}
        if not 2 <= rows <= 512 or len(columns) != 1 or not 2 <= min(columns) <= 512:
            found = f"{rows} rows of {', '.join(map(str, sorted(columns)[:3])) or 'no'} numbers"
            raise SceneError(found, "2 to 512 rows, all of the same 2 to 512 numbers", key="heights")
        object.__setattr__(self, "heights", tuple(tuple(map(float, row)) for row in self.heights))


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


@dataclass(frozen=True, kw_only=True)
class Seaweed:
    """A cluster of leaves that sway in the current and are pushed by fishes."""

    at: tuple = vector(REQUIRED, 0.0, FAR, "m", "Middle of its foot, on the bed", shape=(3,))
    leaves: int = integer(24, 1, 10_000, "", "How many leaves")
    spread: float = number(0.25, 0.0, FAR, "m", "Radius around the middle within which leaves are rooted")
    height: float = number(0.8, 0.02, 100.0, "m", "Length of its longest leaves; none is longer than the water is deep")
    height_variation: float = number(0.4, 0.0, 0.9, "", "Share by which the shortest leaves are shorter")
    width: float = number(0.035, 0.0005, 5.0, "m", "Width of a leaf where it is widest")
    stiffness: float = number(0.15, 0.01, 10.0, "m/s", "Current that leans a leaf over by 45 degrees at its root")
    splay: float = number(0.25, 0.0, 2.0, "", "How far leaves lean apart at rest, tangent of the angle at the root")
    flutter: float = number(0.25, 0.0, 1.0, "", "Eddies along the leaves, over the speed of the current")
    colour: tuple = colour((0.16, 0.2, 0.03), "Colour of the leaves")


@dataclass(frozen=True, kw_only=True)
class Vent:
    """A place on the bed where bubbles rise."""

    at: tuple = vector(REQUIRED, 0.0, FAR, "m", "The place", shape=(3,))
    rate: float = number(5.0, 0.0, 200.0, "1/s", "How many bubbles come in a second")
    size: float = number(0.006, 0.0005, 0.1, "m", "Diameter of a bubble, on average")
    spread: float = number(0.02, 0.0, FAR, "m", "Radius around the place within which they come")


@dataclass(frozen=True)
class Light:
    """Daylight in the water, for the fishes and for the film."""

    brightness: float = number(1.0, 0.0, 1.0, "", "Brightness at the surface; 1 is a clear day, 0 is night")
    attenuation: float = number(0.15, 0.0, 10.0, "1/m", "How fast light fades with depth; the clearest sea has 0.03")
    diffuse: float = number(0.25, 0.0, 1.0, "", "Share of the light that comes from all around, also into shade")
    direction: tuple | None = vector(
        OPTIONAL,
        -1e6,
        1e6,
        "",
        "Where the sun's rays go; if left out straight down for the fishes, over the camera's shoulder in the film",
        shape=(3,),
    )

    def __post_init__(self) -> None:
        _refuse_zero("direction", self.direction)
        if self.direction is not None and self.direction[2] > -0.05 * hypot(*self.direction):
            raise SceneError(shown(self.direction), "one that leads down from the surface", key="direction")


@dataclass(frozen=True)
class HeatSource:
    """A hot vent, or a cold seep."""

    at: tuple = vector(REQUIRED, 0.0, FAR, "m", "Its middle", shape=(3,))
    strength: float = number(5.0, -50.0, 100.0, "°C", "How much warmer the water is there; below 0 colder")
    radius: float = number(0.5, 0.001, FAR, "m", "Distance at which half of that is left")


@dataclass(frozen=True)
class Temperature:
    """Warmth of the water: a layer above, a layer below, a thermocline between them, and sources."""

    surface: float = number(24.0, -2.0, 60.0, "°C", "Temperature of the layer above")
    bottom: float = number(24.0, -2.0, 60.0, "°C", "Temperature of the layer below")
    depth: float = number(2.0, 0.0, FAR, "m", "Depth of the middle of the thermocline below the surface")
    thickness: float = number(0.5, 0.001, FAR, "m", "Height over which three quarters of the change take place")
    sources: tuple[HeatSource, ...] = ()


@dataclass(frozen=True)
class Hook:
    """A fishing hook with bait, on a line from above the water."""

    at: tuple = vector(REQUIRED, 0.0, FAR, "m", "Where the bait comes to hang; the line leads straight up", shape=(3,))
    start: float = number(2.0, 0.0, 36_000.0, "s", "When it begins to sink")
    speed: float = number(0.5, 0.01, 10.0, "m/s", "How fast it sinks, and how fast its catch is drawn up")
    size: float = number(0.05, 0.005, 1.0, "m", "Length of the hook; the bait has two fifths of it")
    pull: float = number(30.0, 0.1, 1000.0, "m/s²", "Most that the line speeds up the head of its catch")
    lure: float = number(3.0, 0.1, 100.0, "", "How many times nearer than plankton the bait seems to who smells it")
    again: bool = flag(False, "Whether it goes down once more after each catch")


@dataclass(frozen=True)
class Camera:
    """Where the film is shot from. May stand outside the tank."""

    at: tuple = vector(REQUIRED, -FAR, FAR, "m", "Place of the camera", shape=(3,))
    look_at: tuple = vector(REQUIRED, -FAR, FAR, "m", "What it looks at", shape=(3,))
    lens: float = number(35.0, 1.0, 500.0, "mm", "Focal length on a sensor 36 mm wide")

    def __post_init__(self) -> None:
        if self.at == self.look_at:
            raise SceneError(shown(self.look_at), "another place than at", key="look_at")


@dataclass(frozen=True)
class Scene:
    """One scene, checked and immutable. `Scene.load("reef")` reads a preset, `Scene.load(path)` a file.

    Attributes:
        source: What messages call the place where it comes from.
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
    light: Light = field(default_factory=Light)
    temperature: Temperature = field(default_factory=Temperature)
    seaweed: tuple[Seaweed, ...] = ()
    bubbles: tuple[Vent, ...] = ()
    hook: Hook | None = None
    camera: Camera | None = None
    direction: tuple[Target | Curve | Region | Leader, ...] = ()
    wants: tuple[Want, ...] = ()
    events: tuple[Food | Fright, ...] = ()

    def __post_init__(self) -> None:
        refuse_strangers(self)
        if self.count > MOST_FISHES:
            raise SceneError(f"{self.count} fishes in all", f"up to {MOST_FISHES}", key="fishes")
        for section in ("fishes", "obstacles", "current", "seaweed", "bubbles", "events"):
            for index, item in enumerate(getattr(self, section)):
                if not isinstance(item, UniformCurrent):
                    self._refuse_outside(f"{section}[{index}].at", item.at)
        if self.plankton.at is not None:
            self._refuse_outside("plankton.at", self.plankton.at)
        bed = Bed.from_scene(self)
        if bed is not None and bed.top > HIGHEST * self.tank.size[2]:
            most = f"up to {HIGHEST * self.tank.size[2]:.3g} m, {HIGHEST:g} of the tank's depth"
            raise SceneError(f"hills up to {bed.top:.3g} m", most, "terrain")
        for index, source in enumerate(self.temperature.sources):
            self._refuse_outside(f"temperature.sources[{index}].at", source.at)
        if self.hook is not None:
            self._refuse_outside("hook.at", self.hook.at)
        for index, group in enumerate(self.fishes):
            if bed is not None and group.at[2] < bed.height(*group.at[:2]):
                least = "z of ", Height(float(bed.height(*group.at[:2]))), " m or more there"
                raise SceneError((Spot(group.at), " below the bed"), least, f"fishes[{index}].at")
        for section in ("fishes", "seaweed", "bubbles"):
            for index, group in enumerate(getattr(self, section)):
                for which, pillar in enumerate(self.obstacles):
                    if pillar.holds(group.at):
                        found = Spot(group.at), " inside ", Item("obstacles", which)
                        raise SceneError(found, "a place clear of every obstacle", f"{section}[{index}].at")

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
        data, file = read_preset_or_file("scenes", name_or_path)
        folder = preset_folder("scenes") if file != os.fspath(name_or_path) else Path(name_or_path).parent
        return cls.from_dict(data, file, species, folder)

    @classmethod
    def from_dict(
        cls,
        data: dict[str, Any],
        file: str = "scene",
        species: Collection[str] | None = None,
        folder: str | os.PathLike[str] = "",
    ) -> Scene:
        """Checks a scene as JSON would hold it.

        Args:
            data: The scene's keys and values.
            file: What messages call the place where it comes from.
            species: Names that fishes may have; those of the presets if left out.
            folder: Where the paths of its meshes begin.

        Raises:
            SceneError: At the first thing that is not as declared.
        """
        scene = decode(cls, _found_from(folder, data), Place(file))
        object.__setattr__(scene, "source", file)  # not one of its values: equal scenes may come from two files
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
            raise SceneError((Spot(at),), ("in the tank, ", Spot((0, 0, 0)), " to ", Spot(self.tank.size)), key)
        if key.startswith("fishes") and not self.tank.holds(at):
            raise SceneError((Spot(at), " outside the tank's walls"), "in the water", key)


def _overlaid(below: Any, above: Any) -> Any:
    """A dataclass with the values of another wherever that has any."""
    told = {field.name: getattr(above, field.name) for field in fields(above)}
    return replace(below, **{name: value for name, value in told.items() if value is not None})


def _refuse_zero(key: str, direction: tuple[float, float, float] | None) -> None:
    if direction is not None and hypot(*direction) < 1e-9:
        raise SceneError(shown(direction), "a direction, not all zeros", key=key)


def _found_from(folder: str | os.PathLike[str], data: Any) -> Any:
    """The scene's data with the paths of its meshes as they are from here; what is not as declared stays so."""
    obstacles = data.get("obstacles") if isinstance(data, dict) else None
    if not os.fspath(folder) or not isinstance(obstacles, list):
        return data

    def placed(item: Any) -> Any:
        held = isinstance(item, dict) and isinstance(item.get("file"), str)
        return {**item, "file": os.path.join(folder, item["file"])} if held else item

    return {**data, "obstacles": [placed(item) for item in obstacles]}
