"""How keyed numbers and places stand in a scene file: pairs of seconds and value, with straight lines between."""

from __future__ import annotations

STRENGTH_PATH = "artfish.direction.strength"
SCHOOL_PATH = "artfish.school."
"""Of the numbers of a school's shape, before the name of each."""
LINE_ERROR = 1e-4
"""Value, and metres, that a place between two others may be off their line and be left out."""
STEP_FRAMES = 0.02
"""Frames between two keys that stand for a step: Blender takes keys that are closer for one."""
