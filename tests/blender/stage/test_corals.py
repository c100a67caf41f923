"""A reef has its forms of growth, and each has a mesh and a material."""

import numpy as np

from artfish.blender_artfish.stage.corals import GROWTHS, ROCKS, SAND, SIDE, TOP, colonies


def test_at_least_eight_kinds_grow_on_a_reef_and_some_on_every_ground():
    usual = [kind for kind in GROWTHS.values() if kind.often]
    assert len(usual) >= 8 and len({kind.shape for kind in usual}) >= 8
    for ground in (SAND, TOP, SIDE):
        assert sum(ground in kind.grounds for kind in usual) >= 4


def test_a_colony_knows_the_box_around_it():
    names = ("Staghorn coral", "Boulder")
    made = dict(colonies(np.random.default_rng(0), names))
    assert [len(made[name]) for name in names] == [GROWTHS[names[0]].variants, 2] and names[1] in ROCKS
    for colony in made["Staghorn coral"]:
        places = np.array([vertex.co for vertex in colony.data.vertices])
        assert np.allclose(places.min(axis=0), colony.low, atol=1e-5) and np.allclose(
            places.max(axis=0), colony.high, atol=1e-5
        )
        assert colony.data.materials[0].name.startswith("Staghorn coral")
