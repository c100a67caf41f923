"""Memory and inhibitory gain keep fishes from dithering (Tu 1999, §7.7)."""

import pytest

from artfish.studies.dithering import changes


@pytest.mark.long
@pytest.mark.film
def test_memory_and_gain_lower_the_number_of_changes_of_intention():
    """Of one seed; studies/dithering.py asks thirty."""
    assert changes(1, 0.2, seed=0, seconds=18) < changes(0, 0.0, seed=0, seconds=18)
