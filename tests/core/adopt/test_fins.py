"""Fins and eyes are found where they are, and nothing else is taken for one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from artfish.core.adopt.fins import parts
from artfish.core.adopt.measure import measure
from artfish.core.adopt.pose import ModelPose, standing
from artfish.core.form.mesh import EYES, FINS, ControlNet, FishMesh
from artfish.core.scene.species import Species
from artfish.tests.core.adopt.models import AWKWARD, ball, joined, own, ray, spindle

SEEN = [(name, part) for name in ("blue_tang", "clownfish", "reef_shark", "sardine", "tuna") for part in (*FINS, *EYES)]


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "part"), SEEN)
def test_a_species_own_fins_and_eyes_are_found(name, part):
    model = own(name)
    near = standing(model, ModelPose("+X", "+Z", float(np.ptp(model.vertices[:, 0]))))
    found = parts(near, measure(near))[part]
    true = FishMesh(ControlNet(Species.load(name))).groups[part]
    assert len(np.intersect1d(found, true)) > 0.85 * len(true)  # the root of a fin is the body's edge, too
    assert len(np.setdiff1d(found, true)) < 0.3 * len(true)


def test_a_group_of_vertices_has_the_last_word():
    model = own("sardine")
    named = replace(model, groups={"dorsal": np.arange(5)})
    near = standing(named, ModelPose("+X", "+Z", 1.0))
    assert parts(near, measure(near))["dorsal"].tolist() == [0, 1, 2, 3, 4]


def test_loose_eyes_are_found_among_teeth():
    model = AWKWARD["toothed"]()
    near = standing(model, ModelPose("+X", "+Z", 1.0))
    found = parts(near, measure(near))
    assert set(model.parts[found["eye_left"]]) == {1} and set(model.parts[found["eye_right"]]) == {2}


def test_a_row_of_teeth_is_no_pair_of_eyes():
    """A rigged piranha of a game has its eyes painted on, and five pairs of teeth that are balls of their own."""
    stations = (0.05, 0.09, 0.13, 0.17)
    teeth = [ball((-station, side * 0.03, -0.03), 0.008) for station in stations for side in (1.0, -1.0)]
    near = standing(joined(spindle(40, 20), *teeth), ModelPose("+X", "+Z", 1.0))
    found = parts(near, measure(near))
    assert not len(found["eye_left"]) and not len(found["eye_right"])


def test_an_eel_has_no_fins_but_its_tail():
    near = standing(AWKWARD["eel"](), ModelPose("+X", "+Z", 1.0))
    found = parts(near, measure(near))
    assert not any(len(found[name]) for name in FINS if name != "caudal")


def test_fins_that_are_one_with_the_skin_are_found():
    near = standing(AWKWARD["finned"](), ModelPose("+X", "+Z", 1.0))
    found = parts(near, measure(near))
    tips = [int(np.argmax(side * near.vertices[:, 1])) for side in (1.0, -1.0)]
    assert tips[0] in found["pectoral_left"] and tips[1] in found["pectoral_right"]
    assert int(np.argmax(near.vertices[:, 2] * (near.vertices[:, 0] > -0.4))) in found["dorsal"]


def test_the_wings_of_a_ray_are_its_pectoral_fins():
    near = standing(ray(), ModelPose("+X", "+Z", 1.0))
    found = parts(near, measure(near))
    for side, sign in (("left", 1.0), ("right", -1.0)):
        own = sign * near.vertices[found[f"pectoral_{side}"], 1]
        assert own.min() > 0.05 and own.max() == pytest.approx(np.abs(near.vertices[:, 1]).max(), abs=1e-3)
