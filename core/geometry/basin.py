"""The walls of a tank of any form."""

from __future__ import annotations

from functools import cached_property

from .compiled_solids import CompiledSolid, Formed
from .mesh_field import MeshField
from .triangles import Surface


class Basin(Formed):
    """The walls of a tank of any form: all that is outside a closed mesh.

    Attributes:
        grain: See Solid.
    """

    def __init__(self, surface: Surface):
        """Samples the field, as for a solid of that form in metres."""
        self._inside = MeshField(surface)
        self.grain = self._inside.grain

    @cached_property
    def form(self) -> CompiledSolid:
        """The form for compiled functions."""
        return self._inside.form.turned()
