"""A click on the mesh that draws fishes selects one of them, and undo comes back to it."""

import bpy

from artfish.blender_artfish.live import timer
from artfish.blender_artfish.live.runtime import row_of, session_of
from artfish.tests.blender.live.tank import fishes, go, ours, step


def click_on(row: int, session) -> None:
    """Clicks as Blender and the timer do: the mesh is selected, which is a step of undo, then the fish is found."""
    layer = bpy.context.view_layer
    (swarm,) = set(ours()).difference(fishes())
    for obj in layer.objects:
        obj.select_set(obj == swarm)
    layer.objects.active = swarm
    step("Select")
    assert session.picks.due(layer, session.puppets) and not session.picks.due(layer, session.puppets)
    session.picks.pick(bpy.context.scene, layer, session.puppets, row)


def selected() -> list[str]:
    return [obj.name for obj in bpy.context.selected_objects]


def test_a_click_selects_a_fish_and_not_the_mesh(session):
    go(4)
    click_on(1, session)
    assert selected() == ["Clownfish 02"] and row_of(bpy.context) == 1


def test_undo_of_later_clicks_comes_back_to_who_was_clicked_on(session):
    go(4)
    for row in (2, 0, 1):
        click_on(row, session)
    found = []
    for _ in range(2):
        bpy.ops.ed.undo()
        timer.tick()
        found.append(selected())
    assert found == [["Clownfish 01"], ["Clownfish 03"]]
    session = session_of(bpy.context.scene)
    click_on(1, session)
    click_on(0, session)
    bpy.ops.ed.undo()
    timer.tick()
    assert selected() == ["Clownfish 02"]
