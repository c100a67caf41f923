"""The snake grid under its first name, on which scripts rely; it lives in `core.photo.snake_grid`."""

from ..photo.snake_grid import fit_grid

__all__ = ["fit_grid"]
