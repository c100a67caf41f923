"""The add-on, thin: what an animator touches, and recordings made into Blender's data.

Importing this package is cheap and needs no Blender; so is registering it, for Blender's start waits for that.
"""

from __future__ import annotations


def register() -> None:
    """Adds the panel, the operator and the scene's settings to Blender."""
    import bpy

    from .properties import ArtfishSettings

    for cls in _classes():
        bpy.utils.register_class(cls)
    bpy.types.Scene.artfish = bpy.props.PointerProperty(type=ArtfishSettings)  # type: ignore


def unregister() -> None:
    """Takes out what `register` put in, in the opposite order."""
    import bpy

    del bpy.types.Scene.artfish
    for cls in reversed(_classes()):
        bpy.utils.unregister_class(cls)


def _classes() -> tuple[type, ...]:
    from .operators.bake import ARTFISH_OT_bake
    from .panels.bake import ARTFISH_PT_bake
    from .properties import ArtfishSettings

    return ArtfishSettings, ARTFISH_OT_bake, ARTFISH_PT_bake
