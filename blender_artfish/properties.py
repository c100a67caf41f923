"""What an animator sets in the panel; kept with the scene, so that a saved file remembers it.

The annotations of a property group are calls that Blender evaluates, so they are not postponed here.
"""

from pathlib import Path

import bpy

SCENES = Path(__file__).parent.parent / "presets" / "scenes"


def preset_items() -> list[tuple[str, str, str]]:
    """The preset scenes by the names of their files: reading them waits until one is baked."""
    stems = sorted(path.stem for path in SCENES.glob("*.json"))
    return [(stem, stem.replace("_", " ").title(), f"The preset scene {stem}") for stem in stems]


class ArtfishSettings(bpy.types.PropertyGroup):
    """What to bake."""

    preset: bpy.props.EnumProperty(
        name="Scene", description="Preset scene to bake", items=preset_items(), default="reef"
    )
    frames: bpy.props.IntProperty(
        name="Frames", description="Length of the bake", default=120, min=1, max=100_000, soft_max=1_000
    )
    seed: bpy.props.IntProperty(
        name="Seed", description="Another seed gives other fishes in the same scene", default=0, min=0
    )
    stage: bpy.props.BoolProperty(
        name="Stage", description="Also make sand, pillars, water, light and a camera, and film with them", default=True
    )


def settings_of(context: bpy.types.Context) -> ArtfishSettings:
    """The settings of the scene that is open."""
    return context.scene.artfish


CLASSES = (ArtfishSettings,)


def register() -> None:
    """The settings of each scene."""
    bpy.types.Scene.artfish = bpy.props.PointerProperty(type=ArtfishSettings)  # type: ignore


def unregister() -> None:
    """Takes them away again; what was saved stays in the file."""
    del bpy.types.Scene.artfish
