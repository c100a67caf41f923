"""How long live play may keep Blender waiting, and whether anybody waits at its window."""

from __future__ import annotations

import bpy

from ..blender import runtime
from ..blender.handlers import Stage, hears

FRAME_SECONDS = 0.1
"""For which a change of frames may simulate before the timer takes over."""
TICK_SECONDS, REST_SECONDS = 0.08, 0.01
"""Of simulation between two looks at the window, and of waiting."""
REPORT_SECONDS = 0.4
"""From one report of how far it is to the next."""
SETTLED_SECONDS = 0.25
"""Without another change, before fishes begin anew because of one."""
PLAYING_SETTLED_SECONDS = 0.1
"""The same while the animation plays, for a running world takes up most changes."""


class Circumstances:
    """What of Blender's state it does not tell itself.

    Attributes:
        rendering: Whether it renders.
        within_frame: Whether it is about to change frames, when objects must not be evaluated.
        played: Number of the scene whose animation was started last; 0 before any was.
    """

    rendering = False
    within_frame = False
    played = 0


def circumstances() -> Circumstances:
    """Those of now."""
    return runtime.of(Circumstances)


def unhurried() -> bool:
    """Whether nobody waits at the window."""
    return bpy.app.background or circumstances().rendering


def playing() -> bool:
    """Whether the animation plays in any window."""
    manager = bpy.context.window_manager
    return manager is not None and any(window.screen.is_animation_playing for window in manager.windows)


def played() -> bpy.types.Scene | None:
    """The scene whose animation plays: Blender plays one at a time, in whichever window."""
    scenes = bpy.data.scenes if playing() else ()
    return next((scene for scene in scenes if scene.session_uid == circumstances().played), None)


def plays(scene: bpy.types.Scene) -> bool:
    """Whether the animation plays, and is not that of another scene in another window."""
    return playing() and played() in (scene, None)


def hurried(scene: bpy.types.Scene) -> bool:
    """Whether the animation of a scene plays in a window, so that the next frame follows at once."""
    return not unhurried() and plays(scene)


def start(scene: bpy.types.Scene) -> bpy.types.Scene | None:
    """Has the animation of the scene in the window at hand start, or stop; another that has to stop for it."""
    other = played()
    if other == scene:
        other = None
    for _ in range(1 if other is None else 2):
        press_play()
    return other


def press_play() -> None:
    """Ends the animation that plays, in whichever window; without any, starts that of the window at hand."""
    bpy.ops.screen.animation_play()


@hears(Stage.PLAY, "animation_playback_pre")
def _on_start(scene: bpy.types.Scene, *_: object) -> None:
    circumstances().played = scene.session_uid


@hears(Stage.PLAY, "render_init")
def _on_render(*_: object) -> None:
    circumstances().rendering = True


@hears(Stage.PLAY, "render_complete", "render_cancel")
def _on_rendered(*_: object) -> None:
    circumstances().rendering = False


CLASSES = ()
