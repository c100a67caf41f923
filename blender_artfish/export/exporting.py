"""Baked fishes into files of other programs, by Blender's own exporters, set to preserve the motion."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ...core.base.codec import Place, SceneError, shown
from ...core.base.files import ensure_writable, replacing
from ..blender.pictures import pictures_alone
from ..blender.scenes import called
from ..blender.words import translated
from . import glb, instancer, visibility
from .choosing import ALL, crowds, film, fishes, missing
from .counting import count, instanced
from .doubles import ABSENT_HIDDEN, ABSENT_LEFT, ABSENT_SIZELESS, ExportStage, Meshes, bones_of, copied, doubled
from .instancer import PAINTED
from .pictures import paint, simplify
from .velocities import HALF, velocities

SUFFIXES = ".abc", ".usdc", ".usdz", ".usda", ".glb", ".fbx"
"""Endings of the files that fishes are exported to."""
WITH_BONES = ".glb", ".fbx"
"""Formats whose fishes must have bones."""
WITH_PICTURES = ".usdc", ".usdz", ".usda", ".glb", ".fbx"
"""Formats that hold materials."""
WITH_PATHS = ".abc", ".usdc", ".usdz", ".usda"
"""Formats that address objects by the names of all their parents."""
WITH_VISIBILITY = ".usdc", ".usdz", ".usda"
"""Formats in which what is seen is written after Blender's exporter."""
OF_CROWDS = ".usda"
"""The format of crowds."""
AXIS_UP = {".abc": "Y", ".usdc": "Z", ".usdz": "Z", ".usda": "Z", ".glb": "Y", ".fbx": "Y"}
"""Default up axis of a file."""
FIXED_UP = {".abc": "Alembic", ".glb": "glTF"}
"""Formats whose up axis is fixed."""
FIXED_SCALE = (".glb",)
"""Formats whose lengths are metres."""
WITH_METRES = ".usdc", ".usdz", ".usda", ".glb"
"""Formats that say how long their units are, but in whose files Blender's exporter takes any unit for a metre."""
FORWARD = {"Y": "NEGATIVE_Z", "Z": "Y"}
"""Axis in a file for Blender's Y, the direction ahead, by the up axis."""
FBX_AXES: dict[str, Any] = {
    "Y": {"axis_forward": "-Z", "axis_up": "Y"},
    "Z": {"axis_forward": "Y", "axis_up": "Z"},
}

Steps = Generator[tuple[float, str], None, int]
"""Work that yields the share done and a text now and then, and returns the number of fishes written."""


