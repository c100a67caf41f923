"""Operator storms: whatever is pressed, set, undone or deleted, in whatever order, no operator or handler raises.

Each storm is a separate Blender, so that one that crashes or hangs is counted and ends no other. The same seed makes
the same storm. For a failed one, out/storm/SEED.txt has all steps and the output, and SEED.blend the file at
that point; `python -m artfish.studies.storm SEED` repeats it.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

from .finding import NO_BLENDER, Finding, counted, each

FOLDER = Path(__file__).parents[1] / "out" / "storm"
SECONDS = 30.0
"""Duration of a storm in seconds."""
HUNG_SECONDS = 180.0
"""Seconds after its end at which it counts as hung."""
FRAMES = 3
"""Frames of its films."""
MOST = 4
"""Most fishes of a shoal, and the like."""
FAULT = "Traceback"
"""Blender's output when our code raises."""
COUNTS = ("count", "members", "leaves", "rate", "spots")
EXTREMES = (0.0, -1.0, 1.0, 1e-6, 1e6, -1e6, 1e30)


@dataclass(frozen=True)
class Storm:
    """The outcome of a storm.

    Attributes:
        seed: Its seed.
        steps: Number of steps.
        fault: The fault, in a line; "" without one.
    """

    seed: int
    steps: int
    fault: str


