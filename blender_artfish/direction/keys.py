"""Where the keyed numbers of directions are in Blender, and words for objects that can only stand somewhere."""

from __future__ import annotations

STRENGTH_PATH = "artfish.direction.strength"
SCHOOL_PATH = "artfish.school."
"""Path prefix of the numbers of a school's shape."""
SHAPE_NUMBERS = "density", "order", "milling", "share"
"""Those that every shape has."""
SPOTS = {"LIGHT": "a light", "CAMERA": "a camera", "SPEAKER": "a speaker", "LIGHT_PROBE": "a light probe"}
"""Objects that have a position but no extent, and their names."""
