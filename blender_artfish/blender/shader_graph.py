"""Shaders written as formulas: every value in a node tree is a `Term` with the usual arithmetic.

`band = 1 - ((along - place).absolute() / width)` makes the nodes, links them and sets the constants.
`group` turns a function of terms into a node group, whose inputs an animator finds as sliders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any

import bpy

from . import versions

Value = Any
"""A Term, a number, or a colour or vector of three numbers."""

_SPACING = 190
_ROUNDING = 1e-6
"""Share by which a set value and the stored one may differ, as Blender keeps single precision."""
_STEP = "artfish_step"
"""Property of every node made here: the number of nodes before it. For a name, Blender would search all animation."""
_NAMED = "Artfish "
"""Prefix of the names of such nodes, which end in the step, in files from before there was the property."""


class Term:
    """One output of a node, open to arithmetic with other terms and with constants."""

    def __init__(self, graph: Graph, socket: bpy.types.NodeSocket) -> None:
        """Wrap the output of a node of this graph."""
        self.graph = graph
        self.socket = socket

    def __add__(self, other: Value) -> Term:
        """Its sum with another term."""
        return self.graph.math("ADD", self, other)

    def __radd__(self, other: Value) -> Term:
        """Its sum with another term."""
        return self.graph.math("ADD", other, self)

    def __sub__(self, other: Value) -> Term:
        """This term minus the other."""
        return self.graph.math("SUBTRACT", self, other)

    def __rsub__(self, other: Value) -> Term:
        """The other minus this term."""
        return self.graph.math("SUBTRACT", other, self)

    def __mul__(self, other: Value) -> Term:
        """Its product with another term."""
        return self.graph.math("MULTIPLY", self, other)

    def __rmul__(self, other: Value) -> Term:
        """Its product with another term."""
        return self.graph.math("MULTIPLY", other, self)

    def __truediv__(self, other: Value) -> Term:
        """This term divided by the other."""
        return self.graph.math("DIVIDE", self, other)

    def __rtruediv__(self, other: Value) -> Term:
        """The other divided by this term."""
        return self.graph.math("DIVIDE", other, self)

    def __pow__(self, other: Value) -> Term:
        """This term to the power of the other."""
        return self.graph.math("POWER", self, other)

    def absolute(self) -> Term:
        """The absolute value."""
        return self.graph.math("ABSOLUTE", self)

    def fraction(self) -> Term:
        """The fractional part."""
        return self.graph.math("FRACT", self)

    def sine(self) -> Term:
        """The sine of an angle in radians."""
        return self.graph.math("SINE", self)

    def root(self) -> Term:
        """The square root."""
        return self.graph.math("SQRT", self)

    def least(self, other: Value) -> Term:
        """The smaller of two terms."""
        return self.graph.math("MINIMUM", self, other)

    def most(self, other: Value) -> Term:
        """The greater of two terms."""
        return self.graph.math("MAXIMUM", self, other)

    def ramp(self, low: Value, high: Value, start: Value = 0.0, end: Value = 1.0) -> Term:
        """A smooth step from `start` at `low` to `end` at `high`, constant beyond them; `low` may exceed `high`."""
        return self.graph.node(
            "ShaderNodeMapRange",
            {"From Min": low, "From Max": high, "To Min": start, "To Max": end, "Value": self},
            interpolation_type="SMOOTHSTEP",
        )["Result"]


class Graph:
    """Builds one node tree from left to right."""

    def __init__(self, tree: bpy.types.NodeTree) -> None:
        """Begin adding nodes at the left end of this tree."""
        self.tree = tree
        self._column = 0

    def node(self, kind: str, inputs: Mapping[str, Value] | None = None, **settings: Any) -> Outputs:
        """A new node.

        Args:
            kind: The node's class, such as "ShaderNodeMath".
            inputs: Constants and terms by socket identifier or name.
            settings: Its properties.
        """
        node = self.tree.nodes.new(kind)
        node[_STEP] = self._column
        node.location = (self._column * _SPACING, -(self._column % 4) * 60)
        self._column += 1
        for name, value in settings.items():
            setattr(node, name, value)
        for name, value in (inputs or {}).items():
            self.put(value, _socket(node.inputs, name))
        return Outputs(self, node)

    def put(self, value: Value, socket: bpy.types.NodeSocket) -> None:
        """Feed a term into a socket, or set a constant there."""
        if isinstance(value, Term):
            self.tree.links.new(value.socket, socket)
        elif isinstance(value, tuple | list) and len(socket.default_value) == 4:
            socket.default_value = (*value, 1.0)
        else:
            socket.default_value = value

    def math(self, operation: str, *values: Value) -> Term:
        """A scalar operation."""
        return self.node("ShaderNodeMath", {}, operation=operation).feed(values)["Value"]

    def mix(self, share: Value, first: Value, second: Value, blend: str = "MIX") -> Term:
        """Two colours mixed: `first` where the share is 0, `second` where it is 1."""
        inputs = {"Factor_Float": share, "A_Color": first, "B_Color": second}
        return self.node("ShaderNodeMix", inputs, data_type="RGBA", blend_type=blend)["Result_Color"]

    def blend(self, share: Value, first: Term, second: Term) -> Term:
        """Two shaders mixed."""
        return self.node("ShaderNodeMixShader", {"Fac": share}).feed((first, second), start=1)["Shader"]

    def vector(self, x: Value, y: Value, z: Value = 0.0) -> Term:
        """A vector of three values."""
        return self.node("ShaderNodeCombineXYZ", {"X": x, "Y": y, "Z": z})["Vector"]

    def parts(self, vector: Term) -> tuple[Term, Term, Term]:
        """The three values of a vector."""
        outputs = self.node("ShaderNodeSeparateXYZ", {"Vector": vector})
        return outputs["X"], outputs["Y"], outputs["Z"]

    def coordinates(self, which: str) -> Term:
        """Texture coordinates: "UV", "Object", "Generated", "Normal"."""
        return self.node("ShaderNodeTexCoord")[which]

    def attribute(self, name: str, of: str = "GEOMETRY") -> Term:
        """A named number of the "GEOMETRY", the "OBJECT" or the "INSTANCER"; 0 where there is none."""
        return self.node("ShaderNodeAttribute", attribute_type=of, attribute_name=name)["Fac"]

    def grid(self, u: Term, v: Term, wide: Value, narrow: Value) -> Term:
        """Lines where either value is whole: 1 within `narrow` of it, 0 beyond `wide`."""
        near = [((place + 0.5).fraction() - 0.5).absolute().ramp(wide, narrow) for place in (u, v)]
        return near[0].most(near[1])

    def noise(self, at: Value, scale: Value = 1.0, detail: float = 2.0, w: Value | None = None) -> Term:
        """Smooth noise about 0.5; `w` varies it at a fixed position."""
        inputs = {"Vector": at, "Scale": scale, "Detail": detail} | ({} if w is None else {"W": w})
        # The first output goes by the name Fac or Factor, depending on the version.
        return self.node("ShaderNodeTexNoise", inputs, noise_dimensions="3D" if w is None else "4D").first

    def bump(self, height: Value, distance: Value, strength: Value = 1.0) -> Term:
        """A normal that shades a height."""
        return self.node("ShaderNodeBump", {"Height": height, "Distance": distance, "Strength": strength})["Normal"]


class _Retouch(Graph):
    """A graph that repeats the steps which made a tree, and sets the constants of the existing nodes.

    An input linked differently than it was made is the animator's and stays.
    """

    def __init__(self, tree: bpy.types.NodeTree) -> None:
        """Begin again at the left end of this tree."""
        super().__init__(tree)
        self._made: dict[int | None, bpy.types.Node] = {}
        for node in tree.nodes:
            self._made.setdefault(_step(node), node)

    def node(self, kind: str, inputs: Mapping[str, Value] | None = None, **settings: Any) -> Outputs:
        """The node that was made at this step.

        Raises:
            _AnotherTree: It is not of this kind, or has other properties.
        """
        node = self._made.get(self._column)
        self._column += 1
        if node is None or node.bl_idname != kind or any(getattr(node, name) != settings[name] for name in settings):
            raise _AnotherTree
        for name, value in (inputs or {}).items():
            self.put(value, _socket(node.inputs, name))
        return Outputs(self, node)

    def put(self, value: Value, socket: bpy.types.NodeSocket) -> None:
        """Set a constant, unless it has that value: a shader is not redrawn without need."""
        if isinstance(value, Term):
            return
        many = isinstance(value, tuple | list)
        there = tuple(socket.default_value) if many else (socket.default_value,)
        values = (*value, 1.0)[: len(there)] if many else (value,)
        if any(abs(a - b) > _ROUNDING * abs(b) for a, b in zip(there, values, strict=True)):
            socket.default_value = values if many else value

    def end(self) -> None:
        """Raise _AnotherTree if the tree has more nodes than were visited."""
        if self._column in self._made:
            raise _AnotherTree


class _AnotherTree(Exception):
    """The tree was not made by these steps."""


class Outputs:
    """The outputs of a node, by identifier or name."""

    def __init__(self, graph: Graph, node: bpy.types.Node) -> None:
        """The outputs of this node of a graph."""
        self.graph = graph
        self.node = node

    def __getitem__(self, name: str) -> Term:
        """The output of this identifier or name."""
        return Term(self.graph, _socket(self.node.outputs, name))

    @property
    def first(self) -> Term:
        """The first output."""
        return Term(self.graph, self.node.outputs[0])

    def feed(self, values: Any, start: int = 0) -> Outputs:
        """Feed the inputs in order, beginning with number `start`."""
        for socket, value in zip(self.node.inputs[start:], values, strict=False):
            self.graph.put(value, socket)
        return self


def material(name: str) -> tuple[bpy.types.Material, Graph]:
    """A new material with an empty tree."""
    made = bpy.data.materials.new(name)
    tree = versions.shader_tree(made)
    tree.nodes.clear()
    return made, Graph(tree)


def retouch(material: bpy.types.Material, paint: Callable[[Graph], None]) -> bool:
    """Bring a material up to date.

    Args:
        material: A material made by `paint`, perhaps with other numbers.
        paint: Makes its tree.

    Returns:
        True if setting numbers was enough; otherwise the tree was rebuilt.
    """
    tree = versions.shader_tree(material)
    try:
        graph = _Retouch(tree)
        paint(graph)
        graph.end()
    except _AnotherTree:
        _remake(tree, paint)
        return False
    return True


def _step(node: bpy.types.Node) -> int | None:
    """The step at which a node was made here; None for the animator's own."""
    named = node.name.removeprefix(_NAMED)
    return node.get(_STEP, int(named) if named != node.name and named.isdecimal() else None)


