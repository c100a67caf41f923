"""What the fishes live in: water currents and what stands in the way (Tu 1999, ch. 8)."""
