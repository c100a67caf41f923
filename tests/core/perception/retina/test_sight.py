"""Sight: fishes that perceive through their images only see what is there, and nothing that is not in sight."""

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.base.codec import SceneError
from artfish.core.perception.swimmers import NO_FISH
from artfish.core.world import stages
from artfish.core.world.persistence import states_of

SCENE = {
    "name": "seeing",
    "tank": {"size": [6, 6, 3]},
    "plankton": {"count": 30, "at": [1.3, 3.0, 1.5], "spread": 0.15},
    "fishes": [
        {"species": "clownfish", "count": 1, "at": [1, 3, 1.5], "heading": [1, 0, 0], "vision": "retina"},
        {"species": "emperor_angelfish", "count": 1, "at": [2.0, 3.5, 1.5], "heading": [0, 1, 0]},
        {"species": "grouper", "count": 1, "at": [5.0, 3.0, 1.5], "heading": [0, 1, 0]},
    ],
    "obstacles": [{"kind": "cylinder", "at": [3.0, 3.0, 0.0], "radius": 0.4, "height": 3.0}],
}


def made(vision: str = "retina", **changes) -> World:
    fishes = [{**SCENE["fishes"][0], "vision": vision}, *SCENE["fishes"][1:]]
    return World(Scene.from_dict({**SCENE, "fishes": fishes, **changes}), seed=1)


@pytest.fixture(scope="module")
def looked():
    world = made()
    swimmers = stages.perceive(world.parts)
    stages.see(world.parts, swimmers)
    return world, world.parts.minds.retinas, swimmers


def test_who_is_in_sight_is_known_with_place_and_range(looked):
    world, retinas, swimmers = looked
    assert retinas.fishes.tolist() == [0]
    assert retinas.fish[0].tolist() == [1, NO_FISH, NO_FISH], "not itself, nor who is behind the pillar"
    away = np.linalg.norm(swimmers.middle[1] - swimmers.nose[0])
    assert retinas.fish_range[0, 0] == pytest.approx(away, abs=0.3 * world.shoal.length[1])
    off = np.linalg.norm(retinas.fish_place[0, 0] - swimmers.middle[1])
    assert off < 0.5 * world.shoal.length[1], "the middle of what is seen of it"


def test_the_pillar_is_where_it_stands_and_near_food_is_seen(looked):
    _, retinas, swimmers = looked
    assert retinas.solid_range[0, 0] == pytest.approx(2.0 - 0.4 - (swimmers.nose[0, 0] - 1.0), abs=0.02)
    assert np.hypot(*(retinas.solid_place[0, 0, :2] - 3.0)) == pytest.approx(0.4, abs=0.02)
    seen = retinas.morsel[0][retinas.morsel[0] >= 0]
    assert len(seen) > 5
    assert len(set(seen.tolist())) == len(seen)


def test_its_antenna_feels_what_it_sees_as_others_feel_what_stands(looked):
    world, _, swimmers = looked
    seeing, feeling = world.parts.minds.decision.antenna, made("rays").parts.minds.decision.antenna
    n = len(world.shoal)
    angles = np.linspace(-1.5, 1.5, 31)
    ways = np.tile(np.stack([np.cos(angles), np.sin(angles), 0.0 * angles], axis=1), (n, 1, 1))
    given = swimmers.place, swimmers.place[:, None], ways, world.shoal.length
    one, other = (antenna.of(np.arange(n)).free_path(*given) for antenna in (seeing, feeling))
    assert np.array_equal(one[1:], other[1:]), "others feel what stands"
    alike = np.abs(one[0] - other[0]) < 0.1 * other[0] + 0.05
    assert alike.mean() > 0.8, "all but ways that graze"
    straight = np.abs(angles) < 0.15
    assert (one[0] < other[0] + 0.3)[straight].all(), "what stands ahead is not missed"
    assert (one[0] < other[0] + 0.3).mean() > 0.9, "all but ways that graze"


def test_it_keeps_clear_of_a_wall_that_it_sees():
    near = {**SCENE["fishes"][0], "at": [5.94, 3.0, 1.5], "vision": "retina"}
    world = made(fishes=[near, *SCENE["fishes"][1:]])
    swimmers = stages.perceive(world.parts)
    stages.see(world.parts, swimmers)
    antenna = world.parts.minds.decision.antenna
    pushes = antenna.of(np.array([0])).keep_clear(swimmers.place[:1], world.shoal.length[:1], 2.0)
    assert pushes[0, 0, 0] < 0.0
    assert not pushes[0, 1:].any()
    assert antenna.of(np.arange(3)).walled(swimmers.place, swimmers.ahead, world.shoal.length)[0]


def test_fishes_that_see_by_rays_have_the_same_bits_beside_others_that_have_no_say():
    far = {**SCENE["fishes"][0], "enters": 30.0}
    one, other = (made(fishes=[{**far, "vision": how}, *SCENE["fishes"][1:]]) for how in ("rays", "retina"))
    assert other.parts.minds.retinas is not None
    assert one.parts.minds.retinas is None
    for world in (one, other):
        world.simulate(10)
    assert np.array_equal(one.nodes[1:], other.nodes[1:])


@pytest.mark.film
def test_saved_and_rewound_worlds_go_on_to_the_bit(tmp_path):
    world = made()
    world.simulate(7)
    moment, file = world.moment(), tmp_path / "world.npz"
    world.save(file)
    world.simulate(9)
    nodes = world.nodes
    loaded = World.load(file)
    loaded.simulate(9)
    assert np.array_equal(loaded.nodes, nodes)
    world.go_back(moment)
    world.simulate(9)
    assert np.array_equal(world.nodes, nodes)


@pytest.mark.film
def test_compiled_and_plain_sight_have_the_same_bits(plain):
    there = made()
    there.step()
    with plain("retina", "objects", "cells", "seen_path", "seen_nearest"):
        other = made()
        other.step()
    for of, state in states_of(other.parts).items():
        for name, array in state.items():
            assert np.array_equal(array, states_of(there.parts)[of][name], equal_nan=array.dtype.kind == "f"), of + name


def test_food_that_slips_out_of_sight_is_gone_for_a_while():
    world = made()
    stages.see(world.parts, stages.perceive(world.parts))
    retinas = world.parts.minds.retinas
    seen = retinas.morsel[0][retinas.morsel[0] >= 0]
    world.parts.water.plankton.alive[seen] = False
    for look in range(20):
        world.parts.frame += 3
        stages.see(world.parts, stages.perceive(world.parts))
        if look < 8:
            assert set(seen.tolist()) <= set(retinas.morsel[0].tolist())
    assert not set(seen.tolist()) & set(retinas.morsel[0].tolist())


def test_a_species_may_see_so_and_a_group_otherwise():
    with pytest.raises(SceneError, match="found 'eyes', allowed one of rays, retina"):
        made("eyes")
    assert made("rays").parts.minds.retinas is None
