"""Exports of fishes that were hidden, locked, moved and renamed in all of Blender's ways, read back and compared.

In each variant fishes are moved by strips, constraints, drivers, parents, their bones and meshes; then they are hidden,
locked, left out, renamed, or another scene is the active one. Every format is written and read by Blender's importers:
all fishes are there, where Blender showed them before, within 0.02 lengths for 95 of 100 vertices, over the frames that
were requested. A variant is a separate process and the same each time; `python -m artfish.studies.fuzz_exports 7`
makes the seventh. An interrupted study resumes; out/exports has the film of a variant that failed.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ..core.scene.scene import Scene
from ..core.world.world import World
from .finding import Finding
from .resuming import tried_in_blender

VARIANTS = 40
FRAMES = 10
NEAR_LENGTHS = 0.02
SHARE = 95.0
"""Percentage of vertices that must be that near."""
FORMATS = ".abc", ".usdc", ".fbx", ".glb"
TIMED, WHOLE = (".fbx", ".glb"), 24
"""Formats timed in seconds, and the frame rate to read them at: importers take these for whole."""
BONELESS = ".abc", ".usdc"
"""Formats of fishes driven by shape keys."""
HUNG_SECONDS = 600
FOLDER = Path(__file__).parents[1] / "out" / "exports"
SCENE = {
    "duration": 1,
    "tank": {"size": [4, 3, 2]},
    "fishes": [
        {"species": "clownfish", "count": 2, "at": [2, 1.5, 1], "spread": 0.3},
        {"species": "sardine", "count": 1, "at": [1.5, 1.5, 1], "spread": 0.3},
    ],
}
NAMES = "Nemo.001", "Nemo_001", "Doris/Dory", "Ähre 鱼", "0 fish", "a" * 60, 'say "fish"', "Nemo 001", " ", "-", "x\\y"


def findings(seeds: range = range(VARIANTS)) -> Iterator[Finding]:
    """Number of variants that arrived whole in every format."""
    claim = "however fishes are moved, hidden, locked and renamed, all arrive where Blender shows them"
    yield tried_in_blender(claim, FOLDER / "log.jsonl", seeds, apart)


def apart(number: int) -> str:
    """The fault of a variant, made in a separate process; "" without one."""
    command = [sys.executable, "-m", "artfish.studies.fuzz_exports", str(number)]
    with tempfile.TemporaryDirectory() as home:
        surroundings = {**os.environ, "BLENDER_USER_RESOURCES": home, "TMPDIR": home}
        try:
            done = subprocess.run(
                command, env=surroundings, capture_output=True, text=True, timeout=HUNG_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return "hung"
    if done.returncode == 0:
        return ""
    said = [line for line in done.stdout.splitlines() if line.startswith("! ")]
    return said[-1][2:] if said else f"ended by {done.returncode}: {done.stderr.strip()[-200:]}"


def variant(number: int, folder: Path, formats: tuple[str, ...] = FORMATS) -> str:
    """The fault of a variant; "" without one.

    Args:
        number: Number of the variant.
        folder: Folder for files.
        formats: Formats to write, if it supports them.
    """
    bpy: Any = import_module("bpy")

    from ..blender_artfish.bake import bake

    changed = Variant(number)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    recording = World(Scene.from_dict(SCENE), seed=number).simulate(FRAMES)
    bake(recording, None, "mesh", stage=False, drive=changed.drive)
    changed.move()
    shown = changed.shown()
    changed.hide()
    changed.rename()
    blend = changed.saved(folder)
    faults = []
    for suffix in formats if changed.drive == "armature" else BONELESS:
        try:
            fault = _exported(changed, blend, folder / f"{number}{suffix}", shown)
        except Exception as error:  # any exception is a finding
            fault = f"{type(error).__name__}: {str(error).strip()[:200]}"
        faults += [f"{suffix}: {fault}"] if fault else []
    return "; ".join([*faults, f"after {', '.join(changed.steps)}"]) if faults else ""


def _exported(changed: Variant, blend: Path, path: Path, shown: list[np.ndarray]) -> str:
    """The fault of an export read back; "" without one."""
    bpy: Any = import_module("bpy")

    from ..blender_artfish.export.exporting import export_file

    first, last = changed.span or (1, FRAMES)
    wanted = [shown[place] for place in changed.chosen]
    options: dict[str, Any] = {"frames": changed.span, "select": changed.select, "scene": changed.scene}
    said = export_file(blend, path, textures=False, **options)
    if said != len(wanted):
        return f"said {said} fishes, not {len(wanted)}"
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    timed = path.suffix in TIMED
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = (WHOLE, 1.0) if timed else changed.rate
    READERS[path.suffix](str(path))
    for block in (block for keys in bpy.data.shape_keys for block in keys.key_blocks):
        block.slider_min, block.slider_max = -10.0, 10.0  # USD knows no bounds, its importer makes them 0 and 1
    begin = 0 if path.suffix == ".glb" else first
    there = [obj for obj in bpy.data.objects if obj.type == "MESH" and len(obj.data.vertices) > 1000]
    if len(there) != len(wanted):
        return f"{len(there)} fishes of {len(wanted)} in the file"
    now = bpy.context.scene.render
    shown_in = now.fps / (changed.rate[0] / changed.rate[1]) if timed else 1.0
    if (fault := _frames(path.suffix, begin * shown_in, (last - first) * shown_in)) != "":
        return fault
    frames = sorted({0, (last - first) // 2, last - first})
    read = [[vertices(obj, (begin + frame) * shown_in) for obj in there] for frame in frames]
    return compared([[places[first - 1 + frame] for places in wanted] for frame in frames], read)


def _frames(suffix: str, begin: float, passed: float) -> str:
    """The fault in the frames of a file; "" without one."""
    bpy: Any = import_module("bpy")

    if suffix == ".abc" and not passed:
        return ""  # its importer takes no frame from a single one
    if suffix in (".abc", ".usdc"):
        spans = [(bpy.context.scene.frame_start, bpy.context.scene.frame_end)]
    else:
        spans = [tuple(action.frame_range) for action in bpy.data.actions]
    if not spans:
        return "" if passed == 0 else "no action"
    span, wanted = (min(one for one, _ in spans), max(other for _, other in spans)), (begin, begin + passed)
    return "" if np.allclose(span, wanted, atol=1e-3) else f"frames {span} in place of {wanted}"


def compared(wanted: list[list[np.ndarray]], read: list[list[np.ndarray]]) -> str:
    """The fault in the fishes' places: vertices by frame and fish, as shown and as read."""
    from scipy.optimize import linear_sum_assignment
    from scipy.spatial import cKDTree

    lengths = [max(float(np.ptp(places, axis=0).max()) for places in fish) for fish in zip(*wanted, strict=True)]
    off = np.zeros((len(wanted[0]), len(read[0])))
    for shown, found in zip(wanted, read, strict=True):
        for row, places in enumerate(shown):
            tree = cKDTree(places)
            for column, others in enumerate(found):
                miss = np.percentile(tree.query(others)[0], SHARE) / lengths[row]
                gone = np.percentile(cKDTree(others).query(places)[0], SHARE) / lengths[row]
                off[row, column] = max(off[row, column], miss, gone)
    worst = off[linear_sum_assignment(off)].max()
    return "" if worst < NEAR_LENGTHS else f"{worst:.3f} lengths off"


