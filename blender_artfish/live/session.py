"""Play without baking: the simulation goes along with the timeline of a scene.

A session belongs to a scene. It keeps what was simulated, so that going back in time shows it again; what is done to
the fishes, or changed in a panel, takes effect at the frame that is shown, and what was simulated after it is dropped.
Before each frame the handler shows that frame, and simulates it where it is the next; what takes longer than `PATIENCE`
is left to a timer. Whatever needs Blender to be at rest (to read the scene, to begin, to find objects after undo) waits
for that timer too. What of a scene is no business of Blender's (to sample the water around meshes and to fill the tank)
is done in a thread; until then all is shown as it was.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy
from mathutils import Vector

from ..blender.background import aside, at_once
from ..blender.handlers import NUMBER_CHANGED, Stage, hears
from ..blender.status_bar import say, tell
from ..direction import markers
from ..identity import provenance
from ..identity.film_time import film
from ..identity.references import MARK, is_ours
from ..identity.roles import is_linked

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from ...core.recording import Recording
    from ...core.scene.scene import Scene
    from ...core.scene.species import Species
    from ...core.studio.rehearsal import Act, Rehearsal
    from ...core.world.world import World
    from ..fish.surfaces import Fish
    from ..scene.reader import Draft
    from .puppets import Puppets

ROOMS = ("numpy", "scipy.spatial", "scipy.linalg", "...core", "..scene.reader", ".puppets")
PATIENCE = 0.1  # seconds for which a change of frames may simulate before the timer takes over
WORK, PAUSE = 0.08, 0.01  # seconds of simulation between two looks at the window, and of waiting
TELL = 0.4  # seconds from one word of how far it is to the next
SETTLED = 0.25  # seconds without another change, before fishes begin anew because of one
LIVELY = 0.1  # the same for changes that a running world takes up
NOBODY = "The fishes are not there yet: wait for the first frame"
UNSEEN = "on unseen: begin anew to see all"
GROUND = {
    "fps": "the frame rate",
    "preroll": "the pre-roll",
    "tank": "the tank",
    "obstacles": "an obstacle",
    "terrain": "the sea bed",
    "plankton": "the plankton",
    "seaweed": "the seaweed",
    "bubbles": "the bubbles",
    "hook": "the hook",
}
"""What a running world cannot take up, and how it is called."""
OF_GROUPS, OF_SPECIES = (
    ("habits", "mind", "members"),
    ("temperament", "mind", "rhythm", "steering", "pectoral", "looks"),
)
"""What it can take up, of shoals and of species."""

_sessions: dict[int, Session] = {}
_wanted: set[int] = set()
_rendering = False
_within_frame = False
_tokens = 0


class Lives(NamedTuple):
    """What a world is made of.

    Attributes:
        scene: Who and what is in it.
        models: The species by name.
        seed: From which all chance is drawn.
    """

    scene: Scene
    models: dict[str, Species]
    seed: int


class Found(NamedTuple):
    """What has come of a scene that was read.

    Attributes:
        origin: Where the world's own origin is in Blender.
        wanted: What is to live.
        why: What a running world cannot take up of it, in words; "" if it can take up all, or there is none.
        rehearsal: From the first frame, where it is to begin anew.
    """

    origin: Vector
    wanted: Lives
    why: str
    rehearsal: Rehearsal | None


class Unfilled:
    """Stands for a rehearsal whose tank is being filled: no frame is there, and nothing was done."""

    frames = 0
    acts: tuple[Act, ...] = ()

    def lead(self, acts: tuple[Act, ...]) -> None:
        """Nobody is there to do anything."""


class Session:
    """Fishes that play live in one scene.

    Attributes:
        rehearsal: What was simulated so far, and the world that goes on from there; `Unfilled` before there is one.
        origin: Where the world's own origin is in Blender.
        first: Frame of the scene that shows frame 0.
        shown: Frame of the recording that is shown, -1 before the first is there.
        goal: Frame of the recording that the timer simulates to, if any.
        word: What a person should know of it, "" if nothing.
    """

    def __init__(self, scene: bpy.types.Scene) -> None:
        """Nothing is there yet; see `begin`. Objects come with the first frame that is shown."""
        self.first, self.shown = film(scene)[0], -1
        self.goal: int | None = None
        self.word = ""
        self.dirty = self.lost = False
        self.changed = 0.0
        self.puppets: Puppets | None = None
        self.origin = Vector()
        self.rehearsal: Rehearsal | Unfilled = Unfilled()
        self._lives: Lives | None = None
        self._reading: Generator[None, None, Found] | None = None
        self._versions: dict[int, tuple[Act, ...]] = {}
        self._token = 0
        self._told = 0.0
        self._anew = True
        self._known: set[int] = set()
        self._locked = scene.render.use_lock_interface

    @property
    def filled(self) -> Rehearsal:
        """What was simulated so far.

        Raises:
            ValueError: The tank is not filled yet.
        """
        if isinstance(self.rehearsal, Unfilled):
            raise ValueError(NOBODY)
        return self.rehearsal

    @property
    def world(self) -> World:
        """The world, which stands at the last frame that was simulated."""
        return self.filled.world

    @property
    def reading(self) -> bool:
        """Whether the scene is being read, and the tank filled, beside Blender."""
        return self._reading is not None

    @property
    def busy(self) -> bool:
        """Whether there is something for the timer to go on with."""
        return self.reading or self.goal is not None

    @property
    def fishes(self) -> list[Fish | None]:
        """Objects of the fishes by rows of the recording, None for a deleted one; empty before the first frame."""
        return self.puppets.fishes if self.puppets else []

    def bereft(self, scene: bpy.types.Scene) -> bool:
        """Whether all its fishes were deleted, or taken out of the scene, by hand."""
        return self.puppets is not None and not self.puppets.seen(scene)

    def recording(self) -> Recording:
        """All frames so far; see `Rehearsal.recording`.

        Raises:
            ValueError: There is no frame yet.
        """
        return self.filled.recording()

    def frame_of(self, scene_frame: int) -> int:
        """Frame of the recording that a frame of the scene shows; it may still be ahead."""
        return max(0, scene_frame - self.first)

    def here(self, scene: bpy.types.Scene) -> int:
        """Frame of the recording at which a person acts: that of the playhead, or the last before it that is there."""
        return min(self.frame_of(scene.frame_current), self.rehearsal.frames - 1)

    def go(self, scene: bpy.types.Scene, seconds: float, show: bool = True) -> bool:
        """Shows the frame of the playhead, simulated as far as may be in so many seconds; whether it is there.

        Args:
            scene: Whose session this is.
            seconds: In which to do so.
            show: Whether also to show how far it got, should it not be there.
        """
        if isinstance(self.rehearsal, Unfilled):
            return False
        wanted = self.frame_of(scene.frame_current)
        there = self.rehearsal.advance(wanted, seconds)
        self.goal = None if there or self.rehearsal.full else wanted
        if self.rehearsal.full and not there:
            self.word = f"Memory is full at frame {self.first + self.rehearsal.frames - 1}: bake, or begin anew"
        if self.rehearsal.frames and (show or self.goal is None):
            self.show(scene, min(wanted, self.rehearsal.frames - 1))
        return there

    def catch_up(self, scene: bpy.types.Scene) -> None:
        """Goes on simulating to the frame of the playhead, and shows now and then how far it is."""
        late = perf_counter() - self._told > TELL
        if self.reading:
            self.take_up(scene)
        if self.goal is not None:
            self.go(scene, 0.0 if self._anew else WORK, show=late or self._anew)  # to make objects takes as long
        if late and self.busy:
            _say(self.status())
            self._told = perf_counter()

    def show(self, scene: bpy.types.Scene, frame: int) -> None:
        """Shows a frame of the recording that is there."""
        from .puppets import make

        rehearsal = self.filled
        if self._anew and self.puppets is not None and not self.puppets.fit(rehearsal):
            self.puppets = None
        self._anew = False
        if self.puppets is None:
            chosen = [(layer, _rows_chosen(layer)) for layer in scene.view_layers]
            self.puppets = make(scene, self.recording(), self.origin, _of_others(scene))
            for layer, (active, selected) in chosen:
                self._choose(layer, active, selected)
        gone = self.puppets.show(rehearsal[frame])
        self.shown = frame
        if gone:
            fishes = "A fish was deleted and swims" if gone == 1 else f"{gone} fishes were deleted and swim"
            self.word = f"{fishes} {UNSEEN}"
        elif self.word.endswith(UNSEEN):
            self.word = ""

    def _choose(self, layer: bpy.types.ViewLayer, active: int, selected: set[int]) -> None:
        """Makes new fishes as active and selected as those in whose place they are, by rows."""
        _ = layer.objects.active  # has Blender take in what was linked: new fishes are not in the layer before
        for row, fish in enumerate(self.fishes):
            if fish is None or fish.root.name not in layer.objects:
                continue
            if row == active:
                layer.objects.active = fish.root
            if row in selected:
                fish.root.select_set(True, view_layer=layer)

    def do(self, scene: bpy.types.Scene, act: Callable[[World], Any], final: bool = True) -> Any:
        """Does something to the world at the frame of the playhead; what was simulated after it is dropped.

        Args:
            scene: Whose session this is.
            act: What to do; the same world always has it done in the same way.
            final: Whether one step of undo takes back what was done since the last that was final.

        Returns:
            What `act` returns.

        Raises:
            SceneError: The world refuses.
            ValueError: No frame is there yet.
        """
        if not self.rehearsal.frames:
            raise ValueError(NOBODY)
        answers: list[Any] = []
        self.filled.act(self.here(scene), lambda world: answers.append(act(world)))
        if final:
            self.note(scene)
        return answers[0]

    def note(self, scene: bpy.types.Scene) -> None:
        """Ends one step of undo."""
        global _tokens
        _tokens += 1
        self._versions[_tokens] = self.rehearsal.acts
        self._known.add(_tokens)
        self._token = scene.artfish_live.deed = _tokens

    def take_back(self, scene: bpy.types.Scene) -> None:
        """After undo or redo: what was done is what the scene remembers."""
        token = scene.artfish_live.deed
        if token != self._token and token in self._versions:
            self._token = token
            self.rehearsal.lead(self._versions[token])
            self.go(scene, PATIENCE)

    def begun(self, scene: bpy.types.Scene) -> bool:
        """Whether live play had begun already when the scene was as undo has put it."""
        return scene.artfish_live.deed in self._known

    def find_again(self, scene: bpy.types.Scene) -> None:
        """After undo or redo: objects are others, though they look the same; what is gone is made again."""
        self.lost = False
        if self.puppets is not None and not self.puppets.find_again():
            self.puppets = None
        self.take_back(scene)
        if self.rehearsal.frames:
            self.show(scene, self.here(scene))

    def begin(self, scene: bpy.types.Scene) -> None:
        """Begins anew from the first frame, with the scene as it is now, at once or by and by.

        Raises:
            SceneError: The scene is not as it must be, as far as that is found at once.
        """
        self.first = film(scene)[0]
        self._read(scene, None, PATIENCE)

    def refresh(self, scene: bpy.types.Scene) -> None:
        """Takes up what was changed in the scene: goes on with it from the frame that is shown, or begins anew."""
        try:
            self._read(scene, self._lives, 0.0)
        except ValueError as error:
            self.word = f"Scene: {error}"

    def take_up(self, scene: bpy.types.Scene, seconds: float = 0.0) -> None:
        """Goes on with what was read of the scene, if that is there within so many seconds."""
        try:
            self._await(scene, seconds)
        except ValueError as error:
            self.word = f"Scene: {error}"
            if isinstance(self.rehearsal, Unfilled):
                _give_up(scene, error)

    def _read(self, scene: bpy.types.Scene, lives: Lives | None, seconds: float) -> None:
        """Reads the scene; what was being read of it before is of no interest any more.

        Args:
            scene: Whose session this is.
            lives: With what it is to go on where it can; None to begin anew.
            seconds: For which to wait for it.

        Raises:
            SceneError: It is not as it must be, as far as that is found by then.
        """
        self.dirty = False
        self._reading = self._steps(scene.session_uid, lives)
        self._await(scene, float("inf") if _unhurried() else seconds)

    def _await(self, scene: bpy.types.Scene, seconds: float) -> None:
        """Goes on with what was read of the scene, if that is there within so many seconds.

        Raises:
            SceneError: The scene is not as it must be.
        """
        until = perf_counter() + seconds
        reading, self._reading = self._reading, None
        try:
            while reading is not None:
                next(reading)
                if perf_counter() > until:
                    self._reading, reading = reading, None
        except StopIteration as end:
            self._take(scene, end.value)

    def _steps(self, uid: int, lives: Lives | None) -> Generator[None, None, Found]:
        """Reads a scene; yields while that lasts."""
        beside: Callable[[Callable[[], Any]], Generator[None, None, Any]] = at_once if _unhurried() else aside
        for room in ROOMS:
            yield from beside(partial(import_module, room, __package__))
        scene = next(scene for scene in bpy.data.scenes if scene.session_uid == uid)
        draft = _draft(scene, self.first)
        work = partial(_made, draft.form, draft.models, scene.artfish.seed, lives, self.rehearsal.frames > 0)
        wanted, why, rehearsal = yield from beside(work)
        return Found(draft.origin, wanted, why, rehearsal)

    def _take(self, scene: bpy.types.Scene, found: Found) -> None:
        """Goes on with what was found, from the frame that is shown or anew.

        Raises:
            SceneError: The world refuses.
        """
        if found.origin != self.origin:
            self.origin = found.origin.copy()
            if self.puppets:
                self.puppets.origin[:] = self.origin
                self.puppets.place()
        if found.rehearsal is not None:
            self._fill(scene, found, found.rehearsal)
        elif found.wanted != self._lives:
            wanted, models, _ = found.wanted
            shown = min(self.shown, self.rehearsal.frames - 1)
            self.filled.act(shown, lambda world: world.retune(wanted, models))
            self._lives = found.wanted
            self._versions[self._token] = self.rehearsal.acts
            self.word = f"Changed from frame {self.first + shown} on"
        elif self.word.startswith("Scene: "):
            self.word = ""

    def _fill(self, scene: bpy.types.Scene, found: Found, rehearsal: Rehearsal) -> None:
        """Goes on with another rehearsal, in which nothing was done yet; it has still to come to the playhead."""
        self.rehearsal, self._lives = rehearsal, found.wanted
        self._token = scene.artfish_live.deed
        self._versions = {self._token: ()}
        self.goal, self._anew = self.frame_of(scene.frame_current), True
        if not found.why:
            self.puppets = None
        self.word = found.why and f"Began anew with {found.why}"

    def status(self) -> str:
        """How far it is, in a few words."""
        if self.reading:
            return "Filling the tank…"
        if isinstance(self.rehearsal, Unfilled):
            return "No fishes yet"
        if self.rehearsal.ahead:
            return f"Pre-roll: {self.rehearsal.ahead} frames to go"
        if self.goal is not None:
            return f"Simulating to frame {self.first + self.goal}…"
        return f"Simulated up to frame {self.first + self.rehearsal.frames - 1}"

    def moved(self, scene: bpy.types.Scene) -> str:
        """That the film, as markers and Bake have it, begins elsewhere by now, in a sentence; "" if it does not."""
        first = film(scene)[0]
        if first == self.first:
            return ""
        return f"The film begins at frame {first} now; it plays from frame {self.first} until Begin Anew"

    def replace(self, scene: bpy.types.Scene) -> None:
        """Makes all its objects anew, as they are in the frame that is shown."""
        if self.puppets is not None:
            self.puppets.discard()
        self.puppets, self.word = None, ""
        if self.rehearsal.frames:
            self.show(scene, self.here(scene))

    def lock(self, scene: bpy.types.Scene, on: bool) -> None:
        """Has renders lock the interface, or has that as the animator had it.

        A render reads while the viewport draws; it must not do so while fishes are being moved.
        """
        scene.render.use_lock_interface = on or self._locked


def _made(
    form: Callable[[], Scene], models: dict[str, Species], seed: int, lives: Lives | None, has_begun: bool
) -> tuple[Lives, str, Rehearsal | None]:
    """What is to live, what a running world cannot take up of it, and a rehearsal if so or if it is to begin anew.

    Nothing here is of Blender.
    """
    from ...core.studio.rehearsal import Rehearsal

    wanted, why = Lives(form(), models, seed), ""
    if lives is None and not wanted.scene.fishes:
        raise ValueError("There are no fishes: add some first")
    if lives is not None:
        why = _obstacle(lives, wanted) if has_begun or lives.seed != seed else "the change" * (lives != wanted)
    again = lives is None or why
    return wanted, why, Rehearsal(wanted.scene, seed, models) if again else None


def _obstacle(lives: Lives, wanted: Lives) -> str:
    """What a running world cannot take up, in words; "" if it can take up all."""
    if wanted.seed != lives.seed:
        return "another seed"
    for name, word in GROUND.items():
        if getattr(wanted.scene, name) != getattr(lives.scene, name):
            return f"{word} as it is now"
    groups = [[replace(group, **_usual(group)) for group in of.scene.fishes] for of in (lives, wanted)]
    if groups[0] != groups[1]:
        return "the shoals as they are now"
    for name, model in wanted.models.items():
        before = lives.models.get(name)
        if before is None or before != replace(model, **{part: getattr(before, part) for part in OF_SPECIES}):
            return f"the species {model.common_name.lower()} as it is now"
    return ""


def session(scene: bpy.types.Scene) -> Session | None:
    """What plays live in a scene."""
    return _sessions.get(scene.session_uid)


def begin(scene: bpy.types.Scene) -> Session:
    """Begins to play live in a scene, anew if it did already, and shows the frame of the playhead.

    Raises:
        SceneError: The scene is not as it must be; the message names the object.
    """
    held = session(scene) or Session(scene)
    held.begin(scene)
    if session(scene) is None:
        _sessions[scene.session_uid] = held
        held.note(scene)
    held.lock(scene, True)
    _go(scene, held)
    return held


def end(scene: bpy.types.Scene, heirs: Mapping[int, bpy.types.Object] | None = None) -> None:
    """Ends live play in a scene, and takes its fishes away.

    Args:
        scene: Where they play, or stand still as a file was saved with them.
        heirs: Fishes that come in their place, by rows; without any, what stands in for fishes after live play goes.
    """
    from .puppets import remove

    held = _sessions.pop(scene.session_uid, None)
    if held is not None:
        held.lock(scene, False)
    remove(scene, _of_others(scene), heirs or {}, wait=held is not None or heirs is not None)
    if held is not None:
        _say(None)


def _of_others(scene: bpy.types.Scene) -> set[int]:
    """Numbers of what plays in other scenes; a copy of one of them shows it too."""
    others = [held.puppets for uid, held in _sessions.items() if uid != scene.session_uid]
    return {number for puppets in others if puppets is not None for number in puppets.numbers}


def has_shoals(scene: bpy.types.Scene) -> bool:
    """Whether there are fishes to play, in a scene of this file: in one that is linked nothing can be put."""
    return not is_linked(scene) and any(thing.artfish.kind == "SHOAL" for thing in scene.objects)


def is_baked(scene: bpy.types.Scene) -> bool:
    """Whether fishes have been baked into a scene, which play by themselves."""
    return any(thing.get("artfish_bake") for thing in scene.objects)


def playing() -> bool:
    """Whether the animation plays in any window."""
    manager = bpy.context.window_manager
    return manager is not None and any(window.screen.is_animation_playing for window in manager.windows)


def _draft(scene: bpy.types.Scene, first: int) -> Draft:
    """The scene as its objects stand now, which after undo, or in a script, Blender may not have looked at yet."""
    from ..scene.reader import draft

    markers.follow(scene)
    if not _within_frame:
        for layer in scene.view_layers[:1]:
            layer.update()
    return draft(scene, first)


def _plays_by_itself(scene: bpy.types.Scene) -> bool:
    """Whether somebody plays the animation of a scene that has fishes, and waits for them."""
    if not scene.artfish_live.on or _unhurried() or not playing() or scene.session_uid in _wanted:
        return False
    return has_shoals(scene) and not is_baked(scene)


def _usual(group: Any) -> dict[str, Any]:
    return {name: type(getattr(group, name))() for name in OF_GROUPS}


def _unhurried() -> bool:
    """Whether nobody waits at the window."""
    return bpy.app.background or _rendering


def _go(scene: bpy.types.Scene, held: Session) -> None:
    """Shows the frame of the playhead, at once or by and by."""
    if held.reading and _unhurried():
        held.take_up(scene, float("inf"))
    if not held.go(scene, float("inf") if _unhurried() else PATIENCE) or held.reading:
        _wake()


@hears(Stage.PLAY, "frame_change_pre")
def _on_frame(scene: bpy.types.Scene, *_: Any) -> None:
    """Before every frame."""
    held = session(scene)
    if held is None:
        if _plays_by_itself(scene):
            _wanted.add(scene.session_uid)
            _wake()
        return
    if (held.lost or held.dirty) and bpy.app.background:
        global _within_frame
        _within_frame = True
        try:
            _settle(scene, held)
        finally:
            _within_frame = False
    if not held.lost and session(scene) is held:
        _go(scene, held)


@hears(Stage.PLAY, "depsgraph_update_post")
def _on_update(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """After objects were changed: where one of them stands in the water, the scene is read again."""
    held = session(scene)
    if held is None or held.dirty:
        return
    for update in depsgraph.updates:
        changed = update.id
        if isinstance(changed, bpy.types.Object):
            led = changed.artfish.kind == "DIRECTION" and changed.animation_data is not None  # it moves by its keys
            if changed.artfish.kind == "NONE" or led or not (update.is_updated_transform or update.is_updated_geometry):
                continue
        elif not isinstance(changed, bpy.types.Scene | bpy.types.Collection | bpy.types.Action):
            continue
        _soil(held)
        return


@hears(Stage.PLAY, "frame_change_post")
def _on_framed(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """After every frame: what was moved while it plays is evaluated with the frame, where that is slow, and only there.

    What moves with time by itself is no change.
    """
    held = session(scene)
    if held is None or held.dirty:
        return
    for update in depsgraph.updates:
        moved = update.id
        if not isinstance(moved, bpy.types.Object) or moved.artfish.kind == "NONE" or not update.is_updated_transform:
            continue
        if not (moved.animation_data or moved.parent or moved.constraints):
            _soil(held)
            return


@hears(Stage.PLAY, NUMBER_CHANGED)
def _on_change(context: bpy.types.Context, group: bpy.types.PropertyGroup) -> None:
    """After a number was changed in a panel."""
    for held in _sessions.values():
        _soil(held)


def _soil(held: Session) -> None:
    """Has the scene read again, by and by."""
    held.dirty, held.changed = True, perf_counter()
    _wake()


@hears(Stage.PLAY, "undo_post", "redo_post")
def _on_undo(*_: Any) -> None:
    for held in _sessions.values():
        held.lost = True
        _soil(held)


@hears(Stage.PLAY, "load_pre")
def _on_load(*_: Any) -> None:
    """Another file has other scenes; its own live fishes of old stay until it plays."""
    _sessions.clear()
    _wanted.clear()
    _say(None)


@hears(Stage.PLAY, "save_pre")
def _on_save(*_: Any) -> None:
    """A file is saved as the animator had it; its live fishes are known by their names when it is opened."""
    _lock_all(False)
    homes = [each for each in bpy.data.collections if each.get(MARK) and provenance.is_original(each)]
    provenance.sign([*(thing for thing in bpy.data.objects if is_ours(thing) and thing.library is None), *homes])


@hears(Stage.PLAY, "save_post", "save_post_fail")
def _on_saved(*_: Any) -> None:
    _lock_all(True)


def _lock_all(on: bool) -> None:
    for scene in bpy.data.scenes:
        held = session(scene)
        if held is not None:
            held.lock(scene, on)


@hears(Stage.PLAY, "render_init")
def _on_render(*_: Any) -> None:
    global _rendering
    _rendering = True


@hears(Stage.PLAY, "render_complete", "render_cancel")
def _on_rendered(*_: Any) -> None:
    global _rendering
    _rendering = False


def _wake() -> None:
    if not bpy.app.background and not bpy.app.timers.is_registered(_tick):
        bpy.app.timers.register(_tick, first_interval=PAUSE)


def _tick() -> float | None:
    """Does what waits, a little at a time."""
    scenes = {scene.session_uid: scene for scene in bpy.data.scenes}
    if _rendering:
        return PAUSE * 10
    begun, busy = True, False
    for uid in tuple(_wanted):
        _wanted.discard(uid)
        if uid in scenes and uid not in _sessions:
            begun &= _begin_by_itself(scenes[uid])
    for uid, held in tuple(_sessions.items()):
        if uid not in scenes:
            del _sessions[uid]
            continue
        _settle(scenes[uid], held)
        if uid not in _sessions:
            continue
        if held.busy:
            held.catch_up(scenes[uid])
        busy |= held.busy or held.dirty
    if begun and not any(held.busy for held in _sessions.values()):
        _say(None)
    return PAUSE if busy else None


def _settle(scene: bpy.types.Scene, held: Session) -> None:
    """Finds objects after undo, and takes up changes once nobody drags any more."""
    if held.lost and not held.begun(scene):  # undo has taken back that it was begun
        end(scene)
        _stop()
        return
    if held.lost:
        held.find_again(scene)
    settled = _unhurried() or perf_counter() - held.changed > (LIVELY if playing() else SETTLED)
    if held.dirty and settled and not held.reading:
        held.refresh(scene)
        _redraw()


def _begin_by_itself(scene: bpy.types.Scene) -> bool:
    """The animation was started, and there are fishes; whether they can be."""
    try:
        begin(scene)
    except ValueError as error:
        scene.artfish_live.on = False
        _say(f"Live play is off: {error}")
        return False
    for window in bpy.context.window_manager.windows[:1]:
        with bpy.context.temp_override(window=window):
            bpy.ops.ed.undo_push(message="Play Live")  # so that to undo what comes next does not take this back too
    return True


def _give_up(scene: bpy.types.Scene, why: ValueError) -> None:
    """Live play had begun, and nothing comes of it: says why, and stops the animation, which has nothing to show."""
    end(scene)
    scene.artfish_live.on = False  # so that the next time it plays without
    _stop()
    tell(f"Live play given up: {why}")


def _stop() -> None:
    """Stops the animation."""
    if playing():
        for window in bpy.context.window_manager.windows[:1]:
            with bpy.context.temp_override(window=window):
                bpy.ops.screen.animation_cancel(restore_frame=False)


def _say(text: str | None) -> None:
    """A word in the status bar; None puts back what is usual there."""
    if say(__name__, text):
        _redraw()


def _redraw() -> None:
    manager = bpy.context.window_manager
    for window in manager.windows if manager else ():
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


def _rows_chosen(layer: bpy.types.ViewLayer) -> tuple[int, set[int]]:
    """Rows of the live fishes that are active, -1 without one, and selected."""
    rows = {thing: thing.get("artfish_row", -1) for thing in layer.objects if thing and is_ours(thing)}
    selected = {row for thing, row in rows.items() if thing.select_get(view_layer=layer)}
    return rows.get(layer.objects.active, -1), selected - {-1}


def row_of(context: bpy.types.Context) -> int | None:
    """Row of the active fish, if it plays live."""
    thing = context.view_layer.objects.active if context.view_layer else None
    held = session(context.scene)
    if thing is None or held is None or not is_ours(thing):
        return None
    row = thing.get("artfish_row")
    return row if isinstance(row, int) and 0 <= row < len(held.fishes) else None


def _felt(name: str) -> tuple[Callable[[Any], float], Callable[[Any, float], None]]:
    """Reads and sets what the active fish feels."""

    def get(settings: Any) -> float:
        held, row = session(settings.id_data), row_of(bpy.context)
        if held is None or row is None or not 0 <= held.shown < held.rehearsal.frames:
            return 0.0
        return round(float(held.filled[held.shown][name][row]), 2)  # Blender shows more digits of what is small

    def set_to(settings: Any, value: float) -> None:
        from ...core import SceneError

        held, row = session(settings.id_data), row_of(bpy.context)
        if held is None or row is None:
            return
        try:
            held.do(settings.id_data, lambda world: world.feel(row, **{name: value}))
        except (SceneError, ValueError) as error:
            held.word = str(error)

    return get, set_to


def _feeling(name: str, description: str) -> Any:
    get, set_to = _felt(name)
    return bpy.props.FloatProperty(
        name=name.capitalize(),
        description=description,
        min=0.0,
        max=1.0,
        precision=2,
        subtype="FACTOR",
        get=get,
        set=set_to,
    )


class ArtfishLive(bpy.types.PropertyGroup):
    """How a scene plays live."""

    on: bpy.props.BoolProperty(
        name="Play live",
        description="Fishes that are not baked swim whenever the animation is played",
        default=True,
    )
    deed: bpy.props.IntProperty(name="Deed", description="What undo goes back to", options={"HIDDEN", "SKIP_SAVE"})
    count: bpy.props.IntProperty(
        name="Pieces", description="How much food is dropped at a click", default=12, min=1, max=10_000, soft_max=100
    )
    spread: bpy.props.FloatProperty(
        name="Spread",
        description="Radius within which the food comes down",
        default=0.15,
        min=0.0,
        max=100.0,
        soft_max=1.0,
        subtype="DISTANCE",
        unit="LENGTH",
    )
    radius: bpy.props.FloatProperty(
        name="Reach",
        description="How near a fish must be to take fright",
        default=1.5,
        min=0.01,
        max=1000.0,
        soft_max=10.0,
        subtype="DISTANCE",
        unit="LENGTH",
    )
    follow: bpy.props.BoolProperty(
        name="View follows", description="The view goes along with the fish that is steered", default=True
    )
    hunger: _feeling("hunger", "How hungry the active fish is; set it and watch")
    libido: _feeling("libido", "How much the active fish wants to court; set it and watch")
    fear: _feeling("fear", "How afraid the active fish is; a fright fades in seconds")


CLASSES = (ArtfishLive,)


def register() -> None:
    """Goes along with the timeline."""
    bpy.types.Scene.artfish_live = bpy.props.PointerProperty(type=ArtfishLive)  # type: ignore


def unregister() -> None:
    """Ends all sessions; what is in the file stays as it stands."""
    _lock_all(False)
    if bpy.app.timers.is_registered(_tick):
        bpy.app.timers.unregister(_tick)
    _on_load()
    del bpy.types.Scene.artfish_live
