"""Words of the panel and the status bar for live play."""

from __future__ import annotations

from ..blender.messages import plain
from ..blender.words import counted, translated
from .statuses import FIXED_PARTS, Cause, CauseKind, Notice, NoticeKind, Status, StatusKind


def status_text(status: Status) -> str:
    """A status, in a few words."""
    match status.kind:
        case StatusKind.FILLING:
            return translated("Filling the tank…")
        case StatusKind.EMPTY:
            return translated("No fishes yet")
        case StatusKind.PREROLL:
            return translated("Pre-roll: {number} frames to go", number=status.number)
        case StatusKind.SIMULATING:
            return translated("Simulating to frame {number}…", number=status.number)
        case StatusKind.SIMULATED:
            return translated("Simulated up to frame {number}", number=status.number)


def notice_text(notice: Notice | None) -> str:
    """A notice, in a sentence; "" for none."""
    if notice is None:
        return ""
    match notice.kind:
        case NoticeKind.FULL:
            return translated("Memory is full at frame {number}: bake, or begin anew", number=notice.number)
        case NoticeKind.BROKEN:
            return translated(
                "Fishes cannot swim on after frame {number}: a number of a species, a shoal or the water is too "
                "extreme. Change it, or begin anew",
                number=notice.number,
            )
        case NoticeKind.UNSEEN:
            return counted(
                notice.number,
                "A fish was deleted and swims on unseen: begin anew to see all",
                "{count} fishes were deleted and swim on unseen: begin anew to see all",
            )
        case NoticeKind.SCENE_REFUSED:
            return translated("Scene: {error}", error=plain(notice.error)) if notice.error else ""
        case NoticeKind.ACT_REFUSED:
            return plain(notice.error) if notice.error else ""
        case NoticeKind.CHANGED:
            return translated("Changed from frame {number} on", number=notice.number)
        case NoticeKind.RESTARTED:
            if notice.cause is None:
                return translated("Began anew")
            return translated("Began anew with {cause}", cause=cause_text(notice.cause))


def cause_text(cause: Cause) -> str:
    """The change that a running world cannot take up, in words."""
    match cause.kind:
        case CauseKind.SEED:
            return translated("another seed")
        case CauseKind.PART:
            return translated("{part} as it is now", part=translated(FIXED_PARTS[cause.name]))
        case CauseKind.SHOALS:
            return translated("the shoals as they are now")
        case CauseKind.SPECIES:
            return translated("the species {cause} as it is now", cause=cause.name.lower())
        case CauseKind.ANY:
            return translated("the change")


def moved_text(first: int, now: int) -> str:
    """Message that the film, by markers and Bake, now begins elsewhere; "" if it does not.

    Args:
        first: Frame of the scene from which it plays.
        now: Frame of the scene at which the film begins.
    """
    return (
        ""
        if first == now
        else translated(
            "The film begins at frame {now} now; it plays from frame {first} until Begin Anew", now=now, first=first
        )
    )


def elsewhere_text(other: str) -> str:
    """Message that the animation of another scene plays in another window."""
    return translated(
        "{other} plays in another window: Play stops it there, for Blender plays one scene at a time", other=other
    )


def off_text(error: Exception) -> str:
    """Message that live play does not begin though the animation plays."""
    return translated("Live play is off: {error}", error=plain(error))


def given_up_text(error: Exception) -> str:
    """Message that live play had begun and failed."""
    return translated("Live play given up: {error}", error=plain(error))
