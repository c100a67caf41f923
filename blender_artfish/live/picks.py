"""A click on a fish selects that fish, though one mesh draws all of its species.

Blender selects the mesh, with any key and tool, and then the fish under the mouse is found. An
undo of a later click returns to that moment, so all picks are kept, and the scene counts them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from .puppets import Puppets


class Picks:
    """The fishes picked by clicks so far."""

    def __init__(self) -> None:
        """Start with no picks."""
        self._rows: list[int] = []
        self._active = 0

    def due(self, layer: bpy.types.ViewLayer, puppets: Puppets) -> bool:
        """True if a mesh that draws fishes has become the active object since the last call."""
        active = layer.objects.active
        before, self._active = self._active, active.session_uid if active else 0
        changed = before != self._active and puppets.swarm_of(active) is not None
        return changed and active is not None and active.select_get(view_layer=layer)

    def pick(self, scene: bpy.types.Scene, layer: bpy.types.ViewLayer, puppets: Puppets, row: int) -> None:
        """Selects a fish and makes it active in place of the mesh that draws it."""
        live = scene.artfish_live
        self._rows[live.picks :] = [row]
        live.picks = len(self._rows)
        self._choose(layer, puppets, row)

    def pick_again(self, scene: bpy.types.Scene, puppets: Puppets) -> None:
        """After undo to a click: picks the same fish again."""
        live = scene.artfish_live
        for layer in scene.view_layers:
            if puppets.swarm_of(layer.objects.active) is not None and live.picks < len(self._rows):
                self._choose(layer, puppets, self._rows[live.picks])
                live.picks += 1

    def _choose(self, layer: bpy.types.ViewLayer, puppets: Puppets, row: int) -> None:
        drawn, fish = layer.objects.active, puppets.fishes[row] if row < len(puppets.fishes) else None
        if drawn is not None:
            drawn.select_set(False, view_layer=layer)
        if fish is not None:
            layer.objects.active = fish.root
            fish.root.select_set(True, view_layer=layer)
            self._active = fish.root.session_uid
