"""A fish as Blender objects: surfaces, and what skin, fins and eyes look like."""
