"""A model seen from its left side, drawn without a renderer: its preview in the asset browser."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ..blender.pixels import pixels_of
from ..export.portrait import PORTRAIT_PIXELS

FINE = 3
"""Dots across a pixel."""
DOTS = 600_000
"""Number of points of the surface that are drawn."""
MARGIN_SHARE = 0.04
LIGHT = np.array([0.35, 0.75, 0.56])
"""Direction the light comes from: ahead, left and above."""
DARKEST = 0.4
BARE_COLOUR = 0.8, 0.8, 0.8
"""Colour of faces without a material."""
GAMMA = 2.2


def portrait(mesh: bpy.types.Mesh) -> np.ndarray:
    """A mesh in the fish's own frame as a picture, nose to the left, (pixels, pixels, 4), rows from the bottom up.

    Points all over the faces are drawn as dots, the nearest last, with the colours of their materials.
    """
    places, normals, colours = _dots(mesh)
    many = PORTRAIT_PIXELS * FINE
    picture = np.zeros((many, many, 4), np.float32)
    if len(places):
        across = places[:, [0, 2]] * (-1.0, 1.0)
        low, high = across.min(axis=0), across.max(axis=0)
        grain = (high - low).max() * (1.0 + 2 * MARGIN_SHARE) / many or 1.0
        column, row = ((across - (low + high) / 2) / grain + many / 2).astype(int).clip(0, many - 1).T
        shade = DARKEST + (1.0 - DARKEST) * np.clip(normals @ LIGHT, 0.0, 1.0)
        order = np.argsort(places[:, 1], kind="stable")
        picture[row[order], column[order], :3] = (colours * shade[:, None])[order]
        picture[row[order], column[order], 3] = 1.0
    picture[..., :3] *= picture[..., 3:]
    small = picture.reshape(PORTRAIT_PIXELS, FINE, PORTRAIT_PIXELS, FINE, 4).mean(axis=(1, 3))
    small[..., :3] /= np.maximum(small[..., 3:], 1e-6)
    return small


def _dots(mesh: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points spread over the faces: positions, normals and colours, (n, 3) each."""
    mesh.calc_loop_triangles()
    many = len(mesh.loop_triangles)
    corners, loops = np.empty((many, 3), np.int32), np.empty((many, 3), np.int32)
    slots = np.empty(many, np.int32)
    mesh.loop_triangles.foreach_get("vertices", corners.ravel())
    mesh.loop_triangles.foreach_get("loops", loops.ravel())
    mesh.loop_triangles.foreach_get("material_index", slots)
    vertices, smooth = np.empty((len(mesh.vertices), 3), np.float32), np.empty((len(mesh.loops), 3), np.float32)
    mesh.vertices.foreach_get("co", vertices.ravel())
    mesh.corner_normals.foreach_get("vector", smooth.ravel())
    a, b, c = vertices[corners].transpose(1, 0, 2) if many else np.zeros((3, 0, 3))
    ends = np.cumsum(np.linalg.norm(np.cross(b - a, c - a), axis=1))
    if not many or not ends[-1] > 0.0:
        return (np.zeros((0, 3)),) * 3
    own = np.searchsorted(ends, (np.arange(DOTS) + 0.5) * (ends[-1] / DOTS)).clip(0, many - 1)
    dice = np.random.default_rng(0)
    u, v = dice.random(DOTS), dice.random(DOTS)
    beyond = u + v > 1.0
    u[beyond], v[beyond] = 1.0 - u[beyond], 1.0 - v[beyond]
    shares = np.stack([1.0 - u - v, u, v], axis=1)
    normals = np.einsum("nk,nkd->nd", shares, smooth[loops[own]])
    places = np.einsum("nk,nkd->nd", shares, vertices[corners[own]])
    uv = np.zeros((len(mesh.loops), 2), np.float32)
    layer = next((each for each in mesh.uv_layers if each.active_render), None)
    if layer is not None:
        layer.uv.foreach_get("vector", uv.ravel())
    at = np.einsum("nk,nkd->nd", shares, uv[loops[own]])
    colours = np.empty((DOTS, 3), np.float32)
    for slot in np.unique(slots[own]).tolist():
        material = mesh.materials[slot] if slot < len(mesh.materials) else None
        rows = slots[own] == slot
        colours[rows] = _colours(material, at[rows])
    return places, normals, colours


def _colours(material: bpy.types.Material | None, uv: np.ndarray) -> np.ndarray:
    """Display colours (n, 3) of a material at texture coordinates (n, 2)."""
    if material is None or material.node_tree is None:
        return np.broadcast_to(np.array(BARE_COLOUR if material is None else material.diffuse_color[:3]), (len(uv), 3))
    shader: Any = next((node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED"), None)
    socket = None if shader is None else shader.inputs["Base Color"]
    image = _picture(socket)
    if image is not None:
        (width, height), pixels = image.size, pixels_of(image)
        column, row = (uv % 1.0 * (width, height)).astype(int).clip(0, np.array([width, height]) - 1).T
        return pixels[row, column][:, [0, 1, 2] if image.channels >= 3 else [0, 0, 0]]
    linear = np.array(material.diffuse_color[:3] if socket is None else socket.default_value[:3])
    return np.broadcast_to(linear.clip(0.0) ** (1.0 / GAMMA), (len(uv), 3))


def _picture(socket: Any) -> Any:
    """The picture a socket takes its colour from, through any number of nodes; None if there is none."""
    waiting, seen = [socket] if socket is not None else [], set()
    while waiting:
        for link in waiting.pop(0).links:
            node = link.from_node
            if node.type == "TEX_IMAGE" and node.image is not None and node.image.has_data | (node.image.size[0] > 0):
                return node.image if len(node.image.pixels) else None
            if node not in seen:
                seen.add(node)
                waiting += [each for each in node.inputs if each.type == "RGBA"]
    return None
