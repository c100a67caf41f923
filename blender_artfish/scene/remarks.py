"""What the last reading of a scene found of its obstacles that is seen and does not count."""

from __future__ import annotations

from collections.abc import Mapping

import bpy

from ..blender import runtime


class Remarks:
    """By the numbers of scenes.

    Attributes:
        lines: What is to be said of an object, by its `session_uid`.
        concerned: Objects of which obstacles are made beside their own, by the same.
    """

    def __init__(self) -> None:
        """Nothing was read."""
        self.lines: dict[int, dict[int, str]] = {}
        self.concerned: dict[int, set[int]] = {}


def keep(scene: bpy.types.Scene, lines: Mapping[bpy.types.Object, str], concerned: set[int]) -> None:
    """What a reading has found, in place of what the one before did."""
    now = runtime.of(Remarks)
    now.lines[scene.session_uid] = {obj.session_uid: line for obj, line in lines.items()}
    now.concerned[scene.session_uid] = concerned


def remark_of(scene: bpy.types.Scene, obj: bpy.types.Object) -> str:
    """What is to be said of an object; "" if nothing."""
    return runtime.of(Remarks).lines.get(scene.session_uid, {}).get(obj.session_uid, "")


def lines_of(scene: bpy.types.Scene) -> list[str]:
    """What is to be said of obstacles of a scene, each line with the object's name."""
    lines = runtime.of(Remarks).lines.get(scene.session_uid)
    if not lines:
        return []
    names = {obj.session_uid: obj.name for obj in bpy.data.objects if obj.session_uid in lines}
    return [f"{names[uid]}: {line}" for uid, line in lines.items() if uid in names]


def concerns(obj: bpy.types.Object) -> bool:
    """Whether obstacles were made of an object beside its own, or it made them."""
    return any(obj.session_uid in each for each in runtime.of(Remarks).concerned.values())
