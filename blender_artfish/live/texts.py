"""Words of the panel and the status bar for live play."""

from __future__ import annotations

from ..blender.messages import plain
from .statuses import FIXED_PARTS, Cause, CauseKind, Notice, NoticeKind, Status, StatusKind


def status_text(status: Status) -> str:
    """A status, in a few words."""
    match status.kind:
        case StatusKind.FILLING:
            return "Filling the tank…"
        case StatusKind.EMPTY:
            return "No fishes yet"
        case StatusKind.PREROLL:
            return f"Pre-roll: {status.number} frames to go"
        case StatusKind.SIMULATING:
            return f"Simulating to frame {status.number}…"
        case StatusKind.SIMULATED:
            return f"Simulated up to frame {status.number}"


def notice_text(notice: Notice | None) -> str:
    """A notice, in a sentence; "" for none."""
    if notice is None:
        return ""
    match notice.kind:
        case NoticeKind.FULL:
            return f"Memory is full at frame {notice.number}: bake, or begin anew"
        case NoticeKind.BROKEN:
            return (
                f"Fishes cannot swim on after frame {notice.number}: a number of a species, a shoal or the water is "
                "too extreme. Change it, or begin anew"
            )
        case NoticeKind.UNSEEN:
            one = notice.number == 1
            fishes = "A fish was deleted and swims" if one else f"{notice.number} fishes were deleted and swim"
            return f"{fishes} on unseen: begin anew to see all"
        case NoticeKind.SCENE_REFUSED:
            return f"Scene: {plain(notice.error)}" if notice.error else ""
        case NoticeKind.ACT_REFUSED:
            return plain(notice.error) if notice.error else ""
        case NoticeKind.CHANGED:
            return f"Changed from frame {notice.number} on"
        case NoticeKind.RESTARTED:
            return f"Began anew with {cause_text(notice.cause)}" if notice.cause else "Began anew"


def cause_text(cause: Cause) -> str:
    """The change that a running world cannot take up, in words."""
    match cause.kind:
        case CauseKind.SEED:
            return "another seed"
        case CauseKind.PART:
            return f"{FIXED_PARTS[cause.name]} as it is now"
        case CauseKind.SHOALS:
            return "the shoals as they are now"
        case CauseKind.SPECIES:
            return f"the species {cause.name.lower()} as it is now"
        case CauseKind.ANY:
            return "the change"


def moved_text(first: int, now: int) -> str:
    """Message that the film, by markers and Bake, now begins elsewhere; "" if it does not.

    Args:
        first: Frame of the scene from which it plays.
        now: Frame of the scene at which the film begins.
    """
    return "" if first == now else f"The film begins at frame {now} now; it plays from frame {first} until Begin Anew"


def elsewhere_text(other: str) -> str:
    """Message that the animation of another scene plays in another window."""
    return f"{other} plays in another window: Play stops it there, for Blender plays one scene at a time"


def off_text(error: Exception) -> str:
    """Message that live play does not begin though the animation plays."""
    return f"Live play is off: {plain(error)}"


def given_up_text(error: Exception) -> str:
    """Message that live play had begun and failed."""
    return f"Live play given up: {plain(error)}"
