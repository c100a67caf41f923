"""Beginning, continuation and end of live play, in steps.

Work that takes longer than a frame allows is left to the timer. What needs Blender at rest (to read the scene, to
begin, to find objects after undo) waits for it too.
"""

from __future__ import annotations

from time import perf_counter

import bpy

from ..blender import status_bar
from ..identity.references import Heirs
from . import pace
from .reading import has_shoals, is_baked
from .runtime import live_play, numbers_of_others, session_of, sessions
from .session import Session
from .states import FilmState
from .texts import given_up_text, off_text, status_text


def begin(scene: bpy.types.Scene) -> Session:
    """Begins live play in a scene, or restarts it, and shows the frame of the playhead.

    Raises:
        SceneError: The scene is not as it must be; the message names the object.
        ValueError: There are no fishes.
    """
    session = session_of(scene) or Session(scene, numbers_of_others)
    session.begin(scene)
    if session_of(scene) is None:
        live_play().sessions[scene.session_uid] = session
        session.note(scene)
    session.lock(scene, True)
    go(scene, session)
    return session


def end(scene: bpy.types.Scene, heirs: Heirs | None = None) -> None:
    """Ends live play in a scene, and removes its fishes.

    Args:
        scene: The scene in which they play, or stand still as saved.
        heirs: Their replacements; without any, their stand-ins are removed, too.
    """
    from .replacement import remove

    session = live_play().drop(scene.session_uid)
    if session is not None:
        session.lock(scene, False)
    remove(scene, numbers_of_others(scene), heirs or {}, wait=session is not None or heirs is not None)
    if session is not None:
        say(None)


def go(scene: bpy.types.Scene, session: Session) -> None:
    """Shows the frame of the playhead, at once or by the timer."""
    if session.reading and pace.unhurried():
        take_up(scene, session, float("inf"))
    if not session.go(scene, float("inf") if pace.unhurried() else pace.FRAME_SECONDS) or session.reading:
        wake()


def take_up(scene: bpy.types.Scene, session: Session, seconds: float = 0.0) -> None:
    """Goes on with a scene that was read, if it is ready within so many seconds; gives up on errors."""
    session.take_up(scene, seconds)
    if session.film_track.is_in(FilmState.FAILED):
        assert session.failure is not None
        _give_up(scene, session.failure)


def session_at_hand(scene: bpy.types.Scene) -> Session | None:
    """The session of a scene for those who act on it: after undo its objects are found again first."""
    session = session_of(scene)
    if session is None or not session.lost:
        return session
    if not session.log.knows(scene):  # undo has reverted its beginning
        pace.stop(scene)
        end(scene)
        return None
    session.find_again(scene)
    return session


def settle(scene: bpy.types.Scene, session: Session) -> None:
    """Finds objects after undo, and takes up changes once no dragging is under way."""
    if session_at_hand(scene) is not session:
        return
    patience = pace.PLAYING_SETTLED_SECONDS if pace.playing() else pace.SETTLED_SECONDS
    settled = pace.unhurried() or perf_counter() - session.changed > patience
    if session.dirty and settled and not session.reading:
        session.refresh(scene)
        _redraw()


def lock_all(on: bool) -> None:
    """Has renders lock the interface in all scenes with live play, or restores the animator's setting."""
    for scene, session in sessions():
        session.lock(scene, on)


def forget() -> None:
    """Drops all sessions for another file, whose own saved live fishes stay until it plays."""
    live_play().clear()
    say(None)


def plays_by_itself(scene: bpy.types.Scene) -> bool:
    """True if somebody plays the animation of a scene that has fishes, and waits for them."""
    waits = scene.artfish_live.on and not pace.unhurried() and pace.plays(scene)
    if not waits or scene.session_uid in live_play().waiting:
        return False
    return has_shoals(scene) and not is_baked(scene)


def wake() -> None:
    """Starts the timer if there is a window."""
    if not bpy.app.background and not bpy.app.timers.is_registered(tick):
        bpy.app.timers.register(tick, first_interval=pace.REST_SECONDS)


def tick() -> float | None:
    """Does waiting work in steps.

    Returns:
        Seconds until the next call; None if nothing is waiting.
    """
    scenes = {scene.session_uid: scene for scene in bpy.data.scenes}
    play = live_play()
    if pace.circumstances().rendering:
        return pace.REST_SECONDS * 10
    begun, busy = True, False
    for uid in tuple(play.waiting):
        play.waiting.discard(uid)
        if uid in scenes and uid not in play.sessions:
            begun &= _begin_by_itself(scenes[uid])
    for uid, session in tuple(play.sessions.items()):
        if uid not in scenes:
            play.drop(uid)
            continue
        settle(scenes[uid], session)
        if uid not in play.sessions:
            continue
        _look(scenes[uid], session)
        if session.busy:
            _go_on(scenes[uid], session)
        busy |= session.busy or session.dirty
    if begun and not any(session.busy for session in play.sessions.values()):
        say(None)
    return pace.REST_SECONDS if busy else None


def _go_on(scene: bpy.types.Scene, session: Session) -> None:
    """Simulates on to the frame of the playhead, with occasional progress."""
    late = perf_counter() - session.reported > pace.REPORT_SECONDS
    if session.reading:
        take_up(scene, session)
    if session.goal is not None:  # making objects takes as long as simulating
        seconds = 0.0 if session.refitting else pace.TICK_SECONDS
        session.go(scene, seconds, show=late or session.refitting)
    if late and session.busy:
        say(status_text(session.status()))
        session.reported = perf_counter()


def _look(scene: bpy.types.Scene, session: Session) -> None:
    """Picks the fish that was clicked on, and updates the display of selected and hidden fishes."""
    if session.puppets is None or not session.is_behind(scene):
        return
    for window in bpy.context.window_manager.windows:
        if window.scene == scene and session.picks.due(window.view_layer, session.puppets):
            with bpy.context.temp_override(window=window):
                bpy.ops.artfish.pick_fish("INVOKE_DEFAULT")
    if session.puppets.is_behind(pace.hurried(scene)):
        session.show(scene, session.shown)


def _begin_by_itself(scene: bpy.types.Scene) -> bool:
    """Begins live play when the animation was started and there are fishes; returns whether it could."""
    try:
        begin(scene)
    except ValueError as error:
        scene.artfish_live.on = False
        say(off_text(error))
        return False
    for window in bpy.context.window_manager.windows[:1]:
        with bpy.context.temp_override(window=window):
            bpy.ops.ed.undo_push(message="Play Live")  # so that undoing the next step does not revert this, too
    return True


def _give_up(scene: bpy.types.Scene, why: ValueError) -> None:
    """Ends live play that has failed: reports why, and stops the animation, which has nothing to show."""
    end(scene)
    scene.artfish_live.on = False  # so that the next playback goes without
    pace.stop(scene)
    status_bar.tell(given_up_text(why))


def say(text: str | None) -> None:
    """Shows a text in the status bar; None restores the usual one."""
    if status_bar.say(__name__, text):
        _redraw()


def _redraw() -> None:
    manager = bpy.context.window_manager
    for window in manager.windows if manager else ():
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


CLASSES = ()


def unregister() -> None:
    """Ends all sessions; data in the file stays."""
    lock_all(False)
    if bpy.app.timers.is_registered(tick):
        bpy.app.timers.unregister(tick)
    forget()
