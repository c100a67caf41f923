"""Operators of live play: play, restart, feed, frighten, and steer a fish."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Vector

from ..blender import runtime
from ..blender.messages import plain
from ..blender.words import Message, counted, translated
from ..direction.doubts import doubts
from ..identity.film_time import film
from ..identity.references import is_ours
from ..identity.roles import LINKED, is_linked
from ..identity.units import metres
from . import pace, timer
from .modal import HelmOperator, LiveOperator, Modal
from .reading import has_shoals, is_baked
from .runtime import row_of, session_of
from .session import Session
from .viewport import KEY_LINES, STEERING_KEYS, fish_under, helm_by_keys, helm_of, place_under, region_under

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


class ARTFISH_OT_live_play(bpy.types.Operator):
    """Let the fishes swim, or pause them; nothing is baked. The space bar does the same"""

    bl_idname = "artfish.live_play"
    bl_label = "Play"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs fishes."""
        cls.poll_message_set(translated(LINKED if is_linked(context.scene) else "Add fishes first"))
        return context.scene is not None and has_shoals(context.scene)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Begins live play, and starts or stops the animation; without a window it follows `frame_set`."""
        scene, session = context.scene, timer.session_at_hand(context.scene)
        if session is not None and session.is_stripped(scene):
            session.replace(scene)
        if session is None:
            try:
                timer.begin(scene)
            except ValueError as error:
                self.report({"ERROR"}, plain(error))
                return {"CANCELLED"}
            scene.artfish_live.on = True
            for text in doubts(scene):
                self.report({"WARNING"}, text)
            if is_baked(scene):
                self.report({"INFO"}, translated("Baked fishes are shown too: revert the bake, or hide them"))
        if not bpy.app.background and context.screen is not None:
            self.start(scene)
        return {"FINISHED"}

    def start(self, scene: bpy.types.Scene) -> None:
        """Starts or stops the animation, and reports another scene's that had to stop for it."""
        other = pace.start(scene)
        if other is not None:
            self.report(
                {"INFO"}, translated("{other} stands still now: Blender plays one scene at a time", other=other.name)
            )


class ARTFISH_OT_live_restart(LiveOperator):
    """Begin live play anew from the first frame; what was simulated and done is forgotten"""

    bl_idname = "artfish.live_restart"
    bl_label = "Begin Anew"
    bl_options = {"REGISTER"}

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Goes back to the first frame, with the present scene."""
        try:
            timer.session_at_hand(context.scene)
            context.scene.frame_set(film(context.scene)[0])
            timer.begin(context.scene)
        except ValueError as error:
            self.report({"ERROR"}, plain(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class ARTFISH_OT_live_end(bpy.types.Operator):
    """End live play and take its fishes away; they come back with Play"""

    bl_idname = "artfish.live_end"
    bl_label = "End Live Play"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs live play, or its fishes as saved in a file."""
        cls.poll_message_set(translated("No fishes play live in this scene"))
        return session_of(context.scene) is not None or any(map(is_ours, context.scene.objects))

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Stops the animation, and removes live play's objects."""
        pace.stop(context.scene)
        timer.end(context.scene)
        return {"FINISHED"}


