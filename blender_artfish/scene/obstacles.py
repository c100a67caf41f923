"""Obstacles: upright pillars and meshes, converted from objects and to objects."""

from __future__ import annotations

from functools import partial
from math import pi
from typing import Any, NamedTuple

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...core.scene.obstacles import MeshObstacle
from ..blender.declarations import fill, json_of
from ..blender.words import Message, listed, translated
from ..identity.precision import short
from ..identity.roles import makes_instances, objects_of
from ..identity.units import metres, placed
from ..stage.scenery import PAINT, paint_material
from . import instances
from .meshes import Hull, ShapeOfMeshes, all_rounded, hull_of
from .movement import ObstacleCourse, course_of, put_motion
from .objects import UP, add
from .tank import within

PILLAR_SIDES = 24
"""Sides of a pillar's mesh."""


class WaterPlace(NamedTuple):
    """Extent of the water of a scene.

    Attributes:
        unit: Metres in a unit of the scene.
        low: Its lowest corner in Blender's world, in metres.
        size: Its size in metres.
    """

    unit: float
    low: Vector
    size: Vector

    def holds(self, at: list[float]) -> bool:
        """True if a place, in metres from its lowest corner, is inside."""
        return all(0.0 <= x <= length for x, length in zip(at, self.size[:], strict=True))


class Standing(NamedTuple):
    """The obstacles in the water.

    Attributes:
        objects: The obstacle of each item of `data`.
        data: Their data as JSON, or a `ShapeOfMeshes` for meshes.
        remarks: Visible parts of an obstacle that do not count, a line each.
        concerned: Objects that make instances of obstacles or are instanced, by `session_uid`.
    """

    objects: list[bpy.types.Object]
    data: list[dict[str, Any] | ShapeOfMeshes]
    remarks: dict[bpy.types.Object, str]
    concerned: set[int]


def obstacles_data(scene: bpy.types.Scene, water: WaterPlace) -> Standing:
    """All obstacles of a scene: those that stand in the water themselves, and their instances.

    Raises:
        SceneError: One of them is invalid.
    """
    seen = instances.read(scene, water.unit)
    marked = objects_of(scene, "OBSTACLE")
    marked += sorted((obj for obj in seen.copies if obj not in set(marked)), key=lambda obj: obj.name_full)
    standing = Standing([], [], {}, seen.concerned)
    for obj in marked:
        carried, resting = _carried(obj, seen.copies.get(obj, []), water)
        heaps = instances.heaps(resting, *_ends(water))
        own = obstacle_data(obj, water, obj in seen.copies or makes_instances(obj)) if seen.stands(obj) else None
        shell, who = json_of(obj.artfish.solid), presence_of(obj)
        shapes = (_shape(hull, water, [], water.low, False, shell | who) for hull in heaps.hulls)
        instanced = [shape for heap, more in carried for shape in more] + [shape for shape in shapes if shape]
        solids = [solid for solid in (own, *(shape._replace(own=False) for shape in instanced)) if solid is not None]
        standing.objects.extend([obj] * len(solids))
        standing.data.extend(solids)
        if line := _remark(obj, seen, [heaps, *(heap for heap, _ in carried)], bool(solids)):
            standing.remarks[obj] = line
    return standing


def _carried(
    obj: bpy.types.Object, copies: list[instances.Copy], water: WaterPlace
) -> tuple[list[tuple[instances.Heaps, list[ShapeOfMeshes]]], list[instances.Copy]]:
    """Instances carried along by their moving makers, maker by maker, and those that are static."""
    found, resting = [], []
    for maker in dict.fromkeys(copy.maker for copy in copies):
        some = [copy for copy in copies if copy.maker == maker]
        stays = maker is None or obj.artfish.movement.moves == "STILL"
        course = None if stays else course_of(maker, water.unit, water.low, rigid=True)
        if course is None:
            resting += some
            continue
        matrix = placed(maker, water.unit)
        heaps = instances.carried(some, Matrix.Diagonal(course.scale.to_4d()) @ matrix.inverted_safe())
        who = {"name": maker.name, **presence_of(obj)}
        found.append(
            (heaps, [_moving_shape(hull, water, course, json_of(obj.artfish.solid) | who) for hull in heaps.hulls])
        )
    return found, resting


