"""Seaweed and anemones as Blender objects: a curve object for each cluster, with a ribbon or a tentacle for each leaf.

A ribbon follows the masses of its leaf by a NURBS curve of third degree; its first control point is below the bed, so
that it leaves the bed upright and does not twist as it sways.
"""

from __future__ import annotations

from collections.abc import Generator

import bpy
import numpy as np

from ...core.habitat.seaweed import LEAF_NODES, LEAF_SHARES
from ...core.recording import Recording
from ...core.scene.inventory import Seaweed
from ..blender import shader_graph
from ..blender.fcurves import Keys, thin, write
from ..blender.versions import channelbag
from ..identity.film_time import FIRST
from .shapes import grid, mesh

LEAF_FACETS, RENDERED_LEAF_FACETS = 3, 6
"""Facets between two control points while animating and when rendering."""
BURIED_SHARE = 0.1
"""Depth below the bed at which the curve of a leaf begins, over the leaf's height."""
LEAF_TINTS = 4
"""Materials of a cluster, from dark to light."""
LEAF_PROFILE = ((-1.0, 0.0), (-0.5, 0.16), (0.0, 0.28), (0.5, 0.16), (1.0, 0.0))
"""Half profile of a leaf: position across and bulge; it is folded a little along its middle."""
LEAF_OUTLINE = ((0.0, 0.22), (0.08, 0.4), (0.25, 0.85), (0.45, 1.0), (0.7, 0.85), (0.88, 0.5), (1.0, 0.06))
"""Outline of a leaf: share of its length, and of its width there."""
TENTACLE_PROFILE = tuple((np.cos(turn), np.sin(turn)) for turn in np.arange(8) * 0.25 * np.pi)
"""Cross section of a tentacle, over half of its width."""
TENTACLE_OUTLINE = ((0.0, 0.85), (0.4, 0.8), (0.75, 0.75), (0.86, 0.95), (0.94, 1.0), (0.98, 0.8), (1.0, 0.3))
"""Outline of a tentacle, likewise: a finger with a bulb before its tip."""
DISC_SHARE, DISC_RISE = 1.1, 0.16
"""Radius of an anemone's disc over the spread of its tentacles, and its height over that."""
DISC_ROWS, DISC_SIDES = 17, 32
"""Rows of its vertices from pole to pole, and vertices around."""
LEAF_WIDTHS = 0.7, 1.15
"""The least and the largest width, over the cluster's."""
TWIST_RADIANS, RUFFLE_RADIANS = 1.4, 0.8
"""Twist of leaves from root to tip, and its oscillation."""


def make_seaweed(
    recording: Recording, top: bpy.types.Collection, tolerance: float, first: int = FIRST
) -> Generator[None, None, bpy.types.Collection | None]:
    """Make the seaweed of a recording, cluster by cluster, and key its sway.

    Args:
        recording: The recording.
        top: Its parent collection.
        tolerance: Largest error of a control point at any frame, over the width of a leaf.
        first: Frame of the scene at which the keys begin.

    Returns:
        The collection that holds it; None without seaweed.
    """
    if not recording.seaweed.shape[1]:
        return None
    collection = bpy.data.collections.new("Seaweed")
    top.children.link(collection)
    profiles = {
        form: _profile(collection, f"{name} profile", points, form == "tentacles")
        for form, name, points in (("leaves", "Leaf", LEAF_PROFILE), ("tentacles", "Tentacle", TENTACLE_PROFILE))
        if any(cluster.form == form for cluster in recording.scene.seaweed)
    }
    begin = 0
    for number, cluster in enumerate(recording.scene.seaweed, start=1):
        leaves = recording.seaweed[:, begin : begin + cluster.leaves].astype(float) - cluster.at
        begin += cluster.leaves
        name = f"{'Seaweed' if cluster.form == 'leaves' else 'Anemone'} {number:02d}"
        curve = _ribbons(name, cluster, leaves[0], profiles[cluster.form], np.random.default_rng(number))
        keys = _sway(leaves, tolerance * cluster.width)
        channels = [
            (f"splines[{leaf}].points[{point}].co", axis)
            for leaf in range(cluster.leaves)
            for point in range(2, LEAF_NODES + 1)
            for axis in range(3)
        ]
        write(channelbag(bpy.data.actions.new(name), curve), channels, keys, first)
        obj = bpy.data.objects.new(name, curve)
        obj.location = cluster.at
        collection.objects.link(obj)
        if cluster.form == "tentacles":
            _disc(collection, obj, cluster)
        yield
    return collection


