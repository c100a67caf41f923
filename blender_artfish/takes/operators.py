"""Operators that list wishes, make takes, and have the scene be one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..bake import plan
from ..blender.jobs import BUSY, Job, JobOutcome, Work, at_work, finished
from ..blender.words import Message, translated
from ..scene.operators import Tool
from ..scene.properties import settings_of

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

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


class ARTFISH_OT_run_takes(Work, bpy.types.Operator):
    """Live through the scene once for each seed, and show the takes that fulfil the wishes best"""

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
        """As any work; but Esc keeps the takes that are done, if there are any, and draws the best of them."""
        if event.type == "ESC" and getattr(self.job, "made", False):  # pressed, and released
            if event.value != "PRESS":
                return {"RUNNING_MODAL"}
            if not self.job.enough:
                self.job.enough = True
                return {"RUNNING_MODAL"}
        return super().modal(context, event)


class ARTFISH_OT_use_take(Tool):
    """Have this scene be this take: it gets the take's seed, and Bake bakes what the picture shows"""

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
        """Sets the seed, and goes to the frame of what was wished; warns where the scene is another by now."""
        from ...core.base.codec import SceneError
        from .making import TakesJob, key_of

        found = context.scene.artfish_takes.found
        if self.row >= len(found):
            return self.refuse(
                translated(
                    "There are {count} takes, and no row {row}: rows count from 0", count=len(found), row=self.row
                )
            )
        take = found[self.row]
        try:
            source = finished(plan.read_source(context.scene, TakesJob(context.scene)))
        except SceneError as error:
            return self.refuse(error)
        settings_of(context).seed = take.seed
        if take.moment:
            context.scene.frame_set(take.moment)
        if key_of(context.scene, source) != take.key:
            self.report({"WARNING"}, translated(STALE))
        else:
            self.report({"INFO"}, translated("The seed is {seed}: Bake bakes this take", seed=take.seed))
        return {"FINISHED"}


CLASSES = (ARTFISH_OT_wish_add, ARTFISH_OT_wish_remove, ARTFISH_OT_run_takes, ARTFISH_OT_use_take)
