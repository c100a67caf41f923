"""What picks, shapes, keeps and restores species, and shows one while it is shaped."""

from __future__ import annotations

from math import atan2
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy_extras.io_utils import ExportHelper, ImportHelper
from mathutils import Matrix, Vector

from ..blender.handlers import together
from ..scene.operators import Tool
from ..scene.properties import settings_of
from . import deletion, library, preview

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

    from ...core.scene.species import Species

VIEW = 1.7
"""Distance from which the view looks at a preview, in body lengths."""
FEWEST = {"back": 3, "belly": 3, "half_width": 3, "caudal": 3, "dorsal": 2, "ventral": 2}
"""Points that each outline needs, as the form's own check says."""
NEW_ROWS = {"bands": (0.5, 0.1, 0.0, 0.0), "patches": (0.5, 0.5, 0.1, 0.1, 0.0, 1.0)}
"""What the first row of a list of markings says."""


def active(context: bpy.types.Context) -> Any:
    """The edited species that the panel shows, or None."""
    settings = settings_of(context)
    there = 0 <= settings.active_species < len(settings.species)
    return settings.species[settings.active_species] if there else None


class Shaping(Tool):
    """What operators on the species that the panel shows have in common."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a species in this file."""
        cls.poll_message_set("Pick a species first")
        return active(context) is not None


def take(context: bpy.types.Context, species: Species, name: str, origin: str) -> Any:
    """Adds a species to those of this file under this name, and shows it."""
    settings = settings_of(context)
    entry = settings.species.add()
    entry.name, entry.origin = name, origin
    with together(entry, context):
        library.fill(entry, species)
        settings.active_species = len(settings.species) - 1
    return entry


def rename(context: bpy.types.Context, entry: Any, name: str) -> None:
    """Calls an edited species otherwise; shoals that are of it go on to be."""
    before, entry.name = entry.name, name
    preview.rename(context.scene, before, name)
    for thing in context.scene.objects:
        if thing.artfish.kind == "SHOAL" and thing.artfish.shoal.species == before and thing.library is None:
            thing.artfish.shoal.species = name


class ARTFISH_OT_species_pick(Tool):
    """Take this species into the file, to be shaped here; the preset stays as it is"""

    bl_idname = "artfish.species_pick"
    bl_label = "Pick Species"

    name: bpy.props.StringProperty(name="Species", description="A preset, or one of your own")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Always."""
        return True

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Shows it if it is here already, or else reads it."""
        from ...core.base.codec import SceneError

        settings = settings_of(context)
        if not self.name:
            self.report({"WARNING"}, "Choose a species from the menu of the panel Species")
            return {"CANCELLED"}
        if self.name in library.edited(context.scene):
            settings.active_species = library.edited(context.scene).index(self.name)
            return {"FINISHED"}
        try:
            species = library.load(self.name)
        except SceneError as error:
            return self.refuse(error)
        take(context, species, self.name, self.name if self.name in library.presets() else "")
        return {"FINISHED"}


class ARTFISH_OT_species_copy(Shaping):
    """Make another species that begins as this one"""

    bl_idname = "artfish.species_copy"
    bl_label = "Duplicate"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Under a name of its own."""
        from ...core.base.codec import SceneError

        entry = active(context)
        try:
            species = library.species_of(entry)
        except SceneError as error:
            return self.refuse(error)
        # Adding may move the entries of a collection, so all that is needed of this one is read before.
        name, origin = library.free_name(entry.name, context.scene), entry.origin
        made = take(context, species, name, origin)
        made.about.common_name = f"{species.common_name} {name.rpartition('_')[2]}"
        return {"FINISHED"}


class ARTFISH_OT_species_drop(Shaping):
    """Take this species out of the file; fishes of its name are again as its preset, or as you saved it"""

    bl_idname = "artfish.species_drop"
    bl_label = "Take Out of This File"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Removes what was changed here; says which shoals have no species any more."""
        settings, name = settings_of(context), active(context).name
        with together(settings, context):
            settings.species.remove(settings.active_species)
            settings.active_species = min(settings.active_species, len(settings.species) - 1)
        preview.forget(context.scene, name)
        if name not in library.names():
            left = [thing.name for thing in users(name)]
            if left:
                self.report({"WARNING"}, f"There is no {name} any more, but {', '.join(left)} asks for it")
        return {"FINISHED"}


