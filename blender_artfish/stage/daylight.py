"""Daylight on the stage: how bright it is at the brightest, and how much dimmer at every frame."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.scene.daylight import brightest, brightness_at, changes
from ...core.scene.scene import Scene
from ..blender.shader_graph import Graph, Term
from .objects import Span, move_straight

MOST_KEYS = 240
"""Keys of the light in a film at the most: between them it changes evenly."""


def dimmed(tree: bpy.types.NodeTree, graph: Graph, scene: Scene, span: Span) -> Term | float:
    """The light now over the brightest of the film, as a number that is keyed; 1 where it is always the same."""
    if not changes(scene.light):
        return 1.0
    node = graph.node("ShaderNodeValue")
    node.node.label = node.node.name = "Daylight"
    frames, values = _keys(scene, span)
    most = brightest(scene)
    move_straight(tree, 'nodes["Daylight"].outputs[0].default_value', (values / max(most, 1e-9)).tolist(), frames)
    return node["Value"]


def key_sun(sun: bpy.types.Light, strength: float, scene: Scene, span: Span) -> None:
    """Has a sun be as bright as the day, over a strength at noon."""
    sun.energy = strength * brightest(scene)
    if changes(scene.light):
        frames, values = _keys(scene, span)
        move_straight(sun, "energy", (strength * values).tolist(), frames)


def _keys(scene: Scene, span: Span) -> tuple[list[float], np.ndarray]:
    """Frames of Blender's scene, (k,), and brightness at the surface there, (k,)."""
    count = int(min(span.last - span.first + 1, MOST_KEYS))
    shares = np.linspace(0.0, 1.0, max(count, 2))
    values = np.array([brightness_at(scene.light, float(share) * span.seconds) for share in shares])
    return (span.first + shares * (span.last - span.first)).tolist(), values
