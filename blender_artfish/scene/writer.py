"""A scene file written as objects and settings of a Blender scene.

A scene file's tank begins at the origin; in Blender it may stand anywhere.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import bpy
from mathutils import Vector

from ...core.scene.scene import Scene
from ...core.scene.tank import Tank
from ..blender.declarations import fill
from ..direction import markers
from ..direction.instructions import write_instructions
from ..direction.relations import write_relations
from ..direction.writer import write as write_direction
from ..dive.rides import keep_ride
from ..identity.film_time import Clock, film, set_rate
from ..identity.keyed import BRIGHTNESS_PATH, write_keys
from ..identity.roles import objects_of
from ..identity.units import metres
from ..species import library, memory
from .bed import put_bed
from .objects import AHEAD, UP, At, add, clear, collection_of
from .obstacles import put_obstacle
from .tank import add_tank


def write(
    scene: bpy.types.Scene, written: Scene, origin: At = (0.0, 0.0, 0.0), time: bool = True
) -> bpy.types.Collection:
    """Make the objects and settings of a scene; former contents of the water are cleared away.

    Objects that Artfish made are removed; an animator's own meshes and cameras stay and lose their role.

    Args:
        scene: The scene to write to.
        written: The scene to write.
        origin: Position for the corner of the tank, metres.
        time: Whether the scene takes the film's frame rate and frames.

    Returns:
        The collection that holds them.
    """
    data, low = written.to_dict(), Vector(origin)
    clear(scene)
    _set_numbers(scene, written, data)
    scene.artfish.relations.clear()
    scene.artfish.grudges = written.grudges
    if time:
        _set_time(scene, written)
    _put_tank(scene, written.tank, low)
    _put_contents(scene, written, data, low)
    keep_ride(scene, data.get("ride"))
    if written.camera is not None:
        _put_camera(scene, written.camera, low)
    return collection_of(scene)


def join(scene: bpy.types.Scene, written: Scene, origin: At) -> list[str]:
    """Put the contents of a scene into the present water, beside what is there.

    Water, light, warmth, frame rate and frames stay; so does the present one of anything that can exist only once.

    Args:
        scene: The scene to add to.
        written: The scene to put in.
        origin: Position that the corner of its tank would have, metres.

    Returns:
        The contents left out, in words.
    """
    data, low = written.to_dict(), Vector(origin)
    out = []
    if data.get("plankton", {}).get("count") and objects_of(scene, "PLANKTON"):
        del data["plankton"]
        out.append("plankton")
    if written.hook is not None and objects_of(scene, "HOOK"):
        written = replace(written, hook=None)
        out.append("hook")
    if written.terrain is not None and (scene.artfish.hills or objects_of(scene, "BED") or not written.terrain.heights):
        written = replace(written, terrain=None)
        out.append("hills")
    if written.grudges and not scene.artfish.grudges:
        out.append("grudges")
    if written.breeding is not None and not scene.artfish.generations.on:
        out.append("breeding")
    _put_contents(scene, written, data, low)
    if written.camera is not None and scene.camera is None:
        _put_camera(scene, written.camera, low)
    elif written.camera is not None:
        out.append("camera")
    return out


def _put_contents(scene: bpy.types.Scene, written: Scene, data: dict[str, Any], low: Vector) -> None:
    """Fishes, obstacles and everything else in the tank, and directions."""
    shoals = [_put_shoal(scene, group, low) for group in data.get("fishes", ())]
    for obstacle, entry in zip(written.obstacles, data.get("obstacles", ()), strict=True):
        put_obstacle(scene, obstacle, entry, low)
    _put_surroundings(scene, written, data, low)
    write_direction(scene, written, low, shoals)
    write_instructions(scene, written, low, shoals)
    write_relations(scene, written, shoals)
    markers.follow(scene)


def _set_numbers(scene: bpy.types.Scene, written: Scene, data: dict[str, Any]) -> None:
    """Settings of the whole water."""
    settings = scene.artfish
    settings.instructions = ""
    settings.instruction_rows.clear()
    fill(settings.water, data)
    stage = data.get("stage", {})
    fill(settings.stage, stage)
    settings.stage.painted = json.dumps({"painted": stage["painted"]}) if "painted" in stage else ""
    fill(settings.sea, data.get("water", {}))
    settings.sea.on = written.water is not None
    light = data.get("light", {})
    fill(settings.light, light)
    if isinstance(light.get("brightness"), list):
        write_keys(scene, BRIGHTNESS_PATH, light["brightness"], Clock(written.fps, film(scene)[0]))
    fill(settings.temperature, data.get("temperature", {}))
    settings.flow, settings.still_water = True, False
    settings.hills = written.terrain is not None and written.terrain.heights is None
    fill(settings.terrain, data.get("terrain", {}))
    fill(settings.generations, data.get("breeding", {}))
    settings.generations.on = written.breeding is not None
    detail = data.get("detail", {})
    fill(settings.detail, detail)
    settings.detail.on = written.detail is not None
    settings.detail.shots = json.dumps({"camera": detail["camera"]}) if "camera" in detail else ""


def _set_time(scene: bpy.types.Scene, written: Scene) -> None:
    """The length and pace of the film."""
    set_rate(scene, written.fps)
    scene.frame_end = scene.frame_start + written.frames - 1


def _put_tank(scene: bpy.types.Scene, tank: Tank, low: Vector) -> None:
    if tank.faces is None or tank.vertices is None:
        size = Vector(tank.size)
        add_tank(scene, low + 0.5 * size, size)
        return
    walls = bpy.data.meshes.new("Tank")
    walls.from_pydata(tank.vertices, [], tank.faces)
    obj = add(scene, "TANK", low, walls)
    obj.display_type, obj.hide_render = "WIRE", True


def _put_shoal(scene: bpy.types.Scene, group: dict[str, Any], low: Vector) -> bpy.types.Object:
    obj = add(scene, "SHOAL", low + Vector(group["at"]))
    obj.name = library.label(group["species"])
    role = obj.artfish
    fill(role.shoal, group)
    role.shoal.controller = json.dumps(group["controller"]) if "controller" in group else ""
    _set_character(role, group)
    memory.fill(role.memory, group)
    for entry in group.get("members", ()):
        member = role.members.add()
        fill(member, entry)
        _set_character(member, entry)
    if "heading" in group:
        role.shoal.use_heading = True
        _point(obj, AHEAD, group["heading"])
    return obj


def _set_character(fishes: Any, entry: dict[str, Any]) -> None:
    """Habits and mind of a shoal or of a single fish."""
    fill(fishes.habits, entry.get("habits", {}))
    fill(fishes.mind, entry.get("mind", {}))


def _put_surroundings(scene: bpy.types.Scene, written: Scene, data: dict[str, Any], low: Vector) -> None:
    """Currents, plants, bubbles, food, hook, heat and bed."""
    size = Vector(written.tank.size)
    for entry in data.get("current", ()):
        obj = add(scene, "CURRENT", low + (Vector(entry["at"]) if "at" in entry else 0.5 * size))
        current = obj.artfish.current
        fill(current, entry)
        current.kind, current.radius = entry["kind"], entry.get("radius", current.radius)
        if "direction" in entry:
            _point(obj, UP, entry["direction"])
    for key, kind in (("seaweed", "SEAWEED"), ("bubbles", "BUBBLES")):
        for entry in data.get(key, ()):
            fill(getattr(add(scene, kind, low + Vector(entry["at"])).artfish, key), entry)
    plankton = data.get("plankton", {})
    if plankton.get("count"):
        obj = add(scene, "PLANKTON", low + Vector(plankton.get("at", 0.5 * size)))
        fill(obj.artfish.plankton, plankton)
        obj.artfish.everywhere = "at" not in plankton
    if written.hook is not None:
        fill(add(scene, "HOOK", low + Vector(written.hook.at)).artfish.hook, data["hook"])
    for entry in data.get("temperature", {}).get("sources", ()):
        fill(add(scene, "HEAT", low + Vector(entry["at"])).artfish.heat, entry)
    if written.terrain is not None and written.terrain.heights is not None:
        put_bed(scene, written.terrain.heights, low, size)


def _put_camera(scene: bpy.types.Scene, camera: Any, low: Vector) -> None:
    data = bpy.data.cameras.new("Camera")
    data.lens, unit = camera.lens, metres(scene)
    data.clip_start, data.clip_end = data.clip_start / unit, data.clip_end / unit
    data.display_size /= unit
    obj = add(scene, "CAMERA", low + Vector(camera.at), data)
    ray = Vector(camera.look_at) - Vector(camera.at)
    obj.artfish.distance = ray.length
    obj.rotation_euler = ray.to_track_quat("-Z", "Y").to_euler()
    scene.artfish.former_camera, scene.camera = scene.camera, obj


def _point(obj: bpy.types.Object, axis: Vector, direction: Sequence[float]) -> None:
    """Turn an object so that its axis points in a direction."""
    obj.rotation_euler = axis.rotation_difference(Vector(direction)).to_euler()
