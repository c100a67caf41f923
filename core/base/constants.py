"""Arrays that stand for good: writing into one would change all worlds of the process."""

from __future__ import annotations

import numpy as np


def constant(array: np.ndarray) -> np.ndarray:
    """The same array, which is not to be written to any more."""
    array.flags.writeable = False
    return array
