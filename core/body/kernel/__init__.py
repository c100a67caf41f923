"""The compiled step of the body: kernel.c, built once for each width of a processor's registers.

All builds give the same bits; NumPy's form of the same scheme, `production.Production`, agrees with them to rounding
and moves bodies where no library can be loaded.

Attributes:
    available: Whether a library is here that this processor can run.
    name: What moves bodies: "avx512", "avx2", "sse2", "neon", or "numpy". The environment variable `ARTFISH_KERNEL`
        chooses one of them when this package is imported.
    reason: Why no library is here, in a line; empty where one is.
"""

from __future__ import annotations

from .library import load

library, name, reason = load()
available = library is not None
