"""Compiled functions: declared in Python, written in C, and held to their declaration wherever they are called.

A module that has a compiled form declares it with `compiled` and calls what that gives. This package knows no fish.
Beside it stand the C sources that know none either: exact arithmetic, elementary functions, sums, matrices, throws of
dice, who is near whom, fewest knots of curves, and how threads share out rows. Every other C file stands beside the
Python whose compiled form it is.
"""

from .calling import Kept, UnfitError, compiled, keep, laid, stack, values
from .declarations import (
    Record,
    changes,
    integer,
    part,
    reads,
    real,
    reals,
    record,
    rows,
    singles,
    struct,
    takes,
    writes,
)

__all__ = [
    "Kept",
    "Record",
    "UnfitError",
    "changes",
    "compiled",
    "integer",
    "keep",
    "laid",
    "part",
    "reads",
    "real",
    "reals",
    "record",
    "rows",
    "singles",
    "stack",
    "struct",
    "takes",
    "values",
    "writes",
]
