"""Who wants to know when an animator changes a number in a panel: fishes that play live, and previews."""

from __future__ import annotations

from collections.abc import Callable

import bpy

Listener = Callable[[bpy.types.Context, bpy.types.PropertyGroup], None]

listeners: list[Listener] = []
"""Called with the context and the group whose property changed; whoever adds one takes it out again."""


def notify(group: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """The `update` of every declared property."""
    for listener in tuple(listeners):
        listener(context, group)
