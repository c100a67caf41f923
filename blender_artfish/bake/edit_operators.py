"""Operators of the list of edits of a baked fish: hold it, nudge its path, switch edits off and take them away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..blender.jobs import BUSY, at_work
from ..blender.words import counted, translated
from ..identity import provenance
from ..scene.operators import Tool
from . import deleting
from .fish_operators import OnFishes, named
from .whole_fish import WholeFish, root_of

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


class AtFrame(OnFishes):
    """Base of the operators on fishes at a frame: the current one, unless another is given."""

    frame: bpy.props.FloatProperty(
        name="Frame", description="Frame of the film; the current one, unless it is set", step=100, precision=1
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Opens the dialog with the current frame."""
        self.frame = context.scene.frame_current
        return context.window_manager.invoke_props_dialog(self)

    def at(self, context: bpy.types.Context) -> float:
        """The frame that is meant."""
        return self.frame if self.properties.is_property_set("frame") else float(context.scene.frame_current)


class ARTFISH_OT_hold_fish(AtFrame):
    """Have these fishes stop at a frame, their tails beating on, and do the rest so many frames later"""

    bl_idname = "artfish.hold_fish"
    bl_label = "Hold Fish"

    frames: bpy.props.IntProperty(
        name="Frames", description="How long they stop", default=12, min=1, max=100_000, soft_max=250
    )

    def do(self, context: bpy.types.Context, fishes: list[WholeFish]) -> str:
        """Stops the fishes."""
        from . import retiming

        frame = self.at(context)
        for fish in fishes:
            retiming.hold(fish, frame, self.frames)
        return counted(
            self.frames,
            "{fishes}: held at frame {frame:.4g} for {count} frame",
            "{fishes}: held at frame {frame:.4g} for {count} frames",
            fishes=named(fishes),
            frame=frame,
        )


class ARTFISH_OT_nudge_fish(AtFrame):
    """Move the paths of these fishes at a frame, and less and less before and after it"""

    bl_idname = "artfish.nudge_fish"
    bl_label = "Nudge Path"

    move: bpy.props.FloatVectorProperty(
        name="Move", description="How far, along the axes of the scene", subtype="TRANSLATION"
    )
    falloff: bpy.props.FloatProperty(
        name="Falloff",
        description="Frames before and after at which their paths are as they were",
        default=12.0,
        min=1.0,
        max=100_000.0,
        soft_max=250.0,
        step=100,
        precision=1,
    )

    def do(self, context: bpy.types.Context, fishes: list[WholeFish]) -> str:
        """Moves the paths."""
        from . import retiming

        frame = self.at(context)
        for fish in fishes:
            retiming.nudge(fish, frame, self.move, self.falloff)
        return translated("{fishes}: path nudged at frame {frame:.4g}", fishes=named(fishes), frame=frame)


class ARTFISH_OT_watch_fish(OnFishes):
    """Keep the scene's camera looking at the active fish, or whatever else is selected beside it"""

    bl_idname = "artfish.watch_fish"
    bl_label = "Look at Fish"

    by: bpy.props.StringProperty(
        name="By", description="What looks: what is selected beside the fish, or the scene's camera, if left empty"
    )

    def do(self, context: bpy.types.Context, fishes: list[WholeFish]) -> str:
        """Has them look at the first fish."""
        from ...core.base.codec import SceneError
        from . import watching

        lookers = self._lookers(context)
        if not lookers:
            raise SceneError("no camera in the scene", "a camera, or another object selected beside the fish")
        for obj in lookers:
            watching.watch(fishes[0], obj)
        context.view_layer.update()
        return counted(
            len(lookers),
            "{name} looks at {fish}",
            "{count} objects look at {fish}",
            name=lookers[0].name,
            fish=fishes[0].root.name,
        )

    def _lookers(self, context: bpy.types.Context) -> list[bpy.types.Object]:
        """The objects that are meant.

        Raises:
            SceneError: There is none of this name.
        """
        from ...core.base.codec import SceneError

        if self.by:
            if self.by not in context.scene.objects:
                raise SceneError(
                    translated("no {by} in this scene", by=self.by), "the name of an object of this scene", key="by"
                )
            return [context.scene.objects[self.by]]
        beside = [obj for obj in context.selected_objects if root_of(obj) is None and not provenance.is_offset(obj)]
        return beside or [obj for obj in [context.scene.camera] if obj is not None]


