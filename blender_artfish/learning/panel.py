"""The panels that have shoals learn to swim, or give them a controller learned by their species."""

from __future__ import annotations

from functools import partial

import bpy

from ..blender import parts
from ..blender.jobs import share
from ..blender.layout import Sidebar, draw_lines, draw_work, split
from ..blender.words import translated
from ..mind import swatches
from ..mind.panel import draw_chart
from .course import BEST_COLOUR, DRILL_TITLES, LATEST_COLOUR, course
from .operators import (
    ARTFISH_OT_controller_choose,
    ARTFISH_OT_controller_drop,
    ARTFISH_OT_controller_save,
    ARTFISH_OT_learn,
)


class ARTFISH_PT_learning(Sidebar, bpy.types.Panel):
    """Controllers of the selected shoal's fishes."""

    bl_label = "Learning"
    part = parts.MORE
    bl_order = 2
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a selected shoal."""
        return super().poll(context) and context.object is not None and context.object.artfish.kind == "SHOAL"

    def draw(self, context: bpy.types.Context) -> None:
        """The present controller, and buttons to choose another."""
        shoal, layout = context.object, self.layout
        learned = shoal.artfish.shoal.controller
        line = "{shoal} swims as one has learned" if learned else "{shoal} swims by hand-made controllers"
        layout.label(text=translated(line, shoal=shoal.name), icon="OUTLINER_OB_ARMATURE")
        row = layout.row(align=True)
        row.operator(ARTFISH_OT_controller_choose.bl_idname, icon="FILE_FOLDER")
        if learned:
            row.operator(ARTFISH_OT_controller_save.bl_idname, text="", icon="FILE_TICK")
            row.operator(ARTFISH_OT_controller_drop.bl_idname, text="", icon="X")
        split(layout).prop(shoal.artfish.shoal, "steadiness", slider=True)


class ARTFISH_PT_practice(Sidebar, bpy.types.Panel):
    """Practice of the selected shoal's species, and its progress."""

    bl_label = "Practice"
    bl_parent_id = "ARTFISH_PT_learning"

    def draw(self, context: bpy.types.Context) -> None:
        """The settings, the button or the progress, and the chart of the last practice."""
        layout, settings = split(self.layout), context.scene.artfish_learning
        layout.prop(settings, "method")
        layout.prop(settings, "steps")
        layout.prop(settings, "seed")
        if (column := draw_work(layout, share())) is not None:
            button = column.operator(ARTFISH_OT_learn.bl_idname, icon="PLAY")
            button.method, button.steps, button.seed = settings.method, settings.steps, settings.seed
        noted = course()
        if noted.shoal != context.object.session_uid or not noted.drills:
            return
        from .chart import painted

        draw_chart(layout, context, "learning", partial(painted, noted))
        legend = self.layout.column(align=True)
        for title, drill in zip(DRILL_TITLES, noted.drills, strict=False):
            _, best, latest = drill[-1]
            row = legend.row(align=True)
            row.label(text=translated(title), translate=False)
            row.label(text=f"{best:.2f}", icon_value=swatches.icon("best", BEST_COLOUR))
            row.label(text=f"{latest:.2f}", icon_value=swatches.icon("latest", LATEST_COLOUR))
        draw_lines(
            self.layout, "The objective over the steps: the best so far, and the best of the last step. Less is better"
        )


CLASSES = (ARTFISH_PT_learning, ARTFISH_PT_practice)
