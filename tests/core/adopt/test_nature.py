"""A species of a model is whole, swims as the preset does that is built most like it, and keeps its own form."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Scene, SceneError, Species, World
from artfish.core.adopt import nature
from artfish.core.adopt.measure import measure
from artfish.core.adopt.nature import likely_metres, nearest, species
from artfish.core.adopt.pose import ModelPose, guess, standing
from artfish.core.adopt.swim import repeats, swims
from artfish.tests.core.adopt.models import own, quads, ray, spindle


@pytest.mark.sampled
@pytest.mark.parametrize("name", [name for name in Species.names() if name not in ("thesis", "parrotfish")])
def test_a_species_own_mesh_is_nearest_to_it(name):
    near = standing(own(name), ModelPose("+X", "+Z", 1.0))
    assert nearest(measure(near)).form == Species.load(name).form  # which some have in common


@pytest.mark.film
def test_an_adopted_sardine_is_a_sardine_again(tmp_path):
    model, usual = own("sardine"), Species.load("sardine")
    made = species(model, "mine", guess(model), usual.length)
    made.save(tmp_path / "mine.json")
    assert Species.load(tmp_path / "mine.json") == made
    assert made.model == "mine" and made.length == usual.length
    assert np.abs(np.array(made.body.half_heights) - usual.body.half_heights).max() < 0.005
    for key in ("pectoral_station", "pectoral_height", "pectoral_length", "eye_station", "eye_height", "eye_radius"):
        assert getattr(made.form, key) == pytest.approx(getattr(usual.form, key), abs=0.03), key
    tall = [max(row[1] for row in of.form.dorsal) for of in (made, usual)]
    assert tall[0] == pytest.approx(tall[1], abs=0.015)


@pytest.fixture(scope="module")
def adopted() -> tuple[Species, list[str]]:
    """A spindle as a species, and what was said of it."""
    notes: list[str] = []
    return species(spindle(40, 20), "mine", ModelPose("+X", "+Z", 1.0), 0.3, notes), notes


@pytest.mark.film
def test_an_adopted_fish_lives_in_a_scene(adopted):
    made, notes = adopted
    assert any(line.startswith("it swims like the ") for line in notes)
    tank = {"size": [6, 6, 3]}
    scene = Scene.from_dict(
        {"tank": tank, "fishes": [{"species": "mine", "at": [3, 3, 1.5], "count": 3}]}, species=["mine"]
    )
    film = World(scene, seed=1, species={"mine": made}).simulate(72)
    assert np.isfinite(film.nodes).all() and film.alive.all()
    way = np.linalg.norm(np.diff(film.nodes.mean(axis=2), axis=0), axis=-1).sum(axis=0)
    assert (way > 0.3).all()


@pytest.mark.film
def test_bigger_fish_of_a_build_beat_more_slowly(adopted):
    small = species(spindle(40, 20), "mine", ModelPose("+X", "+Z", 1.0), 0.1)
    assert adopted[0].rhythm.tail_beat < small.rhythm.tail_beat


@pytest.mark.film
def test_a_ray_flies_by_its_wings():
    """Both go up and down as one, more than half their length in all, and it keeps on going."""
    made = species(ray(), "mine", ModelPose("+X", "+Z", 1.0), 0.5)
    group = {"species": "mine", "at": [3, 3, 1.5], "heading": [1, 0, 0]}
    scene = Scene.from_dict({"tank": {"size": [6, 6, 3]}, "fishes": [group]}, species=["mine"])
    film = World(scene, seed=1, species={"mine": made}).simulate(96)
    left, right = film.fins[24:, 0, :, 1].T
    assert np.array_equal(left, right) and np.ptp(left) > 0.6
    way = np.linalg.norm(np.diff(film.nodes[24:, 0].mean(axis=1), axis=0), axis=-1).sum()
    assert way > 3.0 * 0.5 * made.length  # metres in three seconds


STILL_HEADED = {
    "contraction": 0.45,
    "anterior": 0.538,
    "posterior": 0.819,
    "slow_amplitude": 1.0,
    "lag": 1.602,
    "shoulder": 0.543,
    "shoulder_lead": 1.039,
    "peduncle": 0.728,
    "peduncle_lag": 1.135,
}
"""A rhythm that holds a shark's head still, and by which a ray that has it rolls."""


@pytest.mark.film
def test_one_that_swims_but_rolls_at_slow_paces_is_found_out(monkeypatch):
    monkeypatch.setattr(nature, "OWN_SHARES", ((1.0, 1.0),))
    made = species(ray(), "mine", ModelPose("+X", "+Z", 1.0), 0.3)
    rolls = replace(made, rhythm=replace(made.rhythm, **STILL_HEADED))
    assert swims(rolls, Species.load("reef_shark")) and not repeats(rolls)


@pytest.mark.parametrize(
    ("swam", "repeated", "said"),
    [
        ([False, True], [True], "it swims badly: 25%"),
        ([True, True], [False, True], "one beat is unlike the next, and loops need beats that repeat: 25%"),
    ],
)
def test_what_does_not_repeat_is_not_said_to_swim_badly(monkeypatch, swam, repeated, said):
    """The findings are those of the body as it was measured, then of one that is a quarter of its kin's."""
    monkeypatch.setattr(nature, "swims", lambda made, kin: swam.pop(0))
    monkeypatch.setattr(nature, "repeats", lambda made: repeated.pop(0))
    notes: list[str] = []
    species(spindle(12, 8), "mine", ModelPose("+X", "+Z", 1.0), 0.3, notes)
    (line,) = [line for line in notes if line.startswith("built as it is ")]
    assert said in line and ("badly" in line) == ("badly" in said)


@pytest.mark.parametrize(("length", "metres", "said"), [(0.3, 0.3, 0), (18.0, 0.18, 1), (900.0, 9.0, 1), (1e9, 0.3, 1)])
def test_the_unit_of_a_model_is_guessed_and_said(length, metres, said):
    notes = []
    assert likely_metres(length, notes) == pytest.approx(metres) and len(notes) == said


def test_a_sheet_is_no_fish():
    grid = np.stack(np.meshgrid(np.linspace(0, -1, 9), [0.0], np.linspace(0, 0.3, 5), indexing="ij"), axis=-1)
    at, row = np.meshgrid(np.arange(8), np.arange(4), indexing="ij")
    faces = np.stack([at * 5 + row, at * 5 + row + 1, (at + 1) * 5 + row + 1, (at + 1) * 5 + row], axis=-1)
    with pytest.raises(SceneError, match="model: found "):
        species(quads(grid.reshape(-1, 3), faces.reshape(-1, 4)), "mine", ModelPose("+X", "+Z", 1.0))
