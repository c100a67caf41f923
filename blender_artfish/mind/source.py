"""Source of the fishes' minds for panels and overlays: a live session, or the last bake."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from math import ceil
from typing import TYPE_CHECKING, Any
from zlib import crc32

import bpy
from mathutils import Matrix

from ..bake.whole_fish import player_of
from ..blender import runtime
from ..blender.handlers import HandlerTurn, hears
from ..blender.words import counted, translated
from ..identity.provenance import BAKE, NO_ROW, ROW, number_of, of, row_of
from ..identity.units import from_metres, metres
from ..live.runtime import session_of

if TYPE_CHECKING:
    from ...core.recording import Recording
    from ...core.studio.insight import Insight
    from ...core.studio.memories import Knowledge, Memories

FIRST_FRAME = 1
"""Default frame of a scene that shows frame 0 of a recording."""
UNMOVED: Matrix = Matrix.Identity(4)
SHOWN_ARRAYS = (
    *("nodes", "alive", "intention", "target", "food", "preference", "preference_strength"),
    *("memory_time", "way", "frontier"),
)
"""Arrays of a recording that overlays show."""

Source = Callable[[bpy.types.Context], "Observation | None"]


class Offers:
    """Sources offered by other rooms."""

    def __init__(self) -> None:
        """Start with no sources."""
        self.sources: list[Source] = []


class Memory:
    """Cache between two looks at a file.

    Attributes:
        insight: The scene of the last recording, and its insight.
        memories: Memories of the fishes of the last scene.
        names: Names of baked fishes by bake and row, for a scene with so many objects: reading all objects at each
            redraw takes long, and objects cannot be kept, since undo replaces them.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.insight: tuple[Any, Insight] | None = None
        self.memories: Memories | None = None
        self.names: dict[tuple[int, int], dict[str, dict[int, str]]] = {}


class Roots(Mapping[int, bpy.types.Object]):
    """The objects of a bake's fishes by row, each looked up on demand."""

    def __init__(self, scene: bpy.types.Scene, bake: str) -> None:
        """The objects in a scene."""
        self._scene, self._bake = scene, bake

    def __getitem__(self, row: int) -> bpy.types.Object:
        """The object of a row; raises KeyError if it was deleted."""
        obj = self._scene.objects.get(self._names[row])
        if obj is None or not _is_marked(obj) or row_of(obj) != row:  # renamed since
            runtime.of(Memory).names.clear()
            obj = self._scene.objects[self._names[row]]
        return obj

    def __iter__(self) -> Iterator[int]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    @property
    def _names(self) -> dict[int, str]:
        return _baked_names(self._scene).get(self._bake, {})


@dataclass(frozen=True)
class Observation:
    """Fishes at the current frame, with their recording.

    Attributes:
        recording: The recording so far.
        row: Row of the active fish, `NO_ROW` without one.
        frame: Frame of the recording.
        roots: The fishes' objects by row; deleted ones are missing.
        matrix: Matrix from the recording's world to Blender's.
        first: Frame of the scene that shows frame 0.
        pace: Frames of the recording in one of the scene.
    """

    recording: Recording
    row: int
    frame: int
    roots: Mapping[int, bpy.types.Object]
    matrix: Any = field(default_factory=lambda: Matrix.Identity(4))
    first: int = FIRST_FRAME
    pace: float = 1.0

    def scene_frame(self, frame: int) -> int:
        """The frame of the scene that shows a frame of the recording."""
        return self.first + round(frame / self.pace)

    @property
    def origin(self) -> tuple[float, float, float]:
        """Corner of the tank in Blender, metres."""
        at = self.matrix.translation
        return at.x, at.y, at.z

    @property
    def fingerprint(self) -> int:
        """A number that changes with this frame's content: a live recording may change."""
        return reduce(lambda sum_, name: crc32(getattr(self.recording, name)[self.frame], sum_), SHOWN_ARRAYS, self.row)

    @property
    def insight(self) -> Insight:
        """Insight into the minds, cached while the scene stays the same."""
        memory = runtime.of(Memory)
        if memory.insight is None or memory.insight[0] is not self.recording.scene:
            from ...core.studio.insight import Insight

            memory.insight = self.recording.scene, Insight(self.recording)
        return memory.insight[1]

    @cached_property
    def known(self) -> Knowledge:
        """Memory and plan of the active fish."""
        memory = runtime.of(Memory)
        if memory.memories is None or memory.memories.scene is not self.recording.scene:
            from ...core.studio.memories import Memories

            memory.memories = Memories(self.recording)
        return memory.memories.known(self.recording, self.frame, self.row)

    def name(self, row: int) -> str:
        """Name of a row's fish: its object's, which the animator may have changed."""
        root = self.roots.get(row)
        return f"{self.recording.species[row]} {row}" if root is None else root.name


def observe(context: bpy.types.Context) -> Observation | None:
    """The observation from an offered source, from the live session, or from the last bake.

    The first of these with the active fish counts.

    Returns:
        None if there is no source, or no frame yet.
    """
    first = None
    for source in (*runtime.of(Offers).sources, _live, _baked):
        found = source(context)
        if found is not None and found.recording.frames:
            if found.row != NO_ROW:
                return found
            first = first or found
    return first


