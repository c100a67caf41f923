"""Assets as a Blender without the add-on sees them: marked, with words and pictures, moving, the same each time."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.assets.catalogs import Catalog, uuid_of
from artfish.blender_artfish.assets.fishes import HOVER_LENGTHS
from artfish.blender_artfish.assets.making import LIBRARY_FILES, make_library
from artfish.blender_artfish.assets.stages import PRESET_STAGES
from artfish.blender_artfish.blender.versions import modifier_value
from artfish.cli import ASSET_KINDS, main
from artfish.core.scene.species import Species
from artfish.core.studio.loops import loop
from artfish.tests.project.tools import tool

pytestmark = [pytest.mark.versions, pytest.mark.film]
ROOT = Path(__file__).resolve().parents[3]
SPECIES = "sardine", "clownfish"
SOME = "fishes", "schools", "rocks", "weeds", "nodes"
PIXELS = 24


assets, blends = tool("assets"), tool("blends")


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Path:
    """Files of few species, with pictures of few pixels."""
    folder = tmp_path_factory.mktemp("library")
    make_library(folder, SOME, species=SPECIES, pixels=PIXELS)
    return folder


def opened(path: Path) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False)


def test_the_kinds_of_the_command_are_those_there_are():
    assert tuple(LIBRARY_FILES) == ASSET_KINDS


@pytest.mark.parametrize("kind", SOME)
def test_every_asset_has_words_a_catalog_and_a_picture_and_goes_round_if_it_swims(library, kind):
    found = assets.look(library / f"{kind}.blend")
    assert len({each["name"] for each in found}) == len(found)
    assert all(each["size"] == PIXELS for each in found)
    rounds = [each["name"] for each in found if "loop" in each]
    expected = {
        "fishes": ["Clownfish", "Sardine"],
        "schools": ["Sardine school of 120", "Sardine school of 24"],
        "weeds": [f"Kelp {number}" for number in range(1, 5)]
        + ["Red weed", "Sea anemone", "Sea grass", "Seaweed", "Tall weed"],
    }
    assert sorted(rounds) == expected.get(kind, [])


def test_a_fault_is_found(library):
    (good, *_) = assets.look(library / "fishes.blend")
    catalogs = (library / "blender_assets.cats.txt").read_text()
    assert assets.faults(good, catalogs) == []
    for change, words in (
        ({"author": ""}, "has no author"),
        ({"catalog": "00000000-0000-0000-0000-000000000000"}, "is in a catalog that is not there"),
        ({"moves": 0.0}, "does not move"),
        ({"seam": 0.01}, "is elsewhere at its end by 0.01 m"),
        ({"name": "Clownfish.001"}, "has a name with a number"),
        ({"shades": 0.0}, "has a picture of nothing"),
        ({"tags": ["Artfish"]}, "has no tags"),
    ):
        assert words in assets.faults(good | change, catalogs)


def test_a_fish_is_as_large_as_its_species_and_hovers_where_it_is_dropped(library):
    opened(library / "fishes.blend")
    for name in SPECIES:
        species = Species.load(name)
        made = bpy.data.collections[species.common_name]
        assert made.asset_data.catalog_id == uuid_of(Catalog.SWIMMING)
        assert {obj.type for obj in made.objects} == {"ARMATURE", "MESH"}
        still = bpy.data.objects[f"{species.common_name} still"]
        assert still.asset_data.catalog_id == uuid_of(Catalog.STILL) and not still.modifiers and still.parent is None
        assert still.dimensions.x == pytest.approx(species.length, rel=0.15)
        show = next(obj for obj in bpy.context.scene.objects if obj.instance_collection == made)
        lows = []
        for frame in range(1, 1 + made["loop_frames"], 6):
            bpy.context.scene.frame_set(frame)
            low = np.inf
            for each in bpy.context.evaluated_depsgraph_get().object_instances:
                if each.is_instance and each.parent.original == show and each.object.type == "MESH":
                    places = np.empty(3 * len(each.object.data.vertices), np.float32)
                    each.object.data.vertices.foreach_get("co", places)
                    world = np.array(each.matrix_world)
                    places = places.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
                    low = min(low, float(places[:, 2].min()))
            lows.append(low)
        assert min(lows) - show.location.z == pytest.approx(HOVER_LENGTHS * species.length, abs=0.02 * species.length)
        ahead = loop(species, "swim").recording.nodes[0, 0, 0]
        assert ahead[0] > 0.3 * species.length, "its nose is along x"


def test_a_school_is_one_object_of_as_many_fishes_as_it_says(library):
    opened(library / "schools.blend")
    for count in (120, 24):
        made = bpy.data.collections[f"Sardine school of {count}"]
        (crowd,) = made.objects
        assert [(each.hide_viewport, each.hide_render) for each in made.children] == [(True, True)]
        (modifier,) = crowd.modifiers
        assert modifier_value(modifier, "Fishes") == count and modifier_value(modifier, "Loop")
    poses = {modifier_value(each.modifiers[0], "Poses") for each in bpy.data.objects if each.modifiers}
    assert len(poses) == 1, "both share their poses"
    for pose in poses.pop().objects:  # a view would draw no instance of a hidden object
        assert not pose.hide_viewport and not pose.hide_render


def test_two_runs_make_the_same_content(library, tmp_path):
    make_library(tmp_path, ("rocks", "weeds", "nodes"), species=SPECIES, pixels=8)
    for kind in ("rocks", "weeds", "nodes"):
        assert blends.content(tmp_path / f"{kind}.blend") == blends.content(library / f"{kind}.blend")
    names = [path.name for path in tmp_path.iterdir()]
    assert sorted(names) == ["blender_assets.cats.txt", "nodes.blend", "rocks.blend", "weeds.blend"]


def test_other_content_has_another_digest(library, tmp_path):
    opened(library / "rocks.blend")
    bpy.data.collections["Anchor"].asset_data.author = "Somebody"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rocks.blend"), compress=True)
    assert blends.digest(tmp_path / "rocks.blend") != blends.digest(library / "rocks.blend")


@pytest.mark.long
@pytest.mark.parametrize("kind", ["corals", "stages", "materials"])
def test_the_others_are_as_good(kind, tmp_path):
    make_library(tmp_path, [kind], species=SPECIES, pixels=PIXELS)
    found = assets.look(tmp_path / f"{kind}.blend")
    if kind == "stages":
        assert {each["name"] for each in found} == set(PRESET_STAGES)
        opened(tmp_path / "stages.blend")
        assert not bpy.data.cameras, "a camera in an instance films nothing"


def test_the_command_writes_a_folder(tmp_path, capsys):
    assert main(["assets", "-o", str(tmp_path / "lib"), "--only", "nodes"]) == 0
    assert "nodes.blend" in capsys.readouterr().out
    (tmp_path / "file").write_text("")
    assert main(["assets", "-o", str(tmp_path / "file"), "--only", "nodes"]) == 2
