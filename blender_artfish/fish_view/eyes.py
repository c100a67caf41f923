"""Cameras in the eyes of fishes: children of a fish's empty, so that they ride along, baked or live.

A camera's rotation is pan and tilt alone: the turn from the fish's axes to those of a camera that looks along the eye
is its delta rotation. So both can be keyed like any rotation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any

import bpy
from mathutils import Vector

from ..blender.words import translated
from ..identity.units import metres
from ..mind.source import observe, root_of

LENS_RADIANS = math.radians(90.0)
"""Initial angle of view of the ordinary lens."""
NEAR_LENGTHS, FAR_LENGTHS = 0.004, 400.0
"""Clipping distances from the eye over the fish's length; the far one is at least 100 m."""
AHEAD_WAY = Vector((1.0, 0.0, 0.0))
LEFT_END, RIGHT_END = "_L", "_R"
"""Suffixes of two cameras' names by which Blender identifies the left and the right view."""
FOLLOWS_NAME = "Looks where the left eye looks"
"""Name of the right camera's constraint."""


class NoEye(Exception):
    """A camera cannot be placed; the text says why."""


@dataclass(frozen=True)
class Head:
    """Position and gaze of a fish's eyes in its own frame, metres.

    Attributes:
        length: Body length.
        nose: Tip of the nose.
        places: Front of the left and the right eyeball.
        looks: Directions of their gaze, unit vectors.
    """

    length: float
    nose: Vector
    places: Sequence[Vector]
    looks: Sequence[Vector]


def head_of(root: bpy.types.Object, context: bpy.types.Context) -> Head:
    """The head of a fish: from its eyes and surfaces, or, for a live fish of one mesh, from its species.

    Raises:
        NoEye: Parts of the fish were deleted.
    """
    surfaces = [part for part in root.children if part.type == "SURFACE"]
    if not surfaces:
        return _head_of_species(root, context)
    balls = [part for part in root.children if part.type == "MESH"]
    if len(balls) > 2:
        balls = [ball for ball in balls if "eye" in ball.data.name.lower()]
    if len(balls) != 2:
        raise NoEye(
            translated("{root} has no two eyes: they were deleted, or are no longer its children", root=root.name)
        )
    reach = [end for part in surfaces for end in _reach(part)]
    right, left = sorted(balls, key=lambda ball: ball.location.y)
    looks = [ball.rotation_quaternion @ Vector((0.0, 0.0, 1.0)) for ball in (left, right)]
    places = [ball.location + ball.scale.x * look for ball, look in zip((left, right), looks, strict=True)]
    return Head(max(reach) - min(reach), Vector((max(reach), 0.0, 0.0)), tuple(places), tuple(looks))


def _head_of_species(root: bpy.types.Object, context: bpy.types.Context) -> Head:
    """The head at rest of a fish of a recording."""
    from ...core.body.anatomy import NOSE_NODE, rest_nodes
    from ...core.form.surfaces import eyes

    observed = observe(context)
    row = next((row for row, other in observed.roots.items() if other == root), None) if observed is not None else None
    if observed is None or row is None:
        raise NoEye(
            translated("{root} has no eyes any more: its parts were deleted, or it plays live no more", root=root.name)
        )
    species, length = (
        observed.recording.species_models[observed.recording.species[row]],
        float(observed.recording.body_length[row]),
    )
    centres, radius, outward = eyes(species)
    left, right = (Vector((length * place).tolist()) for place in centres + radius * outward)
    looks = Vector(outward[0].tolist()), Vector(outward[1].tolist())
    return Head(length, Vector((length * rest_nodes(species.body)[NOSE_NODE]).tolist()), (left, right), looks)


def camera_of(root: bpy.types.Object) -> bpy.types.Object | None:
    """The camera in a fish's eye, the left one of two; None if it has none."""
    return next((each for each in root.children if _is_eye(each)), None)


