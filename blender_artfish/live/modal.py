"""What operators on fishes that play live have in common, and those that somebody sits at the helm of until Esc."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import bpy

from ..blender import runtime
from ..blender.messages import plain
from . import pace, timer
from .runtime import session_of
from .session import Session
from .viewport import draw_hud

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

LOOKS_A_SECOND = 24.0
"""How often somebody at a helm looks at what has become of it."""


class Modal:
    """Operators that wait for mouse or keys.

    Blender forgets them, but not what they put up, when it forgets their class.
    """

    def __init__(self) -> None:
        """Nobody waits."""
        self.operators: list[Any] = []


class LiveOperator(bpy.types.Operator):
    """What operators on fishes that play live have in common."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs live play."""
        cls.poll_message_set("Press Play first: no fishes play live in this scene")
        return session_of(context.scene) is not None

    def act(self, context: bpy.types.Context, do: Any, final: bool = True) -> Any:
        """Does something to the world; None, and a report, where it refuses."""
        session = timer.session_at_hand(context.scene)
        if session is None:  # it ended while this operator waited for the mouse, or undo took it back
            self.report({"WARNING"}, "Live play has ended")
            return None
        try:
            answer = session.do(context.scene, do, final)
        except ValueError as error:
            self.report({"WARNING"}, plain(error))
            return None
        session.show(context.scene, session.here(context.scene))
        return answer


class HelmOperator(LiveOperator):
    """Operators with which somebody steers what plays live: by what `hear` hears, until Esc, when they `leave`.

    Attributes:
        space: Of the 3D View in which it is done.
        begun: What played live when it began.
    """

    def take_helm(self, context: bpy.types.Context, title: str, lines: Callable[[], Sequence[str]]) -> set[Result]:
        """Begins, with a title and lines in the viewport, and has the animation play."""
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
        """Looks and listens."""
        session = session_of(context.scene)
        if session is None or session is not self.begun:
            self.cancel(context)
            self.report({"INFO"}, "Live play has ended")
            return {"CANCELLED"}
        if event.type == "ESC":
            return self.leave(context, session)
        if event.type == "TIMER":
            return self.look(context, session)
        return {"RUNNING_MODAL"} if self.hear(context, event) else {"PASS_THROUGH"}

    def hear(self, context: bpy.types.Context, event: bpy.types.Event) -> bool:
        """Steers by an event; whether it was for this alone."""
        raise NotImplementedError

    def look(self, context: bpy.types.Context, session: Session) -> set[Result]:
        """Goes along with what is steered."""
        raise NotImplementedError

    def leave(self, context: bpy.types.Context, session: Session) -> set[Result]:
        """Ends it, at Esc."""
        raise NotImplementedError

    def cancel(self, context: bpy.types.Context) -> None:
        """Takes away timer and text."""
        if self in runtime.of(Modal).operators:
            runtime.of(Modal).operators.remove(self)
            context.window_manager.event_timer_remove(self.timer)
            bpy.types.SpaceView3D.draw_handler_remove(self.hud, "WINDOW")

    def is_in_view(self, context: bpy.types.Context) -> bool:
        """Whether this is done in a 3D View, with a report where it is not."""
        if context.area is not None and context.area.type == "VIEW_3D":
            return True
        self.report({"WARNING"}, "Do this in a 3D View")
        return False
