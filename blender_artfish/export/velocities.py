"""Velocity of each vertex of a fish, for caches: from copies half a frame ahead and behind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import cast

import bpy
import numpy as np

from ..bake import handling
from ..bake.cache_files import caches_of, delay
from ..bake.key_table import TIMES
from ..bake.whole_fish import WholeFish, fishes_of, root_of
from ..blender.keyframes import PRESENCE
from ..blender.shader_graph import Graph, Outputs, Term, new_modifier_group
from ..blender.versions import channelbags, modifier_input

VELOCITY_NODES, VELOCITY = "Artfish velocities", "velocity"
"""The group of nodes, and the attribute that Blender's exporter takes for velocities."""
COPY_BEHIND, COPY_AHEAD, HALF = "Behind", "Ahead", 0.5
"""Inputs of the group, and the frames by which the copies are displaced."""


@contextmanager
def velocities(scene: bpy.types.Scene, bodies: Sequence[bpy.types.Object]) -> Iterator[None]:
    """Give baked fishes the velocity of each vertex, in its units a second, for the duration of the block.

    A loop is no baked fish: its cache has no velocities.

    Args:
        scene: Their scene.
        bodies: Their meshes.
    """
    tree = _group(scene.render.fps / scene.render.fps_base)
    wholes = {fish.root: fish for fish in fishes_of(scene, bodies)}
    made: list[WholeFish] = []
    modifiers = []
    try:
        for body in bodies:
            fish = wholes.get(root_of(body))
            if fish is None:
                continue
            modifier = cast(bpy.types.NodesModifier, body.modifiers.new(VELOCITY_NODES, "NODES"))
            modifiers.append((body, modifier.name))
            modifier.node_group = tree
            for name, frames in ((COPY_BEHIND, HALF), (COPY_AHEAD, -HALF)):
                copy = handling.duplicate(fish)
                made.append(copy)
                _shift(copy, frames)
                modifier_input(modifier, name, next(part for part in copy.body if part.type == "MESH"))
        yield
    finally:
        for body, name in modifiers:
            body.modifiers.remove(body.modifiers[name])
        _remove(made)
        bpy.data.node_groups.remove(tree)


def _group(fps: float) -> bpy.types.NodeTree:
    """Nodes that store at each vertex the displacement from one copy to the other, per second."""
    copies = {
        COPY_BEHIND: ("NodeSocketObject", None, "The fish half a frame ago"),
        COPY_AHEAD: ("NodeSocketObject", None, "The fish in half a frame"),
    }
    return new_modifier_group(VELOCITY_NODES, copies, partial(_paced, fps))


def _paced(fps: float, graph: Graph, given: Outputs) -> Term:
    """The given geometry, each vertex with its velocity."""
    position = graph.node("GeometryNodeInputPosition").first
    index = graph.node("GeometryNodeInputIndex").first
    places = []
    for name in (COPY_AHEAD, COPY_BEHIND):
        copy = graph.node("GeometryNodeObjectInfo", {"Object": given[name]}, transform_space="RELATIVE")
        inputs = {"Geometry": copy["Geometry"], "Value": position, "Index": index}
        places.append(graph.node("GeometryNodeSampleIndex", inputs, data_type="FLOAT_VECTOR", domain="POINT").first)
    way = graph.node("ShaderNodeVectorMath", operation="SUBTRACT").feed(places).first
    pace = graph.node("ShaderNodeVectorMath", {"Vector": way, "Scale": fps / (2.0 * HALF)}, operation="SCALE").first
    return graph.node(
        "GeometryNodeStoreNamedAttribute",
        {"Geometry": given["Geometry"], "Name": VELOCITY, "Value": pace},
        data_type="FLOAT_VECTOR",
        domain="POINT",
    ).first


def _shift(fish: WholeFish, frames: float) -> None:
    """Delay a copy's motion, extended beyond the ends of its film, and keep it present throughout."""
    for obj in fish.body:
        for bag in channelbags(obj):
            for curve in [curve for curve in bag.fcurves if curve.data_path in PRESENCE]:
                bag.fcurves.remove(curve)
        obj.hide_viewport = obj.hide_render = False
        delay(obj, frames)
    for moved in fish.animated.values():
        for bag in (bag for each in moved for bag in channelbags(each)):
            for curve in bag.fcurves:
                keys = curve.keyframe_points
                for name in TIMES:
                    places = np.empty(2 * len(keys), np.float32)
                    keys.foreach_get(name, places)
                    places[::2] += frames
                    keys.foreach_set(name, places)
                curve.extrapolation = "LINEAR"


def _remove(copies: Sequence[WholeFish]) -> None:
    """Remove copies with the data only they use, and nothing else, used or not."""
    actions = {action for fish in copies for action in fish.animated}
    data = {obj.data for fish in copies for obj in fish.body if obj.data is not None and obj.data.users == 1}
    caches = {cache for fish in copies for cache in caches_of(fish.body)}
    bpy.data.batch_remove([*{obj for fish in copies for obj in fish.objects}, *actions, *data, *caches])
