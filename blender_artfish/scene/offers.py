"""Panel text about an obstacle, or a tank, without a clear inside, and the remedies offered."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender.layout import draw_lines
from ..blender.words import translated
from .mending import ARTFISH_OT_convex_hull, ARTFISH_OT_select_open_edges, ARTFISH_OT_shell, ARTFISH_OT_voxel_remesh
from .remarks import doubts_of

OFFERS: dict[str, tuple[type, ...]] = {
    "OBSTACLE": (ARTFISH_OT_select_open_edges, ARTFISH_OT_convex_hull, ARTFISH_OT_voxel_remesh, ARTFISH_OT_shell),
    "TANK": (ARTFISH_OT_select_open_edges, ARTFISH_OT_convex_hull, ARTFISH_OT_voxel_remesh),
}
"""Remedies by kinds of objects."""


def draw_offers(layout: bpy.types.UILayout, scene: bpy.types.Scene, only: bpy.types.Object | None = None) -> None:
    """A line and buttons for each doubtful object of a scene, or for a given one if it is doubtful."""
    for obj, line in doubts_of(scene).items():
        if only is None or obj == only:
            box = layout.box()
            draw_lines(box.column(align=True), f"{obj.name}: {translated(line)}", icon="ERROR")
            if obj.type == "MESH":
                column: Any = box.column(align=True)
                for operator in OFFERS[obj.artfish.kind]:
                    column.operator(operator.bl_idname).name = obj.name
