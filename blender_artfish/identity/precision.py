"""Numbers of Blender, stored in single precision, rounded back to the values that were set."""

from __future__ import annotations

from mathutils import Vector


def short(number: float) -> float:
    """A number without the digits that single precision adds."""
    return 0.0 if abs(number) < 1e-6 else float(f"{number:.6g}")


def rounded(at: Vector) -> list[float]:
    """A position without the digits that single precision adds."""
    return [short(number) for number in at[:]]
