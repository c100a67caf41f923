"""Numbers of Blender, which stores them in single precision, rounded back to what was set."""

from __future__ import annotations

from mathutils import Vector


def short(number: float) -> float:
    """A number without what single precision adds to it."""
    return 0.0 if abs(number) < 1e-6 else float(f"{number:.6g}")


def rounded(at: Vector) -> list[float]:
    """A place without what single precision adds to it."""
    return [short(number) for number in at[:]]
