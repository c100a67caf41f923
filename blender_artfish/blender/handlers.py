"""Who wants to know what happens: when an animator changes a number in a panel, and what Blender tells handlers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy

Listener = Callable[[bpy.types.Context, bpy.types.PropertyGroup], None]
Handler = tuple[list[Any], Callable[..., None]]
"""One of the lists in `bpy.app.handlers`, and what Blender is to call."""

listeners: list[Listener] = []
"""Called with the context and the group whose property changed; whoever adds one takes it out again."""


_silent = 0


def notify(group: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """The `update` of every declared property."""
    if not _silent:
        for listener in tuple(listeners):
            listener(context, group)


@contextmanager
def together(group: bpy.types.PropertyGroup, context: bpy.types.Context) -> Iterator[None]:
    """However much is set within this block, who listens is told once, at its end, that this group changed."""
    global _silent
    _silent += 1
    try:
        yield
    finally:
        _silent -= 1
    notify(group, context)


def attach(handlers: tuple[Handler, ...]) -> None:
    """Has Blender call handlers."""
    for those, handler in handlers:
        those.append(handler)


def detach(handlers: tuple[Handler, ...]) -> None:
    """Has Blender call handlers no more; those that somebody else has taken out already are no matter."""
    for those, handler in handlers:
        if handler in those:
            those.remove(handler)