def _remake(tree: bpy.types.NodeTree, paint: Callable[[Graph], None]) -> None:
    """Rebuild a tree; the animator's own nodes stay, linked to the counterparts of what they were linked to."""
    made = [node for node in tree.nodes if _step(node) is not None]
    if not made:  # by an Artfish that did not mark its nodes
        tree.nodes.clear()
    own = {node for node in tree.nodes if node not in made}
    into = [(w.from_socket, _like(w.to_node), w.to_socket.identifier) for w in tree.links if w.from_node in own]
    fed = [w.to_socket for w in tree.links if w.to_node in own and w.from_node not in own]
    for node in made:
        tree.nodes.remove(node)
    paint(Graph(tree))
    for source, like, name in into:
        node = next((node for node in tree.nodes if node not in own and _like(node) == like), None)
        target = next((socket for socket in node.inputs if socket.identifier == name), None) if node else None
        if target is None:
            continue
        if target.is_linked:
            before = target.links[0].from_socket
            for socket in fed:
                tree.links.new(before, socket)
        tree.links.new(source, target)


def _like(node: bpy.types.Node) -> tuple[str, str]:
    """Type and group of a node, by which its counterpart in another tree is found."""
    return node.bl_idname, getattr(getattr(node, "node_tree", None), "name", "")


