"""The status bar: long work shows there how far it is, in the workspace that is shown, and clears it afterwards.

Blender keeps a text for each workspace, and always sets that of the context's, whichever workspace it is called on.
"""

from __future__ import annotations

from collections.abc import Hashable

import bpy

from . import runtime

NEWS_SECONDS = 8.0
"""For which it is said what has happened."""


class Speech:
    """What is said, and what is yet to be said.

    Attributes:
        texts: By speaker; who began last comes last.
        news: What has happened, each to be said for a while.
    """

    def __init__(self) -> None:
        """Nothing is."""
        self.texts: dict[Hashable, str] = {}
        self.news: list[str] = []


def say(speaker: Hashable, text: str | None) -> bool:
    """Puts what a speaker says into the status bar; who began last is heard.

    Args:
        speaker: Whoever says it.
        text: What; None to be silent from now on, also in workspaces that are not shown any more.

    Returns:
        Whether there was anything to do.
    """
    texts = runtime.of(Speech).texts
    if text is None and speaker not in texts:
        return False
    if text is None:
        del texts[speaker]
    else:
        texts[speaker] = text
    if bpy.context.window is None:  # Blender may be quitting, and crashes where a window that is going is looked at
        return True
    heard = next(reversed(texts.values()), None)
    shown = {window.workspace for window in bpy.context.window_manager.windows}
    for workspace in shown if heard else bpy.data.workspaces:
        with bpy.context.temp_override(workspace=workspace):
            workspace.status_text_set(heard)
    return True


def tell(text: str) -> None:
    """Says for a while what has happened; where that is the opening of another file, in that file.

    Blender shows nobody what an operator reports while it is cancelled.
    """
    runtime.of(Speech).news.append(text)
    if not bpy.app.timers.is_registered(_tick):
        bpy.app.timers.register(_tick, first_interval=0.1, persistent=True)


def tell_given_up(work: str) -> None:
    """Says for a while that some work was given up because Blender cancelled it."""
    tell(f"{work} given up: another file was opened, or its window closed")


def _tick() -> float | None:
    """Says the next of what has happened, and nothing more after the last."""
    speech = runtime.of(Speech)
    say(__name__, speech.news.pop(0) if speech.news else None)
    return NEWS_SECONDS if __name__ in speech.texts else None


CLASSES = ()


def unregister() -> None:
    """Falls silent."""
    if bpy.app.timers.is_registered(_tick):
        bpy.app.timers.unregister(_tick)
    runtime.of(Speech).news.clear()
    say(__name__, None)
