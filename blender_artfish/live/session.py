"""The live fishes of one scene.

A session keeps the simulated frames, so that going back in time shows them again; acts on the fishes, and changes in
a panel, take effect at the current frame, and the frames after it are dropped.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Vector

from ..identity import provenance
from ..identity.film_time import film
from ..identity.references import is_ours
from . import pace, reading
from .log import ActLog
from .picks import Picks
from .states import FilmState, ObjectsState, SceneState, tracks
from .statuses import Notice, NoticeKind, Status, StatusKind
from .surroundings import LiveObstacles

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from ...core.recording import Recording
    from ...core.scene.ride import Ride
    from ...core.studio.rehearsal import Act, Rehearsal
    from ...core.world.world import World
    from ..fish.surfaces import FishObjects
    from .puppets import Puppets
    from .reading import ReadScene, Recipe


class NoFrameError(ValueError):
    """There is no frame to show or act upon."""

    def __init__(self) -> None:
        super().__init__("The fishes are not there yet: wait for the first frame")


class Unfilled:
    """Stands for a rehearsal whose tank is being filled: it has no frames and no acts."""

    frames = 0
    acts: tuple[Act, ...] = ()

    def lead(self, acts: tuple[Act, ...]) -> None:
        """Do nothing, as there is nobody to act on."""


class Session:
    """The live fishes of one scene.

    Attributes:
        rehearsal: The frames simulated so far, and the world that continues them; `Unfilled` before there is one.
        origin: The world's origin in Blender.
        first: Frame of the scene that shows frame 0.
        shown: Frame of the recording on show, -1 before the first.
        film_track: State of the film.
        scene_track: Whether the scene is as it was read.
        objects_track: Whether the objects are valid.
        notice: A notice for the animator, if any.
        warnings: Warnings about the scene, a line each.
        log: The acts on the world.
        changed: Time of the scene's last change, by `perf_counter`.
        reported: Time of the last progress report, likewise.
        refitting: Whether the objects still belong to an earlier world.
        failure: The error when the tank could not be filled for the first time.
        puppets: The objects, from the first shown frame on.
        picks: The fishes picked by clicks.
        surroundings: Blender's state passed to the world frame by frame.
    """

    def __init__(self, scene: bpy.types.Scene, others: Callable[[bpy.types.Scene], set[int]]) -> None:
        """Start with no frame; see `begin`. Objects are made with the first shown frame.

        Args:
            scene: Its scene.
            others: Given a scene, the session numbers of live objects in others; a copied scene shows the same objects.
        """
        self.first, self.shown = film(scene)[0], -1
        self.film_track, self.scene_track, self.objects_track = tracks()
        self.log = ActLog()
        self.notice: Notice | None = None
        self.warnings: tuple[str, ...] = ()
        self.changed = self.reported = 0.0
        self.refitting = True
        self.failure: ValueError | None = None
        self.puppets: Puppets | None = None
        self.picks = Picks()
        self.surroundings = LiveObstacles()
        self.origin = Vector()
        self.rehearsal: Rehearsal | Unfilled = Unfilled()
        self._others = others
        self._goal = 0
        self._recipe: Recipe | None = None
        self._steps: Generator[None, None, ReadScene] | None = None
        self._riding: Ride | None = None
        self._locked = scene.render.use_lock_interface

    @property
    def filled(self) -> Rehearsal:
        """The frames simulated so far.

        Raises:
            NoFrameError: The tank is not filled yet.
        """
        if isinstance(self.rehearsal, Unfilled):
            raise NoFrameError
        return self.rehearsal

    @property
    def world(self) -> World:
        """The world, at the last simulated frame."""
        return self.filled.world

    @property
    def goal(self) -> int | None:
        """Frame of the recording that the timer simulates to, if any."""
        return self._goal if self.film_track.is_in(FilmState.LAGGING) else None

    @property
    def reading(self) -> bool:
        """True while the scene is being read, and the tank filled, beside Blender."""
        return self.scene_track.is_in(SceneState.READING, SceneState.STALE)

    @property
    def dirty(self) -> bool:
        """True if something was changed since the scene was read, or since reading began."""
        return self.scene_track.is_in(SceneState.CHANGED, SceneState.STALE)

    @property
    def lost(self) -> bool:
        """True if the objects must be found again."""
        return self.objects_track.is_in(ObjectsState.LOST)

    @property
    def busy(self) -> bool:
        """True if the timer has something to do."""
        return self.reading or self.goal is not None

    @property
    def fishes(self) -> list[FishObjects | None]:
        """Objects of the fishes by rows of the recording, None for a deleted one; empty before the first frame."""
        return self.puppets.fishes if self.puppets else []

    def is_stripped(self, scene: bpy.types.Scene) -> bool:
        """True if all its fishes were deleted, or removed from the scene, by hand."""
        return self.puppets is not None and not self.puppets.seen(scene)

    def is_behind(self, scene: bpy.types.Scene) -> bool:
        """True if a fish may have been clicked on, selected or hidden since fishes were shown."""
        if self.puppets is None or self.lost:
            return False
        clicked = any(self.puppets.swarm_of(layer.objects.active) for layer in scene.view_layers)
        return clicked or self.puppets.is_behind(pace.hurried(scene))

    def recording(self) -> Recording:
        """All frames so far; see `Rehearsal.recording`.

        Raises:
            ValueError: There is no frame yet.
        """
        return self.filled.recording()

    def frame_of(self, scene_frame: int) -> int:
        """Frame of the recording for a frame of the scene; it may not be simulated yet."""
        return max(0, scene_frame - self.first)

    def here(self, scene: bpy.types.Scene) -> int:
        """Frame of the recording for acts: that of the playhead, or the last one before it."""
        return min(self.frame_of(scene.frame_current), self.rehearsal.frames - 1)

    def go(self, scene: bpy.types.Scene, seconds: float, show: bool = True) -> bool:
        """Shows the frame of the playhead, simulating for at most so many seconds; returns whether it was reached.

        Args:
            scene: The session's scene.
            seconds: Time limit.
            show: Whether to show the last frame reached if it was not.
        """
        if isinstance(self.rehearsal, Unfilled):
            return False
        frame = self.frame_of(scene.frame_current)
        broken = self._advance(self.rehearsal, frame, seconds)
        there = self.rehearsal.frames > frame
        if there:
            self.film_track.take("arrive")
        elif broken:
            self.film_track.take("break")
            self.notice = Notice(NoticeKind.BROKEN, self.first + self.rehearsal.frames - 1)
        elif self.rehearsal.full:
            self.film_track.take("run full")
            self.notice = Notice(NoticeKind.FULL, self.first + self.rehearsal.frames - 1)
        else:
            self.film_track.take("lag")
            self._goal = frame
        if self.rehearsal.frames and (show or self.goal is None):
            self.show(scene, min(frame, self.rehearsal.frames - 1))
        return there

    def look_ahead(self) -> None:
        """Begins to make the next frame in a thread."""
        self.filled.look_ahead(self.puppets.picture if self.puppets else None)

    @staticmethod
    def _advance(rehearsal: Rehearsal, frame: int, seconds: float) -> bool:
        """Simulates up to a frame for at most so many seconds; returns whether numbers break down before."""
        from ...core.studio.rehearsal import BreakdownError

        try:
            rehearsal.advance(frame, seconds)
        except BreakdownError:
            return True
        return False

    def show(self, scene: bpy.types.Scene, frame: int) -> None:
        """Shows a simulated frame of the recording."""
        from .replacement import make
        from .swarms import SwarmFrame

        rehearsal = self.filled
        if self.refitting and self.puppets is not None and not self.puppets.fit(rehearsal):
            self.puppets = None
        self.refitting = False
        if self.puppets is None:
            chosen = [(layer, _rows_chosen(layer)) for layer in scene.view_layers]
            self.puppets = make(scene, self.recording(), self.origin, self._others(scene))
            for layer, (active, selected) in chosen:
                self._choose(layer, active, selected)
        picture = rehearsal.picture(frame)
        if not isinstance(picture, SwarmFrame):
            picture = None
        deleted = self.puppets.show(rehearsal[frame], picture, pace.hurried(scene))
        self.shown = frame
        if deleted:
            self.notice = Notice(NoticeKind.UNSEEN, deleted)
        else:
            self._withdraw(NoticeKind.UNSEEN)

    def _withdraw(self, kind: NoticeKind) -> None:
        """Withdraws a notice of this kind that is no longer true."""
        if self.notice is not None and self.notice.kind is kind:
            self.notice = None

    def _choose(self, layer: bpy.types.ViewLayer, active: int, selected: set[int]) -> None:
        """Makes new fishes active and selected like those they replace, by rows."""
        _ = layer.objects.active  # has Blender update the layer, which lacks newly linked fishes
        there = set(layer.objects)
        for row, fish in enumerate(self.fishes):
            if fish is None or fish.root not in there:
                continue
            if row == active:
                layer.objects.active = fish.root
            if row in selected:
                fish.root.select_set(True, view_layer=layer)

    def do(self, scene: bpy.types.Scene, act: Callable[[World], Any], final: bool = True) -> Any:
        """Acts on the world at the frame of the playhead; later frames are dropped.

        Args:
            scene: The session's scene.
            act: The act; it must be deterministic for the same world.
            final: Whether it ends a step of undo, with all acts since the last final one.

        Returns:
            The result of `act`.

        Raises:
            SceneError: The world refuses.
            NoFrameError: There is no frame yet.
        """
        if not self.rehearsal.frames:
            raise NoFrameError
        answers: list[Any] = []
        self.filled.act(self.here(scene), lambda world: answers.append(act(world)))
        if final:
            self.note(scene)
        return answers[0]

    def adopt(self, ride: Ride | None, going: bool) -> None:
        """Notes that an act has given its world this ride; while it is going, the scene is read with it, too."""
        self._riding = ride if going else None
        if self._recipe is not None:
            self._recipe = self._recipe._replace(scene=replace(self._recipe.scene, ride=ride))

    def note(self, scene: bpy.types.Scene) -> None:
        """Ends one step of undo."""
        self.log.append(scene, self.rehearsal.acts, self._recipe)

    def find_again(self, scene: bpy.types.Scene) -> None:
        """After undo or redo: restores the acts that the scene remembers, and remakes missing objects.

        Undo replaces objects, though they look the same.
        """
        self.objects_track.take("find")
        if self.puppets is not None and self.puppets.find_again():
            self.picks.pick_again(scene, self.puppets)
        else:
            self.puppets = None
        entry = self.log.follow(scene)
        if entry is not None:
            self.rehearsal.lead(entry.acts)
            self._recipe = entry.recipe  # changed by its acts, as with a ride
            self.go(scene, pace.FRAME_SECONDS)
        if self.rehearsal.frames:
            self.show(scene, self.here(scene))

    def begin(self, scene: bpy.types.Scene) -> None:
        """Restarts from the first frame, with the present scene.

        Raises:
            SceneError: The scene is invalid, as far as that is found at once.
            ValueError: There are no fishes.
        """
        self.first = film(scene)[0]
        self._read(scene, None, pace.FRAME_SECONDS)

    def change(self) -> None:
        """Has the scene read again after a delay."""
        self.scene_track.take("change")
        self.changed = perf_counter()

    def refresh(self, scene: bpy.types.Scene) -> None:
        """Takes up changes in the scene: continues from the current frame, or restarts."""
        try:
            self._read(scene, self._recipe, 0.0)
        except ValueError as error:
            self.notice = Notice(NoticeKind.SCENE_REFUSED, error=error)

    def take_up(self, scene: bpy.types.Scene, seconds: float = 0.0) -> None:
        """Goes on with the scene that was read, if it is ready within so many seconds."""
        try:
            self._await(scene, seconds)
        except ValueError as error:
            self.notice = Notice(NoticeKind.SCENE_REFUSED, error=error)
            if isinstance(self.rehearsal, Unfilled):
                self.failure = error
                self.film_track.take("fail")

    def _read(self, scene: bpy.types.Scene, recipe: Recipe | None, seconds: float) -> None:
        """Reads the scene, dropping a reading under way.

        Args:
            scene: The session's scene.
            recipe: The recipe to continue from if possible; None to begin anew.
            seconds: Time to wait for it.

        Raises:
            ValueError: The scene is invalid, as far as that is found by then.
        """
        self.scene_track.take("read")
        self._steps = reading.read(scene.session_uid, self.first, recipe, lambda: self.rehearsal.frames > 0)
        self._await(scene, float("inf") if pace.unhurried() else seconds)

    def _await(self, scene: bpy.types.Scene, seconds: float) -> None:
        """Goes on with the scene that was read, if it is ready within so many seconds.

        Raises:
            ValueError: The scene is not as it must be.
        """
        until = perf_counter() + seconds
        steps, self._steps = self._steps, None
        try:
            while steps is not None:
                next(steps)
                if perf_counter() > until:
                    self._steps, steps = steps, None
        except StopIteration as end:
            self.scene_track.take("finish")
            self._take(scene, end.value)
        except BaseException:
            self.scene_track.take("finish")
            raise

    def _take(self, scene: bpy.types.Scene, found: ReadScene) -> None:
        """Goes on with the result, from the current frame or anew.

        Raises:
            SceneError: The world refuses.
        """
        self.origin, self.warnings = found.origin.copy(), found.warnings
        if self.puppets and not self.puppets.suits(scene, self.origin):
            self.puppets.place(scene, self.origin)
        if self._riding is not None and found.rehearsal is None:
            ridden = replace(found.recipe.scene, ride=self._riding)
            found = found._replace(recipe=found.recipe._replace(scene=ridden))
        if found.rehearsal is not None:
            self._riding = None
            self._start(scene, found, found.rehearsal)
        elif found.recipe != self._recipe:
            now, models, _ = found.recipe
            shown = min(self.shown, self.rehearsal.frames - 1)
            self.filled.act(shown, lambda world: world.retune(now, models))
            self._recipe = found.recipe
            self.log.amend(self.rehearsal.acts, self._recipe)
            self.notice = Notice(NoticeKind.CHANGED, self.first + shown)
        else:
            self._withdraw(NoticeKind.SCENE_REFUSED)
        self.surroundings.followed = found.followed

    def _start(self, scene: bpy.types.Scene, found: ReadScene, rehearsal: Rehearsal) -> None:
        """Goes on with a new rehearsal without acts, which has yet to reach the playhead."""
        self.rehearsal, self._recipe, self.surroundings = rehearsal, found.recipe, LiveObstacles()
        self.log.restart(scene, self._recipe)
        self.film_track.take("start")
        self._goal, self.refitting = self.frame_of(scene.frame_current), True
        if found.cause is None:
            self.puppets = None
        self.notice = Notice(NoticeKind.RESTARTED, cause=found.cause) if found.cause else None

    def status(self) -> Status:
        """The progress of live play."""
        if self.reading:
            return Status(StatusKind.FILLING)
        if isinstance(self.rehearsal, Unfilled):
            return Status(StatusKind.EMPTY)
        if self.rehearsal.ahead:
            return Status(StatusKind.PREROLL, self.rehearsal.ahead)
        if self.goal is not None:
            return Status(StatusKind.SIMULATING, self.first + self.goal)
        return Status(StatusKind.SIMULATED, self.first + self.rehearsal.frames - 1)

    def replace(self, scene: bpy.types.Scene) -> None:
        """Remakes all its objects, as in the current frame."""
        if self.puppets is not None:
            self.puppets.discard()
        self.puppets, self.notice = None, None
        if self.rehearsal.frames:
            self.show(scene, self.here(scene))

    def lock(self, scene: bpy.types.Scene, on: bool) -> None:
        """Has renders lock the interface, or restores the animator's setting.

        A render reads while the viewport draws; fishes must not be moved meanwhile.
        """
        scene.render.use_lock_interface = on or self._locked


def _rows_chosen(layer: bpy.types.ViewLayer) -> tuple[int, set[int]]:
    """Row of the active live fish, -1 without one, and rows of the selected ones."""
    rows = {obj: provenance.row_of(obj) for obj in layer.objects if obj and is_ours(obj)}
    selected = {row for obj, row in rows.items() if obj.select_get(view_layer=layer)}
    return rows.get(layer.objects.active, -1), selected - {-1}
