"""Objects on the stage, and properties that advance evenly with the film's time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy

from ..blender.shader_graph import Graph, Term
from ..blender.versions import channelbags

SHAFTS = "Light shafts"
"""Prefix of the names of sheets of light."""


@dataclass(frozen=True)
class Span:
    """Frames of the scene from the first to the last, and seconds between them.

    Attributes:
        begins: Seconds for which water and light have already moved at the first frame.
    """

    first: int
    last: int
    seconds: float
    begins: float = 0.0

    @property
    def times(self) -> tuple[float, float]:
        """Seconds for which water and light have moved at the first frame and at the last."""
        return self.begins, self.begins + self.seconds


def add(stage: bpy.types.Collection, name: str, data: bpy.types.ID | None, at: tuple = (0, 0, 0)) -> bpy.types.Object:
    """A new object with this data at a place in metres, in the collection of the stage."""
    obj = bpy.data.objects.new(name, data)
    obj.location = at
    stage.objects.link(obj)
    return obj


def stand(obj: bpy.types.Object) -> None:
    """Turn off Cycles' motion blur of an object's own motion, if Cycles is enabled: it is static, or sways slowly.

    A moving camera still blurs it. Preparing each plant at three moments of every picture takes a third of the
    rendering time of a kelp forest.
    """
    if hasattr(obj, "cycles"):
        obj.cycles.use_motion_blur = False


def move_evenly(owner: bpy.types.ID, path: str, values: list, span: Span) -> None:
    """Key a property linearly from its first value at the first frame to its second at the last, and on."""
    move_straight(owner, path, values, (span.first, span.last))
    for bag in channelbags(owner):
        for curve in bag.fcurves:
            curve.extrapolation = "LINEAR"


def clock(material: bpy.types.Material, graph: Graph, span: Span) -> Term:
    """The film's time in seconds, for moving patterns in a material."""
    seconds = graph.node("ShaderNodeValue")
    seconds.node.label = seconds.node.name = "Seconds"
    move_evenly(material.node_tree, 'nodes["Seconds"].outputs[0].default_value', list(span.times), span)
    return seconds["Value"]


def move_straight(owner: bpy.types.ID, path: str, values: Sequence, frames: Sequence[float]) -> None:
    """Key a property at frames, linear in between."""
    for frame, value in zip(frames, values, strict=True):
        holder, _, name = path.rpartition(".")
        setattr(owner.path_resolve(holder) if holder else owner, name, value)
        owner.keyframe_insert(path, frame=frame)
    for bag in channelbags(owner):
        for curve in bag.fcurves:
            for key in curve.keyframe_points:
                key.interpolation = "LINEAR"
