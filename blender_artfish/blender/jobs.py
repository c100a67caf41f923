"""Long work as one `Job`: done in steps, with progress; nothing stays before it is committed at the end.

An operator of `Work` runs its job modally, with a progress bar, the time left and Esc, or directly from a script.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import bpy

from . import runtime
from .handlers import HandlerTurn, hears
from .layout import percent, redraw_sidebars
from .messages import plain
from .status_bar import say, tell_given_up
from .words import Message, label_of, translated

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

T = TypeVar("T")
Steps = Generator[None, None, T]
"""Work that yields whenever Blender may redraw, or the work be given up, and that returns its result."""
WORK_SECONDS = 0.05, 0.15  # of work between two looks at the keyboard: as long as Blender takes to redraw
REDRAW_SECONDS = 0.01  # seconds for Blender to redraw
SHOW_SECONDS = 0.4  # between two progress messages
SURE_SECONDS = 1.0  # until the time left is shown
UNCOUNTED_STEP = 0.02  # share of the rest of a phase for a step, if their number is unknown
BUSY: Message = "Something is at work: wait for it, or give it up by Esc"
"""Reason why no other job can begin meanwhile."""


class JobOutcome(NamedTuple):
    """The outcome of a job.

    Attributes:
        message: Message for the animator.
        changed: Whether anything was changed.
        warning: Whether it is a warning.
    """

    message: Message
    changed: bool = True
    warning: bool = False


class Job(Generic[T]):
    """Long work that is prepared in steps and committed at its end.

    Attributes:
        share: Share that is done, 0 to 1.
        text: Text shown with the progress.
        announced: Whether the next step takes long, so that Blender shows its text before it begins.
        cancelled: Whether it was given up.
        outcome: The commit's result, once `step` has returned True.
    """

    outcome: T
    text: Message

    def __init__(self, prepare: Callable[[Job[T]], Steps[Callable[[], T]]]) -> None:
        """Creates the job without starting it.

        Args:
            prepare: Given the job, does all that leaves no trace when it is closed early, and returns the commit, which
                makes all lasting changes at once.
        """
        self.share, self.text, self.cancelled, self.announced = 0.0, translated("Beginning"), False, False
        self._low, self._high, self._counted = 0.0, 1.0, True
        self._steps = prepare(self)

    @contextmanager
    def phase(self, text: Message, until: float = 1.0, counted: bool = True) -> Iterator[None]:
        """A phase of the work, from the present share to another.

        Args:
            text: Its text, shown with the progress.
            until: Share of the phase around it, or of the job, that is done at its end.
            counted: Whether the phase reports its own progress; else each step comes a little closer to the end.
        """
        around = self._low, self._high, self._counted
        end = self._low + (self._high - self._low) * until
        self.text, self._low, self._high, self._counted = translated(text), self.share, end, counted
        try:
            yield
        finally:
            self._low, self._high, self._counted = around
        self.share = end

    def advance(self, share: float, text: Message = "") -> None:
        """Sets the share of the present phase that is done, 0 to 1, and the text if it has changed."""
        self.share = self._low + (self._high - self._low) * share
        self.text = translated(text) or self.text

    def announce(self, share: float, text: Message) -> None:
        """Like `advance`, before a step that takes long: Blender shows it first, at the job's next yield."""
        self.advance(share, text)
        self.announced = True

    def step(self) -> bool:
        """Does one step, or commits if nothing is left to prepare; returns whether the job is done."""
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
        """Does all of it in one go."""
        while not self.step():
            pass
        return self.outcome

    def cancel(self) -> None:
        """Gives the job up; everything stays as before."""
        self.cancelled = True
        self._steps.close()


def finished(steps: Steps[T]) -> T:
    """The result of work, done in one go."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: T = end.value
            return found


class WorkForce:
    """The modal operators now at work.

    Attributes:
        operators: The operators, in the order in which they began.
    """

    def __init__(self) -> None:
        """Start with no operators."""
        self.operators: list[Work] = []


def at_work() -> list[Work]:
    """The operators that do a job now, in the order in which they began."""
    return runtime.of(WorkForce).operators


class OneAtATime:
    """Base of the operators that begin a job, which wait until another has ended."""

    poll_message_set: Any

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """One job at a time, and the operator's own conditions."""
        missing = BUSY if at_work() else cls.missing(context)
        if missing:
            cls.poll_message_set(translated(missing))
            return False
        further = getattr(super(), "poll", None)
        return further is None or bool(further(context))

    @classmethod
    def missing(cls, context: bpy.types.Context) -> Message:
        """A sentence on what keeps the job from beginning; "" if nothing does."""
        return ""


