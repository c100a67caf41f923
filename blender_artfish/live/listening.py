"""What live play does when Blender changes frames, objects or files, or a number in a panel is changed.

Before each frame that frame is shown, and simulated where it is the next.
"""

from __future__ import annotations

from typing import Any

import bpy

from ..blender.handlers import NUMBER_CHANGED, Stage, hears
from ..identity import provenance
from ..identity.references import MARK, is_ours
from ..identity.roles import makes_instances
from ..scene import remarks
from ..scene.animated import needs_sampling
from . import pace, timer
from .runtime import live_play, session_of
from .session import Session
from .states import FilmState


@hears(Stage.PLAY, "frame_change_pre")
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


@hears(Stage.PLAY, "frame_change_post")
def _on_framed(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """After every frame: what was moved while it plays is evaluated with the frame, where that is slow, and only there.

    What moves with time by itself is no change.
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
    """Whether something that counts was moved by hand, not by what moves it with time."""
    moved = update.id
    if not isinstance(moved, bpy.types.Object) or moved.artfish.kind == "NONE" or not update.is_updated_transform:
        return False
    return not (moved.animation_data or moved.parent or moved.constraints or needs_sampling(moved))


@hears(Stage.PLAY, "animation_playback_post")
def _on_stop(*_: Any) -> None:
    """After the animation has stopped: the objects of all fishes take their places."""
    if live_play().sessions:
        timer.wake()


@hears(Stage.PLAY, "depsgraph_update_post")
def _on_update(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """After objects were changed: where one of them stands in the water, the scene is read again."""
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
    """Whether there may be instances of obstacles that are otherwise now: it makes or is one, or may at rest."""
    return remarks.concerns(obj) or not pace.playing() and not is_ours(obj) and makes_instances(obj)


@hears(Stage.PLAY, NUMBER_CHANGED)
def _on_change(context: bpy.types.Context, group: bpy.types.PropertyGroup) -> None:
    """After a number was changed in a panel."""
    for session in live_play().sessions.values():
        _change(session)


@hears(Stage.PLAY, "undo_post", "redo_post")
def _on_undo(*_: Any) -> None:
    for session in live_play().sessions.values():
        session.objects_track.take("lose")
        _change(session)


@hears(Stage.PLAY, "load_pre")
def _on_load(*_: Any) -> None:
    timer.forget()


@hears(Stage.PLAY, "save_pre")
def _on_save(*_: Any) -> None:
    """A file is saved as the animator had it; its live fishes are known by their names when it is opened."""
    timer.lock_all(False)
    homes = [each for each in bpy.data.collections if each.get(MARK) and provenance.is_original(each)]
    provenance.sign([*(obj for obj in bpy.data.objects if is_ours(obj) and obj.library is None), *homes])


@hears(Stage.PLAY, "save_post", "save_post_fail")
def _on_saved(*_: Any) -> None:
    timer.lock_all(True)


def _change(session: Session) -> None:
    """Has the scene of a session read again, by and by."""
    session.change()
    timer.wake()


CLASSES = ()
