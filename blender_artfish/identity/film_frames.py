"""Times of the film as frames of the scene: beside each property that holds seconds, one that shows and takes frames.

Blender's timeline counts in frames, and so do panels, unless the scene is set to seconds.
"""

from __future__ import annotations

from typing import Any

import bpy

from ..blender.declarations import DECLARATIONS, WITH_UNIT, title
from ..blender.layout import IN_FRAMES
from ..blender.words import composed
from .film_time import clock
from .precision import short

made_by: Any = bpy.props  # by the stubs its functions return nothing
FILM_MOMENTS = {
    "Food": ("time",),
    "Fright": ("time",),
    "Hook": ("start",),
    "FishGroup": ("enters",),
    "Curve": ("start",),
    "Arrival": ("time", "start"),
}
"""Fields of declared classes that are a time of the film."""
FILM_SPANS = {"Curve": ("duration",), "Arrival": ("stay",), "FilmShot": ("seconds",)}
"""Fields of declared classes that last so long."""
SPAN_TITLES = {"seconds": "Frames"}
"""Titles of spans that seconds would have another."""


def shown_in_frames(of: str) -> dict[str, Any]:
    """Properties for a group of the fields of a declared class: those of its times that are shown in frames."""
    helps = {field["name"]: field["help"] for field in DECLARATIONS[of]}
    moments = {name + IN_FRAMES: moment(name, title(name), helps[name]) for name in FILM_MOMENTS.get(of, ())}
    spans = {
        name + IN_FRAMES: span(name, SPAN_TITLES.get(name, title(name)), helps[name]) for name in FILM_SPANS.get(of, ())
    }
    return moments | spans


def moment(name: str, words: str, description: str) -> Any:
    """A property that shows a time of the film, which another of the group holds in seconds, as a frame."""

    def get(group: Any) -> float:
        return clock(bpy.context.scene).frame(getattr(group, name))

    def put(group: Any, frame: float) -> None:
        setattr(group, name, clock(bpy.context.scene).seconds(frame))

    return _framed(words, composed(WITH_UNIT, text=description, unit="a frame of the scene"), get, put)


def span(name: str, words: str, description: str) -> Any:
    """A property that shows a length of time, which another of the group holds in seconds, as a number of frames."""

    def get(group: Any) -> float:
        return float(getattr(group, name) * clock(bpy.context.scene).fps)

    def put(group: Any, frames: float) -> None:
        setattr(group, name, short(frames / clock(bpy.context.scene).fps))

    return _framed(words, composed(WITH_UNIT, text=description, unit="frames"), get, put)


def _framed(words: str, description: str, get: Any, put: Any) -> Any:
    """Not kept in the file: what holds the seconds is."""
    return made_by.FloatProperty(
        name=words, description=description, get=get, set=put, precision=1, step=100, options={"SKIP_SAVE"}
    )