def output(graph: Graph, kind: str = "ShaderNodeOutputMaterial", **shaders: Term) -> None:
    """End the tree with shaders for "Surface" or "Volume"."""
    graph.node(kind, shaders)


def group(name: str, **inputs: Value) -> Callable[[Callable[..., dict[str, Term]]], Callable[..., Outputs]]:
    """Decorator that makes a node group of a function of terms.

    The function gets the graph and one term for each input, and returns terms by output name. The result is
    called as `function(graph, input=value, ...)` and adds a node of that group, made once in a file.

    Args:
        name: Name of the group.
        inputs: Its inputs and their defaults; underscores read as spaces. Three numbers make a colour.
    """

    def decorate(build: Callable[..., dict[str, Term]]) -> Callable[..., Outputs]:
        @wraps(build)
        def use(graph: Graph, **values: Value) -> Outputs:
            tree = bpy.data.node_groups.get(name) or _group_tree(name, inputs, build)
            outputs = graph.node("ShaderNodeGroup", node_tree=tree)
            for key, value in values.items():
                graph.put(value, outputs.node.inputs[_title(key)])
            return outputs

        _PREPARED[name] = lambda: bpy.data.node_groups.get(name) or _group_tree(name, inputs, build)
        return use

    return decorate


_PREPARED: dict[str, Callable[[], bpy.types.NodeTree]] = {}


