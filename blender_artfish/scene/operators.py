"""Operators that add objects to the water, mark meshes, and save scene files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Vector

from ..blender import viewport
from ..blender.file_names import FileSaver
from ..blender.jobs import Job, JobOutcome, Steps, Work
from ..blender.messages import plain
from ..blender.words import Message, translated
from ..identity.roles import LINKED, MESH_LIKE, SINGLE, choose, is_linked, linked, next_order, objects_of
from ..identity.units import metres
from ..species import library
from . import remarks
from .placing import Gathering, seen_place
from .properties import KINDS

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

FIRST_TANK = (4.0, 3.0, 2.0)
"""Size of the tank that comes with the first shoal, metres."""
FIRST_SCHOOL = 6
FIRST_REACH = 0.22
"""Metres in view to each side of the middle of the first shoal: where most of its fishes are."""
PLACED = {"PLANKTON", "SEAWEED", "BUBBLES", "HOOK", "HEAT", "SPOT"}
ON_BED = {"SEAWEED", "BUBBLES"}
NO_FILE: Message = "No file was chosen: choose a scene file (.json)"
MARKS = {"OBSTACLE", "TANK", "BED"}


def kind_items(kinds: set[str]) -> list[tuple[str, str, str]]:
    """The entries of `KINDS` for these kinds."""
    return [item for item in KINDS if item[0] in kinds]


def species_items(self: Any, context: bpy.types.Context | None) -> list[tuple[str, str, str]]:
    """The species that a shoal may be of."""
    items = [
        (name, library.label(name), translated("Fishes of the species {name}", name=name))
        for name in library.names(context.scene if context else None)
    ]
    species_items.kept = items  # Blender keeps no reference to the strings
    return items


class Tool(bpy.types.Operator):
    """Base of the operators that change the scene in the water."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Objects come and go in Object Mode only."""
        linked = is_linked(context.scene)
        cls.poll_message_set(translated(LINKED if linked else "Go to Object Mode first"))
        return context.mode == "OBJECT" and not linked

    def added(self, context: bpy.types.Context, obj: bpy.types.Object) -> set[Result]:
        """Selects an added object, and reports it if it is out of sight."""
        context.view_layer.update()
        choose(context, obj)
        if not obj.visible_get():
            home = obj.users_collection[0].name
            self.report(
                {"WARNING"},
                translated(
                    "{obj} is in the collection {home}, which is hidden: show it to see it", obj=obj.name, home=home
                ),
            )
        return {"FINISHED"}

    def refuse(self, error: Exception | Message) -> set[Result]:
        """Reports the error and changes nothing."""
        self.report({"ERROR"}, plain(error) if isinstance(error, Exception) else translated(error))
        return {"CANCELLED"}


class ARTFISH_OT_add_shoal(Tool):
    """Add fishes that swim on their own, and a tank of water if there is none"""

    bl_idname = "artfish.add_shoal"
    bl_label = "Add Fishes"

    species: bpy.props.EnumProperty(name="Species", description="Which fishes", items=species_items)
    count: bpy.props.IntProperty(
        name="Number", description="How many fishes", default=FIRST_SCHOOL, min=1, soft_max=60, max=100_000
    )

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Puts an empty into the middle of the water, and selects it."""
        ensure_tank(context)
        shoal = put_shoal(context.scene, self.species or "clownfish", self.count, middle(context.scene))
        return self.added(context, shoal)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Clownfishes unless another species was added before; the first shoal is brought into view.

        If selected, its large sphere would dominate the view; it stays active, so that the panels show it.
        """
        if not self.properties.is_property_set("species"):
            self.species = "clownfish"
        first = not any(obj.artfish.kind == "SHOAL" for obj in context.scene.objects)
        result = self.execute(context)
        if first and context.object is not None and context.object.visible_get():
            shoal = context.object
            shoal.select_set(False)
            reach = Vector((FIRST_REACH / metres(context.scene),) * 3)
            viewport.frame(context, shoal.location - reach, shoal.location + reach)
        return result


