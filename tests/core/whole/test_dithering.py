"""Memory and inhibitory gain keep fishes from dithering (Tu 1999, §7.7)."""

from artfish.studies.dithering import changes


def test_memory_and_gain_lower_the_number_of_changes_of_intention():
    """One seed in which it shows; studies/dithering.py asks thirty."""
    assert changes(1, 0.2, seed=0, seconds=20) < changes(0, 0.0, seed=0, seconds=20)
