"""One mesh draws all fishes of a species; who is worked with is drawn by its own object instead."""

import bpy
import numpy as np

from artfish.blender_artfish.fish.individuality import INDIVIDUAL
from artfish.blender_artfish.live import timer
from artfish.blender_artfish.live.swarms import STAND_IN_VERTICES
from artfish.tests.blender.live.tank import FISHES, fishes, go, ours, shape, step, vertices


def drawn_together() -> np.ndarray:
    """Whether the mesh of all draws each fish, or has all its vertices in one place."""
    (swarm,) = set(ours()).difference(fishes())
    return np.ptp(vertices(swarm).reshape(FISHES, -1, 3), axis=1).max(axis=1) > 0


def choose(*rows: int) -> None:
    for row, fish in enumerate(fishes()):
        fish.select_set(row in rows)
    timer.tick()


def test_who_is_selected_is_drawn_by_itself_where_it_was(session):
    go(8)
    before = [shape(session, row) for row in range(FISHES)]
    assert drawn_together().all()
    choose(1)
    assert drawn_together().tolist() == [True, False, True]
    assert len(fishes()[1].data.vertices) == len(before[1]) > len(fishes()[0].data.vertices) == STAND_IN_VERTICES
    assert all(np.allclose(shape(session, row), was, atol=1e-6) for row, was in enumerate(before))
    choose()
    assert drawn_together().all() and len(fishes()[1].data.vertices) == STAND_IN_VERTICES


def test_a_fish_with_a_modifier_is_drawn_by_itself(session):
    fishes()[2].modifiers.new("Smooth", "SUBSURF")
    go(3)
    assert drawn_together().tolist() == [True, True, False]
    assert len(fishes()[2].data.materials) > 0


def test_who_is_hidden_eaten_or_deleted_is_not_drawn(session):
    go(5)
    fishes()[0].hide_set(True)
    timer.tick()
    assert drawn_together().tolist() == [False, True, True]
    frame = dict(session.rehearsal[4])
    frame["alive"] = np.array([True, False, True])
    session.puppets.show(frame)
    assert drawn_together().tolist() == [False, False, True]
    bpy.data.objects.remove(session.fishes[2].root)
    go(6)
    assert drawn_together()[1:].tolist() == [True, False]


def test_without_the_mesh_of_all_each_draws_itself_until_undo_brings_it_back(session):
    go(5)
    (swarm,) = set(ours()).difference(fishes())
    step("Before")
    bpy.data.objects.remove(swarm)
    go(6)
    go(7)
    assert all(len(fish.data.vertices) > STAND_IN_VERTICES for fish in fishes()) and session.notice is None
    step("Deleted")
    bpy.ops.ed.undo()
    go(8)
    assert drawn_together().all() and all(len(fish.data.vertices) == STAND_IN_VERTICES for fish in fishes())


def test_each_fish_of_the_mesh_has_its_number_and_its_places(session):
    go(2)
    (swarm,) = set(ours()).difference(fishes())
    numbers = np.empty(len(swarm.data.polygons), dtype=np.float32)
    swarm.data.attributes[INDIVIDUAL].data.foreach_get("value", numbers)
    own = [fish[INDIVIDUAL] for fish in fishes()]
    assert np.allclose(numbers.reshape(FISHES, -1), np.array(own)[:, None]) and len(set(own)) == FISHES
    choose(0)
    alone = fishes()[0].data
    uv, own_uv = (np.array([place.vector for place in mesh.uv_layers[0].uv]) for mesh in (swarm.data, alone))
    assert np.array_equal(uv.reshape(FISHES, *own_uv.shape), np.broadcast_to(own_uv, (FISHES, *own_uv.shape)))
    assert [slot.name for slot in swarm.data.materials] == [slot.name for slot in alone.materials]
