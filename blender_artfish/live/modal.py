"""Bases of the operators on live fishes, and of those that steer from the helm until Esc."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import bpy

from ..blender import runtime
from ..blender.messages import plain
from ..blender.words import Message, translated
from . import pace, timer
from .runtime import session_of
from .session import Session
from .viewport import draw_hud

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

LOOKS_A_SECOND = 24.0
"""Rate at which the view follows what is steered."""


class Modal:
    """Running operators that wait for mouse or keys.

    When their class is unregistered, Blender drops them, but not their timers and handlers.
    """

    def __init__(self) -> None:
        """Start with no operators."""
        self.operators: list[Any] = []


class LiveOperator(bpy.types.Operator):
    """Base of the operators on live fishes."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs live play."""
        cls.poll_message_set(translated("Press Play first: no fishes play live in this scene"))
        return session_of(context.scene) is not None

    def act(self, context: bpy.types.Context, do: Any, final: bool = True) -> Any:
        """Acts on the world; returns None, with a report, if it refuses."""
        session = timer.session_at_hand(context.scene)
        if session is None:  # it ended while this operator waited for the mouse, or undo took it back
            self.report({"WARNING"}, translated("Live play has ended"))
            return None
        try:
            answer = session.do(context.scene, do, final)
        except ValueError as error:
            self.report({"WARNING"}, plain(error))
            return None
        session.show(context.scene, session.here(context.scene))
        return answer


class HelmOperator(LiveOperator):
    """Base of the operators that steer something live: by the events that `hear` takes, until Esc, when they `leave`.

    Attributes:
        space: The 3D View it runs in.
        begun: The session at its beginning.
    """

    def take_helm(self, context: bpy.types.Context, title: Message, lines: Callable[[], Sequence[str]]) -> set[Result]:
        """Begins, with a title and lines in the viewport, and plays the animation."""
        self.space, self.begun = context.space_data, session_of(context.scene)
        self.hud = bpy.types.SpaceView3D.draw_handler_add(
            draw_hud, (title, lines, context.area), "WINDOW", "POST_PIXEL"
        )
        runtime.of(Modal).operators.append(self)
        self.timer = context.window_manager.event_timer_add(1.0 / LOOKS_A_SECOND, window=context.window)
        context.window_manager.modal_handler_add(self)
        if not pace.plays(context.scene):
            pace.start(context.scene)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Follows and listens."""
        session = session_of(context.scene)
        if session is None or session is not self.begun:
            self.cancel(context)
            self.report({"INFO"}, translated("Live play has ended"))
            return {"CANCELLED"}
        if event.type == "ESC":
            return self.leave(context, session)
        if event.type == "TIMER":
            return self.look(context, session)
        return {"RUNNING_MODAL"} if self.hear(context, event) else {"PASS_THROUGH"}

    def hear(self, context: bpy.types.Context, event: bpy.types.Event) -> bool:
        """Steers by an event; returns whether it consumed the event."""
        raise NotImplementedError

    def look(self, context: bpy.types.Context, session: Session) -> set[Result]:
        """Moves the view along with what is steered."""
        raise NotImplementedError

    def leave(self, context: bpy.types.Context, session: Session) -> set[Result]:
        """Ends it, at Esc."""
        raise NotImplementedError

    def cancel(self, context: bpy.types.Context) -> None:
        """Removes timer and text."""
        if self in runtime.of(Modal).operators:
            runtime.of(Modal).operators.remove(self)
            context.window_manager.event_timer_remove(self.timer)
            bpy.types.SpaceView3D.draw_handler_remove(self.hud, "WINDOW")

    def is_in_view(self, context: bpy.types.Context) -> bool:
        """True in a 3D View; reports it if not."""
        if context.area is not None and context.area.type == "VIEW_3D":
            return True
        self.report({"WARNING"}, translated("Do this in a 3D View"))
        return False
