"""The numbers of a scene that may differ from take to take: which there are, in a panel's words, and where they stand.

A number is a property of an object in the water or of the scene, and a value of the scene that is simulated; one that
has keys, or is driven, is none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import bpy

from ..blender.declarations import DECLARATIONS, USE_PREFIX, WITH_UNIT, fields, title
from ..blender.keyframes import curves_on
from ..blender.words import Message, translated
from ..direction.keys import SHAPE_NUMBERS
from ..habits.panel import LIKE_LABELS, MIND_FIELDS
from ..identity.roles import objects_of, world
from ..species.pages import label

VARIED_SECTIONS = {
    "SHOAL": "fishes",
    "CURRENT": "current",
    "PLANKTON": "plankton",
    "SEAWEED": "seaweed",
    "BUBBLES": "bubbles",
    "HOOK": "hook",
    "HEAT": "temperature.sources",
    "DIRECTION": "direction",
    "EVENT": "events",
}
"""The part of a scene in which objects of a kind are."""
NO_LISTS = ("plankton", "hook")
"""Parts that are no lists."""
VARIED_GROUPS: dict[str, tuple[str, ...]] = {
    "SHOAL": ("shoal", "habits", "mind"),
    "CURRENT": ("current",),
    "PLANKTON": ("plankton",),
    "SEAWEED": ("seaweed",),
    "BUBBLES": ("bubbles",),
    "HOOK": ("hook",),
    "HEAT": ("heat",),
}
"""The groups of properties of an object's kind."""
OF_DIRECTIONS = {"leader": "follow", "ball": "school", "fill": "school", "stream": "school"}
"""The group of a direction's kind, where it has another name."""
NESTED = ("habits", "mind")
"""Groups that are parts of their own in a scene."""
SCENE_GROUPS = {
    "water": "",
    "light": "light",
    "sea": "water",
    "temperature": "temperature",
    "terrain": "terrain",
    "generations": "breeding",
}
"""Groups of a scene's own properties, and the part of a scene that each is."""
SCENE_TITLES: dict[str, Message] = {
    "water": "Physics",
    "light": "Light",
    "sea": "Water",
    "temperature": "Warmth",
    "terrain": "Random hills",
    "generations": "Generations",
}
"""Their titles."""
VARIED_KINDS = ("number", "keyed", "integer", "choice", "flag")
NEVER_VARIED = {"substeps", "book_metres", "book_seconds", "index", "way"}
"""Numbers that say how a scene is reckoned, not what happens in it."""
BY_SCALE = ("spread", "radius")
"""Numbers of objects in the water that an object's scale multiplies."""
FLAG_WORDS: dict[str, Message] = {"YES": "Yes", "NO": "No"}
FULL_RANGE = 2.0
"""Width of a range up to which a number without unit varies over all of it at first."""
FIRST_DEGREES = 5.0
"""Degrees by which a temperature varies either way at first."""


class SceneNumber(NamedTuple):
    """A number of a scene, or a choice or a flag.

    Attributes:
        owner: The object that has it; None for the scene itself.
        path: Its place from the owner's Artfish properties on, as "mind.hunger".
        field: Its declaration.
    """

    owner: bpy.types.Object | None
    path: str
    field: Mapping[str, Any]

    @property
    def name(self) -> str:
        """A name by which it is found again: that of its object, and its place."""
        return f"{self.owner.name if self.owner else ''}|{self.path}"

    def whose(self) -> str:
        """Its object, or the title of its group, in words."""
        if self.owner is None:
            return translated(SCENE_TITLES[self.path.partition(".")[0]])
        if not self.path.startswith("members["):
            return self.owner.name
        member = self.owner.artfish.path_resolve(self.path.partition(".")[0])
        return translated("{shoal}, fish {index}", shoal=self.owner.name, index=member.index + 1)

    def words(self) -> str:
        """Its name in a panel, with its unit."""
        *_, group, name = f".{self.path}".split(".")
        found = translated(title(name))
        if group == "habits":
            found = translated(LIKE_LABELS[name])
        elif group == "mind":
            page = next((page for page, keys in MIND_FIELDS.items() if f"mind.{name}" in keys), "Mind")
            found = translated(label(f"mind.{name}"))
            found = found if page == "Mind" else f"{translated(page)}: {found}"
        unit = self.field["unit"]
        return translated(WITH_UNIT, text=found, unit=translated(unit)) if unit else found

    def group(self, scene: bpy.types.Scene) -> Any:
        """The group of properties that has it."""
        above = (self.owner or scene).artfish
        return above.path_resolve(self.path.rpartition(".")[0])

    def value(self, scene: bpy.types.Scene) -> Any:
        """Its present value in Blender."""
        return getattr(self.group(scene), self.field["name"])

    def put(self, scene: bpy.types.Scene, value: Any) -> None:
        """Sets it to a value of the scene that is simulated."""
        group, name, kind = self.group(scene), self.field["name"], self.field["kind"]
        if hasattr(group, USE_PREFIX + name):
            setattr(group, USE_PREFIX + name, True)
        if kind == "flag" and self.field["optional"]:
            value = "YES" if value else "NO"
        setattr(group, name, value / self.factor() if kind in ("number", "keyed") else value)

    def factor(self) -> float:
        """The number in the scene that is simulated over that in Blender."""
        kind = "" if self.owner is None else self.owner.artfish.kind
        if self.owner is None or self.field["name"] not in BY_SCALE or kind in ("", "DIRECTION", "EVENT"):
            return 1.0
        return max(abs(share) for share in world(self.owner).to_scale())

    def keys(self, objects: Mapping[str, Sequence[bpy.types.Object]]) -> list[str]:
        """Its places in a scene that was read from Blender, with the objects of its lists; empty if it is not there."""
        parts = self.path.split(".")
        if self.owner is None:
            return [".".join(filter(None, (SCENE_GROUPS[parts[0]], parts[1])))]
        within = ".".join(part for part in parts[:-1] if part in NESTED or part.startswith("members["))
        section = VARIED_SECTIONS.get(self.owner.artfish.kind, "")
        rows = [row for row, obj in enumerate(objects.get(section, ())) if obj == self.owner]
        above = [section if section in NO_LISTS else f"{section}[{row}]" for row in rows]
        return [".".join(filter(None, (place, within, parts[-1]))) for place in above]

    def choices(self) -> dict[str, tuple[Any, str]]:
        """The values of a choice or a flag by Blender's words for them: as JSON has it, and a panel's word."""
        if self.field["kind"] == "flag":
            return {word: (word == "YES", translated(text)) for word, text in FLAG_WORDS.items()}
        return {word: (word, translated(title(word))) for word in self.field["choices"] or ()}

    def shown(self, value: Any) -> str:
        """A value of the scene that is simulated, as a panel shows it."""
        if self.field["kind"] in ("number", "keyed"):
            return f"{value / self.factor():.3g}"
        return str(value) if self.field["kind"] == "integer" else dict(self.choices().values())[value]

    def first_range(self, scene: bpy.types.Scene) -> tuple[float, float]:
        """A range in Blender to begin with: all of a narrow one, or else from half to twice what it is now."""
        low, high, now = self.field["low"], self.field["high"], self.value(scene)
        if high - low <= FULL_RANGE and not self.field["unit"]:
            return low, high
        about = sorted((0.5 * now, 2.0 * now)) if now else [0.0, 1.0]
        if self.field["unit"] == "°C":
            about = [now - FIRST_DEGREES, now + FIRST_DEGREES]
        return max(about[0], low), min(about[1], high)