def _remark(obj: bpy.types.Object, seen: instances.Instances, heaps: list[instances.Heaps], solid: bool) -> Message:
    """The visible parts of an obstacle that do not count, and a remedy; "" if all of it counts."""
    taken, there, shells = (sum(getattr(heap, name) for heap in heaps) for name in ("taken", "there", "shells"))
    if taken < there:
        most = translated(
            "{most_copies:,} and {most_copied_triangles:,} triangles in all",
            most_copies=instances.MOST_COPIES,
            most_copied_triangles=instances.MOST_COPIED_TRIANGLES,
        )
        what = translated("{taken:,} of its {there:,} instances count", taken=taken, there=there)
        return translated("{what}, up to {most}: thin them out, or decimate what is scattered", what=what, most=most)
    if obj in seen.unfelt:
        return translated(
            "its {names} do not count: make a mesh of them, or Realize Instances",
            names=listed(sorted(seen.unfelt[obj])),
        )
    if obj in seen.restless and obj.artfish.movement.moves != "STILL":
        what = " and ".join(sorted(seen.restless[obj])[:3])
        return translated(
            "within its instances {what} moves, which does not count: Make Instances Real, for fishes to see it move",
            what=what,
        )
    if shells and not obj.artfish.solid.use_thickness:
        return translated(
            "{shells:,} of its instances are open and count as thin shells: close what is instanced", shells=shells
        )
    if obj in seen.copies or seen.stands(obj) and not makes_instances(obj):
        return ""
    if not obj.visible_get():
        return "hidden, so that Blender makes no instances of it: show it, for them to count"
    return "" if solid else "it has no mesh and instances none, so that nothing of it counts: see what it is made of"


def _ends(water: WaterPlace) -> tuple[np.ndarray, np.ndarray]:
    return np.array(water.low[:]), np.array((water.low + water.size)[:])


def obstacle_data(
    obj: bpy.types.Object, water: WaterPlace, instanced: bool = False
) -> dict[str, Any] | ShapeOfMeshes | None:
    """An upright pillar if it is marked as one and still is one, else its mesh; None if it is outside the water.

    Its solid part counts. Its own origin may be anywhere, since the location of a mesh may be applied.

    Args:
        obj: The obstacle.
        water: The water it stands in.
        instanced: Whether it has or makes instances, so that it need have no faces of its own.
    """
    who = presence_of(obj)
    if course := course_of(obj, water.unit, water.low):
        return _moving(obj, water, course, who, instanced)
    matrix = placed(obj, water.unit)
    at = within(matrix.translation - water.low, water.size)
    scale, turn = matrix.to_scale(), matrix.to_quaternion()
    inside = water.holds(at)
    upright = abs((turn @ UP).z) > 0.9999 and abs(scale.x - scale.y) < 1e-4 * scale.x
    if obj.artfish.pillar.upright and upright and inside:
        pillar = json_of(obj.artfish.pillar)
        return {"kind": "cylinder", "at": at, "radius": short(scale.x), "height": short(scale.z), **pillar, **who}
    hull = hull_of(obj, water.unit)
    if instanced and not len(hull.triangles):
        return None
    return _shape(hull, water, at, matrix.translation.copy(), inside, json_of(obj.artfish.solid) | who)


def presence_of(obj: bpy.types.Object) -> dict[str, Any]:
    """An obstacle's presence to fishes as JSON, with its name if it is somebody; and our paint on it."""
    presence, paint = obj.artfish.movement.presence.lower(), obj.active_material and obj.active_material.get(PAINT)
    colour = {} if paint is None else {"colour": [short(float(part)) for part in paint]}
    return colour if presence == "none" else {"presence": presence, "name": obj.name, **colour}


def _moving(
    obj: bpy.types.Object, water: WaterPlace, course: ObstacleCourse, who: dict[str, Any], instanced: bool
) -> dict[str, Any] | ShapeOfMeshes | None:
    """A moving obstacle, in its own axes; None if only its instances have faces."""
    who = {"name": obj.name, **who}
    if obj.artfish.pillar.upright and not course.soft:
        at, keys = [max(x, 0.0) for x in course.start], course.keys()
        size = {"radius": short(course.scale.x), "height": short(course.scale.z)}
        return {"kind": "cylinder", "at": at, **size, **json_of(obj.artfish.pillar), **who, "motion": keys}
    scale = None if course.soft else Matrix.Diagonal(course.scale.to_4d())
    hull = hull_of(obj, water.unit, scale)
    if instanced and not len(hull.triangles):
        return None
    return _moving_shape(hull, water, course, json_of(obj.artfish.solid) | who)


