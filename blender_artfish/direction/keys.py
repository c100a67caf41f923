"""Where the keyed numbers of directions are in Blender."""

from __future__ import annotations

STRENGTH_PATH = "artfish.direction.strength"
SCHOOL_PATH = "artfish.school."
"""Path prefix of the numbers of a school's shape."""
