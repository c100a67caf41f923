"""Baked fishes into files of other programs, by Blender's own exporters, set so that what swims here swims there."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy

from ...core.base.codec import Place, SceneError, shown
from ...core.base.files import ensure_writable, replacing
from ..blender.keyframes import PRESENCE
from ..blender.pictures import pictures_alone
from ..blender.versions import channelbags
from . import glb, instancer
from .choosing import ALL, carriers, crowds, fishes, missing
from .instancer import PAINTED
from .pictures import paint
from .velocities import velocities

SUFFIXES = ".abc", ".usdc", ".usdz", ".usda", ".glb", ".fbx"
"""Of files that fishes are exported to."""
WITH_BONES = ".glb", ".fbx"
"""Those whose fishes have to have bones."""
WITH_PICTURES = ".usdc", ".usdz", ".usda", ".glb", ".fbx"
"""Those that hold materials."""
OF_CROWDS = ".usda"
"""The one that crowds are exported to."""
AXIS_UP = {".abc": "Y", ".usdc": "Z", ".usdz": "Z", ".usda": "Z", ".glb": "Y", ".fbx": "Y"}
"""The axis that points up in a file, unless another is chosen."""
FIXED_UP = {".abc": "Alembic", ".glb": "glTF"}
"""Formats in which it is always that one."""
FIXED_SCALE = (".glb",)
"""Formats whose lengths are metres."""
FORWARD = {"Y": "NEGATIVE_Z", "Z": "Y"}
"""The axis along which what goes ahead in Blender, along Y, goes in a file, by the one that points up."""
FBX_AXES: dict[str, Any] = {
    "Y": {"axis_forward": "-Z", "axis_up": "Y"},
    "Z": {"axis_forward": "Y", "axis_up": "Z"},
}

Steps = Generator[tuple[float, str], None, int]
"""Work that tells now and then which share of it is done and what it does, and returns how many fishes it wrote."""


@dataclass(frozen=True)
class Choice:
    """What is exported, and how.

    Attributes:
        frames: First and last frame; those of the scene if None.
        select: "all", "selected", or the name of a fish, of what it hangs on, or of a collection.
        scale: Factor on all lengths.
        up: The axis that points up in the file, "Y" or "Z"; the format's own if None.
        textures: Whether materials become pictures.
        clips: Whether in glTF each action of a fish is a clip by its own name; else all fishes swim in one, "Film".
    """

    frames: tuple[int, int] | None = None
    select: str = ALL
    scale: float = 1.0
    up: str | None = None
    textures: bool = True
    clips: bool = False


def export(
    path: str | os.PathLike[str],
    *,
    frames: tuple[int, int] | None = None,
    select: str = ALL,
    scale: float = 1.0,
    up: str | None = None,
    textures: bool = True,
    clips: bool = False,
    progress: Callable[[float, str], None] | None = None,
) -> int:
    """Write baked fishes of the open scene.

    Args:
        path: The file; its ending says which format.
        frames: First and last frame; those of the scene if left out.
        select: "all", "selected", or the name of a fish, of what it hangs on, or of a collection.
        scale: Factor on all lengths.
        up: The axis that points up in the file, "Y" or "Z"; the format's own if left out.
        textures: Whether materials become pictures.
        clips: Whether in glTF each action of a fish is a clip by its own name; else all fishes swim in one, "Film".
        progress: Called with the share that is done and what is being done.

    Returns:
        How many fishes were written.

    Raises:
        SceneError: There is no such fish, the bake has another form, or the file cannot be written.
    """
    steps = exporting(bpy.context.scene, path, Choice(frames, select, scale, up, textures, clips))
    while True:
        try:
            share, text = next(steps)
        except StopIteration as end:
            return end.value
        if progress is not None:
            progress(share, text)


def export_file(
    blend: str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    progress: Callable[[float, str], None] | None = None,
    **choice: Any,
) -> int:
    """Write baked fishes of a .blend, which replaces what is open in this Blender; arguments as for `export`."""
    ending(path)  # before the file that is open is given up
    try:
        bpy.ops.wm.open_mainfile(filepath=str(blend), use_scripts=False, load_ui=False)
    except RuntimeError as error:
        raise SceneError(
            str(error).strip().splitlines()[-1], "a .blend made by artfish bake", file=str(blend)
        ) from None
    try:
        return export(path, progress=progress, **choice)
    except SceneError as error:
        raise error.within(Place(str(blend))) from None


def exporting(scene: bpy.types.Scene, path: str | os.PathLike[str], choice: Choice) -> Steps:
    """Write baked fishes of a scene, a little at a time; arguments and errors as for `export`."""
    suffix, path = ending(path), Path(path)
    shoals, bodies = chosen(scene, suffix, choice)
    up = choice.up or AXIS_UP[suffix]
    if shoals:
        return (yield from _instances(scene, path, shoals, choice, up))
    return (yield from _bodies(scene, path, bodies, choice, up))


def chosen(
    scene: bpy.types.Scene, suffix: str, choice: Choice
) -> tuple[list[bpy.types.Object], list[bpy.types.Object]]:
    """The crowds, or the fishes that are meshes, that are written into a file of a format.

    Raises:
        SceneError: There is none, or the format cannot have them so.
    """
    if suffix in FIXED_UP and choice.up not in (None, AXIS_UP[suffix]):
        raise SceneError(
            f"{choice.up} for {suffix}", f"{AXIS_UP[suffix]}, the axis that is up in {FIXED_UP[suffix]}", key="axis"
        )
    if suffix in FIXED_SCALE and choice.scale != 1.0:
        raise SceneError(f"{choice.scale:g} for {suffix}", "1, since lengths in glTF are metres", key="scale")
    if (span := choice.frames) is not None and span[0] > span[1]:
        raise SceneError(f"{span[0]}-{span[1]}", "a last frame that is not before the first", key="frames")
    shoals, bodies = crowds(scene, choice.select), fishes(scene, choice.select)
    if shoals and bodies:
        raise SceneError("a crowd beside other fishes", "one or the other: choose which by selecting it")
    if not shoals and not bodies:
        raise missing(scene, choice.select)
    if shoals and suffix != OF_CROWDS:
        raise SceneError(f"a crowd for {suffix}", f"{OF_CROWDS} for a crowd, or a bake of the form Mesh")
    stiff = [body.name for body in bodies if body.parent is None or body.parent.type != "ARMATURE"]
    if stiff and suffix in WITH_BONES:
        raise SceneError(f"{stiff[0]!r} without bones", f"for {suffix} a bake of the form Mesh driven by an Armature")
    return shoals, bodies


def _bodies(scene: bpy.types.Scene, path: Path, bodies: Sequence[bpy.types.Object], choice: Choice, up: str) -> Steps:
    """Write fishes that are meshes."""
    suffix = ending(path)
    with ExitStack() as stack:
        stack.enter_context(pictures_alone())
        if suffix in WITH_PICTURES and choice.textures:
            meshes: Any = list(dict.fromkeys(body.data for body in bodies))
            yield from _painting(meshes, stack)
        if suffix == ".abc":
            stack.enter_context(velocities(scene, bodies))
        if suffix == ".fbx":
            stack.enter_context(_apart(bodies))
        stack.enter_context(_chosen(bodies))
        stack.enter_context(_span(scene, choice.frames))
        yield PAINTED, f"Writing {path.name}"
        with replacing(path) as part:
            file = part.with_suffix(suffix)
            _WRITERS[suffix](str(file), choice, up)
            if suffix == ".glb":
                glb.tidy(file)
            if file != part:
                os.replace(file, part)
    return len(bodies)


def _instances(
    scene: bpy.types.Scene, path: Path, shoals: Sequence[bpy.types.Object], choice: Choice, up: str
) -> Steps:
    """Write crowds."""
    with ExitStack() as stack:
        stack.enter_context(pictures_alone())
        if choice.textures:
            yield from _painting(list({mesh.name: mesh for mesh in map(instancer.worn, shoals)}.values()), stack)
        yield PAINTED, f"Writing {path.name}"
        frames = choice.frames or (scene.frame_start, scene.frame_end)
        with replacing(path) as part:
            return (yield from instancer.write(part, path, scene, shoals, frames, choice.scale, up))


def _painting(meshes: Sequence[bpy.types.Mesh], stack: ExitStack) -> Iterator[tuple[float, str]]:
    """Have these meshes wear pictures until a stack is left."""
    yield 0.0, "Painting pictures"
    for share, name in paint(meshes, stack):
        yield PAINTED * share, f"Painting {name}"


def ending(path: str | os.PathLike[str]) -> str:
    """The ending of a file that can be written and that has one of the formats.

    Raises:
        SceneError: It has another, or cannot be written.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise SceneError(shown(str(path)), f"a name ending in {', '.join(SUFFIXES)}", key="output")
    ensure_writable(path)
    return suffix