class ARTFISH_OT_species_save(Shaping):
    """Keep this species among your own, for every file"""

    bl_idname = "artfish.species_save"
    bl_label = "Save"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """A preset is never overwritten."""
        if not super().poll(context):
            return False
        cls.poll_message_set("This is the name of a preset: save it as one of your own")
        return active(context).name not in library.presets()

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Writes it whole or not at all."""
        from ...core.base.codec import SceneError

        try:
            library.save(library.species_of(active(context)))
        except SceneError as error:
            return self.refuse(error)
        self.report({"INFO"}, f"Saved {active(context).name} among your species")
        return {"FINISHED"}


class ARTFISH_OT_species_save_as(Shaping):
    """Keep this species among your own under a new name, for every file; its shoals here take the name"""

    bl_idname = "artfish.species_save_as"
    bl_label = "Save as Your Own"

    name: bpy.props.StringProperty(name="Name", description="Of the new species")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Asks for the name."""
        name = active(context).name
        saved = name in library.presets() or name in library.own()
        self.name = library.free_name(name, context.scene) if saved else name
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Writes it whole or not at all, then renames."""
        from ...core.base.codec import SceneError
        from ...core.scene.species import Species

        entry, name = active(context), library.stem(self.name)
        if not name:
            self.report({"ERROR"}, "A name needs letters or digits")
            return {"CANCELLED"}
        if name in library.names(context.scene) and (name != entry.name or name in library.presets()):
            self.report({"ERROR"}, f"There is a {name} already; choose another name")
            return {"CANCELLED"}
        try:
            data = library.species_of(entry).to_dict() | {"name": name}
            if entry.about.common_name == common_name(entry.origin) and name != entry.name:
                data["common_name"] = self.name.strip() if self.name != name else name.replace("_", " ").capitalize()
            library.save(Species.from_dict(data, name))
        except SceneError as error:
            return self.refuse(error)
        with together(entry, context):
            rename(context, entry, name)
            entry.about.common_name = data["common_name"]
        self.report({"INFO"}, f"Saved {name} among your species")
        return {"FINISHED"}


class ARTFISH_OT_species_restore(Shaping):
    """Undo all changes to this species in this file"""

    bl_idname = "artfish.species_restore"
    bl_label = "Restore"

    to: bpy.props.EnumProperty(
        name="To",
        description="What it is to be again",
        items=[
            ("SAVED", "As Saved", "As it is among your own species"),
            ("PRESET", "To the Preset", "As the preset that it was made from"),
        ],
        default="PRESET",
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs something to go back to."""
        if not super().poll(context):
            return False
        cls.poll_message_set("It was made from no preset and is not saved")
        entry = active(context)
        return entry.origin in library.presets() or entry.name in library.own()

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Reads it whole before anything is changed."""
        from ...core.base.codec import SceneError

        entry = active(context)
        name = entry.name if self.to == "SAVED" else entry.origin
        if name not in (library.own() if self.to == "SAVED" else library.presets()):
            what = f"{entry.name} is not among your species" if self.to == "SAVED" else "It was made from no preset"
            self.report({"WARNING"}, what)
            return {"CANCELLED"}
        try:
            species = library.load(name)
        except SceneError as error:
            return self.refuse(error)
        called = entry.about.common_name
        with together(entry, context):
            library.fill(entry, species)
            if name != entry.name:
                entry.about.common_name = called
        return {"FINISHED"}


class ARTFISH_OT_species_delete(Shaping):
    """Delete this species from your own; this file keeps it until it is taken out here, too"""

    bl_idname = "artfish.species_delete"
    bl_label = "Delete From Your Own"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs one that was saved."""
        if not super().poll(context):
            return False
        cls.poll_message_set("It is not among your species")
        return active(context).name in library.own()

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Asks, as other files may need it."""
        return context.window_manager.invoke_confirm(self, event)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Removes the file, not what stands here."""
        from ...core.base.codec import SceneError

        name = active(context).name
        try:
            deletion.delete(name)
        except SceneError as error:
            return self.refuse(error)
        self.report({"INFO"}, f"Deleted {name} from your species; this file keeps it")
        return {"FINISHED"}


