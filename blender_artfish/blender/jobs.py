"""Long work that leaves Blender responsive: a little at a time, with progress, time left and Esc."""

from __future__ import annotations

from collections.abc import Generator
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy

from .handlers import Stage, hears
from .status_bar import say, tell_given_up

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

WORK = 0.05, 0.15  # seconds of work between two looks at the keyboard: as long as Blender takes to redraw
PAUSE = 0.01  # seconds in which Blender may redraw
TELL = 0.4  # seconds between two words about how far it is
SURE = 1.0  # seconds until it is told how long it will take
AT_WORK: list[Work] = []


class Outcome(NamedTuple):
    """How it came out.

    Attributes:
        said: For the animator.
        changed: Whether anything was made.
        warning: Whether it should be looked at.
    """

    said: str
    changed: bool = True
    warning: bool = False


class Work:
    """What such operators have in common; `work` is what they do."""

    bl_label: str
    report: Any
    given_up = ""
    too_much = "There is too little memory: try fewer fishes or frames"

    def work(self, context: bpy.types.Context) -> Generator[tuple[float, str], None, Outcome]:
        """Yields the share that is done, 0 to 1, and what is being done; whoever closes it finds all as it was."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """The direct form: all at one go, for scripts."""
        steps = self.work(context)
        try:
            while True:
                next(steps)
        except StopIteration as end:
            return self.tell(end.value)
        except (ValueError, OSError, MemoryError) as error:
            return self.refuse(error)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """The modal form: begins what leaves Blender awake."""
        self.steps = self.work(context)
        self.begun = self.told = monotonic()
        self.share, self.doing, self.ended, self.given_up = 0.0, "Beginning", perf_counter(), ""
        AT_WORK.append(self)
        manager = context.window_manager
        self.timer = manager.event_timer_add(PAUSE, window=context.window)
        manager.progress_begin(0.0, 1.0)
        manager.modal_handler_add(self)  # type: ignore[arg-type]
        self.show(context)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Does a little at each tick of the timer; Esc gives it up."""
        if event.type == "ESC":
            self.given_up = "everything is as it was"
        if self.given_up:
            self.report({"INFO"}, f"{self.bl_label} given up: {self.given_up}")
            return self.stop(context, "CANCELLED")
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            until = perf_counter() + min(max(WORK[0], perf_counter() - self.ended), WORK[1])
            while perf_counter() < until:
                self.share, self.doing = next(self.steps)
        except StopIteration as end:
            (result,) = self.tell(end.value)
            return self.stop(context, result)
        except (ValueError, OSError, MemoryError) as error:
            self.stop(context, "CANCELLED")
            return self.refuse(error)
        except ReferenceError:
            self.stop(context, "CANCELLED")
            return self.refuse(ReferenceError(f"{self.bl_label} given up: something it needs was deleted meanwhile"))
        except BaseException:
            self.stop(context, "CANCELLED")
            raise
        if monotonic() - self.told > TELL:
            self.show(context)
        self.ended = perf_counter()
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Called by Blender when another file is opened meanwhile, or the window closed."""
        self.stop(context, "CANCELLED")
        tell_given_up(self.bl_label)

    def stop(self, context: bpy.types.Context, result: Result) -> set[Result]:
        """Ends the modal form; what was not done leaves everything as it was."""
        if self in AT_WORK:
            AT_WORK.remove(self)
            self.steps.close()
            context.window_manager.event_timer_remove(self.timer)
            context.window_manager.progress_end()
            say(id(self), None)
            _redraw(context)
        return {result}

    def show(self, context: bpy.types.Context) -> None:
        """Writes how far it is into the status bar, and into the panel."""
        self.told = monotonic()
        percent = f"{self.share:.0%}".replace("%", " %") if self.share else ""
        words = [percent, self.doing, self.left(), "Esc: give up"]
        say(id(self), "  ".join(filter(None, words)))
        context.window_manager.progress_update(self.share)
        _redraw(context)

    def left(self) -> str:
        """How long it will take, in words; "" as long as nobody can tell."""
        passed = monotonic() - self.begun
        if passed < SURE or self.share < 0.02:
            return ""
        seconds = passed * (1.0 - self.share) / self.share
        return f"{seconds / 60:.0f} min left" if seconds >= 120 else f"{max(seconds, 1):.0f} s left"

    def tell(self, outcome: Outcome) -> set[Result]:
        """Says how it came out."""
        self.report({"WARNING" if outcome.warning else "INFO"}, outcome.said)
        return {"FINISHED" if outcome.changed else "CANCELLED"}

    def refuse(self, error: Exception) -> set[Result]:
        """Says what is wrong in one line."""
        self.report({"ERROR"}, self.too_much if isinstance(error, MemoryError) else str(error))
        return {"CANCELLED"}


def share() -> tuple[float, str] | None:
    """How far something is and what it is doing; None without anything at work."""
    return (AT_WORK[0].share, AT_WORK[0].doing) if AT_WORK else None


@hears(Stage.WORK, "undo_pre", "redo_pre")
def _before_undo(*_: Any) -> None:
    """Gives up what is at work, as long as what it stands on is there: undo makes scene and objects others."""
    for operator in AT_WORK:
        operator.steps.close()
        operator.given_up = "something else was undone or redone meanwhile"


def _redraw(context: Any) -> None:
    """Draws sidebars anew, which show how far it is."""
    window = context.window
    for area in window.screen.areas if window else ():
        if area.type in ("VIEW_3D", "IMAGE_EDITOR"):
            for region in area.regions:
                if region.type == "UI":
                    region.tag_redraw()


def unregister() -> None:
    """Gives up what is at work: Blender would forget the operator and keep its timer."""
    for operator in tuple(AT_WORK):
        operator.stop(bpy.context, "CANCELLED")


CLASSES = ()
