"""A recording in which fishes grow, at full length, and by how much each is scaled at a frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.body.anatomy import body_frame
from artfish.core.studio.growing import born_only, grown_up, shown_growth


@pytest.fixture(scope="module")
def recording():
    return World(Scene.from_dict({"fishes": [{"species": "sardine", "count": 2, "at": [2, 2, 1]}]})).simulate(9)


def shrunk(recording, growth):
    """The same with the first fish as long as that at each frame, about the origin of its own frame."""
    growths, nodes = np.array(recording.growth), recording.nodes.astype(float)
    growths[:, 0] = growth
    origin = body_frame(nodes)[0][:, 0, None]
    nodes[:, 0] = origin + growths[:, 0, None, None] * (nodes[:, 0] - origin)
    return replace(recording, nodes=nodes.astype(np.float32), growth=growths)


def test_nobody_changes_where_nobody_grows(recording):
    assert (recording.growth == 1.0).all() and grown_up(recording) is recording
    assert (shown_growth(recording, 1) == 1.0).all()


def test_bodies_are_at_full_length_where_they_were(recording):
    young = shrunk(recording, np.linspace(0.3, 0.4, 9))
    grown = grown_up(young)
    assert np.abs(grown.nodes - recording.nodes).max() < 1e-5  # metres, in single precision at some metres' distance
    assert np.abs(young.nodes[:, 0] - recording.nodes[:, 0]).max() > 0.01


def test_growth_is_even_between_steps(recording):
    young = shrunk(recording, [0.3, 0.3, 0.3, 0.36, 0.36, 0.36, 0.4, 0.4, 0.4])
    shown = shown_growth(young, 0)
    assert shown == pytest.approx([0.3, 0.32, 0.34, 0.36, 0.36 + 0.04 / 3, 0.36 + 0.08 / 3, 0.4, 0.4, 0.4])
    assert shown_growth(young, 0, np.array([0.5, 3.0])) == pytest.approx([0.31, 0.36])


def test_it_is_of_its_birth_before_and_of_its_death_after(recording):
    young = shrunk(recording, [1.0, 1.0, 0.3, 0.3, 0.36, 0.36, 0.36, 1.0, 1.0])
    alive = np.array(young.alive)
    alive[:2, 0] = alive[6:, 0] = False
    shown = shown_growth(replace(young, alive=alive), 0)
    assert shown[:3] == pytest.approx(0.3) and shown[5:] == pytest.approx(0.36)


def test_those_that_were_never_born_are_left_out():
    breeding = {"born": 5}
    world = World(
        Scene.from_dict({"fishes": [{"species": "sardine", "count": 2, "at": [2, 2, 1]}], "breeding": breeding})
    )
    arrays = {name: of[None] for name, of in world.record().items()}
    whole = world.recorded(arrays)
    assert len(whole.species) == 7 and len(whole.scene.fishes) == 6
    left = born_only(whole)
    assert len(left.species) == 2 and left.scene.count == 2 and left.nodes.shape[1] == 2
    assert born_only(left) is left
