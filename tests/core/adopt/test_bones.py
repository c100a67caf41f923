"""A model's own bones are mapped by where they are, whatever they are called, and its own weights are used."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from artfish.core.adopt.binding import bind
from artfish.core.adopt.model import Model, ModelBone
from artfish.core.form.mesh import ControlNet, FishMesh
from artfish.core.form.rig import Rig
from artfish.core.scene.species import Species
from artfish.tests.core.adopt.test_binding import adopted_net, swum


@pytest.fixture(scope="module")
def boned() -> tuple[ControlNet, Rig, Model]:
    """A clownfish with the bones and weights of its own rig, under names that say nothing."""
    net, mesh, model = adopted_net("clownfish")
    rig = Rig(net, mesh)
    ahead = model.vertices[0] - mesh.vertices(net.rest)[0]
    bones = tuple(
        ModelBone(f"Bone.{row:03d}", max(bone.parent - 1, -1), bone.head + ahead, bone.tail + ahead)
        for row, bone in enumerate(rig.bones[1:])
    )
    return net, rig, replace(model, bones=bones, weights=csr_matrix(rig.weights[:, 1:]))


def test_bones_are_known_by_their_places(boned):
    net, rig, model = boned
    own = Rig(net, bind(net, model))
    assert [bone.name for bone in own.bones if bone.name[:4] not in ("dors", "anal", "gill")] == [
        bone.name for bone in rig.bones if bone.name[:4] not in ("dors", "anal", "gill")
    ]
    for name in ("pectoral.L", "eye.R", "jaw"):
        here, there = ([bone.name for bone in of.bones].index(name) for of in (own, rig))
        assert np.abs(own.weights[:, here] - rig.weights[:, there]).max() < 0.05


def test_weights_of_its_maker_bend_it_as_its_shape_does(boned):
    net, _, model = boned
    species = net.coupling.species
    nodes = swum(species)
    points = net.poses(nodes, np.zeros((len(nodes), 2, 2, 3)), np.full(2, species.length), np.zeros((len(nodes), 2)))[0]
    by_bones, by_shape = bind(net, model), bind(net, replace(model, bones=(), weights=None))
    assert np.abs(by_bones.vertices(net.rest) - by_shape.vertices(net.rest)).max() < 1e-9
    off = np.linalg.norm(by_bones.vertices(points) - by_shape.vertices(points), axis=-1)
    assert 0.0 < np.quantile(off, 0.95) < 0.02


def test_a_vertex_that_its_maker_left_with_the_head_stays_with_it(boned):
    net, rig, model = boned
    head = next(row for row, bone in enumerate(rig.bones) if bone.name == "head") - 1
    stiff = int(np.flatnonzero(np.abs(model.vertices[:, 0] + 0.2) < 0.01)[0])  # far behind the head
    weights = model.weights.tolil()
    weights[stiff] = 0.0
    weights[stiff, head] = 1.0
    adopted = bind(net, replace(model, weights=csr_matrix(weights)))
    own = Rig(net, adopted)
    assert own.weights[stiff, [bone.name for bone in own.bones].index("head")] > 0.5


def test_bones_that_bend_nothing_are_passed_over(boned):
    net, _, model = boned
    one = ModelBone("Root", -1, np.array([0.3, 0.0, 0.0]), np.array([-0.6, 0.0, 0.0]))
    stiff = replace(model, bones=(one,), weights=csr_matrix(np.ones((model.count, 1))))
    assert bind(net, stiff).worn is None


def test_the_rig_of_a_model_of_few_vertices_is_whole():
    net, mesh, model = adopted_net("sardine")
    coarse = FishMesh(ControlNet(Species.load("sardine")), 2)
    few = Model(
        coarse.vertices(net.rest),
        coarse.faces.ravel(),
        np.arange(0, coarse.faces.size + 1, 4),
        np.zeros(coarse.count, dtype=int),
    )
    adopted = bind(net, few)
    rig = Rig(net, adopted)
    assert np.isfinite(rig.weights).all() and np.allclose(rig.weights.sum(axis=1), 1.0)
    nodes = swum(net.coupling.species)
    length = np.full(2, net.coupling.species.length)
    points = net.poses(nodes, np.zeros((len(nodes), 2, 2, 3)), length, np.zeros((len(nodes), 2)))[0]
    off = np.linalg.norm(rig.skinned(*rig.poses(points)) - adopted.vertices(points), axis=-1)
    assert np.quantile(off, 0.95) < 0.01
