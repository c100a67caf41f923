"""Digests of Artfish's results: two trees that print the same lines make the same fishes.

    python tools/digests.py > before.txt        then change the code, and again; compare with diff
    python tools/digests.py simulate bake       some kinds of lines alone

same_bits.py tells if the ways to run a world agree, and if this tree still does as the last one did.
A digest is taken of arrays and keys, never of a file's bytes. The lines of simulate, save and act are the same on every
machine; those of Blender's files are of one Blender.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from artfish.core import Helm, Recording, Scene, World, resimulate
from artfish.studies.presets import tried

PRESETS = sorted(path.stem for path in (Path(__file__).resolve().parent.parent / "presets" / "scenes").glob("*.json"))
SEEDS = 1, 2
SECONDS = 10.0
BAKED = "go_fish", "mating"
BAKED_SECONDS = 3.0


def main() -> int:
    """Prints a line for each result."""
    kinds: dict[str, Callable[[], Iterator[str]]] = {
        "simulate": simulated,
        "save": saved,
        "act": acted_on,
        "bake": baked,
        "register": registered,
    }
    chosen = sys.argv[1:] or list(kinds)
    unknown = [name for name in chosen if name not in kinds]
    if unknown:
        print(f"digests: found {', '.join(unknown)}, allowed {', '.join(kinds)}", file=sys.stderr)
        return 2
    for name in chosen:
        for line in kinds[name]():
            print(name, line, flush=True)
    return 0


def digest(*values: Any) -> str:
    """The digest of arrays, and of any JSON data."""
    whole = hashlib.sha256()
    for value in values:
        if isinstance(value, np.ndarray):
            whole.update(f"{value.dtype.str}{value.shape}".encode())
            whole.update(np.ascontiguousarray(value).tobytes())
        else:
            whole.update(json.dumps(value, sort_keys=True, default=repr).encode())
    return whole.hexdigest()[:16]


def digest_of(recording: Recording) -> str:
    """The digest of a whole recording."""
    own = [field.name for field in fields(recording) if field.name != "level" or recording.level.any()]
    own = [name for name in own if name != "growth" or (recording.growth != 1.0).any()]
    values = [getattr(recording, name) for name in own]  # levels of no fishes are left out, as in older recordings
    plain = {"scene": recording.scene.to_dict()}
    numbers = {name: replace(model, traits=None).to_dict() for name, model in recording.species_models.items()}
    plain["species_models"] = numbers  # whatever traits they follow from
    arrays = [value for value in values if isinstance(value, np.ndarray)]
    return digest(*arrays, plain, recording.events, recording.sex, recording.species, recording.fps)


def simulated() -> Iterator[str]:
    """Every preset for ten seconds, with two seeds; large shoals in part."""
    for name in PRESETS:
        scene = tried(name)
        for seed in SEEDS:
            recording = World(scene, seed=seed).simulate(frames=round(SECONDS * scene.fps))
            yield f"{name} seed {seed}: {digest_of(recording)}"


def saved() -> Iterator[str]:
    """A world is saved midway, loaded and continued; the keys and arrays of the file count too."""
    for name in ("reef", "go_fish", "mating"):
        scene = Scene.load(name)
        half = round(0.5 * SECONDS * scene.fps)
        world = World(scene, seed=SEEDS[0])
        world.simulate(frames=half)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "world.npz"
            world.save(path)
            with np.load(path, allow_pickle=False) as file:
                arrays = {key: file[key] for key in sorted(file.files)}
            text = {key: array.item() for key, array in arrays.items() if array.dtype.kind == "U"}
            numbers = {key: array for key, array in arrays.items() if array.dtype.kind != "U"}
            written = digest(list(arrays), text, *numbers.values())
            on = digest_of(World.load(path).simulate(frames=half))
        yield f"{name}: keys {digest(list(arrays))}, file {written}, goes on {on}"


def acted_on() -> Iterator[str]:
    """Acts on a running world: fed, frightened, made to feel, steered, retuned, taken back, and replayed."""
    scene = Scene.load("reef")
    world = World(scene, seed=3)
    world.simulate(frames=24)
    moment = world.moment()
    middle = np.array(scene.tank.size) / 2.0 if hasattr(scene.tank, "size") else np.ones(3)
    world.feed(middle, 20)
    world.frighten(middle, 1.0)
    world.feel([0, 1], hunger=0.9, fear=0.2)
    world.steer(2, Helm(swim=0.8, turn=0.4))
    acted = digest_of(world.simulate(frames=72))
    world.retune(current=(), fluid_viscosity=0.7)
    retuned = digest_of(world.simulate(frames=48))
    world.retune(replace(scene, seaweed=()))
    changed = digest_of(world.simulate(frames=24))
    world.go_back(moment)
    back = digest_of(world.simulate(frames=48))
    yield f"reef: acted {acted}, retuned {retuned}, changed {changed}, back {back}"
    recording = World(scene, seed=4).simulate(frames=60)
    anew = resimulate(recording, 1, 20, seed=4, change={"mind": {"hunger": 1.0}}, luck=2)
    yield f"reef: one fish anew {digest_of(anew)}"


def baked() -> Iterator[str]:
    """Two presets baked in both forms: every key, object, property and material name."""
    import bpy

    from artfish.blender_artfish.bake import bake

    for name in BAKED:
        scene = Scene.load(name)
        recording = World(scene, seed=SEEDS[0]).simulate(frames=round(BAKED_SECONDS * scene.fps))
        for form in ("points", "compact"):
            bpy.ops.wm.read_factory_settings(use_empty=True)
            bake(recording, None, form=form)
            yield f"{name} {form}: keys {digest(*keys())}, objects {digest(objects())}, materials {digest(materials())}"


def keys() -> Iterator[Any]:
    """All keyframes of the open file, action by action."""
    import bpy

    from artfish.blender_artfish.blender import versions

    owners: list[Any] = [
        *bpy.data.objects,
        *bpy.data.curves,
        *bpy.data.shape_keys,
        *bpy.data.materials,
        *bpy.data.scenes,
    ]
    for owner in sorted(owners, key=lambda owner: (owner.id_type, owner.name)):
        for bag in versions.channelbags(owner):
            yield [owner.id_type, owner.name]
            for curve in bag.fcurves:
                yield [curve.data_path, curve.array_index]
                for name, width in (("co", 2), ("handle_left", 2), ("handle_right", 2)):
                    values = np.empty(width * len(curve.keyframe_points), np.float32)
                    curve.keyframe_points.foreach_get(name, values)
                    yield values
                yield [key.interpolation for key in curve.keyframe_points]


def objects() -> list[Any]:
    """All objects of the open file, their transforms and data."""
    import bpy

    found = []
    for obj in sorted(bpy.data.objects, key=lambda obj: obj.name):
        parent = obj.parent.name if obj.parent else None
        matrix = np.array(obj.matrix_world).round(6).ravel().tolist()
        data = sorted(obj.data.keys()) if obj.data else None
        where = sorted(collection.name for collection in obj.users_collection)
        found.append([obj.name, obj.type, parent, matrix, sorted(obj.keys()), data, where])
    return found


def materials() -> list[Any]:
    """All materials of the open file and their nodes."""
    import bpy

    return [
        [material.name, sorted(f"{node.bl_idname} {node.name}" for node in material.node_tree.nodes)]
        for material in sorted(bpy.data.materials, key=lambda material: material.name)
        if material.node_tree is not None
    ]


def registered() -> Iterator[str]:
    """Names registered by the add-on, on which .blend files and scripts rely."""
    import bpy

    import artfish

    bpy.ops.wm.read_factory_settings(use_empty=True)
    groups: set[Any] = set(bpy.types.PropertyGroup.__subclasses__())
    types, operators = set(dir(bpy.types)), getattr(bpy.ops, "artfish")  # noqa: B009 - the stubs do not know ours
    artfish.register()
    for name in sorted(set(dir(bpy.types)) - types):
        yield name
    for name in sorted(dir(operators)):
        yield f"bpy.ops.artfish.{name}: {properties(getattr(operators, name).get_rna_type())}"
    own: set[Any] = set(bpy.types.PropertyGroup.__subclasses__()) - groups
    for group in sorted((group for group in own if group.is_registered), key=lambda group: group.__name__):
        yield f"{group.__name__}: {properties(group.bl_rna)}"
    for name in ("Scene", "Object", "Image"):
        entries = getattr(bpy.types, name).bl_rna.properties
        yield f"{name}: {', '.join(entry.identifier for entry in entries if 'artfish' in entry.identifier)}"
    artfish.unregister()


def properties(rna: Any) -> str:
    """The names of the properties of an operator or a group, each with its type."""
    own = (entry for entry in rna.properties if entry.identifier not in ("rna_type", "name"))
    return ", ".join(f"{entry.identifier} {entry.type.lower()}" for entry in own)


if __name__ == "__main__":
    sys.exit(main())