def left_over(root: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Object | None:
    """The camera of a vanished fish of the same name: live fishes are remade when their world restarts."""
    lost = (each for each in scene.objects if each.parent is None and _is_eye(each))
    return next((each for each in lost if each.artfish_eye.fish == root.name), None)


def second_of(camera: bpy.types.Object) -> bpy.types.Object | None:
    """The right one of two cameras."""
    there = camera.parent.children if camera.parent else bpy.data.objects
    return next((each for each in there if each.artfish_eye.side == "RIGHT" and each.data == camera.data), None)


def make_camera(root: bpy.types.Object, context: bpy.types.Context) -> bpy.types.Object:
    """Put a camera at the tip of a fish's nose.

    Raises:
        NoEye: Parts of the fish were deleted.
    """
    head = head_of(root, context)
    lone = next((each for each in root.children if each.artfish_eye.side == "RIGHT"), None)
    if lone is not None:
        return _promote(lone)
    camera = left_over(root, context.scene)
    if camera is not None:
        for each in (camera, second_of(camera)):
            if each is not None:
                each.parent = root
        seat(camera, context)
        return camera
    camera = _camera(f"{root.name} view", root, bpy.data.cameras.new(f"{root.name} view"), context)
    camera.artfish_eye.side = "ONE"
    unit = metres(context.scene)
    camera.data.clip_start = max(NEAR_LENGTHS * head.length / unit, 1e-6)
    camera.data.clip_end = max(FAR_LENGTHS * head.length, 100.0) / unit
    camera.data.display_size = 0.2 * head.length
    camera.data.sensor_width = 36.0
    camera.data.angle = LENS_RADIANS
    seat(camera, context)
    return camera


def _promote(camera: bpy.types.Object) -> bpy.types.Object:
    """Makes a right camera the left one, if that was deleted, with a new right one beside it."""
    for each in [each for each in camera.constraints if each.name == FOLLOWS_NAME]:
        camera.constraints.remove(each)
    camera.name = camera.name.removesuffix(RIGHT_END)
    camera.artfish_eye.side = "LEFT"
    camera.artfish_eye.wide = camera.data.type == "PANO"
    camera.artfish_eye.which = "BOTH"
    return camera


def seat(camera: bpy.types.Object, context: bpy.types.Context) -> None:
    """Place a camera by its settings, and a second one if both eyes are chosen.

    Raises:
        NoEye: The fish or parts of it are gone.
    """
    root = camera.parent
    if root is None:
        raise NoEye(translated("{camera} is in no fish any more: its fish was deleted", camera=camera.name))
    camera.artfish_eye.fish = root.name
    head, eye = head_of(root, context), camera.artfish_eye
    second = second_of(camera)
    if eye.which == "BOTH":
        if second is None:
            second = _camera(f"{root.name} view{RIGHT_END}", root, camera.data, context)
            second.artfish_eye.side = "RIGHT"
            follows = second.constraints.new("COPY_ROTATION")
            follows.name, follows.target = FOLLOWS_NAME, camera
        base = _base(camera.name.removesuffix(LEFT_END), {camera, second})
        camera.name, second.name = base + LEFT_END, base + RIGHT_END
        camera.artfish_eye.side = "LEFT"
        _put(second, head.places[1], AHEAD_WAY)
    else:
        camera.artfish_eye.side = "ONE"
        camera.name = camera.name.removesuffix(LEFT_END)
        if second is not None:
            bpy.data.objects.remove(second)
    place, look = {
        "NOSE": (head.nose, AHEAD_WAY),
        "LEFT": (head.places[0], head.looks[0]),
        "RIGHT": (head.places[1], head.looks[1]),
        "BOTH": (head.places[0], AHEAD_WAY),
    }[eye.which]
    _put(camera, place, look)
    _set_lens(camera.data, eye.wide)


def _base(name: str, pair: set[bpy.types.Object]) -> str:
    """A name free with both suffixes for two cameras, by which Blender identifies them."""
    taken = {obj.name for obj in bpy.data.objects if obj not in pair}
    numbered = (f"{name} {number}" for number in count(2))
    return next(each for each in chain([name], numbered) if not {each + LEFT_END, each + RIGHT_END} & taken)


def look_through(camera: bpy.types.Object, context: bpy.types.Context) -> None:
    """Film with a fish's camera, and look through it in the 3D View."""
    scene, view = context.scene, context.scene.artfish_view
    if not looks(scene):
        view.through, view.before, view.multiview = True, scene.camera, scene.render.use_multiview
    scene.camera = camera
    film_both(scene)
    for region in _views(context):
        if region.view_perspective != "CAMERA":
            view.perspective, region.view_perspective = region.view_perspective, "CAMERA"
    fill: Any = bpy.ops.view3d.view_center_camera
    if fill.poll():  # in a 3D View
        fill()


def look_back(context: bpy.types.Context) -> None:
    """Film with the former camera, and restore the 3D View."""
    scene, view = context.scene, context.scene.artfish_view
    before = view.before if view.before and view.before in scene.objects.values() else None
    scene.camera, scene.render.use_multiview = before, view.multiview
    view.through, view.before = False, None
    for region in _views(context):
        if region.view_perspective == "CAMERA":
            region.view_perspective = view.perspective


def looks(scene: bpy.types.Scene) -> bool:
    """True if the scene is filmed through a fish's eye, or was until that was deleted."""
    return scene.artfish_view.through if scene.camera is None else scene.camera.artfish_eye.side != "NONE"


def film_both(scene: bpy.types.Scene) -> None:
    """Have renders use two views while both eyes are looked through."""
    both = scene.camera.artfish_eye.side == "LEFT"
    scene.render.use_multiview = both or scene.artfish_view.multiview
    if both:
        scene.render.views_format = "MULTIVIEW"


def _views(context: bpy.types.Context) -> list[bpy.types.RegionView3D]:
    """The context's 3D View, or all that are open."""
    if context.area is not None and context.area.type == "VIEW_3D":
        return [context.area.spaces.active.region_3d]
    screen = context.screen
    areas = screen.areas if screen is not None else ()
    return [area.spaces.active.region_3d for area in areas if area.type == "VIEW_3D"]


def _camera(name: str, root: bpy.types.Object, data: Any, context: bpy.types.Context) -> bpy.types.Object:
    """A camera parented to a fish."""
    camera = bpy.data.objects.new(name, data)
    camera.parent = root
    camera.rotation_mode = "XYZ"
    into = root.users_collection[0] if root.users_collection else context.collection
    into.objects.link(camera)
    return camera


def _put(camera: bpy.types.Object, place: Vector, look: Vector) -> None:
    camera.location = place
    camera.delta_rotation_euler = look.to_track_quat("-Z", "Y").to_euler("XYZ")


def _set_lens(data: Any, wide: bool) -> None:
    """Set a panorama of a fish's whole field of view, or an ordinary lens."""
    from ...core.perception.tuning import FIELD_ANGLE

    data.type = "PANO" if wide else "PERSP"
    if wide:
        data.panorama_type = "EQUIRECTANGULAR"
        data.latitude_min, data.latitude_max = -math.pi / 2, math.pi / 2
        data.longitude_min, data.longitude_max = -FIELD_ANGLE / 2, FIELD_ANGLE / 2


def _is_eye(obj: bpy.types.Object) -> bool:
    """True if the object is a fish's camera, the first of two."""
    return obj.artfish_eye.side in ("ONE", "LEFT")


def _reach(surface: bpy.types.Object) -> tuple[float, float]:
    """Farthest x ahead and back of a surface, metres."""
    ahead = [point.co.x for spline in surface.data.splines for point in spline.points]
    return max(ahead), min(ahead)


def fish_of(context: bpy.types.Context) -> bpy.types.Object | None:
    """The empty of the active fish, from any of its parts or its camera."""
    return root_of(context.object)
