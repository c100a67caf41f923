"""Operators that add directions and events, set their times, and bring two events together in time."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import bpy
from mathutils import Vector

from ..blender.jobs import Job, JobOutcome, Work
from ..blender.words import Message, translated
from ..identity import provenance
from ..identity.film_time import clock, film, timed
from ..identity.references import is_ours
from ..identity.roles import linked, next_order
from ..identity.units import metres
from ..scene.operators import Tool, middle
from . import synchronising, times
from .doubts import refusal
from .properties import DIRECTIONS, EVENT_ITEMS

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

WAY = ((-0.35, -0.1), (-0.1, 0.12), (0.15, -0.12), (0.35, 0.1))
"""Points of a new curve, as shares of the tank's length and width from its middle."""
ARRIVING_SHARE = 0.75
"""Share of the film after which a new arrival is to be."""
BOX = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
"""The faces of a box, whose corners count up along z fastest and along x slowest."""


def is_free(obj: bpy.types.Object | None) -> bool:
    """True if an object has no role: no part of the water, and made by neither live play nor a bake."""
    return obj is not None and obj.artfish.kind == "NONE" and not (is_ours(obj) or provenance.of(obj, provenance.BAKE))


class Leading(Tool):
    """Base of the operators that lead fishes."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be fishes to lead."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Add fishes first: there is nobody to lead"))
        return any(obj.artfish.kind == "SHOAL" for obj in context.scene.objects)


class ARTFISH_OT_add_direction(Leading):
    """Add something that leads fishes, or that happens at its time; it leads the selected shoal"""

    bl_idname = "artfish.add_direction"
    bl_label = "Add Direction"

    kind: bpy.props.EnumProperty(name="Kind", description="What to add", items=[*DIRECTIONS, *EVENT_ITEMS])

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Makes the object at the 3D cursor if that is in the tank, else in the tank's middle."""
        from ..scene.tank import size_of
        from .objects import add

        scene, shoal = context.scene, context.object
        low, size = size_of(scene)
        at = metres(scene) * scene.cursor.location
        if at.length == 0.0 or any(not low[a] <= at[a] <= low[a] + size[a] for a in range(3)):
            at = middle(scene)
        obj = add(scene, self.kind, at, _data(self.kind, size))
        if self.kind in ("food", "fright"):
            getattr(obj.artfish, self.kind).time = max(clock(scene).seconds(scene.frame_current), 0.0)
        elif shoal is not None and shoal.artfish.kind == "SHOAL":
            obj.artfish.direction.fishes = shoal
        if self.kind == "arrival":
            first, last = film(scene)
            obj.artfish.arrival.time = clock(scene).seconds(round(first + ARRIVING_SHARE * (last - first)))
        return self.added(context, obj)


class ARTFISH_OT_mark_direction(Leading):
    """Let the active object lead fishes: a curve to swim along, a mesh or an empty as a region or a target"""

    bl_idname = "artfish.mark_direction"
    bl_label = "Let It Lead"

    kind: bpy.props.EnumProperty(name="Kind", description="How it leads", items=DIRECTIONS)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs an object without a role."""
        if not super().poll(context):
            return False
        cls.poll_message_set(
            translated("Select a curve, a mesh or an empty that is no part of the scene in the water yet")
        )
        return is_free(context.object)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Marks the object."""
        obj = context.object
        if word := linked([obj]) or refusal(obj, self.kind):
            return self.refuse(word)
        obj.artfish.order = next_order(context.scene)
        obj.artfish.kind, obj.artfish.direction.kind = "DIRECTION", self.kind
        if obj.type == "MESH":
            obj.display_type = "WIRE"
        return {"FINISHED"}


class ARTFISH_OT_time_here(Tool):
    """Let it happen at the current frame: a shoal enters, the hook sinks, a curve begins, food drops"""

    bl_idname = "artfish.time_here"
    bl_label = "At This Frame"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs an object with a time."""
        cls.poll_message_set(translated("Select a shoal, a hook, a curve that leads, food or a fright first"))
        return context.object is not None and timed(context.object) is not None

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Sets its time."""
        scene, found = context.scene, timed(context.object)
        now = clock(scene).seconds(scene.frame_current)
        if found is None or now < 0.0:
            self.report(
                {"ERROR"},
                translated("Frame {frame_current} is before the film begins", frame_current=scene.frame_current),
            )
            return {"CANCELLED"}
        setattr(*found, now)
        return {"FINISHED"}


