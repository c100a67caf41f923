"""Marine snow: sunlit flakes before the camera that sink and drift with the current.

Flakes fill a cube that follows the active camera; a flake that leaves it on one side enters on the other, so there are
as many in every shot and none out of sight. Geometry nodes do it, which play without the add-on.
"""

from __future__ import annotations

from typing import Any, cast

import bpy
import numpy as np

from ...core.habitat.currents import Current
from ...core.scene.daylight import brightest
from ...core.scene.scene import Scene
from ..blender import shader_graph
from ..blender.fcurves import LOCATION, thin, write
from ..blender.shader_graph import Graph, Outputs, Term, modifier_group
from ..blender.versions import channelbag, modifier_input, shader_tree
from .daylight import dimmed
from .objects import Span, add

SNOW_NODES = "Artfish marine snow"
FLAKE_SIZE, FLAKE_TURN = "flake size", "flake turn"
"""Attributes of the flakes: half axes in metres, and rotation angles in radians."""
SNOW_CUBE_METRES = 3.2
"""Side of the cube of flakes."""
SNOW_AHEAD_METRES = 1.4
"""Distance of the cube's middle ahead of the camera."""
FLAKE_METRES = 0.0005, 0.0022
"""Radius of the smallest and the largest flake (Alldredge and Silver 1988: snow is half a millimetre and more)."""
SINKING = 0.0012
"""Sinking speed of flakes, m/s (Alldredge and Silver 1988: 50 to 100 m a day and more)."""
STILL_DRIFT = np.array([0.006, 0.004, 0.0])
"""Drift in a scene without a current, m/s."""
FADING_SHARE = 0.8
"""Position in the cube, over its half side, from which on flakes shrink outwards."""
CLOSE_METRES = 0.25, 0.6
"""Distance from the camera below which there is no flake, and from which on they have their full size."""
DRIFT_TOLERANCE = 0.002
"""Largest error of a key, metres."""


def let_it_snow(stage: bpy.types.Collection, span: Span, scene: Scene) -> bpy.types.Object | None:
    """Flakes in the water of a scene, by its stage's seed; None if it has none."""
    count = round(scene.stage.snow * SNOW_CUBE_METRES**3)
    if not count:
        return None
    draws = np.random.default_rng([scene.stage.seed, 5])
    data = bpy.data.meshes.new("Marine snow")
    data.vertices.add(count)
    data.vertices.foreach_set("co", draws.uniform(0.0, SNOW_CUBE_METRES, 3 * count).astype(np.float32))
    wide = FLAKE_METRES[0] + (FLAKE_METRES[1] - FLAKE_METRES[0]) * draws.uniform(size=(count, 1)) ** 3
    sizes, turns = wide * draws.uniform(0.45, 1.5, (count, 3)), draws.uniform(0.0, 2 * np.pi, (count, 3))
    for name, values in ((FLAKE_SIZE, sizes), (FLAKE_TURN, turns)):
        attribute = cast(Any, data.attributes.new(name, "FLOAT_VECTOR", "POINT"))
        attribute.data.foreach_set("vector", values.astype(np.float32).ravel())
    material = flake_material(scene, span)
    data.materials.append(material)
    snow = add(stage, "Marine snow", data)
    modifier = cast(bpy.types.NodesModifier, snow.modifiers.new("Snow", "NODES"))
    modifier.node_group = snow_nodes()
    modifier_input(modifier, "Flake", material)
    path = drift(scene, span)
    bag = channelbag(bpy.data.actions.new("Marine snow"), snow)
    write(bag, LOCATION, thin(np.ascontiguousarray(path.T, dtype=np.float32), DRIFT_TOLERANCE), span.first)
    snow.visible_shadow = snow.visible_diffuse = snow.visible_glossy = False
    return snow


def drift(scene: Scene, span: Span) -> np.ndarray:
    """Displacement of flakes by the water in the middle of the tank and by sinking, at every frame, (frames, 3)."""
    frames = span.last - span.first + 1
    step = span.seconds / (frames - 1) if frames > 1 else 1.0 / scene.fps
    before = round(span.begins / step) if step > 0.0 else 0
    seconds = step * np.arange(before + frames)
    current, middle = Current.from_scene(scene), 0.5 * np.array(scene.tank.size)
    if current.still:
        flow = np.tile(STILL_DRIFT, (len(seconds), 1))
    else:
        flow = np.array([current.velocity(middle[None], float(t))[0] for t in seconds])
    path = np.zeros((len(seconds), 3))
    path[1:] = np.cumsum(0.5 * (flow[1:] + flow[:-1]) * step, axis=0)
    path[:, 2] -= SINKING * seconds
    return path[before:]