class ARTFISH_OT_add_to_water(Tool):
    """Add something to the water, at the 3D cursor if that is in the tank and else in its middle"""

    bl_idname = "artfish.add_thing"
    bl_label = "Add to the Water"

    kind: bpy.props.EnumProperty(name="Kind", description="What to add", items=kind_items(PLACED | {"CURRENT"}))
    flow: bpy.props.EnumProperty(
        name="Current",
        description="How the water moves",
        items=[
            ("uniform", "Uniform", "Alike everywhere, along the arrow"),
            ("source", "Source", "Out of this place"),
            ("sink", "Sink", "Into this place"),
            ("vortex", "Vortex", "Around the arrow"),
        ],
    )

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Makes an empty of that kind, and selects it."""
        from .objects import add
        from .tank import size_of

        scene = context.scene
        if self.kind in SINGLE and (there := objects_of(scene, self.kind)):
            return self.refuse(
                translated(
                    "{name} is there already, and only one counts: select it, or remove it first", name=there[0].name
                )
            )
        low, size = size_of(scene)
        at = metres(scene) * scene.cursor.location
        if any(not low[axis] <= at[axis] <= low[axis] + size[axis] for axis in range(3)) or at.length == 0.0:
            at = middle(scene)
        if self.kind in ON_BED:
            at.z = low.z
        obj = add(scene, self.kind, at)
        if self.kind == "CURRENT":
            obj.artfish.current.kind = self.flow
            obj.name = f"{self.flow.capitalize()} current"
            if self.flow == "uniform":
                obj.rotation_euler.y = 1.5707963
        if self.kind == "PLANKTON":
            obj.artfish.plankton.count = 200
            obj.artfish.everywhere = False
        return self.added(context, obj)


class ARTFISH_OT_add_pillar(Tool):
    """Add an upright pillar that fishes steer clear of"""

    bl_idname = "artfish.add_pillar"
    bl_label = "Add Pillar"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Puts it on the bed, beside the middle of the water."""
        from .objects import add
        from .obstacles import pillar_mesh
        from .tank import size_of

        low, size = size_of(context.scene)
        pillar = add(context.scene, "OBSTACLE", low + Vector((0.7 * size.x, 0.5 * size.y, 0.0)), pillar_mesh())
        pillar.name = "Pillar"
        pillar.scale = Vector((0.2, 0.2, 0.6 * size.z)) / metres(context.scene)
        pillar.artfish.pillar.upright = True
        return self.added(context, pillar)


class ARTFISH_OT_mark(Tool):
    """Let the selected objects be obstacles, the tank or the sea bed"""

    bl_idname = "artfish.mark"
    bl_label = "Mark as"

    kind: bpy.props.EnumProperty(
        name="Kind", description="What the selected objects are to be", items=kind_items(MARKS | {"NONE"})
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a mesh, or an object that Blender converts to or instances as meshes."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Select one or more mesh objects first, or instances of a collection"))
        return any(map(may_be_solid, context.selected_objects))

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Marks all selected objects; only one may be the tank."""
        able = may_be_solid if self.kind in ("OBSTACLE", "NONE") else is_mesh
        meshes = list(filter(able, context.selected_objects))
        if not meshes:
            return self.refuse(
                translated("{name} is no mesh: only an obstacle need not be one", name=context.selected_objects[0].name)
            )
        if word := linked(meshes):
            return self.refuse(word)
        if self.kind == "TANK":
            if len(meshes) > 1:
                return self.refuse(
                    translated("Found {count} selected meshes, but there can be only one tank", count=len(meshes))
                )
            for other in objects_of(context.scene, "TANK"):
                other.artfish.kind = "NONE"
        order = next_order(context.scene)
        for number, obj in enumerate(meshes):
            obj.artfish.kind, obj.artfish.order = self.kind, order + number
            if self.kind == "TANK":
                obj.display_type = "WIRE"
            self.say_doubt(context.scene, obj)
        return {"FINISHED"}

    def say_doubt(self, scene: bpy.types.Scene, obj: bpy.types.Object) -> None:
        """Reports a solid mesh without a clear inside, and notes it for panels."""
        from .soundness import doubt_about

        solid = obj.artfish.kind in ("OBSTACLE", "TANK") and obj.type == "MESH" and not obj.artfish.pillar.upright
        line = doubt_about(obj, metres(scene)) if solid else ""
        remarks.doubt(scene.session_uid, obj.name, line)
        if line:
            self.report({"WARNING"}, f"{obj.name}: {line}")


class ARTFISH_OT_remove(Tool):
    """Take what is selected out of the water; what is your own stays but is no part of it any more"""

    bl_idname = "artfish.remove"
    bl_label = "Remove"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs an object in the water."""
        cls.poll_message_set(translated("Select a shoal or something else in the water first"))
        return context.object is not None and context.object.artfish.kind != "NONE"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Deletes the empties and the tank that Artfish made; other objects lose their role."""
        active, chosen = context.object, context.selected_objects
        found = [obj for obj in (chosen if active in chosen else [active]) if obj.artfish.kind != "NONE"]
        if word := linked(found):
            return self.refuse(word)
        for obj in found:
            if not obj.artfish.made or obj.type != "EMPTY" and obj.artfish.kind != "TANK":
                obj.artfish.kind = "NONE"
        bpy.data.batch_remove([obj for obj in found if obj.artfish.kind != "NONE"])
        return {"FINISHED"}


class ARTFISH_OT_select(Tool):
    """Select this object"""

    bl_idname = "artfish.select"
    bl_label = "Select"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    name: bpy.props.StringProperty(name="Name", description="Of the object")

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Makes the object active."""
        obj = context.scene.objects.get(self.name)
        if obj is None:
            self.report(
                {"WARNING"},
                translated("There is no {name} any more", name=self.name)
                if self.name
                else translated("No object was named"),
            )
            return {"CANCELLED"}
        choose(context, obj)
        return {"FINISHED"}


