"""Visual memory: what each fish has seen where, and no longer expects there (Kuffner & Latombe 1999, §4 to §6)."""

from .memory import VisualMemory
from .pieces import ObstaclePieces

__all__ = ["ObstaclePieces", "VisualMemory"]
