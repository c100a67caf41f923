"""An adopted model bends as the body does: a species' own mesh, adopted, stays where that mesh would be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from artfish.core.adopt.binding import bind
from artfish.core.adopt.model import Model
from artfish.core.adopt.pose import Pose, standing
from artfish.core.form.mesh import ControlNet, FishMesh
from artfish.core.motor.commands import Commands
from artfish.core.replicas.trial import Trial
from artfish.core.scene.species import Species

ALLOWED = 0.02


def adopted_net(name: str) -> tuple[ControlNet, FishMesh, Model]:
    """The net of a species, its own mesh, and that as a model in the frame of the net."""
    net = ControlNet(Species.load(name))
    mesh = FishMesh(net)
    rest = mesh.vertices(net.rest)
    starts = np.arange(0, mesh.faces.size + 1, 4)
    model = Model(rest, mesh.faces.ravel(), starts, np.zeros(mesh.count, dtype=int))
    near = standing(model, Pose("+X", "+Z", float(np.ptp(rest[:, 0]))))
    shift = rest.mean(axis=0) - near.vertices.mean(axis=0)
    return net, mesh, replace(near, vertices=near.vertices + shift)


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
    assert np.abs(bind(net, model).vertices(net.rest) - model.vertices).max() < 1e-9
