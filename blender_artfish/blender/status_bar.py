"""The status bar: long work shows its progress in the current workspace, and clears it afterwards.

Blender keeps a text for each workspace, and always sets that of the context's, whichever workspace it is called on.
"""

from __future__ import annotations

from collections.abc import Hashable

import bpy

from . import runtime
from .words import translated

NEWS_SECONDS = 8.0
"""Duration for which news is shown."""


class Speech:
    """Texts shown in the status bar, and news waiting.

    Attributes:
        texts: Texts by speaker, in the order in which they began.
        news: Messages still to be shown for a while each.
    """

    def __init__(self) -> None:
        """Start with no texts."""
        self.texts: dict[Hashable, str] = {}
        self.news: list[str] = []


def say(speaker: Hashable, text: str | None) -> bool:
    """Sets a speaker's text in the status bar, which shows the speaker that began last.

    Args:
        speaker: Key of the speaker.
        text: The text; None clears it, in workspaces no longer shown, too.

    Returns:
        True if there was anything to do.
    """
    texts = runtime.of(Speech).texts
    if text is None and speaker not in texts:
        return False
    if text is None:
        del texts[speaker]
    else:
        texts[speaker] = text
    if bpy.context.window is None:  # Blender may be quitting, and would crash on access to a closing window
        return True
    heard = next(reversed(texts.values()), None)
    shown = {window.workspace for window in bpy.context.window_manager.windows}
    for workspace in shown if heard else bpy.data.workspaces:
        with bpy.context.temp_override(workspace=workspace):
            workspace.status_text_set(heard)
    return True


def tell(text: str) -> None:
    """Shows a message for a while; if another file is being opened, in that file.

    Blender does not show what an operator reports while it is cancelled.
    """
    runtime.of(Speech).news.append(text)
    if not bpy.app.timers.is_registered(_tick):
        bpy.app.timers.register(_tick, first_interval=0.1, persistent=True)


def tell_given_up(work: str) -> None:
    """Shows for a while that some work was given up because Blender cancelled it."""
    tell(translated("{work} given up: another file was opened, or its window closed", work=work))


def _tick() -> float | None:
    """Shows the next message, and clears the status bar after the last."""
    speech = runtime.of(Speech)
    say(__name__, speech.news.pop(0) if speech.news else None)
    return NEWS_SECONDS if __name__ in speech.texts else None


CLASSES = ()


def unregister() -> None:
    """Clears the status bar."""
    if bpy.app.timers.is_registered(_tick):
        bpy.app.timers.unregister(_tick)
    runtime.of(Speech).news.clear()
    say(__name__, None)
