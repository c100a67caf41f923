"""Small pictures for the asset browser, rendered away from the animator's scene."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isqrt, radians
from pathlib import Path
from tempfile import TemporaryDirectory

import bpy
import numpy as np
from mathutils import Euler, Vector

from ..blender.console import silenced
from ..blender.pixels import loaded, pixels_of
from ..blender.versions import choose_denoiser, shader_tree, use_cycles, write_picture

PORTRAIT_PIXELS = 128
"""Width and height of a picture."""
PORTRAIT_SAMPLES = 12
"""Samples per pixel."""
PORTRAIT_MARGIN = 1.15
"""Width of the picture over that of the fish in it."""
PORTRAIT_VIEW = Euler((radians(72.0), 0.0, radians(-25.0)))
"""Direction from which a fish that heads along x is seen: its right flank, a little from above and from the front."""
PORTRAIT_SUN = Euler((radians(35.0), radians(-20.0), radians(-50.0)))
SEEN_TYPES = "MESH", "CURVE", "SURFACE"
"""Types of objects that the camera is aimed at."""
STRENGTHS = 3.0, 0.6
"""Strengths of the sun, and of the light from all around."""


class Studio:
    """A place where fishes are photographed; `studio` makes one.

    Attributes:
        scene: Its scene, whose camera is aimed at the objects.
    """

    def __init__(self, scene: bpy.types.Scene, folder: Path, pixels: int) -> None:
        """Film in this scene, this many pixels wide and high; `folder` holds a picture until it is read."""
        self.scene, self._folder, self._pixels = scene, folder, pixels

    def portray(self, owner: bpy.types.ID, frame: int) -> None:
        """Give a data block the picture of the objects here at a frame."""
        self.scene.frame_set(frame)
        self._aim()
        self.shoot(owner, self.scene)

    def shoot(self, owner: bpy.types.ID, scene: bpy.types.Scene) -> None:
        """Give a data block the picture that a scene's camera takes of it; the scene keeps the size of the picture."""
        file = self._folder / "portrait.png"
        if scene != self.scene:
            _set_up(scene, self._pixels)
        scene.render.filepath = str(file)
        with silenced():
            bpy.ops.render.render(write_still=True, scene=scene.name)
        with loaded(file) as picture:
            show_by(owner, pixels_of(picture))

    def _aim(self) -> None:
        """Aim the camera at all objects here."""
        graph = self.scene.view_layers[0].depsgraph
        graph.update()
        corners = np.array(
            [
                each.matrix_world @ Vector(corner)
                for each in graph.object_instances  # each is gone once the next comes
                if each.object.type in SEEN_TYPES
                for corner in each.object.bound_box
            ]
        )
        turn = np.array(PORTRAIT_VIEW.to_matrix())
        places = corners @ turn
        low, high = places.min(axis=0), places.max(axis=0)
        size = float((high - low)[:2].max())
        camera = self.scene.camera
        camera.data.ortho_scale = PORTRAIT_MARGIN * size
        camera.location = turn @ (*(low + high)[:2] / 2.0, high[2] + size)
        camera.data.clip_start, camera.data.clip_end = 0.01 * size, 10.0 * size


def _set_up(scene: bpy.types.Scene, pixels: int) -> None:
    """Set a scene's renders to a small square picture."""
    render = scene.render
    render.use_motion_blur = False
    use_cycles(scene)
    render.resolution_x = render.resolution_y = pixels
    render.resolution_percentage = 100
    write_picture(render)
    render.image_settings.color_mode = "RGBA"
    scene.cycles.samples, scene.cycles.use_denoising = PORTRAIT_SAMPLES, choose_denoiser(scene)


def show_by(owner: bpy.types.ID, colours: np.ndarray) -> None:
    """Give a data block a square picture: red, green, blue and alpha of each pixel, bottom row first."""
    pixels = isqrt(colours.size // 4)
    preview = owner.preview_ensure()
    preview.image_size = (pixels, pixels)
    preview.image_pixels_float.foreach_set(colours.ravel())


@contextmanager
def studio(objects: Sequence[bpy.types.Object], pixels: int = 0) -> Iterator[Studio]:
    """A temporary scene with only these objects, for pictures this many pixels wide and high, or the usual."""
    pixels = pixels or PORTRAIT_PIXELS
    there, results = set(bpy.data.images), [image for image in bpy.data.images if image.type == "RENDER_RESULT"]
    slots = [(image.render_slots, image.render_slots.active_index) for image in results]
    for slot, _ in slots:  # the last render stays in its own slot
        slot.active_index = len(slot) - 1
    scene = bpy.data.scenes.new("portrait")
    data: list[bpy.types.ID] = []
    try:
        camera = bpy.data.cameras.new("portrait")
        sun = bpy.data.lights.new("portrait", "SUN")
        data += [camera, sun]
        for block, turn in ((sun, PORTRAIT_SUN), (camera, PORTRAIT_VIEW)):
            stand = bpy.data.objects.new("portrait", block)
            data.insert(0, stand)
            stand.rotation_euler = turn
            scene.collection.objects.link(stand)
        camera.type, sun.energy = "ORTHO", STRENGTHS[0]
        scene.camera = stand
        world = bpy.data.worlds.new("portrait")
        data.append(world)
        scene.world = world
        sky = next(node for node in shader_tree(world).nodes if node.bl_idname == "ShaderNodeBackground")
        sky.inputs["Color"].default_value, sky.inputs["Strength"].default_value = (1.0, 1.0, 1.0, 1.0), STRENGTHS[1]
        for obj in objects:
            scene.collection.objects.link(obj)
        _set_up(scene, pixels)
        scene.render.film_transparent = True
        with TemporaryDirectory() as folder:
            yield Studio(scene, Path(folder), pixels)
    finally:
        bpy.data.scenes.remove(scene)
        bpy.data.batch_remove([*data, *(image for image in bpy.data.images if image not in there)])
        for slot, active in slots:
            slot.active_index = active
