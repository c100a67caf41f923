"""Colour configurations that are not Blender's: a film is baked, rendered and exported under each of them.

Spaces, displays, views and looks have random names, and the roles that a configuration may leave out are there
or not. Nothing must be refused, and exported pictures must show the fishes' materials, as they do under
Blender's own. Each is a process of its own, since Blender reads its configuration as it starts, and the same each time;
`python -m artfish.studies.fuzz_colours 7` tries the seventh. An interrupted study resumes.
"""

from __future__ import annotations

import json
import os
import random
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ..core.scene.scene import Scene
from ..core.world.world import World
from .finding import Finding
from .resuming import tried_in_blender

CONFIGURATIONS = 300
PICTURE_PIXELS = 32
NEAR = 0.03
"""Largest difference of a picture's mean colour from that under Blender's own configuration."""
HUNG_SECONDS = 300
FOLDER = Path(__file__).parents[1] / "out" / "colours"
SCENE = {
    "duration": 0.1,
    "tank": {"size": [4, 3, 2]},
    "terrain": {"heights": [[0.0, 0.1], [0.1, 0.2]]},
    "fishes": [{"species": "clownfish", "count": 1, "at": [2, 1.5, 1]}],
}
LINEAR = "ACEScg", "Linear Rec.709", "scene_linear", "lin srgb", "Utility - Linear - sRGB"
BYTE = "sRGB Texture", "sRGB", "Output - sRGB", "srgb_texture", "Gamma 2.2 é"
DATA = "Raw", "Utility - Raw", "Non-Color", "data only", "role_data"
LOOKS = "Very High Contrast", "Filmic - Very High Contrast", "ACES 1.3 Reference Gamut Compression", "Show LUT"
VIEWS = "Standard", "Filmic", "ACES 1.0 - SDR Video", "Un-tone-mapped", "Raw", "Show", "AgX"
OPTIONAL_ROLES = "color_picking", "default_byte", "default_sequencer", "texture_paint", "matte_paint", "default_float"


def findings(seeds: range = range(CONFIGURATIONS)) -> Iterator[Finding]:
    """Number of configurations under which a film was baked, rendered and exported."""
    claim = "under whatever colour configuration, bake, render and export work, and pictures are as under Blender's own"
    yield tried_in_blender(claim, FOLDER / "log.jsonl", seeds, apart)


def apart(number: int) -> str:
    """The fault under a configuration, tried in a separate process; "" without one."""
    with tempfile.TemporaryDirectory() as home:
        config = Path(home) / "config.ocio"
        config.write_text(configuration(number), encoding="utf-8")
        try:
            true, found = colours(""), colours(str(config))
        except subprocess.TimeoutExpired:
            return "hung"
    if isinstance(true, str) or isinstance(found, str):
        return f"without: {true}" if isinstance(true, str) else str(found)
    if true.keys() != found.keys():
        return f"pictures of {sorted(found)}"
    off = max(float(np.abs(np.array(true[name]) - found[name]).max()) for name in true)
    return "" if off < NEAR else f"pictures are {off:.3f} off"


@cache
def colours(config: str) -> dict[str, list[float]] | str:
    """Mean colours of exported pictures by name, or the fault, under a configuration or Blender's own."""
    command = [sys.executable, "-m", "artfish.studies.fuzz_colours"]
    with tempfile.TemporaryDirectory() as home:
        surroundings = {key: value for key, value in os.environ.items() if key != "OCIO"}
        surroundings |= {"BLENDER_USER_RESOURCES": home, "TMPDIR": home} | ({"OCIO": config} if config else {})
        done = subprocess.run(
            command, env=surroundings, capture_output=True, text=True, timeout=HUNG_SECONDS, check=False
        )
    lines = done.stdout.splitlines()
    if done.returncode == 0 and lines:
        return json.loads(lines[-1])
    return f"ended by {done.returncode}: {' '.join(done.stderr.split())[-200:]}"


