"""The surfaces that an eye sees, and how they ride on the 23 nodes (Tu 1999, ch. 5 and app. B)."""
