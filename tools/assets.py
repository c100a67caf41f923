"""Make the asset library, into out/assets, by the command that anybody can type, and try each asset after.

    python tools/assets.py [KIND ...] [--look] [--sheet FILE.jpg]

Each file is opened in a Blender without the add-on, as who gets it would: nothing may be missing, and no script may be
in it. Each asset must have its words, a catalog that exists and a picture; each that goes round must end as it begins
and move meanwhile. README.txt beside them says what each is. `--look` only tries what is there, `--sheet` puts all
pictures side by side into one.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from artfish.blender_artfish.assets.catalogs import Catalog, uuid_of
from artfish.blender_artfish.assets.making import LIBRARY_FILES
from artfish.blender_artfish.assets.registering import CATALOG_FILE

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "out" / "assets"
MOST_BYTES = 60_000_000
"""The most that all files may have together."""
COLUMNS, TILE_PIXELS = 12, 96
"""Pictures side by side in a sheet, and the width of each."""
JPEG_QUALITY = 88
GROUND = 0.19
"""Grey behind the pictures of a sheet, as in the Asset Browser."""
SEAM_METRES = 2e-4
"""The most by which a vertex may be elsewhere at the end of a loop, over which its keys are rounded."""
LOOK = """
import json, sys
import bpy
import numpy as np
bpy.ops.wm.open_mainfile(filepath=sys.argv[1], load_ui=False)
scene = bpy.context.scene
def places():
    graph, found = bpy.context.evaluated_depsgraph_get(), {}
    for each in graph.object_instances:
        if each.object.type not in ("MESH", "CURVE"):
            continue
        top = each.parent.original if each.is_instance and each.parent else each.object.original
        mesh = each.object.data if each.object.type == "MESH" else each.object.to_mesh()
        if not len(mesh.vertices):
            continue
        co = np.empty(3 * len(mesh.vertices), np.float32)
        mesh.vertices.foreach_get("co", co)
        world = np.array(each.matrix_world)
        some = co.reshape(-1, 3)[:: max(1, len(mesh.vertices) // 200)] @ world[:3, :3].T + world[:3, 3]
        found.setdefault(top.name, []).append(some)
    return {name: np.concatenate(some) for name, some in found.items()}
def moved(one, other):
    return float(np.abs(one - other).max()) if one.shape == other.shape else 1e9
found, first = [], scene.frame_start
data = bpy.data
kinds = data.collections, data.objects, data.materials, data.worlds, data.node_groups, data.actions
for asset in [each for kind in kinds for each in kind if each.asset_data]:
    data, picture = asset.asset_data, asset.preview
    size = tuple(picture.image_size) if picture else (0, 0)
    pixels = np.array(picture.image_pixels_float[:]).reshape(-1, 4) if size[0] else np.zeros((1, 4))
    seen = {"name": asset.name, "kind": asset.bl_rna.identifier, "author": data.author, "license": data.license,
            "about": data.description, "tags": [tag.name for tag in data.tags], "catalog": data.catalog_id,
            "size": size[0], "shades": float((pixels[:, :3] * pixels[:, 3:]).std())}
    loop = asset.get("loop_frames", 0)
    if loop:
        show = next(o.name for o in scene.objects if o.instance_collection == asset)
        moments = []
        for frame in (0, loop, 4 * loop, *(int(share * loop) for share in (0.09, 0.23, 0.41))):
            scene.frame_set(first + frame)
            moments.append(places()[show])
        seen |= {"loop": loop, "seam": max(moved(moments[0], other) for other in moments[1:3]),
                 "moves": max(moved(moments[0], other) for other in moments[3:])}
    found.append(seen)
lost = [image.name for image in bpy.data.images if image.source == "FILE" and not image.packed_file]
print("LOOKED", json.dumps({"assets": found, "lost": lost, "libraries": len(bpy.data.libraries),
    "texts": len(bpy.data.texts), "addons": bpy.context.preferences.addons.keys()}))
"""
"""The look at a file of assets, in a Blender with its factory settings."""
PICTURES = """
import sys
import bpy
import numpy as np
bpy.ops.wm.open_mainfile(filepath=sys.argv[1], load_ui=False)
kinds = bpy.data.collections, bpy.data.objects, bpy.data.materials, bpy.data.worlds, bpy.data.node_groups
tiles = []
for asset in [each for kind in kinds for each in kind if each.asset_data]:
    wide, high = asset.preview.image_size
    tiles.append(np.array(asset.preview.image_pixels_float[:], np.float32).reshape(high, wide, 4)[::-1])
np.save(sys.argv[2], np.stack(tiles))
"""
"""All pictures of a file, into an array."""


class AssetError(Exception):
    """The reason why an asset is no good, in a line."""


def main() -> int:
    """Makes and tries the files of the command line, by default all."""
    parser = argparse.ArgumentParser(description="Makes the asset library.")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"{', '.join(LIBRARY_FILES)}; all if left out")
    parser.add_argument("--look", action="store_true", help="makes nothing, and tries what is there")
    parser.add_argument("--sheet", type=Path, metavar="FILE.jpg", help="all pictures side by side")
    options = parser.parse_args()
    kinds = options.kinds or list(LIBRARY_FILES)
    try:
        if not options.look:
            make(OUT, kinds)
        made = tried(OUT, kinds)
        if options.sheet:
            sheet([OUT / f"{kind}.blend" for kind in kinds], options.sheet)
    except AssetError as error:
        print(f"assets: {error}", file=sys.stderr)
        return 1
    print(f"assets: {made} in {OUT}", flush=True)
    return 0


def make(folder: Path, kinds: list[str]) -> None:
    """Makes files of assets.

    Raises:
        AssetError: The command fails.
    """
    command = [str(Path(sys.executable).with_name("artfish")), "assets", "-o", str(folder)]
    ran = subprocess.run(
        [*command, *(word for kind in kinds for word in ("--only", kind))], capture_output=True, text=True, check=False
    )
    if ran.returncode:
        raise AssetError(f"artfish assets failed: {(ran.stderr.strip().splitlines() or ['no reason'])[-1]}")


def tried(folder: Path, kinds: list[str]) -> int:
    """Tries files of assets, and writes what each asset is beside them; returns how many assets there are.

    Raises:
        AssetError: An asset is not as it should be.
    """
    count, lines = 0, ["An asset library for Blender, made by Artfish; none of it needs Artfish.\n"]
    for kind in kinds:
        path = folder / f"{kind}.blend"
        found = look(path)
        count += len(found)
        size = path.stat().st_size / 1e6
        print(f"assets: {path.name}, {size:.1f} MB: {len(found)} assets", flush=True)
        lines += [f"{path.name}, {size:.1f} MB", *(f"    {each['name']}: {each['about']}." for each in found), ""]
    (folder / "README.txt").write_text("\n".join(lines), encoding="utf-8")
    whole = sum(path.stat().st_size for path in folder.glob("*.blend"))
    if whole > MOST_BYTES:
        raise AssetError(f"all files together have {whole} bytes, allowed {MOST_BYTES}")
    return count


def look(path: Path) -> list[dict[str, Any]]:
    """Opens a file of assets in a Blender with its factory settings, and looks at each.

    Raises:
        AssetError: The file or an asset is not as it should be.
    """
    ran = subprocess.run([sys.executable, "-c", LOOK, str(path)], capture_output=True, text=True, check=False)
    lines = [line for line in ran.stdout.splitlines() if line.startswith("LOOKED ")]
    if not lines:
        raise AssetError(f"{path.name} does not open: {(ran.stderr.strip().splitlines() or ['no reason'])[-1]}")
    seen = json.loads(lines[-1].removeprefix("LOOKED "))
    if any("artfish" in name for name in seen["addons"]):
        raise AssetError("this Blender has the add-on: the look says nothing")
    for fault in ("lost", "libraries", "texts"):
        if seen[fault]:
            raise AssetError(f"{path.name}: {fault}: {seen[fault]}")
    if not seen["assets"]:
        raise AssetError(f"{path.name} has no assets")
    catalogs = (path.parent / CATALOG_FILE).read_text(encoding="utf-8")
    for asset in seen["assets"]:
        for fault in faults(asset, catalogs):
            raise AssetError(f"{path.name}: {asset['name']} {fault}")
    found: list[dict[str, Any]] = seen["assets"]
    return found


def faults(asset: dict[str, Any], catalogs: str) -> list[str]:
    """The faults of an asset, in words."""
    rounds = "loop" in asset
    swims = asset["catalog"] in (uuid_of(Catalog.SWIMMING), uuid_of(Catalog.SCHOOLS))
    found = {
        "has no author": not asset["author"],
        "has no licence": not asset["license"],
        "is not described": len(asset["about"]) < 20,
        "has no tags": len(asset["tags"]) < 2,
        "is in a catalog that is not there": f"\n{asset['catalog']}:" not in catalogs,
        "has a name with a number": asset["name"][-4:-3] == ".",
        "has no picture": not asset["size"],
        "has a picture of nothing": asset["shades"] < 0.02,
        "does not go round": swims and not rounds,
        f"is elsewhere at its end by {asset.get('seam')} m": rounds and asset["seam"] > SEAM_METRES,
        "does not move": rounds and asset["moves"] < 10 * SEAM_METRES,
    }
    return [words for words, wrong in found.items() if wrong]


def sheet(files: list[Path], picture: Path) -> None:
    """Puts the pictures of all assets of files side by side into a JPEG."""
    tiles = []
    for path in files:
        array = path.with_suffix(".npy")
        subprocess.run([sys.executable, "-c", PICTURES, str(path), str(array)], capture_output=True, check=True)
        tiles.append(np.load(array))
        array.unlink()
    every = np.concatenate(tiles)
    step = every.shape[1] // TILE_PIXELS
    small = every.reshape(len(every), TILE_PIXELS, step, TILE_PIXELS, step, 4).mean(axis=(2, 4))
    small = small[..., :3] * small[..., 3:] + GROUND * (1.0 - small[..., 3:])
    rows = -(-len(small) // COLUMNS)
    whole = np.full((rows * COLUMNS, TILE_PIXELS, TILE_PIXELS, 3), GROUND, np.float32)
    whole[: len(small)] = small
    whole = whole.reshape(rows, COLUMNS, TILE_PIXELS, TILE_PIXELS, 3).swapaxes(1, 2)
    save_jpeg(whole.reshape(rows * TILE_PIXELS, COLUMNS * TILE_PIXELS, 3), picture)


def save_jpeg(pixels: np.ndarray, path: Path) -> None:
    """Saves a picture (rows, columns, 3), 0 to 1, as a JPEG."""
    image: Any = bpy.data.images.new(path.stem, pixels.shape[1], pixels.shape[0])
    image.pixels.foreach_set(np.insert(pixels[::-1], 3, 1.0, axis=2).astype(np.float32).ravel())
    image.file_format = "JPEG"
    image.save(filepath=str(path), quality=JPEG_QUALITY)
    bpy.data.images.remove(image)


if __name__ == "__main__":
    sys.exit(main())
