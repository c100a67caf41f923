"""Events that rooms of the add-on listen to, from Blender and its own panels, and the order in which they are called.

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
"""What is heard when an animator changes a number in a panel; all else has the name of a list in `bpy.app.handlers`."""

listeners: list[Listener] = []
"""Called with the context and the group whose property changed."""


class Stage(IntEnum):
    """Who hears first: whoever changes what others go by, before those who go by it."""

    IDENTITY = auto()
    """Objects, and copies among them, get numbers of their own."""
    TIMELINE = auto()
    """Markers and the times of what they stand for agree."""
    PLAY = auto()
    """What plays live takes notice."""
    WORK = auto()
    """Long work is given up."""
    RESULTS = auto()
    """What was made and stays in the file is signed, or known again."""
    LIBRARY = auto()
    """Files of the animator's own follow."""
    DISPLAY = auto()
    """What only shows all this is made anew."""


class Declaration(NamedTuple):
    """That a function hears of something.

    Attributes:
        stage: At which it does.
        events: Of what, by the names of lists in `bpy.app.handlers`, or `NUMBER_CHANGED`.
    """

    stage: Stage
    events: tuple[str, ...]


class Silence:
    """Whether listeners wait: how many blocks within `together` are open."""

    depth = 0


def hears(stage: Stage, *events: str) -> Callable[[Function], Function]:
    """Declares of a function that it hears of events at a stage."""

    def declare(function: Function) -> Function:
        function.declaration = Declaration(stage, events)
        kept: Function = persistent(function)
        return kept

    return declare


def table(rooms: Iterable[ModuleType]) -> dict[str, list[Callable[..., None]]]:
    """What these modules declare: for each event who hears of it, the first one first.

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
    """Has Blender call what these modules declare, in the order of `table`."""
    for event, functions in table(rooms).items():
        _list_of(event).extend(functions)


def detach(rooms: Iterable[ModuleType]) -> None:
    """Has Blender call them no more; those that somebody else has taken out already are no matter."""
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
    """However much is set within this block, listeners hear once, at its end, that this group changed."""
    silence = runtime.of(Silence)
    silence.depth += 1
    try:
        yield
    finally:
        silence.depth -= 1
    notify(group, context)


def _list_of(event: str) -> list[Any]:
    """Whom Blender, or `notify`, calls when something happens."""
    found: list[Any] = listeners if event == NUMBER_CHANGED else getattr(bpy.app.handlers, event)
    return found