class PointingOperator(LiveOperator):
    """Base of the operators that act where one clicks in the viewport, until Esc; the direct form takes a place.

    Attributes:
        at: Acts at a place of the scene, given the context; returns whether it succeeded.
    """

    hint: Message = ""
    at: Callable[[bpy.types.Context, Vector], bool]

    location: bpy.props.FloatVectorProperty(
        name="Place", description="Where, in the scene", size=3, subtype="TRANSLATION", unit="LENGTH"
    )

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """The direct form."""
        return {"FINISHED"} if self.at(context, Vector(self.location)) else {"CANCELLED"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Waits for clicks."""
        if context.area is None or context.area.type != "VIEW_3D":
            self.report({"WARNING"}, translated("Do this in a 3D View"))
            return {"CANCELLED"}
        self.done = 0
        context.window.cursor_modal_set("CROSSHAIR")
        context.area.header_text_set(translated("{hint}   Esc or right click: end", hint=translated(self.hint)))
        self.area = context.area
        runtime.of(Modal).operators.append(self)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """A click acts where the mouse is; navigation and playback continue."""
        if event.type in {"ESC", "RIGHTMOUSE"} or session_of(context.scene) is None:
            self.cancel(context)
            return {"FINISHED"} if self.done else {"CANCELLED"}
        if event.type != "LEFTMOUSE":
            return {"PASS_THROUGH"}
        found = region_under(context, event)
        if found is None:
            return {"PASS_THROUGH"}
        if event.value == "PRESS" and timer.session_at_hand(context.scene) is not None:
            place = place_under(context.scene, *found)
            self.location = place
            self.done += bool(self.at(context, place))
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Restores cursor and header."""
        if self not in runtime.of(Modal).operators:
            return
        runtime.of(Modal).operators.remove(self)
        if context.window is not None:
            context.window.cursor_modal_restore()
        with suppress(ReferenceError):  # the area may be gone, and its header with it
            self.area.header_text_set(None)

    def in_water(self, context: bpy.types.Context, place: Vector) -> tuple[float, ...]:
        """A place of the scene, in its units, in the world's coordinates."""
        session = session_of(context.scene)
        place = metres(context.scene) * place
        return tuple(place - session.origin) if session else tuple(place)  # type: ignore[arg-type]


class ARTFISH_OT_feed(PointingOperator):
    """Drop food where you click, at the depth of the fish that is nearest to the mouse"""

    bl_idname = "artfish.feed"
    bl_label = "Feed"
    hint: Message = "Click: drop food"

    count: bpy.props.IntProperty(
        name="Pieces", description="How much; that of the panel if 0", default=0, min=0, max=10_000
    )

    def at(self, context: bpy.types.Context, place: Vector) -> bool:
        """Drops the food."""
        settings = context.scene.artfish_live
        count, spread, at = self.count or settings.count, settings.spread, self.in_water(context, place)
        rows = self.act(context, lambda world: world.feed(at, count, spread))
        if rows is None:
            return False
        self.report(
            {"INFO"},
            counted(count, "A piece of food dropped", "{count} pieces of food dropped"),
        )
        return True


class ARTFISH_OT_frighten(PointingOperator):
    """Startle the fishes around the place where you click"""

    bl_idname = "artfish.frighten"
    bl_label = "Frighten"
    hint: Message = "Click: startle fishes"

    def at(self, context: bpy.types.Context, place: Vector) -> bool:
        """Startles the fishes nearby."""
        settings = context.scene.artfish_live
        radius, at = settings.radius, self.in_water(context, place)
        rows = self.act(context, lambda world: world.frighten(at, radius))
        if rows is None:
            return False
        if len(rows):
            said = counted(
                len(rows), "One fish was near enough to take fright", "{count} fishes were near enough to take fright"
            )
            self.report({"INFO"}, said)
        else:
            self.report({"INFO"}, translated("No fish was near enough to take fright"))
        return True


class ARTFISH_OT_steer(HelmOperator):
    """Become the active fish: steer it with the keyboard, through its own muscles and fins"""

    bl_idname = "artfish.steer"
    bl_label = "Become a Fish"

    row: bpy.props.IntProperty(name="Fish", description="Its row; the active fish if -1", default=-1, min=-1)
    swim: bpy.props.FloatProperty(name="Speed", description="0 glides, 1 is all that it can", min=0.0, max=1.0)
    turn: bpy.props.FloatProperty(name="Turn", description="Left positive", min=-3.1, max=3.1, subtype="ANGLE")
    climb: bpy.props.FloatProperty(name="Climb", description="Up positive", min=-1.2, max=1.2, subtype="ANGLE")
    brake: bpy.props.BoolProperty(name="Brake", description="Whether it brakes with its fins")
    back: bpy.props.FloatProperty(name="Back", description="Speed of a retreat", min=0.0, max=1.0)
    free: bpy.props.BoolProperty(name="Let go", description="Leave it to its own mind again")

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """The direct form: steers the fish, which obeys until it is steered otherwise."""
        from ...core import Helm, SceneError

        row = self._row(context)
        if row is None:
            return {"CANCELLED"}
        try:
            helm = None if self.free else Helm(self.swim, self.turn, self.climb, self.brake, self.back)
        except SceneError as error:
            self.report({"ERROR"}, plain(error))
            return {"CANCELLED"}
        self.act(context, lambda world: world.steer(row, helm))
        return {"FINISHED"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """The modal form."""
        fish = self._row(context)
        if fish is None or not self.is_in_view(context):
            return {"CANCELLED"}
        self.fish, self.down, self.seen = fish, set(), -1
        self.helm: dict[str, Any] | None = None
        session = session_of(context.scene)
        shown = session.fishes[fish] if session else None
        name = shown.root.name if shown else translated("a fish")
        self.take_helm(context, translated("You are {name}", name=name), lambda: KEY_LINES)
        self._obey(context)
        return {"RUNNING_MODAL"}

    def hear(self, context: bpy.types.Context, event: bpy.types.Event) -> bool:
        """Collects the keys that steer."""
        if event.type in STEERING_KEYS:
            (self.down.add if event.value == "PRESS" else self.down.discard)(event.type)
            if event.value in {"PRESS", "RELEASE"}:
                self._obey(context)
            return True
        if event.type == "WINDOW_DEACTIVATE":
            self.down.clear()
            self._obey(context)
        return False

    def leave(self, context: bpy.types.Context, session: Session) -> set[Result]:
        """Lets the fish go."""
        self.act(context, lambda world, row=self.fish: world.steer(row, None))
        self.cancel(context)
        return {"FINISHED"}

    def look(self, context: bpy.types.Context, session: Session) -> set[Result]:
        """Moves the view along."""
        if session.shown == self.seen or not context.scene.artfish_live.follow:
            return {"PASS_THROUGH"}
        self.seen = session.shown
        if session.puppets is not None and session.fishes[self.fish] is not None:
            self.space.region_3d.view_location = session.puppets.place_of(self.fish)
        return {"PASS_THROUGH"}

    def _obey(self, context: bpy.types.Context) -> None:
        """Passes the keys' orders to the fish, if they have changed."""
        helm = helm_by_keys(self.down)
        if helm != self.helm:
            self.helm = helm
            self.act(context, lambda world, row=self.fish: world.steer(row, helm_of(helm)), final=False)

    def _row(self, context: bpy.types.Context) -> int | None:
        """Row of the fish to steer."""
        session = timer.session_at_hand(context.scene)
        row = self.row if self.row >= 0 else row_of(context)
        if row is None and session is not None and not self.options.is_repeat:
            row = _nearest(session)
        if session is None or row is None or row >= len(session.fishes) or session.fishes[row] is None:
            self.report({"WARNING"}, translated("Select a fish that plays live"))
            return None
        return row


class ARTFISH_OT_pick_fish(bpy.types.Operator):
    """Select the fish under the mouse, in the place of the mesh that draws it"""

    bl_idname = "artfish.pick_fish"
    bl_label = "Select a Live Fish"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs fishes on show."""
        cls.poll_message_set(translated("Press Play first: no fishes play live in this scene"))
        session = session_of(context.scene)
        return session is not None and session.puppets is not None and not session.lost

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Picks the fish under the mouse."""
        session, found = session_of(context.scene), region_under(context, event)
        assert session is not None and session.puppets is not None
        drawn = context.view_layer.objects.active
        row = None if found is None or drawn is None else fish_under(session, drawn, *found)
        if row is None:
            return {"CANCELLED"}
        session.picks.pick(context.scene, context.view_layer, session.puppets, row)
        return {"FINISHED"}


def _nearest(session: Session) -> int | None:
    """The first fish that is alive."""
    if not session.rehearsal.frames or session.shown < 0:
        return None
    alive = session.filled[session.shown]["alive"]
    return next((row for row, fish in enumerate(session.fishes) if fish is not None and alive[row]), None)


CLASSES = (
    ARTFISH_OT_live_play,
    ARTFISH_OT_live_restart,
    ARTFISH_OT_live_end,
    ARTFISH_OT_feed,
    ARTFISH_OT_frighten,
    ARTFISH_OT_steer,
    ARTFISH_OT_pick_fish,
)


def unregister() -> None:
    """Ends the operators that wait for mouse or keys."""
    for operator in tuple(runtime.of(Modal).operators):
        operator.cancel(bpy.context)
