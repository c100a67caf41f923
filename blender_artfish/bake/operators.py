"""Operators that bake fishes into the open scene, and take the last bake back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..blender.jobs import BUSY, Job, JobOutcome, Work, at_work
from ..blender.words import Message, counted, translated
from . import cache_files, history, plan, some
from .weight import megabytes, weight_of

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


class ARTFISH_OT_bake(Work, bpy.types.Operator):
    """Simulate what is to be seen and bake it into this scene, in the place of the last bake"""

    bl_idname = "artfish.bake"
    bl_label = "Bake"
    bl_options = {"REGISTER", "UNDO"}

    scope: bpy.props.EnumProperty(
        name="Scope",
        description="Which fishes are baked",
        items=[
            ("ALL", "All", "All fishes but the locked ones, and whatever else is ticked"),
            ("SELECTED", "Selected", "The selected fishes and shoals; all else stays as it was baked"),
        ],
        options={"SKIP_SAVE"},
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> Message:
        """Surfaces can be made in Object Mode only."""
        return "Go to Object Mode to bake" if context.mode != "OBJECT" else plan.obstacle(context.scene)

    def new_job(self, context: bpy.types.Context) -> Job[JobOutcome]:
        """The bake, as a job."""
        chosen = tuple(context.selected_objects) if self.scope == some.SCOPE_SELECTED else ()
        return plan.bake_job(context.scene, self.scope, chosen)


class ARTFISH_OT_revert_bake(bpy.types.Operator):
    """Take the last bake back: remove what it has made, and bring back what was in its place"""

    bl_idname = "artfish.revert_bake"
    bl_label = "Revert Last Bake"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Something must have been baked."""
        missing: Message = "Go to Object Mode to revert" if context.mode != "OBJECT" else ""
        if at_work():
            missing = BUSY
        if not missing and history.last(context.scene) is None:
            missing = "Nothing of a bake is in this scene"
        cls.poll_message_set(translated(missing) if missing else cls.bl_label)
        return not missing

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Reverts the bake."""
        bake = history.last(context.scene)
        back = history.revert(context.scene)
        if bake is not None and not back:
            history.forget(bake.id)
        self.report(
            {"INFO"},
            translated("The last bake is gone; {back} is back", back=translated(back))
            if back
            else translated("The last bake is gone"),
        )
        return {"FINISHED"}


class ARTFISH_OT_drop_earlier_bakes(bpy.types.Operator):
    """Remove the bake that a revert would bring back: the file is smaller then, and the last bake stays"""

    bl_idname = "artfish.drop_earlier_bakes"
    bl_label = "Drop Earlier Bakes"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """An earlier bake must be kept."""
        missing: Message = (
            BUSY if at_work() else "" if history.earlier(context.scene) else "No earlier bake is kept in this file"
        )
        cls.poll_message_set(translated(missing) if missing else cls.bl_label)
        return not missing

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Drops them."""
        room = weight_of(history.earlier(context.scene))
        count = history.drop_earlier(context.scene)
        words = counted(
            count,
            "Dropped {count} earlier bake: some {size} of this file",
            "Dropped {count} earlier bakes: some {size} of this file",
            size=megabytes(room),
        )
        beside = cache_files.leaving()
        self.report(
            {"INFO"},
            translated("{words}, and {size} beside it when you save", words=words, size=megabytes(beside))
            if beside
            else words,
        )
        return {"FINISHED"}


CLASSES = (ARTFISH_OT_bake, ARTFISH_OT_revert_bake, ARTFISH_OT_drop_earlier_bakes)
