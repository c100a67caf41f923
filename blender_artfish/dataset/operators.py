"""Operator that makes a data set of the film that is baked in the open scene, as set in the panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..bake import history
from ..blender.glances import glance
from ..blender.jobs import Job, JobOutcome, Work
from ..blender.words import Message
from ..filming.operators import bake_of
from .choosing import glanced, obstacle_of

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


class ARTFISH_OT_make_dataset(Work, bpy.types.Operator):
    """Render pictures of the baked fishes with labels of all that is seen in them; the scene stays as it is"""

    bl_idname = "artfish.make_dataset"
    bl_label = "Make Data Set"
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> Message:
        """There must be a bake and a camera."""
        if context.mode != "OBJECT":
            return "Go to Object Mode to make a data set"
        return glance(obstacle_of, context.scene, *glanced(context))

    def new_job(self, context: bpy.types.Context) -> Job[JobOutcome]:
        """The data set, as a job."""
        from .filmed import DatasetJob

        bake = bake_of(context)
        assert bake is not None  # poll has looked
        return DatasetJob(context.scene, history.Bake(context.scene, bake.id))

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """As any work; but Esc keeps the pictures that are done, and writes the files that are made of them."""
        if event.type == "ESC":  # pressed, and released
            if event.value == "PRESS":
                self.job.enough = True
            return {"RUNNING_MODAL"}
        return super().modal(context, event)


CLASSES = (ARTFISH_OT_make_dataset,)