def storm(seed: int, seconds: float = SECONDS, folder: Path = FOLDER) -> Storm:
    """Run a storm in a separate process; the traces of a failed one are kept in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = [folder / f"{seed}.txt", folder / f"{seed}.blend"]
    for path in kept:
        path.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "artfish.studies.storm", str(seed), str(seconds), str(folder)]
        surroundings = {**os.environ, "BLENDER_USER_RESOURCES": home, "TMPDIR": home}
        try:
            done = subprocess.run(
                command, env=surroundings, capture_output=True, timeout=seconds + HUNG_SECONDS, check=False
            )
            fault = "" if done.returncode == 0 else f"ended by {done.returncode}"
        except subprocess.TimeoutExpired:
            fault = "hung"
    lines = kept[0].read_text(errors="replace").splitlines() if kept[0].exists() else []
    steps = sum(line.startswith("> ") for line in lines)
    if fault:
        said = [line for line in lines if line.startswith("! ")]
        last = [line for line in lines if line.startswith("> ")]
        return Storm(seed, steps, f"{said[-1][2:] if said else fault}, after {last[-1][2:] if last else 'nothing'}")
    kept[0].unlink(missing_ok=True)
    return Storm(seed, steps, "")


def findings(seeds: range = range(20)) -> Iterator[Finding]:
    """Number of storms in which nothing raised."""
    claim = "whatever is pressed, in whatever order, nothing raises, crashes or hangs"
    if find_spec("bpy") is None:
        yield Finding(claim, 0, 0, note=NO_BLENDER)
        return
    storms = each(storm, seeds)
    failed = [f"{one.seed}: {one.fault}" for one in storms if one.fault]
    note = "; ".join([f"{sum(one.steps for one in storms)} steps", *failed]).replace("|", "/")
    yield counted(claim, [not one.fault for one in storms], 1.0, note)


class Weather:
    """A storm in this Blender, whose add-on is enabled.

    Attributes:
        dice: Random generator.
        write: Called with a line for each step, before it.
    """

    def __init__(self, seed: int, folder: Path, write: Callable[[str], Any]) -> None:
        """Set up without starting; files are written to and read from a folder."""
        import bpy

        from .. import blender_artfish

        self.dice, self.write, self._folder = random.Random(seed), write, folder
        self._files: list[str] = []
        rooms = vars(blender_artfish)["ROOMS"]
        classes = [cls for room in rooms for cls in _module(f"{blender_artfish.__name__}.{room}").CLASSES]
        self._operators = sorted(cls.bl_idname for cls in classes if issubclass(cls, bpy.types.Operator))
        self._kinds: tuple[tuple[int, Callable[[], None]], ...] = (
            (40, self._press),
            (15, self._set),
            (15, self._go),
            (10, self._undo),
            (4, self._redo),
            (8, self._choose),
            (4, self._delete),
            (3, self._disturb),
            (2, self._change_mode),
            (1, self._copy_scene),
            (1, self._save_and_open),
            (1, self._bring_in),
        )

    def step(self) -> None:
        """Does something that an animator, or a script, might do."""
        kinds, weights = [kind for _, kind in self._kinds], [weight for weight, _ in self._kinds]
        try:
            self.dice.choices(kinds, weights)[0]()
            self.keep_small()
        except (RuntimeError, TypeError, ValueError, AttributeError, ReferenceError) as error:
            self.write(f"  {str(error).strip()}")  # Blender refuses it, or an operator reports an error

    def _press(self) -> None:
        import bpy

        room, name = self.dice.choice(self._operators).split(".")
        operator = getattr(getattr(bpy.ops, room), name)
        settings: dict[str, Any] = {}
        for one in operator.get_rna_type().properties:
            if one.identifier == "filepath":
                settings["filepath"] = str(self._folder / self.dice.choice(("storm.json", "none.json", "storm.npz")))
            elif not one.is_hidden and one.identifier != "rna_type" and self.dice.random() < 0.7:
                drawn = self._drawn(one)
                if drawn is not None:
                    settings[one.identifier] = drawn
        pushed = self.dice.random() < 0.7
        self.write(f"bpy.ops.{room}.{name}({', '.join(f'{key}={value!r}' for key, value in settings.items())})")
        operator("EXEC_DEFAULT", pushed, **settings)

    def _set(self) -> None:
        import bpy

        scene, obj = bpy.context.scene, bpy.context.object
        roots = [scene.artfish, scene.artfish_live] + ([obj.artfish] if obj else [])
        found = [each for root in roots for each in _numbers(root)]
        for _ in range(self.dice.choice((1, 1, 1, 8))):
            group, one = self.dice.choice(found)
            value = self._drawn(one)
            if value is None:
                continue
            self.write(f"{group.path_from_id() if group.id_data else '?'}.{one.identifier} = {value!r}")
            setattr(group, one.identifier, value)

    def _drawn(self, one: Any) -> Any:
        """A value of a property, often at an end of its range; None where there is none."""
        import bpy

        if one.type == "BOOLEAN":
            return [self.dice.random() < 0.5] * one.array_length if one.is_array else self.dice.random() < 0.5
        if one.type == "ENUM":
            items = [item.identifier for item in one.enum_items]
            return self.dice.choice(items) if items and not one.is_enum_flag else None
        if one.type == "STRING":
            names = [block.name for kind in (bpy.data.objects, bpy.data.images) for block in kind]
            names += [entry.name for entry in bpy.context.scene.artfish.species]
            return self.dice.choice(["", "no such name", "ü" * 80, *names])
        if one.type == "POINTER":
            return self.dice.choice(list(bpy.data.objects)) if len(bpy.data.objects) else None
        if one.type == "INT":
            numbers: tuple[Any, ...] = (max(one.hard_min, -MOST), 0, 1, 2, MOST)
        elif one.type == "FLOAT":
            numbers = (one.hard_min, one.hard_max, one.soft_min, one.soft_max, 0.0, self.dice.uniform(-1, 1))
        else:
            return None
        if one.identifier in COUNTS:
            numbers = (0, 1, MOST)
        return (
            [self.dice.choice(numbers) for _ in range(one.array_length)] if one.is_array else self.dice.choice(numbers)
        )

    def _go(self) -> None:
        import bpy

        frame = self.dice.choice((1, 2, FRAMES, FRAMES + 2, 0, -1000))
        self.write(f"scene.frame_set({frame})")
        bpy.context.scene.frame_set(frame)

    def _undo(self) -> None:
        import bpy

        self.write("undo")
        bpy.ops.ed.undo_push(message="Storm")  # else Blender itself may crash on changes made by scripts
        bpy.ops.ed.undo()

    def _redo(self) -> None:
        import bpy

        self.write("redo")
        bpy.ops.ed.redo()

    def _choose(self) -> None:
        import bpy

        layer = bpy.context.view_layer
        chosen = self.dice.choice([None, *layer.objects])
        self.write(f"active: {chosen and chosen.name}")
        for obj in bpy.context.selected_objects:
            obj.select_set(False)
        layer.objects.active = chosen
        if chosen is not None:
            chosen.select_set(True)

    def _delete(self) -> None:
        import bpy

        kinds = (bpy.data.objects, bpy.data.objects, bpy.data.collections, bpy.data.meshes, bpy.data.curves)
        blocks = list(self.dice.choice((*kinds, bpy.data.materials, bpy.data.actions)))
        gone = self.dice.sample(blocks, min(len(blocks), self.dice.choice((1, 1, 1, 3, 10_000))))
        self.write(f"delete: {[block.name for block in gone][:10]} ({len(gone)})")
        bpy.data.batch_remove(gone)

    def _disturb(self) -> None:
        """Moves, scales, hides, renames or parents an object, or gives it a wrong role."""
        import bpy

        objects = list(bpy.context.scene.objects)
        if not objects:
            bpy.ops.mesh.primitive_cube_add()
            return
        obj, other = self.dice.choice(objects), self.dice.choice(objects)
        what = self.dice.choice(("location", "scale", "hide_viewport", "name", "kind", "mark", "parent", "unit"))
        self.write(f"disturb: {obj.name} {what} {other.name}")
        if what in ("location", "scale"):
            setattr(obj, what, [self.dice.choice(EXTREMES) for _ in range(3)])
        elif what == "hide_viewport":
            obj.hide_viewport = not obj.hide_viewport
        elif what == "name":
            obj.name = self.dice.choice(("", other.name, "Ünamed"))
        elif what == "kind":
            obj.artfish.kind = self.dice.choice(obj.artfish.bl_rna.properties["kind"].enum_items).identifier
        elif what == "mark":
            marks = [key for each in objects for key in each.keys() if key.startswith("artfish_")]  # noqa: SIM118
            if marks:
                obj[self.dice.choice(marks)] = self.dice.choice((7, "no id", "", 1e300, -1))
        elif what == "parent" and obj != other and other not in obj.children_recursive and obj not in _above(other):
            obj.parent = other
        elif what == "unit":
            bpy.context.scene.unit_settings.scale_length = self.dice.choice((0.001, 1.0, 1000.0))
        bpy.context.view_layer.update()

    def _change_mode(self) -> None:
        import bpy

        mode: Any = self.dice.choice(("EDIT", "OBJECT", "OBJECT", "SCULPT"))
        self.write(f"mode_set {mode}")
        bpy.ops.object.mode_set(mode=mode)

    def _copy_scene(self) -> None:
        import bpy

        if len(bpy.data.scenes) > 2:
            bpy.context.window.scene = self.dice.choice([each for each in bpy.data.scenes if not each.library])
            self.write(f"scene: {bpy.context.scene.name}")
            return
        kind: Any = self.dice.choice(("NEW", "EMPTY", "LINK_COPY", "FULL_COPY"))
        self.write(f"scene.new {kind}")
        bpy.ops.scene.new(type=kind)

    def _save_and_open(self) -> None:
        import bpy

        path = str(self._folder / f"storm{len(self._files)}.blend")
        self._files.append(path)
        self.write("save, and open another or the same")
        bpy.ops.wm.save_as_mainfile(filepath=path, check_existing=False)
        if self.dice.random() < 0.5:
            bpy.ops.wm.open_mainfile(filepath=path)
        else:
            bpy.ops.wm.read_factory_settings(use_empty=self.dice.random() < 0.5)
        bpy.ops.ed.undo_push(message="Opened")

    def _bring_in(self) -> None:
        """Appends or links the last saved file."""
        import bpy

        path, link = self.dice.choice([*self._files, ""]), self.dice.random() < 0.5
        if not path:
            return
        libraries: Any = bpy.data.libraries
        with libraries.load(path, link=link) as (there, here):
            here.collections = there.collections[: self.dice.choice((1, 3))]
        self.write(f"{'link' if link else 'append'}: {[each.name for each in here.collections if each]}")
        for collection in here.collections:
            if collection is not None and collection not in list(bpy.context.scene.collection.children):
                bpy.context.scene.collection.children.link(collection)

    def keep_small(self) -> None:
        """Limits numbers that would only take long: frames, fishes, grains and leaves."""
        import bpy

        for scene in [scene for scene in bpy.data.scenes if not scene.library]:
            scene.frame_start = min(max(scene.frame_start, -MOST), MOST)
            scene.frame_end = min(scene.frame_end, scene.frame_start + FRAMES - 1)
            bake, water = scene.artfish.bake, scene.artfish.water
            bake.first, bake.last = min(max(bake.first, -MOST), MOST), min(bake.last, MOST)
            water.preroll = min(water.preroll, 0.1)
            for obj in scene.objects:
                for group in (obj.artfish.shoal, obj.artfish.plankton, obj.artfish.seaweed, obj.artfish.bubbles):
                    for name in COUNTS:
                        number = getattr(group, name, 0)
                        if isinstance(number, int | float) and number > MOST and not obj.library:
                            setattr(group, name, MOST)


def _module(name: str) -> Any:
    from importlib import import_module

    return import_module(name)


def _above(obj: Any) -> list[Any]:
    """The parents of an object, the nearest first."""
    found = []
    while obj.parent is not None and obj.parent not in found:
        obj = obj.parent
        found.append(obj)
    return found


def _numbers(group: Any) -> Iterator[tuple[Any, Any]]:
    """The settable properties of a group and its nested groups, each with its group."""
    import bpy

    for one in group.bl_rna.properties:
        if one.identifier in ("rna_type", "name"):
            continue
        if one.type == "POINTER" and isinstance(getattr(group, one.identifier), bpy.types.PropertyGroup):
            yield from _numbers(getattr(group, one.identifier))
        elif one.type == "COLLECTION":
            for item in list(getattr(group, one.identifier))[:MOST]:
                if isinstance(item, bpy.types.PropertyGroup):
                    yield from _numbers(item)
        elif not one.is_readonly:
            yield group, one


@contextmanager
def _printed(path: Path) -> Iterator[None]:
    """Redirects all output of this process, Blender's C code included, to a file."""
    sys.stdout.flush()
    sys.stderr.flush()
    before = os.dup(1), os.dup(2)
    with path.open("a", buffering=1, errors="replace") as file:
        for number in (1, 2):
            os.dup2(file.fileno(), number)
        try:
            with redirect_stdout(file), redirect_stderr(file):
                yield
        finally:
            for number, kept in zip((1, 2), before, strict=True):
                os.dup2(kept, number)
                os.close(kept)


