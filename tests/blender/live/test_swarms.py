"""One mesh draws all fishes of a species; a fish that is worked with is drawn by its own object instead."""

import bpy
import numpy as np

from artfish.blender_artfish.fish.individuality import INDIVIDUAL
from artfish.blender_artfish.live import pace, puppets, swarms, timer
from artfish.blender_artfish.live.runtime import session_of
from artfish.blender_artfish.live.swarms import STAND_IN_VERTICES
from artfish.core.world.spawning import spawn
from artfish.tests.blender.live.tank import FISHES, fishes, go, ours, shape, step, tick_on, vertices


def drawn_together() -> np.ndarray:
    """True for each fish that the mesh of all draws; it has the vertices of the others in one place."""
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


def test_of_many_the_dynamic_ones_are_drawn_finely_and_the_others_coarsely(session, monkeypatch):
    monkeypatch.setattr(swarms, "FEW", 2)
    monkeypatch.setattr(swarms, "MOST_NEAR", 2)
    go(5)
    swarm = swarms.Swarm(session.recording().species_models["clownfish"], session.recording())
    frame, everyone = dict(session.rehearsal[4]), np.ones(FISHES, dtype=bool)
    mesh = swarm.make(swarm.part, bpy.context.scene)
    for levels, whose in (((0, 1, 2), [0, -1]), ((0, 1, 0), [0, 2]), ((1, 0, 0), [1, 2]), ((0, 0, 0), [1, 2])):
        frame["level"] = np.array(levels, dtype=np.int8)
        found = swarm.drawn(frame, swarm.picture(frame), everyone)
        swarm.renumber(swarm.part, mesh)
        fine, coarse = (np.ptp(found[part], axis=1).max(axis=1) > 0 for part in (swarm.part, swarm.far))
        assert [swarm.row_of(swarm.part, slot * len(mesh.polygons) // 2) for slot in (0, 1)] == whose
        assert fine.tolist() == [row >= 0 for row in whose]
        assert coarse.tolist() == [row not in whose for row in range(FISHES)]
        exact = swarm.alone(frame, np.arange(FISHES))
        for slot, row in enumerate(whose):
            assert row < 0 or np.array_equal(found[swarm.part][slot], exact[row])
        for row in np.flatnonzero(coarse):  # of the same size at the same place
            assert np.abs(np.ptp(found[swarm.far][row], axis=0) - np.ptp(exact[row], axis=0)).max() < 0.02
        numbers = np.empty(len(mesh.polygons), dtype=np.float32)
        mesh.attributes[INDIVIDUAL].data.foreach_get("value", numbers)
        seen = [number for number, row in zip(numbers.reshape(2, -1)[:, 0], whose, strict=True) if row >= 0]
        assert np.allclose(seen, [swarm.individual[row] for row in whose if row >= 0])
        assert swarm.row_of(swarm.far, found[swarm.far].shape[0] - 1) == 0


def test_objects_of_a_large_shoal_rest_while_it_plays_but_for_those_that_are_needed(scene, at_window, monkeypatch):
    monkeypatch.setattr(swarms, "FEW", 2)
    monkeypatch.setattr(swarms, "MOST_NEAR", 2)
    bpy.ops.artfish.live_play()
    tick_on()
    session = session_of(scene)
    rider = bpy.data.objects.new("Rider", None)
    scene.collection.objects.link(rider)
    roots = [fish.root for fish in session.fishes]
    rider.parent = roots[1]
    go(2)
    before = [root.location.copy() for root in roots]
    monkeypatch.setattr(pace, "plays", lambda scene: True)
    for frame in range(3, 12):
        go(frame)
    assert [root.location != place for root, place in zip(roots, before, strict=True)] == [False, True, False]
    assert [len(root.data.vertices) for root in roots] == [0, STAND_IN_VERTICES, 0]  # no line is seen at its old place
    assert (session.puppets.place_of(0) - before[0]).length > 0.01
    roots[2].select_set(True)
    go(12)
    assert roots[2].location == session.puppets.place_of(2) and len(roots[2].data.vertices) > STAND_IN_VERTICES
    roots[0].hide_set(True)
    for frame in range(13, 13 + puppets.LOOKING_FRAMES):
        go(frame)
    assert not session.puppets._drawn[0, 0]
    roots[0].hide_set(False)
    monkeypatch.setattr(pace, "plays", lambda scene: False)
    timer.tick()
    assert [root.location == session.puppets.place_of(row) for row, root in enumerate(roots)] == [True] * FISHES
    assert [len(root.data.vertices) == STAND_IN_VERTICES for root in roots] == [True, True, False]


def test_a_film_that_plays_from_its_first_frame_on_shows_all_and_who_comes_in_at_once(scene, at_window, monkeypatch):
    monkeypatch.setattr(pace, "plays", lambda scene: True)
    bpy.ops.artfish.live_play()
    tick_on()
    session = session_of(scene)
    go(2)
    assert drawn_together().all()
    frame = dict(session.rehearsal[1])
    for there in ([True, False, True], [True, True, True]):
        frame["alive"] = np.array(there)
        session.puppets.show(frame, hurried=True)
        assert drawn_together().tolist() == there
    for _ in range(puppets.LOOKING_FRAMES):
        session.puppets.show(frame, hurried=True)
        assert not session.puppets.is_behind(hurried=True)
    fishes()[2].select_set(True)
    assert session.puppets.is_behind(hurried=True)
    session.puppets.show(frame, hurried=True)
    assert drawn_together().tolist() == [True, True, False] and not session.puppets.is_behind(hurried=True)


def test_a_fry_is_seen_once_it_has_hatched(scene):
    scene.artfish.generations.on = True
    scene.artfish.generations.born, scene.artfish.generations.pace = 4, 500.0
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    go(2)
    assert len(session.fishes) == FISHES + 4
    couple = {"kind": "spawned", "fish": 0, "other": 1}
    session.do(scene, lambda world: spawn(world.parts, [couple], world.nodes))
    go(24)
    assert session.rehearsal[23]["alive"].sum() > FISHES
    picture = session.puppets.picture(session.rehearsal[23])
    (drawn,) = picture.swarms.values()
    spans = np.ptp(drawn.fine[[0, FISHES]], axis=1).max(axis=1)
    assert 0.05 < spans[1] / spans[0] < 0.95
