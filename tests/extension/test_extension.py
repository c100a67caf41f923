"""The zip validates, installs, enables, does the main job, disables and leaves nothing behind."""

import hashlib
import importlib
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from artfish.benchmarks.fish_pictures import draw
from artfish.studies.snake_grid import overlap
from artfish.tests.project.tools import tool

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.versions

installing = tool("installing")


def test_zip_holds_what_belongs_in_it_and_nothing_else(archive):
    names = set(zipfile.ZipFile(archive).namelist())
    code = [path for room in ("core", "blender_artfish") for path in (ROOT / room).rglob("*.py")]
    papers = [ROOT / name for name in ("__init__.py", "version.py", "blender_manifest.toml", "LICENSE", "README.md")]
    papers += [ROOT / "blender_artfish" / "declarations.json", ROOT / "core" / "photo" / "segmentation.npz"]
    papers += (ROOT / "blender_artfish" / "languages").glob("*.po")
    presets = [path for kind in ("json", "obj", "png") for path in ROOT.glob(f"presets/*/**/*.{kind}")]
    expected = {path.relative_to(ROOT).as_posix() for path in [*code, *papers, *presets]}
    assert {name for name in names if not name.startswith("wheels/") and not name.endswith("/")} == expected


@pytest.mark.parametrize("scipy", [2, 0], ids=["with scipy", "without"])
def test_wheels_are_unmodified(archive, archive_without_scipy, scipy):
    with zipfile.ZipFile(archive if scipy else archive_without_scipy) as zipped:
        wheels = [name for name in zipped.namelist() if name.endswith(".whl")]
        bundled = {Path(name).name: hashlib.sha256(zipped.read(name)).hexdigest() for name in wheels}
    cached = {path.name: path for path in (ROOT / ".cache" / "wheels").glob("*/*.whl")}
    assert sorted(name.partition("-")[0] for name in bundled) == ["artfish_kernel", *["scipy"] * scipy]
    assert bundled == {name: hashlib.sha256(cached[name].read_bytes()).hexdigest() for name in bundled}


def test_zips_bring_scipy_for_the_pythons_of_blenders_own_builds(monkeypatch):
    """Pythons that pip's bpy has a wheel for; a wheel for another would only be carried about."""
    monkeypatch.syspath_prepend(ROOT / "tools")
    tool, environment, kernel = (importlib.import_module(name) for name in ("extension", "environment", "kernel"))
    assert set(tool.TARGETS) == set(kernel.PLATFORMS)
    assert {version for target in tool.TARGETS.values() for version in target.pythons} == set(
        environment.PYTHON_OF_BPY.values()
    )
    assert tool.TARGETS["macos-x64"].pythons == ("3.11",) and tool.TARGETS["linux-arm64"].pythons == ()


def test_without_any_scipy_it_is_not_enabled_and_says_why(archive_without_scipy, refused):
    assert "Artfish needs SciPy, which the Python of this Blender lacks" in refused(archive_without_scipy)


def test_enables_with_its_panels_in_the_sidebar(blender):
    answer = blender("""
addon_utils.enable(MODULE)
panels = [cls for name in dir(bpy.types) if name.startswith("ARTFISH_PT_") for cls in [getattr(bpy.types, name)]]
presets = bpy.context.scene.artfish.bl_rna.properties["preset"].enum_items.keys()
named = {"ARTFISH_PT_scene", "ARTFISH_PT_physics", "ARTFISH_PT_bake"} <= {cls.__name__ for cls in panels}
answer = named, {cls.bl_category for cls in panels} == {"Artfish"}, presets, bpy.ops.artfish.bake.poll()
""")
    presets = sorted(path.stem for path in (ROOT / "presets" / "scenes").glob("*.json"))
    assert answer == [True, True, presets, True]


def test_disabling_leaves_nothing_behind(blender):
    before, between, after = blender(f"""{installing.SNAPSHOT}
before = registered()
addon_utils.enable(MODULE)
between = registered()
addon_utils.disable(MODULE)
answer = before, between, registered()
""")
    assert before != between
    assert before == after


def test_enabling_loads_nothing_heavy(blender):
    """Neither the simulation nor the libraries it computes with: slow imports wait until they are needed."""
    loaded = blender("""
known = set(sys.modules)
assert addon_utils.enable(MODULE, refresh_handled=True)
answer = sorted(set(sys.modules) - known)
""")
    ours = "bl_ext.user_default.artfish"
    assert f"{ours}.blender_artfish" in loaded
    assert not {"numpy", "scipy"} & {name.partition(".")[0] for name in loaded}
    assert not [name for name in loaded if name.startswith(f"{ours}.core")]


