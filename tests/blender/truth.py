"""The truth about a picture by Blender alone: what Cycles sees, one ray in the middle of each pixel, and cast rays."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np

from artfish.blender_artfish.blender.console import silenced
from artfish.core.dataset.raster import Raster

SURFACES = "MESH", "SURFACE", "CURVE"
MOST_CLEAR = 40
"""Most surfaces of what is no solid that a ray goes through."""


def is_solid(obj: bpy.types.Object) -> bool:
    """True for what casts shadows and is shown to cameras."""
    return bool(obj.visible_shadow and obj.visible_camera and obj.display_type == "TEXTURED" and not obj.hide_render)


def silhouette(scene: bpy.types.Scene, path: Path) -> np.ndarray:
    """Pixels in which Cycles sees anything that is not cut out, (rows, columns): all is white, the world is clear."""
    white = bpy.data.materials.new("white")
    white.use_nodes = True
    nodes = white.node_tree.nodes
    nodes.clear()
    light, end = nodes.new("ShaderNodeEmission"), nodes.new("ShaderNodeOutputMaterial")
    white.node_tree.links.new(light.outputs[0], end.inputs["Surface"])
    layer = scene.view_layers[0]
    layer.material_override = white
    scene.render.film_transparent, scene.cycles.use_denoising = True, False
    scene.cycles.samples, scene.cycles.use_adaptive_sampling = 1, False
    scene.cycles.pixel_filter_type, scene.cycles.filter_width = "BOX", 0.01
    scene.render.image_settings.file_format, scene.render.image_settings.color_mode = "PNG", "RGBA"
    scene.render.filepath = str(path)
    with silenced():
        bpy.ops.render.render(write_still=True)
    layer.material_override = None
    image = bpy.data.images.load(str(path))
    columns, rows = image.size
    pixels = np.empty(rows * columns * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(rows, columns, 4)[::-1, :, 3] > 0.5


def wrong_depths(scene: bpy.types.Scene, raster: Raster, matrix: np.ndarray, rays: int, margin: int = 0) -> float:
    """Share of some rays that meet something else than the raster has there, by more than a hundredth of the depth.

    Args:
        scene: The scene at its frame.
        raster: The raster of its camera.
        matrix: From the world to the camera's axes, (3, 4).
        rays: How many rays.
        margin: Pixels at the picture's edge that are left out.
    """
    depsgraph = bpy.context.evaluated_depsgraph_get()
    axes, origin = matrix[:, :3], -matrix[:, :3].T @ matrix[:, 3]
    optics, dice, wrong = raster.optics, np.random.default_rng(1), 0
    rows = dice.integers(margin, optics.height - margin, rays)
    columns = dice.integers(margin, optics.width - margin, rays)
    for row, column in zip(rows, columns, strict=True):
        way = axes.T @ np.append(optics.rays(np.array([column + 0.5, row + 0.5])), 1.0)
        start, depth = origin, np.inf
        for _ in range(MOST_CLEAR):
            hit, place, _, _, obj, _ = scene.ray_cast(depsgraph, start.tolist(), way.tolist())
            if not hit:
                break
            if is_solid(obj):
                depth = float((matrix @ [*place, 1.0])[2])
                break
            start = np.array(place) + 1e-4 * way
        found = float(raster.depths[row, column])
        wrong += not (found == depth or abs(found / depth - 1.0) < 0.01)
    return wrong / rays