class Work(OneAtATime):
    """Base of the operators that do a job.

    Attributes:
        new_job: Given the context, the job that an operator does.
    """

    bl_label: str
    report: Any
    new_job: Callable[[bpy.types.Context], Job[JobOutcome]]
    given_up: Message = ""
    too_much: Message = "There is too little memory: try fewer fishes or frames"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """The direct form: all in one go, for scripts."""
        try:
            return self.finish(self.new_job(context).run())
        except (ValueError, OSError, MemoryError) as error:
            return self.refuse(error)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """The modal form: begins the job and leaves Blender responsive."""
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
        """Does some steps at each tick of the timer; Esc gives the job up."""
        if event.type == "ESC":
            self.given_up = "everything is as it was"
        if self.given_up:
            self.report(
                {"INFO"}, translated("{work} given up: {why}", work=label_of(self), why=translated(self.given_up))
            )
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
            return self.refuse(
                ReferenceError(
                    translated("{work} given up: something it needs was deleted meanwhile", work=label_of(self))
                )
            )
        except BaseException:
            self.stop(context, "CANCELLED")
            raise
        if self.job.announced or monotonic() - self.shown > SHOW_SECONDS:
            self.show(context)
        self.ended = perf_counter()
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Called by Blender when another file is opened meanwhile, or the window is closed."""
        self.stop(context, "CANCELLED")
        tell_given_up(label_of(self))

    def stop(self, context: bpy.types.Context, result: Result) -> set[Result]:
        """Ends the modal form; an unfinished job leaves everything as it was."""
        if self in at_work():
            at_work().remove(self)
            self.job.cancel()
            context.window_manager.event_timer_remove(self.timer)
            context.window_manager.progress_end()
            say(id(self), None)
            _redraw(context)
        return {result}

    def show(self, context: bpy.types.Context) -> None:
        """Shows the progress in the status bar and in the panel."""
        self.shown = monotonic()
        share = self.job.share
        words = [percent(share) if share else "", self.job.text, self.left(), translated("Esc: give up")]
        say(id(self), "  ".join(filter(None, words)))
        context.window_manager.progress_update(share)
        _redraw(context)

    def left(self) -> str:
        """The time left, in words; "" while it is unknown."""
        passed, share = monotonic() - self.begun, self.job.share
        if passed < SURE_SECONDS or share < 0.02:
            return ""
        seconds = passed * (1.0 - share) / share
        return (
            translated("{minutes:.0f} min left", minutes=seconds / 60)
            if seconds >= 120
            else translated("{seconds:.0f} s left", seconds=max(seconds, 1))
        )

    def finish(self, outcome: JobOutcome) -> set[Result]:
        """Reports the outcome."""
        self.report({"WARNING" if outcome.warning else "INFO"}, translated(outcome.message))
        return {"FINISHED" if outcome.changed else "CANCELLED"}

    def refuse(self, error: Exception) -> set[Result]:
        """Reports the error in one line."""
        self.report({"ERROR"}, translated(self.too_much) if isinstance(error, MemoryError) else plain(error))
        return {"CANCELLED"}


def share() -> tuple[float, str] | None:
    """Share done and text of the job at work; None without one."""
    working = at_work()
    return (working[0].job.share, working[0].job.text) if working else None


@hears(HandlerTurn.WORK, "undo_pre", "redo_pre")
def _before_undo(*_: Any) -> None:
    """Gives up the jobs at work while their data is valid: undo replaces scene and objects."""
    for operator in at_work():
        operator.job.cancel()
        operator.given_up = "something else was undone or redone meanwhile"


def _redraw(context: Any) -> None:
    """Redraws the sidebars, which show the progress."""
    redraw_sidebars([context.window] if context.window else [], "VIEW_3D", "IMAGE_EDITOR")


def unregister() -> None:
    """Gives up the jobs at work: Blender would forget the operator and keep its timer."""
    for operator in tuple(at_work()):
        operator.stop(bpy.context, "CANCELLED")


CLASSES = ()
