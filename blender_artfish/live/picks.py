"""A click on a fish selects that fish, though one mesh draws all of its species.

Blender selects the mesh, by whichever key and tool an animator selects, and the fish under the mouse is found then. An
undo of a later click comes back to that moment, so who was found is remembered, and the scene counts how many were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from .puppets import Puppets


class Picks:
    """What was found by clicks so far."""

    def __init__(self) -> None:
        """Nothing was."""
        self._rows: list[int] = []
        self._active = 0

    def due(self, layer: bpy.types.ViewLayer, puppets: Puppets) -> bool:
        """Whether a mesh that draws fishes has become the active object since this was asked last."""
        active = layer.objects.active
        before, self._active = self._active, active.session_uid if active else 0
        changed = before != self._active and puppets.swarm_of(active) is not None
        return changed and active is not None and active.select_get(view_layer=layer)

    def pick(self, scene: bpy.types.Scene, layer: bpy.types.ViewLayer, puppets: Puppets, row: int) -> None:
        """Has a fish be selected and active in the place of the mesh that draws it."""
        live = scene.artfish_live
        self._rows[live.picks :] = [row]
        live.picks = len(self._rows)
        self._choose(layer, puppets, row)

    def pick_again(self, scene: bpy.types.Scene, puppets: Puppets) -> None:
        """After undo has come back to a click: picks who was picked then."""
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