def test_bakes_into_the_open_scene_with_its_own_scipy(blender, profile):
    answer = blender("""
addon_utils.enable(MODULE)
there = {item.name for item in bpy.data.objects}
settings = bpy.context.scene.artfish
settings.preset, bpy.context.scene.frame_end, settings.seed = "reef", 4, 3
result = bpy.ops.artfish.bake()
import scipy
curves = [curve for action in bpy.data.actions for layer in action.layers for strip in layer.strips
          for bag in strip.channelbags for curve in bag.fcurves]
answer = {"result": list(result), "scipy": scipy.__file__, "kept": there <= {item.name for item in bpy.data.objects},
          "fishes": sum(item.type == "EMPTY" for item in bpy.data.objects), "curves": len(curves)}
""")
    assert answer["result"] == ["FINISHED"]
    assert Path(answer["scipy"]).is_relative_to(profile / "extensions" / ".local")
    assert answer["kept"]
    scene = json.loads((ROOT / "presets" / "scenes" / "reef.json").read_text())
    assert answer["fishes"] >= sum(group.get("count", 1) for group in scene["fishes"])
    assert answer["curves"] > 0


BAKE = """
addon_utils.enable(MODULE)
import importlib
settings = bpy.context.scene.artfish
settings.preset, bpy.context.scene.frame_end = "go_fish", 3
settings.seed = 5
try:
    result = list(bpy.ops.artfish.bake())
except RuntimeError as error:
    result = str(error)
kernel = importlib.import_module(MODULE + ".core.body.kernel")
library = importlib.import_module(MODULE + ".core.compiled.library")
"""


def libraries(profile: Path) -> list[Path]:
    """The kernel's library in a profile, and the file with its digest."""
    return sorted((profile / "extensions" / ".local").rglob("artfish_kernel/artfish_kernel-*"))


def test_its_own_kernel_moves_the_fishes(blender, profile):
    answer = blender(f"{BAKE}\nanswer = result, kernel.available, kernel.name, str(library.find())")
    assert answer[:2] == [["FINISHED"], True] and answer[2]
    assert Path(answer[3]).resolve() in [path.resolve() for path in libraries(profile)]


@pytest.mark.parametrize(
    "damage", ["cut", *(pytest.param(damage, marks=pytest.mark.large) for damage in ("missing", "without its digest"))]
)
def test_without_its_kernel_no_fish_is_baked_and_a_line_says_what_to_do(blender, profile, damage):
    library, digest = libraries(profile)
    hurt = digest if damage == "without its digest" else library
    whole, damaged = hurt.read_bytes(), hurt.with_name("as it was")
    hurt.rename(damaged)
    if damage == "cut":
        hurt.write_bytes(whole[: len(whole) // 2])
    try:
        answer = blender(f"""{BAKE.replace("= 5", "= 6")}
answer = result, kernel.available, [one.name for one in bpy.data.objects if "bake" in one.name]""")
    finally:
        damaged.replace(hurt)
    said, *rest = answer
    assert rest == [False, []]
    assert "no compiled part of Artfish, without which no fish swims" in said and "install Artfish anew" in said


def test_finds_a_fish_with_what_it_has_learned(blender, tmp_path):
    picture = draw(3, "cluttered", 320)
    np.save(tmp_path / "fish.npy", picture.image)
    grid = blender(f"""
addon_utils.enable(MODULE)
import importlib
import numpy
snake_grid = importlib.import_module(MODULE + ".core.form.snake_grid")
answer = snake_grid.fit_grid(numpy.load({str(tmp_path / "fish.npy")!r})).tolist()
""")
    assert overlap(np.array(grid), picture.body) >= 0.9


def test_a_second_blender_makes_assets_with_the_libraries_of_the_zip(blender, tmp_path):
    """By the path of the package alone: neither scipy nor artfish is in its Python."""
    command = blender(f"""
addon_utils.enable(MODULE)
import importlib
workshop = importlib.import_module(MODULE + ".blender_artfish.assets.workshop")
answer = workshop.command(workshop.Path({str(tmp_path)!r}), {{"kinds": ["nodes"], "pixels": 16}})
""")
    assert command[1] == "-c" and "sys.path" not in command[2]
    assert blender(f"{command[2]}\nanswer = make is not None")
    assert (tmp_path / "nodes.blend").is_file()


def test_a_process_beside_blender_makes_takes_with_the_libraries_of_the_zip(blender):
    """It has the package by the extension's own name, which no path leads to."""
    assert blender("""
addon_utils.enable(MODULE)
import importlib
bpy.context.scene.frame_end = 3
bpy.ops.artfish.add_shoal(species="clownfish", count=2)
bpy.ops.artfish.wish_add()
bpy.context.scene.artfish_takes.wishes[0].kind = "untouched"
takes = bpy.context.scene.artfish_takes
takes.count = 2
answer = list(bpy.ops.artfish.run_takes()), sorted(take.seed for take in takes.found)
""") == [["FINISHED"], [0, 1]]
