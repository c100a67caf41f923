"""The states of live play, and the transitions between them.

A scene without a session is idle. A session has three states at once, each a `StateTrack`: the state of its film,
whether the scene is as it was read, and whether its objects are valid. States are declared here, and so are
the transitions between them; any other is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Generic, TypeVar


class FilmState(Enum):
    """State of the live film."""

    EMPTY = auto()
    """There is no frame: the tank is being filled for the first time."""
    PLAYING = auto()
    """The frame of the playhead is there."""
    LAGGING = auto()
    """The timer is simulating on to the frame of the playhead."""
    FULL = auto()
    """Memory is used up before the frame of the playhead."""
    BROKEN = auto()
    """The world cannot go on to the frame of the playhead: its numbers break down before."""
    FAILED = auto()
    """The tank could not be filled for the first time."""
    ENDED = auto()
    """Live play has ended; anybody who still has the session leaves it alone."""


class SceneState(Enum):
    """State of the scene compared with what was read."""

    CURRENT = auto()
    """The scene is as it was read."""
    CHANGED = auto()
    """Something was changed, and is read once no dragging is under way."""
    READING = auto()
    """The scene is being read, and the tank filled, beside Blender."""
    STALE = auto()
    """The same, and something was changed meanwhile."""


class ObjectsState(Enum):
    """State of the live objects."""

    THERE = auto()
    """They are valid."""
    LOST = auto()
    """Undo has replaced them: they must be found again."""


State = TypeVar("State", bound=Enum)
Transitions = Mapping[str, Mapping[State, State]]
"""Transitions by name: from each state in which it is allowed to the state after it."""

_WITH_FRAMES = (FilmState.PLAYING, FilmState.LAGGING, FilmState.FULL, FilmState.BROKEN)
FILM_TRANSITIONS: Transitions[FilmState] = {
    "start": dict.fromkeys((FilmState.EMPTY, *_WITH_FRAMES), FilmState.LAGGING),  # a new world
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
    "read": dict.fromkeys(SceneState, SceneState.READING),  # a reading under way is dropped
    "finish": {SceneState.READING: SceneState.CURRENT, SceneState.STALE: SceneState.CHANGED},
}
OBJECTS_TRANSITIONS: Transitions[ObjectsState] = {
    "lose": dict.fromkeys(ObjectsState, ObjectsState.LOST),
    "find": dict.fromkeys(ObjectsState, ObjectsState.THERE),
}


class TransitionError(RuntimeError):
    """A transition that no table allows.

    Attributes:
        name: Name of the transition.
        state: The state in which it was tried.
    """

    def __init__(self, name: str, state: Enum) -> None:
        super().__init__(name, state)
        self.name, self.state = name, state


class StateTrack(Generic[State]):
    """One of a session's states, with its transitions.

    Attributes:
        state: The present state.
    """

    def __init__(self, state: State, transitions: Transitions[State]) -> None:
        """Start in a state; `transitions` are all that are allowed."""
        self.state = state
        self._transitions = transitions

    def take(self, name: str) -> None:
        """Makes a transition.

        Raises:
            TransitionError: It is not allowed in this state.
        """
        targets = self._transitions[name]
        if self.state not in targets:
            raise TransitionError(name, self.state)
        self.state = targets[self.state]

    def is_in(self, *states: State) -> bool:
        """True if it is in one of these states."""
        return self.state in states


def tracks() -> tuple[StateTrack[FilmState], StateTrack[SceneState], StateTrack[ObjectsState]]:
    """The states of the film, the scene and the objects of a new session."""
    return (
        StateTrack(FilmState.EMPTY, FILM_TRANSITIONS),
        StateTrack(SceneState.CURRENT, SCENE_TRANSITIONS),
        StateTrack(ObjectsState.THERE, OBJECTS_TRANSITIONS),
    )
