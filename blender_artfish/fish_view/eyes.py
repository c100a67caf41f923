"""Cameras in the eyes of fishes: children of a fish's empty, so that they ride along, baked or live.

A camera's rotation is pan and tilt alone: the way from the fish's axes to those of a camera that looks where the eye
does is its delta rotation. So both can be keyed as any rotation is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any

import bpy
from mathutils import Euler, Vector

from ..mind.source import root_of, telling

LENS = math.radians(90.0)
"""Angle of the ordinary lens, to begin with."""
NEAR, FAR = 0.004, 400.0
"""What is nearer or farther than this from the eye is not drawn, over the fish's length; at least 100 m are."""
AHEAD = Vector((1.0, 0.0, 0.0))
LEFT, RIGHT = "_L", "_R"
"""Ends of the names of two cameras by which Blender finds the left and the right view."""
FOLLOWS = "Looks where the left eye looks"
"""Name of the constraint of the right one."""
EYES = (
    ("NOSE", "Middle", "One eye at the tip of the nose, where the simulated fish sees from; it looks ahead"),
    ("LEFT", "Left eye", "The left eye, which looks out to its side"),
    ("RIGHT", "Right eye", "The right eye, which looks out to its side"),
    ("BOTH", "Both eyes", "A camera in each eye, both looking ahead; renders two pictures, left and right"),
)


made_by: Any = bpy.props  # whose functions return nothing, say the stubs


class NoEye(Exception):
    """There is no place for a camera; the text says why."""


@dataclass(frozen=True)
class Head:
    """Where a fish sees from, in its own frame, metres.

    Attributes:
        length: Of the body.
        nose: Its tip.
        places: Of the left and right eye, on the ball's surface.
        looks: Whither these look, unit vectors.
    """

    length: float
    nose: Vector
    places: Sequence[Vector]
    looks: Sequence[Vector]


def head_of(root: bpy.types.Object, context: bpy.types.Context) -> Head:
    """The head of a fish: by its eyes and surfaces as they are, or, where it is live and one mesh, by its species.

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
        raise NoEye(f"{root.name} has no two eyes: they were deleted, or are no longer its children")
    reach = [end for part in surfaces for end in _reach(part)]
    right, left = sorted(balls, key=lambda ball: ball.location.y)
    looks = [ball.rotation_quaternion @ Vector((0.0, 0.0, 1.0)) for ball in (left, right)]
    places = [ball.location + ball.scale.x * look for ball, look in zip((left, right), looks, strict=True)]
    return Head(max(reach) - min(reach), Vector((max(reach), 0.0, 0.0)), tuple(places), tuple(looks))


def _head_of_species(root: bpy.types.Object, context: bpy.types.Context) -> Head:
    """The head as it is at rest, of a fish of which a recording tells."""
    from ...core.body.anatomy import NOSE_NODE, rest_nodes
    from ...core.form.surfaces import eyes

    told = telling(context)
    row = next((row for row, other in told.roots.items() if other == root), None) if told is not None else None
    if told is None or row is None:
        raise NoEye(f"{root.name} has no eyes any more: its parts were deleted, or it plays live no more")
    species, length = told.recording.species_models[told.recording.species[row]], float(told.recording.body_length[row])
    centres, radius, outward = eyes(species)
    left, right = (Vector((length * place).tolist()) for place in centres + radius * outward)
    looks = Vector(outward[0].tolist()), Vector(outward[1].tolist())
    return Head(length, Vector((length * rest_nodes(species.body)[NOSE_NODE]).tolist()), (left, right), looks)


def camera_of(root: bpy.types.Object) -> bpy.types.Object | None:
    """The camera in a fish's eye, the left one of two; None where it has none yet."""
    return next((each for each in root.children if _is_eye(each)), None)


