"""Long work as one `Job`: a little at a time, with progress, and nothing that stays before it is committed at the end.

An operator of `Work` runs its job modally, with a progress bar, the time left and Esc, or directly from a script.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import bpy

from . import runtime
from .handlers import Stage, hears
from .layout import redraw_sidebars
from .messages import plain
from .status_bar import say, tell_given_up

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

T = TypeVar("T")
Steps = Generator[None, None, T]
"""Work that yields whenever Blender may redraw, or the work be given up, and that returns what it found."""
WORK_SECONDS = 0.05, 0.15  # of work between two looks at the keyboard: as long as Blender takes to redraw
REDRAW_SECONDS = 0.01  # in which Blender may redraw
SHOW_SECONDS = 0.4  # between two messages about how far it is
SURE_SECONDS = 1.0  # until it is said how long it will take
UNCOUNTED_STEP = 0.02  # of what is left of a phase: what each of its steps is taken for, where nobody knows how many
BUSY = "Something is at work: wait for it, or give it up by Esc"
"""Why nothing else can begin meanwhile."""


class Outcome(NamedTuple):
    """How it came out.

    Attributes:
        message: For the animator.
        changed: Whether anything was made.
        warning: Whether it should be looked at.
    """

    message: str
    changed: bool = True
    warning: bool = False


class Job(Generic[T]):
    """Long work that is prepared in steps and committed at its end.

    Attributes:
        share: How much of it is done, 0 to 1.
        text: What is being done.
        announced: Whether the step to come takes long, so that Blender shall show before what is done in it.
        cancelled: Whether it was given up.
        outcome: What the commit returned, once `step` has said that it is done.
    """

    outcome: T

    def __init__(self, prepare: Callable[[Job[T]], Steps[Callable[[], T]]]) -> None:
        """Begins nothing yet.

        Args:
            prepare: Given the job, does all that leaves no trace when it is closed early, and returns the commit: what
                changes what stays, all at once.
        """
        self.share, self.text, self.cancelled, self.announced = 0.0, "Beginning", False, False
        self._low, self._high, self._counted = 0.0, 1.0, True
        self._steps = prepare(self)

    @contextmanager
    def phase(self, text: str, until: float = 1.0, counted: bool = True) -> Iterator[None]:
        """A part of the work, from the share that is done up to another.

        Args:
            text: What is being done in it.
            until: Share of the phase around it, or of the job, that is done at its end.
            counted: Whether it says itself how far it is; else each step comes a little closer to the end.
        """
        around = self._low, self._high, self._counted
        end = self._low + (self._high - self._low) * until
        self.text, self._low, self._high, self._counted = text, self.share, end, counted
        try:
            yield
        finally:
            self._low, self._high, self._counted = around
        self.share = end

    def advance(self, share: float, text: str = "") -> None:
        """Says how much of the present phase is done, 0 to 1, and what is being done if that has changed."""
        self.share = self._low + (self._high - self._low) * share
        self.text = text or self.text

    def announce(self, share: float, text: str) -> None:
        """As `advance`, before a step that takes long: Blender shows it first, whenever the job yields next."""
        self.advance(share, text)
        self.announced = True

    def step(self) -> bool:
        """Does a little, or commits if there is nothing left to prepare; whether the job is done."""
        self.announced = False
        if not self._counted:
            self.share += UNCOUNTED_STEP * (self._high - self.share)
        try:
            next(self._steps)
        except StopIteration as end:
            self.outcome = end.value()
            return True
        return False

    def run(self) -> T:
        """Does all of it at one go."""
        while not self.step():
            pass
        return self.outcome

    def cancel(self) -> None:
        """Gives it up: all is as it was before."""
        self.cancelled = True
        self._steps.close()


def finished(steps: Steps[T]) -> T:
    """What work returns, all of it done at one go."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: T = end.value
            return found


class WorkForce:
    """What is done by modal operators now.

    Attributes:
        operators: The first that began comes first.
    """

    def __init__(self) -> None:
        """Nothing is."""
        self.operators: list[Work] = []


def at_work() -> list[Work]:
    """The operators that do a job now, the first that began first."""
    return runtime.of(WorkForce).operators


