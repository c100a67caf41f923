"""An upper bound on how large modifiers would make a model, found before Blender computes them.

A few vertices can become millions. The bound follows from the modifiers' numbers; what depends on more, such as a
field of geometry nodes, counts as it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf
from typing import Any

import bpy
import numpy as np

from ...core.adopt.tuning import MOST_VERTICES
from ...core.base.codec import SceneError
from ..blender.words import translated
from ..identity.roles import MESH_LIKE

MOST_MADE_VERTICES = 2 * MOST_VERTICES
"""Most vertices that modifiers may make on the way, as a later one may remove most of them again."""
_TRIANGLES = 1.5
"""Factor by which a subdivided mesh of triangles grows more than one of squares."""
_SKIN_CORNERS = 16
_CAGE = 12
"""Vertices about each edge of a wire."""
_REPEAT = "GeometryNodeRepeatInput"


def ensure_bounded(objects: Sequence[bpy.types.Object]) -> None:
    """Refuse objects whose modifiers, or those of objects they depend on, would make too many vertices.

    Raises:
        SceneError: With the name of the object and of the modifier.
    """
    for obj in _with_all_they_lean_on(objects):
        found = _too_large(obj) if obj.type in MESH_LIKE else None
        if found is not None:
            name, count = found
            many = f"{count:,.0f}" if count < 1e12 else "endlessly many"
            raise SceneError(
                translated("{many} vertices by {name}", many=many, name=name),
                translated("up to {most_vertices:,} in all: lower its numbers", most_vertices=MOST_VERTICES),
                key=obj.name,
            )


def _with_all_they_lean_on(objects: Sequence[bpy.types.Object]) -> list[bpy.types.Object]:
    """Objects and what Blender evaluates with them: parents, and the targets of modifiers and constraints."""
    found, known = list(objects), set(objects)
    for obj in found:  # grows during the loop
        named: list[Any] = [obj.parent]
        for each in (*obj.modifiers, *obj.constraints):
            named += [getattr(each, name) for name in _pointers(each)]
            named += each.values() if each.type == "NODES" else ()
        for one in named:
            fresh = one.all_objects if isinstance(one, bpy.types.Collection) else [one]
            for other in fresh:
                if isinstance(other, bpy.types.Object) and other not in known:
                    known.add(other)
                    found.append(other)
    return found


def _pointers(holder: Any) -> list[str]:
    return [each.identifier for each in holder.bl_rna.properties if each.type == "POINTER"]


def _too_large(obj: bpy.types.Object) -> tuple[str, float] | None:
    """The modifier, or the kind of data, with which an object becomes too large, and how large."""
    count, size = _drawn(obj), _size(obj)
    if count > MOST_MADE_VERTICES:
        return translated("its {type}", type=obj.type.lower()), count
    for modifier in obj.modifiers:
        if not modifier.show_viewport:
            continue
        before, count = count, _after(modifier, count, obj, size)
        if count > MOST_MADE_VERTICES:
            return translated("its modifier {modifier}", modifier=modifier.name), count
        if modifier.type == "ARRAY":
            size = [each * max(count / max(before, 1.0), 1.0) for each in size]
    return None


def _size(obj: bpy.types.Object) -> list[float]:
    """Extents of an object in its own axes, without its modifiers."""
    data: Any = obj.data
    if obj.type == "MESH" and len(data.vertices):
        places = np.empty(3 * len(data.vertices), np.float32)
        data.vertices.foreach_get("co", places)
        return np.nan_to_num(np.ptp(places.reshape(-1, 3), axis=0)).astype(float).tolist()
    return np.ptp(np.array(obj.bound_box), axis=0).tolist()


def _drawn(obj: bpy.types.Object) -> float:
    """Vertices of an object without its modifiers."""
    data: Any = obj.data
    if obj.type == "MESH":
        return float(len(data.vertices))
    if obj.type == "META":
        return 6.0 * (max(_size(obj)) / max(data.resolution, 1e-3) + 1.0) ** 2
    around = 4.0 + 2.0 * getattr(data, "bevel_resolution", 0)
    if obj.type == "FONT":
        return 64.0 * len(data.body) * max(data.resolution_u, 1) * around
    count = 0.0
    for spline in getattr(data, "splines", ()):
        along = max(len(spline.bezier_points), spline.point_count_u, 1) * max(spline.resolution_u, 1)
        across = spline.point_count_v * max(spline.resolution_v, 1) if obj.type == "SURFACE" else around
        count += along * max(across, 1)
    return count


def _after(modifier: Any, count: float, obj: bpy.types.Object, size: Sequence[float]) -> float:
    """Vertices after a modifier, given the count before it and the object's size."""
    match modifier.type:
        case "SUBSURF" | "MULTIRES":
            return _TRIANGLES * max(count, 4.0) * 4.0**modifier.levels if modifier.levels else count
        case "ARRAY":
            return count * _copies(modifier, size) + sum(_drawn(cap) for cap in _caps(modifier))
        case "MIRROR":
            return count * 2.0 ** sum(modifier.use_axis)
        case "SOLIDIFY":
            return 3.0 * count
        case "BEVEL":
            return count * (modifier.segments + 2.0) ** 2
        case "SCREW":
            return count * (modifier.steps + 1.0) * max(modifier.iterations, 1)
        case "SKIN":
            return _SKIN_CORNERS * count
        case "WIREFRAME":
            return _CAGE * count
        case "REMESH":
            return _remeshed(modifier, size)
        case "BOOLEAN":
            cutters = getattr(modifier.collection, "objects", ()) if modifier.operand_type == "COLLECTION" else ()
            return count + sum(_drawn(cutter) for cutter in (modifier.object, *cutters) if cutter is not None)
        case "VOLUME_TO_MESH":
            by_size = modifier.resolution_mode == "VOXEL_SIZE"
            return _cells(size, modifier.voxel_size if by_size else max(size) / modifier.voxel_amount)
        case "NODES":
            return _grown(modifier.node_group, count, modifier, 0)
    return count


