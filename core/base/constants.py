"""Arrays that stand for good: whoever writes into one would change what all worlds of the process do."""

from __future__ import annotations

import numpy as np


def constant(array: np.ndarray) -> np.ndarray:
    """The same array, which is not to be written to any more."""
    array.flags.writeable = False
    return array
