"""The fishes' surroundings: water currents and the things that stand in the way (Tu 1999, ch. 8)."""
