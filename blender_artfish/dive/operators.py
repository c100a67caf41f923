"""Operators of the dive: pilot a submarine among the fishes of live play, by hand or by a list of orders."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Euler, Matrix, Vector

from ..blender.messages import plain
from ..blender.words import translated
from ..identity.units import metres
from ..live import pace, timer
from ..live.modal import HelmOperator
from ..live.runtime import session_of
from ..live.session import Session
from .rides import keep_ride
from .steering import HELM_KEYS, HELP_LINES, STOP_KEYS, WHEELS, Pilot

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

DRAG_SHARE = 0.25
"""Mouse drag that puts rudder or planes hard over, as a share of the viewport's width."""
LONGEST_DIVE_FRAMES = 100_000


class ARTFISH_OT_dive(HelmOperator):
    """Dive: pilot a submarine among the fishes, by mouse, keyboard or 3D mouse; its ride is kept as a keyed camera"""

    bl_idname = "artfish.dive"
    bl_label = "Dive"

    orders: bpy.props.StringProperty(
        name="Orders",
        description='A list of orders as JSON, such as [{"time": 0, "order": "accelerate"}], in seconds from here on',
        options={"SKIP_SAVE"},
    )
    file: bpy.props.StringProperty(
        name="Ride", description="A preset ride or a file of one, in place of orders", options={"SKIP_SAVE"}
    )
    frames: bpy.props.IntProperty(
        name="Frames",
        description="How many frames to dive for; up to the last frame of the film if 0",
        min=0,
        max=LONGEST_DIVE_FRAMES,
        options={"SKIP_SAVE"},
    )
    location: bpy.props.FloatVectorProperty(
        name="Place",
        description="Where it begins, in the scene",
        size=3,
        subtype="TRANSLATION",
        unit="LENGTH",
        options={"SKIP_SAVE"},
    )
    heading: bpy.props.FloatProperty(
        name="Heading",
        description="In which it begins, from the X axis to the left",
        subtype="ANGLE",
        options={"SKIP_SAVE"},
    )

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """The direct form: dives by a list of orders from the current frame on, and keeps the ride."""
        from .logbook import Logbook

        scene, session = context.scene, timer.session_at_hand(context.scene)
        if session is None:
            self.report({"WARNING"}, translated("Live play has ended"))
            return {"CANCELLED"}
        self.book: Any = None
        try:
            ride = self._ride(context, session)
            book = self.book = Logbook(scene, session, ride)
            last = book.begin + self.frames if self.frames else session.frame_of(scene.frame_end)
            if not session.filled.advance(last):
                self.report({"WARNING"}, translated("Memory for frames is used up: the dive ends before"))
            scene.frame_set(session.first + min(last, session.rehearsal.frames - 1))
            camera = book.close(scene, session)
        except ValueError as error:
            self.report({"ERROR"}, plain(error))
            if self.book is not None:
                self.book.drop(session)
            return {"CANCELLED"}
        self.report({"INFO"}, translated("{camera} keeps the ride", camera=camera.name))
        return {"FINISHED"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """The modal form: begins at the 3D View's position, or the nearest place in the water."""
        from .logbook import Logbook, berth, readings, ride_from

        if self.orders or self.file:
            return self.execute(context)
        session = timer.session_at_hand(context.scene)
        if session is None or not self.is_in_view(context):
            return {"CANCELLED"}
        settings, view = context.scene.artfish_dive, context.space_data.region_3d
        eye = view.view_matrix.inverted()
        here = metres(context.scene) * eye.translation, eye.to_quaternion() @ Vector((0.0, 0.0, -1.0))
        try:
            ride = ride_from(settings, berth(session, settings.length, *here))
            self.book = Logbook(context.scene, session, ride)
        except ValueError as error:
            self.report({"ERROR"}, plain(error))
            return {"CANCELLED"}
        self.pilot, self.seen = Pilot(), -1
        self.pressed: tuple[int, int] | None = None
        self.before = view.view_matrix.copy(), view.view_perspective, context.space_data.lens
        view.view_perspective, context.space_data.lens = "PERSP", settings.camera.lens
        return self.take_helm(context, "You dive", lambda: (readings(session, self.pilot.said), *HELP_LINES))

    def hear(self, context: bpy.types.Context, event: bpy.types.Event) -> bool:
        """Collects pressed keys and buttons, the mouse drag, and a 3D mouse's motion."""
        pilot, own = self.pilot, True
        if event.type in STOP_KEYS:
            if event.value == "PRESS":
                self._give(context, pilot.full_stop())
            return True
        if event.type in HELM_KEYS:
            (pilot.down.discard if event.value == "RELEASE" else pilot.down.add)(event.type)
        elif event.type in WHEELS:
            pilot.turn_wheel(WHEELS[event.type])
        elif event.type == "LEFTMOUSE" and event.value in {"PRESS", "RELEASE"}:
            self.pressed = (event.mouse_x, event.mouse_y) if event.value == "PRESS" else None
            pilot.drag = 0.0, 0.0
        elif event.type in {"MOUSEMOVE", "INBETWEEN_MOUSEMOVE"} and self.pressed is not None:
            reach = DRAG_SHARE * context.area.width
            pilot.drag = (event.mouse_x - self.pressed[0]) / reach, (event.mouse_y - self.pressed[1]) / reach
        elif event.type == "NDOF_MOTION":
            self._push(event.ndof_motion)
        elif event.type == "WINDOW_DEACTIVATE":
            pilot.let_go()
            own = False
        else:
            return False
        self._give(context, pilot.orders())
        return own

    def look(self, context: bpy.types.Context, session: Session) -> set[Result]:
        """Moves the view along; the dive ends with the film."""
        if session.frame_of(context.scene.frame_current) < max(self.seen, self.book.begin):
            return self.leave(context, session)  # the animation has gone back to its first frame
        if session.shown != self.seen:
            self.seen = session.shown
            self._ride_along(context, session)
        return {"PASS_THROUGH"}

    def leave(self, context: bpy.types.Context, session: Session) -> set[Result]:
        """Stops, and keeps the ride as a camera."""
        scene = context.scene
        if pace.plays(scene):
            pace.start(scene)
        if session.frame_of(scene.frame_current) < self.seen:
            scene.frame_set(session.first + self.seen)
        try:
            camera = self.book.close(scene, session)
        except ValueError as error:
            self.report({"ERROR"}, plain(error))
            self.cancel(context)
            return {"CANCELLED"}
        self.book = None
        self.cancel(context)
        self.report({"INFO"}, translated("{camera} keeps the ride", camera=camera.name))
        return {"FINISHED"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Removes timer and text, and restores the view."""
        super().cancel(context)
        if self.book is not None and self.begun is not None:
            self.book.drop(self.begun)
        matrix, perspective, lens = self.before
        with suppress(ReferenceError):  # the view may be gone
            view = self.space.region_3d
            view.view_matrix, view.view_perspective, self.space.lens = matrix, perspective, lens

    def _ride(self, context: bpy.types.Context, session: Session) -> Any:
        """The ride of the direct form.

        Raises:
            SceneError: The orders or the file are invalid.
        """
        from ...core.base.codec import parse_any
        from ...core.scene.ride import Ride
        from .logbook import berth, ride_from

        if self.file:
            return Ride.load(bpy.path.abspath(self.file))
        settings, at, ahead = context.scene.artfish_dive, None, None
        if self.properties.is_property_set("location"):
            at = metres(context.scene) * Vector(self.location)
        if self.properties.is_property_set("heading"):
            ahead = Euler((0.0, 0.0, self.heading)).to_matrix() @ Vector((1.0, 0.0, 0.0))
        begin = berth(session, settings.length, at, ahead)
        orders = parse_any(self.orders or "[]", "orders")
        for order in orders if isinstance(orders, list) else ():
            if isinstance(order, dict) and isinstance(order.get("time"), int | float):
                order["time"] += begin["start"]
        return ride_from(settings, begin, orders)

    def _give(self, context: bpy.types.Context, orders: list[tuple[str, float]]) -> None:
        """Passes orders to the helm."""
        session = timer.session_at_hand(context.scene)
        if session is None:
            return
        try:
            for order in orders:
                self.book.order(context.scene, session, *order)
        except ValueError as error:
            self.report({"WARNING"}, plain(error))

    def _push(self, motion: Any) -> None:
        """Takes a 3D mouse's motion."""
        if motion is None or motion.progress == "FINISHING":
            self.pilot.push((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        else:
            self.pilot.push(tuple(motion.translation), tuple(motion.rotation))

    def _ride_along(self, context: bpy.types.Context, session: Session) -> None:
        """Sets the view to that of the camera at the current frame."""
        from .logbook import view_of

        place, turn = view_of(session, self.book.ride, session.shown, metres(context.scene))
        with suppress(ReferenceError):  # the view may be gone
            self.space.region_3d.view_matrix = Matrix.LocRotScale(place, Euler(turn), None).inverted()


class ARTFISH_OT_dive_forget(bpy.types.Operator):
    """Take the ride of the last dive out of the scene: fishes live without it, and its camera stays"""

    bl_idname = "artfish.dive_forget"
    bl_label = "Forget the Ride"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a ride."""
        cls.poll_message_set(translated("This scene has no ride"))
        return bool(context.scene and context.scene.artfish_dive.ride)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Removes the ride; live fishes are read anew."""
        keep_ride(context.scene, None)
        session = session_of(context.scene)
        if session is not None:
            session.change()
            timer.wake()
        return {"FINISHED"}


CLASSES = (ARTFISH_OT_dive, ARTFISH_OT_dive_forget)
