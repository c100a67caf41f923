"""A model as it came: faces of any size, seams, pieces and points spread over it."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.adopt.model import Model, along, shifted
from artfish.tests.core.adopt.models import ball, joined, spindle


def test_faces_of_any_size_become_triangles():
    corners, starts = np.array([0, 1, 2, 0, 2, 3, 4, 0, 1]), np.array([0, 3, 7, 9])  # the last one is an edge
    model = Model(np.zeros((5, 3)), corners, starts, np.zeros(5, dtype=int))
    assert model.triangles.tolist() == [[0, 1, 2], [0, 2, 3], [0, 3, 4]]


def test_a_seam_does_not_part_a_piece():
    whole = spindle(12, 8)
    soup = Model(
        whole.vertices[whole.corners], np.arange(len(whole.corners)), whole.starts, np.zeros(len(whole.corners))
    )
    assert soup.shells.max() == 0 and len(np.unique(soup.welded)) == whole.count


def test_pieces_are_counted_from_the_largest():
    model = joined(ball((0, 0, 0), 0.1), spindle(12, 8))
    assert set(model.shells[model.parts == 1]) == {0} and set(model.shells[model.parts == 0]) == {1}


def test_samples_lie_evenly_and_face_outwards():
    model = ball((0, 0, 0), 1.0)
    samples = model.samples
    assert samples.area * len(samples.places) == pytest.approx(model.areas.sum())
    assert np.abs(samples.places.mean(axis=0)).max() < 0.01
    inside_out = Model(model.vertices, model.corners.reshape(-1, 4)[:, ::-1].ravel(), model.starts, model.parts)
    for each in (model, inside_out):
        assert ((each.samples.normals * each.samples.places).sum(axis=1) > 0.0).mean() > 0.99


def test_bones_go_with_a_model():
    model = spindle(12, 8)
    assert shifted(model, np.array([1.0, 0.0, 0.0])).vertices[0, 0] == pytest.approx(model.vertices[0, 0] + 1.0)
    turned = along(model, np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]]))
    assert turned.vertices[5].tolist() == [model.vertices[5, 1], model.vertices[5, 0], -model.vertices[5, 2]]