def _copies(modifier: Any, size: Sequence[float]) -> float:
    """Number of copies an array modifier makes."""
    if modifier.fit_type == "FIXED_COUNT":
        return float(max(modifier.count, 1))
    step = sum(each**2 for each in modifier.constant_offset_displace) ** 0.5 if modifier.use_constant_offset else 0.0
    if modifier.use_relative_offset:
        shares = zip(modifier.relative_offset_displace, size, strict=True)
        step = max(step, sum((share * extent) ** 2 for share, extent in shares) ** 0.5)
    whole = modifier.fit_length
    if modifier.fit_type == "FIT_CURVE":
        splines = modifier.curve.data.splines if modifier.curve and modifier.curve.type == "CURVE" else ()
        whole = sum(spline.calc_length() for spline in splines)
    return ceil(whole / step) + 1.0 if step > 0.0 else inf if whole > 0.0 and modifier.use_object_offset else 1.0


def _caps(modifier: Any) -> list[bpy.types.Object]:
    return [cap for cap in (modifier.start_cap, modifier.end_cap) if cap is not None]


def _remeshed(modifier: Any, size: Sequence[float]) -> float:
    """Cells of the surface of a box about an object."""
    if modifier.mode == "VOXEL":
        return _cells(size, modifier.voxel_size)
    return 6.0 * 4.0**modifier.octree_depth


def _cells(size: Sequence[float], cell: float) -> float:
    """Cells of the surface of a box of this size."""
    x, y, z = (each / max(cell, 1e-9) + 1.0 for each in size)
    return 2.0 * (x * y + y * z + z * x)


# --- geometry nodes -----------------------------------------------------------------------------------------------


def _grown(tree: Any, count: float, values: Any, depth: int) -> float:
    """Vertices after a tree of nodes; a node that multiplies its input counts once, or as often as it is repeated.

    Args:
        tree: The nodes.
        count: Vertices before it.
        values: The modifier or group node that sets the tree's inputs.
        depth: Nesting of groups.
    """
    if tree is None or depth > 8:
        return count
    made, factor = 0.0, 1.0
    for node in tree.nodes:
        if node.mute:
            continue
        times = _times(tree, node, values)
        if node.type == "GROUP":
            inner = _grown(node.node_tree, 1.0, node, depth + 1)
            factor *= min(max(inner, 1.0) ** times, 1e30)
            continue
        made += _made_by(node, tree, values)
        factor *= min(_factor_of(node, tree, values) ** times, 1e30)
    return (count + made) * factor


