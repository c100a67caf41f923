"""The states of live play, and the transitions between them.

A scene without a session is idle. A session stands in three respects at once, each a `Track`: how far its film is,
whether the scene is as it was read, and whether objects are where they were made. States are declared here, and so are
the transitions between them; any other is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Generic, TypeVar


class FilmState(Enum):
    """How far the film is that plays live."""

    EMPTY = auto()
    """No frame is there: the tank is filled for the first time."""
    PLAYING = auto()
    """The frame of the playhead is there."""
    LAGGING = auto()
    """The timer simulates on to the frame of the playhead."""
    FULL = auto()
    """Memory is used up before the frame of the playhead."""
    BROKEN = auto()
    """The world cannot go on to the frame of the playhead: its numbers break down before."""
    FAILED = auto()
    """The tank could not be filled for the first time: nothing comes of it."""
    ENDED = auto()
    """Live play has ended; whoever still has the session leaves it alone."""


class SceneState(Enum):
    """Whether the scene is as it was read."""

    CURRENT = auto()
    """It is."""
    CHANGED = auto()
    """Something was changed, and is read once nobody drags any more."""
    READING = auto()
    """It is read, and the tank filled, beside Blender."""
    STALE = auto()
    """The same, and something was changed meanwhile."""


class ObjectsState(Enum):
    """Whether objects are where they were made."""

    THERE = auto()
    """They are."""
    LOST = auto()
    """Undo has made them others: they are to be found again."""


State = TypeVar("State", bound=Enum)
Transitions = Mapping[str, Mapping[State, State]]
"""By name: from each state in which it may happen to that which comes after it."""

_WITH_FRAMES = (FilmState.PLAYING, FilmState.LAGGING, FilmState.FULL, FilmState.BROKEN)
FILM_TRANSITIONS: Transitions[FilmState] = {
    "start": dict.fromkeys((FilmState.EMPTY, *_WITH_FRAMES), FilmState.LAGGING),  # a world that was just made
    "arrive": dict.fromkeys(_WITH_FRAMES, FilmState.PLAYING),
    "lag": dict.fromkeys(_WITH_FRAMES, FilmState.LAGGING),
    "run full": dict.fromkeys(_WITH_FRAMES, FilmState.FULL),
    "break": dict.fromkeys(_WITH_FRAMES, FilmState.BROKEN),
    "fail": {FilmState.EMPTY: FilmState.FAILED},
    "end": dict.fromkeys(FilmState, FilmState.ENDED),
}
SCENE_TRANSITIONS: Transitions[SceneState] = {
    "change": {
        SceneState.CURRENT: SceneState.CHANGED,
        SceneState.CHANGED: SceneState.CHANGED,
        SceneState.READING: SceneState.STALE,
        SceneState.STALE: SceneState.STALE,
    },
    "read": dict.fromkeys(SceneState, SceneState.READING),  # what is being read already is of no interest any more
    "finish": {SceneState.READING: SceneState.CURRENT, SceneState.STALE: SceneState.CHANGED},
}
OBJECTS_TRANSITIONS: Transitions[ObjectsState] = {
    "lose": dict.fromkeys(ObjectsState, ObjectsState.LOST),
    "find": dict.fromkeys(ObjectsState, ObjectsState.THERE),
}


class TransitionError(RuntimeError):
    """A transition that no table allows.

    Attributes:
        name: Of the transition.
        state: In which it was to happen.
    """

    def __init__(self, name: str, state: Enum) -> None:
        super().__init__(name, state)
        self.name, self.state = name, state


class Track(Generic[State]):
    """One respect in which a session stands.

    Attributes:
        state: How it stands now.
    """

    def __init__(self, state: State, transitions: Transitions[State]) -> None:
        """Begins in a state; `transitions` are all that may happen."""
        self.state = state
        self._transitions = transitions

    def take(self, name: str) -> None:
        """Makes a transition.

        Raises:
            TransitionError: It may not happen in this state.
        """
        targets = self._transitions[name]
        if self.state not in targets:
            raise TransitionError(name, self.state)
        self.state = targets[self.state]

    def is_in(self, *states: State) -> bool:
        """Whether it stands in one of these states."""
        return self.state in states
