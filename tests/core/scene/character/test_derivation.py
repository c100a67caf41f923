"""Species out of traits: whole ones, which what is said of them goes before, and which are saved as briefly."""

import dataclasses
import json

import numpy as np
import pytest

from artfish.core import SceneError, Species
from artfish.core.scene.character.derivation import completed, derived, differing
from artfish.core.scene.traits import Traits
from artfish.tests.core.scene.test_species import numbers

NAMES = [field.name for field in dataclasses.fields(Traits)]


def drawn(seed: int) -> Traits:
    """A character anywhere, every other one at the ends alone."""
    dice = np.random.default_rng(seed)
    values = dice.random(len(NAMES)) if seed % 2 else dice.integers(0, 2, len(NAMES))
    return Traits(**dict(zip(NAMES, map(float, values), strict=True)))


@pytest.mark.parametrize("seed", range(60))
def test_whatever_the_traits_say_is_as_declared_and_reads_back(seed):
    species = Species.of(drawn(seed))
    assert Species.from_dict(species.to_dict()) == species
    assert Species.from_dict(species.to_brief()) == species
    assert numbers(species.to_brief()) == len(NAMES)


def test_what_a_file_says_goes_before_what_its_traits_give():
    data = {"name": "own", "traits": {"size": 0.2}, "body": {"viscosity": 2.5}, "length": 0.5}
    own, plain = Species.from_dict(data), Species.of(Traits(size=0.2), "own")
    assert own == dataclasses.replace(plain, body=dataclasses.replace(plain.body, viscosity=2.5), length=0.5)
    assert own.to_brief() == {
        "name": "own",
        "common_name": "Fish",
        "latin_name": "",
        "traits": own.to_dict()["traits"],
        "length": 0.5,
        "body": {"viscosity": 2.5},
    }


def test_a_species_without_traits_is_left_as_it_is():
    data = {"name": "plain", "body": {"viscosity": 0.2}}
    assert Species.from_dict(data).to_dict() == Species.from_dict(data).to_brief()
    assert "traits" not in Species.from_dict(data).to_dict()


def test_a_file_with_traits_is_written_as_traits_and_what_differs(tmp_path):
    species = dataclasses.replace(Species.of(Traits(depth=0.9), "skipper"), female_size=1.2)
    species.save(tmp_path / "skipper.json")
    assert Species.load(tmp_path / "skipper.json") == species
    written = json.loads((tmp_path / "skipper.json").read_text())
    assert written["female_size"] == 1.2 and "form" not in written


def test_a_wrong_trait_is_refused_with_its_place():
    with pytest.raises(SceneError, match=r"odd: traits.bravery: found an unknown key, allowed size, build"):
        Species.from_dict({"traits": {"bravery": 1}}, "odd")
    with pytest.raises(SceneError, match=r"odd: body: found 3, allowed an object"):
        Species.from_dict({"traits": {}, "body": 3}, "odd")


def test_completing_and_what_differs_undo_each_other():
    given = {"a": 1.0, "part": {"b": [1.0, 2.0], "c": 3.0}}
    said = {"part": {"c": 4.0}, "d": 5.0}
    full = completed(said, given)
    assert full == {"a": 1.0, "part": {"b": [1.0, 2.0], "c": 4.0}, "d": 5.0}
    assert differing(full, given) == said


def test_every_trait_matters():
    usual, middle = Species().to_dict(), Traits()
    plain = derived(middle, usual)
    for name in NAMES:
        for value in (0.0, 1.0):
            assert derived(dataclasses.replace(middle, **{name: value}), usual) != plain, name