def _made_by(node: Any, tree: Any, values: Any) -> float:
    """Vertices that a node makes from nothing."""

    def number(name: str, missing: float) -> float:
        return max(_number(node, name, tree, values, missing), 0.0)

    match node.bl_idname:
        case "GeometryNodeMeshGrid":
            return number("Vertices X", 3) * number("Vertices Y", 3)
        case "GeometryNodeMeshCube":
            x, y, z = (number(f"Vertices {axis}", 2) for axis in "XYZ")
            return 2.0 * (x * y + y * z + z * x)
        case "GeometryNodeMeshUVSphere":
            return number("Segments", 32) * number("Rings", 16)
        case "GeometryNodeMeshIcoSphere":
            return 10.0 * 4.0 ** min(number("Subdivisions", 1), 60)
        case "GeometryNodeMeshCylinder" | "GeometryNodeMeshCone":
            sides, fills = number("Side Segments", 1) + 1, number("Fill Segments", 1) + 1
            return number("Vertices", 32) * (sides + 2.0 * fills)
        case "GeometryNodeMeshLine" | "GeometryNodePoints" | "GeometryNodeMeshCircle":
            return number("Count", number("Vertices", 10))
    return 0.0


def _factor_of(node: Any, tree: Any, values: Any) -> float:
    """Vertices that a node makes of each one it gets."""
    match node.bl_idname:
        case "GeometryNodeSubdivideMesh" | "GeometryNodeSubdivisionSurface" | "GeometryNodeSubdivideCurve":
            name = "Cuts" if node.bl_idname.endswith("Curve") else "Level"
            level = min(max(_number(node, name, tree, values, 0.0), 0.0), 60.0)
            return level + 1.0 if name == "Cuts" else 4.0**level
        case "GeometryNodeDuplicateElements":
            return max(_number(node, "Amount", tree, values, 1.0), 1.0)
        case "GeometryNodeResampleCurve":
            return max(_number(node, "Count", tree, values, 1.0), 1.0)
    return 1.0


def _times(tree: Any, node: Any, values: Any) -> float:
    """The number of repetitions of a node."""
    for begin in tree.nodes:
        if begin.bl_idname != _REPEAT or begin.paired_output is None:
            continue
        if node in _between(tree, begin, begin.paired_output):
            return max(_number(begin, "Iterations", tree, values, 1.0), 1.0)
    return 1.0


def _between(tree: Any, begin: Any, end: Any) -> set[Any]:
    """The nodes downstream of one node and upstream of another."""
    ways = [(link.from_node, link.to_node) for link in tree.links]
    after, before = {begin}, {end}
    for found, pairs in ((after, ways), (before, [(to, of) for of, to in ways])):
        waiting = list(found)
        while waiting:
            node = waiting.pop()
            fresh = {to for of, to in pairs if of == node} - found
            found |= fresh
            waiting += fresh
    return (after & before) - {begin, end}


def _number(node: Any, name: str, tree: Any, values: Any, missing: float) -> float:
    """A node's input as a number, if it is known: from its socket, or from what uses the tree."""
    socket = next((each for each in node.inputs if each.name == name and each.enabled), None)
    if socket is None:
        return missing
    if socket.is_linked:
        origin = socket.links[0].from_node
        if origin.type == "VALUE":
            return float(origin.outputs[0].default_value)
        if origin.bl_idname == "FunctionNodeInputInt":
            return float(origin.integer)
        if origin.type == "GROUP_INPUT":
            return _given(socket.links[0].from_socket, tree, values, missing)
    value = getattr(socket, "default_value", missing)
    return float(value) if isinstance(value, int | float) else missing


def _given(socket: Any, tree: Any, values: Any, missing: float) -> float:
    """The value of a tree's input, as set by a modifier or a group node."""
    if isinstance(values, bpy.types.NodesModifier):
        try:
            value = values[socket.identifier]
        except KeyError:
            items = (each for each in tree.interface.items_tree if getattr(each, "identifier", "") == socket.identifier)
            value = getattr(next(items, None), "default_value", missing)
    else:
        inputs = (each for each in values.inputs if each.identifier == socket.identifier)
        value = getattr(next(inputs, None), "default_value", missing)
    return float(value) if isinstance(value, int | float) else missing
