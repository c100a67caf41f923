"""The core's compiled kernel as an animator meets it: a message if it is missing, and its threads."""

from __future__ import annotations

import sys

from . import runtime
from .package import EXTENSION

SLOW = "Fishes move several times slower than they could: a part of Artfish is missing or damaged. Install Artfish anew"


class Word:
    """Flag for the message that fishes are slow, shown only once.

    Attributes:
        given: Whether it has been shown.
    """

    def __init__(self) -> None:
        """Start with the message not shown."""
        self.given = False


def slowness() -> str:
    """The message to show once fishes move; "" if the kernel is there, or the message was shown already."""
    kernel = sys.modules.get(f"{EXTENSION}.core.body.kernel")
    word = runtime.of(Word)
    if kernel is None or not kernel.missing or word.given:
        return ""
    word.given = True
    return SLOW


def unregister() -> None:
    """Ends the core's threads, if there are any."""
    threads = sys.modules.get(f"{EXTENSION}.core.base.threads")
    if threads is not None:
        threads.close()


CLASSES = ()
