"""Operators that load preset scenes and scene files: in place of the water's contents, or beside them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy_extras.io_utils import ImportHelper
from mathutils import Matrix, Vector

from ..blender import viewport
from ..blender.handlers import together
from ..blender.words import listed, translated
from ..identity.roles import objects_of, world
from ..identity.units import in_metres, metres
from ..species import library
from ..species.editing import take
from . import sight
from .operators import NO_FILE, Tool
from .placing import Box, Gathering, beside, on_floor, seen_place, sees
from .properties import preset_items, settings_of

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

    from ...core import Scene

LEAST_SUBJECT = 0.5
"""Metres about the middle of fishes that a camera is to see."""
SQUARE = 1e-5
"""Largest tilt of a tank's axes that still counts as upright."""


class Loader(Tool):
    """Base of the operators that load scenes."""

    mode: bpy.props.EnumProperty(
        name="Mode",
        description="What becomes of what stands in the water",
        items=[
            ("REPLACE", "Replace", "What Artfish made to stand in the water goes; your own objects stay"),
            ("ADD", "Add", "All stays, the water grows to one side, and the other scene comes in there"),
        ],
        options={"SKIP_SAVE"},
    )
    place: bpy.props.EnumProperty(
        name="Place",
        description="Where the middle of the tank's floor comes to stand",
        items=[
            (
                "CLEAR",
                "Clear",
                "At the 3D cursor, behind meshes there, or else where your camera looks",
            ),
            ("CURSOR", "Cursor", "At the 3D cursor, whatever is there"),
            ("ORIGIN", "Corner", "The corner of the tank at the world's origin, as the numbers of the file have it"),
        ],
        options={"SKIP_SAVE"},
    )
    timing: bpy.props.EnumProperty(
        name="Time",
        description="Whose frame rate and frames there are then",
        items=[
            ("TAKE", "Of the Preset", "Frame rate and last frame become those of what is loaded"),
            ("KEEP", "Of This File", "Frame rate and frames stay as they are"),
        ],
        options={"SKIP_SAVE"},
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Keeps frame rate and frames if something else depends on them, unless set."""
        if not self.properties.is_property_set("timing"):
            self.timing = usual_timing(context.scene)
        return self.execute(context)

    def load(self, context: bpy.types.Context, name: str) -> set[Result]:
        """Reads a preset or a file completely, and then makes its objects."""
        from ...core import Scene, SceneError
        from ..identity.film_time import film

        if not name:
            return self.refuse(NO_FILE)
        scene = context.scene
        try:
            loaded = Scene.load(name, library.names(scene))
            for stem, species in loaded.models.items():
                library.bring_model(species, Path(name).absolute().parent)
                take(context, species, stem, "")
            adding = self.mode == "ADD" and bool(objects_of(scene))
            kept = adding or self.timing == "KEEP"
            first, last = film(scene)
            pace, frames = loaded.fps, loaded.frames
            if kept:
                loaded = replace(loaded, fps=float(f"{scene.render.fps / scene.render.fps_base:.7g}"))
            before = translated(
                "{fps:g} fps, frames {first} to {last}",
                fps=scene.render.fps / scene.render.fps_base,
                first=first,
                last=last,
            )
            with together(settings_of(context), context):
                said = self._join(context, loaded) if adding else self._replace(context, loaded, not kept)
        except SceneError as error:
            return self.refuse(error)
        if kept:
            said += translated(
                "; kept {before} (it is made for {pace:g} fps and {frames} frames)",
                before=before,
                pace=pace,
                frames=frames,
            )
        else:
            said += translated(
                "; {fps:g} fps, frames {film} to {other}",
                fps=scene.render.fps / scene.render.fps_base,
                film=film(scene)[0],
                other=film(scene)[1],
            )
            said += translated(" (before: {before})", before=before)
        self.report({"INFO"}, translated(said))
        context.window_manager.artfish_gallery.shown = False
        return {"FINISHED"}

    def _replace(self, context: bpy.types.Context, loaded: Scene, time: bool) -> str:
        """Loads in place of the water's contents; returns the report."""
        from .objects import clear
        from .writer import write

        scene, size, subject = context.scene, Vector(loaded.tank.size), subject_of(loaded)
        clear(scene)
        context.view_layer.update()
        at = metres(scene) * scene.cursor.location
        if self.place == "CLEAR":
            at = seen_place(context, size, at, subject)
        box = Box(Vector(), size) if self.place == "ORIGIN" else on_floor(at, size)
        floor = 0.5 * (box.low + box.high)
        floor.z = box.low.z
        filmed = sees(context, sight.camera_of(scene), floor, subject)
        write(scene, loaded, box.low, time)
        show(context, box, through_camera=filmed or loaded.camera is not None)
        return translated("{count} fishes in {loaded}", count=loaded.count, loaded=loaded.name)

    def _join(self, context: bpy.types.Context, loaded: Scene) -> str:
        """Loads into the present water, which grows; returns the report.

        Raises:
            SceneError: The water cannot grow, and is too small.
        """
        from .tank import add_tank, size_of
        from .writer import join

        scene, size = context.scene, Vector(loaded.tank.size)
        context.view_layer.update()
        low, across = size_of(scene)
        water, tanks = Box(low, low + across), objects_of(scene, "TANK")
        if not tanks:
            tanks = [add_tank(scene, 0.5 * (water.low + water.high), across)]
            context.view_layer.update()
        if may_grow(tanks[0]):
            box = beside(context, water, size)
            whole = water.with_other(box)
            stretch(tanks[0], water, whole, metres(scene))
        else:
            box, whole = within(tanks[0], water, loaded), water
        out = join(scene, loaded, box.low)
        context.view_layer.update()
        show(context, whole)
        lengths = " × ".join(f"{length:.3g}" for length in whole.size[:])
        said = translated("{count} fishes of {name} added", count=loaded.count, name=loaded.name)
        if out:
            said += translated(", without its {parts}", parts=listed(out))
        return said + translated("; the water is {lengths} m now", lengths=lengths)


class ARTFISH_OT_load_preset(Loader):
    """Put a preset scene in place of what stands in the water, or beside it"""

    bl_idname = "artfish.load_preset"
    bl_label = "Load Preset Scene"

    preset: bpy.props.EnumProperty(name="Scene", description="Which preset scene", items=preset_items())

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Reads the preset and makes its objects."""
        return self.load(context, self.preset)


class ARTFISH_OT_load_scene(Loader, ImportHelper):  # type: ignore[misc]
    """Put the scene of a file in place of what stands in the water, or beside it"""

    bl_idname = "artfish.load_scene"
    bl_label = "Load Scene File"
    filename_ext = ".json"
    filter_glob: bpy.props.StringProperty(default="*.json", options={"HIDDEN"})

    def invoke(  # type: ignore[override]
        self, context: bpy.types.Context, event: bpy.types.Event
    ) -> set[Result]:
        """Opens the File Browser, with the options at its side."""
        if not self.properties.is_property_set("timing"):
            self.timing = usual_timing(context.scene)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Reads the file completely before anything is changed."""
        return self.load(context, self.filepath)


class ARTFISH_OT_clear_water(Tool):
    """Take all that Artfish made out of the water, and the tank with it; your own objects stay"""

    bl_idname = "artfish.clear_water"
    bl_label = "Remove Preset"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs an object in the water."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Nothing stands in the water"))
        return bool(objects_of(context.scene))

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Clears the water, and restores the scene's former camera."""
        from .objects import clear

        scene = context.scene
        with together(settings_of(context), context):
            clear(scene)
        camera = scene.camera.name if scene.camera else "none"
        rate = scene.render.fps / scene.render.fps_base
        time = translated(
            "{rate:g} fps, frames {frame_start} to {frame_end}",
            rate=rate,
            frame_start=scene.frame_start,
            frame_end=scene.frame_end,
        )
        self.report(
            {"INFO"},
            translated("The water is gone; the scene's camera is {camera}, and {time} stay", camera=camera, time=time),
        )
        return {"FINISHED"}