def left_over(root: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Object | None:
    """A camera of a fish of the same name that is gone: live fishes are made anew when their world begins anew."""
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
    camera.data.clip_start = max(NEAR * head.length, 1e-6)
    camera.data.clip_end = max(FAR * head.length, 100.0)
    camera.data.display_size = 0.2 * head.length
    camera.data.sensor_width = 36.0
    camera.data.angle = LENS
    seat(camera, context)
    return camera


def _promote(camera: bpy.types.Object) -> bpy.types.Object:
    """Makes a right one of two cameras the left one, where that was deleted, and a new right one beside it."""
    for each in [each for each in camera.constraints if each.name == FOLLOWS]:
        camera.constraints.remove(each)
    camera.name = camera.name.removesuffix(RIGHT)
    camera.artfish_eye.side = "LEFT"
    camera.artfish_eye.wide = camera.data.type == "PANO"
    camera.artfish_eye.which = "BOTH"
    return camera


def seat(camera: bpy.types.Object, context: bpy.types.Context) -> None:
    """Put a camera, and a second one where both eyes are asked for, where its settings say.

    Raises:
        NoEye: The fish is gone, or parts of it are.
    """
    root = camera.parent
    if root is None:
        raise NoEye(f"{camera.name} is in no fish any more: its fish was deleted")
    camera.artfish_eye.fish = root.name
    head, eye = head_of(root, context), camera.artfish_eye
    second = second_of(camera)
    if eye.which == "BOTH":
        if second is None:
            second = _camera(f"{root.name} view{RIGHT}", root, camera.data, context)
            second.artfish_eye.side = "RIGHT"
            follows = second.constraints.new("COPY_ROTATION")
            follows.name, follows.target = FOLLOWS, camera
        base = _base(camera.name.removesuffix(LEFT), {camera, second})
        camera.name, second.name = base + LEFT, base + RIGHT
        camera.artfish_eye.side = "LEFT"
        _put(second, head.places[1], AHEAD)
    else:
        camera.artfish_eye.side = "ONE"
        camera.name = camera.name.removesuffix(LEFT)
        if second is not None:
            bpy.data.objects.remove(second)
    place, look = {
        "NOSE": (head.nose, AHEAD),
        "LEFT": (head.places[0], head.looks[0]),
        "RIGHT": (head.places[1], head.looks[1]),
        "BOTH": (head.places[0], AHEAD),
    }[eye.which]
    _put(camera, place, look)
    _set_lens(camera.data, eye.wide)


def _base(name: str, pair: set[bpy.types.Object]) -> str:
    """A name of which both a left and a right one are free for two cameras: Blender goes by how theirs end."""
    taken = {thing.name for thing in bpy.data.objects if thing not in pair}
    numbered = (f"{name} {number}" for number in count(2))
    return next(each for each in chain([name], numbered) if not {each + LEFT, each + RIGHT} & taken)


def look_through(camera: bpy.types.Object, context: bpy.types.Context) -> None:
    """Film with a fish's camera, and show what it sees in the 3D View."""
    scene, view = context.scene, context.scene.artfish_view
    if not looks(scene):
        view.through, view.before, view.multiview = True, scene.camera, scene.render.use_multiview
    scene.camera = camera
    _film_both(scene)
    for region in _views(context):
        if region.view_perspective != "CAMERA":
            view.perspective, region.view_perspective = region.view_perspective, "CAMERA"
    fill: Any = bpy.ops.view3d.view_center_camera
    if fill.poll():  # in a 3D View
        fill()


def look_back(context: bpy.types.Context) -> None:
    """Film with the camera from before, and show the 3D View as it was."""
    scene, view = context.scene, context.scene.artfish_view
    before = view.before if view.before and view.before.name in scene.objects else None
    scene.camera, scene.render.use_multiview = before, view.multiview
    view.through, view.before = False, None
    for region in _views(context):
        if region.view_perspective == "CAMERA":
            region.view_perspective = view.perspective


def looks(scene: bpy.types.Scene) -> bool:
    """Whether the scene is filmed through a fish's eye, or was until that was deleted."""
    return scene.artfish_view.through if scene.camera is None else scene.camera.artfish_eye.side != "NONE"


def _film_both(scene: bpy.types.Scene) -> None:
    """Let renders have two views while both eyes are looked through."""
    both = scene.camera.artfish_eye.side == "LEFT"
    scene.render.use_multiview = both or scene.artfish_view.multiview
    if both:
        scene.render.views_format = "MULTIVIEW"


def _views(context: bpy.types.Context) -> list[bpy.types.RegionView3D]:
    """The 3D View in which this is asked for, or all that are open."""
    if context.area is not None and context.area.type == "VIEW_3D":
        return [context.area.spaces.active.region_3d]
    screen = context.screen
    areas = screen.areas if screen is not None else ()
    return [area.spaces.active.region_3d for area in areas if area.type == "VIEW_3D"]


def _camera(name: str, root: bpy.types.Object, data: Any, context: bpy.types.Context) -> bpy.types.Object:
    """A camera that rides on a fish."""
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
    """A panorama of all that a fish takes in, or an ordinary picture."""
    from ...core.perception.tuning import FIELD_ANGLE

    data.type = "PANO" if wide else "PERSP"
    if wide:
        data.panorama_type = "EQUIRECTANGULAR"
        data.latitude_min, data.latitude_max = -math.pi / 2, math.pi / 2
        data.longitude_min, data.longitude_max = -FIELD_ANGLE / 2, FIELD_ANGLE / 2


def _is_eye(thing: bpy.types.Object) -> bool:
    """Whether it is a fish's camera, the first of two."""
    return thing.artfish_eye.side in ("ONE", "LEFT")


def _reach(surface: bpy.types.Object) -> tuple[float, float]:
    """How far a surface goes ahead and back, in metres."""
    ahead = [point.co.x for spline in surface.data.splines for point in spline.points]
    return max(ahead), min(ahead)


def _seated(eye: Any, context: bpy.types.Context) -> None:
    """After a change of settings; a camera whose fish is gone stays where it is."""
    try:
        seat(eye.id_data, context)
    except NoEye:
        return
    if context.scene.camera == eye.id_data:
        _film_both(context.scene)


def _turn(axis: int) -> dict[str, Callable[..., Any]]:
    """Reads and writes one of the camera's two turns."""

    def read(eye: bpy.types.PropertyGroup) -> float:
        return eye.id_data.rotation_euler[axis]

    def write(eye: bpy.types.PropertyGroup, angle: float) -> None:
        turned: Euler = eye.id_data.rotation_euler
        turned[axis] = angle

    return {"get": read, "set": write}


_angle: dict[str, Any] = {"subtype": "ANGLE", "options": {"SKIP_SAVE"}, "step": 100, "precision": 1}


class ArtfishEye(bpy.types.PropertyGroup):
    """How a camera sits in a fish's eye."""

    __annotations__ = {
        "side": made_by.EnumProperty(
            name="Side",
            description="Which of a fish's cameras it is",
            items=[
                ("NONE", "None", "It is in no fish's eye"),
                ("ONE", "One", "The only one"),
                ("LEFT", "Left", "That of the left eye"),
                ("RIGHT", "Right", "That of the right eye"),
            ],
            options={"HIDDEN"},
        ),
        "fish": made_by.StringProperty(name="Fish", description="Whose eye it is in", options={"HIDDEN"}),
        "which": made_by.EnumProperty(name="Eye", description="Which eye looks", items=EYES, update=_seated),
        "wide": made_by.BoolProperty(
            name="Wide",
            description="All 300 degrees that the fish takes in, as a panorama; Cycles renders it",
            update=_seated,
        ),
        "pan": made_by.FloatProperty(
            name="Pan",
            description="Turn of the eye to the left, from where it looks by itself. Key the camera's Rotation Y",
            min=-math.pi,
            max=math.pi,
            **_turn(1),
            **_angle,
        ),
        "tilt": made_by.FloatProperty(
            name="Tilt",
            description="Turn of the eye upwards. Key the camera's Rotation X",
            min=-math.pi / 2,
            max=math.pi / 2,
            **_turn(0),
            **_angle,
        ),
    }


class ArtfishView(bpy.types.PropertyGroup):
    """What was before a fish's eye was looked through."""

    __annotations__ = {
        "through": made_by.BoolProperty(name="Through", description="Whether a fish's eye is looked through"),
        "before": made_by.PointerProperty(type=bpy.types.Object, name="Camera before"),
        "multiview": made_by.BoolProperty(name="Stereoscopy before", description="Whether there was any"),
        "perspective": made_by.StringProperty(
            name="View before", description="How the 3D View looked", default="PERSP"
        ),
    }


def fish_of(context: bpy.types.Context) -> bpy.types.Object | None:
    """The empty of the active fish: of any of its parts, or of its camera."""
    return root_of(context.object)


CLASSES = (ArtfishEye, ArtfishView)


def register() -> None:
    """The settings of each camera and of each scene."""
    bpy.types.Object.artfish_eye = made_by.PointerProperty(type=ArtfishEye)
    bpy.types.Scene.artfish_view = made_by.PointerProperty(type=ArtfishView)


def unregister() -> None:
    """Takes them away again; cameras stay."""
    del bpy.types.Scene.artfish_view
    del bpy.types.Object.artfish_eye
