"""The Geometry Nodes group that plays a crowd: it samples a table at the scene's frame and places the poses.

The table is the mesh of the object that wears the group. Its vertices are the keys, those of all fishes at the first
key, then those at the next; its edges are the fishes, from their first key to their last. The result at a frame
depends on nothing but this mesh and the frame, so a crowd needs no add-on, no driver and no handler, and plays
backwards as well.
"""

from __future__ import annotations

from typing import Any, cast

import bpy

from ..bake.order import COARSE_LENGTHS, FINE_LENGTHS
from ..blender.shader_graph import Graph, Outputs, Term, Value, modifier_group
from ..blender.versions import modifier_input
from ..blender.words import Message

GROUP = "Artfish crowd"
TURN, POSE, ABSENT = "turn", "pose {}", -1
"""Attributes of the keys: rotation of a fish, and the number of its pose at each frame after a key, or none."""
KEY_VALUES = "speed", "bend", "fear", "intention", "growth"
"""Attributes of the keys that every fish interpolates for its shader."""
FISH_VALUES = "individual", "species"
"""Attributes of the edges that are passed to the shader, too."""
LENGTH, FISH_ROW = "length", "row"
"""Attributes of the edges: a fish's length in metres, and its row in the recording."""
POSE_ERROR, FIN_POSE_ERROR = "pose_error", "fin_pose_error"
"""Custom properties of a crowd's object: the errors of its `PoseTable`, in body lengths."""
LEVEL_NAMES = "Near", "Far"
CUT_SHORT: Message = (
    "The table is cut short: the mesh has fewer vertices or edges than fishes and keys. Undo that, or bake again"
)
INPUTS: dict[str, tuple[str, Any, str]] = {
    "Poses": ("NodeSocketCollection", None, "Meshes of all poses, one level of geometry after the other"),
    "Pose Count": ("NodeSocketInt", 1, "How many poses there are, each at every level"),
    "Fishes": ("NodeSocketInt", 0, "How many fishes the table has"),
    "Keys": ("NodeSocketInt", 1, "How many keys a fish has"),
    "Stride": ("NodeSocketInt", 1, "Frames from one key to the next"),
    "Frames": ("NodeSocketInt", 1, "How many frames the film has"),
    "First": ("NodeSocketFloat", 1.0, "Frame of the scene that shows the first key"),
    "Loop": ("NodeSocketBool", False, "Whether it goes round for ever; its last frame then shows what its first does"),
    "Near": ("NodeSocketFloat", FINE_LENGTHS, "How many lengths from the camera a fish has all its vertices"),
    "Far": ("NodeSocketFloat", COARSE_LENGTHS, "How many lengths from the camera it has only a few left"),
}
"""Inputs of the modifier: kind, default and description."""


def add_modifier(obj: bpy.types.Object, **values: Any) -> bpy.types.NodesModifier:
    """Have an object whose mesh is a table play as a crowd; inputs by name, underscores for spaces."""
    modifier = cast(bpy.types.NodesModifier, obj.modifiers.new("Crowd", "NODES"))
    modifier.node_group = group()
    for name, value in values.items():
        modifier_input(modifier, name.replace("_", " "), value)
    return modifier


def group() -> bpy.types.NodeTree:
    """The node group, made once in a file."""
    return modifier_group(GROUP, INPUTS, _crowd)


def _crowd(graph: Graph, given: Outputs) -> Term:
    """The fishes of the table, each in its pose."""
    table = _Table(graph, given["Geometry"], given["Fishes"])
    passed = _passed(graph, given)
    points = _fishes(graph, table, given["Fishes"] * (1.0 - _cut_short(graph, given)), passed)
    return _posed(graph, table, given, passed, points)


def _cut_short(graph: Graph, given: Outputs) -> Term:
    """True if the mesh lacks part of the table; the modifier then shows a warning and no fish."""
    size = graph.node("GeometryNodeAttributeDomainSize", {"Geometry": given["Geometry"]}, component="MESH")
    fewer = [
        graph.math("LESS_THAN", size[count], whole)
        for count, whole in (("Point Count", given["Fishes"] * given["Keys"]), ("Edge Count", given["Fishes"]))
    ]
    inputs = {"Show": fewer[0].most(fewer[1]), "Message": CUT_SHORT}
    return graph.node("GeometryNodeWarning", inputs, warning_type="ERROR").first


class _Table:
    """Reads attributes of the table at keys and fishes."""

    def __init__(self, graph: Graph, mesh: Term, fishes: Term) -> None:
        self.graph, self.mesh, self.fishes = graph, mesh, fishes
        self.index = graph.node("GeometryNodeInputIndex").first

    def at_key(self, name: Value, kind: str, key: Term) -> Term:
        """The value of an attribute at a key of each fish."""
        return self._sample(self._named(name, kind), kind, self._row(key), "POINT")

    def place(self, key: Term) -> Term:
        """Position of each fish at a key."""
        position = self.graph.node("GeometryNodeInputPosition").first
        return self._sample(position, "FLOAT_VECTOR", self._row(key), "POINT")

    def of_fish(self, name: str, kind: str) -> Term:
        """The value of an attribute of each fish."""
        return self._sample(self._named(name, kind), kind, self.index, "EDGE")

    def _row(self, key: Term) -> Term:
        """The vertex of each fish at a key, as integers, since single precision counts to 16 million only."""
        node = self.graph.node("FunctionNodeIntegerMath", operation="MULTIPLY_ADD")
        return node.feed([key, self.fishes, self.index]).first

    def _named(self, name: Value, kind: str) -> Term:
        return self.graph.node("GeometryNodeInputNamedAttribute", {"Name": name}, data_type=kind)["Attribute"]

    def _sample(self, value: Term, kind: str, row: Term, domain: str) -> Term:
        inputs = {"Geometry": self.mesh, "Value": value, "Index": row}
        return self.graph.node("GeometryNodeSampleIndex", inputs, data_type=kind, domain=domain).first


