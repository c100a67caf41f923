"""The wishes of the panel as those of a wish file."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender.declarations import json_of
from ..blender.words import translated
from ..identity.film_time import clock
from ..identity.roles import objects_of


def wishes_data(scene: bpy.types.Scene) -> list[dict[str, Any]]:
    """The wishes of a scene's panel, as JSON holds them in a wish file.

    Raises:
        SceneError: A wish names a shoal that is not in this scene, or frames out of order.
    """
    shoals = objects_of(scene, "SHOAL")
    return [_wish(scene, shoals, number, wish) for number, wish in enumerate(scene.artfish_takes.wishes, 1)]


def _wish(scene: bpy.types.Scene, shoals: list[bpy.types.Object], number: int, wish: Any) -> dict[str, Any]:
    from ...core.base.codec import SceneError

    data = {"kind": wish.kind, "weight": float(f"{wish.weight:.6g}")}
    if wish.kind == "untouched":
        data |= {"of": wish.touched, "gap": float(f"{wish.gap:.6g}")}
    else:
        data |= json_of(getattr(wish, wish.kind))
    whose = {"event": ("fishes", "whom"), "arrival": ("fishes",), "untouched": ()}[wish.kind]
    for name in whose:
        obj = getattr(wish, name)
        if obj is not None:
            if obj not in shoals:
                raise SceneError(
                    translated("{obj}, which is no shoal of this scene", obj=obj.name),
                    "one that is",
                    key=f"wish {number}",
                )
            data[name] = shoals.index(obj)
    if wish.use_time:
        if wish.begin > wish.end:
            raise SceneError(
                translated("frames {begin} to {end}", begin=wish.begin, end=wish.end),
                "two frames in order",
                key=f"wish {number}",
            )
        seconds = clock(scene).seconds
        data["time"] = [max(seconds(frame), 0.0) for frame in (wish.begin, wish.end)]
    return data