def offered(scene: bpy.types.Scene) -> Iterator[SceneNumber]:
    """The numbers of a scene that may vary, object by object, then those of the scene itself."""
    for obj in objects_of(scene, *VARIED_SECTIONS):
        yield from _of(obj, _paths(obj))
    yield from _of_scene(scene)


def found(scene: bpy.types.Scene, owner: bpy.types.Object | None, path: str) -> SceneNumber | None:
    """The number at a place; None if the scene has it no more."""
    if owner is not None and owner.name not in scene.objects:
        return None
    above = path.rpartition(".")[0]
    some = _of(owner, (one for one in _paths(owner) if one[0] == above)) if owner else _of_scene(scene)
    return next((one for one in some if one.path == path), None)


def _of_scene(scene: bpy.types.Scene) -> Iterator[SceneNumber]:
    """The numbers of the scene itself, as far as they are in use."""
    settings = scene.artfish
    hills = settings.hills and not objects_of(scene, "BED")
    used = {"sea": settings.sea.on, "terrain": hills, "generations": settings.generations.on}
    water = ("preroll",) if settings.still_water else ("preroll", "fluid_viscosity")
    some = [(group, water if group == "water" else ()) for group in SCENE_GROUPS if used.get(group, True)]
    return _of(None, some, scene)


def _paths(obj: bpy.types.Object) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The groups of an object that a scene has, each with the names in it, or without for all."""
    role = obj.artfish
    if role.kind == "EVENT":
        yield role.event, ()
    elif role.kind == "DIRECTION":
        kind = role.direction.kind
        yield "direction", ("strength",)
        if kind != "region":
            own = {"ball": (*SHAPE_NUMBERS, "speed", "headed"), "fill": SHAPE_NUMBERS, "stream": SHAPE_NUMBERS}
            yield OF_DIRECTIONS.get(kind, kind), own.get(kind, ())
    elif role.kind == "CURRENT":
        yield "current", ("strength", "period") if role.current.kind == "uniform" else ("strength", "radius")
    else:
        yield from ((group, ()) for group in VARIED_GROUPS.get(role.kind, ()))
    for row in range(len(role.members)):
        yield from ((f"members[{row}]{end}", ()) for end in ("", ".habits", ".mind"))


def _of(owner: bpy.types.Object | None, paths: Any, scene: bpy.types.Scene | None = None) -> Iterator[SceneNumber]:
    """The numbers of some groups of an object, or of the scene."""
    holder = owner or scene
    moved = _animated(holder)
    for path, names in paths:
        group = holder.artfish.path_resolve(path)
        declared = fields(group)
        if path == "current" and "radius" in names:
            declared = [*declared, next(one for one in DECLARATIONS["PointCurrent"] if one["name"] == "radius")]
        for field in declared:
            place = f"{path}.{field['name']}"
            fits = field["kind"] in VARIED_KINDS and field["name"] not in NEVER_VARIED
            if fits and (not names or field["name"] in names) and f"artfish.{place}" not in moved:
                yield SceneNumber(owner, place, field)


def _animated(holder: Any) -> set[str]:
    """The places of what has keys or drivers."""
    return {curve.data_path for curve in curves_on(holder)}
