"""A fish as Blender objects: its surfaces, and the materials of skin, fins and eyes."""
