"""Operators that list wishes and numbers that vary, make takes, and have the scene be one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..bake import plan
from ..blender.jobs import BUSY, Job, JobOutcome, Work, at_work, finished
from ..blender.words import Message, translated
from ..scene.operators import Tool
from ..scene.properties import settings_of
from . import varying
from .numbers import SceneNumber, offered

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

PASSED = {
    *("MOUSEMOVE", "INBETWEEN_MOUSEMOVE", "LEFTMOUSE", "MIDDLEMOUSE"),
    *("WHEELUPMOUSE", "WHEELDOWNMOUSE", "TRACKPADPAN", "TRACKPADZOOM"),
}
"""Events that go to the window while takes are made, so that one looks around and clicks."""
STALE: Message = "This scene has changed since its takes were made: other things will happen. Run the takes again"


class ARTFISH_OT_wish_add(Tool):
    """Add a wish: something that a good take has"""

    bl_idname = "artfish.wish_add"
    bl_label = "Add Wish"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Adds it at the end of the list."""
        settings = context.scene.artfish_takes
        settings.wishes.add().event.event = "ate"
        settings.active = len(settings.wishes) - 1
        return {"FINISHED"}


class ARTFISH_OT_wish_remove(Tool):
    """Remove the selected wish"""

    bl_idname = "artfish.wish_remove"
    bl_label = "Remove Wish"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a wish."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Add a wish first"))
        return len(context.scene.artfish_takes.wishes) > 0

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Removes it."""
        settings = context.scene.artfish_takes
        settings.wishes.remove(min(settings.active, len(settings.wishes) - 1))
        settings.active = max(min(settings.active, len(settings.wishes) - 1), 0)
        return {"FINISHED"}


def _offers(operator: Any, context: bpy.types.Context | None) -> list[tuple[str, str, str]]:
    """The numbers that may vary, of one object or group only where the operator names it."""
    some = [] if context is None else offered(context.scene)
    chosen = [number for number in some if operator.whose in ("", number.whose())]
    items = [(number.name, _called(number, operator.whose), translated(number.field["help"])) for number in chosen]
    _offers.kept = items  # Blender keeps no reference to the strings
    return items


def _called(number: SceneNumber, whose: str) -> str:
    return number.words() if whose else f"{number.whose()}, {number.words()}"


class ARTFISH_OT_vary_add(Tool):
    """Have this number differ from take to take, so that the takes find what it is best at"""

    bl_idname = "artfish.vary_add"
    bl_label = "Vary Number"
    bl_property = "number"

    whose: bpy.props.StringProperty(name="Whose", description="Of what the numbers are listed; all if left out")
    number: bpy.props.EnumProperty(name="Number", description="Which number varies", items=_offers)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Has one of the list chosen, which can be searched."""
        context.window_manager.invoke_search_popup(self)
        return {"CANCELLED"}  # until one is chosen

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Adds it at the end of the list."""
        scene = context.scene
        number = next((one for one in offered(scene) if one.name == self.number), None)
        if number is None:
            return self.refuse(translated("This scene has no such number: choose one of the list of +"))
        settings = scene.artfish_takes
        there = [place for place, row in enumerate(settings.varied) if varying.number_of(scene, row) == number]
        if there:
            settings.active_varied = there[0]
        else:
            varying.add(scene, number)
        return {"FINISHED"}


class ARTFISH_OT_vary_remove(Tool):
    """Have the selected number be the same in all takes, as the scene has it"""

    bl_idname = "artfish.vary_remove"
    bl_label = "Vary No More"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a number."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Add a number that varies first"))
        return len(context.scene.artfish_takes.varied) > 0

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Removes it."""
        settings = context.scene.artfish_takes
        settings.varied.remove(min(settings.active_varied, len(settings.varied) - 1))
        settings.active_varied = max(min(settings.active_varied, len(settings.varied) - 1), 0)
        return {"FINISHED"}


