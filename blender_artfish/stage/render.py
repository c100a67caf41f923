"""From a baked .blend to pictures and a movie, by Cycles on the CPU."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import bpy

from ...core.base.codec import Place, SceneError, printable, shown
from ...core.base.files import replacing
from ...core.base.stopping import shielded, unfinished
from ..blender import scenes, versions
from ..blender.colours import show_plainly
from ..blender.console import silenced
from ..identity.film_time import set_rate
from .film import STILL_MARKER

FINE_PIXELS = 640
"""Picture width below which fishes have fewer facets and denoising is faster."""
DRAFT_SAMPLES = 8
"""Samples per pixel up to which denoising is faster: it takes a third of a picture's time otherwise."""
FILE_OUTPUT = "CompositorNodeOutputFile"
"""Blender's name of the compositor node that writes files, to any path."""


def render(
    blend: str | os.PathLike[str],
    out: str | os.PathLike[str],
    frames: tuple[int, int] | None = None,
    samples: int | None = None,
    size: tuple[int, int] | None = None,
    movie: str | os.PathLike[str] | None = None,
    still: str | os.PathLike[str] | None = None,
    seconds: float | None = None,
    progress: Callable[[float, str], None] | None = None,
    scene: str | None = None,
) -> list[Path]:
    """Render a .blend.

    Args:
        blend: The file, as `bake` made it.
        out: An existing folder for the pictures, named by the .blend and the frame.
        frames: First and last frame of the pictures. If left out: the best shot of so many `seconds`, none if only a
            still is requested, or else the whole film.
        samples: Samples per pixel; those of the file if left out.
        size: Width and height in pixels; those of the file if left out.
        movie: An .mp4 to join the pictures to.
        still: A .png for the best frame, as marked by the stage.
        seconds: Length of the shot about that frame, if `frames` is left out.
        progress: Called with the share that is done, 0 to 1, and a text.
        scene: The name of the scene to render; the one that was active when the file was saved if left out.

    Returns:
        The pictures, in the order of their frames.

    No script of the .blend runs, and neither its compositor nor its simulations write files of their own.

    Raises:
        SceneError: The .blend cannot be opened or rendered, the film has no such frames, or a file cannot be written.
    """
    chosen = open_to_render(blend, samples, size, scene)
    film = chosen.frame_start, chosen.frame_end
    if frames is not None and not film[0] <= frames[0] <= frames[1] <= film[1]:
        raise SceneError(f"frames {frames[0]} to {frames[1]}", f"{film[0]} to {film[1]} of the film", file=blend)
    report = progress or (lambda share, doing: None)
    if still is not None:
        report(0.0, "Rendering the still")
        render_picture(chosen, _still_frame(chosen), still)
        if frames is None and movie is None and seconds is None:
            report(1.0, "Done")
            return []
    first, last = frames or _shot(chosen, seconds)
    pictures = []
    for frame in range(first, last + 1):
        report((frame - first) / (last - first + 1), f"Rendering frame {frame} of {first} to {last}")
        pictures.append(Path(out) / f"{Path(blend).stem}-{frame:04d}.png")
        render_picture(chosen, frame, pictures[-1])
    if movie is not None:
        report(0.99, "Joining the movie")
        join(pictures, movie, chosen.render.fps / chosen.render.fps_base)
    report(1.0, "Done")
    return pictures


def join(pictures: Sequence[Path], movie: str | os.PathLike[str], fps: float) -> bool:
    """Join pictures into an .mp4 with Blender's own FFmpeg.

    Returns:
        True if there is a movie; if Blender was built without FFmpeg, a line says so and the pictures remain.
    """
    if not versions.has_ffmpeg():
        folder = pictures[0].parent
        print(f"{movie}: not made, for this Blender has no FFmpeg; the pictures are in {folder}", file=sys.stderr)
        return False
    scene = bpy.data.scenes.new("Movie")
    strip = scene.sequence_editor_create().strips.new_image("Film", str(pictures[0].resolve()), 1, 1)
    for picture in pictures[1:]:
        strip.elements.append(picture.name)
    image = strip.elements[0]
    try:
        film_movie(scene, (image.orig_width, image.orig_height), len(pictures), fps, movie)
    finally:
        bpy.data.scenes.remove(scene)
    return True


def film_movie(
    scene: bpy.types.Scene, size: tuple[int, int], frames: int, fps: float, movie: str | os.PathLike[str]
) -> None:
    """Write the strips of a scene, from frame 1 on, as an .mp4.

    Args:
        scene: The strips' scene.
        size: Width and height of its pictures in pixels.
        frames: Number of frames.
        fps: Frames a second.
        movie: The file, which is written whole or not at all.
    """
    # H.264 wants even numbers of pixels.
    scene.render.resolution_x, scene.render.resolution_y = size[0] // 2 * 2, size[1] // 2 * 2
    scene.render.resolution_percentage = 100
    set_rate(scene, fps)
    scene.frame_start, scene.frame_end = 1, frames
    # The pictures have their look already.
    show_plainly(scene)
    versions.write_movie(scene.render)
    with replacing(movie) as part:
        _film(scene, part)


def open_to_render(
    blend: str | os.PathLike[str],
    samples: int | None = None,
    size: tuple[int, int] | None = None,
    name: str | None = None,
) -> bpy.types.Scene:
    """Open a .blend for rendering; arguments and errors as for `render`.

    Returns:
        Its scene of this name, or the active one.
    """
    scene = _opened(blend, name)
    _switch_off_outputs(blend)
    _set_up(scene, samples, size)
    return scene


def render_picture(scene: bpy.types.Scene, frame: int, picture: str | os.PathLike[str]) -> None:
    """Render a frame of a scene opened to render into a .png, written whole or not at all."""
    scene.frame_set(frame)
    render_shown(scene, picture)


