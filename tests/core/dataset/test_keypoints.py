"""Keypoints: points of the fish's own surface, where they are named, in every pose."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

from artfish.core import Scene, Species, World
from artfish.core.dataset.keypoints import KEYPOINTS, NAMES, SKELETON, KeypointNet
from artfish.core.form.look import Look
from artfish.core.form.mesh import ControlNet, FishMesh
from artfish.core.recording import LOOK_ARRAYS


@pytest.fixture(scope="module")
def recording():
    return World(Scene.load("reef"), seed=5).simulate(12)


def posed(recording, name, frame=11):
    rows = np.flatnonzero([one == name for one in recording.species])
    look = Look(*(getattr(recording, array)[frame, rows].astype(float) for array in LOOK_ARRAYS))
    return (
        recording.nodes[frame, rows].astype(float),
        recording.fins[frame, rows].astype(float),
        recording.body_length[rows],
        recording.mouth[frame, rows].astype(float),
        look,
    )


@pytest.mark.parametrize("name", ["butterflyfish", "parrotfish", "reef_shark"])
def test_keypoints_lie_on_the_mesh(recording, name):
    species = recording.species_models[name]
    nodes, fins, length, mouth, look = posed(recording, name)
    places = KeypointNet(species).places(nodes, fins, length, mouth, look)
    net = ControlNet(species)
    seen = Look(*(np.asarray(of)[None] for of in vars(look).values()))
    points, origin, turn = net.poses(nodes[None], fins[None], length, mouth[None], seen)
    vertices = FishMesh(net, 0).vertices(points[0])
    for row in range(len(nodes)):
        world = origin[0, row] + vertices[row] @ turn[0, row].T * length[row]
        there = ~np.isnan(places[row, :, 0])
        away = cKDTree(world).query(places[row, there])[0]
        # The finest mesh has a vertex every 1/60 of the length; relief stands out by up to a hundredth.
        assert away.max() < 0.02 * length[row]


def test_they_are_where_they_are_named():
    species = Species.load("sardine")
    net = KeypointNet(species)
    at = dict(zip(NAMES, net.matrix @ ControlNet(species).rest, strict=True))
    assert at["nose"][0] == max(place[0] for place in at.values())
    assert at["eye_left"][1] > 0 > at["eye_right"][1] and at["gill_left"][1] > 0 > at["gill_right"][1]
    assert at["caudal_upper"][2] > at["fork"][2] > at["caudal_lower"][2]
    assert at["fork"][0] > at["caudal_upper"][0]  # a forked tail
    assert at["dorsal_first"][0] > at["dorsal_last"][0] and at["ventral_first"][2] < 0 < at["dorsal_first"][2]
    back = [at[f"back_{number}"][0] for number in range(1, 8)]
    assert back == sorted(back, reverse=True)


@pytest.mark.parametrize("name", Species.names())
def test_every_species_has_its_points(name):
    net = KeypointNet(Species.load(name))
    assert net.matrix.shape == (len(KEYPOINTS), ControlNet(Species.load(name)).count)
    assert net.there[[NAMES.index(point) for point in ("nose", "eye_left", "gill_left", "fork", "back_4")]].all()
    assert np.allclose(net.matrix[net.there].sum(axis=1), 1.0)


def test_a_species_without_a_fin_has_no_point_of_it():
    species = Species.load("sardine")
    data = species.to_dict()
    data["form"]["dorsal"] = [[place, 0.0, 0.0] for place, *_ in data["form"]["dorsal"]]
    net = KeypointNet(Species.from_dict(data, "bare.json"))
    assert not net.there[NAMES.index("dorsal_first")] and net.there[NAMES.index("nose")]


def test_a_model_lends_its_nearest_vertices():
    species = Species.load("sardine")
    mesh = FishMesh(ControlNet(species), 0)
    own, worn = KeypointNet(species), KeypointNet(species, mesh)
    rest = ControlNet(species).rest
    assert worn.there.all()
    assert np.linalg.norm(own.matrix @ rest - worn.matrix @ rest, axis=1).max() < 0.02
    without = FishMesh(ControlNet(species), 0)
    without.groups["pectoral_left"] = without.groups["pectoral_left"][:0]
    lost = KeypointNet(species, without).there
    assert [name for name, there in zip(NAMES, lost, strict=True) if not there] == [
        "pectoral_left_first",
        "pectoral_left_last",
    ]


def test_the_skeleton_joins_points_that_there_are():
    assert all(0 <= end < len(NAMES) for pair in SKELETON for end in pair)
    assert len(set(NAMES)) == len(NAMES) == 23
