"""Events of Blender and of its own panels, the rooms that listen to them, and the order in which they are called.

A room declares with `hears` that a function of it is called when something happens, and at which stage; `attach` has
Blender call the functions of all rooms, stage by stage, and `detach` takes them out again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum, auto
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, TypeVar

import bpy
from bpy.app.handlers import persistent

from . import runtime

Listener = Callable[[bpy.types.Context, bpy.types.PropertyGroup], None]
Function = TypeVar("Function", bound=Callable[..., None])

NUMBER_CHANGED = "number_changed"
"""The event of an animator changing a number in a panel; other events are named after lists in `bpy.app.handlers`."""

listeners: list[Listener] = []
"""Functions called with the context and the group whose property changed."""


class HandlerTurn(IntEnum):
    """Order of the listeners: those that change data come before those that read it."""

    IDENTITY = auto()
    """Objects, and copies among them, get their own numbers."""
    TIMELINE = auto()
    """Markers and the times they stand for are brought into agreement."""
    PLAY = auto()
    """Live play reacts."""
    WORK = auto()
    """Long jobs are given up."""
    RESULTS = auto()
    """Results that stay in the file are signed, or recognized again."""
    LIBRARY = auto()
    """The animator's own files are updated."""
    DISPLAY = auto()
    """Displays are redrawn."""


class Listening(NamedTuple):
    """A function's declaration of the events it listens to.

    Attributes:
        stage: The stage at which it is called.
        events: Names of lists in `bpy.app.handlers`, or `NUMBER_CHANGED`.
    """

    stage: HandlerTurn
    events: tuple[str, ...]


class Silence:
    """Depth of open `together` blocks, within which listeners wait."""

    depth = 0


def hears(stage: HandlerTurn, *events: str) -> Callable[[Function], Function]:
    """Declares that a function listens to events at a stage."""

    def declare(function: Function) -> Function:
        function.declaration = Listening(stage, events)
        kept: Function = persistent(function)
        return kept

    return declare


def table(rooms: Iterable[ModuleType]) -> dict[str, list[Callable[..., None]]]:
    """Listeners that these modules declare, by event, in calling order.

    Within a stage the order is that of the modules, and of the functions in them.
    """
    found = [
        function
        for room in rooms
        for function in vars(room).values()
        if isinstance(function, FunctionType)
        and hasattr(function, "declaration")
        and function.__module__ == room.__name__
    ]
    heard: dict[str, list[Callable[..., None]]] = {}
    for function in sorted(found, key=lambda function: function.declaration.stage):
        for event in function.declaration.events:
            heard.setdefault(event, []).append(function)
    return heard


def attach(rooms: Iterable[ModuleType]) -> None:
    """Has Blender call the listeners that these modules declare, in the order of `table`."""
    for event, functions in table(rooms).items():
        _list_of(event).extend(functions)


def detach(rooms: Iterable[ModuleType]) -> None:
    """Has Blender stop calling them; those already removed by somebody else are skipped."""
    for event, functions in table(rooms).items():
        called = _list_of(event)
        for function in functions:
            if function in called:
                called.remove(function)


def notify(group: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """The `update` of every declared property."""
    if not runtime.of(Silence).depth:
        for listener in tuple(listeners):
            listener(context, group)


@contextmanager
def together(group: bpy.types.PropertyGroup, context: bpy.types.Context) -> Iterator[None]:
    """Delays listeners to the end of this block: they are called once, for this group, however much is set in it."""
    silence = runtime.of(Silence)
    silence.depth += 1
    try:
        yield
    finally:
        silence.depth -= 1
    notify(group, context)


def _list_of(event: str) -> list[Any]:
    """The functions that Blender, or `notify`, calls at an event."""
    found: list[Any] = listeners if event == NUMBER_CHANGED else getattr(bpy.app.handlers, event)
    return found