def render_shown(scene: bpy.types.Scene, picture: str | os.PathLike[str]) -> None:
    """Render what a scene opened to render shows into a .png, written whole or not at all."""
    scene.render.use_file_extension = False
    with replacing(picture) as part, _stoppable():
        scene.render.filepath = str(part.resolve())
        bpy.ops.render.render(write_still=True, scene=scene.name)


@contextmanager
def _stoppable() -> Iterator[None]:
    """Have Blender work without output and with Ctrl-C, and clean up its files if a command gives up."""
    scratch = Path(bpy.app.tempdir)
    own = scratch.name.startswith("blender_")  # not the folder that all programs share
    if own:
        unfinished.add(scratch)
    try:
        with shielded(abandons=True), silenced():
            yield
    finally:
        unfinished.discard(scratch)


def _opened(blend: str | os.PathLike[str], name: str | None) -> bpy.types.Scene:
    loaded = bpy.app.handlers.load_post
    loaded.append(_switch_off_caches)
    try:
        with _stoppable():
            bpy.ops.wm.open_mainfile(filepath=os.path.abspath(blend), load_ui=False, use_scripts=False)
    except RuntimeError as error:
        raise SceneError(str(error).strip(), "a .blend made by artfish bake", file=blend) from None
    finally:
        loaded.remove(_switch_off_caches)
    try:
        scene = scenes.called(name)
    except SceneError as error:
        raise error.within(Place(os.fspath(blend))) from None
    if scene.camera is None:
        there = scenes.others(scene, lambda each: each.camera is not None)
        found = f"no camera in the scene {shown(scene.name)}"
        raise SceneError(found, f"a scene with one: {there}" if there else "a .blend with a camera", "scene", blend)
    return scene


def _set_up(scene: bpy.types.Scene, samples: int | None, size: tuple[int, int] | None) -> None:
    versions.use_cycles(scene)
    scene.cycles.device = "CPU"
    scene.cycles.use_denoising = versions.choose_denoiser(scene)
    # Static objects are prepared once.
    scene.render.use_persistent_data = True
    if samples is not None:
        scene.cycles.samples = samples
    if size is not None:
        scene.render.resolution_x, scene.render.resolution_y = size
        scene.render.resolution_percentage = 100
    is_small = scene.render.resolution_x * scene.render.resolution_percentage / 100 < FINE_PIXELS
    if is_small or scene.cycles.samples <= DRAFT_SAMPLES:
        # Few samples of a moving fish are too noisy to guide the denoiser directly.
        scene.cycles.denoising_prefilter, scene.cycles.denoising_quality = "ACCURATE", "FAST"
        scene.cycles.denoising_input_passes = "RGB_ALBEDO"
    if is_small:
        for curve in bpy.data.curves:
            curve.render_resolution_u = curve.render_resolution_v = min(3, curve.render_resolution_u or 3)
    versions.write_picture(scene.render)


def _switch_off_outputs(blend: str | os.PathLike[str]) -> None:
    """Disable compositor nodes that write files where the .blend says, with a message."""
    found = [(tree, node) for tree in versions.compositors() for node in tree.nodes if node.bl_idname == FILE_OUTPUT]
    names = ", ".join(sorted({node.name for _, node in found}))
    for tree, node in found:
        tree.nodes.remove(node)  # only in memory; the .blend keeps it
    if found:
        line = f"{os.fspath(blend)}: its compositor writes files too ({names:.200}), which is off for this render"
        print(printable(line), file=sys.stderr)


@bpy.app.handlers.persistent
def _switch_off_caches(*_: object) -> None:
    """Keep simulations that have not run from writing where the .blend says; baked data is read from there.

    Called before Blender evaluates a scene it has opened, since that runs its simulations.
    """
    for cache in _point_caches():
        if not cache.is_baked:
            cache.use_disk_cache = False
    for obj in bpy.data.objects:
        for modifier in obj.modifiers:
            domain = modifier.domain_settings if modifier.type == "FLUID" else None
            if domain is not None and domain.cache_type == "REPLAY":
                domain.cache_directory = bpy.app.tempdir


def _point_caches() -> Iterator[bpy.types.PointCache]:
    """The point caches of simulations."""
    for scene in bpy.data.scenes:
        if scene.rigidbody_world is not None:
            yield scene.rigidbody_world.point_cache
    for obj in bpy.data.objects:
        yield from (system.point_cache for system in obj.particle_systems)
        for modifier in obj.modifiers:
            if modifier.type in ("CLOTH", "SOFT_BODY"):
                yield modifier.point_cache
            elif modifier.type == "DYNAMIC_PAINT" and modifier.canvas_settings is not None:
                yield from (surface.point_cache for surface in modifier.canvas_settings.canvas_surfaces)


def _still_frame(scene: bpy.types.Scene) -> int:
    marker = scene.timeline_markers.get(STILL_MARKER)
    return marker.frame if marker else scene.frame_current


def _shot(scene: bpy.types.Scene, seconds: float | None) -> tuple[int, int]:
    """First and last frame of so many seconds about the still, within the film; the whole film if none are given."""
    first, last = scene.frame_start, scene.frame_end
    if seconds is None:
        return first, last
    count = max(1, min(round(seconds * scene.render.fps / scene.render.fps_base), last - first + 1))
    begin = min(max(_still_frame(scene) - count // 2, first), last - count + 1)
    return begin, begin + count - 1


def _film(scene: bpy.types.Scene, path: Path) -> None:
    scene.render.filepath = str(path.resolve())
    scene.render.use_file_extension = False
    with _stoppable():
        bpy.ops.render.render(animation=True, scene=scene.name)