def _moving_shape(hull: Hull, water: WaterPlace, course: ObstacleCourse, shell: dict[str, Any]) -> ShapeOfMeshes:
    """A moving mesh, in its own axes, or in the water's if it deforms."""
    at, keys, own = [max(x, 0.0) for x in course.start], course.keys(), Vector()
    if course.places is not None:
        own, hull = Vector(course.start), hull._replace(places=course.places[0].astype(np.float32))
    key = hull.key, repr(keys), *at, *water.size[:], repr(shell)
    return ShapeOfMeshes(MeshObstacle, key, lambda: {**_mesh_data(hull, at, own, shell), "motion": keys})


def _shape(
    hull: Hull, water: WaterPlace, at: list[float], own: Vector, inside: bool, shell: dict[str, Any]
) -> ShapeOfMeshes | None:
    """A mesh with its own origin at a place if that is in the water, or else in the middle of its part inside.

    Args:
        hull: The mesh in metres in Blender's world.
        water: The water it stands in.
        at: Its own origin in the water's frame.
        own: The same in Blender's world.
        inside: Whether that is in the water.
        shell: Its thickness, if set.
    """
    if len(hull.places):
        ends = [[float(end(hull.places[:, axis])) - water.low[axis] for axis in range(3)] for end in (np.min, np.max)]
        wet = [(max(least, 0.0), min(most, size)) for least, most, size in zip(*ends, water.size[:], strict=True)]
        flat = [least == most for least, most in zip(*ends, strict=True)]
        # A mesh that only touches the water is outside; a sheet inside is a shell, and counts.
        if any(least > most or least == most and not sheet for (least, most), sheet in zip(wet, flat, strict=True)):
            return None
        if not inside:
            at = [short(0.5 * (least + most)) for least, most in wet]
            own = water.low + Vector(at)
    key = hull.key, own[:], *at, *water.size[:], repr(shell)
    return ShapeOfMeshes(MeshObstacle, key, partial(_mesh_data, hull, at, own, shell))


def _mesh_data(hull: Hull, at: list[float], own: Vector, shell: dict[str, Any]) -> dict[str, Any]:
    """A mesh obstacle as JSON holds it."""
    return {"kind": "mesh", "at": at, **shell, "vertices": all_rounded(hull.places, own), "faces": hull.faces}


def put_obstacle(scene: bpy.types.Scene, obstacle: Any, data: dict[str, Any], low: Vector) -> None:
    unit = metres(scene)
    if obstacle.kind == "cylinder":
        obj = add(scene, "OBSTACLE", low + Vector(obstacle.at), pillar_mesh())
        obj.name = obstacle.name or "Pillar"
        obj.scale = Vector((obstacle.radius, obstacle.radius, obstacle.height)) / unit
        obj.artfish.pillar.upright = True
        fill(obj.artfish.pillar, data)
        _paint(obj, obstacle)
        put_motion(scene, obj, obstacle, low)
        return
    mesh = bpy.data.meshes.new("Rock")
    mesh.from_pydata(obstacle.vertices, [], obstacle.faces)
    obj = add(scene, "OBSTACLE", low + Vector(obstacle.at), mesh)
    obj.scale = (obstacle.scale / unit,) * 3
    fill(obj.artfish.solid, data)
    obj.name = obstacle.name or obj.name
    _paint(obj, obstacle)
    if obstacle.up == "y":
        obj.rotation_euler.x = 0.5 * pi
    put_motion(scene, obj, obstacle, low)


def _paint(obj: bpy.types.Object, obstacle: Any) -> None:
    if obstacle.colour is not None:
        obj.data.materials.append(paint_material(obstacle.colour))


def pillar_mesh() -> bpy.types.Mesh:
    """An upright cylinder, a metre in radius and height, with its base at the origin."""
    import bmesh

    mesh, made = bpy.data.meshes.new("Pillar"), bmesh.new()
    up = Matrix.Translation((0.0, 0.0, 0.5))
    bmesh.ops.create_cone(made, cap_ends=True, segments=PILLAR_SIDES, radius1=1.0, radius2=1.0, depth=1.0, matrix=up)
    made.to_mesh(mesh)
    made.free()
    return mesh
