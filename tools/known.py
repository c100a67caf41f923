"""The manual's picture of a fish's knowledge of a maze: python tools/known.py.

A sardine has explored the preset maze for a while. Remembered walls are solid, all others wire;
its way is blue, and the frontier of the unseen is yellow. Writes docs/manual/finding_the_way.png.
"""

from __future__ import annotations

import importlib
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull, cKDTree
from thumbnails import keep_small

from artfish.core import Scene, World
from artfish.core.scene.obstacles import MeshObstacle

bpy: Any = importlib.import_module("bpy")  # its types allow any kind for every object
mathutils: Any = importlib.import_module("mathutils")
OUT = Path(__file__).resolve().parent.parent / "docs" / "manual" / "finding_the_way.png"
SIZE, SAMPLES, SECONDS, SEED = (640, 480), 24, 17.0, 1
KNOWN, UNKNOWN, WAY, FRONTIER, FISH = (
    (0.5, 0.2, 0.14),
    (0.55, 0.6, 0.65),
    (0.02, 0.25, 0.9),
    (1.0, 0.65, 0.03),
    (1.0, 1.0, 1.0),
)
WIRE_METRES, WAY_METRES, DOT_METRES = 0.012, 0.04, 0.03
EYE, LOOKED_AT = (3.65, -2.9, 8.6), (3.65, 3.05, 0.0)


def main() -> int:
    """Lives through the maze for a while and takes the picture."""
    world = World(Scene.load("maze"), seed=SEED)
    while world.t < SECONDS:
        world.step()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    walls(world)
    assert world.parts.minds.mind is not None and world.parts.minds.mind.navigator is not None
    navigator = world.parts.minds.mind.navigator
    tube(navigator.way(0)[2:], WAY, WAY_METRES)
    dots(navigator.frontier(0), FRONTIER, DOT_METRES)
    fish(world)
    film()
    return 0


def walls(world: World) -> None:
    """The maze, solid where it is remembered and wire where not."""
    memory, obstacle = world.parts.minds.memory, world.scene.obstacles[0]
    assert memory is not None and isinstance(obstacle, MeshObstacle)
    vertices, faces = obstacle.placed
    pieces = memory.pieces
    owner = pieces.owner[cKDTree(pieces.points + pieces.home[pieces.owner, :3]).query(vertices[faces].mean(axis=1))[1]]
    known = ~np.isnan(memory.piece_time[0, owner])
    solid(vertices, faces[known], KNOWN)
    mesh = solid(vertices, faces[~known], UNKNOWN)
    wire = mesh.modifiers.new("Wire", "WIREFRAME")
    wire.thickness = WIRE_METRES


def solid(vertices: np.ndarray, faces: np.ndarray, colour: tuple[float, float, float]) -> Any:
    """A mesh of some faces."""
    mesh = bpy.data.meshes.new("Walls")
    mesh.from_pydata(vertices.tolist(), [], faces.tolist())
    return put(mesh, colour)


def put(data: Any, colour: tuple[float, float, float], shines: float = 0.0) -> Any:
    """An object in this colour, perhaps emissive."""
    material = bpy.data.materials.new("Colour")
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1.0)
    shader.inputs["Roughness"].default_value = 0.8
    shader.inputs["Emission Color"].default_value = (*colour, 1.0)
    shader.inputs["Emission Strength"].default_value = shines
    data.materials.append(material)
    obj = bpy.data.objects.new(data.name, data)
    bpy.context.collection.objects.link(obj)
    return obj


def tube(places: np.ndarray, colour: tuple[float, float, float], radius: float) -> None:
    """A line of some thickness through places (n, 3)."""
    line = bpy.data.curves.new("Way", "CURVE")
    line.dimensions, line.bevel_depth = "3D", radius
    spline = line.splines.new("POLY")
    spline.points.add(len(places) - 1)
    spline.points.foreach_set("co", np.pad(places, ((0, 0), (0, 1)), constant_values=1.0).ravel())
    put(line, colour, 0.6)


def dots(places: np.ndarray, colour: tuple[float, float, float], radius: float) -> None:
    """A small ball at each of some places (n, 3)."""
    for at in places:
        bpy.ops.mesh.primitive_uv_sphere_add(segments=8, ring_count=6, radius=radius, location=at.tolist())
        ball = bpy.context.object
        bpy.context.collection.objects.unlink(ball)
        put(ball.data, colour, 0.6).location = at.tolist()


def fish(world: World) -> None:
    """The fish itself, as the hull of its masses."""
    nodes = world.nodes[0]
    mesh = bpy.data.meshes.new("Fish")
    mesh.from_pydata(nodes.tolist(), [], ConvexHull(nodes).simplices.tolist())
    put(mesh, FISH, 2.0)


def film() -> None:
    """Sets light and camera, and renders the picture."""
    scene = bpy.context.scene
    light = bpy.data.lights.new("Sun", "SUN")
    light.energy, light.angle = 3.0, 0.1
    sun = bpy.data.objects.new("Sun", light)
    sun.rotation_euler = (0.5, 0.35, 0.0)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.lens = 38.0
    camera.location = EYE
    camera.rotation_euler = (mathutils.Vector(LOOKED_AT) - mathutils.Vector(EYE)).to_track_quat("-Z", "Y").to_euler()
    for obj in (sun, camera):
        bpy.context.collection.objects.link(obj)
    sky = bpy.data.worlds.new("Sky")
    sky.use_nodes = True
    sky.node_tree.nodes["Background"].inputs[0].default_value = (0.25, 0.38, 0.45, 1.0)
    scene.world, scene.camera = sky, camera
    scene.render.engine, scene.cycles.samples = "CYCLES", SAMPLES
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    scene.view_settings.view_transform = "Standard"
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = str(Path(folder) / "known.png")
        bpy.ops.render.render(write_still=True)
        keep_small(Path(scene.render.filepath), OUT)


if __name__ == "__main__":
    sys.exit(main())
