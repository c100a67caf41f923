"""The threads of the core's compiled library, which end with the add-on."""

from __future__ import annotations

import sys

from .package import EXTENSION


def unregister() -> None:
    """Ends the core's threads, if there are any."""
    threads = sys.modules.get(f"{EXTENSION}.core.base.threads")
    if threads is not None:
        threads.close()


CLASSES = ()
