"""The add-on: what an animator uses, and recordings made into Blender's data.

Importing this package needs no Blender and costs little, and neither does registering it, since Blender's start waits
for that.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

ROOMS = (
    "blender.declarations",
    "blender.parts",
    "blender.glances",
    "species.memory",
    "species.traits",
    "species.properties",
    "habits.properties",
    "direction.properties",
    "direction.instruction_properties",
    "physics.properties",
    "breeding.generations",
    "bake.properties",
    "export.properties",
    "scene.properties",
    "identity.roles",
    "identity.writers",
    "direction.markers",
    "blender.status_bar",
    "scene.operators",
    "scene.mending",
    "scene.remarks",
    "scene.presets",
    "scene.fitting",
    "scene.dropping",
    "physics.operators",
    "adopt.properties",
    "dive.properties",
    "filming.properties",
    "live.properties",
    "live.pace",
    "live.timer",
    "live.listening",
    "blender.kernel",
    "blender.repertoires",
    "blender.jobs",
    "bake.cache_files",
    "bake.history",
    "bake.operators",
    "bake.fish_operators",
    "bake.edit_operators",
    "bake.part_operators",
    "bake.tracked",
    "export.operators",
    "direction.operators",
    "direction.instruction_operators",
    "live.operators",
    "dive.operators",
    "filming.operators",
    "species.operators",
    "species.file_operators",
    "species.preview_operators",
    "species.row_operators",
    "species.character",
    "species.character_operators",
    "adopt.operators",
    "habits.operators",
    "loops.operators",
    "learning.properties",
    "learning.operators",
    "takes.properties",
    "takes.operators",
    "breeding.properties",
    "breeding.operators",
    "dataset.properties",
    "dataset.operators",
    "species.preview",
    "species.deletion",
    "scene.quick_look",
    "scene.gizmos",
    "scene.top_panel",
    "scene.gallery",
    "scene.panel",
    "physics.panel",
    "habits.panel",
    "learning.panel",
    "breeding.panel",
    "live.panel",
    "bake.panel",
    "takes.panel",
    "bake.fish_panel",
    "crowd.panel",
    "export.panel",
    "filming.panel",
    "dataset.panel",
    "direction.panel",
    "direction.instruction_panel",
    "scene.selected_panel",
    "scene.menu",
    "bake.menu",
    "mind.properties",
    "mind.source",
    "mind.swatches",
    "mind.overlays",
    "fish_view.properties",
    "fish_view.retinas",
    "mind.operators",
    "fish_view.operators",
    "mind.panel",
    "fish_view.panel",
    "dive.panel",
    "species.panel",
    "adopt.arrows",
    "adopt.panel",
    "snake_grid.properties",
    "snake_grid.fit",
    "snake_grid.tool",
    "snake_grid.operators",
    "snake_grid.panel",
    "assets.operators",
    "languages.following",
    "preferences.pie",
    "preferences.keys",
    "preferences.page",
)
"""Modules that register something with Blender, each after those it needs: `CLASSES`, event listeners (see."""


NO_SCIPY = (
    "Artfish needs SciPy, which the Python of this Blender lacks: install the zip of Artfish whose name does not end "
    "in without_scipy, or SciPy for that Python"
)


def register() -> None:
    """Adds classes, properties, handlers and keys of every room to Blender.

    Raises:
        ImportError: There is no SciPy; nothing is added then.
    """
    brought = (Path(__file__).parents[1] / "wheels").glob("scipy-*.whl")  # Blender may unpack it after this
    if find_spec("scipy") is None and not any(brought):
        raise ImportError(NO_SCIPY)
    import bpy

    from .blender import handlers, words

    for room in rooms():
        for cls in room.CLASSES:
            words.in_own_context(cls)
            bpy.utils.register_class(cls)
        if hasattr(room, "register"):
            room.register()
    handlers.attach(rooms())


def unregister() -> None:
    """Takes out what `register` put in, in reverse order."""
    import bpy

    from .blender import handlers, runtime

    handlers.detach(rooms())
    backwards = rooms()[::-1]
    for room in backwards:  # before any class is removed: running jobs belong to one
        if hasattr(room, "unregister"):
            room.unregister()
    for room in backwards:
        for cls in reversed(room.CLASSES):
            bpy.utils.unregister_class(cls)
    runtime.drop()


def rooms() -> list[ModuleType]:
    """The modules of `ROOMS`."""
    return [import_module(f".{name}", __name__) for name in ROOMS]
