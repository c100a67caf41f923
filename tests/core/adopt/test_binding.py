"""An adopted model bends as the body does: a species' own mesh, adopted, stays where that mesh would be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from artfish.core.adopt.binding import bind
from artfish.core.adopt.measure import measure
from artfish.core.adopt.model import Model
from artfish.core.adopt.nature import nearest, species
from artfish.core.adopt.pose import ModelPose, standing
from artfish.core.adopt.swim import repeats, swims
from artfish.core.form.mesh import ControlNet, FishMesh
from artfish.core.form.rig import Rig
from artfish.core.motor.commands import Commands
from artfish.core.replicas.trial import Trial
from artfish.core.scene.species import Species
from artfish.tests.core.adopt.models import AWKWARD

ALLOWED = 0.02


def adopted_net(name: str) -> tuple[ControlNet, FishMesh, Model]:
    """The net of a species, its own mesh, and that as a model that stands."""
    net = ControlNet(Species.load(name))
    mesh = FishMesh(net)
    rest = mesh.vertices(net.rest)
    starts = np.arange(0, mesh.faces.size + 1, 4)
    model = Model(rest, mesh.faces.ravel(), starts, np.zeros(mesh.count, dtype=int))
    near = standing(model, ModelPose("+X", "+Z", float(np.ptp(rest[:, 0]))))
    raised = (rest.mean(axis=0) - near.vertices.mean(axis=0)) * (0.0, 0.0, 1.0)  # the axis is drawn as one likes
    return net, mesh, replace(near, vertices=near.vertices + raised)


def swum(species: Species) -> np.ndarray:
    """Nodes of a fish that swims and one that turns, (moments, 2, 23, 3) in metres."""
    commands = Commands.still(2)
    commands.swim[:], commands.turn[1] = 1.0, 1.0
    nodes = Trial(species.alike, 2).run(lambda time: commands, 4.0 / species.rhythm.tail_beat).nodes
    return nodes[len(nodes) // 2 :: 12] * species.length


@pytest.mark.parametrize("name", ["sardine", "reef_shark"])
def test_a_species_own_mesh_bends_as_before(name):
    net, mesh, model = adopted_net(name)
    adopted = bind(net, model)
    species = net.coupling.species
    nodes = swum(species)
    still = np.zeros((len(nodes), 2, 2, 3))
    points = net.poses(nodes, still, np.full(2, species.length), np.zeros((len(nodes), 2)))[0]
    off = np.linalg.norm(adopted.vertices(points) - mesh.vertices(points), axis=-1)
    assert off.max() < ALLOWED


def test_at_rest_every_vertex_is_where_its_maker_put_it():
    net, _, model = adopted_net("clownfish")
    moved = bind(net, model).vertices(net.rest) - model.vertices
    assert np.ptp(moved, axis=0).max() < 1e-9 and np.abs(moved[0, 1:]).max() < 1e-9  # but for a step ahead


@pytest.mark.parametrize("name", ["clownfish", "reef_shark"])
def test_a_vertex_goes_with_the_control_points_however_all_of_them_are_moved(name):
    net, _, model = adopted_net(name)
    adopted = bind(net, model)
    turn, move = np.array([[0.9, -0.3, 0.1], [0.4, 1.1, -0.2], [0.0, 0.2, 0.8]]), np.array([0.3, -0.2, 0.5])
    there = adopted.vertices(net.rest @ turn.T + move)
    assert there == pytest.approx(adopted.vertices(net.rest) @ turn.T + move, abs=1e-9)


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.large) if name in ("few", "toothed") else name for name in AWKWARD]
)
def test_an_awkward_model_swims_and_no_skin_is_torn_or_pinched(name):
    model = AWKWARD[name]()
    pose = ModelPose("+X", "+Z", float(np.ptp(model.vertices[:, 0])))
    kin = species(model, name, pose, 0.3)
    near = standing(model, pose)
    assert swims(kin, nearest(measure(near))) and repeats(kin)
    net = ControlNet(kin)
    adopted = bind(net, near)
    nodes = swum(kin)
    points = net.poses(nodes, np.zeros((len(nodes), 2, 2, 3)), np.full(2, 0.3), np.zeros((len(nodes), 2)))[0]
    edges = near.triangles[:, :2]
    before = np.linalg.norm(np.diff(near.vertices[edges], axis=1)[:, 0], axis=-1)
    edges, before = edges[before > 0.004], before[before > 0.004]
    after = np.linalg.norm(np.diff(adopted.vertices(points)[..., edges, :], axis=-2)[..., 0, :], axis=-1)
    assert 0.5 < (after / before).min() and (after / before).max() < 2.0
    off = np.linalg.norm(
        Rig(net, adopted).skinned(*Rig(net, adopted).poses(points)) - adopted.vertices(points), axis=-1
    )
    assert np.quantile(off, 0.95) < ALLOWED
