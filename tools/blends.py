"""The content of .blend files, as a digest: python tools/blends.py FILE...

Two files of one content differ in their bytes, since Blender writes addresses of its memory. The digest is of names,
meshes, curves, keys, objects' places, modifiers, nodes and what assets say of themselves; pictures are left out, whose
grain differs between machines.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

RENDERED = re.compile(r"(^|/)(pictures|images)/")
"""Folders of rendered pictures in a data set, whose last bit the denoiser may round otherwise."""
READ = """
import hashlib, json, sys
import bpy
import numpy as np
bpy.ops.wm.open_mainfile(filepath=sys.argv[1], load_ui=False)
def array(items, name, width, kind=np.float32):
    values = np.empty(width * len(items), kind)
    items.foreach_get(name, values)
    return hashlib.sha256(np.round(values, 5).astype(kind).tobytes()).hexdigest()[:12]
def plain(value):
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, (bool, int, str)) or value is None:
        return value
    if isinstance(value, bpy.types.ID):
        return value.name
    try:
        return [plain(each) for each in value]
    except TypeError:
        return type(value).__name__
def sockets(node):
    return [plain(getattr(socket, "default_value", None)) for socket in (*node.inputs, *node.outputs)]
def tree(of):
    nodes = [[node.bl_idname, node.name, sockets(node)] for node in of.nodes]
    links = [[link.from_node.name, link.from_socket.identifier, link.to_node.name, link.to_socket.identifier]
             for link in of.links]
    return [sorted(nodes, key=str), sorted(links)]
found = {}
def put(block, *values):
    data = block.asset_data
    about = []
    if data:
        about = [data.author, data.license, data.description, data.catalog_id, sorted(tag.name for tag in data.tags)]
    own = {key: plain(block[key]) for key in sorted(block.keys()) if not key.startswith("cycles")}
    found[f"{block.bl_rna.identifier} {block.name}"] = [about, own, *values]
for each in bpy.data.meshes:
    attributes = [[a.name, a.data_type, a.domain] for a in each.attributes]
    put(each, array(each.vertices, "co", 3), array(each.loops, "vertex_index", 1, np.int32), attributes,
        [plain(material) for material in each.materials])
for each in bpy.data.curves:
    widths = ("co", 4), ("radius", 1), ("tilt", 1)
    put(each, [[array(spline.points, name, width) for name, width in widths] for spline in each.splines])
for each in bpy.data.armatures:
    put(each, [[bone.name, plain(bone.head_local), plain(bone.tail_local)] for bone in each.bones])
for each in bpy.data.actions:
    bags = [bag for layer in each.layers for strip in layer.strips for bag in strip.channelbags]
    put(each, [[c.data_path, c.array_index, array(c.keyframe_points, "co", 2)] for bag in bags for c in bag.fcurves])
for each in bpy.data.objects:
    matrix = [plain(value) for row in each.matrix_basis for value in row]
    put(each, each.type, plain(each.data), matrix, plain(each.parent), [m.type for m in each.modifiers])
for each in bpy.data.collections:
    put(each, sorted(o.name for o in each.objects), sorted(c.name for c in each.children), plain(each.instance_offset))
for each in (*bpy.data.materials, *bpy.data.worlds):
    put(each, tree(each.node_tree) if each.node_tree else None)
for each in bpy.data.node_groups:
    put(each, tree(each))
for each in bpy.data.lights:
    put(each, each.type, plain(each.energy), plain(each.color))
print("CONTENT", json.dumps(found, sort_keys=True))
"""
"""Read in a Blender with its factory settings."""


def content(path: Path) -> dict[str, list[object]]:
    """The content of a .blend, by the type and the name of each data block.

    Raises:
        RuntimeError: It does not open.
    """
    ran = subprocess.run([sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=False)
    lines = [line for line in ran.stdout.splitlines() if line.startswith("CONTENT ")]
    if not lines:
        raise RuntimeError(f"{path.name} does not open: {(ran.stderr.strip().splitlines() or ['no reason'])[-1]}")
    found: dict[str, list[object]] = json.loads(lines[-1].removeprefix("CONTENT "))
    return found


def digest(path: Path) -> str:
    """A digest of the content of a .blend, of a .zip but for its pictures, and of the bytes of any other file."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            names = [name for name in sorted(archive.namelist()) if not RENDERED.search(name)]
            data = b"".join(name.encode() + b"\n" + archive.read(name) for name in names)
    else:
        data = json.dumps(content(path), sort_keys=True).encode() if path.suffix == ".blend" else path.read_bytes()
    return hashlib.sha256(data).hexdigest()


def main() -> int:
    """Prints the digests of the command line's files."""
    for name in sys.argv[1:]:
        print(f"{digest(Path(name))}  {Path(name).name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
