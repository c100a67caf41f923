"""Simulates a preset scene and bakes it into the open one."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import TYPE_CHECKING

import bpy

from ..properties import settings_of

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

WORK = 0.05  # seconds of work between two looks at the keyboard
PAUSE = 0.01  # seconds in which Blender may redraw
AT_WORK: list[ARTFISH_OT_bake] = []


class ARTFISH_OT_bake(bpy.types.Operator):
    """Simulate the chosen scene and bake it into this file, beside what is there"""

    bl_idname = "artfish.bake"
    bl_label = "Bake"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Surfaces can be made in Object Mode only."""
        cls.poll_message_set("Go to Object Mode to bake")
        return context.mode == "OBJECT"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """The direct form: bakes at one go, for scripts."""
        try:
            for _ in steps(context):
                pass
        except (ValueError, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """The modal form: begins a bake that leaves Blender awake."""
        self.steps = steps(context)
        AT_WORK.append(self)
        manager = context.window_manager
        self.timer = manager.event_timer_add(PAUSE, window=context.window)
        manager.progress_begin(0.0, 1.0)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Does a little of the bake at each tick of the timer; Esc gives it up."""
        if event.type == "ESC":
            self.report({"INFO"}, "Bake given up")
            return self.stop(context, "CANCELLED")
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            until = perf_counter() + WORK
            for done, doing in self.steps:
                context.window_manager.progress_update(done)
                context.workspace.status_text_set(f"{done:.0%}  {doing}   Esc: give up")
                if perf_counter() > until:
                    return {"RUNNING_MODAL"}
        except (ValueError, OSError) as error:
            self.report({"ERROR"}, str(error))
            return self.stop(context, "CANCELLED")
        return self.stop(context, "FINISHED")

    def cancel(self, context: bpy.types.Context) -> None:
        """Called by Blender when another file is opened meanwhile."""
        self.stop(context, "CANCELLED")

    def stop(self, context: bpy.types.Context, result: Result) -> set[Result]:
        """Ends the modal form; a bake that was not done leaves everything as it was."""
        AT_WORK.remove(self)
        self.steps.close()
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        return {result}


def steps(context: bpy.types.Context) -> Generator[tuple[float, str], None, None]:
    """Simulates and bakes what the panel asks for, bit by bit; both forms of the operator run this.

    Yields:
        The share that is done, 0 to 1 for the simulation and again for the bake, and what is being done.

    Raises:
        SceneError: The preset is no valid scene.
    """
    from ...core import Scene, World  # loads numpy and scipy: with the first bake, not with Blender
    from ..bake import bake_steps

    settings = settings_of(context)
    run = World(Scene.load(settings.preset), seed=settings.seed).run(frames=settings.frames)
    try:
        while True:
            yield next(run) / settings.frames, "Simulating"
    except StopIteration as end:
        recording = end.value
    yield from bake_steps(recording, stage=settings.stage)


def unregister() -> None:
    """Gives up what is being baked: Blender would forget the operator and keep its timer."""
    for operator in tuple(AT_WORK):
        operator.stop(bpy.context, "CANCELLED")


CLASSES = (ARTFISH_OT_bake,)
