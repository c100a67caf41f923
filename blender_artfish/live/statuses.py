"""What a person may learn of live play, as kinds and fields; `texts` makes text of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

FIXED_PARTS = {
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
"""Fields of a scene that a running world cannot take up, and what they are called."""


class StatusKind(Enum):
    """How far live play is."""

    FILLING = auto()
    """The tank is being filled."""
    EMPTY = auto()
    """No fishes are there yet."""
    PREROLL = auto()
    """`number` frames of pre-roll are to come."""
    SIMULATING = auto()
    """The timer simulates on to frame `number` of the scene."""
    SIMULATED = auto()
    """All is simulated up to frame `number` of the scene."""


@dataclass(frozen=True)
class Status:
    """How far live play is.

    Attributes:
        kind: Of status.
        number: Of frames, or of one; see the kind.
    """

    kind: StatusKind
    number: int = 0


class CauseKind(Enum):
    """Why fishes begin anew."""

    SEED = auto()
    """The seed is another."""
    PART = auto()
    """A part of the scene is otherwise, whose field is `name`, one of `FIXED_PARTS`."""
    SHOALS = auto()
    """Other fishes are in the shoals."""
    SPECIES = auto()
    """A species has another body; its common name is `name`."""
    ANY = auto()
    """No frame was simulated before the change."""


@dataclass(frozen=True)
class Cause:
    """What a running world cannot take up, so that fishes begin anew.

    Attributes:
        kind: Of cause.
        name: Of a field or a species; see the kind.
    """

    kind: CauseKind
    name: str = ""


class NoticeKind(Enum):
    """What a person should know."""

    FULL = auto()
    """Memory is used up at frame `number` of the scene."""
    BROKEN = auto()
    """The world cannot go on after frame `number` of the scene: its numbers break down."""
    UNSEEN = auto()
    """`number` fishes were deleted and swim on."""
    SCENE_REFUSED = auto()
    """The scene cannot be as it is now, so that fishes swim on in the one before: `error`."""
    ACT_REFUSED = auto()
    """The world does not do what was to be done to it: `error`."""
    CHANGED = auto()
    """A change was taken up from frame `number` of the scene on."""
    RESTARTED = auto()
    """Fishes began anew because of `cause`."""


@dataclass(frozen=True)
class Notice:
    """What a person should know of live play.

    Attributes:
        kind: Of notice.
        number: Of fishes, or of a frame; see the kind.
        cause: Why fishes began anew.
        error: What was refused.
    """

    kind: NoticeKind
    number: int = 0
    cause: Cause | None = None
    error: Exception | None = None
