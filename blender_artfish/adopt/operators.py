"""Operators that examine a model, make it a species, and show its open edges."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from ..blender import runtime, viewport
from ..blender.handlers import HandlerTurn, hears, together
from ..blender.words import Message, translated
from ..identity.precision import short
from ..identity.roles import MESH_LIKE
from ..identity.units import metres
from ..scene.operators import Tool
from ..species import library
from ..species.editing import take
from .properties import AXIS_ITEMS

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

    from .adopting import ModelLook
    from .reading import Brought

GUESS = ("GUESS", "Found Out", "Told from the form of the model")
ARROW_ROOM = 0.2
"""Margin about a model in the view, over its length."""
CHOOSE: Message = "Select the mesh objects of one fish, or choose a file"


class Looked:
    """The model that was examined last.

    Attributes:
        seen: The result; None before the first.
        key: Its identity: the path of a file, or the names of objects.
        lines: Remarks about it.
    """

    def __init__(self) -> None:
        """Start with no model."""
        self.seen: ModelLook | None = None
        self.key: tuple[str, ...] = ()
        self.lines: tuple[str, ...] = ()


def key_of(context: bpy.types.Context, file: str = "") -> tuple[str, ...]:
    """Identity of the model the panel, or a path, refers to: its file, or the selected objects; () for none."""
    settings = context.scene.artfish_adoption
    if file or settings.source == "FILE":
        path = file or settings.file
        return (str(Path(bpy.path.abspath(path)).absolute()),) if path else ()
    return tuple(sorted(obj.name for obj in context.selected_objects if obj.type in MESH_LIKE))


def looked(context: bpy.types.Context) -> Looked | None:
    """The last examination, if it is of the model the panel refers to now."""
    there = runtime.of(Looked)
    return there if there.seen is not None and there.key == key_of(context) else None


class Adopting(Tool):
    """Base of the operators on a model."""

    file: bpy.props.StringProperty(
        name="File", description="The model; what the panel says if left out", subtype="FILE_PATH"
    )

    def source(self, context: bpy.types.Context) -> AbstractContextManager[Brought]:
        """The model, to be opened.

        Raises:
            SceneError: There is none, or its pictures were painted and not saved.
        """
        from ...core.base.codec import SceneError
        from .reading import opened, picked, unsaved_pictures

        key = key_of(context, self.file)
        if not key:
            raise SceneError("no model", "one or more selected mesh objects, or a file", key="model")
        if self.file or context.scene.artfish_adoption.source == "FILE":
            return opened(key[0])
        objects = [context.scene.objects[name] for name in key]
        unsaved = unsaved_pictures(objects)
        if unsaved:
            raise SceneError(
                translated("{unsaved}, which was painted and not saved", unsaved=unsaved[0]),
                "pictures that are saved: Image > Save",
                key="picture",
            )
        return picked(objects)


class ARTFISH_OT_adopt_look(Adopting):
    """Look where nose and back of the model are, how long it is, and whether anything is wrong with it"""

    bl_idname = "artfish.adopt_look"
    bl_label = "Look at the Model"

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Turns the view to a model in the scene, so that the arrows are seen."""
        result = self.execute(context)
        there = looked(context)
        if there is not None and there.seen is not None and context.scene.artfish_adoption.source == "SELECTED":
            places, reach = there.seen.model.vertices, ARROW_ROOM * there.seen.pose.length
            low, high = places.min(axis=0) - reach, places.max(axis=0) + reach
            viewport.frame(context, _vector(low.tolist()), _vector(high.tolist()))
        return result

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Fills in the panel, where an animator corrects what is wrong."""
        from ...core.base.codec import SceneError
        from .adopting import look

        there, settings = runtime.of(Looked), context.scene.artfish_adoption
        try:
            there.seen = look(self.source(context))
        except SceneError as error:
            there.seen = None
            return self.refuse(error)
        if self.file:
            settings.source, settings.file = "FILE", self.file
        there.key = key_of(context, self.file)
        there.lines = tuple(fault.text for fault in there.seen.faults)
        pose = there.seen.pose
        settings.ahead, settings.up = pose.ahead, pose.up
        settings.length = _length(context, pose.length)
        settings.called = library.stem(_title(there.key)) or "fish"
        self.report(
            {"INFO"},
            translated(
                "Its nose points along {ahead}, its back along {up}, as the arrows show", ahead=pose.ahead, up=pose.up
            ),
        )
        return {"FINISHED"}


class ARTFISH_OT_adopt(Adopting):
    """Make the model a species of your own, in its own form and skin, and take it into this file"""

    bl_idname = "artfish.adopt"
    bl_label = "Adopt"

    name: bpy.props.StringProperty(name="Name", description="Of the new species; the model's if left out")
    ahead: bpy.props.EnumProperty(name="Nose", description="Where its nose points", items=[GUESS, *AXIS_ITEMS])
    up: bpy.props.EnumProperty(name="Back", description="Where its back points", items=[GUESS, *AXIS_ITEMS])
    length: bpy.props.FloatProperty(
        name="Length", description="In metres, from nose to tail; the model's own if 0", min=0.0, max=20.0
    )

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Writes the species and its model into the animator's own library, whole or not at all."""
        from ...core.base.codec import SceneError
        from ...core.base.files import ensure_folder
        from .adopting import UnfitModelError, adopt

        said = self._said(context)
        name = library.stem(said["name"] or _title(key_of(context, self.file)))
        if wrong := _misnamed(name):
            return self.refuse(wrong)
        ahead, up = ("" if word == GUESS[0] else word for word in (said["ahead"], said["up"]))
        try:
            source = self.source(context)
            ensure_folder(library.folder())
            path, length = library.folder() / f"{name}.json", short(said["length"]) or None
            adopted = adopt(source, path, ahead=ahead, up=up, length=length)
        except UnfitModelError as error:
            return self.refuse(str(error))
        except SceneError as error:
            return self.refuse(error)
        runtime.of(Looked).lines = adopted.notes
        _take(context, adopted.species)
        self.report(
            {"INFO"},
            translated("Adopted {species}: choose it wherever species are chosen", species=adopted.species.common_name),
        )
        return {"FINISHED"}

    def _said(self, context: bpy.types.Context) -> dict[str, Any]:
        """Settings for the model: from the caller, or else from the panel if it is about the same model."""
        panel, there = context.scene.artfish_adoption, runtime.of(Looked)
        same = not self.file and (there.seen is None or there.key == key_of(context))
        found = {}
        for own, shown in (("name", "called"), ("ahead", "ahead"), ("up", "up"), ("length", "length")):
            by_panel = same and not self.properties.is_property_set(own) and panel.is_property_set(shown)
            found[own] = getattr(panel, shown) if by_panel else getattr(self, own)
        return found