def _sway(leaves: np.ndarray, bound: float) -> Keys:
    """Keys of all masses above the root of leaves (frames, leaf, 10, 3) in metres, within a bound in metres."""
    curves = np.ascontiguousarray(leaves[:, :, 1:].reshape(len(leaves), -1).T, dtype=np.float32)
    return thin(curves, bound / 3**0.5)


def _ribbons(
    name: str, cluster: Seaweed, leaves: np.ndarray, profile: bpy.types.Object, draws: np.random.Generator
) -> bpy.types.Curve:
    """A curve with a spline for each leaf (leaf, 10, 3), in metres from the middle of the cluster."""
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions, curve.twist_mode = "3D", "MINIMUM"
    curve.bevel_mode, curve.bevel_object = "OBJECT", profile
    curve.resolution_u, curve.render_resolution_u = LEAF_FACETS, RENDERED_LEAF_FACETS
    leafy = cluster.form == "leaves"
    material = seaweed_material if leafy else tentacle_material
    for tint in range(LEAF_TINTS):
        curve.materials.append(material(cluster.colour, tint / (LEAF_TINTS - 1)))
    share = np.insert(LEAF_SHARES, 0, 0.0)
    outline = 0.5 * cluster.width * np.interp(share, *np.transpose(LEAF_OUTLINE if leafy else TENTACLE_OUTLINE))
    for leaf in leaves:
        height = np.linalg.norm(np.diff(leaf, axis=0), axis=1).sum()
        points = np.ones((LEAF_NODES + 1, 4))
        points[1:, :3], points[0, :3] = leaf, leaf[0] - (0.0, 0.0, BURIED_SHARE * height)
        spline = curve.splines.new("NURBS")
        spline.points.add(LEAF_NODES)
        spline.points.foreach_set("co", points.ravel().astype(np.float32))
        spline.use_endpoint_u, spline.order_u = True, 4
        spline.material_index = int(draws.integers(LEAF_TINTS))
        spline.points.foreach_set("radius", (outline * draws.uniform(*LEAF_WIDTHS)).astype(np.float32))
        turn, phase = draws.uniform(0.0, 2 * np.pi, 2)
        tilt = (
            turn
            + TWIST_RADIANS * draws.uniform(-1.0, 1.0) * share
            + RUFFLE_RADIANS * share * np.sin(5.0 * np.pi * share + phase)
        )
        spline.points.foreach_set("tilt", tilt.astype(np.float32))
    return curve


def _profile(
    collection: bpy.types.Collection, name: str, points: tuple[tuple[float, float], ...], closed: bool
) -> bpy.types.Object:
    """The cross section of a leaf or a tentacle 2 m wide, never visible itself."""
    curve = bpy.data.curves.new(name, "CURVE")
    spline = curve.splines.new("POLY")
    spline.points.add(len(points) - 1)
    spline.points.foreach_set("co", np.array([(x, y, 0.0, 1.0) for x, y in points], dtype=np.float32).ravel())
    spline.use_cyclic_u = closed
    obj = bpy.data.objects.new(name, curve)
    obj.hide_render = obj.hide_viewport = obj.hide_select = True
    collection.objects.link(obj)
    return obj


