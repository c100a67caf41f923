"""The status bar: long work shows there how far it is, in the workspace that is shown, and clears it afterwards.

Blender keeps a text for each workspace, and always sets that of the context's, whichever workspace it is called on.
"""

from __future__ import annotations

from collections.abc import Hashable

import bpy

WHILE = 8.0
"""Seconds for which it is told what has happened."""

_said: dict[Hashable, str] = {}  # by who says it, who began last comes last
_news: list[str] = []


def say(who: Hashable, words: str | None) -> bool:
    """Puts what somebody says into the status bar; who began last is heard.

    Args:
        who: Whoever says it.
        words: What; None to be silent from now on, also in workspaces that are not shown any more.

    Returns:
        Whether there was anything to do.
    """
    if words is None and who not in _said:
        return False
    if words is None:
        del _said[who]
    else:
        _said[who] = words
    if bpy.context.window is None:  # Blender may be quitting, and crashes where a window that is going is asked
        return True
    heard = next(reversed(_said.values()), None)
    shown = {window.workspace for window in bpy.context.window_manager.windows}
    for workspace in shown if heard else bpy.data.workspaces:
        with bpy.context.temp_override(workspace=workspace):
            workspace.status_text_set(heard)
    return True


def tell(words: str) -> None:
    """Says for a while what has happened; where that is the opening of another file, in that file.

    Blender shows nobody what an operator reports while it is cancelled.
    """
    _news.append(words)
    if not bpy.app.timers.is_registered(_tell):
        bpy.app.timers.register(_tell, first_interval=0.1, persistent=True)


def tell_given_up(work: str) -> None:
    """Says for a while that some work was given up because Blender cancelled it."""
    tell(f"{work} given up: another file was opened, or its window closed")


def _tell() -> float | None:
    """Says the next of what has happened, and nothing more after the last."""
    say(__name__, _news.pop(0) if _news else None)
    return WHILE if __name__ in _said else None


CLASSES = ()


def unregister() -> None:
    """Falls silent."""
    if bpy.app.timers.is_registered(_tell):
        bpy.app.timers.unregister(_tell)
    _news.clear()
    say(__name__, None)
