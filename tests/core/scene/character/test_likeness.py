"""The traits that a species is likely to have, read off its numbers."""

from dataclasses import asdict, replace

import pytest

from artfish.core.scene.character.likeness import likely
from artfish.core.scene.character.plans import plans
from artfish.core.scene.species import Species
from artfish.core.scene.traits import Traits


@pytest.mark.parametrize("plan", plans(), ids=lambda plan: plan.name)
def test_a_body_plan_is_read_near_its_own_place(plan):
    found, true = asdict(likely(Species.of(plan.traits).to_dict())), asdict(plan.traits)
    for name in ("size", "build", "flatness", "pace", "stamina", "wariness", "activity"):
        assert found[name] == pytest.approx(true[name], abs=0.03), name
    assert (found["temper"] >= 0.75) == (true["temper"] >= 0.75)


def test_what_traits_made_is_read_as_such():
    traits = Traits(size=0.3, build=0.4, wariness=0.8, appetite=0.8, activity=0.9, depth=0.3, boldness=0.2)
    found = asdict(likely(Species.of(traits).to_dict()))
    for name in ("size", "build", "wariness", "appetite", "activity", "depth", "boldness"):
        assert found[name] == pytest.approx(getattr(traits, name), abs=0.05), name


def test_a_species_that_has_traits_keeps_them():
    species = Species.of(Traits(pace=0.123))
    assert species.likely_traits() == Traits(pace=0.123)
    assert replace(species, traits=None).likely_traits() == likely(replace(species, traits=None).to_dict())
