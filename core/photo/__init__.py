"""The snake grid: a fish found in a picture, and a grid laid on it (Tu 1999, appendix A)."""