def snow_nodes() -> bpy.types.NodeTree:
    """The node group that places flakes about the camera, made once in a file."""
    return modifier_group(SNOW_NODES, {"Flake": ("NodeSocketMaterial", None, "Of the flakes")}, _flakes)


def _flakes(graph: Graph, given: Outputs) -> Term:
    """Flakes at the given points, wrapped into the cube before the camera."""
    half = 0.5 * SNOW_CUBE_METRES
    eye = graph.node("GeometryNodeInputActiveCamera").first
    camera = graph.node("GeometryNodeObjectInfo", {"Object": eye}, transform_space="RELATIVE")
    ahead = graph.node(
        "FunctionNodeTransformDirection", {"Direction": (0.0, 0.0, -1.0), "Transform": camera["Transform"]}
    )
    ahead = graph.node("ShaderNodeVectorMath", operation="NORMALIZE").feed([ahead.first])
    way = {"Vector": ahead["Vector"], "Scale": SNOW_AHEAD_METRES}
    scaled = graph.node("ShaderNodeVectorMath", way, operation="SCALE")
    middle = graph.node("ShaderNodeVectorMath", operation="ADD").feed([camera["Location"], scaled["Vector"]])["Vector"]
    ends = [
        graph.node("ShaderNodeVectorMath", operation=operation).feed([middle, (half, half, half)])["Vector"]
        for operation in ("ADD", "SUBTRACT")
    ]
    place = graph.node("GeometryNodeInputPosition").first
    place = graph.node("ShaderNodeVectorMath", operation="WRAP").feed([place, *ends])["Vector"]
    points = graph.node("GeometryNodeSetPosition", {"Geometry": given["Geometry"], "Position": place}).first
    out = graph.node("ShaderNodeVectorMath", operation="SUBTRACT").feed([place, middle])["Vector"]
    x, y, z = (part.absolute() for part in graph.parts(out))
    near = graph.node("ShaderNodeVectorMath", operation="DISTANCE").feed([place, camera["Location"]])["Value"]
    fade = x.most(y).most(z).ramp(half, FADING_SHARE * half) * near.ramp(*CLOSE_METRES)
    flake = graph.node("GeometryNodeMeshIcoSphere", {"Radius": 1.0, "Subdivisions": 1}).first
    flake = graph.node("GeometryNodeSetMaterial", {"Geometry": flake, "Material": given["Flake"]}).first
    named = {
        name: graph.node("GeometryNodeInputNamedAttribute", {"Name": name}, data_type="FLOAT_VECTOR")["Attribute"]
        for name in (FLAKE_SIZE, FLAKE_TURN)
    }
    size = {"Vector": named[FLAKE_SIZE], "Scale": fade}
    scale = graph.node("ShaderNodeVectorMath", size, operation="SCALE")
    placed = {"Points": points, "Instance": flake, "Rotation": named[FLAKE_TURN], "Scale": scale["Vector"]}
    return graph.node("GeometryNodeInstanceOnPoints", placed).first


def flake_material(scene: Scene, span: Span) -> bpy.types.Material:
    """Translucent flakes that glow a little with the water's scattered light."""
    material, graph = shader_graph.material("Marine snow")
    light = brightest(scene) * dimmed(shader_tree(material), graph, scene, span)
    through = graph.node("ShaderNodeBsdfTranslucent", {"Color": (0.85, 0.9, 0.85)})["BSDF"]
    white = graph.node("ShaderNodeEmission", {"Color": (0.7, 0.9, 1.0), "Strength": 0.25 * light})["Emission"]
    clear = graph.node("ShaderNodeBsdfTransparent")["BSDF"]
    lit = graph.node("ShaderNodeAddShader").feed((through, white))["Shader"]
    shader_graph.output(graph, Surface=graph.blend(0.7, clear, lit))
    return material
