"""Placement of a camera in a fish's eye, and the state before, as properties of camera and scene."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import bpy
from mathutils import Euler

from .eyes import NoEye, film_both, seat

made_by: Any = bpy.props  # by the stubs its functions return nothing
EYE_CHOICES = (
    ("NOSE", "Middle", "One eye at the tip of the nose, where the simulated fish sees from; it looks ahead"),
    ("LEFT", "Left eye", "The left eye, which looks out to its side"),
    ("RIGHT", "Right eye", "The right eye, which looks out to its side"),
    ("BOTH", "Both eyes", "A camera in each eye, both looking ahead; renders two pictures, left and right"),
)

RETINA_CHOICES = (
    ("BOTH", "Both eyes", "The left and the right eye, side by side"),
    ("LEFT", "Left eye", "The left eye alone"),
    ("RIGHT", "Right eye", "The right eye alone"),
    ("MIDDLE", "Middle", "One eye between the two"),
)
MAP_CHOICES = (
    ("PICTURE", "Picture", "Colours, dimmer and bluer the farther away"),
    ("IDENTITY", "Identity", "Each object in a false colour of its own: fishes are reds, obstacles blues"),
    ("RANGE", "Range", "The farther away the darker"),
)


def _seated(eye: Any, context: bpy.types.Context) -> None:
    """Update after a change of settings; a camera whose fish is gone stays."""
    try:
        seat(eye.id_data, context)
    except NoEye:
        return
    if context.scene.camera == eye.id_data:
        film_both(context.scene)


def _turn(axis: int) -> dict[str, Callable[..., Any]]:
    """Getter and setter of one of the camera's two angles."""

    def read(eye: bpy.types.PropertyGroup) -> float:
        return eye.id_data.rotation_euler[axis]

    def write(eye: bpy.types.PropertyGroup, angle: float) -> None:
        turned: Euler = eye.id_data.rotation_euler
        turned[axis] = angle

    return {"get": read, "set": write}


_gaze: dict[str, Any] = {"subtype": "ANGLE", "step": 100, "precision": 1}
_angle: dict[str, Any] = _gaze | {"options": {"SKIP_SAVE"}}


class ArtfishEye(bpy.types.PropertyGroup):
    """Placement of a camera in a fish's eye."""

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
        "which": made_by.EnumProperty(name="Eye", description="Which eye looks", items=EYE_CHOICES, update=_seated),
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
    """Display of the active fish's retinas, and the state before looking through a fish's eye."""

    __annotations__ = {
        "eyes": made_by.EnumProperty(name="Eyes", description="Whose retinas are shown", items=RETINA_CHOICES),
        "maps": made_by.EnumProperty(
            name="Show",
            description="What is shown of them; with Shift several",
            items=MAP_CHOICES,
            options={"ENUM_FLAG"},
            default={name for name, *_ in MAP_CHOICES},
        ),
        "pan": made_by.FloatProperty(
            name="Pan",
            description="Turn of both eyes to the left, from where the fish swims",
            min=-math.pi,
            max=math.pi,
            **_gaze,
        ),
        "tilt": made_by.FloatProperty(
            name="Tilt", description="Turn of both eyes upwards", min=-math.pi / 2, max=math.pi / 2, **_gaze
        ),
        "pixels": made_by.IntProperty(
            name="Resolution",
            description="Pixels across each picture; the pictures of a large school take long",
            default=200,
            min=32,
            max=1024,
            subtype="PIXEL",
        ),
        "through": made_by.BoolProperty(name="Through", description="Whether a fish's eye is looked through"),
        "before": made_by.PointerProperty(type=bpy.types.Object, name="Camera before"),
        "multiview": made_by.BoolProperty(name="Stereoscopy before", description="Whether there was any"),
        "perspective": made_by.StringProperty(
            name="View before", description="How the 3D View looked", default="PERSP"
        ),
    }


CLASSES = (ArtfishEye, ArtfishView)


def register() -> None:
    """Adds the settings to each camera and scene."""
    bpy.types.Object.artfish_eye = made_by.PointerProperty(type=ArtfishEye)
    bpy.types.Scene.artfish_view = made_by.PointerProperty(type=ArtfishView)


def unregister() -> None:
    """Removes the settings; cameras stay."""
    del bpy.types.Scene.artfish_view
    del bpy.types.Object.artfish_eye