def rage(seed: int, seconds: float = SECONDS, folder: Path = FOLDER, steps: int | None = None) -> str:
    """Runs a storm in this process, whose add-on is enabled, for so many seconds or steps.

    Returns:
        The output that shows a fault; "" without one. Steps and output are in SEED.txt.
    """
    import bpy

    log = folder / f"{seed}.txt"
    folder.mkdir(parents=True, exist_ok=True)
    until, made = perf_counter() + seconds, 0
    with tempfile.TemporaryDirectory() as place, _printed(log):
        weather = Weather(seed, Path(place), lambda line: print(f"> {line}" if line[:1] != " " else line, flush=True))
        bpy.ops.wm.read_factory_settings(use_empty=bool(seed % 2))
        bpy.data.images.new("Fish", 64, 32)
        weather.keep_small()
        bpy.ops.ed.undo_push(message="Calm")
        seen = 0
        while perf_counter() < until and made != steps:
            made += 1
            weather.step()
            text = log.read_bytes()[seen:].decode(errors="replace")
            seen += len(text.encode())
            if FAULT in text:
                line = [each for each in text.strip().splitlines() if not each.startswith((">", " "))][-1]
                print(f"! {line}", flush=True)
                bpy.ops.wm.save_as_mainfile(filepath=str(folder / f"{seed}.blend"), copy=True, check_existing=False)
                return line
    return ""


def main(argv: list[str]) -> int:
    """Runs the storm of a seed; returns 1 if something raised."""
    from .. import blender_artfish

    blender_artfish.register()
    seconds, folder = (float(argv[1]), Path(argv[2])) if len(argv) > 2 else (SECONDS, FOLDER)
    fault = rage(int(argv[0]), seconds, folder)
    blender_artfish.unregister()
    if fault:
        print(fault)
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
