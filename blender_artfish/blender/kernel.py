"""The core's compiled kernel, as far as an animator has to do with it: a word where it is missing, and its threads."""

from __future__ import annotations

import sys

from . import runtime
from .package import EXTENSION

SLOW = "Fishes move several times slower than they could: a part of Artfish is missing or damaged. Install Artfish anew"


class Word:
    """Whether it has been said that fishes are slow: once is enough.

    Attributes:
        given: Whether it has.
    """

    def __init__(self) -> None:
        """Not yet."""
        self.given = False


def slowness() -> str:
    """What to say once fishes move; "" where they move as fast as they can, and where it has been said already."""
    kernel = sys.modules.get(f"{EXTENSION}.core.body.kernel")
    word = runtime.of(Word)
    if kernel is None or not kernel.missing or word.given:
        return ""
    word.given = True
    return SLOW


def unregister() -> None:
    """Ends the core's threads, if it has been at work."""
    threads = sys.modules.get(f"{EXTENSION}.core.base.threads")
    if threads is not None:
        threads.close()


CLASSES = ()
