"""Settings of live play, and the active fish's feelings, as properties of the scene."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy

from . import timer
from .runtime import row_of, session_of
from .statuses import Notice, NoticeKind


def _accessors(name: str) -> tuple[Callable[[Any], float], Callable[[Any, float], None]]:
    """Getter and setter of a feeling of the active fish."""

    def get(settings: Any) -> float:
        session, row = session_of(settings.id_data), row_of(bpy.context)
        if session is None or row is None or not 0 <= session.shown < session.rehearsal.frames:
            return 0.0
        return round(float(session.filled[session.shown][name][row]), 2)  # Blender shows more digits of what is small

    def set_to(settings: Any, value: float) -> None:
        session, row = timer.session_at_hand(settings.id_data), row_of(bpy.context)
        if session is None or row is None:
            return
        try:
            session.do(settings.id_data, lambda world: world.feel(row, **{name: value}))
        except ValueError as error:
            session.notice = Notice(NoticeKind.ACT_REFUSED, error=error)

    return get, set_to


def _feeling(name: str, description: str) -> Any:
    get, set_to = _accessors(name)
    return bpy.props.FloatProperty(
        name=name.capitalize(),
        description=description,
        min=0.0,
        max=1.0,
        precision=2,
        subtype="FACTOR",
        get=get,
        set=set_to,
    )


class ArtfishLive(bpy.types.PropertyGroup):
    """Settings of live play."""

    on: bpy.props.BoolProperty(
        name="Play live",
        description="Fishes that are not baked swim whenever the animation is played",
        default=True,
    )
    deed: bpy.props.IntProperty(name="Deed", description="What undo goes back to", options={"HIDDEN", "SKIP_SAVE"})
    picks: bpy.props.IntProperty(
        name="Picks", description="How many clicks have found a fish", options={"HIDDEN", "SKIP_SAVE"}
    )
    count: bpy.props.IntProperty(
        name="Pieces", description="How much food is dropped at a click", default=12, min=1, max=10_000, soft_max=100
    )
    spread: bpy.props.FloatProperty(
        name="Spread (m)",
        description="Radius within which the food comes down",
        default=0.15,
        min=0.0,
        max=100.0,
        soft_max=1.0,
    )
    radius: bpy.props.FloatProperty(
        name="Reach (m)",
        description="How near a fish must be to take fright",
        default=1.5,
        min=0.01,
        max=1000.0,
        soft_max=10.0,
    )
    follow: bpy.props.BoolProperty(
        name="View follows", description="The view goes along with the fish that is steered", default=True
    )
    hunger: _feeling("hunger", "How hungry the active fish is; set it and watch")
    libido: _feeling("libido", "How much the active fish wants to court; set it and watch")
    fear: _feeling("fear", "How afraid the active fish is; a fright fades in seconds")


CLASSES = (ArtfishLive,)


def register() -> None:
    """Adds the settings to each scene."""
    bpy.types.Scene.artfish_live = bpy.props.PointerProperty(type=ArtfishLive)  # type: ignore


def unregister() -> None:
    """Removes the settings."""
    del bpy.types.Scene.artfish_live
