"""Where panels and overlays learn of the fishes' minds: a session that plays live, or the last bake."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import bpy

if TYPE_CHECKING:
    from ..core.insight import Insight
    from ..core.recording import Recording

FIRST = 1
"""Frame of a scene that shows frame 0 of a recording, where nobody says otherwise."""
ROW, BAKE, BEGINS = "artfish_row", "artfish_bake", "artfish_first"
"""Custom properties of a baked fish's empty: its row, the bake that it is of, and the frame in which that begins."""
NOBODY = -1

Source = Callable[[bpy.types.Context], "Telling | None"]
_offered: list[Source] = []
_insight: list[tuple[Any, Any]] = []  # of the scene that was asked about last
_marked: dict[tuple[int, int], list[str]] = {}
"""Names of the objects that carry the marks of a bake, by scene and its number of objects: looking at all of them at
each redraw takes long, and no object itself may be kept, for undoing makes it another."""


@dataclass(frozen=True)
class Telling:
    """What is known of some fishes at the frame that is shown.

    Attributes:
        recording: What they did so far.
        row: Of the active fish, `NOBODY` where none is.
        frame: Of the recording.
        origin: Where the tank's corner stands in Blender, in metres.
        roots: The fishes' empties by row; those that were deleted are missing.
        first: Frame of the scene that shows frame 0.
    """

    recording: Recording
    row: int
    frame: int
    origin: tuple[float, float, float]
    roots: dict[int, bpy.types.Object]
    first: int = FIRST

    @property
    def insight(self) -> Insight:
        """What can be told of the minds; kept for as long as the scene is the same."""
        if not _insight or _insight[0][0] is not self.recording.scene:
            from ..core.insight import Insight

            _insight[:] = [(self.recording.scene, Insight(self.recording))]
        return _insight[0][1]

    def name(self, row: int) -> str:
        """What the fish of a row is called: as its empty, which the animator may have renamed."""
        root = self.roots.get(row)
        return f"{self.recording.species[row]} {row}" if root is None else root.name


def telling(context: bpy.types.Context) -> Telling | None:
    """What is known of the fishes: by whoever offers it, by the session that plays, or by the last bake.

    Returns:
        None where nothing is known, or where it has no frames yet.
    """
    for source in (*_offered, _live, _baked):
        told = source(context)
        if told is not None and told.recording.frames:
            return told
    return None


def offer(source: Source) -> None:
    """Asks this source first from now on."""
    _offered.append(source)


def withdraw(source: Source) -> None:
    """Asks it no more."""
    _offered.remove(source)


def root_of(thing: bpy.types.Object | None) -> bpy.types.Object | None:
    """The empty of the fish that an object is, or is a part of; None where it is no fish's.

    Where an empty has lost its mark, a fish is still known by its surfaces.
    """
    while thing is not None:
        if thing.type == "EMPTY" and (ROW in thing or any(child.type == "SURFACE" for child in thing.children)):
            return thing
        thing = thing.parent
    return None


def of_recording(
    context: bpy.types.Context,
    recording: Recording,
    roots: dict[int, bpy.types.Object],
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0),
    first: int = FIRST,
    frame: int | None = None,
) -> Telling:
    """What a recording tells at the frame that the scene shows.

    Args:
        context: Whose active object says which fish is meant.
        recording: What happened.
        roots: The fishes' empties by row.
        origin: Where the tank's corner stands in Blender, in metres.
        first: Frame of the scene that shows frame 0.
        frame: Of the recording; that of the scene if left out.
    """
    here = root_of(context.object)
    row = next((row for row, root in roots.items() if root == here), NOBODY) if here is not None else NOBODY
    if frame is None:
        frame = context.scene.frame_current - first
    return Telling(recording, row, min(max(frame, 0), recording.frames - 1), origin, roots, first)


def _live(context: bpy.types.Context) -> Telling | None:
    """Of the session that plays in this scene."""
    live = _room("live")
    session = None if live is None else live.session(context.scene)
    if session is None:
        return None
    roots = {row: fish.root for row, fish in enumerate(session.fishes) if _is_there(fish.root)}
    frame = session.frame_of(context.scene.frame_current)
    origin = tuple(float(number) for number in session.origin)
    return of_recording(context, session.recording(), roots, origin, context.scene.frame_current - frame, frame)


def _baked(context: bpy.types.Context) -> Telling | None:
    """Of the bake that the active object is of, or else of the last one that is still in the scene."""
    bakes = _room("bakes")
    if bakes is None:
        return None
    marked = _baked_roots(context.scene)
    here = root_of(context.object)
    asked = [here] if here is not None and BAKE in here else []
    for thing in [*asked, *reversed(marked)][:1]:
        name = thing[BAKE]
        recording = bakes.recording(name)
        if recording is not None:
            roots = {int(root[ROW]): root for root in marked if root[BAKE] == name}
            origin = tuple(float(number) for number in thing.get("artfish_origin", (0.0, 0.0, 0.0)))
            return of_recording(context, recording, roots, origin, int(thing.get(BEGINS, FIRST)))
    return None


def _baked_roots(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The empties of all baked fishes of a scene."""
    key = scene.as_pointer(), len(scene.objects)
    found = [scene.objects.get(name) for name in _marked.get(key, ())]
    if key not in _marked or not all(thing is not None and BAKE in thing and ROW in thing for thing in found):
        found = [thing for thing in scene.objects if BAKE in thing and ROW in thing]
        _marked.clear()
        _marked[key] = [thing.name for thing in found]
    return found


def _room(name: str) -> Any:
    """A module of the add-on, None where this build has none."""
    try:
        return import_module(f".{name}", __package__)
    except ModuleNotFoundError as error:
        if error.name != f"{__package__}.{name}":
            raise
        return None


def _is_there(thing: bpy.types.Object) -> bool:
    """Whether the animator has not deleted it."""
    try:
        return bool(thing.name)
    except ReferenceError:
        return False


@bpy.app.handlers.persistent
def _forget(*_: Any) -> None:
    """Lets go of what was told, when another file is opened."""
    _insight.clear()
    _marked.clear()


CLASSES = ()


def register() -> None:
    """Nothing is kept from one file to the next."""
    bpy.app.handlers.load_pre.append(_forget)


def unregister() -> None:
    """Lets go of everything."""
    bpy.app.handlers.load_pre.remove(_forget)
    _offered.clear()
    _forget()