@contextmanager
def _chosen(bodies: Sequence[bpy.types.Object]) -> Iterator[None]:
    """Have nothing but these fishes selected, with what carries them, all of which shows; then as it was.

    What is hidden at a frame cannot be selected, and so nobody is who has been eaten by then, or comes later.
    """
    layer = bpy.context.view_layer
    layer.update()  # objects that were linked just now cannot be selected before
    before = [obj for obj in layer.objects if obj.select_get()]
    own = {*bodies, *(carrier for body in bodies for carrier in carriers(body))}
    hidden = [(obj, obj.hide_viewport, obj.hide_render, obj.hide_get()) for obj in own]
    presence = [
        curve
        for obj in own
        for bag in channelbags(obj)
        for curve in bag.fcurves
        if curve.data_path in PRESENCE and not curve.mute
    ]
    try:
        for curve in presence:
            curve.mute = True
        for obj in own:
            obj.hide_viewport = obj.hide_render = False
            obj.hide_set(False)
        layer.update()
        for obj in layer.objects:
            obj.select_set(obj in own)
        yield
    finally:
        for obj in layer.objects:
            obj.select_set(obj in before)
        for curve in presence:
            curve.mute = False
        for obj, *states in hidden:
            obj.hide_viewport, obj.hide_render = states[:2]
            obj.hide_set(states[2])


