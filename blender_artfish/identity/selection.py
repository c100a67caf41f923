"""Objects of a scene that are selected, active and hidden by the eye, kept while others take their place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import bpy


@dataclass(frozen=True)
class _View:
    """The state of a view layer, objects by their session numbers."""

    layer: str
    selected: frozenset[int]
    hidden: frozenset[int]
    active: int | None


@dataclass(frozen=True)
class Selection:
    """The selection, active object and eyes of a scene's view layers at some time."""

    scene: bpy.types.Scene
    views: tuple[_View, ...]

    @classmethod
    def of(cls, scene: bpy.types.Scene) -> Selection:
        """The state of a scene now."""
        return cls(scene, tuple(map(_view, scene.view_layers)))

    def restore(self, heirs: Mapping[int, bpy.types.Object]) -> None:
        """Set the state again, for the objects that are in the scene now.

        Args:
            heirs: Objects that have taken the place of others since, by the session numbers of those.
        """
        numbers = {number: heir.session_uid for number, heir in heirs.items()}
        for view in self.views:
            layer = self.scene.view_layers.get(view.layer)
            if layer is None:
                continue
            layer.update()  # only then does it know what is in the scene
            selected, hidden = (
                {numbers.get(number, number) for number in some} for some in (view.selected, view.hidden)
            )
            active = None if view.active is None else numbers.get(view.active, view.active)
            there = {obj.session_uid: obj for obj in layer.objects}
            for number, obj in there.items():
                if obj.hide_get(view_layer=layer) != (number in hidden):
                    obj.hide_set(number in hidden, view_layer=layer)
                if obj.select_get(view_layer=layer) != (number in selected):
                    obj.select_set(number in selected, view_layer=layer)
            if (layer.objects.active and layer.objects.active.session_uid) != active:
                layer.objects.active = None if active is None else there.get(active)


def _view(layer: bpy.types.ViewLayer) -> _View:
    there = list(layer.objects)
    active = layer.objects.active
    return _View(
        layer.name,
        frozenset(obj.session_uid for obj in there if obj.select_get(view_layer=layer)),
        frozenset(obj.session_uid for obj in there if obj.hide_get(view_layer=layer)),
        None if active is None else active.session_uid,
    )
