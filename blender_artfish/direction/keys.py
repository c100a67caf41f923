"""Keyed numbers and places in a scene file: pairs of seconds and value, linear in between."""

from __future__ import annotations

STRENGTH_PATH = "artfish.direction.strength"
SCHOOL_PATH = "artfish.school."
"""Path prefix of the numbers of a school's shape."""
LINE_ERROR = 1e-4
"""Largest distance, in value or metres, from the line between its neighbours at which a key is left out."""
STEP_FRAMES = 0.02
"""Frames between two keys that stand for a step: Blender merges closer keys."""