def _disc(collection: bpy.types.Collection, anemone: bpy.types.Object, cluster: Seaweed) -> None:
    """The disc that tentacles grow from, sunk into the bed: a flat dome."""
    level, turn = np.linspace(-0.5 * np.pi, 0.5 * np.pi, DISC_ROWS), np.linspace(0.0, 2 * np.pi, DISC_SIDES, False)
    out = np.cos(level)[:, None]
    points = np.stack(np.broadcast_arrays(out * np.cos(turn), out * np.sin(turn), np.sin(level)[:, None]), axis=-1)
    shape = points.reshape(-1, 3), grid(DISC_ROWS, DISC_SIDES, closed=True)
    ball = mesh(f"{anemone.name} disc", shape, tentacle_material(cluster.colour, 0.0))
    disc = bpy.data.objects.new(ball.name, ball)
    reach = DISC_SHARE * cluster.spread
    disc.parent, disc.scale = anemone, (reach, reach, DISC_RISE * reach)
    collection.objects.link(disc)


def tentacle_material(colour: tuple[float, float, float], tint: float) -> bpy.types.Material:
    """The flesh of an anemone, paler at the tips, that lets light through.

    Args:
        colour: Linear colour of the cluster.
        tint: Tint, from 0, darker, to 1, lighter.
    """
    red, green, blue = (int(round(255 * value)) for value in colour)
    name = f"Anemone {red:02x}{green:02x}{blue:02x} {tint:.2f}"
    if found := bpy.data.materials.get(name):
        return found
    material, graph = shader_graph.material(name)
    along, _, _ = graph.parts(graph.coordinates("UV"))
    base = np.multiply(colour, 0.7 + 0.5 * tint)
    tip = np.minimum(base * (1.5, 1.6, 1.9) + (0.1, 0.08, 0.12), 1.0)
    paint = graph.mix(along.ramp(0.72, 0.95), tuple(base), tuple(tip))
    skin = {"Base Color": paint, "Roughness": 0.35, "Subsurface Weight": 0.4, "Subsurface Scale": 0.01}
    skin |= {"Emission Color": paint, "Emission Strength": 0.03}
    shader_graph.output(graph, Surface=graph.node("ShaderNodeBsdfPrincipled", skin)["BSDF"])
    return material


def seaweed_material(colour: tuple[float, float, float], tint: float) -> bpy.types.Material:
    """A translucent leaf, paler towards its tip, with a midrib and spots.

    Args:
        colour: Linear colour of the cluster.
        tint: Tint, from 0, darker and browner, to 1, lighter and yellower.
    """
    red, green, blue = (int(round(255 * value)) for value in colour)
    name = f"Seaweed {red:02x}{green:02x}{blue:02x} {tint:.2f}"
    if found := bpy.data.materials.get(name):
        return found
    material, graph = shader_graph.material(name)
    along, across, _ = graph.parts(graph.coordinates("UV"))
    base = np.multiply(colour, (0.75 + 0.75 * tint, 0.6 + 0.9 * tint, 0.7 + 0.4 * tint))
    tip = np.minimum(base * (1.9, 1.6, 1.2) + (0.02, 0.015, 0.0), 1.0)
    paint = graph.mix(along.ramp(0.15, 1.0), tuple(base * 0.65), tuple(tip))
    rib = (across - 0.5).absolute().ramp(0.07, 0.0)
    paint = graph.mix(rib * 0.45, paint, tuple(base * 0.45))
    # Veins run out from the rib, and the blade puckers between them.
    stretched = graph.vector(along * 26.0 - (across - 0.5).absolute() * 5.0, across * 3.0)
    pucker = graph.noise(stretched, 1.0, 2.0)
    paint = graph.mix(pucker.ramp(0.55, 0.75) * 0.35, paint, tuple(tip))
    normal = graph.bump(pucker * 0.012 + rib * 0.004, 1.0)
    skin = {"Base Color": paint, "Roughness": 0.42, "Specular IOR Level": 0.35, "Normal": normal}
    skin |= {"Emission Color": paint, "Emission Strength": 0.04}
    blade = graph.node("ShaderNodeBsdfPrincipled", skin)["BSDF"]
    glow = graph.node("ShaderNodeBsdfTranslucent", {"Color": paint, "Normal": normal})["BSDF"]
    shader_graph.output(graph, Surface=graph.blend(0.55, blade, glow))
    return material
