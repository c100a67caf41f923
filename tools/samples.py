"""Make files to open and look at, into out/samples: each by a command that anybody can type, and each tried after.

    python tools/samples.py [NAME ...]

A .blend is opened in a Blender without the add-on, as who gets it would: its fishes must move, nothing may be missing,
and no script may be in it. README.txt beside them says what each is and which command made it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from artfish.core import Species
from artfish.core.studio.recognising import recognised

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "out" / "samples"
MOST_BYTES, MOST_ZIPPED = 30_000_000, 3_000_000


@dataclass(frozen=True)
class Sample:
    """A file to look at.

    Attributes:
        file: Its name.
        shows: What it shows, in a line.
        command: The command that makes it, without its output.
    """

    file: str
    shows: str
    command: str


SAMPLES = (
    Sample("reef.blend", "a reef with fishes of many kinds, four seconds", "bake reef --frames 96 --form compact"),
    Sample(
        "diver.blend",
        "a diver swims through fishes that make way: obstacles that move",
        "bake diver --frames 96 --form compact",
    ),
    Sample("school.blend", "a school as one object, a crowd", "bake schooling --frames 96 --form crowd"),
    Sample("clownfish.glb", "a rigged fish with clips for games: swim, glide, turn, idle", "loop clownfish --gait all"),
    Sample("tang.blend", "the same of a blue tang, as actions for animating by hand", "loop blue_tang --gait all"),
    Sample("hunt.npz", "a recording of a hunt, to bake or to read as arrays", "simulate hunt --frames 240"),
    Sample(
        "labelled.zip",
        "twenty pictures of a reef with labels of all that is in them; open index.html",
        "dataset reef --frames 1-229 --every 12 --size 288x162 --samples 12 --format coco,mot",
    ),
    Sample("fry.json", "a species of its own: a child of two", "breed clownfish blue_tang --children 1 --name fry"),
)
LOOK = """
import json, sys
import bpy
bpy.ops.wm.open_mainfile(filepath=sys.argv[1], load_ui=False)
scene = bpy.context.scene
def places():
    graph = bpy.context.evaluated_depsgraph_get()
    found = []
    for instance in graph.object_instances:
        found.append([round(value, 4) for row in instance.matrix_world for value in row])
        data = instance.object.data
        if instance.object.type == "MESH" and len(data.vertices):
            step = max(len(data.vertices) // 40, 1)  # who rows moves its fins alone
            some = [data.vertices[row] for row in range(0, len(data.vertices), step)]
            found += [[round(value, 4) for value in vertex.co] for vertex in some]
        elif instance.object.type == "SURFACE":
            found += [[round(value, 4) for value in point.co] for point in data.splines[0].points[:4]]
    return found
moments = []
for share in (0.0, 0.23, 0.41):  # a loop may be the same at its half
    scene.frame_set(int(scene.frame_start + share * (scene.frame_end - scene.frame_start)))
    moments.append(places())
lost = [image.name for image in bpy.data.images if image.source == "FILE" and not image.packed_file]
still = moments[0] == moments[1] == moments[2]
print("LOOKED", json.dumps({"still": still, "objects": len(bpy.data.objects), "lost": lost,
    "libraries": len(bpy.data.libraries), "texts": len(bpy.data.texts),
    "addons": bpy.context.preferences.addons.keys()}))
"""
"""The look at a .blend, in a Blender with its factory settings."""


class SampleError(Exception):
    """The reason why a sample is no good, in a line."""


def main() -> int:
    """Makes and tries the samples of the command line, by default all."""
    parser = argparse.ArgumentParser(description="Makes files to open and look at.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="files, by default all")
    names = parser.parse_args().names
    OUT.mkdir(parents=True, exist_ok=True)
    try:
        for sample in SAMPLES:
            if not names or sample.file in names:
                path = make(sample)
                print(f"samples: {sample.file}, {path.stat().st_size / 1e6:.1f} MB: {sample.shows}", flush=True)
    except SampleError as error:
        print(f"samples: {error}", file=sys.stderr)
        return 1
    lines = [f"{each.file}: {each.shows}.\n    artfish {each.command} -o {each.file}\n" for each in SAMPLES]
    (OUT / "README.txt").write_text("Made by Artfish; none of them needs it.\n\n" + "\n".join(lines))
    return 0


def make(sample: Sample) -> Path:
    """Makes a sample and tries it.

    Raises:
        SampleError: Its command fails, it is too large, or it is not as it should be.
    """
    path = OUT / sample.file
    target = OUT if sample.command.startswith("breed") else path.with_suffix("") if path.suffix == ".zip" else path
    made = subprocess.run(
        [str(Path(sys.executable).with_name("artfish")), *sample.command.split(), "-o", str(target)],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        raise SampleError(f"{sample.file}: {made.stderr.strip().splitlines()[-1]}")
    if target == OUT:
        child = Species.load(next(OUT.glob(f"{path.stem}_*.json")))
        replace(child, name=path.stem).save(path)
        for other in OUT.glob(f"{path.stem}_*"):
            other.unlink()
    if path.suffix == ".zip":
        for own in (*target.glob("films"), target / "source.json"):  # by which it would go on
            shutil.rmtree(own) if own.is_dir() else own.unlink()
        shutil.make_archive(str(target), "zip", OUT, target.name)
        shutil.rmtree(target)
    most = MOST_ZIPPED if path.suffix == ".zip" else MOST_BYTES
    if path.stat().st_size > most:
        raise SampleError(f"{sample.file} has {path.stat().st_size} bytes, allowed {most}")
    if path.suffix == ".blend":
        look(path)
    elif path.suffix not in (".glb", ".zip"):
        recognised(path)
    return path


def look(path: Path) -> None:
    """Opens a .blend in a Blender with its factory settings, and looks whether it is whole and moves.

    Raises:
        SampleError: It is not, or does not.
    """
    ran = subprocess.run([sys.executable, "-c", LOOK, str(path)], capture_output=True, text=True, check=False)
    lines = [line for line in ran.stdout.splitlines() if line.startswith("LOOKED ")]
    if not lines:
        raise SampleError(f"{path.name} does not open: {(ran.stderr.strip().splitlines() or ['no reason'])[-1]}")
    seen = json.loads(lines[-1].removeprefix("LOOKED "))
    if any("artfish" in name for name in seen["addons"]):
        raise SampleError("this Blender has the add-on: the look says nothing")
    for fault in ("still", "lost", "libraries", "texts"):
        if seen[fault]:
            raise SampleError(f"{path.name}: {fault}: {seen[fault]}")


if __name__ == "__main__":
    sys.exit(main())
