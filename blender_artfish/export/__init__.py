"""Baked fishes for other programs: files that Blender's exporters write, and their materials as pictures."""