def lacking(context: bpy.types.Context) -> str:
    """Why no fish's mind is known, in words for a panel."""
    names = _baked_names(context.scene)
    count = sum(map(len, names.values()))
    if not count:
        return translated("No fish is live or baked yet")
    return counted(
        count,
        "1 fish is baked, but its recording is not on this machine: bake again to read its mind",
        "{count} fishes are baked, but their recording is not on this machine: bake again to read their minds",
    )


def offer(source: Source) -> None:
    """Add a source that is asked first."""
    runtime.of(Offers).sources.append(source)


def withdraw(source: Source) -> None:
    """Remove a source."""
    runtime.of(Offers).sources.remove(source)


def marks(obj: bpy.types.Object) -> set[str]:
    """Names of an object's custom properties."""
    return set(obj.keys())


def root_of(obj: bpy.types.Object | None) -> bpy.types.Object | None:
    """The root of the fish that an object is or is part of; None if it is part of none.

    A baked fish's empty that has lost its mark is recognized by its surfaces.
    """
    while obj is not None:
        if ROW in marks(obj) or (obj.type == "EMPTY" and any(part.type == "SURFACE" for part in obj.children)):
            return obj
        obj = obj.parent
    return None


def of_recording(
    context: bpy.types.Context,
    recording: Recording,
    roots: Mapping[int, bpy.types.Object],
    matrix: Matrix = UNMOVED,
    first: int = FIRST_FRAME,
    pace: float = 1.0,
) -> Observation:
    """The observation of a recording at the scene's current frame.

    Args:
        context: The context, whose active object selects the fish.
        recording: The recording.
        roots: The fishes' objects by row.
        matrix: Matrix from the recording's world to Blender's.
        first: Frame of the scene that shows frame 0.
        pace: Frames of the recording in one of the scene.
    """
    here = root_of(context.object)
    row = row_of(here)
    if here is not None and roots.get(row) != here:
        row = next((row for row, root in roots.items() if root == here), NO_ROW)
    frame = round((context.scene.frame_current - first) * pace)
    return Observation(
        recording, row, min(max(frame, 0), recording.frames - 1), roots=roots, matrix=matrix, first=first, pace=pace
    )


def _live(context: bpy.types.Context) -> Observation | None:
    """The observation of this scene's live session."""
    session = session_of(context.scene)
    if session is None:
        return None
    try:
        recording = session.recording()
    except ValueError:  # no frame yet
        return None
    roots = {row: fish.root for row, fish in enumerate(session.fishes) if fish is not None and _is_there(fish.root)}
    return of_recording(context, recording, roots, from_metres(session.origin, metres(context.scene)), session.first)


def _baked(context: bpy.types.Context) -> Observation | None:
    """The observation of the active object's bake, or else of the last bake still in the scene."""
    names = _baked_names(context.scene)
    if not names:
        return None
    from ..bake import history

    here = root_of(context.object)
    if here is not None and not _is_marked(here):
        here = None
    bake = max(names, key=number_of) if here is None else of(here, BAKE)
    recording = history.recording(bake)
    roots = Roots(context.scene, bake)
    root = here or next(iter(roots.values()), None)
    if recording is None or root is None:
        return None
    matrix = root.parent.matrix_world @ root.matrix_parent_inverse if root.parent else UNMOVED
    player = player_of(root)
    motion = None if player is None else player.action
    if motion is None:
        return of_recording(context, recording, roots, matrix)
    from ..bake.key_edits import edits_of, first_frame

    edits, first, now = edits_of(motion), ceil(motion.curve_frame_range[0]), context.scene.frame_current
    pace = edits.timing.speed
    if not edits.as_baked:
        first = round(now - (edits.course.baked_at(now) - first_frame(motion)) / pace)
    return of_recording(context, recording, roots, matrix, first, pace)


def _baked_names(scene: bpy.types.Scene) -> dict[str, dict[int, str]]:
    """Names of the fishes of all bakes of a scene, by bake and row."""
    key = scene.as_pointer(), len(scene.objects)
    names = runtime.of(Memory).names
    if key not in names:
        names.clear()
        found = names[key] = {}
        for obj in scene.objects:
            if _is_marked(obj):
                found.setdefault(of(obj, BAKE), {})[row_of(obj)] = obj.name
    return names[key]


def _is_marked(obj: bpy.types.Object) -> bool:
    """True if the object is a fish of a bake."""
    return row_of(obj) != NO_ROW and of(obj, BAKE) != ""


def _is_there(obj: bpy.types.Object) -> bool:
    """True if the animator has not deleted the object."""
    try:
        return bool(obj.name)
    except ReferenceError:
        return False


@hears(HandlerTurn.DISPLAY, "load_pre")
def _forget(*_: Any) -> None:
    """Clears the cache when another file is opened."""
    runtime.drop(Memory)


CLASSES = ()
