"""The settings of a scene that a bake may change, stored so that they can be restored."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import bpy

TIME: tuple[str, ...] = ("frame_start", "frame_end", "frame_current", "render.fps", "render.fps_base")
TIME += ("unit_settings.system", "unit_settings.scale_length")
FILM = (
    *(f"render.{name}" for name in ("engine", "resolution_x", "resolution_y", "resolution_percentage")),
    *(f"render.{name}" for name in ("use_motion_blur", "motion_blur_shutter", "use_multiview", "views_format")),
    *(f"cycles.{name}" for name in ("samples", "use_adaptive_sampling", "adaptive_threshold", "max_bounces")),
    *(f"cycles.{name}" for name in ("diffuse_bounces", "glossy_bounces", "transmission_bounces", "volume_bounces")),
    *(f"cycles.{name}" for name in ("transparent_max_bounces", "use_light_tree", "caustics_reflective")),
    *(f"cycles.{name}" for name in ("caustics_refractive", "sample_clamp_indirect", "adaptive_min_samples")),
    *(f"view_settings.{name}" for name in ("view_transform", "look", "exposure")),
)
DATA_BLOCKS = ("camera", "world")
LAST_FRAME = 1_048_574
"""The last frame that Blender has."""
MARKER = "marker "
"""Prefix of a path that stands for a timeline marker."""


def values(scene: bpy.types.Scene) -> dict[str, Any]:
    """All settings a bake may change, by path: numbers and words, the camera and the world, frames of markers."""
    found = {path: _value(scene, path) for path in (*TIME, *FILM, *DATA_BLOCKS)}
    return found | {MARKER + marker.name: marker.frame for marker in scene.timeline_markers}


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Settings that differ: values before and after by path, None where there was none."""
    paths = dict.fromkeys((*before, *after))
    return {path: [before.get(path), after.get(path)] for path in paths if before.get(path) != after.get(path)}


def hand_back(scene: bpy.types.Scene, changed: Mapping[str, list[Any]]) -> None:
    """Undo changes; settings that somebody has changed since stay."""
    now = values(scene)
    for path, (before, after) in changed.items():
        if now.get(path) != after:
            continue
        if not path.startswith(MARKER):
            holder, _, name = path.rpartition(".")
            with suppress(TypeError, ValueError, OverflowError):  # an invalid value, from a changed file
                setattr(scene.path_resolve(holder) if holder else scene, name, before)
            continue
        marker = scene.timeline_markers.get(path.removeprefix(MARKER))
        if before is not None:
            marker = marker or scene.timeline_markers.new(path.removeprefix(MARKER))
            marker.frame = max(-LAST_FRAME, min(before, LAST_FRAME))
        elif marker is not None:
            scene.timeline_markers.remove(marker)


def redo(scene: bpy.types.Scene, changed: Mapping[str, list[Any]]) -> None:
    """Repeat changes that were undone."""
    hand_back(scene, {path: [after, before] for path, (before, after) in changed.items()})


def _value(scene: bpy.types.Scene, path: str) -> Any:
    try:
        return scene.path_resolve(path)
    except ValueError:  # Cycles is an add-on, which may be off
        return None
