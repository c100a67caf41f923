"""Films: shots of recordings as Blender files, their pictures, and the cut of all of them."""
