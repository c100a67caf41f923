"""What can be written down and is taken swims like a fish."""

import pytest

from artfish.core import SceneError, Species
from artfish.studies import limits


def test_shares_of_a_push_that_are_none_throw_no_sardine_about():
    """After reports that a slider pulled to its end makes a simulated body explode."""
    sardine = Species.load("sardine").to_dict()
    for lever in ([0, 0, 0], [1, 1, 1]):
        with pytest.raises(SceneError, match="pectoral.lever: found .* allowed shares that make 1 in all"):
            Species.from_dict({**sardine, "pectoral": {**sardine["pectoral"], "lever": lever}})


@pytest.mark.film
@pytest.mark.parametrize("seed", [105, 157, 159, 173])
def test_a_species_at_its_limits_does_not_explode(seed):
    """After reports of bodies that fly apart once several numbers are at the ends of their ranges."""
    swum = limits.swim(seed, seconds=4)
    assert swum.finite and swum.fastest < limits.FASTEST


@pytest.mark.film
@pytest.mark.parametrize("seed", range(3))
def test_a_scene_at_its_limits_keeps_its_fishes_upright(seed):
    """After reports of animals that spin or stretch in a box as narrow as themselves, or in a strong stream."""
    assert limits.swim_there(seed, seconds=4).sound