class ARTFISH_OT_run_takes(Work, bpy.types.Operator):
    """Live through the scene once for each seed, several at a time, and show the takes that fulfil the wishes best"""

    bl_idname = "artfish.run_takes"
    bl_label = "Run Takes"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> Message:
        """Needs fishes of this scene and a wish."""
        if plan.source_of(context.scene) != "SCENE":
            return "Takes are of this scene's own fishes: add some, and let Bake's Source be this scene"
        if not context.scene.artfish_takes.wishes:
            return "Add a wish first: what is a good take to have?"
        return plan.obstacle(context.scene)

    def new_job(self, context: bpy.types.Context) -> Job[JobOutcome]:
        """The takes, as a job."""
        from .making import TakesJob

        return TakesJob(context.scene)

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """As any work; but Esc keeps the takes that are done, if there are any, and the mouse goes on as ever."""
        if event.type in PASSED:
            return {"PASS_THROUGH"}
        if event.type == "ESC" and getattr(self.job, "made", False):  # pressed, and released
            if event.value != "PRESS":
                return {"RUNNING_MODAL"}
            if not self.job.enough:
                self.job.enough = True
                return {"RUNNING_MODAL"}
        return super().modal(context, event)


class ARTFISH_OT_end_takes(bpy.types.Operator):
    """Make no further takes, and show the best of those that are done"""

    bl_idname = "artfish.end_takes"
    bl_label = "End and Keep"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs takes at work, one of which is done."""
        cls.poll_message_set(translated("No take is done yet: wait for one, or give all up by Esc"))
        return any(getattr(work.job, "made", 0) for work in at_work())

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Has what is done be enough."""
        for work in at_work():
            if isinstance(work, ARTFISH_OT_run_takes):
                work.job.enough = True
        return {"FINISHED"}


class ARTFISH_OT_use_take(Tool):
    """Have this scene be this take: it gets its seed and its numbers, and Bake bakes what the picture shows"""

    bl_idname = "artfish.use_take"
    bl_label = "Use Take"

    row: bpy.props.IntProperty(name="Row", description="Which of the best, counted from 0", min=0)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a take."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated(BUSY if at_work() else "Run takes first"))
        return not at_work() and len(context.scene.artfish_takes.found) > 0

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Sets seed and numbers, and goes to the frame of what was wished; warns where the scene is another by now."""
        from ...core.base.codec import SceneError
        from .making import TakesJob, key_of

        found = context.scene.artfish_takes.found
        if self.row >= len(found):
            return self.refuse(
                translated(
                    "There are {count} takes, and no row {row}: rows count from 0", count=len(found), row=self.row
                )
            )
        scene, take = context.scene, found[self.row]
        numbers = varying.taken(scene, take)
        for number, value in numbers:
            number.put(scene, value)
        settings_of(context).seed = take.seed
        if take.moment:
            scene.frame_set(take.moment)
        try:
            source = finished(plan.read_source(scene, TakesJob(scene)))
        except SceneError as error:
            self.refuse(error)
            return {"FINISHED"}  # what is set is to be undone in one step
        set_to = [f"{number.whose()}, {number.words()}: {number.shown(value)}" for number, value in numbers]
        if key_of(scene, source) != take.key:
            self.report({"WARNING"}, translated(STALE))
        elif set_to:
            line = translated(
                "The seed is {seed}, and {numbers}: Bake bakes this take", seed=take.seed, numbers="; ".join(set_to)
            )
            self.report({"INFO"}, line)
        else:
            self.report({"INFO"}, translated("The seed is {seed}: Bake bakes this take", seed=take.seed))
        return {"FINISHED"}


CLASSES = (
    ARTFISH_OT_wish_add,
    ARTFISH_OT_wish_remove,
    ARTFISH_OT_vary_add,
    ARTFISH_OT_vary_remove,
    ARTFISH_OT_run_takes,
    ARTFISH_OT_end_takes,
    ARTFISH_OT_use_take,
)