@dataclass(frozen=True)
class Choice:
    """The choice of fishes to export, and options.

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
    scene: str | None = None,
    progress: Callable[[float, str], None] | None = None,
) -> int:
    """Write baked fishes of the open scene to a file.

    Args:
        path: The file; its ending gives the format.
        frames: First and last frame; those of the scene if left out.
        select: "all", "selected", or the name of a fish, of what it hangs on, or of a collection.
        scale: Factor on all lengths.
        up: The axis that points up in the file, "Y" or "Z"; the format's own if left out.
        textures: Whether materials become pictures.
        clips: Whether in glTF each action of a fish is a clip by its own name; else all fishes swim in one, "Film".
        scene: The name of the scene of the file; that of the active one if left out.
        progress: Called with the share that is done and a text.

    Returns:
        Number of fishes written.

    Raises:
        SceneError: There is no such scene, fish or frame, the bake has another form, or the file cannot be written.
    """
    steps = exporting(called(scene), path, Choice(frames, select, scale, up, textures, clips))
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
    ending(path)  # before the open file is discarded
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
    """Write baked fishes of a scene in steps; arguments and errors as for `export`."""
    suffix, path = ending(path), Path(path)
    shoals, bodies = chosen(scene, suffix, choice)
    up = choice.up or AXIS_UP[suffix]
    if shoals:
        return (yield from _instances(scene, path, shoals, choice, up))
    return (yield from _bodies(scene, path, bodies, choice, up))


def chosen(
    scene: bpy.types.Scene, suffix: str, choice: Choice
) -> tuple[list[bpy.types.Object], list[bpy.types.Object]]:
    """The crowds, or the mesh fishes, that are written to a format.

    Raises:
        SceneError: There is none, or the format does not support them.
    """
    if suffix in FIXED_UP and choice.up not in (None, AXIS_UP[suffix]):
        raise SceneError(
            translated("{up} for {suffix}", up=choice.up, suffix=suffix),
            translated(
                "{axis_up}, the axis that is up in {fixed_up}", axis_up=AXIS_UP[suffix], fixed_up=FIXED_UP[suffix]
            ),
            key="axis",
        )
    if suffix in FIXED_SCALE and choice.scale != 1.0:
        raise SceneError(
            translated("{scale:g} for {suffix}", scale=choice.scale, suffix=suffix),
            "1, since lengths in glTF are metres",
            key="scale",
        )
    shoals, bodies = crowds(scene, choice.select), fishes(scene, choice.select)
    if (span := choice.frames) is not None:
        _refuse_frames(span, film(scene, [*shoals, *bodies]))
    if shoals and bodies:
        raise SceneError("a crowd beside other fishes", "one or the other: choose which by selecting it")
    if not shoals and not bodies:
        raise missing(scene, choice.select)
    if shoals and suffix != OF_CROWDS:
        raise SceneError(
            translated("a crowd for {suffix}", suffix=suffix),
            translated("{of_crowds} for a crowd, or a bake of the form Mesh", of_crowds=OF_CROWDS),
        )
    stiff = [body.name for body in bodies if bones_of(body) is None]
    if stiff and suffix in WITH_BONES:
        raise SceneError(
            translated("{stiff!r} without bones", stiff=stiff[0]),
            translated("for {suffix} a bake of the form Mesh driven by an Armature", suffix=suffix),
        )
    return shoals, bodies


def _refuse_frames(span: tuple[int, int], film: tuple[int, int]) -> None:
    """Refuse frames outside a film."""
    if span[0] > span[1]:
        raise SceneError(f"{span[0]}-{span[1]}", "a last frame that is not before the first", key="frames")
    if not film[0] <= span[0] <= span[1] <= film[1]:
        raise SceneError(
            f"{span[0]}-{span[1]}",
            translated("frames of the film, {first}-{last}", first=film[0], last=film[1]),
            key="frames",
        )


def _bodies(scene: bpy.types.Scene, path: Path, bodies: Sequence[bpy.types.Object], choice: Choice, up: str) -> Steps:
    """Write mesh fishes."""
    suffix = ending(path)
    first, last = choice.frames or (scene.frame_start, scene.frame_end)
    times = np.arange(first, last + 1.0)
    if suffix == ".abc":  # whose velocities need moments between frames
        times = np.arange(first, last + HALF, HALF)
    with ExitStack() as stack:
        stack.enter_context(pictures_alone())
        clips = choice.clips and suffix == ".glb"
        own: list[Any] = [body.data for body in bodies]
        meshes: Meshes = {mesh: mesh for mesh in own} if clips else stack.enter_context(copied(own))
        if suffix in WITH_PICTURES:
            yield from _dressing(list(meshes.values()), choice.textures, stack)
        yield PAINTED, translated("Writing {path}", path=path.name)
        if clips:
            stage = ExportStage(scene, tuple(scene.objects), tuple(bodies), scene.frame_start)
        else:
            begin = 0 if suffix == ".glb" else first
            plain, absence = suffix in WITH_PATHS, _absence(suffix)
            apart, in_metres = suffix == ".fbx", suffix in WITH_METRES
            double = doubled(scene, bodies, meshes, times, begin, apart, plain, absence, in_metres)
            stage = stack.enter_context(double)
        if suffix == ".abc":
            stack.enter_context(velocities(stage.scene, stage.bodies))
        rate = scene.render.fps / scene.render.fps_base
        with replacing(path) as part, _on(stage, 1.0 if suffix == ".glb" else scene.render.fps_base):
            file = part.with_suffix(suffix)
            _WRITERS[suffix](str(file), choice, up)
            if suffix == ".glb":
                glb.tidy(file, stage.scene.render.fps / rate)
            elif suffix in WITH_VISIBILITY:
                visibility.write(file, {body.name: absent for body, absent in stage.absent.items()}, first)
            written = count(file, stage.bodies)
            if written < len(bodies):
                raise SceneError(
                    translated("{written} of {count} fishes in what Blender wrote", written=written, count=len(bodies)),
                    "all",
                    key=path.name,
                )
            if file != part:
                os.replace(file, part)
    return written


def _absence(suffix: str) -> str:
    """The form that the absence of a fish takes in a format."""
    if suffix == ".abc":
        return ABSENT_HIDDEN
    return ABSENT_LEFT if suffix in WITH_VISIBILITY and visibility.usd_library() is not None else ABSENT_SIZELESS


def _instances(
    scene: bpy.types.Scene, path: Path, shoals: Sequence[bpy.types.Object], choice: Choice, up: str
) -> Steps:
    """Write crowds."""
    with ExitStack() as stack:
        stack.enter_context(pictures_alone())
        dress = stack.enter_context(copied([instancer.worn(crowd) for crowd in shoals]))
        yield from _dressing(list(dress.values()), choice.textures, stack)
        yield PAINTED, translated("Writing {path}", path=path.name)
        frames = choice.frames or (scene.frame_start, scene.frame_end)
        with replacing(path) as part:
            yield from instancer.write(part, path, scene, shoals, frames, choice.scale, up, dress)
            return instanced(part)


def _dressing(meshes: Sequence[bpy.types.Mesh], pictures: bool, stack: ExitStack) -> Iterator[tuple[float, str]]:
    """Have these meshes wear baked pictures, or colours alone, until the stack is closed."""
    if not pictures:
        return simplify(meshes, stack)
    yield 0.0, translated("Painting pictures")
    for share, name in paint(meshes, stack):
        yield PAINTED * share, translated("Painting {name}", name=name)


def ending(path: str | os.PathLike[str]) -> str:
    """The ending of a writable file of a supported format.

    Raises:
        SceneError: The format is not supported, or the file cannot be written.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise SceneError(
            shown(str(path)), translated("a name ending in {names}", names=", ".join(SUFFIXES)), key="output"
        )
    ensure_writable(path)
    return suffix


@contextmanager
def _on(stage: ExportStage, base: float) -> Iterator[None]:
    """Show Blender's exporters a stage, with all its objects selected, for the duration of the block.

    The base of its frame rate is changed meanwhile, since the glTF exporter multiplies by it.
    """
    scene, layer = stage.scene, stage.scene.view_layers[0]
    window = bpy.context.window or bpy.context.window_manager.windows[0]
    before, true, frame = window.scene, scene.render.fps_base, scene.frame_current
    try:
        scene.render.fps_base = base
        scene.frame_set(stage.rest)
        for obj in stage.objects:
            obj.select_set(True, view_layer=layer)
        window.scene = scene
        with bpy.context.temp_override(window=window, scene=scene, view_layer=layer):
            yield
    finally:
        window.scene = before
        scene.render.fps_base = true
        scene.frame_set(frame)


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
        convert_world_material=False,
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
        use_active_scene=True,
        export_current_frame=True,
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