def vertices(obj: Any, frame: float) -> np.ndarray:
    """World positions of a mesh's vertices at a frame, (vertices, 3)."""
    bpy: Any = import_module("bpy")

    bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    places = np.empty(3 * len(evaluated.data.vertices), np.float32)
    evaluated.data.vertices.foreach_get("co", places)
    matrix = np.array(evaluated.matrix_world)
    return places.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def _read(module: str, name: str, **options: Any) -> Callable[[str], Any]:
    def read(path: str) -> Any:
        bpy: Any = import_module("bpy")

        return getattr(getattr(bpy.ops, module), name)(filepath=path, **options)

    return read


READERS: Mapping[str, Callable[[str], Any]] = {
    ".abc": _read("wm", "alembic_import", as_background_job=False),
    ".usdc": _read("wm", "usd_import"),
    ".fbx": _read("import_scene", "fbx", anim_offset=0.0),
    ".glb": _read("import_scene", "gltf"),
}


class Variant:
    """Changes to the fishes of the open file.

    Attributes:
        dice: Random generator.
        steps: The changes made.
        drive: Drive of the fishes: "armature", or "shapes".
        rate: Frames a second, and their base.
        span: First and last frame to export; None for all.
        select: Fishes to export.
        scene: Name of the scene to export; None for the active one.
        chosen: Numbers of the fishes to be written.
    """

    def __init__(self, number: int) -> None:
        """Start without changes."""
        self.dice = random.Random(number)
        self.steps: list[str] = []
        self.drive = "shapes" if self.dice.random() < 0.15 else "armature"
        self.rate = self.dice.choice([(24, 1.0), (24, 1.001), (30, 1.0), (25, 1.0)])
        self.span = self.dice.choice([None, None, (1, FRAMES), (3, 7), (4, 4), (FRAMES - 1, FRAMES)])
        self.select, self.scene, self.linked = "all", None, False
        self.bodies: list[Any] = []
        self.chosen: list[int] = []

    def move(self) -> None:
        """Animate fishes in some ways."""
        bpy: Any = import_module("bpy")

        scene = bpy.context.scene
        scene.render.fps, scene.render.fps_base = self.rate
        scene.frame_start, scene.frame_end = 1, FRAMES
        self.bodies = [obj for obj in scene.objects if obj.type == "MESH"]
        self.chosen = list(range(len(self.bodies)))
        names = [name for name in dir(self) if name.startswith("_move_")]
        for name in self.dice.sample(names, self.dice.randint(1, 4)):
            if getattr(self, name)() is not False:
                self.steps.append(name[6:])

    def shown(self) -> list[np.ndarray]:
        """Vertices of each fish as Blender shows them, frame by frame, (frames, vertices, 3)."""
        return [np.stack([vertices(body, frame) for frame in range(1, FRAMES + 1)]) for body in self.bodies]

    def hide(self) -> None:
        """Hide, lock and leave out fishes in some ways."""
        names = [name for name in dir(self) if name.startswith("_hide_")]
        for name in self.dice.sample(names, self.dice.randint(0, 3)):
            getattr(self, name)()
            self.steps.append(name[6:])

    def rename(self) -> None:
        """Rename data, and choose the fishes to write by a name."""
        bpy: Any = import_module("bpy")

        things = [*bpy.data.objects, *bpy.data.armatures, *bpy.data.collections, *bpy.data.meshes]
        for name in self.dice.sample(NAMES, self.dice.choice([0, 0, 1, 3, len(NAMES)])):
            it = self.dice.choice(things)
            self.steps.append(f"{it.name} as {name!r}")
            it.name = name
        if self.dice.random() < 0.3:
            row = self.dice.choice(self.chosen)
            self.select, self.chosen = self.bodies[row].name, [row]
            if bpy.data.collections.get(self.select) is not None:
                self.select, self.chosen = "all", list(range(len(self.bodies)))

    def saved(self, folder: Path) -> Path:
        """The saved file, or perhaps another that links to it."""
        bpy: Any = import_module("bpy")

        scene, blend = bpy.context.scene, folder / f"{self.dice.randrange(10**9)}.blend"
        which = self.dice.random()
        if which < 0.25:
            self.scene = scene.name
            bpy.context.window.scene = bpy.data.scenes.new("Edit")
            self.steps.append("another scene")
        bpy.ops.wm.save_as_mainfile(filepath=str(blend), check_existing=False)
        if 0.25 < which < 0.45:
            self._link(blend, whole=which < 0.3)
            blend = blend.with_stem(f"{blend.stem}-linked")
            bpy.ops.wm.save_as_mainfile(filepath=str(blend), check_existing=False)
        return blend

    def _link(self, blend: Path, whole: bool) -> None:
        """Make a file that links to a film: to its scene as a whole, or to all its collections."""
        bpy: Any = import_module("bpy")

        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        with bpy.data.libraries.load(str(blend), link=True) as (there, into):
            if whole:
                into.scenes = list(there.scenes)
            else:
                into.objects = list(there.objects)
        scene = bpy.context.scene
        if whole:
            self.scene = next(each.name for each in bpy.data.scenes if each.library is not None)
            scene.name = "Edit"
        for obj in () if whole else bpy.data.objects:
            scene.collection.objects.link(obj)
        scene.render.fps, scene.render.fps_base = self.rate
        scene.frame_start, scene.frame_end = 1, FRAMES
        self.steps.append("a linked scene" if whole else "linked")

    def _one(self, bones: bool = False) -> Any:
        """Some object of a fish, or its parent; or an armature."""
        bpy: Any = import_module("bpy")

        objects = list(bpy.data.objects)
        some = [obj for obj in objects if obj.type == "ARMATURE"] if bones else objects
        if self.dice.random() < 0.5 and not bones:
            some = [obj for obj in objects if obj.type == "EMPTY" and obj.name.startswith("Offset")]
        return self.dice.choice(some) if some else None

    def _boat(self) -> Any:
        """An empty that moves and turns."""
        bpy: Any = import_module("bpy")

        boat = bpy.data.objects.new("Boat", None)
        bpy.context.scene.collection.objects.link(boat)
        for frame in (1, FRAMES):
            boat.location = [self.dice.uniform(-1, 1) for _ in range(3)]
            boat.rotation_euler = [self.dice.uniform(-0.5, 0.5) for _ in range(3)]
            for path in ("location", "rotation_euler"):
                boat.keyframe_insert(path, frame=frame)
        boat.empty_display_size = 0.1
        return boat

    def _move_strips(self) -> None:
        bpy: Any = import_module("bpy")

        for obj in [obj for obj in bpy.data.objects if obj.animation_data and obj.animation_data.action]:
            if self.dice.random() < 0.7:
                data = obj.animation_data
                action, slot = data.action, data.action_slot
                begin = int(action.frame_range[0]) + self.dice.choice([0, 0, 2])
                strip = data.nla_tracks.new().strips.new("swim", begin, action)
                strip.action_slot, data.action = slot, None
                strip.scale = self.dice.choice([1.0, 1.0, 1.5])
                if self.dice.random() < 0.3:
                    again = data.nla_tracks.new().strips.new("again", begin + 3, action)
                    again.action_slot, again.blend_type = slot, self.dice.choice(["REPLACE", "COMBINE"])
                    again.influence = 0.5

    def _move_child_of(self) -> None:
        self._one().constraints.new("CHILD_OF").target = self._boat()

    def _move_constraint(self) -> None:
        obj = self._one()
        kinds = ["COPY_LOCATION", "COPY_ROTATION", "TRACK_TO", "LIMIT_LOCATION", "COPY_TRANSFORMS", "LIMIT_DISTANCE"]
        kind = self.dice.choice(kinds)
        made = obj.constraints.new(kind)
        if kind == "LIMIT_LOCATION":
            made.use_max_x, made.max_x = True, obj.matrix_world.translation.x
        else:
            made.target = self._boat()
        made.influence = self.dice.choice([0.3, 1.0])

    def _move_path(self) -> None:
        bpy: Any = import_module("bpy")

        curve = bpy.data.curves.new("Path", "CURVE")
        curve.dimensions, curve.use_path = "3D", True
        spline = curve.splines.new("POLY")
        spline.points.add(2)
        for point in spline.points:
            point.co = (*(self.dice.uniform(-1, 1) for _ in range(3)), 1.0)
        way = bpy.data.objects.new("Path", curve)
        bpy.context.scene.collection.objects.link(way)
        follow = self._one().constraints.new("FOLLOW_PATH")
        follow.target, follow.use_fixed_location = way, True
        follow.use_curve_follow = self.dice.random() < 0.5
        for frame, offset in ((1, 0.0), (FRAMES, 1.0)):
            follow.offset_factor = offset
            follow.keyframe_insert("offset_factor", frame=frame)

    def _move_driver(self) -> None:
        obj = self._one()
        path, axis = self.dice.choice(["location", "delta_location", "rotation_euler", "scale"]), self.dice.randrange(3)
        obj.rotation_mode = "XYZ" if path == "rotation_euler" else obj.rotation_mode
        obj.driver_remove(path, axis)
        obj.driver_add(path, axis).driver.expression = f"frame / 24 + {getattr(obj, path)[axis] + 0.01}"

    def _move_driven_by_another(self) -> None:
        driver = self._one().driver_add("location", self.dice.randrange(3)).driver
        driver.type = "SUM"
        variable = driver.variables.new()
        variable.type = "TRANSFORMS"
        variable.targets[0].id, variable.targets[0].transform_type = self._boat(), "LOC_X"

    def _move_parent(self) -> None:
        obj, boat = self._one(), self._boat()
        while obj.parent is not None and self.dice.random() < 0.5:
            obj = obj.parent
        kept = obj.matrix_world.copy()
        obj.parent = boat
        if self.dice.random() < 0.5:
            obj.matrix_world = kept

    def _move_on_another_fish(self) -> bool:
        bpy: Any = import_module("bpy")

        carriers = [obj for obj in bpy.data.objects if obj.parent is None or obj.name.startswith("Offset")]
        obj, bones = self.dice.choice(carriers), self._one(bones=True)
        above = bones
        while above is not None and above != obj:
            above = above.parent
        if bones is None or above == obj:
            return False
        obj.parent, obj.parent_type = bones, "BONE"
        obj.parent_bone = self.dice.choice(bones.data.bones).name
        return True

    def _move_keys(self) -> None:
        obj = self._one()
        for frame in (1, FRAMES // 2, FRAMES):
            obj.delta_location = [self.dice.uniform(-1, 1) for _ in range(3)]
            obj.delta_rotation_euler = [self.dice.uniform(-1, 1) for _ in range(3)]
            obj.keyframe_insert("delta_location", frame=frame)
            obj.keyframe_insert("delta_rotation_euler", frame=frame)

    def _move_scale(self) -> None:
        bpy: Any = import_module("bpy")

        some = [obj for obj in bpy.data.objects if obj.name.startswith("Offset")]
        obj = self.dice.choice(some)
        obj.scale = self.dice.choice([(2.0, 2.0, 2.0), (-1.0, 1.0, 1.0), (1.0, 1.0, 1.6), (0.2, 0.2, 0.2)])

    def _move_grow(self) -> None:
        bpy: Any = import_module("bpy")

        obj = self.dice.choice([obj for obj in bpy.data.objects if obj.name.startswith("Offset")])
        for frame, size in ((1, self.dice.choice([0.0, 0.1])), (FRAMES, 1.0)):
            obj.scale = (size,) * 3
            obj.keyframe_insert("scale", frame=frame)

    def _move_bones(self) -> bool:
        armature = self._one(bones=True)
        if armature is None:
            return False
        bone = self.dice.choice(armature.pose.bones)
        made = bone.constraints.new(self.dice.choice(["COPY_ROTATION", "DAMPED_TRACK", "COPY_LOCATION"]))
        made.target, made.influence = self._boat(), 0.3
        return True

    def _move_mesh_alone(self) -> None:
        body = self.dice.choice(self.bodies)
        for frame in (1, FRAMES):
            body.delta_location = [self.dice.uniform(-1, 1) for _ in range(3)]
            body.keyframe_insert("delta_location", frame=frame)

    def _move_loose_mesh(self) -> None:
        body = self.dice.choice(self.bodies)
        kept = body.matrix_world.copy()
        body.parent = None
        body.matrix_world = kept

    def _move_at_rest(self) -> bool:
        armature = self._one(bones=True)
        if armature is None:
            return False
        armature.data.pose_position = "REST"
        return True

    def _move_flat_bones(self) -> bool:
        armature = self._one(bones=True)
        if armature is None:
            return False
        for bone in list(armature.data.bones)[::2]:
            bone.inherit_scale, bone.use_local_location = "NONE", False
        armature.pose.bones[0].scale = (1.3, 1.3, 1.3)
        return True

    def _move_shared(self) -> bool:
        """Make linked duplicates: fishes that share the mesh and the bones of others."""
        bpy: Any = import_module("bpy")

        one = self.bodies[0]
        if one.parent is None or one.parent.type != "ARMATURE":
            return False
        root, body = one.parent.copy(), one.copy()
        for obj in (root, body):
            bpy.context.scene.collection.objects.link(obj)
        body.parent, body.modifiers[0].object = root, root
        root.delta_location.x += 0.7
        self.bodies.append(body)
        self.chosen = list(range(len(self.bodies)))
        return True

    def _hide_locked(self) -> None:
        bpy: Any = import_module("bpy")

        for obj in bpy.data.objects:
            obj.hide_select = self.dice.random() < 0.5

    def _hide_eye(self) -> None:
        bpy: Any = import_module("bpy")

        for obj in bpy.context.view_layer.objects:
            if self.dice.random() < 0.4 and obj.visible_get():
                obj.hide_set(True)

    def _hide_screens(self) -> None:
        bpy: Any = import_module("bpy")

        for obj in bpy.data.objects:
            obj.hide_viewport, obj.hide_render = (self.dice.random() < 0.4 for _ in range(2))

    def _hide_by_keys(self) -> None:
        bpy: Any = import_module("bpy")

        for obj in bpy.data.objects:
            if self.dice.random() < 0.4:
                obj.hide_viewport = obj.hide_render = True
                obj.keyframe_insert("hide_viewport", frame=3)
                obj.keyframe_insert("hide_render", frame=3)

    def _hide_collections(self) -> None:
        bpy: Any = import_module("bpy")

        for collection in bpy.data.collections:
            collection.hide_select, collection.hide_viewport, collection.hide_render = (
                self.dice.random() < 0.4 for _ in range(3)
            )

    def _hide_layers(self) -> None:
        bpy: Any = import_module("bpy")

        ahead = list(bpy.context.view_layer.layer_collection.children)
        while ahead:
            layer = ahead.pop()
            ahead += layer.children
            layer.exclude, layer.hide_viewport = (self.dice.random() < 0.4 for _ in range(2))
            layer.holdout = self.dice.random() < 0.2

    def _hide_other_layer(self) -> None:
        bpy: Any = import_module("bpy")

        layer = bpy.context.scene.view_layers.new("Close")
        for child in layer.layer_collection.children:
            child.exclude = True
        bpy.context.window.view_layer = layer

    def _hide_moved(self) -> None:
        bpy: Any = import_module("bpy")

        home = bpy.data.collections.new("Aside")
        bpy.context.scene.collection.children.link(home)
        for obj in list(bpy.data.objects):
            if self.dice.random() < 0.4:
                for each in obj.users_collection:
                    each.objects.unlink(obj)
                home.objects.link(obj)
        home.hide_viewport = True

    def _hide_frame(self) -> None:
        bpy: Any = import_module("bpy")

        bpy.context.scene.frame_set(self.dice.choice([-20, FRAMES, 500]))


def main(argv: list[str]) -> int:
    """Makes one variant; returns 1 on a fault, and then its film is kept."""
    number = int(argv[0])
    with tempfile.TemporaryDirectory() as folder:
        fault = variant(number, Path(folder))
        if fault:
            FOLDER.mkdir(parents=True, exist_ok=True)
            for path in Path(folder).glob("*.blend"):
                (FOLDER / f"{number}-{path.name}").write_bytes(path.read_bytes())
    print(f"! {fault}" if fault else "whole")
    return 1 if fault else 0


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)  # Blender's libraries may wait for ever as they are torn down
