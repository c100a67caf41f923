"""The preset scenes: every one runs, and does on its own what its section of the book tells (Tu 1999, §10.2-10.5)."""

from __future__ import annotations

import re

import numpy as np
import pytest

from artfish.core import Recording, Scene, Species, World
from artfish.core.geometry.bed import Bed
from artfish.studies import presets
from artfish.studies.presets import TOUCH, depth_of
from artfish.tests.core.kinds import each_scene


@pytest.mark.film
@pytest.mark.parametrize("name", each_scene())
def test_every_scene_runs_and_everybody_is_in_its_water(name):
    scene = Scene.load(name)
    recording = World(scene, seed=0).simulate(16)
    assert recording.nodes.shape[:2] == (16, scene.count)
    for array in (recording.nodes, recording.plankton, recording.seaweed, recording.bubbles, recording.hook):
        assert np.isfinite(array).all()
    assert depth_of(recording).max() < TOUCH
    moved = (recording.nodes[-1] != recording.nodes[0]).any(axis=(1, 2))
    assert (moved | ~recording.alive[-1]).all()  # nobody is a picture


LONGEST = {
    "blue_tang": 0.31,
    "butterflyfish": 0.23,
    "cardinalfish": 0.15,
    "clownfish": 0.11,
    "emperor_angelfish": 0.4,
    "grouper": 1.5,
    "moray": 3.0,
    "parrotfish": 0.34,
    "peacock_grouper": 0.6,
    "reef_shark": 2.0,
    "sardine": 0.28,
    "sardinella": 0.23,
    "striped_cardinalfish": 0.08,
    "tuna": 2.39,
}
"""Metres to which each species grows (FishBase)."""
ATLANTIC, REEF = {"sardine", "cardinalfish", "grouper"}, {"emperor_angelfish", "parrotfish"}


@pytest.mark.parametrize("name", each_scene())
def test_nobody_is_longer_than_its_kind_grows_and_no_reef_has_fishes_of_two_oceans(name):
    scene = Scene.load(name)
    for group in scene.fishes:
        assert group.size * Species.load(group.species).length <= LONGEST[group.species] + 1e-9, group.species
    here = {group.species for group in scene.fishes}
    assert not (here & ATLANTIC and here & REEF)


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize("name", each_scene())
def test_seaweed_grows_on_the_bed_and_bubbles_rise_from_it(name):
    scene = Scene.load(name)
    bed = Bed.from_scene(scene)
    roots = World(scene, seed=0).simulate(1).seaweed[0, :, 0]
    under = np.zeros(len(roots)) if bed is None else bed.height(*roots[:, :2].T)
    assert ((roots[:, 2] >= under - 1e-4) & (roots[:, 2] < under + 0.05)).all()
    assert len(np.unique(roots.round(4), axis=0)) == len(roots)
    for vent in scene.bubbles:
        assert 0 <= vent.at[2] - (0.0 if bed is None else bed.height(*vent.at[:2])) < 0.1


@pytest.fixture(scope="module")
def reef() -> Recording:
    return presets.lived("reef", 0)


@pytest.mark.film
def test_reef_is_alive_and_nobody_is_lost(reef, monkeypatch):
    monkeypatch.setattr(presets, "lived", lambda name, seed: reef)
    assert presets.reef(0) == dict.fromkeys(presets.reef(0), True)


@pytest.mark.film
def test_the_log_has_a_line_an_event_in_the_order_of_time(reef):
    log = reef.log()
    assert len(log) == len(reef.events) > 0
    line = re.compile(r" *(\d+\.\d\d) s  [a-z_]+ \d+ (courts|ate|bit|spawned|took) .+")
    times = [float(found[1]) for found in map(line.fullmatch, log) if found]
    assert len(times) == len(log) and times == sorted(times)
    assert times[-1] <= reef.duration


@pytest.mark.long
@pytest.mark.film
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.large) for seed in range(1, 6))])
def test_directed_courts_as_the_school_passes_and_then_the_grouper_comes(seed):
    found = presets.directed(seed)
    assert found == dict.fromkeys(found, True)
