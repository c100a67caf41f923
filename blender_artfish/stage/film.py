"""A Blender scene set up as a film: Cycles with few bounces, the filmic look, and a marker at its best frame."""

from __future__ import annotations

import bpy

from ..blender.colours import choose
from ..blender.versions import use_cycles
from .view import SHUTTER_FRAMES

STILL_MARKER = "Still"
"""Name of the marker at the best frame."""


def set_up_film(scene: bpy.types.Scene) -> None:
    """Set Cycles to few bounces, enough for water and fins, and the filmic look."""
    use_cycles(scene)
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 960, 540, 100
    scene.render.use_motion_blur, scene.render.motion_blur_shutter = True, SHUTTER_FRAMES
    cycles = scene.cycles
    cycles.samples, cycles.use_adaptive_sampling, cycles.adaptive_threshold = 64, True, 0.02
    # Half of a picture is water without noise; by default, Cycles takes as many samples there as anywhere.
    cycles.adaptive_min_samples = 4
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 2, 1, 1
    cycles.transmission_bounces, cycles.volume_bounces, cycles.transparent_max_bounces = 1, 0, 12
    # A single sun needs no light tree.
    cycles.use_light_tree = False
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 4.0
    if choose(scene.view_settings, "view_transform", "Filmic"):  # else a studio's own view stays
        choose(scene.view_settings, "look", "Very High Contrast")
    scene.view_settings.exposure = 0.2


def mark_still(scene: bpy.types.Scene, frame: int) -> None:
    """Put the marker at this frame, removing it elsewhere."""
    marker = scene.timeline_markers.get(STILL_MARKER) or scene.timeline_markers.new(STILL_MARKER)
    marker.frame = frame
