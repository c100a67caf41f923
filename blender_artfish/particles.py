"""Plankton as Blender objects: copies of one small mesh that drift, vanish when eaten and come back."""

from __future__ import annotations

import bmesh
import bpy
import numpy as np

from ..core.recording import Recording
from .actions import LOCATION, thin, write, write_presence
from .compat import channelbag
from .scenery import plankton_material

SIZES = 0.6, 1.3  # of a particle, over the size that the scene gives


def make_plankton(recording: Recording, top: bpy.types.Collection, tolerance: float) -> bpy.types.Collection | None:
    """Make the plankton of a recording and key its drift.

    Args:
        recording: What happened.
        top: The collection that it goes into.
        tolerance: How far a particle may be from its place at any frame, over its size.

    Returns:
        The collection that holds it; None without plankton.
    """
    count = recording.plankton.shape[1]
    if not count:
        return None
    size = recording.scene.plankton.size
    collection = bpy.data.collections.new("Plankton")
    top.children.link(collection)
    grain = _grain(size)
    action = bpy.data.actions.new("Plankton")
    factors = np.random.default_rng(count).uniform(*SIZES, count)
    for number in range(count):
        particle = bpy.data.objects.new(f"Plankton {number + 1:03d}", grain)
        collection.objects.link(particle)
        particle.scale = [factors[number]] * 3
        places = recording.plankton[:, number].T.astype(float)
        keys = thin(np.ascontiguousarray(places), tolerance * size)
        particle.location = places[:, 0]
        bag = channelbag(action, particle)
        write(bag, LOCATION, keys)
        alive = recording.plankton_alive[:, number]
        if not alive.all():
            write_presence(bag, alive)
    return collection


def _grain(size: float) -> bpy.types.Mesh:
    """A grain of this size in metres."""
    mesh = bpy.data.meshes.new("Plankton")
    shape = bmesh.new()
    bmesh.ops.create_icosphere(shape, subdivisions=1, radius=size / 2.0)
    shape.to_mesh(mesh)
    shape.free()
    mesh.materials.append(plankton_material())
    return mesh
