"""Artfish: fishes that swim with muscles, for Blender. Both a Python package and a Blender extension."""


def register() -> None:
    """Called by Blender when the extension is enabled."""
    from . import blender_artfish

    blender_artfish.register()


def unregister() -> None:
    """Called by Blender when the extension is disabled."""
    from . import blender_artfish

    blender_artfish.unregister()
