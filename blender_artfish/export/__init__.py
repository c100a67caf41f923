"""Baked fishes for other programs: files that Blender's exporters write, and their materials as pictures."""

from .exporting import export, export_file

__all__ = ["export", "export_file"]
