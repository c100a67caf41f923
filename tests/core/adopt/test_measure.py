"""Outlines that are measured on a species' own mesh are those of the species."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.adopt.measure import measure
from artfish.core.adopt.pose import ModelPose, standing
from artfish.tests.core.adopt.models import AWKWARD, finned, own, ray, spindle

CELLS = 0.03
"""Lengths: the rim up to which a flank counts as fin, beside a cell of the grid."""


@pytest.mark.sampled
@pytest.mark.parametrize("name", Species.names())
def test_a_species_own_mesh_gives_its_outlines_back(name):
    form = Species.load(name).form
    near = standing(own(name), ModelPose("+X", "+Z", 1.0))
    found, at = measure(near), np.linspace(0.06, 0.8, 12)
    back, belly, width = (np.interp(at, *np.array(line).T) for line in (form.back, form.belly, form.half_width))
    assert np.abs(found.at("back", at) - found.at("belly", at) - (back - belly)).max() < CELLS
    assert np.abs(found.at("half_width", at) - width).max() < 0.02
    assert found.root == pytest.approx(Species.load(name).body.stations[-1], abs=0.04)
    assert np.ptp(found.tail[:, 1]) == pytest.approx(np.ptp(np.array(form.caudal)[:, 1]), abs=0.04)


def test_fins_that_are_one_with_the_skin_do_not_make_the_body_wide():
    plain, with_fins = (
        measure(standing(model, ModelPose("+X", "+Z", 1.0))).half_width.max() for model in (spindle(61, 32), finned())
    )
    assert with_fins < 1.2 * plain


def test_the_sides_of_a_ray_are_wings_and_no_body():
    found = measure(standing(ray(), ModelPose("+X", "+Z", 1.0)))
    assert found.winged and found.half_width.max() == pytest.approx(0.3 * 0.37, abs=0.01)


@pytest.mark.sampled
@pytest.mark.parametrize("name", [name for name in Species.names() if name != "thesis"])
def test_no_preset_is_a_ray(name):
    assert not measure(standing(own(name), ModelPose("+X", "+Z", 1.0))).winged


@pytest.mark.parametrize("name", [name for name in AWKWARD if name != "ray"])
def test_no_other_awkward_model_is_a_ray(name):
    assert not measure(standing(AWKWARD[name](), ModelPose("+X", "+Z", 1.0))).winged