class OnRow(OnFishes):
    """Base of the operators on a row of the first selected fish's list."""

    row: bpy.props.IntProperty(
        name="Row", description="Which row of the fish's list, counted from 0", min=0, options={"SKIP_SAVE"}
    )

    def do(self, context: bpy.types.Context, fishes: list[WholeFish]) -> str:
        """Acts on the row."""
        from ...core.base.codec import SceneError
        from . import rows

        fish, every = fishes[0], rows.rows_of(fishes[0])
        if self.row >= len(every):
            count = counted(len(every), "{count} edit", "{count} edits")
            raise SceneError(
                translated("row {row} of {name} with {count}", row=self.row, name=fish.root.name, count=count),
                "a row of its list, from 0",
                key="row",
            )
        row = every[self.row]
        self.change(context, fish, row)
        return self.said(row).format(fish=fish.root.name, words=row.words)

    def change(self, context: bpy.types.Context, fish: WholeFish, row: object) -> None:
        """Changes what the row says."""
        raise NotImplementedError

    def word(self, row: object) -> str:
        """The word for the change of the row."""
        raise NotImplementedError


class ARTFISH_OT_switch_edit(OnRow):
    """Switch this edit off, so that the fish is as the bake has it, or on again"""

    bl_idname = "artfish.switch_edit"
    bl_label = "Switch Edit"

    def change(self, context: bpy.types.Context, fish: WholeFish, row: object) -> None:
        """Switches it."""
        from ...core.base.codec import SceneError
        from . import rows

        assert isinstance(row, rows.EditRow)
        if not row.switched:
            raise SceneError(
                translated("{name}: {words!r}, which has no switch", name=fish.root.name, words=row.words),
                "taking it away by its X",
            )
        rows.switch(fish, context.scene, row)

    def said(self, row: object) -> str:
        """On or off."""
        if getattr(row, "on", False):
            return translated("{fish}: switched off {words!r}")
        return translated("{fish}: switched on {words!r}")


class ARTFISH_OT_remove_edit(OnRow):
    """Take this edit away: the fish is as the bake has it"""

    bl_idname = "artfish.remove_edit"
    bl_label = "Remove Edit"

    def change(self, context: bpy.types.Context, fish: WholeFish, row: object) -> None:
        """Takes it away."""
        from . import rows

        assert isinstance(row, rows.EditRow)
        rows.remove(fish, context.scene, row)

    def said(self, row: object) -> str:
        """Taken away."""
        return translated("{fish}: took away {words!r}")


class ARTFISH_OT_restore_fishes(Tool):
    """Bring deleted fishes back as they were"""

    bl_idname = "artfish.restore_fishes"
    bl_label = "Restore Deleted Fishes"

    name: bpy.props.StringProperty(name="Name", description="Of a single fish; all that were deleted, if left empty")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a deleted fish."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated(BUSY if at_work() else "No fish was deleted with Delete Fish"))
        return not at_work() and bool(deleting.deleted(context.scene))

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Brings the fishes back and selects them."""
        from . import handling

        roots = [root for root in deleting.deleted(context.scene) if self.name in ("", root.name)]
        if not roots:
            return self.refuse(translated("No fish called {name} was deleted", name=self.name))
        fishes = deleting.restore(context.scene, roots)
        handling.select(context, fishes)
        self.report({"INFO"}, translated("{fishes} back", fishes=named(fishes)))
        return {"FINISHED"}


IN_MENU = (ARTFISH_OT_hold_fish, ARTFISH_OT_nudge_fish, ARTFISH_OT_watch_fish)
"""Those of the menu Baked Fishes."""
CLASSES = (*IN_MENU, ARTFISH_OT_switch_edit, ARTFISH_OT_remove_edit, ARTFISH_OT_restore_fishes)
