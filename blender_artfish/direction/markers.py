"""Timed events as markers on the timeline, which may be dragged there.

The number of seconds is authoritative. For each event with a marker the scene remembers at which frame, and by which
name, both agreed last. A marker that stands elsewhere was moved, and the number follows it; otherwise the marker goes
to the frame given by the number, the frame rate and the film's first frame. A marker that is gone while its event is
there was deleted: the event keeps its time, and stays off the timeline until it is added again.

Blender does not report that a marker is dragged, so a timer checks them while a scene shows its events in a window.
Reading a scene changes none of this: code that bakes, plays or saves it calls `follow` first.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ..blender.handlers import NUMBER_CHANGED, HandlerTurn, hears
from ..identity.film_time import Clock, clock, timed
from ..identity.roles import objects_of

app: Any = bpy.app  # by the stubs its functions return nothing
LOOK = 0.2  # seconds between checks of the markers
EVENT_VERBS = {
    "SHOAL": "enters",
    "HOOK": "drops",
    "DIRECTION": "leads",
    "arrival": "is due",
    "food": "falls",
    "fright": "scares",
}
"""Verb of the event, by an object's kind."""
FROM_THE_FIRST = ("SHOAL", "DIRECTION")
"""Kinds that get no marker while they act from the first frame on."""
MOVERS = ("MARKER_OT_", "TRANSFORM_OT_")
"""Operators that rely on the markers not changing while they drag them."""

_following = False
_changed = False
_seen: dict[int, Any] = {}  # last state of the markers, by the scene's session_uid


def follow(scene: bpy.types.Scene) -> None:
    """Bring events and markers of a scene into agreement: times follow moved markers, markers follow all else.

    Markers of events that are not shown are removed. The animator's own markers stay.
    """
    if _following or not _concerned(scene):
        return
    with _alone():
        moved = _agree(scene)
    if moved:  # an event may be in other scenes, too
        _follow_all()


@contextmanager
def _alone() -> Iterator[None]:
    """Nobody follows numbers that are set within this block."""
    global _following
    _following = True
    try:
        yield
    finally:
        _following = False


def _concerned(scene: bpy.types.Scene) -> bool:
    """True if events are shown, or were until now."""
    return scene.library is None and bool(scene.artfish.timeline or scene.artfish.marks)


def _agree(scene: bpy.types.Scene) -> bool:
    """Bring them into agreement; returns whether any time has followed its marker."""
    marks, time, moved = scene.artfish.marks, clock(scene), False
    events, markers = _events(scene), _markers(scene)
    for row, mark in reversed(list(enumerate(marks))):
        obj, marker = events.pop(mark.number, None), markers.get(mark.number)
        if obj is not None and marker is not None:
            if marker.frame != mark.frame:
                setattr(*timed(obj), time.seconds(marker.frame))
                moved = True
            _stand(mark, marker, obj, time)
            continue
        if obj is not None:
            obj.artfish.on_timeline = False
        elif marker is not None:
            _take_away(scene, marker)
        marks.remove(row)
    for number, obj in events.items():
        mark, marker = marks.add(), scene.timeline_markers.new("")
        mark.number = marker.artfish = number
        marker.select = False
        _stand(mark, marker, obj, time)
    return moved


def _events(scene: bpy.types.Scene) -> dict[int, bpy.types.Object]:
    """The objects that should have a marker, by number."""
    if not scene.artfish.timeline:
        return {}
    there, marked, found = _there(scene), {mark.number for mark in scene.artfish.marks}, {}
    _tell_apart(scene, there)
    for obj in there:
        role = obj.artfish
        if _has_marker(obj, marked):
            role.number = role.number or _free_number()
            found[role.number] = obj
    return found


def _tell_apart(scene: bpy.types.Scene, there: list[bpy.types.Object]) -> None:
    """Gives each event of a scene a unique number: copies, and objects from other files, may share one."""
    owners = _owners(scene, there)
    for obj in there:
        number = obj.artfish.number
        if number and owners[number] != obj:
            _number_anew(obj, _free_number())


def _owners(scene: bpy.types.Scene, there: list[bpy.types.Object]) -> dict[int, bpy.types.Object]:
    """The owner of each number: the object whose name the scene remembers with it, or else the first."""
    names = {mark.number: mark.name for mark in scene.artfish.marks}
    ranked = sorted(there, key=lambda obj: (names.get(obj.artfish.number) != _name(obj), obj.session_uid))
    return {obj.artfish.number: obj for obj in reversed(ranked)}


def _number_anew(obj: bpy.types.Object, number: int) -> None:
    """Gives an event another number, also in the scenes where its former number is its own."""
    before = obj.artfish.number
    for scene in obj.users_scene:
        if _owners(scene, _there(scene)).get(before) == obj:
            for mark in (each for each in scene.artfish.marks if each.number == before):
                mark.number = number
            for marker in (each for each in scene.timeline_markers if each.artfish == before):
                marker.artfish = number
    obj.artfish.number = number


def _free_number() -> int:
    """A number that no event in this file has, and that no scene remembers."""
    marked = (mark.number for scene in bpy.data.scenes for mark in scene.artfish.marks)
    return 1 + max((*marked, *(obj.artfish.number for obj in bpy.data.objects)), default=0)


