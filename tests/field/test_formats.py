"""Files of other versions of Artfish: those of older ones load, those of newer ones are refused with their version."""

import json
import shutil
import tomllib
from pathlib import Path

import numpy as np
import pytest

from artfish.cli import main
from artfish.core import Recording, Scene, SceneError, Species, World
from artfish.core.base import formats
from artfish.core.base.files import read_arrays, write_arrays
from artfish.core.learning.learned import Learned
from artfish.core.replicas.repertoire import Repertoire
from artfish.core.scene.controller import Controller
from artfish.core.scene.ride import Ride
from artfish.core.studio.film import Film
from artfish.tests.field.formats import signatures

ROOT = Path(__file__).resolve().parents[2]
CASES = Path(__file__).parent / "cases" / "formats"
VERSIONS = sorted(path.name for path in CASES.iterdir() if path.is_dir())
FILES = {
    "scene": ("scene.json", Scene.load),
    "species": ("thesis.json", Species.load),
    "ride": ("ride.json", Ride.load),
    "film": ("film.json", Film.load),
    "controller": ("controller.json", Controller.load),
    "search": ("learned.json", Learned.load),
    "recording": ("recording.npz", Recording.load),
    "repertoire": ("repertoire.npz", Repertoire.load),
    "world": ("world.npz", World.load),
}
"""A file of each kind, and the function that loads it; models of adopted fishes are tested apart."""


def test_the_version_of_files_is_that_of_the_package():
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == formats.ARTFISH_VERSION


def test_every_kind_has_a_file_of_this_version():
    assert {*FILES, "model"} == set(formats.FORMATS)
    assert formats.ARTFISH_VERSION in VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", [kind for kind in FILES if kind != "world"])
def test_what_a_version_wrote_is_read_on(version, kind):
    name, load = FILES[kind]
    assert load(CASES / version / name) is not None


def test_a_recording_of_before_is_the_film_that_it_was():
    old, new = (Recording.load(CASES / version / "recording.npz") for version in ("0.1.0", "1.0.0"))
    assert np.array_equal(old.nodes, new.nodes) and old.scene == new.scene


def test_a_world_of_this_version_goes_on_and_one_of_before_says_how_to_make_it_again():
    world = World.load(CASES / formats.ARTFISH_VERSION / "world.npz")
    begun = world.frame
    world.step()
    assert world.frame == begun + 1
    with pytest.raises(SceneError, match=r"world.npz: found a world saved by an older Artfish.*make it again from its"):
        World.load(CASES / "0.1.0" / "world.npz")


def baked(version: str, tmp_path: Path) -> int:
    """Bakes the fish that a version adopted; returns the exit code."""
    for name in ("adopted.json", "adopted.blend"):
        shutil.copy(CASES / version / name, tmp_path)
    scene = {"duration": 0.1, "tank": {"size": [8, 6, 4]}, "fishes": [{"species": "adopted", "at": [4, 3, 2]}]}
    (tmp_path / "scene.json").write_text(json.dumps(scene))
    words = ["bake", str(tmp_path / "scene.json"), "-o", str(tmp_path / "out.blend"), "--form", "mesh", "--frames", "2"]
    return main(words)


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize("version", VERSIONS)
def test_an_adopted_fish_of_a_version_is_baked(version, tmp_path):
    assert baked(version, tmp_path) == 0


@pytest.mark.parametrize("kind", FILES)
def test_what_a_newer_artfish_made_is_refused_with_its_version(kind, tmp_path):
    name, load = FILES[kind]
    source, target = CASES / formats.ARTFISH_VERSION / name, tmp_path / name
    higher = formats.FORMATS[kind] + 1
    if name.endswith(".json"):
        data = json.loads(source.read_text())
        assert data["format"] == f"artfish {kind} {formats.FORMATS[kind]}"
        assert data["written_by"] == formats.ARTFISH_VERSION
        news = {"format": f"artfish {kind} {higher}", "written_by": "7.3.1", "unheard_of": 1}
        target.write_text(json.dumps({**data, **news}))
    else:
        arrays = read_arrays(source, "one")
        assert arrays["format"] == formats.FORMATS[kind] and arrays["written_by"] == formats.ARTFISH_VERSION
        write_arrays(target, {**arrays, "format": np.array(higher), "written_by": np.array("7.3.1")})
    ours = formats.short(formats.ARTFISH_VERSION)
    with pytest.raises(SceneError, match=rf"{name}.*: found a {kind} made by a newer Artfish \(7\.3\), this is {ours}"):
        load(target)


@pytest.mark.film
def test_a_model_that_a_newer_artfish_made_is_refused_with_its_version(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(formats.FORMATS, "model", 0)
    assert baked(formats.ARTFISH_VERSION, tmp_path) == 2
    assert "adopted.blend: model: found a model made by a newer Artfish (1.0), this is 1.0" in capsys.readouterr().err


def test_drills_that_a_newer_artfish_learned_are_not_written_over(tmp_path, capsys):
    number, path = formats.FORMATS["search"] + 1, tmp_path / "drills.json"
    newer = json.dumps({"format": f"artfish search {number}", "written_by": "7.3.1", "learned": []})
    path.write_text(newer)
    assert main(["learn", "thesis", "--task", "all", "--steps", "1", "-o", str(path)]) == 2
    assert "found a search made by a newer Artfish (7.3)" in capsys.readouterr().err
    assert path.read_text() == newer


def test_one_kind_of_file_is_not_taken_for_another():
    with pytest.raises(SceneError, match="format: found an Artfish controller, allowed an Artfish scene"):
        Scene.load(CASES / "1.0.0" / "controller.json")


@pytest.mark.parametrize("version", [version for version in VERSIONS if (CASES / version / "signatures.json").exists()])
def test_a_number_goes_up_when_a_file_may_hold_what_an_older_reader_does_not_know(version):
    """Where this fails, raise the number in `FORMATS`, and the version: files out there stay as they are."""
    then = json.loads((CASES / version / "signatures.json").read_text())
    for kind, now in signatures().items():
        assert now == then[kind] or now["number"] > then[kind]["number"], kind
