"""Pectoral fins as they are seen: flapping and oaring turn their rays and never stretch them (Tu 1999, app. B)."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.form.nurbs import evaluate
from artfish.core.form.surfaces import on_body, pectoral, rest_surfaces
from artfish.core.scene.species import Species
from artfish.tests.core.kinds import each


@pytest.fixture(params=each())
def species(request: pytest.FixtureRequest) -> Species:
    return Species.load(request.param)


def test_oaring_traces_a_cone(species: Species) -> None:
    fin = pectoral(species)
    rays = fin.swing(np.zeros(33), np.linspace(0.0, 2 * np.pi, 33))
    np.testing.assert_allclose(rays @ fin.axis, np.broadcast_to(fin.rays @ fin.axis, (33, 4)), atol=1e-14)
    np.testing.assert_allclose(rays[-1], rays[0], atol=1e-14)
    np.testing.assert_allclose(rays[0], fin.rays, atol=1e-15)
    over_the_top = rays[:, 0, 2].argmax()
    assert rays[over_the_top + 1, 0, 0] < rays[over_the_top - 1, 0, 0], "backwards over the top is forward rowing"


def test_flapping_swings_along_the_normal(species: Species) -> None:
    fin = pectoral(species)
    for flap in (-0.3, 0.3):
        moved = fin.swing(np.array(flap), np.array(0.0))
        expected = fin.rays + flap * np.linalg.norm(fin.rays, axis=-1, keepdims=True) * fin.normal
        np.testing.assert_allclose(np.cross(moved, expected), 0.0, atol=1e-15)


@pytest.mark.film
def test_an_oaring_fin_stays_off_the_body(species: Species) -> None:
    fin, left = pectoral(species), rest_surfaces(species)["body_left"].points
    flap, oar = np.meshgrid(np.linspace(-0.12, 0.12, 3), np.linspace(0.0, 2 * np.pi, 25))
    tips = (on_body(left, fin.middle[None])[0] + fin.swing(flap, oar)).reshape(-1, 3)
    skin = evaluate(left, 3, 3, np.linspace(0.0, 6.0, 61), np.linspace(0.0, 18.0, 181)).reshape(-1, 3)
    nearest = skin[np.abs(skin[None, :, [0, 2]] - tips[:, None, [0, 2]]).sum(axis=-1).argmin(axis=1)]
    assert np.all(tips[:, 1] > nearest[:, 1])