def _there(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """All objects of a scene with a time that can be changed in this file; only one hook counts."""
    found = [*objects_of(scene, "SHOAL", "DIRECTION", "EVENT"), *objects_of(scene, "HOOK")[:1]]
    return [obj for obj in found if timed(obj) and not (obj.library or obj.override_library)]


def _has_marker(obj: bpy.types.Object, marked: set[int]) -> bool:
    """True if an object should have a marker; an existing one stays at the first frame, too, to be dragged away."""
    role = obj.artfish
    later = role.kind not in FROM_THE_FIRST or getattr(*timed(obj)) > 0.0
    return role.on_timeline and (later or role.number in marked)


def _markers(scene: bpy.types.Scene) -> dict[int, bpy.types.TimelineMarker]:
    """The markers of events by number; the copy that did not move counts, others are the animator's own."""
    agreed = {mark.number: mark.frame for mark in scene.artfish.marks}
    found: dict[int, bpy.types.TimelineMarker] = {}
    ours = [marker for marker in scene.timeline_markers if marker.artfish]
    for marker in sorted(ours, key=lambda marker: marker.frame != agreed.get(marker.artfish)):
        if marker.artfish in agreed and marker.artfish not in found:
            found[marker.artfish] = marker
        else:
            marker.artfish = 0
    return found


def _stand(mark: Any, marker: bpy.types.TimelineMarker, obj: bpy.types.Object, time: Clock) -> None:
    """Move and rename a marker to its event's frame and name, where they have changed."""
    seconds, name = getattr(*timed(obj)), _name(obj)
    frame = round(time.frame(seconds))
    if marker.frame != frame:
        marker.frame = frame
    if (mark.frame, mark.seconds) != (frame, seconds):
        mark.frame, mark.seconds = frame, seconds
    if mark.name != name:
        mark.name = marker.name = name


def _name(obj: bpy.types.Object) -> str:
    """Text of a marker: "Hook drops"."""
    role = obj.artfish
    due = role.kind == "DIRECTION" and role.direction.kind == "arrival"
    return f"{obj.name} {EVENT_VERBS['arrival' if due else role.event if role.kind == 'EVENT' else role.kind]}"


def _take_away(scene: bpy.types.Scene, marker: bpy.types.TimelineMarker) -> None:
    """Remove a marker, unless an animator has bound a camera to it."""
    if marker.camera is None:
        scene.timeline_markers.remove(marker)
    else:
        marker.artfish = 0


def _tick() -> float | None:
    """Checks whether markers were moved, while any scene shows events."""
    global _changed
    concerned = [scene for scene in bpy.data.scenes if _concerned(scene)]
    if not concerned:
        _seen.clear()
        return None
    if _is_dragging():
        return LOOK
    for scene in concerned:
        if _changed or _seen.get(scene.session_uid) != _look(scene):
            follow(scene)
            _seen[scene.session_uid] = _look(scene)
    _changed = False
    return LOOK


def _look(scene: bpy.types.Scene) -> tuple[Any, ...]:
    """Frames of the markers, frame rate and first frame of the film, changes of which Blender does not report."""
    time = clock(scene)
    return time.fps, time.first, *((marker.artfish, marker.frame) for marker in scene.timeline_markers)


def _is_dragging() -> bool:
    """True while markers are being dragged, or read by a render."""
    windows = bpy.context.window_manager.windows
    working = [each for window in windows for each in window.modal_operators if each is not None]
    return any(each.bl_idname.startswith(MOVERS) for each in working) or app.is_job_running("RENDER")


@hears(HandlerTurn.TIMELINE, "depsgraph_update_post", "load_post")
def _on_change(*_: Any) -> None:
    """After any change in the file: delayed in a window, where an operator may not have finished."""
    global _changed
    if bpy.app.background:
        _follow_all()
    elif any(_concerned(scene) for scene in bpy.data.scenes):
        _changed = True
        _wake()


@hears(HandlerTurn.TIMELINE, "frame_change_pre")
def _on_frame(*_: Any) -> None:
    """Before a frame without a timer: live play sees markers that a script has moved."""
    if bpy.app.background:
        _follow_all()


@hears(HandlerTurn.TIMELINE, "undo_post", "redo_post")
def _on_undo(*_: Any) -> None:
    """After undo and redo: restore the times that a scene remembers with its markers.

    Blender puts back only what differs between two of its steps. The step of a drag was made before the event followed,
    so that the marker is put back and the event is not.
    """
    scenes = [scene for scene in bpy.data.scenes if _concerned(scene)]
    remembered = [pair for scene in scenes for pair in _remembered(scene)]
    with _alone():
        for obj, seconds in remembered:
            setattr(*timed(obj), seconds)
            obj.artfish.on_timeline = True
    _follow_all()


def _remembered(scene: bpy.types.Scene) -> list[tuple[bpy.types.Object, float]]:
    """Events that differ from what a scene with their markers remembers, and the remembered times."""
    owners = _owners(scene, _there(scene))
    there = {marker.artfish for marker in scene.timeline_markers} & owners.keys()
    pairs = [(owners[mark.number], mark.seconds) for mark in scene.artfish.marks if mark.number in there]
    return [(obj, at) for obj, at in pairs if getattr(*timed(obj)) != at or not obj.artfish.on_timeline]


@hears(HandlerTurn.TIMELINE, "save_pre", NUMBER_CHANGED)
def _follow_all(*_: Any) -> None:
    """After a number was changed in a panel, and before saving."""
    for scene in bpy.data.scenes:
        follow(scene)


def _wake() -> None:
    if not bpy.app.background and not bpy.app.timers.is_registered(_tick):
        bpy.app.timers.register(_tick, first_interval=0.0, persistent=True)


CLASSES = ()


def register() -> None:
    """Gives markers an owner's number, and follows them."""
    bpy.types.TimelineMarker.artfish = bpy.props.IntProperty(name="Event", options={"HIDDEN"})  # type: ignore
    _wake()


def unregister() -> None:
    """Stops following markers, which stay in the file and are recognized when the add-on is back."""
    if bpy.app.timers.is_registered(_tick):
        bpy.app.timers.unregister(_tick)
    _seen.clear()
    del bpy.types.TimelineMarker.artfish