def prepare() -> Iterator[None]:
    """Make the node groups missing in the file, one at a time; `drop_unused` removes unneeded ones."""
    for make in tuple(_PREPARED.values()):
        make()
        yield


def drop_unused() -> None:
    """Remove groups that nothing uses."""
    while unused := [t for t in bpy.data.node_groups if t.name in _PREPARED and not t.users and t.library is None]:
        bpy.data.batch_remove(unused)


def _group_tree(name: str, inputs: Mapping[str, Value], build: Callable[..., dict[str, Term]]) -> bpy.types.NodeTree:
    tree = bpy.data.node_groups.new(name, "ShaderNodeTree")
    for key, default in inputs.items():
        kind = "NodeSocketColor" if isinstance(default, tuple) else "NodeSocketFloat"
        socket = tree.interface.new_socket(_title(key), in_out="INPUT", socket_type=kind)
        socket.default_value = (*default, 1.0) if isinstance(default, tuple) else default
    graph = Graph(tree)
    entrance = graph.node("NodeGroupInput")
    results = build(graph, **{key: entrance[_title(key)] for key in inputs})
    kinds = {"RGBA": "NodeSocketColor", "VECTOR": "NodeSocketVector", "SHADER": "NodeSocketShader"}
    for key, term in results.items():
        tree.interface.new_socket(key, in_out="OUTPUT", socket_type=kinds.get(term.socket.type, "NodeSocketFloat"))
    graph.node("NodeGroupOutput").feed(results.values())
    return tree


def modifier_group(
    name: str, inputs: Mapping[str, tuple[str, Any, str]], build: Callable[[Graph, Outputs], Term]
) -> bpy.types.NodeTree:
    """The geometry node group of this name, made once in a file; arguments as for `new_modifier_group`."""
    found = bpy.data.node_groups.get(name)
    if found is not None and found.bl_idname == "GeometryNodeTree":
        return found
    return new_modifier_group(name, inputs, build)


def new_modifier_group(
    name: str, inputs: Mapping[str, tuple[str, Any, str]], build: Callable[[Graph, Outputs], Term]
) -> bpy.types.NodeTree:
    """A geometry node group for a modifier: geometry in, geometry out.

    Args:
        name: Name of the group.
        inputs: Further inputs by name: kind of socket, default and description.
        build: Given the graph and the inputs, makes the resulting geometry.
    """
    tree = bpy.data.node_groups.new(name, "GeometryNodeTree")
    tree.is_modifier = True
    tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    for key, (kind, default, about) in inputs.items():
        socket = tree.interface.new_socket(key, in_out="INPUT", socket_type=kind)
        socket.description = about
        if default is not None:
            socket.default_value = default
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    graph = Graph(tree)
    made = build(graph, graph.node("NodeGroupInput"))
    graph.node("NodeGroupOutput").feed([made])
    return tree


def _title(key: str) -> str:
    return key.replace("_", " ").capitalize()


def _socket(sockets: Any, name: str) -> bpy.types.NodeSocket:
    for socket in sockets:
        if socket.identifier == name:
            return socket
    return sockets[name]
