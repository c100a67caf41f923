"""Shafts of light before the cameras of shots: each camera has its own sheet, shown while it is the active one."""

from __future__ import annotations

import bpy

from ..blender.keyframes import PRESENCE
from ..blender.versions import channelbag, channelbags
from ..identity import provenance
from ..stage.objects import SHAFTS

OWN = "artfish_shot_light"
"""Property of a sheet that belongs to a shot's camera."""
SHAFTS_AWAY = 1.8
"""Distance of a sheet over the focus distance."""


def hang_light(scene: bpy.types.Scene, camera: bpy.types.Object, away: float) -> None:
    """Gives a camera a sheet like the stage's, if there is one, at a distance in scene units."""
    sheets = (obj for obj in scene.objects if obj.name.startswith(SHAFTS) and provenance.of(obj, provenance.BAKE))
    model = next(sheets, None)
    if model is None:
        return
    sheet = model.copy()
    for mark in [*sheet.keys()]:
        del sheet[mark]
    sheet.animation_data_clear()
    sheet[OWN] = True
    sheet.hide_viewport = sheet.hide_render = False
    hang(sheet, camera, away)
    camera.users_collection[0].objects.link(sheet)


def hang(sheet: bpy.types.Object, camera: bpy.types.Object, away: float) -> None:
    """Places a sheet before a camera, at a distance in scene units."""
    sheet.parent, sheet.location = camera, (0.0, 0.0, -away)
    sheet.scale = (away * camera.data.sensor_width / camera.data.lens,) * 3


def light(scene: bpy.types.Scene) -> None:
    """Shows each camera's sheet only while the camera is active, by the markers; all of them without markers."""
    sheets = [
        obj for obj in scene.objects if obj.name.startswith(SHAFTS) and obj.parent and obj.parent.type == "CAMERA"
    ]
    cuts = cuts_of(scene)
    for sheet in sheets:
        _forget(sheet)
    if cuts and sheets:
        _key(sheets, cuts, range(scene.frame_start, scene.frame_end + 1))


def cuts_of(scene: bpy.types.Scene) -> list[tuple[int, bpy.types.Object]]:
    """The frames from which cameras film, and these; of markers on one frame, Blender takes the first."""
    found: dict[int, bpy.types.Object] = {}
    for marker in scene.timeline_markers:
        if marker.camera:
            found.setdefault(marker.frame, marker.camera)
    return sorted(found.items(), key=lambda cut: cut[0])


def _forget(sheet: bpy.types.Object) -> None:
    """Removes the keys made here of a sheet's visibility, and shows it if there were no others."""
    keyed = False
    for bag in channelbags(sheet):
        for curve in [each for each in bag.fcurves if each.data_path in PRESENCE]:
            bag.fcurves.remove(curve)
            keyed = True
        if keyed and not len(bag.fcurves):
            action = sheet.animation_data.action
            sheet.animation_data_clear()
            if action.users == 0:
                bpy.data.actions.remove(action)
    if keyed:
        sheet.hide_viewport = sheet.hide_render = False


def _key(sheets: list[bpy.types.Object], cuts: list[tuple[int, bpy.types.Object]], frames: range) -> None:
    """Keys the visibility of each sheet over some frames."""
    import numpy as np

    from ..blender.fcurves import write_switch

    filmed = np.searchsorted([frame for frame, _ in cuts], frames, side="right") - 1
    for sheet in sheets:
        shown = np.array([camera == sheet.parent for _, camera in cuts])[np.maximum(filmed, 0)]
        animation = sheet.animation_data
        action = animation.action if animation is not None and animation.action else bpy.data.actions.new(sheet.name)
        write_switch(channelbag(action, sheet), PRESENCE, ~shown, frames.start)
