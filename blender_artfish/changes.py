"""Who wants to know when an animator changes a number in a panel: fishes that play live, and previews."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import bpy

Listener = Callable[[bpy.types.Context, bpy.types.PropertyGroup], None]

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
