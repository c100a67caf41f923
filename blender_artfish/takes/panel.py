"""The panel of takes: wishes, numbers that vary, seeds, and the best as contact sheets."""

from __future__ import annotations

from typing import Any

import bpy
import bpy.utils.previews

from ..blender import parts, runtime
from ..blender.declarations import title
from ..blender.jobs import at_work, share
from ..blender.layout import Sidebar, draw, draw_work, split
from ..blender.words import translated
from . import numbers, varying
from .operators import (
    ARTFISH_OT_end_takes,
    ARTFISH_OT_run_takes,
    ARTFISH_OT_use_take,
    ARTFISH_OT_vary_add,
    ARTFISH_OT_vary_remove,
    ARTFISH_OT_wish_add,
    ARTFISH_OT_wish_remove,
)
from .pictures import TakePictures
from .properties import SEEN_BY

SHEET_ROWS = 9.0
"""Height of a contact sheet, in buttons."""
DRAWN = "picture", "shape", "arrival"
"""The kinds of wishes whose own numbers are drawn one below the other."""


def sentence(wish: Any) -> str:
    """A wish in a few words."""
    who = wish.fishes.name if wish.fishes is not None else translated("any fish")
    camera = wish.camera.name if wish.camera is not None else ""
    words = {
        "event": f"{who}: {translated(title(wish.event.event))}"
        + (f" {wish.whom.name}" if wish.whom is not None else "")
        + (translated(", seen by {camera}", camera=camera) if camera else ""),
        "picture": translated("{who}: in the picture of {camera}", who=who, camera=camera),
        "unhidden": translated("{who}: nobody in front, for {camera}", who=who, camera=camera),
        "shape": translated("{who}: of this shape", who=who),
        "arrival": translated("{who}: there in time", who=who),
        "untouched": translated("nothing is touched")
        if wish.touched == "all"
        else translated("not touched: {what}", what=translated(title(wish.touched))),
    }[wish.kind]
    return words + (translated(", {first} to {last}", first=wish.begin, last=wish.end) if wish.use_time else "")


class ARTFISH_UL_wishes(bpy.types.UIList):
    """Wishes for a take."""

    def draw_item(  # type: ignore[override]
        self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any
    ) -> None:
        """A wish in a few words."""
        layout.label(text=sentence(item), icon="SOLO_ON")


def varies(scene: bpy.types.Scene, row: Any) -> str:
    """A number that varies in a few words."""
    number = varying.number_of(scene, row)
    return translated("Not there any more, or keyed") if number is None else f"{number.whose()}, {number.words()}"


class ARTFISH_UL_varied(bpy.types.UIList):
    """Numbers that differ from take to take."""

    def draw_item(  # type: ignore[override]
        self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any
    ) -> None:
        """A number in a few words."""
        lost = varying.number_of(context.scene, item) is None
        layout.label(text=varies(context.scene, item), translate=False, icon="ERROR" if lost else "DRIVER_DISTANCE")


class ARTFISH_MT_vary(bpy.types.Menu):
    """Of what a number is to differ from take to take"""

    bl_idname = "ARTFISH_MT_vary"
    bl_label = "Vary a Number of"

    def draw(self, context: bpy.types.Context) -> None:
        """An entry for each object, and each group of the scene's own."""
        self.layout.operator_context = "INVOKE_DEFAULT"
        for whose in dict.fromkeys(number.whose() for number in numbers.offered(context.scene)):
            entry = self.layout.operator(ARTFISH_OT_vary_add.bl_idname, text=whose, translate=False)
            entry.whose = whose


