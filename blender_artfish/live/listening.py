"""Live play's responses to changes of frames, objects and files in Blender, and of numbers in panels.

Before each frame change the new frame is shown, and simulated if it is the next.
"""

from __future__ import annotations

from typing import Any

import bpy

from ..blender.handlers import NUMBER_CHANGED, HandlerTurn, hears
from ..identity import provenance
from ..identity.references import MARK, is_ours
from ..identity.roles import makes_instances
from ..scene import remarks
from ..scene.animated import needs_sampling
from . import pace, timer
from .runtime import live_play, session_of
from .session import Session
from .states import FilmState


@hears(HandlerTurn.PLAY, "frame_change_pre")
def _on_frame(scene: bpy.types.Scene, *_: Any) -> None:
    """Before every frame."""
    session = session_of(scene)
    if session is None:
        if timer.plays_by_itself(scene):
            live_play().waiting.add(scene.session_uid)
            timer.wake()
        return
    if (session.lost or session.dirty) and bpy.app.background:
        now = pace.circumstances()
        now.within_frame = True
        try:
            timer.settle(scene, session)
        finally:
            now.within_frame = False
    if not session.lost and session_of(scene) is session:
        timer.go(scene, session)


@hears(HandlerTurn.PLAY, "frame_change_post")
def _on_framed(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """After every frame: objects moved by hand during playback are read, since slow ones are evaluated with the frame.

    Motion with time is no change.
    """
    session = session_of(scene)
    if session is None:
        return
    if not session.dirty and any(_was_moved(update) for update in depsgraph.updates):
        _change(session)
    if session.film_track.is_in(FilmState.PLAYING):
        if session.shown == session.filled.frames - 1:
            session.surroundings.look(scene, depsgraph, session.filled, session.origin)
        if pace.hurried(scene):
            session.look_ahead()  # while Blender draws this one


def _was_moved(update: bpy.types.DepsgraphUpdate) -> bool:
    """True if a relevant object was moved by hand, not by animation."""
    moved = update.id
    if not isinstance(moved, bpy.types.Object) or moved.artfish.kind == "NONE" or not update.is_updated_transform:
        return False
    return not (moved.animation_data or moved.parent or moved.constraints or needs_sampling(moved))


@hears(HandlerTurn.PLAY, "animation_playback_post")
def _on_stop(*_: Any) -> None:
    """After the animation has stopped: the objects of all fishes are moved to their places."""
    if live_play().sessions:
        timer.wake()


@hears(HandlerTurn.PLAY, "depsgraph_update_post")
def _on_update(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """After objects were changed: if one of them stands in the water, the scene is read again."""
    session = session_of(scene)
    if session is None:
        return
    if session.is_behind(scene):
        timer.wake()
    if session.dirty:
        return
    for update in depsgraph.updates:
        changed = update.id
        if isinstance(changed, bpy.types.Object):
            led = changed.artfish.kind == "DIRECTION" and changed.animation_data is not None  # it moves by its keys
            idle = changed.artfish.kind == "NONE" and not _may_be_instanced(changed)
            if idle or led or not (update.is_updated_transform or update.is_updated_geometry):
                continue
        elif not isinstance(changed, bpy.types.Scene | bpy.types.Collection | bpy.types.Action):
            continue
        _change(session)
        return


def _may_be_instanced(obj: bpy.types.Object) -> bool:
    """True if instances of obstacles may have changed: it makes or is one, or may while nothing plays."""
    return remarks.concerns(obj) or not pace.playing() and not is_ours(obj) and makes_instances(obj)


@hears(HandlerTurn.PLAY, NUMBER_CHANGED)
def _on_change(context: bpy.types.Context, group: bpy.types.PropertyGroup) -> None:
    """After a number was changed in a panel."""
    for session in live_play().sessions.values():
        _change(session)


@hears(HandlerTurn.PLAY, "undo_post", "redo_post")
def _on_undo(*_: Any) -> None:
    for session in live_play().sessions.values():
        session.objects_track.take("lose")
        _change(session)


@hears(HandlerTurn.PLAY, "load_pre")
def _on_load(*_: Any) -> None:
    timer.forget()


@hears(HandlerTurn.PLAY, "save_pre")
def _on_save(*_: Any) -> None:
    """Before saving: the file is saved with the animator's settings, and live fishes are later recognized by name."""
    timer.lock_all(False)
    homes = [each for each in bpy.data.collections if each.get(MARK) and provenance.is_original(each)]
    provenance.sign([*(obj for obj in bpy.data.objects if is_ours(obj) and obj.library is None), *homes])


@hears(HandlerTurn.PLAY, "save_post", "save_post_fail")
def _on_saved(*_: Any) -> None:
    timer.lock_all(True)


def _change(session: Session) -> None:
    """Has a session's scene read again after a delay."""
    session.change()
    timer.wake()


CLASSES = ()
