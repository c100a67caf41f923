"""Looks change on purpose only: materials, lights, worlds and grown forms are what they were, number by number.

The digests of the looks are in looks.json beside this file. After a change that is meant, look at pictures of it, and
copy the new ones, which the test writes into out/looks.json.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.assets.making import make_library
from artfish.blender_artfish.filming import studio
from artfish.tests.blender.files import new_file

pytestmark = pytest.mark.film

ROOT = Path(__file__).resolve().parents[3]
KNOWN = Path(__file__).with_name("looks.json")
KINDS = "corals", "rocks", "weeds", "materials", "nodes", "stages"
SETTINGS = {
    "lights": ("type", "color", "energy", "angle", "spot_size", "size", "shadow_soft_size"),
    "cameras": ("type", "lens", "sensor_width", "clip_start", "clip_end"),
    "curves": ("bevel_depth", "bevel_resolution", "use_path"),
}
"""Settings of kinds of data that make a look."""
DIGITS = 4
"""Significant digits that count: processors differ in the last ones of a sine."""


def rounded(value: Any) -> Any:
    """A value as JSON has it, with the digits that count."""
    if isinstance(value, bool | str | int) or value is None:
        return value
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, bpy.types.ID):
        return value.name
    return [rounded(each) for each in value]


def tree(nodes: bpy.types.NodeTree) -> Iterator[Any]:
    """Nodes of a tree with their own settings, the values of their sockets, and their links."""
    base = {prop.identifier for prop in bpy.types.Node.bl_rna.properties}
    for node in nodes.nodes:
        own = {
            prop.identifier: rounded(getattr(node, prop.identifier))
            for prop in node.bl_rna.properties
            if prop.identifier not in base and prop.type in ("ENUM", "BOOLEAN", "FLOAT", "INT") and not prop.is_readonly
        }
        sockets = [rounded(each.default_value) for each in node.inputs if hasattr(each, "default_value")]
        ramp = getattr(node, "color_ramp", None)
        stops = [] if ramp is None else [(rounded(stop.position), rounded(stop.color)) for stop in ramp.elements]
        given = [rounded(each.default_value) for each in node.outputs] if node.type in ("VALUE", "RGB") else []
        group = getattr(getattr(node, "node_tree", None), "name", "")
        yield node.bl_idname, own, sockets, stops, given, group
    for link in nodes.links:
        yield link.from_node.bl_idname, link.from_socket.identifier, link.to_node.bl_idname, link.to_socket.identifier


def form(mesh: bpy.types.Mesh) -> list[Any]:
    """Size, spread and number of a mesh's vertices and faces."""
    points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    places = points.reshape(-1, 3).astype(float)
    if not len(places):
        return [0]
    return [
        len(places),
        len(mesh.polygons),
        *(f"{value:.2e}" for value in (*np.ptp(places, axis=0), *places.std(axis=0))),
    ]


def looks() -> Iterator[tuple[str, Any]]:
    """The look of every data block of the open file, by its kind and name."""
    for kind in ("materials", "worlds", "node_groups", "lights", "cameras", "meshes", "curves"):
        for block in getattr(bpy.data, kind):
            if kind == "meshes":
                yield f"{kind} {block.name}", form(block)
                continue
            nodes = block if kind == "node_groups" else getattr(block, "node_tree", None)
            settings = {name: rounded(getattr(block, name)) for name in SETTINGS.get(kind, ()) if hasattr(block, name)}
            yield f"{kind} {block.name}", [settings, [] if nodes is None else list(tree(nodes))]
    for obj in bpy.data.objects:
        if obj.type in ("LIGHT", "CAMERA"):
            yield f"objects {obj.name}", [[f"{number:.2f}" for number in row] for row in obj.matrix_world.to_3x3()]


def digests(of: str) -> dict[str, str]:
    """Digests of the looks of the open file."""
    return {
        f"{of}: {name}": hashlib.sha256(json.dumps(look).encode()).hexdigest()[:12] for name, look in sorted(looks())
    }


def test_looks_are_as_they_were(tmp_path):
    made: dict[str, str] = {}
    for path in make_library(tmp_path, KINDS, pixels=0):
        bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False)
        bpy.context.view_layer.update()
        made |= digests(path.stem)
    new_file()
    scene = bpy.context.scene
    studio.furnish(scene, scene.collection, (0.0, 0.0), lamps=True)
    made |= digests("studio")
    new_file()
    known = json.loads(KNOWN.read_text()) if KNOWN.exists() else {}
    if made != known:
        out = ROOT / "out" / "looks.json"
        out.parent.mkdir(exist_ok=True)
        out.write_text(json.dumps(made, indent=1) + "\n")
    changed = [name for name in made.keys() | known.keys() if made.get(name) != known.get(name)]
    assert sorted(changed) == [], "if that is meant: look at pictures, and copy out/looks.json to tests/blender/whole"


def test_a_look_that_is_a_little_other_has_another_digest():
    new_file()
    scene = bpy.context.scene
    studio.furnish(scene, scene.collection, (0.0, 0.0), lamps=True)
    before = digests("studio")
    (rim,) = (light for light in bpy.data.lights if light.name.startswith("Rim"))
    rim.color[0] += 0.01
    node = next(node for node in bpy.data.materials["Floor lines"].node_tree.nodes if node.type == "EMISSION")
    node.inputs["Strength"].default_value += 0.01
    changed = {name for name, digest in digests("studio").items() if digest != before[name]}
    assert changed == {f"studio: lights {rim.name}", "studio: materials Floor lines"}
    new_file()
