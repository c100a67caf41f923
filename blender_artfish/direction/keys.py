"""Where the keyed numbers of directions are in Blender, and words for objects that can only stand somewhere."""

from __future__ import annotations

from ..blender.words import Message

STRENGTH_PATH = "artfish.direction.strength"
SCHOOL_PATH = "artfish.school."
"""Path prefix of the numbers of a school's shape."""
SHAPE_NUMBERS = "density", "order", "milling", "share"
"""Those that every shape has."""
SPOTS: dict[str, Message] = {
    "LIGHT": "a light",
    "CAMERA": "a camera",
    "SPEAKER": "a speaker",
    "LIGHT_PROBE": "a light probe",
}
"""Objects that have a position but no extent, and their names."""
KINDS_OF_OBJECTS: dict[str, Message] = {
    "MESH": "a mesh",
    "EMPTY": "an empty",
    "CURVE": "a curve",
    "SURFACE": "a surface",
    "FONT": "a text",
    "META": "a metaball",
    "ARMATURE": "an armature",
    "LATTICE": "a lattice",
    "VOLUME": "a volume",
    "CURVES": "hair curves",
    "POINTCLOUD": "a point cloud",
    "GREASEPENCIL": "a Grease Pencil drawing",
}
"""Names of other objects."""
