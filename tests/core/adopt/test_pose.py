"""Which way a model faces is seen from its shape."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.adopt.model import Model
from artfish.core.adopt.pose import MODEL_AXES, Pose, guess
from artfish.core.form.mesh import ControlNet, FishMesh
from artfish.core.scene.species import Species


def model_of(name: str) -> Model:
    """The mesh of a preset as a model."""
    net = ControlNet(Species.load(name))
    mesh = FishMesh(net)
    starts = np.arange(0, mesh.faces.size + 1, 4)
    return Model(mesh.vertices(net.rest), mesh.faces.ravel(), starts, np.zeros(mesh.count, dtype=int))


@pytest.mark.parametrize("ahead", MODEL_AXES)
def test_a_sardine_in_centimetres_is_known_whichever_way_it_faces(ahead):
    model, up = model_of("sardine"), MODEL_AXES[(MODEL_AXES.index(ahead) + 2) % 6]
    turn = Pose(ahead, up, 1.0).axes
    turned = Model(18.0 * model.vertices @ turn.T + 7.0, model.corners, model.starts, model.parts)
    pose = guess(turned)
    assert (pose.ahead, pose.up) == (ahead, up)
    assert pose.length == pytest.approx(18.0 * np.ptp(model.vertices[:, 0]))