@contextmanager
def _apart(bodies: Sequence[bpy.types.Object]) -> Iterator[None]:
    """Have each fish a mesh of its own, since in FBX the bones of all that share one move it; then as it was."""
    shared = [body.data for body in bodies]
    try:
        for body in bodies:
            body.data = body.data.copy()
        yield
    finally:
        own = [body.data for body in bodies]
        for body, mesh in zip(bodies, shared, strict=True):
            body.data = mesh
        bpy.data.batch_remove([mesh for mesh in own if mesh not in shared])


@contextmanager
def _span(scene: bpy.types.Scene, frames: tuple[int, int] | None) -> Iterator[None]:
    """Have a scene's film go over these frames; then as it was."""
    before = scene.frame_start, scene.frame_end, scene.frame_current
    try:
        if frames is not None:
            scene.frame_start, scene.frame_end = frames
        yield
    finally:
        scene.frame_start, scene.frame_end = before[:2]
        scene.frame_set(before[2])


def _alembic(path: str, choice: Choice, up: str) -> None:
    bpy.ops.wm.alembic_export(
        filepath=path,
        selected=True,
        global_scale=choice.scale,
        uvs=True,
        normals=True,
        face_sets=True,
        as_background_job=False,
    )


def _usd(path: str, choice: Choice, up: str) -> None:
    options: dict[str, Any] = {"export_armatures": True, "only_deform_bones": False, "export_shapekeys": True}
    if up != "Z":
        forward = {"export_global_forward_selection": FORWARD[up], "export_global_up_selection": up}
        options |= {"convert_orientation": True} | forward
    if choice.scale != 1.0:
        options |= {"convert_scene_units": "CUSTOM", "meters_per_unit": 1.0 / choice.scale}
    bpy.ops.wm.usd_export(
        filepath=path,
        selected_objects_only=True,
        export_animation=True,
        export_materials=True,
        generate_preview_surface=True,
        export_textures_mode="NEW",
        overwrite_textures=True,
        relative_paths=True,
        **options,
    )


def _gltf(path: str, choice: Choice, up: str) -> None:
    bpy.ops.export_scene.gltf(
        filepath=path,
        export_format="GLB",
        use_selection=True,
        export_animation_mode="ACTIONS" if choice.clips else "ACTIVE_ACTIONS",
        export_nla_strips_merged_animation_name="Film",
        export_force_sampling=True,
        export_optimize_animation_size=True,
        export_def_bones=False,
        export_attributes=False,
        export_image_format="AUTO" if choice.textures else "NONE",
    )


def _fbx(path: str, choice: Choice, up: str) -> None:
    bpy.ops.export_scene.fbx(
        filepath=path,
        use_selection=True,
        global_scale=choice.scale,
        object_types={"ARMATURE", "MESH", "EMPTY"},
        path_mode="COPY",
        embed_textures=True,
        add_leaf_bones=False,
        bake_anim_use_all_actions=False,
        bake_anim_use_nla_strips=False,
        bake_anim_simplify_factor=0.0,
        **FBX_AXES[up],
    )


_WRITERS: dict[str, Callable[[str, Choice, str], None]] = {
    ".abc": _alembic,
    ".usdc": _usd,
    ".usdz": _usd,
    ".usda": _usd,
    ".glb": _gltf,
    ".fbx": _fbx,
}
