"""Live play by scenes: the sessions, and the scenes that wait for one."""

from __future__ import annotations

import bpy

from ..blender import runtime
from ..identity import provenance
from ..identity.references import is_ours
from .session import Session


class LivePlay:
    """The live play in this file.

    Attributes:
        sessions: Sessions by their scenes' `session_uid`.
        waiting: Numbers of scenes whose animation was started, and that will begin to play.
    """

    def __init__(self) -> None:
        """Start with no sessions."""
        self.sessions: dict[int, Session] = {}
        self.waiting: set[int] = set()

    def drop(self, uid: int) -> Session | None:
        """Ends the session of a scene, if there is one."""
        session = self.sessions.pop(uid, None)
        if session is not None:
            session.film_track.take("end")
        return session

    def clear(self) -> None:
        """Ends all sessions."""
        for uid in tuple(self.sessions):
            self.drop(uid)
        self.waiting.clear()


def live_play() -> LivePlay:
    """The live play of this file."""
    return runtime.of(LivePlay)


def session_of(scene: bpy.types.Scene) -> Session | None:
    """The session of a scene, if any."""
    return live_play().sessions.get(scene.session_uid)


def sessions() -> list[tuple[bpy.types.Scene, Session]]:
    """All scenes in which fishes play live."""
    found = [(scene, session_of(scene)) for scene in bpy.data.scenes]
    return [(scene, session) for scene, session in found if session is not None]


def numbers_of_others(scene: bpy.types.Scene) -> set[int]:
    """Session numbers of live objects in other scenes; a copied scene shows the same objects."""
    others = [session.puppets for uid, session in live_play().sessions.items() if uid != scene.session_uid]
    return {number for puppets in others if puppets is not None for number in puppets.numbers}


def row_of(context: bpy.types.Context) -> int | None:
    """Row of the active fish, if it is live."""
    obj = context.view_layer.objects.active if context.view_layer else None
    session = session_of(context.scene)
    if obj is None or session is None or not is_ours(obj):
        return None
    row = provenance.row_of(obj)
    return row if 0 <= row < len(session.fishes) else None
