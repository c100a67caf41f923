"""Calls operators as a script does, in a scene that has everything in it."""

from importlib import import_module
from typing import Any

import bpy

from artfish import blender_artfish
from artfish.blender_artfish.identity.references import is_ours

ROOMS = [import_module(f"{blender_artfish.__name__}.{name}") for name in blender_artfish.ROOMS]
OPERATORS = [cls for room in ROOMS for cls in room.CLASSES if issubclass(cls, bpy.types.Operator)]
FRAMES = 3
LAST = ("artfish.synchronise", "artfish.bake", "artfish.revert_bake", "artfish.load_scene", "artfish.load_preset")


def call(cls: Any, **settings: Any) -> str:
    """Runs an operator; returns its complaint.

    Raises:
        AssertionError: It raised something.
    """
    room, name = cls.bl_idname.split(".")
    try:
        getattr(getattr(bpy.ops, room), name)(**settings)
    except RuntimeError as error:
        assert "Traceback" not in str(error), f"{cls.__name__}: {error}"
        return str(error)
    return ""


def call_all(folder: Any) -> None:
    """Runs every operator, those that replace much last; goes through the frames after each."""
    bpy.context.scene.artfish.preset = "mating"
    bpy.context.scene.frame_end = bpy.context.scene.frame_start + FRAMES - 1
    for cls in sorted(OPERATORS, key=lambda cls: LAST.index(cls.bl_idname) if cls.bl_idname in LAST else -1):
        call(cls, **({"filepath": str(folder / "file.json")} if hasattr(cls, "filename_ext") else {}))
        go_through_frames()


def prepare() -> None:
    """A scene with everything in it."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, FRAMES
    scene.artfish.preset = "mating"
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.artfish.add_shoal(species="clownfish", count=2)
    bpy.ops.artfish.add_pillar()
    bpy.ops.artfish.add_thing(kind="PLANKTON")
    bpy.ops.artfish.add_thing(kind="CURRENT")
    bpy.ops.artfish.species_pick(name="clownfish")
    bpy.ops.artfish.preview()


def baked() -> None:
    """The same, and fishes that were baked."""
    prepare()
    bpy.ops.artfish.bake()
    choose(next(obj for obj in bpy.context.scene.objects if obj.animation_data))


def lively() -> None:
    """The same, and fishes that play live."""
    prepare()
    bpy.ops.artfish.live_play()
    choose(fish())


def fish() -> bpy.types.Object:
    """A fish that plays live."""
    return next(obj for obj in bpy.context.scene.objects if is_ours(obj) and "artfish_row" in obj)


def choose(obj: bpy.types.Object | None) -> None:
    """Makes an object the active one."""
    for other in bpy.context.selected_objects:
        other.select_set(False)
    bpy.context.view_layer.objects.active = obj
    if obj is not None:
        obj.select_set(True)


def delete(*gone: bpy.types.Object | None) -> None:
    """Deletes objects as the outliner does."""
    for obj in gone:
        if obj is not None:
            bpy.data.objects.remove(obj)


def go_through_frames() -> None:
    """Goes through the frames as playing does, and back."""
    for frame in (2, 1, FRAMES):
        bpy.context.scene.frame_set(frame)
