"""Liveliness of the fishes, as a table of figures beside tracked real fish and published values.

Each row is measured by one function, over stated seeds and species, from recordings made at 24 frames a second, or at
120 for times under 0.3 s: rows 1 to 3, 5, 6 and 9 in `bodily`, the others up to 12 in `minded`, 16 and 23 in `reef`,
and those from 13 on in `watched`. Their measures take plain arrays and are in `motion` (places), `bodies` (nodes),
`company` (schools) and `minds` (intentions); the scenes are in `staging`, real fish in `tracks`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from . import bodily, minded, reef, watched
from .figure import Figure, table

SEEDS = range(2)
ROWS = dict(sorted({**bodily.ROWS, **minded.ROWS, **watched.ROWS, **reef.ROWS}.items()))


def figures(seeds: range = SEEDS, rows: Sequence[int] = tuple(ROWS)) -> list[Figure]:
    """The figures of these rows, over these seeds."""
    found = []
    for row in rows:
        begun = time.process_time()
        found += list(ROWS[row](seeds))
        print(f"  row {row}: {time.process_time() - begun:.0f} s of processor", file=sys.stderr, flush=True)
    return found


def page(seeds: range = SEEDS, rows: Sequence[int] = tuple(ROWS)) -> str:
    """The table of these rows in Markdown."""
    return table(figures(seeds, rows))