class ARTFISH_PT_takes(Sidebar, bpy.types.Panel):
    """Wishes for a take, the seeds to try, and the best takes."""

    bl_label = "Takes"
    part = parts.DELIVER
    bl_order = 8
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """The wishes, what varies, the numbers, the button, and the best."""
        layout, settings = self.layout, context.scene.artfish_takes
        row = layout.row()
        row.template_list("ARTFISH_UL_wishes", "", settings, "wishes", settings, "active", rows=3)
        column = row.column(align=True)
        column.operator(ARTFISH_OT_wish_add.bl_idname, text="", icon="ADD")
        column.operator(ARTFISH_OT_wish_remove.bl_idname, text="", icon="REMOVE")
        layout = split(layout)
        if 0 <= settings.active < len(settings.wishes):
            _draw_wish(layout.column(), settings.wishes[settings.active])
        else:
            layout.operator(ARTFISH_OT_wish_add.bl_idname, icon="ADD")
        _draw_varied(self.layout, context.scene)
        column = layout.column(align=True)
        for name in ("count", "seed", "best", "processes"):
            column.prop(settings, name)
        if (column := draw_work(layout, share())) is not None:
            column.operator(ARTFISH_OT_run_takes.bl_idname, icon="SEQUENCE")
        elif any(isinstance(work, ARTFISH_OT_run_takes) for work in at_work()):
            layout.operator(ARTFISH_OT_end_takes.bl_idname, icon="CHECKMARK")
        pictures = runtime.of(TakePictures)
        for place, take in enumerate(settings.found):
            box = layout.box().column(align=True)
            if icon := pictures.icon(take.seed):
                box.template_icon(icon_value=icon, scale=SHEET_ROWS)
            at = translated(", frame {frame}", frame=take.moment) if take.moment else ""
            used = context.scene.artfish.seed == take.seed
            button = box.operator(
                ARTFISH_OT_use_take.bl_idname,
                text=translated("Seed {seed}: {score:.2f}{at}", seed=take.seed, score=take.score, at=at),
                icon="CHECKMARK" if used else "NONE",
                depress=used,
            )
            button.row = place
            for number, value in varying.taken(context.scene, take):
                words = f"{number.whose()}, {number.words()}: {number.shown(value)}"
                box.label(text=words, translate=False)


def _draw_varied(layout: bpy.types.UILayout, scene: bpy.types.Scene) -> None:
    """The numbers that vary, and the range or the choices of the selected one."""
    settings = scene.artfish_takes
    header, body = layout.panel("artfish_takes_varied", default_closed=not settings.varied)
    header.label(text=translated("Numbers That Vary"), translate=False)
    if body is None:
        return
    row = body.row()
    row.template_list("ARTFISH_UL_varied", "", settings, "varied", settings, "active_varied", rows=2)
    column = row.column(align=True)
    column.menu(ARTFISH_MT_vary.bl_idname, text="", icon="ADD")
    column.operator(ARTFISH_OT_vary_remove.bl_idname, text="", icon="REMOVE")
    if not 0 <= settings.active_varied < len(settings.varied):
        return
    chosen = settings.varied[settings.active_varied]
    number = varying.number_of(scene, chosen)
    if number is None:
        return
    column = split(body).column(align=True)
    if number.field["kind"] in ("choice", "flag"):
        words = number.choices()
        for choice in chosen.choices:
            if choice.name in words:
                column.prop(choice, "use", text=words[choice.name][1], translate=False)
        return
    for name in ("first", "last") if number.field["kind"] == "integer" else ("low", "high"):
        column.prop(chosen, name)


def _draw_wish(layout: bpy.types.UILayout, wish: Any) -> None:
    """The numbers of a wish."""
    layout.prop(wish, "kind")
    if wish.kind == "event":
        layout.prop(wish.event, "event", text=translated("What"), translate=False)
    if wish.kind != "untouched":
        layout.prop(wish, "fishes")
    if wish.kind == "event":
        layout.prop(wish, "whom")
        layout.prop(wish, "place")
        if wish.place is not None:
            layout.prop(wish, "radius")
    if wish.kind in SEEN_BY:
        layout.prop(wish, "camera")
    if wish.kind == "event" and wish.camera is not None:
        layout.prop(wish, "size")
    if wish.kind in DRAWN:
        draw(layout, getattr(wish, wish.kind))
    elif wish.kind == "untouched":
        layout.prop(wish, "touched", text=translated("What"), translate=False)
        layout.prop(wish, "gap")
    row = layout.row(heading=translated("When"), translate=False)
    row.prop(wish, "use_time", text="")
    frames = row.row(align=True)
    frames.enabled = wish.use_time
    frames.prop(wish, "begin", text="")
    frames.prop(wish, "end", text="")
    layout.prop(wish, "weight")


CLASSES = (ARTFISH_UL_wishes, ARTFISH_UL_varied, ARTFISH_MT_vary, ARTFISH_PT_takes)


def unregister() -> None:
    """Drops the pictures."""
    bpy.utils.previews.remove(runtime.of(TakePictures).known)
    runtime.drop(TakePictures)