def subject_of(loaded: Scene) -> Gathering:
    """Where most fishes of a scene begin."""
    size = Vector(loaded.tank.size)
    floor = Vector((0.5 * size.x, 0.5 * size.y, 0.0))
    shoals, count = loaded.fishes, max(loaded.count, 1)
    if not shoals:
        return Gathering(Vector((0.0, 0.0, 0.5 * size.z)), LEAST_SUBJECT)
    middle = sum((shoal.count * Vector(shoal.at) for shoal in shoals), Vector()) / count
    apart = sum(shoal.count * ((Vector(shoal.at) - middle).length + shoal.spread) for shoal in shoals) / count
    return Gathering(middle - floor, max(apart, LEAST_SUBJECT))


def usual_timing(scene: bpy.types.Scene) -> str:
    """Default timing: the open file's if anything beside the water is animated, else the loaded scene's."""
    others = [obj for obj in scene.objects if obj.artfish.kind == "NONE"]
    return "KEEP" if any(obj.animation_data and obj.animation_data.action for obj in others) else "TAKE"


def may_grow(tank: bpy.types.Object) -> bool:
    """True if a tank is an upright box of edges, moved by nothing but its own location and scale."""
    mesh = tank.data
    free = not (tank.parent or tank.animation_data or tank.constraints or tank.library or tank.override_library)
    if not free or not isinstance(mesh, bpy.types.Mesh) or mesh.polygons or tank.modifiers:
        return False
    axes = world(tank).to_3x3()
    return all(abs(axes[i][j]) < SQUARE * axes.median_scale for i in range(3) for j in range(3) if i != j)


def stretch(tank: bpy.types.Object, water: Box, whole: Box, unit: float) -> None:
    """Stretch a tank that fills one box, in metres, to fill another."""
    share = Vector([new / old for new, old in zip(whole.size[:], water.size[:], strict=True)])
    shift = Matrix.Translation(whole.low) @ Matrix.Diagonal(share.to_4d()) @ Matrix.Translation(-water.low)
    tank.matrix_world = Matrix.Scale(1.0 / unit, 4) @ shift @ in_metres(world(tank), unit)


def within(tank: bpy.types.Object, water: Box, loaded: Scene) -> Box:
    """The box of a loaded scene in water that cannot grow.

    Raises:
        SceneError: The scene is larger.
    """
    from ...core import SceneError

    size = Vector(loaded.tank.size)
    if any(length > most + 1e-6 for length, most in zip(size[:], water.size[:], strict=True)):
        needs, has = (" × ".join(f"{length:.3g}" for length in lengths[:]) + " m" for lengths in (size, water.size))
        raise SceneError(
            translated("water of {has}", has=has),
            translated("{needs} for {loaded}: make it larger, or Replace", needs=needs, loaded=loaded.name),
            tank.name,
        )
    middle = 0.5 * (water.low + water.high)
    middle.z = water.low.z
    return on_floor(middle, size)


def show(context: bpy.types.Context, box: Box, through_camera: bool = False) -> None:
    """Turn the view to the loaded scene."""
    unit = metres(context.scene)
    viewport.frame(context, box.low / unit, box.high / unit, through_camera)


CLASSES = (
    ARTFISH_OT_load_preset,
    ARTFISH_OT_load_scene,
    ARTFISH_OT_clear_water,
)
