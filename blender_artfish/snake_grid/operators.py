"""Operators on a grid on a picture: forget it, have a species wear it, save it as a species' outline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import bpy

from ..blender.file_names import FileSaver
from ..blender.handlers import together
from ..blender.words import translated
from ..species import library
from ..species.editing import take
from .pictures import OnPicture, image_name

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


class ARTFISH_OT_forget_grid(OnPicture):
    """Take the grid of the part that is chosen off the picture"""

    bl_idname = "artfish.forget_grid"
    bl_label = "Remove Grid"

    image: image_name()

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Removes grid and anchors."""
        from . import grids

        try:
            image = self.picture(context)
        except ValueError as error:
            return self.refuse(error)
        grids.forget(image, image.artfish.part)
        return {"FINISHED"}


class ARTFISH_OT_wear_picture(OnPicture):
    """Put the picture on the skin and fins of its species, in this file"""

    bl_idname = "artfish.wear_picture"
    bl_label = "Put on the Species"

    image: image_name()

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Makes a packed texture and links it into the materials."""
        from . import grids, wearing

        try:
            image = self.picture(context)
            species = grids.species_of(image, context.scene)
            texture = wearing.wear(image, species, context.scene)
        except ValueError as error:
            return self.refuse(error)
        self.report(
            {"INFO"},
            translated("Fishes of the species {species} wear {texture}", species=species.name, texture=texture.name),
        )
        return {"FINISHED"}


class ARTFISH_OT_take_off_picture(OnPicture):
    """Let the species show its own colours again"""

    bl_idname = "artfish.take_off_picture"
    bl_label = "Take Off"

    image: image_name()

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Removes the texture from the materials; the image stays in the file."""
        from . import grids, wearing

        try:
            wearing.take_off(grids.species_of(self.picture(context), context.scene), context.scene)
        except ValueError as error:
            return self.refuse(error)
        return {"FINISHED"}


class ARTFISH_OT_save_profile(OnPicture, FileSaver):  # type: ignore[misc]
    """Save a species whose side view is the outline of the grid, and take it into this file"""

    bl_idname = "artfish.save_profile"
    bl_label = "Save as Species"
    filename_ext = ".json"
    filter_glob: bpy.props.StringProperty(default="*.json", options={"HIDDEN"})
    image: image_name()

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Writes the species' file and updates the one of its name here; a preset's name gets a number."""
        from . import grids

        try:
            path = Path(self.file)
            species = grids.save_profile(self.picture(context), context.scene, str(path))
        except ValueError as error:
            return self.refuse(error)
        edited, name = context.scene.artfish.species, species.name
        index = edited.find(name)
        if index >= 0 and not edited[index].origin and name not in library.presets():
            with together(edited[index], context):
                library.fill(edited[index], species)
                context.scene.artfish.active_species = index
        else:
            name = library.free_name(name, context.scene)
            take(context, species, name, "")
        self.report(
            {"INFO"},
            translated("Saved {path}", path=path.name)
            + (translated(", here as {name}", name=name) if name != species.name else ""),
        )
        return {"FINISHED"}


CLASSES = (
    ARTFISH_OT_forget_grid,
    ARTFISH_OT_wear_picture,
    ARTFISH_OT_take_off_picture,
    ARTFISH_OT_save_profile,
)
