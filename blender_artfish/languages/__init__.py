"""The languages of the interface: a catalog each, and which of them Blender has at the moment."""