class ARTFISH_OT_adopt_open_edges(Tool):
    """Select the edges of these meshes that have a face on one side only, where they are open, in Edit Mode"""

    bl_idname = "artfish.adopt_open_edges"
    bl_label = "Select Open Edges"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Only what stands in the scene can be selected."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Select mesh objects of this scene first; import a file to look at it"))
        return any(obj.type == "MESH" for obj in context.selected_objects)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Enters Edit Mode with the open edges selected, if there are any."""
        from .edges import open_edges

        meshes = [obj for obj in context.selected_objects if obj.type == "MESH"]
        found = {obj: open_edges(obj.data) for obj in meshes if obj.library is None and obj.data.library is None}
        count = sum(len(rows) for rows in found.values())
        if not count:
            self.report({"INFO"}, translated("No edge is open"))
            return {"CANCELLED"}
        places = []
        for obj, rows in found.items():
            mesh: Any = obj.data
            chosen = [False] * len(mesh.edges)
            ends = [False] * len(mesh.vertices)
            for row in rows:
                chosen[row] = True
                for end in mesh.edges[row].vertices:
                    ends[end] = True
                    places.append(obj.matrix_world @ mesh.vertices[end].co)
            mesh.vertices.foreach_set("select", ends)
            mesh.edges.foreach_set("select", chosen)
            mesh.polygons.foreach_set("select", [False] * len(mesh.polygons))
        context.view_layer.objects.active = next(obj for obj, rows in found.items() if len(rows))
        context.tool_settings.mesh_select_mode = (False, True, False)
        bpy.ops.object.mode_set(mode="EDIT")
        low, high = ([end(place[axis] for place in places) for axis in range(3)] for end in (min, max))
        viewport.frame(context, _vector(low), _vector(high))
        self.report(
            {"INFO"},
            translated("{count:,} open edges are selected: F fills a gap, Merge by Distance closes seams", count=count),
        )
        return {"FINISHED"}


def _vector(place: list[float]) -> Any:
    from mathutils import Vector

    return Vector(place)


def _title(key: tuple[str, ...]) -> str:
    """Name of a model: its file's stem, or the first of its objects."""
    return "" if not key else Path(key[0]).stem if len(key) == 1 and Path(key[0]).is_absolute() else key[0]


def _misnamed(name: str) -> Message:
    """Why a species cannot have this name, in a line; "" if it can."""
    if not name:
        return "A name needs letters or digits"
    if name in library.presets():
        return translated("{name} is a preset: choose another name", name=name)
    if name in library.own() and not (library.folder() / f"{name}.blend").is_file():
        return translated("There is a {name} among your species already: choose another name", name=name)
    return ""


def _length(context: bpy.types.Context, length: float) -> float:
    """A model's length in metres: a scene's unit scales its own models; a file's are in a likely unit."""
    from ...core.adopt.nature import likely_metres

    if context.scene.artfish_adoption.source == "SELECTED":
        length *= metres(context.scene)
    return likely_metres(length, [])


def _take(context: bpy.types.Context, species: Any) -> None:
    """Bring a species into this file, replacing an earlier one of its name."""
    entries = context.scene.artfish.species
    index = entries.find(species.name)
    if index < 0:
        take(context, species, species.name, "")
        return
    with together(entries[index], context):
        library.fill(entries[index], species)
        context.scene.artfish.active_species = index


@hears(HandlerTurn.DISPLAY, "load_pre")
def _forget(*_: Any) -> None:
    """Drop the last examination, since another file has other models."""
    runtime.drop(Looked)


CLASSES = (ARTFISH_OT_adopt_look, ARTFISH_OT_adopt, ARTFISH_OT_adopt_open_edges)
