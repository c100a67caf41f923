"""Models of fishes are where the recorded body is, at each frame, and come and go as their shot says."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake.writer import bake
from artfish.blender_artfish.filming.models import CONTRACTION, Showing, contractions, draw_model
from artfish.blender_artfish.filming.wipes import wipes
from artfish.blender_artfish.identity import provenance
from artfish.core.body.anatomy import MASSES, MUSCLES, UNITS, rest_nodes
from artfish.core.form.coupling import Coupling
from artfish.core.scene.species import Species

pytestmark = pytest.mark.versions
FRAMES, FIRST = 6, 1


@pytest.fixture
def drawn(swimming):
    """Draws a sardine that swims, and returns its recording and the drawn objects by name."""

    def draw(*drawings):
        recording = swimming("sardine", frames=FRAMES)
        bake(recording, stage=False, tolerance=0.0)
        (root,) = [obj for obj in bpy.data.objects if obj.get(provenance.ROW) is not None]
        into = bpy.data.collections.new("Drawing")
        bpy.context.scene.collection.children.link(into)
        length = float(recording.body_length[0])
        turns = wipes(len(drawings), FRAMES, 24.0, FIRST, 0.3 * length, length)
        draw_model(into, root, recording, Showing(drawings, turns), FIRST)
        return recording, root, {obj.name: obj for obj in into.objects}

    return draw


def shape(obj, frame):
    """The points of an object as it plays at a frame, (n, 3)."""
    bpy.context.scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    made = bpy.data.meshes.new_from_object(obj.evaluated_get(graph), depsgraph=graph)
    places = np.empty(3 * len(made.vertices))
    made.vertices.foreach_get("co", places)
    return places.reshape(-1, 3)


def test_balls_are_where_the_masses_are_and_larger_where_they_are_heavier(drawn):
    recording, root, objects = drawn("masses")
    assert set(objects) == {"Masses", "Springs"} and all(child.hide_render for child in root.children)
    for frame in (0, 3, FRAMES - 1):
        balls = shape(objects["Masses"], FIRST + frame).reshape(len(MASSES), -1, 3)
        assert balls.mean(axis=1) == pytest.approx(recording.nodes[frame, 0], abs=1e-4)
    sizes = balls.std(axis=1).max(axis=1)
    assert sizes[MASSES == MASSES.max()].min() > 2.0 * sizes[MASSES == 1.1].max() > sizes[-1]
    low, high = (of(shape(objects["Springs"], FIRST + 3), axis=0) for of in (np.min, np.max))
    ends = recording.nodes[3, 0]
    slack = 0.01 * float(recording.body_length[0])
    assert low == pytest.approx(ends.min(axis=0), abs=slack) and high == pytest.approx(ends.max(axis=0), abs=slack)


def test_muscles_lie_between_their_nodes_and_know_their_contraction(drawn):
    recording, _, objects = drawn("muscles")
    muscles = [objects[f"Muscle {number:02d}"] for number in range(1, 13)]
    body = recording.species_models["sardine"].body
    short = contractions(recording.nodes[:, 0].astype(float), rest_nodes(body) * float(recording.body_length[0]))
    assert short.shape == (FRAMES, 12) and np.ptp(short) > 0.0
    for frame in (0, FRAMES - 1):
        for muscle, unit, own in zip(muscles, UNITS[MUSCLES], short[frame], strict=True):
            middle = recording.nodes[frame, 0, unit].mean(axis=0)
            assert shape(muscle, FIRST + frame).mean(axis=0) == pytest.approx(middle, abs=1e-3)
            assert muscle[CONTRACTION] == pytest.approx(own, abs=0.01)


def test_a_body_at_rest_has_no_contraction():
    rest = rest_nodes(Species.load("sardine").body)
    assert contractions(np.stack((rest, 0.9 * rest)), rest) == pytest.approx(np.array([[0.0], [0.1]]) + np.zeros(12))


def test_the_grid_goes_through_the_control_points(drawn):
    recording, _, objects = drawn("grid")
    grid = shape(objects["Control grid"], FIRST + 2)
    moving = recording.nodes[2:3], recording.fins[2:3], recording.body_length, recording.mouth[2:3]
    points = Coupling(Species.load("sardine")).control_points(*moving, recording.part(2, 3).look([0]))
    places = np.concatenate([points[part].reshape(-1, 3) for part in ("body_left", "dorsal", "caudal")])
    away = np.linalg.norm(grid[None] - places[:, None], axis=-1).min(axis=1)
    assert away.max() < 0.01 * float(recording.body_length[0])


def test_layers_come_and_go_in_their_order():
    turns = wipes(3, 90, 30.0, 1.0, 0.1, 0.5)
    assert [(wipe.begin, wipe.end) for wipe in turns] == [(23.5, 38.5), (53.5, 68.5)]
    assert all(wipe.ahead > 0.1 and wipe.behind < -0.4 for wipe in turns)
    showing = Showing(("muscles", "grid", "skin"), turns)
    assert not showing.has("masses") or showing.turns("masses")[1] is turns[1]
    assert showing.turns("muscles") == (None, turns[1]) and showing.turns("grid") == tuple(turns)
    assert showing.turns("skin") == (turns[1], None) == showing.turns("surface")


def test_the_skin_is_laid_on_from_nose_to_tail(drawn):
    _, root, objects = drawn("surface", "skin")
    assert not objects and not any(child.hide_render for child in root.children)
    for child in root.children:
        nodes = child.material_slots[0].material.node_tree.nodes
        fronts = []
        for frame in (FIRST, FIRST + FRAMES):
            bpy.context.scene.frame_set(frame)
            fronts.append(nodes["Laid on"].outputs[0].default_value)
        assert fronts[0] > 0.0 > fronts[1]