class Fitting(Tool):
    """Base of the operators that make the time and the way of a direction fit what fishes can do."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a direction that says when."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Select an arrival, or a direction with a duration or a speed, first"))
        return context.object is not None and times.is_timed(context.object)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Fits it."""
        asks = times.demand(context.scene, context.object)
        if asks is None:
            return self.refuse(translated("{name} leads no fishes that can be read", name=context.object.name))
        self.fit(context, asks)
        return {"FINISHED"}

    def fit(self, context: bpy.types.Context, asks: times.TimedDirection) -> None:
        """Makes the active direction fit."""
        raise NotImplementedError


class ARTFISH_OT_fit_time(Fitting):
    """Give it the time, or the speed, that its fishes can do"""

    bl_idname = "artfish.fit_time"
    bl_label = "Fit Time"

    def fit(self, context: bpy.types.Context, asks: times.TimedDirection) -> None:
        """Sets the time."""
        times.fit_time(context.scene, context.object, asks)


class ARTFISH_OT_fit_length(Fitting):
    """Shorten its way until its fishes can do it in time: a curve about its first point, a place towards them"""

    bl_idname = "artfish.fit_length"
    bl_label = "Fit Length"

    def fit(self, context: bpy.types.Context, asks: times.TimedDirection) -> None:
        """Changes the object."""
        from ..scene.tank import size_of

        low, _ = size_of(context.scene)
        times.fit_length(context.scene, context.object, asks, low)


def _data(kind: str, size: Vector) -> bpy.types.ID | None:
    """Object data of a new direction in a tank of this size; None for an empty."""
    if kind in ("curve", "stream"):
        return _way(size)
    if kind != "fill":
        return None
    x, y, z = ((-0.2 * length, 0.2 * length) for length in size)
    mesh = bpy.data.meshes.new("Fill")
    mesh.from_pydata(list(product(x, y, z)), [], BOX)
    return mesh


def _way(size: Vector) -> bpy.types.Curve:
    """A winding way through a tank of this size."""
    line = bpy.data.curves.new("Way", "CURVE")
    line.dimensions = "3D"
    spline = line.splines.new("BEZIER")
    spline.bezier_points.add(len(WAY) - 1)
    for point, (x, y) in zip(spline.bezier_points, WAY, strict=True):
        point.co = (x * size.x, y * size.y, 0.0)
        point.handle_left_type = point.handle_right_type = "AUTO"
    return line


class ARTFISH_OT_relation_add(Leading):
    """Let the selected shoal fear, trust, like or dislike another: a new relation in the list"""

    bl_idname = "artfish.relation_add"
    bl_label = "Add Relation"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Adds it."""
        from .relations import add_relation

        add_relation(context)
        return {"FINISHED"}


class ARTFISH_OT_relation_remove(Tool):
    """Let these two mean nothing in particular to each other again: take the relation out of the list"""

    bl_idname = "artfish.relation_remove"
    bl_label = "Remove Relation"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a relation in the list."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Choose a relation in the list first"))
        return 0 <= context.scene.artfish.active_relation < len(context.scene.artfish.relations)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Removes it."""
        from .relations import remove_relation

        remove_relation(context)
        return {"FINISHED"}


class ARTFISH_OT_synchronise(Work, bpy.types.Operator):
    """Run ahead and shift what may begin at another time, until both things happen together"""

    bl_idname = "artfish.synchronise"
    bl_label = "Synchronise"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> Message:
        """Both events must be known, and one must be free to shift."""
        return synchronising.obstacle(context.scene)

    def new_job(self, context: bpy.types.Context) -> Job[JobOutcome]:
        """The search, as a job."""
        return synchronising.synchronise_job(context.scene)


CLASSES = (
    ARTFISH_OT_add_direction,
    ARTFISH_OT_mark_direction,
    ARTFISH_OT_time_here,
    ARTFISH_OT_fit_time,
    ARTFISH_OT_fit_length,
    ARTFISH_OT_relation_add,
    ARTFISH_OT_relation_remove,
    ARTFISH_OT_synchronise,
)
