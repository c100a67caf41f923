"""A scene as its renderer sees it at a frame: as a picture, and as evaluated data; the scene stays as it was."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import bpy

from ...core.base.codec import SceneError, shown
from ...core.base.files import replacing
from ..blender.console import silenced
from ..blender.versions import write_picture

T = TypeVar("T")
RENDER_SETTINGS = (
    *("engine", "filepath", "use_file_extension", "use_border", "use_compositing", "use_sequencer"),
    *("use_multiview", "use_stamp"),
)
"""The render settings that are changed while a scene is looked at."""
PICTURE_SETTINGS = "media_type", "file_format", "color_mode", "color_depth", "compression", "quality"
"""The settings of pictures that are changed, each after those on which its values depend."""
ENGINE_SAMPLES = {
    "CYCLES": ("cycles", "samples"),
    "BLENDER_EEVEE": ("eevee", "taa_render_samples"),
    "BLENDER_EEVEE_NEXT": ("eevee", "taa_render_samples"),
}
"""Where each engine has its samples per pixel."""


class LookingEngine(bpy.types.RenderEngine):
    """An engine that makes no picture, but looks at what Blender has evaluated for one."""

    bl_idname = "ARTFISH_LOOKING"
    bl_label = "Artfish Labels"
    look: Callable[[bpy.types.Depsgraph], None] | None = None

    def render(self, depsgraph: bpy.types.Depsgraph) -> None:  # type: ignore[override]
        """Looks."""
        if LookingEngine.look is not None:
            LookingEngine.look(depsgraph)


@contextmanager
def left_alone(scene: bpy.types.Scene) -> Iterator[None]:
    """Within this block a scene may be given a frame, a camera and other settings of renders; then it is as before."""
    render = scene.render
    holders: list[tuple[Any, tuple[str, ...]]] = [(render.image_settings, PICTURE_SETTINGS), (render, RENDER_SETTINGS)]
    if sampled := sampling(scene):
        holders.append((sampled[0], (sampled[1],)))
    before = [(of, name, getattr(of, name)) for of, names in holders for name in names if hasattr(of, name)]
    camera, frame, cuts = scene.camera, scene.frame_float, [(cut, cut.camera) for cut in scene.timeline_markers]
    try:
        yield
    finally:
        for of, name, value in before:
            setattr(of, name, value)
        for cut, own in cuts:
            if cut.camera != own:
                cut.camera = own
        if bpy.app.background:  # what is animated shows the frame again; in a window drawing sees to that
            scene.frame_set(int(frame // 1), subframe=frame % 1)
        else:
            scene.frame_float = frame
        scene.camera = camera


def sampling(scene: bpy.types.Scene) -> tuple[Any, str] | None:
    """The settings with the samples per pixel of a scene's engine, and their name there; None if it has none."""
    found = ENGINE_SAMPLES.get(scene.render.engine)
    return None if found is None or not hasattr(scene, found[0]) else (getattr(scene, found[0]), found[1])


def film_by(scene: bpy.types.Scene, camera: bpy.types.Object, frame: int) -> None:
    """Have the next render of a scene show a frame by a camera, whatever its cuts are."""
    for cut in scene.timeline_markers:
        if cut.camera is not None:
            cut.camera = None
    scene.frame_current = frame
    scene.camera = camera
    scene.render.use_border = scene.render.use_multiview = scene.render.use_stamp = False
    scene.render.use_sequencer = False


def picture(scene: bpy.types.Scene, path: Path) -> bool:
    """Render a scene into a .png, written whole or not at all; returns whether it was, as Esc stops a render.

    Raises:
        SceneError: It cannot be rendered, or written.
    """
    write_picture(scene.render)
    scene.render.image_settings.color_depth = "8"
    scene.render.use_file_extension = False
    with TemporaryDirectory(prefix="artfish") as room:
        plain = Path(room, "picture.png")
        scene.render.filepath = str(plain)
        _render(scene, write=True)
        if not plain.is_file():
            return False
        with replacing(path) as part:
            shutil.copyfile(plain, part)
    return True


def looked_at(scene: bpy.types.Scene, look: Callable[[bpy.types.Depsgraph], T]) -> T:
    """The result of a function of all that is evaluated for a render of a scene's first view layer.

    Raises:
        SceneError: It cannot be rendered.
    """
    found: list[T] = []
    failed: list[BaseException] = []

    def once(depsgraph: bpy.types.Depsgraph) -> None:
        if found or failed:
            return
        try:
            found.append(look(depsgraph))
        except BaseException as error:  # raised again below: Blender would only print it
            failed.append(error)

    bpy.utils.register_class(LookingEngine)
    engine, LookingEngine.look = scene.render.engine, once
    try:
        scene.render.engine = LookingEngine.bl_idname  # type: ignore[assignment]  # one of ours
        scene.render.use_compositing = False
        _render(scene)
    finally:
        LookingEngine.look = None
        scene.render.engine = engine
        bpy.utils.unregister_class(LookingEngine)
    if failed:
        raise failed[0]
    if not found:
        raise SceneError("a render that was stopped", "one of a view layer that is used", key="scene")
    return found[0]


def _render(scene: bpy.types.Scene, write: bool = False) -> None:
    try:
        with silenced():
            bpy.ops.render.render(scene=scene.name, write_still=write)
    except RuntimeError as error:
        why = " ".join(str(error).split())
        raise SceneError(shown(why), "a scene that can be rendered", key="scene") from error
