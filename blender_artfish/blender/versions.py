"""Differences between Blender's versions and builds from 4.5 on: every branch on one is here, and nothing else."""

from __future__ import annotations

from typing import Any

import bpy


def channelbag(action: bpy.types.Action, owner: bpy.types.ID) -> bpy.types.ActionChannelbag:
    """The channelbag that animates a data block by an action, in a slot of its own, made if missing.

    `Action.fcurves` is gone from 5.0 on; slots, layers and channelbags are there from 4.4 on, so one way serves all.

    Args:
        action: The action; it may animate many IDs, each by its slot.
        owner: The ID to animate; its former action is replaced.

    Returns:
        The holder of the F-curves of this ID.
    """
    layer = action.layers[0] if action.layers else action.layers.new("Motion")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    data = owner.animation_data_create()
    if data.action != action:
        slot = action.slots.new(owner.id_type, owner.name)
        data.action = action
        data.action_slot = slot
    return strip.channelbag(data.action_slot, ensure=True)


def channelbags(owner: bpy.types.ID) -> list[bpy.types.ActionChannelbag]:
    """The channelbags that animate an ID: one, or none if it is not animated."""
    data = owner.animation_data
    if data is None or data.action is None or data.action_slot is None:
        return []
    strips = [strip for layer in data.action.layers for strip in layer.strips]
    found = [strip.channelbag(data.action_slot) for strip in strips]
    return [bag for bag in found if bag is not None]


def action_channelbags(action: bpy.types.Action) -> list[bpy.types.ActionChannelbag]:
    """All channelbags of an action."""
    return [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]


def shader_tree(owner: bpy.types.Material | bpy.types.World | bpy.types.Light) -> bpy.types.NodeTree:
    """The node tree of a material, world or light.

    Up to 4.5 a material or world has one only once it uses nodes; from 5.0 on it always has one, and that
    setting is deprecated.
    """
    if owner.node_tree is None:
        owner.use_nodes = True
    return owner.node_tree


def compositors() -> list[bpy.types.NodeTree]:
    """All node trees used by compositing, of every scene and within groups.

    Up to 4.5 a scene owns its tree; from 5.0 on it names one of the groups.
    """
    groups = [tree for tree in bpy.data.node_groups if tree.bl_idname == "CompositorNodeTree"]
    if "compositing_node_group" in bpy.types.Scene.bl_rna.properties:
        return groups
    return [*groups, *(scene.node_tree for scene in bpy.data.scenes if scene.node_tree is not None)]


def even_volume(material: bpy.types.Material) -> bool:
    """Let Cycles treat a volume as even along every ray, and so without noise, though it differs between rays.

    Returns:
        True if this Blender has that setting.
    """
    if not hasattr(material.cycles, "homogeneous_volume"):
        return False
    material.cycles.homogeneous_volume = True
    return True


def use_cycles(scene: bpy.types.Scene) -> None:
    """Have a scene rendered by Cycles."""
    scene.render.engine = "CYCLES"  # type: ignore[assignment]  # an add-on of Blender, of which stubs know nothing


def choose_denoiser(scene: bpy.types.Scene) -> bool:
    """Choose Cycles' own denoiser; returns whether this build has it, which only trying shows."""
    try:
        scene.cycles.denoiser = "OPENIMAGEDENOISE"
    except TypeError:
        return False
    return True


def write_picture(render: bpy.types.RenderSettings) -> None:
    """Set renders to PNG; from 5.0 on the media type is set first."""
    if hasattr(render.image_settings, "media_type"):
        render.image_settings.media_type = "IMAGE"
    render.image_settings.file_format = "PNG"
    render.image_settings.color_mode = "RGB"


def has_ffmpeg() -> bool:
    """True if this build of Blender can write movies."""
    return bpy.app.build_options.codec_ffmpeg


def write_movie(render: bpy.types.RenderSettings) -> None:
    """Set renders to an H.264 movie that plays anywhere."""
    if hasattr(render.image_settings, "media_type"):
        render.image_settings.media_type = "VIDEO"
    render.image_settings.file_format = "FFMPEG"
    render.image_settings.color_mode = "RGB"
    render.ffmpeg.format = "MPEG4"
    render.ffmpeg.codec = "H264"
    render.ffmpeg.constant_rate_factor = "HIGH"
    render.ffmpeg.gopsize = 12


def modifier_input(modifier: bpy.types.NodesModifier, name: str, value: Any) -> None:
    """Set an input of a Geometry Nodes modifier by its name.

    Up to 5.1 inputs are custom properties of the modifier; from 5.2 on they are real properties.
    """
    if hasattr(modifier, "properties"):
        getattr(modifier.properties.inputs, _socket(modifier, name)).value = value
    else:
        modifier[_socket(modifier, name)] = value


def modifier_value(modifier: bpy.types.NodesModifier, name: str) -> Any:
    """The value of an input of a Geometry Nodes modifier, by its name."""
    if hasattr(modifier, "properties"):
        return getattr(modifier.properties.inputs, _socket(modifier, name)).value
    return modifier[_socket(modifier, name)]


def _socket(modifier: bpy.types.NodesModifier, name: str) -> str:
    """The identifier of an input."""
    return next(
        each.identifier
        for each in modifier.node_group.interface.items_tree
        if each.item_type == "SOCKET" and each.in_out == "INPUT" and each.name == name
    )


def effect_strip(strips: Any, name: str, kind: str, channel: int, begin: int, end: int) -> Any:
    """A new effect strip without inputs, between two frames, the last excluded; from 5.0 on it takes a length."""
    if "length" in strips.bl_rna.functions["new_effect"].parameters:
        return strips.new_effect(name=name, type=kind, channel=channel, frame_start=begin, length=end - begin)
    return strips.new_effect(name=name, type=kind, channel=channel, frame_start=begin, frame_end=end)