class ARTFISH_OT_save_scene(Work, Tool, FileSaver):  # type: ignore[misc]
    """Write what stands in the water as a scene file, the same kind as one written by hand"""

    bl_idname = "artfish.save_scene"
    bl_label = "Save Scene File"
    bl_options = {"REGISTER"}
    filename_ext = ".json"
    filter_glob: bpy.props.StringProperty(default="*.json", options={"HIDDEN"})
    chosen: bpy.props.BoolProperty(
        name="Chosen", description="The file is chosen: write it", options={"HIDDEN", "SKIP_SAVE"}
    )
    browsing = False

    def invoke(  # type: ignore[override]
        self, context: bpy.types.Context, event: bpy.types.Event
    ) -> set[Result]:
        """Opens the File Browser, and then writes the file in steps."""
        if self.chosen:
            return Work.invoke(self, context, event)
        self.browsing = True
        return FileSaver.invoke(self, context, event)  # type: ignore[func-returns-value]

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Writes the file in one go, or, if it was chosen in the File Browser, begins the job."""
        if not self.browsing:
            return Work.execute(self, context)
        self.browsing = False
        bpy.ops.artfish.save_scene("INVOKE_DEFAULT", filepath=self.filepath, chosen=True)
        return {"FINISHED"}  # of choosing

    def new_job(self, context: bpy.types.Context) -> Job[JobOutcome]:
        """The job that writes the file, whole or not at all."""
        return Job(partial(_save, context.scene, self.file))


def _save(scene: bpy.types.Scene, path: str, job: Job) -> Steps[Callable[[], JobOutcome]]:
    """Reads the contents of the water, and returns a function that writes them.

    Raises:
        ValueError: No file was chosen, or the scene is invalid.
    """
    from .reader import read_steps

    if not path:
        raise ValueError(NO_FILE)
    job.text = "Reading the scene"
    yield
    _, reading = yield from read_steps(job, scene)

    def commit() -> JobOutcome:
        reading.scene.save(path)
        return JobOutcome(translated("Saved {name}", name=Path(path).name))

    return commit


def ensure_tank(context: bpy.types.Context) -> None:
    """Adds the tank of a first shoal where there is room for it, unless there is a tank."""
    from .tank import add_tank

    if not objects_of(context.scene, "TANK"):
        size = Vector(FIRST_TANK)
        half = Vector((0.0, 0.0, 0.5 * size.z))
        floor = seen_place(context, size, Vector(), Gathering(half, 0.5))
        add_tank(context.scene, floor + half, size)
        context.view_layer.update()


def put_shoal(scene: bpy.types.Scene, species: str, count: int, at: Vector) -> bpy.types.Object:
    """A new shoal of a species about a place in metres."""
    from .objects import add

    shoal = add(scene, "SHOAL", at)
    shoal.name = library.label(species)
    group = shoal.artfish.shoal
    group.species, group.count, group.spread = species, count, 0.5 if count > 1 else 0.0
    return shoal


def is_mesh(obj: bpy.types.Object) -> bool:
    """True if the object may be a tank or the bed."""
    return obj.type == "MESH"


def may_be_solid(obj: bpy.types.Object) -> bool:
    """True if the object may be an obstacle: a mesh, convertible to one, or a collection instance."""
    return obj.type in MESH_LIKE or obj.type == "EMPTY" and obj.instance_type == "COLLECTION"


def middle(scene: bpy.types.Scene) -> Vector:
    """The middle of the water, in metres."""
    from .tank import size_of

    low, size = size_of(scene)
    return low + 0.5 * size


CLASSES = (
    ARTFISH_OT_add_shoal,
    ARTFISH_OT_add_to_water,
    ARTFISH_OT_add_pillar,
    ARTFISH_OT_mark,
    ARTFISH_OT_remove,
    ARTFISH_OT_select,
    ARTFISH_OT_save_scene,
)
