"""Where panels and overlays learn of the fishes' minds: a session that plays live, or the last bake."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from importlib import import_module
from typing import TYPE_CHECKING, Any
from zlib import crc32

import bpy
from mathutils import Matrix, Vector

from ..blender.handlers import Stage, hears
from ..blender.package import ADD_ON
from ..identity.provenance import BAKE, ROW

if TYPE_CHECKING:
    from ...core.recording import Recording
    from ...core.studio.insight import Insight

FIRST = 1
"""Frame of a scene that shows frame 0 of a recording, where nothing says otherwise."""
NOBODY = -1
UNMOVED: Matrix = Matrix.Identity(4)
TOLD = ("nodes", "alive", "intention", "target", "food", "preference", "preference_strength")
"""Arrays of a recording that overlays show."""

Source = Callable[[bpy.types.Context], "Telling | None"]
_offered: list[Source] = []
_insight: list[tuple[Any, Any]] = []  # of the scene that was asked about last
_marked: dict[tuple[int, int], dict[str, dict[int, str]]] = {}
"""Names of baked fishes by bake and row, of a scene with so many objects: looking at all objects at each redraw takes
long, and no object itself may be kept, for undoing makes it another."""


class Roots(Mapping[int, bpy.types.Object]):
    """The objects of a bake's fishes by row, each looked up when it is asked for."""

    def __init__(self, scene: bpy.types.Scene, bake: str) -> None:
        """Those that are in a scene."""
        self._scene, self._bake = scene, bake

    def __getitem__(self, row: int) -> bpy.types.Object:
        """Raises KeyError where it was deleted."""
        thing = self._scene.objects.get(self._names[row])
        if thing is None or not _is_marked(thing) or thing[ROW] != row:  # renamed since
            _marked.clear()
            thing = self._scene.objects[self._names[row]]
        return thing

    def __iter__(self) -> Iterator[int]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    @property
    def _names(self) -> dict[int, str]:
        return _baked_names(self._scene).get(self._bake, {})


@dataclass(frozen=True)
class Telling:
    """What is known of some fishes at the frame that is shown.

    Attributes:
        recording: What they did so far.
        row: Of the active fish, `NOBODY` where none is.
        frame: Of the recording.
        roots: The fishes' objects by row; those that were deleted are missing.
        matrix: From the recording's world to Blender's.
        first: Frame of the scene that shows frame 0.
    """

    recording: Recording
    row: int
    frame: int
    roots: Mapping[int, bpy.types.Object]
    matrix: Any = field(default_factory=lambda: Matrix.Identity(4))
    first: int = FIRST

    @property
    def origin(self) -> tuple[float, float, float]:
        """Where the tank's corner stands in Blender, in metres."""
        at = self.matrix.translation
        return at.x, at.y, at.z

    @property
    def fingerprint(self) -> int:
        """A number that is another when anything else is told of this frame: a live recording may change."""
        return reduce(lambda sum_, name: crc32(getattr(self.recording, name)[self.frame], sum_), TOLD, self.row)

    @property
    def insight(self) -> Insight:
        """What can be told of the minds; kept for as long as the scene is the same."""
        if not _insight or _insight[0][0] is not self.recording.scene:
            from ...core.studio.insight import Insight

            _insight[:] = [(self.recording.scene, Insight(self.recording))]
        return _insight[0][1]

    def name(self, row: int) -> str:
        """What the fish of a row is called: as its object, which the animator may have renamed."""
        root = self.roots.get(row)
        return f"{self.recording.species[row]} {row}" if root is None else root.name


def telling(context: bpy.types.Context) -> Telling | None:
    """What is known of the fishes: by whoever offers it, by the session that plays, or by the last bake.

    Who knows the active fish tells first.

    Returns:
        None where nothing is known, or where there are no frames yet.
    """
    some = None
    for source in (*_offered, _live, _baked):
        told = source(context)
        if told is not None and told.recording.frames:
            if told.row != NOBODY:
                return told
            some = some or told
    return some


def offer(source: Source) -> None:
    """Asks this source first from now on."""
    _offered.append(source)


def withdraw(source: Source) -> None:
    """Asks it no more."""
    _offered.remove(source)


def marks(thing: bpy.types.Object) -> set[str]:
    """Names of an object's custom properties."""
    return set(thing.keys())


