"""Labels are true: masks, depths, hidden shares and keypoints against what Blender itself sees."""

import json
import shutil

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake.writer import bake
from artfish.blender_artfish.dataset.making import form_of, worn
from artfish.blender_artfish.dataset.seen import fill, triangles
from artfish.blender_artfish.fish.individuality import FISH_ID
from artfish.core.dataset.facts import FilmFacts
from artfish.core.dataset.labelling import labelled
from artfish.core.dataset.raster import SCENERY, Raster
from artfish.core.scene.scene import Scene
from artfish.core.world.world import World
from artfish.tests.blender.dataset.conftest import BEFORE, LABELLED, SIZE, Opened
from artfish.tests.blender.truth import is_solid, wrong_depths

pytestmark = pytest.mark.film
FRAME = 5


def filled(opened, entry=BEFORE, frame=FRAME):
    """The raster of a camera at a frame, its matrix, and the rows of its fishes."""
    opened.scene.frame_set(frame)
    camera = opened.camera(entry)
    optics, matrix = camera.optics(SIZE), camera.matrix(frame - 1)
    raster = Raster(optics)
    rows = fill(raster, matrix, bpy.context.evaluated_depsgraph_get())
    return raster, matrix, rows


def is_fish(row):
    return lambda obj: obj.get(FISH_ID) == row


def test_a_fish_alone_is_where_cycles_sees_it_alone(opened, tmp_path):
    """Whole masks of each fish against a second render of that fish alone; edges may fall either way by rounding."""
    raster, matrix, rows = filled(opened)
    covered = raster.covered()
    assert len(rows) >= 6
    parts = {row: [] for row in rows.tolist()}
    for instance in bpy.context.evaluated_depsgraph_get().object_instances:
        row = instance.object.get(FISH_ID)
        if instance.object.type == "MESH" and row in parts:
            vertices, sides = triangles(instance.object.data)
            whole = matrix @ np.array(instance.matrix_world)
            parts[row].append((vertices @ whole[:, :3].T + whole[:, 3], sides))
    wrong = all_of_them = 0
    for place, row in enumerate(rows.tolist()):
        alone = Raster(raster.optics)
        for vertices, sides in parts[row]:
            alone.add(vertices, sides, 1)
        truth = opened.alone(raster.optics, matrix, is_fish(row), tmp_path / "alone.png")
        mine = alone.marks == 1
        assert covered.inside[place] == mine.sum()
        wrong, all_of_them = wrong + (mine != truth).sum(), all_of_them + truth.sum()
    assert all_of_them > 300 and wrong <= 0.01 * all_of_them


def test_what_is_seen_of_a_fish_is_what_cycles_sees_of_it(opened, tmp_path):
    """Masks among all others: the fish alone, less all that lies before it by Cycles' own depths."""
    raster, matrix, rows = filled(opened)
    everything = opened.alone(raster.optics, matrix, is_solid, tmp_path / "all.png")
    assert ((raster.marks != 0) != everything).mean() < 0.003
    seen = {int(mark) for mark in np.unique(raster.marks)}
    assert SCENERY in seen and len(seen & {row + 1 for row in rows}) >= 6


def test_depths_are_those_of_rays(opened):
    """Depths against rays that Blender casts, within a hundredth; rays at edges may meet something else."""
    raster, matrix, _ = filled(opened)
    assert wrong_depths(opened.scene, raster, matrix, 400, 5) <= 0.02


def test_keypoints_are_on_the_evaluated_mesh(opened):
    raster, matrix, rows = filled(opened)
    facts = FilmFacts(opened.recording)
    labels = labelled(facts, FRAME - 1, raster, matrix, rows, {})
    meshes = {}
    for instance in bpy.context.evaluated_depsgraph_get().object_instances:
        row = instance.object.get(FISH_ID)
        if instance.object.type == "MESH" and row is not None:
            points, sides = triangles(instance.object.data)
            whole = matrix @ np.array(instance.matrix_world)
            local = points @ whole[:, :3].T + whole[:, 3]
            corners = raster.optics.pixels(local)
            # Middles of edges and faces stand for the surface between vertices.
            meshes.setdefault(row, []).append(np.concatenate([corners, corners[sides].mean(axis=1)]))
    checked = 0
    for fish in labels["fishes"]:
        surface = np.concatenate(meshes[fish["fish"]])
        for x, y, sees, *_ in fish["keypoints"]:
            if sees:
                assert np.linalg.norm(surface - [x, y], axis=1).min() < 1.0
                checked += 1
    assert checked > 100


def test_shares_of_what_is_hidden_are_counted_pixels(opened):
    raster, matrix, rows = filled(opened)
    labels = labelled(FilmFacts(opened.recording), FRAME - 1, raster, matrix, rows, {})
    for fish in labels["fishes"]:
        whole = fish["whole"]["pixels"]
        seen = 0 if fish["seen"] is None else fish["seen"]["pixels"]
        assert seen == (raster.marks == fish["track"]).sum()
        assert round(fish["hidden"] * whole) + seen + round(fish["cut_off"] * whole) == pytest.approx(whole, abs=1)


def test_every_fish_of_a_crowd_is_one_of_its_own(tmp_path):
    data = {**LABELLED, "fishes": [{"species": "sardine", "count": 60, "at": [1.5, 1.6, 0.8], "spread": 0.7}]}
    recording = World(Scene.from_dict(data, "crowd.json"), seed=2).simulate(8)
    bake(recording, tmp_path / "crowd.blend", "crowd")
    opened = Opened(tmp_path / "crowd.blend", recording)
    raster, matrix, rows = filled(opened)
    middles = recording.nodes[FRAME - 1].mean(axis=1, dtype=float)
    pixels = raster.optics.pixels(middles @ matrix[:, :3].T + matrix[:, 3])
    inside = ((pixels > 2) & (pixels < np.array(SIZE) - 2)).all(axis=1)
    assert set(np.flatnonzero(inside)) <= set(rows.tolist())
    covered = raster.covered()
    for place, row in enumerate(rows):
        box = covered.boxes[place]
        if inside[row]:
            assert (box[:2] - 2 < pixels[row]).all() and (pixels[row] < box[2:] + 2).all()
    labels = labelled(FilmFacts(recording), FRAME - 1, raster, matrix, rows, {})
    assert sum(fish["seen"] is not None for fish in labels["fishes"]) > 40


def test_an_adopted_fish_is_labelled_too(adopted, tmp_path):
    data = {**LABELLED, "fishes": [{"species": "salmon", "count": 2, "at": [1.5, 1.6, 0.8], "spread": 0.3}]}
    (tmp_path / "own.json").write_text(json.dumps(data))
    for file in ("salmon.json", "salmon.blend"):
        shutil.copy(adopted / file, tmp_path)
    scene = Scene.load(tmp_path / "own.json")
    recording = World(scene, seed=2).simulate(6)
    assert form_of(recording) == "mesh"
    bake(recording, tmp_path / "own.blend", "mesh", folders=[tmp_path])
    opened = Opened(tmp_path / "own.blend", recording)
    raster, matrix, rows = filled(opened)
    assert rows.tolist() == [0, 1]
    facts = FilmFacts(recording, worn(recording, [str(tmp_path)]))
    labels = labelled(facts, FRAME - 1, raster, matrix, rows, {})
    for fish in labels["fishes"]:
        assert fish["seen"]["pixels"] > 50
        nose, fork = fish["keypoints"][0], fish["keypoints"][11]
        assert nose[2] and np.linalg.norm(np.subtract(nose[3:], fork[3:] if fork[3] is not None else nose[3:])) < 2.0
