"""Remarks of the last reading of a scene on its obstacles: visible parts that do not count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import bpy

from ..blender import runtime
from ..blender.handlers import HandlerTurn, hears


class Doubt:
    """A remark that an object has no clear inside.

    Attributes:
        line: Its text.
    """

    def __init__(self, line: str) -> None:
        """Start before the object's first look."""
        self.line = line
        self._form: tuple[Any, ...] | None = None

    def see(self, obj: bpy.types.Object) -> bool:
        """True if the mesh or its modifiers have changed since the first look, which Blender does not report."""
        if obj.mode != "OBJECT" or not isinstance(obj.data, bpy.types.Mesh):
            return False
        from array import array

        places = array("f", bytes(12 * len(obj.data.vertices)))
        obj.data.vertices.foreach_get("co", places)
        modifiers = tuple((each.name, each.show_viewport) for each in obj.modifiers)
        form = hash(places.tobytes()), len(obj.data.polygons), modifiers
        before, self._form = self._form, form
        return before not in (None, form)


class Remarks:
    """Remarks by `session_uid` of scenes.

    Attributes:
        lines: Remark on an object, by its `session_uid`.
        concerned: Objects that make or share obstacles beside their own, likewise.
        doubts: Remarks on objects without a clear inside, by their names.
    """

    def __init__(self) -> None:
        """Start with no remarks."""
        self.lines: dict[int, dict[int, str]] = {}
        self.concerned: dict[int, set[int]] = {}
        self.doubts: dict[int, dict[str, Doubt]] = {}


def keep(scene: bpy.types.Scene, lines: Mapping[bpy.types.Object, str], concerned: set[int]) -> None:
    """Store a reading's remarks, replacing those of the last one."""
    now = runtime.of(Remarks)
    now.lines[scene.session_uid] = {obj.session_uid: line for obj, line in lines.items()}
    now.concerned[scene.session_uid] = concerned


def remark_of(scene: bpy.types.Scene, obj: bpy.types.Object) -> str:
    """The remark on an object; "" without one."""
    return runtime.of(Remarks).lines.get(scene.session_uid, {}).get(obj.session_uid, "")


def lines_of(scene: bpy.types.Scene) -> list[str]:
    """The remarks on obstacles of a scene, each with the object's name."""
    lines = runtime.of(Remarks).lines.get(scene.session_uid)
    if not lines:
        return []
    names = {obj.session_uid: obj.name for obj in bpy.data.objects if obj.session_uid in lines}
    return [f"{names[uid]}: {line}" for uid, line in lines.items() if uid in names]


def concerns(obj: bpy.types.Object) -> bool:
    """True if an object takes part in obstacles beside its own, as original or maker."""
    return any(obj.session_uid in each for each in runtime.of(Remarks).concerned.values())


def doubt(uid: int, name: str, line: str) -> None:
    """Note that an object of this scene has no clear inside; an empty line clears the note."""
    doubts = runtime.of(Remarks).doubts.setdefault(uid, {})
    doubts.pop(name, None)
    if line:
        doubts[name] = Doubt(line)


def settle(uid: int, lines: Mapping[str, str]) -> None:
    """Store all doubtful objects of a scene that was read as a whole, by their names."""
    runtime.of(Remarks).doubts[uid] = {name: Doubt(line) for name, line in lines.items()}


def doubts_of(scene: bpy.types.Scene) -> dict[bpy.types.Object, str]:
    """The obstacles, and the tank, without a clear inside, each with its remark."""
    found = {}
    for name, each in runtime.of(Remarks).doubts.get(scene.session_uid, {}).items():
        obj = scene.objects.get(name)
        if obj is not None and obj.artfish.kind in ("OBSTACLE", "TANK"):
            each.see(obj)
            found[obj] = each.line
    return found


@hears(HandlerTurn.DISPLAY, "depsgraph_update_post")
def _on_update(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Drop the remark on a changed mesh until it is read again."""
    doubts = runtime.of(Remarks).doubts.get(scene.session_uid)
    for update in depsgraph.updates if doubts else ():
        if doubts and isinstance(update.id, bpy.types.Object) and update.is_updated_geometry:
            each = doubts.get(update.id.name)
            if each is not None and each.see(update.id.original):
                del doubts[update.id.name]


@hears(HandlerTurn.DISPLAY, "load_pre")
def _on_load(*_: Any) -> None:
    runtime.drop(Remarks)


CLASSES = ()