class ARTFISH_OT_species_import(Tool, ImportHelper):  # type: ignore[misc]
    """Take a species out of a file, to be shaped here"""

    bl_idname = "artfish.species_import"
    bl_label = "Import Species"
    filename_ext = ".json"
    filter_glob: bpy.props.StringProperty(default="*.json", options={"HIDDEN"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Always."""
        return True

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Reads and checks it whole before anything is changed; a name that is taken gets a number."""
        from ...core.base.codec import SceneError
        from ...core.scene.species import Species

        try:
            species = Species.load(str(Path(bpy.path.abspath(self.filepath)).absolute()))
        except SceneError as error:
            return self.refuse(error)
        name = library.free_name(species.name, context.scene)
        take(context, species, name, "")
        self.report({"INFO"}, f"Imported {species.name}" + (f" as {name}" if name != species.name else ""))
        return {"FINISHED"}


class ARTFISH_OT_species_export(Shaping, ExportHelper):  # type: ignore[misc]
    """Write this species as a file, the same kind as the presets; it is named after the file"""

    bl_idname = "artfish.species_export"
    bl_label = "Export Species"
    bl_options = {"REGISTER"}
    filename_ext = ".json"
    filter_glob: bpy.props.StringProperty(default="*.json", options={"HIDDEN"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:  # type: ignore[override]
        """Offers the species' own name."""
        self.filepath = f"{active(context).name}.json"
        return ExportHelper.invoke(self, context, event)  # type: ignore[func-returns-value]

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Writes it whole or not at all."""
        from ...core.base.codec import SceneError
        from ...core.scene.species import Species

        path = Path(bpy.path.abspath(self.filepath))
        try:
            data = library.species_of(active(context)).to_dict() | {"name": path.stem}
            Species.from_dict(data, path.name).save(path)
        except SceneError as error:
            return self.refuse(error)
        self.report({"INFO"}, f"Wrote {path.name}")
        return {"FINISHED"}


class ARTFISH_OT_preview(Shaping):
    """Show this species as a fish in the scene that follows your changes, or take that fish away"""

    bl_idname = "artfish.preview"
    bl_label = "Preview"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Surfaces are made in Object Mode only."""
        if not super().poll(context):
            return False
        cls.poll_message_set("Go to Object Mode first")
        return context.mode == "OBJECT"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Makes it, or removes the one that stands there."""
        from ...core.base.codec import SceneError

        if preview.remove(context.scene):
            return {"FINISHED"}
        try:
            preview.make(context.scene, library.species_of(active(context)))
        except SceneError as error:
            return self.refuse(error)
        return {"FINISHED"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Also turns the view to it, and its left flank to the view: most are too small to be seen from afar."""
        result, root = self.execute(context), preview.find(context.scene)
        if root is not None and context.space_data is not None and context.space_data.type == "VIEW_3D":
            look_at(context, root)
            towards = context.space_data.region_3d.view_rotation @ Vector((0.0, 0.0, 1.0))
            root.rotation_quaternion = Matrix.Rotation(atan2(-towards.x, towards.y), 3, "Z").to_quaternion()
        return result


class ARTFISH_OT_preview_look(Shaping):
    """Turn the view to the preview"""

    bl_idname = "artfish.preview_look"
    bl_label = "Look at the Preview"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a preview and a view."""
        cls.poll_message_set("There is no preview in this scene")
        seen = context.space_data is not None and context.space_data.type == "VIEW_3D"
        return seen and preview.find(context.scene) is not None

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """From where the view looks now, so far that the fish fills it."""
        look_at(context, preview.find(context.scene))
        return {"FINISHED"}


class OnRows(Shaping):
    """What operators on a list of rows have in common."""

    def rows(self, context: bpy.types.Context, part: str, field: str) -> tuple[Any, Any]:
        """The part of the species and the list in it; neither, and a word, where they are not named as they must be."""
        held = getattr(active(context), part) if part in ("form", "looks") else None
        if held is None or field not in {*FEWEST, *NEW_ROWS} or not hasattr(held, field):
            self.report({"WARNING"}, "Use the buttons beside the rows of an outline or a pattern")
            return None, None
        return held, getattr(held, field)


class ARTFISH_OT_row_add(OnRows):
    """Add a row, halfway to the next one"""

    bl_idname = "artfish.row_add"
    bl_label = "Add Row"

    part: bpy.props.StringProperty(name="Part", description="Of the species")
    field: bpy.props.StringProperty(name="Field", description="List of rows")
    index: bpy.props.IntProperty(name="Index", description="Row after which it comes", default=-1)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Halfway to the next row, or as far beyond the last as that is from the one before."""
        held, rows = self.rows(context, self.part, self.field)
        if rows is None:
            return {"CANCELLED"}
        with together(held, context):
            values = halfway([tuple(row.values) for row in rows], self.index, NEW_ROWS.get(self.field))
            rows.add().values = values
            rows.move(len(rows) - 1, self.index + 1)
        return {"FINISHED"}


class ARTFISH_OT_row_remove(OnRows):
    """Remove this row"""

    bl_idname = "artfish.row_remove"
    bl_label = "Remove Row"

    part: bpy.props.StringProperty(name="Part", description="Of the species")
    field: bpy.props.StringProperty(name="Field", description="List of rows")
    index: bpy.props.IntProperty(name="Index", description="Which row", default=-1)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Not below what an outline needs."""
        (held, rows), fewest = self.rows(context, self.part, self.field), FEWEST.get(self.field, 0)
        if rows is None:
            return {"CANCELLED"}
        if len(rows) <= fewest:
            self.report({"WARNING"}, f"An outline like this needs {fewest} points")
            return {"CANCELLED"}
        if not 0 <= self.index < len(rows):
            self.report({"WARNING"}, f"There is no row {self.index}")
            return {"CANCELLED"}
        with together(held, context):
            rows.remove(self.index)
        return {"FINISHED"}


def halfway(rows: list[tuple], index: int, first: tuple | None) -> tuple:
    """Values for a row after this one: between two, or a small step beyond the last."""
    if not rows:
        return first or ()
    if first:  # markings stand by themselves
        return rows[index]
    if index + 1 < len(rows):
        return tuple((a + b) / 2 for a, b in zip(rows[index], rows[index + 1], strict=True))
    step = 0.5 * (rows[-1][0] - rows[-2][0]) if len(rows) > 1 else 0.05
    return (rows[-1][0] + step, *rows[-1][1:])


def look_at(context: bpy.types.Context, root: bpy.types.Object) -> None:
    """Turn the view to a preview, from the side from which it looks now."""
    context.view_layer.update()  # a new object has no place yet
    view = context.space_data.region_3d
    length = preview.AXES * root.empty_display_size
    view.view_location = root.matrix_world.translation
    view.view_distance = VIEW * length
    if view.view_perspective == "CAMERA":
        view.view_perspective = "PERSP"


def common_name(name: str) -> str:
    """What a person calls a preset; "" where there is none."""
    return library.load(name).common_name if name in library.presets() else ""


def users(name: str) -> list[bpy.types.Object]:
    """Shoals of this species."""
    held = [thing for thing in bpy.data.objects if thing.artfish.kind == "SHOAL"]
    return [thing for thing in held if thing.artfish.shoal.species == name]


CLASSES = (
    ARTFISH_OT_species_pick,
    ARTFISH_OT_species_copy,
    ARTFISH_OT_species_drop,
    ARTFISH_OT_species_save,
    ARTFISH_OT_species_save_as,
    ARTFISH_OT_species_restore,
    ARTFISH_OT_species_delete,
    ARTFISH_OT_species_import,
    ARTFISH_OT_species_export,
    ARTFISH_OT_preview,
    ARTFISH_OT_preview_look,
    ARTFISH_OT_row_add,
    ARTFISH_OT_row_remove,
)
