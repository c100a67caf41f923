"""Puppets are where they were, in every frame and before the film begins, and nothing happens to them."""

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.world.puppets import PuppetFishes, PuppetTracks

PAIR = {
    "tank": {"size": [4, 3, 2]},
    "fishes": [
        {"species": "clownfish", "at": [1.5, 1.5, 1], "heading": [1, 0, 0]},
        {"species": "clownfish", "at": [2.5, 1.5, 1], "heading": [-1, 0, 0]},
    ],
}
FRAMES = 30


def tracks_of(recording, played, alive=None):
    names = ("nodes", "mouth", "intention", "cause", "plankton", "plankton_alive")
    arrays = {name: getattr(recording, name) for name in names}
    return PuppetTracks(
        played=np.array(played), alive=recording.alive if alive is None else alive, fps=recording.fps, **arrays
    )


@pytest.fixture(scope="module")
def recording():
    return World(Scene.from_dict(PAIR), seed=1).simulate(FRAMES)


def test_a_puppet_is_where_it_was_and_the_other_keeps_off(recording):
    """A fish lives in the way of one that swims on whatever comes."""
    world = World(Scene.from_dict(PAIR), seed=8)
    world.puppetry = PuppetFishes(tracks_of(recording, [True, False]), world.parts)
    again = world.simulate(FRAMES)
    np.testing.assert_allclose(again.nodes[:, 0], recording.nodes[:, 0], atol=1e-6)
    assert not np.allclose(again.nodes[-1, 1], recording.nodes[-1, 1], atol=1e-3)
    gap = np.linalg.norm(again.nodes[:, 0].mean(axis=1) - again.nodes[:, 1].mean(axis=1), axis=1)
    assert gap.min() > 0.3 * recording.body_length.min()


def test_before_the_film_it_waits_at_its_first_place(recording):
    world = World(Scene.from_dict({**PAIR, "preroll": 0.5}), seed=1)
    world.puppetry = PuppetFishes(tracks_of(recording, [True, False]), world.parts)
    assert world.frame < 0
    while world.frame < 0:
        np.testing.assert_allclose(world.nodes[0], recording.nodes[0, 0], atol=1e-6)
        world.step()
    np.testing.assert_allclose(world.nodes[0], recording.nodes[0, 0], atol=1e-6)


def test_it_is_there_when_it_was(recording):
    alive = recording.alive.copy()
    alive[:5, 0] = alive[20:, 0] = False
    world = World(Scene.from_dict(PAIR), seed=1)
    world.puppetry = PuppetFishes(tracks_of(recording, [True, False], alive), world.parts)
    again = world.simulate(FRAMES)
    assert np.array_equal(again.alive[:, 0], alive[:, 0]) and again.alive[:, 1].all()


def test_a_world_without_puppets_spares_nobody():
    world = World(Scene.from_dict(PAIR), seed=1)
    assert not world.puppetry.spared(np.array([0, 1])).any()
