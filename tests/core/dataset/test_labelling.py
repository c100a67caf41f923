"""Labels of a picture: shares, masks, keypoints and depths say what was filled in."""

import json

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.dataset.cameras import upright
from artfish.core.dataset.facts import FilmFacts
from artfish.core.dataset.labelling import depth_values, depths_of, labelled, mask_values
from artfish.core.dataset.lenses import LensOptics
from artfish.core.dataset.raster import SCENERY, Raster
from artfish.core.dataset.rle import decoded
from artfish.core.form.look import Look
from artfish.core.form.polygons import polygons_of
from artfish.core.recording import LOOK_ARRAYS

FRAME = 6


@pytest.fixture(scope="module")
def picture():
    """A camera 1.2 m before a butterflyfish, with a board over the picture's left quarter half a metre away."""
    facts = FilmFacts(World(Scene.load("reef"), seed=3).simulate(12))
    of = facts.recording
    target = facts.origin[FRAME, 0]
    axes = upright(np.array([[0.0, 1.0, 0.0]]))[0]
    at = target - 1.2 * axes[2]
    matrix = np.concatenate([axes, -(axes @ at)[:, None]], axis=1)
    raster = Raster(LensOptics.of((320, 180), 28.0))
    rows = []
    for row in range(len(of.species)):
        shape = polygons_of(of.species_models[of.species[row]])
        look = Look(*(getattr(of, array)[FRAME, row : row + 1].astype(float) for array in LOOK_ARRAYS))
        points = shape.placed(
            of.nodes[FRAME, row : row + 1].astype(float),
            of.fins[FRAME, row : row + 1].astype(float),
            of.body_length[row : row + 1],
            of.mouth[FRAME, row : row + 1].astype(float),
            look,
        )[0].astype(float)
        faces = np.asarray(shape.faces)
        sides = np.concatenate([faces[:, :3], faces[:, [0, 2, 3]]]) if faces.shape[1] == 4 else faces
        local = points @ matrix[:, :3].T + matrix[:, 3]
        if raster.optics.may_see(local):
            raster.add(local, sides, row + 1)
            rows.append(row)
    board = np.array([[-0.33, -0.3, 0.5], [-0.16, -0.3, 0.5], [-0.16, 0.3, 0.5], [-0.33, 0.3, 0.5]])
    raster.add(board, np.array([[0, 1, 2], [0, 2, 3]]), SCENERY)
    return facts, raster, matrix, labelled(facts, FRAME, raster, matrix, np.array(rows), {"picture": "a.png"})


def test_labels_are_plain_and_say_what_they_are_of(picture):
    labels = picture[3]
    assert json.loads(json.dumps(labels)) == labels
    assert labels["format"] == 1 and labels["picture"] == "a.png" and labels["fishes"]


def test_masks_agree_with_counts_and_boxes(picture):
    _, raster, _, labels = picture
    for fish in labels["fishes"]:
        seen = fish["seen"]
        if seen is None:
            assert not (raster.marks == fish["track"]).any()
            continue
        mask = decoded(seen["rle"]["counts"], seen["rle"]["size"])
        assert (mask == (raster.marks == fish["track"])).all() and mask.sum() == seen["pixels"]
        rows, columns = np.nonzero(mask)
        left, top, width, height = seen["box"]
        assert (columns.min(), rows.min()) == (left, top)
        assert (columns.max() + 1, rows.max() + 1) == (left + width, top + height)
        assert fish["tiny"] == (seen["pixels"] < 4)
    assert (mask_values(raster) == np.maximum(raster.marks, 0)).all()


def test_shares_are_those_of_the_whole_fish(picture):
    labels = picture[3]
    for fish in labels["fishes"]:
        share = 0.0 if fish["seen"] is None else fish["seen"]["share"]
        assert share + fish["cut_off"] + fish["hidden"] == pytest.approx(1.0, abs=2e-4)
        assert sum(one["share"] for one in fish["hidden_by"]) == pytest.approx(fish["hidden"], abs=2e-4)
    hidden = {one["fish"] for fish in labels["fishes"] for one in fish["hidden_by"]}
    assert SCENERY in hidden
    target = labels["fishes"][[fish["fish"] for fish in labels["fishes"]].index(0)]
    assert target["seen"] is not None and target["seen"]["pixels"] > 150


def test_keypoints_lie_in_their_fish_or_at_its_edge(picture):
    facts, raster, matrix, labels = picture
    for fish in labels["fishes"]:
        for x, y, sees, *place in fish["keypoints"]:
            if sees == 0:
                assert x == y == 0.0
                continue
            local = matrix @ [*place, 1.0]
            assert np.allclose(raster.optics.pixels(local), [x, y], atol=0.2)
            if sees == 2:
                low = np.floor([y, x]).astype(int) - 1
                window = raster.marks[max(low[0], 0) : low[0] + 3, max(low[1], 0) : low[1] + 3]
                assert (window == fish["track"]).any()
    target = next(fish for fish in labels["fishes"] if fish["fish"] == 0)
    sides = {target["keypoints"][1][2], target["keypoints"][2][2]}
    assert sides == {1, 2}  # of its eyes one is on the far side
    assert facts.recording.species[0] == target["species"]


def test_depths_are_within_half_a_percent():
    depths = np.geomspace(0.05, 200.0, 5000)[None].astype(np.float32)
    back = depths_of(depth_values(depths))
    assert np.abs(back / depths - 1.0).max() < 0.0021
    assert depth_values(np.array([[np.inf, 0.05]])).tolist() == [[0, 1]] and np.isinf(depths_of(np.zeros((1, 1))))
