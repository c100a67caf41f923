"""The picture in the Image Editor, and the base of the operators on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..blender.messages import plain
from ..blender.words import translated

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


def shown(context: bpy.types.Context) -> bpy.types.Image | None:
    """The picture in the Image Editor, if there is one and it is a still."""
    image = getattr(context.space_data, "image", None) if context.space_data else None
    return image if image is not None and image.source in ("FILE", "GENERATED", "TILED", "VIEWER") else None


class OnPicture(bpy.types.Operator):
    """Base of the operators on the picture in the Image Editor."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a picture; a script names one."""
        cls.poll_message_set(translated("Open a picture of a fish in the Image Editor first"))
        if context.space_data is not None and context.space_data.type == "IMAGE_EDITOR":
            return shown(context) is not None
        return len(bpy.data.images) > 0

    def picture(self, context: bpy.types.Context) -> bpy.types.Image:
        """The named picture, or else the one on show.

        Raises:
            ValueError: There is none.
        """
        name = getattr(self, "image", "")
        image = bpy.data.images.get(name) if name else shown(context)
        if image is None:
            raise ValueError(
                translated("There is no image {name!r}", name=name)
                if name
                else "No picture is shown in an Image Editor"
            )
        if image.library is not None:
            raise ValueError(translated("{image} is linked from another file: make it local first", image=image.name))
        return image

    def refuse(self, error: Exception) -> set[Result]:
        """Reports the error and changes nothing."""
        self.report({"ERROR"}, plain(error))
        return {"CANCELLED"}


def image_name() -> Any:
    """A property that names a picture."""
    return bpy.props.StringProperty(
        name="Image", description="Name of the picture; the one in the Image Editor if empty", options={"SKIP_SAVE"}
    )