class Work:
    """What operators that do a job have in common.

    Attributes:
        new_job: Given the context, the job that an operator does.
    """

    bl_label: str
    report: Any
    new_job: Callable[[bpy.types.Context], Job[Outcome]]
    poll_message_set: Any
    given_up = ""
    too_much = "There is too little memory: try fewer fishes or frames"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """One thing at a time, and what the operator itself needs."""
        if at_work():
            cls.poll_message_set(BUSY)
            return False
        return bool(super().poll(context))  # type: ignore[misc]

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """The direct form: all at one go, for scripts."""
        try:
            return self.finish(self.new_job(context).run())
        except (ValueError, OSError, MemoryError) as error:
            return self.refuse(error)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """The modal form: begins what leaves Blender responsive."""
        self.job = self.new_job(context)
        self.begun = self.shown = monotonic()
        self.ended, self.given_up = perf_counter(), ""
        at_work().append(self)
        manager = context.window_manager
        self.timer = manager.event_timer_add(REDRAW_SECONDS, window=context.window)
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
            least, most = WORK_SECONDS
            until = perf_counter() + min(max(least, perf_counter() - self.ended), most)
            while perf_counter() < until:
                if self.job.step():
                    (result,) = self.finish(self.job.outcome)
                    return self.stop(context, result)
                if self.job.announced:
                    break
        except (ValueError, OSError, MemoryError) as error:
            self.stop(context, "CANCELLED")
            return self.refuse(error)
        except ReferenceError:
            self.stop(context, "CANCELLED")
            return self.refuse(ReferenceError(f"{self.bl_label} given up: something it needs was deleted meanwhile"))
        except BaseException:
            self.stop(context, "CANCELLED")
            raise
        if self.job.announced or monotonic() - self.shown > SHOW_SECONDS:
            self.show(context)
        self.ended = perf_counter()
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Called by Blender when another file is opened meanwhile, or the window closed."""
        self.stop(context, "CANCELLED")
        tell_given_up(self.bl_label)

    def stop(self, context: bpy.types.Context, result: Result) -> set[Result]:
        """Ends the modal form; what was not done leaves everything as it was."""
        if self in at_work():
            at_work().remove(self)
            self.job.cancel()
            context.window_manager.event_timer_remove(self.timer)
            context.window_manager.progress_end()
            say(id(self), None)
            _redraw(context)
        return {result}

    def show(self, context: bpy.types.Context) -> None:
        """Writes how far it is into the status bar, and into the panel."""
        self.shown = monotonic()
        share = self.job.share
        percent = f"{share:.0%}".replace("%", " %") if share else ""
        words = [percent, self.job.text, self.left(), "Esc: give up"]
        say(id(self), "  ".join(filter(None, words)))
        context.window_manager.progress_update(share)
        _redraw(context)

    def left(self) -> str:
        """How long it will take, in words; "" as long as nobody can tell."""
        passed, share = monotonic() - self.begun, self.job.share
        if passed < SURE_SECONDS or share < 0.02:
            return ""
        seconds = passed * (1.0 - share) / share
        return f"{seconds / 60:.0f} min left" if seconds >= 120 else f"{max(seconds, 1):.0f} s left"

    def finish(self, outcome: Outcome) -> set[Result]:
        """Says how it came out."""
        self.report({"WARNING" if outcome.warning else "INFO"}, outcome.message)
        return {"FINISHED" if outcome.changed else "CANCELLED"}

    def refuse(self, error: Exception) -> set[Result]:
        """Says what is wrong in one line."""
        self.report({"ERROR"}, self.too_much if isinstance(error, MemoryError) else plain(error))
        return {"CANCELLED"}


def share() -> tuple[float, str] | None:
    """How far something is and what it is doing; None without anything at work."""
    working = at_work()
    return (working[0].job.share, working[0].job.text) if working else None


@hears(Stage.WORK, "undo_pre", "redo_pre")
def _before_undo(*_: Any) -> None:
    """Gives up what is at work, as long as what it stands on is there: undo makes scene and objects others."""
    for operator in at_work():
        operator.job.cancel()
        operator.given_up = "something else was undone or redone meanwhile"


def _redraw(context: Any) -> None:
    """Draws sidebars anew, which show how far it is."""
    redraw_sidebars([context.window] if context.window else [], "VIEW_3D", "IMAGE_EDITOR")


def unregister() -> None:
    """Gives up what is at work: Blender would forget the operator and keep its timer."""
    for operator in tuple(at_work()):
        operator.stop(bpy.context, "CANCELLED")


CLASSES = ()
