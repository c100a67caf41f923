"""A small baked film in an open scene, as panels find it, and what its data set says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from artfish.blender_artfish.bake import history
from artfish.blender_artfish.bake.order import Order
from artfish.blender_artfish.bake.writer import bake_job
from artfish.blender_artfish.dataset.pictures import read_pixels
from artfish.core.base.files import read_json
from artfish.core.dataset.rle import decoded
from artfish.core.recording import Recording

WIDE, HIGH = 128, 72
AWAY = 1.0
"""Metres from the camera to the middle of the fishes."""


def together(recording: Recording) -> Recording:
    """The same fishes near to each other at the first frame."""
    nodes, fishes = recording.nodes.astype(float), len(recording.species)
    goals = np.array([[4.0 + 0.3 * (row - 0.5 * (fishes - 1)), 4.0, 2.0 + 0.15 * (row % 2)] for row in range(fishes)])
    return replace(recording, nodes=nodes + (goals - nodes[0].mean(axis=1))[None, :, None])


def bake_film(
    recording: Recording,
    form: str = "mesh",
    unit: float = 1.0,
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0),
    **options: Any,
) -> history.Bake:
    """Bakes a recording into the open scene, and films it by a camera before a white world; returns the bake."""
    recording, scene = together(recording), bpy.context.scene
    scene.unit_settings.system, scene.unit_settings.scale_length = "METRIC", unit
    key = f"film{recording.frames}{len(recording.species)}"
    order = Order(form, stage=False, time=False, unit=unit, origin=origin, id=history.new_id(key), **options)
    bake_job(recording, None, order, scene).run()
    history.remember(key, recording)
    film_white(scene)
    if scene.camera is None:
        middle = recording.nodes[0].mean(axis=(0, 1), dtype=float) + origin
        scene.camera = add_camera("Eye", (middle - (0.0, AWAY, 0.0)) / unit)
        scene.camera.data.clip_start, scene.camera.data.clip_end = 0.05 / unit, 50.0 / unit
    bpy.context.view_layer.update()
    return history.Bake(scene, order.id)


def add_camera(name: str, at: Any) -> bpy.types.Object:
    """A camera that looks along y."""
    camera = bpy.data.objects.new(name, bpy.data.cameras.new(name))
    camera.matrix_world = Matrix.Translation(Vector(at)) @ Matrix.Rotation(0.5 * np.pi, 4, "X")
    bpy.context.scene.collection.objects.link(camera)
    return camera


def film_white(scene: bpy.types.Scene) -> None:
    """Has a scene be rendered small, by one ray through the middle of each pixel, black before white."""
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.use_adaptive_sampling = 1, False, False
    scene.cycles.pixel_filter_type, scene.cycles.filter_width = "BOX", 0.01
    scene.render.resolution_x, scene.render.resolution_y = WIDE, HIGH
    scene.view_settings.view_transform = "Standard"
    black = bpy.data.materials.new("Black")  # in their own, fins let light through
    black.use_nodes = True
    nodes = black.node_tree.nodes
    nodes.clear()
    light, end = nodes.new("ShaderNodeEmission"), nodes.new("ShaderNodeOutputMaterial")
    light.inputs["Strength"].default_value = 0.0
    black.node_tree.links.new(light.outputs[0], end.inputs["Surface"])
    scene.view_layers[0].material_override = black
    world = scene.world = bpy.data.worlds.new("White")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (1.0, 1.0, 1.0, 1.0)


def labels_of(folder: Path, camera: str = "camera", film: str = "s0000") -> dict[int, dict[str, Any]]:
    """The labels of a film's pictures, by frame."""
    return {int(path.stem): read_json(path) for path in sorted((folder / "labels" / film / camera).glob("*.json"))}


def marks_of(labels: dict[str, Any]) -> np.ndarray:
    """The fish in each pixel, by their tracks, (rows, columns); 0 where none is."""
    found = np.zeros((labels["height"], labels["width"]), dtype=int)
    for fish in labels["fishes"]:
        if fish["seen"]:
            found[decoded(fish["seen"]["rle"]["counts"], fish["seen"]["rle"]["size"]).astype(bool)] = fish["track"]
    return found


def missed(folder: Path, labels: dict[str, Any]) -> float:
    """Pixels that are not white and have no fish in the labels, or the other way round, over those of fishes."""
    dark = (read_pixels(folder / labels["picture"]) < 0.99).any(axis=-1)
    marks = marks_of(labels) > 0
    return float((dark != marks).sum() / max(marks.sum(), 1))
