"""Controllers of a shoal: its species' hand-made ones, or one learned here or read from a file.

The shoal stores the learned controller, so that a .blend needs no other file.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy_extras.io_utils import ImportHelper

from ..blender.file_names import FileSaver
from ..blender.jobs import Job, JobOutcome, Steps, Work
from ..blender.words import Message, translated
from ..identity.roles import LINKED, is_linked
from ..scene.operators import Tool
from ..species import library
from .course import course
from .properties import METHOD_CHOICES, MOST_SEED, MOST_STEPS, USUAL_STEPS

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


class _Shoal(Tool):
    """Base of the operators on the selected shoal."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a shoal, in any mode."""
        linked = is_linked(context.scene)
        cls.poll_message_set(translated(LINKED if linked else "Select a shoal first"))
        return not linked and context.object is not None and context.object.artfish.kind == "SHOAL"


class ARTFISH_OT_controller_choose(_Shoal, ImportHelper):  # type: ignore[misc]
    """Have these fishes swim and turn as one of their kind has learned, out of a file that artfish learn wrote"""

    bl_idname = "artfish.controller_choose"
    bl_label = "Choose Controller"
    filename_ext = ".json"
    filter_glob: bpy.props.StringProperty(default="*.json", options={"HIDDEN"})

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Reads and checks the file, and that the species has the body that learned it, before changing anything."""
        from ...core.base.codec import SceneError, encode
        from ...core.scene.controller import Controller

        shoal, path = context.object, Path(bpy.path.abspath(self.filepath)).absolute()
        try:
            learned, models = Controller.load(str(path)), library.models(context.scene)
            name = shoal.artfish.shoal.species
            if name in models:
                learned.refuse_other(name, models[name].body, models[name].time_scale)
        except SceneError as error:
            return self.refuse(error)
        shoal.artfish.shoal.controller = json.dumps(encode(learned))
        self.report({"INFO"}, translated("{shoal} swims as {path} says", shoal=shoal.name, path=path.name))
        return {"FINISHED"}


class _Learned(_Shoal):
    """Base of the operators on a shoal with a learned controller."""

    otherwise: Message = ""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a shoal with a learned controller."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated(cls.otherwise))
        return bool(context.object.artfish.shoal.controller)


class ARTFISH_OT_controller_drop(_Learned):
    """Have these fishes swim and turn by the hand-made controllers of their species again"""

    bl_idname = "artfish.controller_drop"
    bl_label = "Back to Hand-Made"
    otherwise: Message = "This shoal swims by the controllers of its species already"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Drops the learned controller."""
        context.object.artfish.shoal.controller = ""
        return {"FINISHED"}


class ARTFISH_OT_learn(Work, _Shoal):  # type: ignore[misc]
    """Have the species of these fishes find out by practice how to swim and turn, and the shoal swim so"""

    bl_idname = "artfish.learn"
    bl_label = "Learn to Swim"
    too_much: Message = "There is too little memory to practise"

    steps: bpy.props.IntProperty(
        name="Steps", description="Of each of the three drills", default=USUAL_STEPS, min=1, max=MOST_STEPS
    )
    method: bpy.props.EnumProperty(name="Method", description="Of the search", items=METHOD_CHOICES)
    seed: bpy.props.IntProperty(name="Seed", description="Of the search", min=0, max=MOST_SEED)

    def new_job(self, context: bpy.types.Context) -> Job[JobOutcome]:
        """The practice, from nothing, as a job; at the end the shoal gets the controller."""
        shoal, kinds = context.object, library.models(context.scene)
        steps, method, seed = self.steps, self.method, self.seed

        def prepare(job: Job[JobOutcome]) -> Steps[Callable[[], JobOutcome]]:
            from ...core.base.codec import SceneError, encode
            from .practising import practise

            name = shoal.artfish.shoal.species
            if name not in kinds:
                raise SceneError(
                    translated("the species {name}, which is not there", name=name), "one that is", key="species"
                )
            noted = course()
            noted.begin(shoal.session_uid, steps)
            made = yield from practise(job, kinds[name], noted, method, steps, seed)

            def end() -> JobOutcome:
                shoal.artfish.shoal.controller = json.dumps(encode(made))
                speed = translated("{speed:.2f} lengths a second", speed=made.swims[-1].speed)
                return JobOutcome(
                    translated("{shoal} swims as it has learned: up to {speed}", shoal=shoal.name, speed=speed)
                )

            return end

        return Job(prepare)


class ARTFISH_OT_controller_save(_Learned, FileSaver):  # type: ignore[misc]
    """Write what these fishes swim by into a file, from which other shoals of their kind can take it"""

    bl_idname = "artfish.controller_save"
    bl_label = "Save Controller"
    bl_options = {"REGISTER"}
    otherwise: Message = "This shoal swims by the controllers of its species, which need no file"
    filename_ext = ".json"
    filter_glob: bpy.props.StringProperty(default="*.json", options={"HIDDEN"})

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Writes the controller, whole or not at all."""
        from ...core.base.codec import Place, SceneError, decode
        from ...core.scene.controller import Controller

        shoal, path = context.object, Path(self.file)
        try:
            decode(Controller, json.loads(shoal.artfish.shoal.controller), Place(shoal.name)).save(path)
        except SceneError as error:
            return self.refuse(error)
        self.report({"INFO"}, translated("{path} says how {shoal} swims", path=path.name, shoal=shoal.name))
        return {"FINISHED"}


CLASSES = (
    ARTFISH_OT_controller_choose,
    ARTFISH_OT_controller_drop,
    ARTFISH_OT_controller_save,
    ARTFISH_OT_learn,
)
