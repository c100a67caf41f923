"""Time limits of live play within Blender, and whether anybody waits at its window."""

from __future__ import annotations

import bpy

from ..blender import runtime
from ..blender.handlers import HandlerTurn, hears

FRAME_SECONDS = 0.1
"""Time for which a frame change may simulate before the timer takes over."""
TICK_SECONDS, REST_SECONDS = 0.08, 0.01
"""Duration of simulation between two window events, and of waiting."""
REPORT_SECONDS = 0.4
"""Interval between progress reports."""
SETTLED_SECONDS = 0.25
"""Time without further changes before fishes restart because of one."""
PLAYING_SETTLED_SECONDS = 0.1
"""The same during playback, when a running world takes up most changes."""


class Circumstances:
    """Blender's state that it does not report itself.

    Attributes:
        rendering: Whether a render runs.
        within_frame: Whether a frame change is under way, when objects must not be evaluated.
        played: Number of the scene whose animation was started last; 0 before any was.
    """

    rendering = False
    within_frame = False
    played = 0


def circumstances() -> Circumstances:
    """The present circumstances."""
    return runtime.of(Circumstances)


def unhurried() -> bool:
    """True if nobody waits at the window."""
    return bpy.app.background or circumstances().rendering


def playing() -> bool:
    """True if the animation plays in any window."""
    manager = bpy.context.window_manager
    return manager is not None and any(window.screen.is_animation_playing for window in manager.windows)


def played() -> bpy.types.Scene | None:
    """The scene whose animation plays: Blender plays one at a time, in whichever window."""
    scenes = bpy.data.scenes if playing() else ()
    return next((scene for scene in scenes if scene.session_uid == circumstances().played), None)


def plays(scene: bpy.types.Scene) -> bool:
    """True if the animation plays, and is not another scene's in another window."""
    return playing() and played() in (scene, None)


def hurried(scene: bpy.types.Scene) -> bool:
    """True if the animation of a scene plays in a window, so that the next frame follows at once."""
    return not unhurried() and plays(scene)


def start(scene: bpy.types.Scene) -> bpy.types.Scene | None:
    """Starts or stops the animation in the current window; returns another scene whose animation had to stop for it."""
    other = played()
    if other == scene:
        other = None
    for _ in range(1 if other is None else 2):
        press_play()
    return other


def press_play() -> None:
    """Stops the animation in any window; if none plays, starts that of the current window."""
    bpy.ops.screen.animation_play()


def stop(scene: bpy.types.Scene, back: bool = False) -> None:
    """Stops the animation of a scene, at the frame that it has come to or back at that where it began."""
    if plays(scene):
        for window in bpy.context.window_manager.windows[:1]:
            with bpy.context.temp_override(window=window):
                bpy.ops.screen.animation_cancel(restore_frame=back)


@hears(HandlerTurn.PLAY, "animation_playback_pre")
def _on_start(scene: bpy.types.Scene, *_: object) -> None:
    circumstances().played = scene.session_uid


@hears(HandlerTurn.PLAY, "render_init")
def _on_render(*_: object) -> None:
    circumstances().rendering = True


@hears(HandlerTurn.PLAY, "render_complete", "render_cancel")
def _on_rendered(*_: object) -> None:
    circumstances().rendering = False


CLASSES = ()
