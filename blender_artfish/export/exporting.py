"""Baked fishes into files of other programs, by Blender's own exporters, set so that what swims here swims there."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import bpy

from ...core.base.codec import Place, SceneError, shown
from ...core.base.files import ensure_writable, replacing
from ..identity import provenance
from . import glb
from .pictures import painted

SUFFIXES = ".abc", ".usdc", ".usdz", ".glb", ".fbx"
"""Of files that fishes are exported to."""
WITH_BONES = ".glb", ".fbx"
"""Those whose fishes have to have bones."""
WITH_PICTURES = ".usdc", ".usdz", ".glb", ".fbx"
"""Those that hold materials."""
ALL = "all"


def export(
    path: str | os.PathLike[str],
    *,
    frames: tuple[int, int] | None = None,
    select: str = ALL,
    scale: float = 1.0,
    clips: bool = False,
    progress: Callable[[float, str], None] | None = None,
) -> int:
    """Write baked fishes of the open scene.

    Args:
        path: The file; its ending says which format.
        frames: First and last frame; those of the scene if left out.
        select: "all", or the name of a fish, or of a species as its collection is called.
        scale: Factor on all lengths.
        clips: Whether in glTF each action of a fish is a clip by its own name; else all fishes swim in one, "Film".
        progress: Called with the share that is done and what is being done.

    Returns:
        How many fishes were written.

    Raises:
        SceneError: There is no such fish, the bake has another form, or the file cannot be written.
    """
    suffix = _suffix(path)
    scene = bpy.context.scene
    bodies = fishes(scene, select)
    if suffix in WITH_BONES:
        stiff = [body.name for body in bodies if body.parent is None or body.parent.type != "ARMATURE"]
        if stiff:
            raise SceneError(
                f"{stiff[0]!r} without bones", f"for {suffix} a bake of the form Mesh driven by an Armature"
            )
    say = progress or (lambda share, text: None)
    say(0.0, "Painting pictures")
    meshes: Any = list(dict.fromkeys(body.data for body in bodies)) if suffix in WITH_PICTURES else []
    apart = _apart(bodies) if suffix == ".fbx" else nullcontext()
    with painted(meshes), apart, _chosen(scene, bodies), _span(scene, frames):
        say(0.2, f"Writing {Path(path).name}")
        with replacing(path) as part:
            file = part.with_suffix(suffix)
            if clips and suffix == ".glb":
                _gltf(str(file), scale, "ACTIONS")
            else:
                _WRITERS[suffix](str(file), scale)
            if suffix == ".glb":
                glb.tidy(file)
            if file != part:
                os.replace(file, part)
    return len(bodies)


def export_file(
    blend: str | os.PathLike[str],
    path: str | os.PathLike[str],
    frames: tuple[int, int] | None = None,
    select: str = ALL,
    scale: float = 1.0,
    progress: Callable[[float, str], None] | None = None,
) -> int:
    """Write baked fishes of a .blend, which replaces what is open in this Blender; arguments as for `export`."""
    _suffix(path)  # before the file that is open is given up
    try:
        bpy.ops.wm.open_mainfile(filepath=str(blend), use_scripts=False, load_ui=False)
    except RuntimeError as error:
        raise SceneError(
            str(error).strip().splitlines()[-1], "a .blend made by artfish bake", file=str(blend)
        ) from None
    try:
        return export(path, frames=frames, select=select, scale=scale, progress=progress)
    except SceneError as error:
        raise error.within(Place(str(blend))) from None


def _suffix(path: str | os.PathLike[str]) -> str:
    """The ending of a file that can be written and that has one of the formats."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise SceneError(shown(str(path)), f"a name ending in {', '.join(SUFFIXES)}", key="output")
    ensure_writable(path, suffix)
    return suffix


def fishes(scene: bpy.types.Scene, select: str = ALL) -> list[bpy.types.Object]:
    """The meshes of baked fishes of a scene.

    Args:
        scene: The scene.
        select: "all", or the name of a fish, or of a species as its collection is called.

    Raises:
        SceneError: There is none.
    """
    every = [obj for obj in scene.objects if obj.type == "MESH" and _is_body(obj)]
    if not every:
        others = [obj for obj in scene.objects if obj.get(provenance.ROLE)]
        found = "fishes that are surfaces or a crowd" if others else "no baked fishes"
        raise SceneError(found, "a bake of the form Mesh")
    if select == ALL:
        return every
    named = [obj for obj in every if select in (obj.name, obj.parent and obj.parent.name)]
    within = bpy.data.collections.get(select)
    if within is not None:
        own = set(within.all_objects)
        named += [obj for obj in every if obj in own and obj not in named]
    if not named:
        raise SceneError(shown(select), "the name of a fish or of a species' collection, such as " + every[0].name)
    return named


def _is_body(obj: bpy.types.Object) -> bool:
    return re.fullmatch(r"fish \S+ \d+( mesh)?", str(provenance.of(obj, provenance.ROLE) or "")) is not None


@contextmanager
def _chosen(scene: bpy.types.Scene, bodies: Sequence[bpy.types.Object]) -> Iterator[None]:
    """Have nothing but these fishes selected, with what carries them; then as it was."""
    layer = bpy.context.view_layer
    layer.update()  # objects that were linked just now cannot be selected before
    before = [obj for obj in layer.objects if obj.select_get()]
    carriers = {parent for body in bodies for parent in _carriers(body)}
    try:
        for obj in layer.objects:
            obj.select_set(obj in carriers or obj in bodies)
        yield
    finally:
        for obj in layer.objects:
            obj.select_set(obj in before)


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


def _carriers(obj: bpy.types.Object) -> Iterator[bpy.types.Object]:
    while obj.parent is not None:
        obj = obj.parent
        yield obj


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


def _alembic(path: str, scale: float) -> None:
    bpy.ops.wm.alembic_export(
        filepath=path,
        selected=True,
        global_scale=scale,
        uvs=True,
        normals=True,
        face_sets=True,
        as_background_job=False,
    )


def _usd(path: str, scale: float) -> None:
    options: dict[str, Any] = {"export_armatures": True, "only_deform_bones": False, "export_shapekeys": True}
    if scale != 1.0:
        options |= {"convert_scene_units": "CUSTOM", "meters_per_unit": 1.0 / scale}
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


def _gltf(path: str, scale: float, mode: Any = "ACTIVE_ACTIONS") -> None:
    if scale != 1.0:
        raise SceneError(f"{scale:g} for .glb", "1, since lengths in glTF are metres", key="scale")
    bpy.ops.export_scene.gltf(
        filepath=path,
        export_format="GLB",
        use_selection=True,
        export_animation_mode=mode,
        export_nla_strips_merged_animation_name="Film",
        export_force_sampling=True,
        export_optimize_animation_size=True,
        export_def_bones=False,
        export_attributes=False,
    )


def _fbx(path: str, scale: float) -> None:
    bpy.ops.export_scene.fbx(
        filepath=path,
        use_selection=True,
        global_scale=scale,
        object_types={"ARMATURE", "MESH", "EMPTY"},
        path_mode="COPY",
        embed_textures=True,
        add_leaf_bones=False,
        bake_anim_use_all_actions=False,
        bake_anim_use_nla_strips=False,
        bake_anim_simplify_factor=0.0,
    )


_WRITERS: dict[str, Callable[[str, float], None]] = {
    ".abc": _alembic,
    ".usdc": _usd,
    ".usdz": _usd,
    ".glb": _gltf,
    ".fbx": _fbx,
}
