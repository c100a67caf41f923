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
    """

    rendering = False
    within_frame = False


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


@hears(Stage.PLAY, "render_init")
def _on_render(*_: object) -> None:
    circumstances().rendering = True


@hears(Stage.PLAY, "render_complete", "render_cancel")
def _on_rendered(*_: object) -> None:
    circumstances().rendering = False


CLASSES = ()
