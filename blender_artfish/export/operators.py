"""Operator that writes baked fishes of the open scene into a file for another program, as set in the panel."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import bpy

from ..blender.file_names import with_ending
from ..blender.jobs import Job, JobOutcome, Steps, Work
from ..blender.messages import plain
from ..blender.words import Message, counted

if TYPE_CHECKING:
    from .exporting import Choice


class ARTFISH_OT_export(Work, bpy.types.Operator):
    """Write baked fishes into a file for another program; the scene stays as it is"""

    bl_idname = "artfish.export"
    bl_label = "Export Fishes"
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> Message:
        """There must be fishes that the format supports."""
        return "Go to Object Mode to export" if context.mode != "OBJECT" else obstacle_of(context.scene)

    def new_job(self, context: bpy.types.Context) -> Job[JobOutcome]:
        """The export, as a job."""
        return Job(partial(_write, context.scene))


def choice_of(scene: bpy.types.Scene) -> Choice:
    """The choice set in a scene's panel.

    Raises:
        SceneError: It is by collection and none is chosen.
    """
    from ...core.base.codec import SceneError
    from .exporting import FIXED_SCALE, FIXED_UP, Choice

    panel = scene.artfish.export
    select = panel.who
    if select == "shoal":
        if panel.shoal is None:
            raise SceneError("no collection", "that of a species, or another with fishes", key="shoal")
        select = panel.shoal.name
    return Choice(
        frames=(panel.first, panel.last) if panel.own_range else None,
        select=select,
        scale=float(f"{panel.scale:.6g}") if panel.format not in FIXED_SCALE else 1.0,
        up=None if panel.up == "AUTO" or panel.format in FIXED_UP else panel.up,
        textures=panel.textures,
    )


def path_of(scene: bpy.types.Scene) -> Path:
    """The file set in a scene's panel.

    Raises:
        SceneError: No file is set, or it is relative to a .blend that is not saved yet.
    """
    from ...core.base.codec import SceneError
    from .exporting import SUFFIXES

    name = scene.artfish.export.file
    if not name.strip("/ "):
        raise SceneError("no name", "where it is to be written", key="file")
    if name.startswith("//") and not bpy.data.filepath:
        raise SceneError("a file beside this .blend, which is not saved", "save it first, or name a folder", key="file")
    return with_ending(bpy.path.abspath(name), scene.artfish.export.format, SUFFIXES)


def obstacle_of(scene: bpy.types.Scene) -> Message:
    """The reason why the panel cannot export, in a line; "" if it can."""
    from ...core.base.codec import SceneError
    from .exporting import chosen

    try:
        chosen(scene, scene.artfish.export.format, choice_of(scene))
        path_of(scene)
    except SceneError as error:
        return plain(error)
    return ""


def _write(scene: bpy.types.Scene, job: Job[JobOutcome]) -> Steps[Callable[[], JobOutcome]]:
    """Write the file; there is nothing to commit."""
    from .exporting import exporting

    path = path_of(scene)
    with closing(exporting(scene, path, choice_of(scene))) as steps:
        while True:
            try:
                share, text = next(steps)
            except StopIteration as end:
                count = end.value
                break
            job.announce(share, text)
            yield
    return lambda: JobOutcome(
        counted(count, "Wrote {count} fish into {file}", "Wrote {count} fishes into {file}", file=path.name)
    )


CLASSES = (ARTFISH_OT_export,)
