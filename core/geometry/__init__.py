"""Triangles, solids as distance fields, and beds."""
