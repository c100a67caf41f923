"""The visible surfaces, and how they follow the 23 nodes (Tu 1999, ch. 5 and app. B)."""
