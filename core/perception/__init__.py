"""The perception of fishes (Tu 1999, ch. 6)."""