def configuration(number: int) -> str:
    """A random OpenColorIO configuration, by its number."""
    dice = random.Random(number)
    linear, byte, data = dice.choice(LINEAR), dice.choice(BYTE), dice.choice(DATA)
    roles = {"scene_linear": linear, "rendering": linear, "default": dice.choice([linear, data])}
    if dice.random() < 0.8:
        roles["data"] = data
    roles |= {role: linear if role == "default_float" else byte for role in OPTIONAL_ROLES if dice.random() < 0.7}
    roles["aces_interchange"], roles["cie_xyz_d65_interchange"] = linear, "XYZ"
    views = dice.sample(VIEWS, dice.randint(1, 4))
    looks = dice.sample(LOOKS, dice.randint(0, 2))
    displays = dice.sample(["sRGB", "sRGB - Display", "Display P3", "Rec.1886"], dice.randint(1, 2))
    xyz = "0.4124, 0.3576, 0.1805, 0, 0.2126, 0.7152, 0.0722, 0, 0.0193, 0.1192, 0.9505, 0, 0, 0, 0, 1"
    spaces = {
        linear: "isdata: false, encoding: scene-linear",
        byte: "isdata: false, from_scene_reference: !<ExponentTransform> {value: 2.2, direction: inverse}",
        data: "isdata: true",
        "XYZ": f"isdata: false, from_scene_reference: !<MatrixTransform> {{matrix: [{xyz}]}}",
    }
    order = dice.sample(list(spaces), len(spaces))
    shown = [f"    - !<View> {{name: {json.dumps(view)}, colorspace: {json.dumps(byte)}}}" for view in views]
    return "\n".join(
        [
            "ocio_profile_version: 2",
            "strictparsing: false",
            "roles:",
            *(f"  {role}: {json.dumps(space)}" for role, space in sorted(roles.items())),
            "displays:",
            *(line for display in displays for line in (f"  {json.dumps(display)}:", *shown)),
            *(["looks:"] if looks else []),
            *(f"  - !<Look> {{name: {json.dumps(look)}, process_space: {json.dumps(linear)}}}" for look in looks),
            "colorspaces:",
            *(f"  - !<ColorSpace> {{name: {json.dumps(name)}, {spaces[name]}}}" for name in order),
            "",
        ]
    )


def tried(folder: Path) -> dict[str, list[float]]:
    """Mean colours of the pictures of a film baked, rendered and exported in this process."""
    bpy: Any = import_module("bpy")

    from ..blender_artfish.bake import bake
    from ..blender_artfish.export import pictures
    from ..blender_artfish.export.exporting import export_file
    from ..blender_artfish.stage import view
    from ..blender_artfish.stage.render import render

    vars(pictures).update(SIZES={"skin": PICTURE_PIXELS, "eye": PICTURE_PIXELS}, FIN_SIZE=PICTURE_PIXELS)
    vars(view).update(VIEW_DRAWS=4, VIEW_REFINEMENTS=0)
    recording = World(Scene.from_dict(SCENE), seed=1).simulate(2)
    bake(recording, folder / "film.blend", form="mesh")
    render(folder / "film.blend", folder, frames=(1, 2), samples=1, size=(16, 16), movie=folder / "film.mp4")
    export_file(folder / "film.blend", folder / "film.glb")
    content = (folder / "film.glb").read_bytes()
    (size,) = struct.unpack_from("<I", content, 12)
    scene: dict[str, Any] = json.loads(content[20 : 20 + size])
    found = {}
    for image in scene["images"]:
        part = scene["bufferViews"][image["bufferView"]]
        begin = 28 + size + part.get("byteOffset", 0)
        path = folder / f"{image['name']}.png"
        path.write_bytes(content[begin : begin + part["byteLength"]])
        picture = bpy.data.images.load(str(path))
        picture.colorspace_settings.is_data = True  # the bytes as they are
        pixels = np.array(picture.pixels[:]).reshape(-1, 4)
        cover = np.maximum(pixels[:, 3:], 1e-6)
        found[image["name"]] = ((pixels[:, :3] * cover).sum(axis=0) / cover.sum()).tolist()
    return found


def main(argv: list[str]) -> int:
    """Tries the configuration of a number and returns 1 on a fault; without a number, that of this process."""
    if argv:
        fault = apart(int(argv[0]))
        print(fault or "sound")
        return 1 if fault else 0
    with tempfile.TemporaryDirectory() as folder:
        found = tried(Path(folder))
    print()
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)  # Blender's libraries may wait for ever as they are torn down