class _Passed:
    """Playback position: the keys on either side, the share between them, and the pose after a key."""

    def __init__(self, before: Term, after: Term, share: Term, key: Term, pose: Term) -> None:
        self.before, self.after, self.share, self.key, self.pose = before, after, share, key, pose


def _passed(graph: Graph, given: Outputs) -> _Passed:
    """Position of the scene's frame in the table, clamped to its ends, or going round between them.

    Poses change halfway between two frames, so that none changes while a shutter is open.
    """
    frame = graph.node("GeometryNodeInputSceneTime")["Frame"] - given["First"]
    most = given["Frames"] - 1.0
    ended = frame.most(0.0).least(most)
    frame = ended + (graph.math("FLOORED_MODULO", frame, most) - ended) * given["Loop"]
    keys = frame / given["Stride"]
    before = graph.math("FLOOR", keys).least((given["Keys"] - 2.0).most(0.0))
    after = (before + 1.0).least(given["Keys"] - 1.0)
    whole = graph.math("FLOOR", frame + 0.5).least(most)
    key = graph.math("FLOOR", (whole + 0.5) / given["Stride"])
    return _Passed(before, after, (keys - before).least(1.0), key, whole - key * given["Stride"])


def _fishes(graph: Graph, table: _Table, count: Term, passed: _Passed) -> Term:
    """A point for each fish, at its position, with all that its shader may read."""
    inputs = {"Factor_Float": passed.share, "A_Vector": table.place(passed.before)}
    place = graph.node("ShaderNodeMix", inputs | {"B_Vector": table.place(passed.after)}, data_type="VECTOR")
    points = graph.node("GeometryNodePoints", {"Count": count, "Position": place["Result_Vector"]}).first
    points = graph.node("GeometryNodeSetID", {"Geometry": points, "ID": table.of_fish(FISH_ROW, "INT")}).first
    for name in KEY_VALUES:
        now = table.at_key(name, "FLOAT", passed.before)
        if name != "intention":
            now = now + (table.at_key(name, "FLOAT", passed.after) - now) * passed.share
        points = _stored(graph, points, name, now)
    for name in FISH_VALUES:
        points = _stored(graph, points, name, table.of_fish(name, "FLOAT"))
    return points


def _stored(graph: Graph, points: Term, name: str, value: Term) -> Term:
    inputs = {"Geometry": points, "Name": name, "Value": value}
    return graph.node("GeometryNodeStoreNamedAttribute", inputs, data_type="FLOAT", domain="POINT").first


def _posed(graph: Graph, table: _Table, given: Outputs, passed: _Passed, points: Term) -> Term:
    """The pose of each fish at its point."""
    number = graph.node("FunctionNodeValueToString", {"Value": passed.pose}).first
    words = graph.node("GeometryNodeStringJoin")
    for part in (number, POSE.format("")):  # the last one joined comes first
        if isinstance(part, str):
            part = graph.node("FunctionNodeInputString", string=part).first
        graph.tree.links.new(part.socket, words.node.inputs["Strings"])
    pose = table.at_key(words.first, "INT", passed.key)
    turns = [table.at_key(TURN, "QUATERNION", key) for key in (passed.before, passed.after)]
    mixed = {"Factor_Float": passed.share, "A_Rotation": turns[0], "B_Rotation": turns[1]}
    grown = [table.at_key("growth", "FLOAT", key) for key in (passed.before, passed.after)]
    length = table.of_fish(LENGTH, "FLOAT") * (grown[0] + (grown[1] - grown[0]) * passed.share)
    level = _level(graph, given, length)
    inputs = {"Collection": given["Poses"], "Separate Children": True, "Reset Children": True}
    meshes = graph.node("GeometryNodeCollectionInfo", inputs).first
    placed = {
        "Points": points,
        "Selection": graph.math("GREATER_THAN", pose, ABSENT + 0.5),
        "Instance": meshes,
        "Pick Instance": True,
        "Instance Index": level * given["Pose Count"] + pose,
        "Rotation": graph.node("ShaderNodeMix", mixed, data_type="ROTATION")["Result_Rotation"],
        "Scale": graph.vector(length, length, length),
    }
    return graph.node("GeometryNodeInstanceOnPoints", placed).first


def _level(graph: Graph, given: Outputs, length: Term) -> Term:
    """Level of detail of each fish, by its distance from the camera; without a camera all are fine."""
    camera = graph.node("GeometryNodeInputActiveCamera").first
    info = graph.node("GeometryNodeObjectInfo", {"Object": camera}, transform_space="RELATIVE")
    place = graph.node("GeometryNodeInputPosition").first
    away = graph.node("ShaderNodeVectorMath", operation="DISTANCE").feed([place, info["Location"]])["Value"]
    there = graph.node("ShaderNodeVectorMath", operation="LENGTH").feed([info["Scale"]])["Value"]
    lengths = away / length * there.least(1.0)
    steps = [graph.math("GREATER_THAN", lengths, given[name]) for name in LEVEL_NAMES]
    return steps[0] + steps[1]