def root_of(thing: bpy.types.Object | None) -> bpy.types.Object | None:
    """The object of the fish that an object is, or is a part of; None where it is no fish's.

    A baked fish's empty that has lost its mark is still known by its surfaces.
    """
    while thing is not None:
        if ROW in marks(thing) or (thing.type == "EMPTY" and any(part.type == "SURFACE" for part in thing.children)):
            return thing
        thing = thing.parent
    return None


def of_recording(
    context: bpy.types.Context,
    recording: Recording,
    roots: Mapping[int, bpy.types.Object],
    matrix: Matrix = UNMOVED,
    first: int = FIRST,
) -> Telling:
    """What a recording tells at the frame that the scene shows.

    Args:
        context: Whose active object says which fish is meant.
        recording: What happened.
        roots: The fishes' objects by row.
        matrix: From the recording's world to Blender's.
        first: Frame of the scene that shows frame 0.
    """
    here = root_of(context.object)
    row = NOBODY if here is None else int(here.get(ROW, NOBODY))
    if here is not None and roots.get(row) != here:
        row = next((row for row, root in roots.items() if root == here), NOBODY)
    frame = context.scene.frame_current - first
    return Telling(recording, row, min(max(frame, 0), recording.frames - 1), roots=roots, matrix=matrix, first=first)


def _live(context: bpy.types.Context) -> Telling | None:
    """Of the session that plays in this scene."""
    live = _room("live.session")
    session = None if live is None else live.session(context.scene)
    if session is None:
        return None
    try:
        recording = session.recording()
    except ValueError:  # no frame yet
        return None
    roots = {row: fish.root for row, fish in enumerate(session.fishes) if fish is not None and _is_there(fish.root)}
    return of_recording(context, recording, roots, Matrix.Translation(Vector(session.origin)), session.first)


def _baked(context: bpy.types.Context) -> Telling | None:
    """Of the bake that the active object is of, or else of the last one that is still in the scene."""
    names = _baked_names(context.scene)
    bakes = _room("bake.history") if names else None  # which loads the simulation
    if bakes is None:
        return None
    here = root_of(context.object)
    if here is not None and not _is_marked(here):
        here = None
    bake = max(names, key=_number) if here is None else here[BAKE]
    recording = bakes.recording(bake)
    roots = Roots(context.scene, bake)
    asked = here or next(iter(roots.values()), None)
    if recording is None or asked is None:
        return None
    matrix = asked.parent.matrix_world @ asked.matrix_parent_inverse if asked.parent else UNMOVED
    motion = asked.animation_data.action if asked.animation_data else None
    return of_recording(context, recording, roots, matrix, FIRST if motion is None else round(motion.frame_range[0]))


def _number(bake: str) -> int:
    """Of a bake: the later, the higher."""
    tail = bake.rpartition(".")[2]
    return int(tail) if tail.isdecimal() else 0


def _baked_names(scene: bpy.types.Scene) -> dict[str, dict[int, str]]:
    """Names of the fishes of all bakes of a scene, by bake and row."""
    key = scene.as_pointer(), len(scene.objects)
    if key not in _marked:
        _marked.clear()
        found = _marked[key] = {}
        for thing in scene.objects:
            if _is_marked(thing):
                found.setdefault(str(thing[BAKE]), {})[int(thing[ROW])] = thing.name
    return _marked[key]


def _is_marked(thing: bpy.types.Object) -> bool:
    """Whether it is a fish of a bake."""
    return {ROW, BAKE} <= marks(thing)


def _room(name: str) -> Any:
    """A module of the add-on, None where this build has none."""
    try:
        return import_module(f".{name}", ADD_ON)
    except ModuleNotFoundError as error:
        if error.name != f"{ADD_ON}.{name}":
            raise
        return None


def _is_there(thing: bpy.types.Object) -> bool:
    """Whether the animator has not deleted it."""
    try:
        return bool(thing.name)
    except ReferenceError:
        return False


@hears(Stage.DISPLAY, "load_pre")
def _forget(*_: Any) -> None:
    """Lets go of what was told, when another file is opened."""
    _insight.clear()
    _marked.clear()


CLASSES = ()


def unregister() -> None:
    """Lets go of everything."""
    _offered.clear()
    _forget()
