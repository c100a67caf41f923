"""Status and notices of live play for a person, as kinds and fields; `texts` turns them into text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from ..blender.words import Message

FIXED_PARTS: dict[str, Message] = {
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
"""Fields of a scene that a running world cannot take up, and their words."""


class StatusKind(Enum):
    """Kinds of progress of live play."""

    FILLING = auto()
    """The tank is being filled."""
    EMPTY = auto()
    """There are no fishes yet."""
    PREROLL = auto()
    """`number` frames of pre-roll remain."""
    SIMULATING = auto()
    """The timer is simulating on to frame `number` of the scene."""
    SIMULATED = auto()
    """All is simulated up to frame `number` of the scene."""


@dataclass(frozen=True)
class Status:
    """The progress of live play.

    Attributes:
        kind: Kind of status.
        number: Number of frames, or of a frame; see the kind.
    """

    kind: StatusKind
    number: int = 0


class CauseKind(Enum):
    """Reasons why fishes restart."""

    SEED = auto()
    """The seed has changed."""
    PART = auto()
    """A part of the scene has changed, whose field is `name`, one of `FIXED_PARTS`."""
    SHOALS = auto()
    """The fishes in the shoals have changed."""
    SPECIES = auto()
    """The body of a species has changed; its common name is `name`."""
    ANY = auto()
    """No frame was simulated before the change."""


@dataclass(frozen=True)
class Cause:
    """A change that a running world cannot take up, so that fishes restart.

    Attributes:
        kind: Kind of cause.
        name: Name of a field or a species; see the kind.
    """

    kind: CauseKind
    name: str = ""


class NoticeKind(Enum):
    """Kinds of notices for a person."""

    FULL = auto()
    """Memory is used up at frame `number` of the scene."""
    BROKEN = auto()
    """The world cannot go on after frame `number` of the scene: its numbers break down."""
    UNSEEN = auto()
    """`number` fishes were deleted and swim on."""
    SCENE_REFUSED = auto()
    """The changed scene is refused, and fishes swim on in the one before: `error`."""
    ACT_REFUSED = auto()
    """The world refuses an act: `error`."""
    CHANGED = auto()
    """A change was taken up from frame `number` of the scene on."""
    RESTARTED = auto()
    """Fishes were restarted because of `cause`."""


@dataclass(frozen=True)
class Notice:
    """A notice about live play for a person.

    Attributes:
        kind: Kind of notice.
        number: Number of fishes, or of a frame; see the kind.
        cause: Why fishes were restarted.
        error: The refusal.
    """

    kind: NoticeKind
    number: int = 0
    cause: Cause | None = None
    error: Exception | None = None
