"""The panel of the cinematographer: manner, subjects, and the list of shots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..bake import history
from ..blender import parts
from ..blender.glances import glance
from ..blender.layout import Sidebar, draw_lines, split, timely
from ..blender.words import Message, translated
from ..languages.sentences import understood
from . import operators, shots
from .words import EVERYTHING

if TYPE_CHECKING:
    from ...core.recording import Recording

EVENTS_A_PAGE = 8
"""Events listed at once."""
LOST_RECORDING: Message = "The recording of this bake is not kept any more: bake again to film it"


def recording_of(context: bpy.types.Context) -> tuple[history.Bake, Recording] | None:
    """The bake to film and its recording; None if there is no bake, or its recording is not kept."""
    bake = operators.bake_of(context, glance(history.made_in, context.scene))
    recording = None if bake is None else history.recording(bake.id)
    return None if bake is None or recording is None else (bake, recording)


class ARTFISH_PT_cinematographer(Sidebar, bpy.types.Panel):
    """Cameras that find their way by what was baked."""

    bl_label = "Cinematographer"
    part = parts.DELIVER
    bl_order = 10
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """The manner of filming, and the active fish."""
        layout, settings = split(self.layout), context.scene.artfish_film
        bake = operators.bake_of(context, glance(history.made_in, context.scene))
        if bake is None:
            draw_lines(layout, operators.UNBAKED, icon="INFO")
        elif history.recording(bake.id) is None:
            draw_lines(layout, LOST_RECORDING, icon="ERROR")
        layout.prop(settings, "move")
        column = layout.column(align=True)
        for name in ("size", "lens", "seconds", "blur"):
            column.prop(settings, timely(settings, name))
        column = layout.column(align=True)
        column.prop(settings, "pair")
        column.prop(settings, "pull")
        layout.prop(settings, "only")
        if context.object is not None and context.object.type == "MESH" and "Crowd" in context.object.modifiers:
            layout.prop(settings, "number")
        row = layout.row()
        row.scale_y = 1.3
        row.operator(operators.ARTFISH_OT_film_fish.bl_idname, icon="CAMERA_DATA")


class ARTFISH_PT_cinematographer_events(Sidebar, bpy.types.Panel):
    """Events in the bake."""

    bl_label = "Film This Event"
    bl_parent_id = "ARTFISH_PT_cinematographer"
    bl_order = 0

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Something must be baked."""
        return operators.bake_of(context, glance(history.made_in, context.scene)) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """A row for each event, which films it."""
        from .shooting import happened, name_of

        layout, settings, found = split(self.layout), context.scene.artfish_film, recording_of(context)
        if found is None:
            return
        bake, recording = found
        layout.prop(settings, "kind")
        events = happened(recording)
        numbers = dict.fromkeys((event["kind"] for event in events), 0)
        rows = []
        for event in events:
            if settings.kind in (EVERYTHING, event["kind"]):
                rows.append((event, numbers[event["kind"]]))
            numbers[event["kind"]] += 1
        if not rows:
            draw_lines(layout, "Nothing of this happens in the bake", icon="INFO")
            return
        pages = -(-len(rows) // EVENTS_A_PAGE)
        page = min(settings.page, pages)
        column = layout.column(align=True)
        for event, nth in rows[(page - 1) * EVENTS_A_PAGE : page * EVENTS_A_PAGE]:
            words = understood(recording.described(event, lambda row: name_of(context.scene, bake.id, recording, row)))
            text = translated("{frame:.1f} s  {words}", frame=event["frame"] / recording.fps, words=words)
            button = column.operator(operators.ARTFISH_OT_film_event.bl_idname, text=text)
            button.kind, button.nth = event["kind"], nth
        if pages > 1:
            layout.prop(settings, "page", text=translated("Page (of {pages})", pages=pages))


def draw_shot(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draws the active camera's shot: its frames, and buttons that film it again, look through it, and remove it."""
    camera = context.object
    first, last, _ = shots.span_of(camera)
    layout.prop(camera, "name", text="", icon="CAMERA_DATA")
    layout.label(text=translated("Frames {first} to {last}", first=first, last=last))
    layout.prop(camera.data, "lens")
    row = layout.row(align=True)
    row.operator(operators.ARTFISH_OT_show_shot.bl_idname, text="Look", icon="HIDE_OFF").camera = camera.name
    row.operator(operators.ARTFISH_OT_film_again.bl_idname, text="Again", icon="FILE_REFRESH").camera = camera.name
    row.operator(operators.ARTFISH_OT_remove_shot.bl_idname, text="", icon="X").camera = camera.name


class ARTFISH_PT_cinematographer_shots(Sidebar, bpy.types.Panel):
    """The list of shots, and an edit."""

    bl_label = "Shots"
    bl_parent_id = "ARTFISH_PT_cinematographer"
    bl_order = 1

    def draw(self, context: bpy.types.Context) -> None:
        """An edit of the best moments, and a row for each shot."""
        layout, settings = split(self.layout), context.scene.artfish_film
        column = layout.column(align=True)
        column.prop(settings, "count")
        column.prop(settings, "fill")
        text = translated("Edit of the Ten Best Moments")
        if settings.count != 10:
            text = translated("Edit of the {count} Best Moments", count=settings.count)
        layout.operator(operators.ARTFISH_OT_film_edit.bl_idname, text=text, icon="SEQUENCE")
        found = shots.shots_of(context.scene)
        column = layout.column(align=True)
        for camera in found:
            first, last, _ = shots.span_of(camera)
            row = column.row(align=True)
            show = row.operator(operators.ARTFISH_OT_show_shot.bl_idname, text=f"{camera.name}  {first}-{last}")
            show.camera = camera.name
            again = row.operator(operators.ARTFISH_OT_film_again.bl_idname, text="", icon="FILE_REFRESH")
            again.camera = camera.name
            row.operator(operators.ARTFISH_OT_remove_shot.bl_idname, text="", icon="X").camera = camera.name
        if len(found) > 1:
            row = layout.row(align=True)
            renew = row.operator(operators.ARTFISH_OT_film_again.bl_idname, text="Renew All")
            renew.camera, renew.renew = "", True
            row.operator(operators.ARTFISH_OT_remove_shot.bl_idname, text="Remove All").camera = ""


CLASSES = (ARTFISH_PT_cinematographer, ARTFISH_PT_cinematographer_events, ARTFISH_PT_cinematographer_shots)
