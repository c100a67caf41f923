"""The Bake panel, and recordings made into F-curves.

`bake` and its helpers are loaded when they are first used, since registering loads no simulation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .order import Order
    from .writer import bake, bake_steps

__all__ = ["Order", "bake", "bake_steps"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import order, writer

    return getattr(order if name == "Order" else writer, name)
