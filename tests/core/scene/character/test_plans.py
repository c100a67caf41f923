"""Body plans: at its place each is itself, and between them numbers move without a jump."""

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.scene.character import plans
from artfish.core.scene.character.plans import Kin
from artfish.core.scene.traits import Traits

USUAL = Species().to_dict()


@pytest.mark.parametrize("plan", plans.plans(), ids=lambda plan: plan.name)
def test_at_its_place_a_plan_gives_its_numbers_to_the_bit(plan):
    made = Species.of(plan.traits).to_dict()
    for section in ("body", "rhythm", "steering", "pectoral", "form", "relief", "bearing"):
        for name, value in plan.numbers[section].items():
            assert made[section][name] == value, f"{section}.{name}"
    for name, value in plan.numbers["looks"].items():
        assert made["looks"][name] == value, name
    assert made["time_scale"] == plan.numbers["time_scale"]


def test_shares_make_one_and_the_nearest_is_first():
    for build in np.linspace(0.0, 1.0, 23):
        kin = Kin(Traits(build=float(build)), USUAL)
        assert kin.shares.sum() == pytest.approx(1.0) and (np.diff(kin.shares) <= 1e-12).all()


@pytest.mark.parametrize("trait", ["build", "flatness", "stamina", "nimbleness", "pace", "size"])
def test_a_small_change_of_a_trait_changes_a_body_little(trait):
    steps = [Species.of(replace(Traits(), **{trait: at})) for at in np.linspace(0.3, 0.7, 81).tolist()]
    for part, name, most in (("body", "stiffness", 0.5), ("rhythm", "tail_beat", 0.15), ("form", "eye_station", 0.003)):
        values = np.array([getattr(getattr(one, part), name) for one in steps])
        assert np.abs(np.diff(values)).max() < most, name


def test_a_build_is_as_high_as_it_says():
    for build in (0.1, 0.5, 0.9):
        form = Species.of(Traits(build=build)).form
        stations = np.linspace(0.0, 0.8, 81)
        tall = np.interp(stations, *np.array(form.back).T) - np.interp(stations, *np.array(form.belly).T)
        assert 0.5 * tall.max() == pytest.approx(plans.half_height(Traits(build=build)), rel=0.15)
