"""Finding the way: paths through what a fish remembers, and where it has not been yet (Kuffner & Latombe 1999)."""
