"""Lines, faces and words are where the recording has them."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from artfish.blender_artfish.identity.provenance import NO_ROW
from artfish.blender_artfish.mind import drawings, swatches
from artfish.core import Recording, Scene
from artfish.tests.blender.mind.school import SCENE, SHARK, changed, observed_of


def test_lines_go_to_those_that_core_sees(recording):
    for row in (0, SHARK):
        observed = observed_of(recording, row, 30, (10.0, 0.0, 0.0))
        seen = observed.insight.seen(recording, 30, row)
        made = drawings.draw(observed, ("seen",))
        eye = recording.nodes[30, row, 0].astype(float) + (10.0, 0.0, 0.0)
        rays = made.lines[: 2 * len(seen)].reshape(-1, 2, 3)
        middle = recording.nodes[30, seen].astype(float).mean(axis=1) + (10.0, 0.0, 0.0)
        assert np.allclose(rays[:, 0], eye, atol=1e-5) and np.allclose(rays[:, 1], middle, atol=1e-5)
        assert len(made.lines) == 2 * len(seen) * (1 + 12)
    assert len(observed.insight.seen(recording, 30, SHARK))  # the shark sees somebody


def test_field_is_300_degrees_wide_and_as_far_as_it_sees(recording):
    observed = observed_of(recording, 0, 12)
    field = observed.insight.field(recording, 12, 0)
    made = drawings.draw(observed, ("field",))
    for points in (made.lines, made.faces):
        offset = points - field.eye
        away = np.linalg.norm(offset, axis=1)
        assert np.all((away < 1e-4) | np.isclose(away, field.radius, rtol=1e-4))
        out = offset[away > 1e-4] @ field.axes
        angle = np.arccos(np.clip(out[:, 0] / field.radius, -1, 1))
        assert np.degrees(angle.max()) == pytest.approx(150, abs=0.1)
    assert np.allclose((made.faces - field.eye) @ field.axes[:, 2], 0, atol=1e-4)  # level as the fish is


def test_focus_marks_the_target_in_the_colour_of_the_intention(recording):
    mine = changed(recording, 7, 0, target=SHARK, food=-1, intention=1)
    made = drawings.draw(observed_of(mine, 0, 7), ("focus",))
    middle = mine.nodes[7, SHARK].astype(float).mean(axis=0)
    assert np.allclose(made.lines[1], middle, atol=1e-5)
    assert np.allclose(np.linalg.norm(made.lines[2:] - middle, axis=1), 0.6 * mine.body_length[SHARK], rtol=1e-3)
    assert np.allclose(made.line_colours[:, :3], swatches.INTENTIONS["escape"])
    nothing = drawings.draw(observed_of(changed(recording, 7, 0, target=-1, food=-1), 0, 7), ("focus",))
    assert len(nothing.lines) == 0


def test_preferences_are_arrows_of_their_strength(recording):
    mine = recording
    for fish, (way, strength) in enumerate([(0, 1.0), (2, 0.5), (4, -0.8), (3, 0.01), (1, 0.0)]):
        mine = changed(mine, 5, fish, preference=way, preference_strength=strength)
    mine = changed(mine, 5, SHARK, alive=False)
    made = drawings.draw(observed_of(mine, NO_ROW, 5), ("preferences",))
    arrows = made.lines.reshape(-1, 10, 3)
    assert len(arrows) == 3  # the faint ones and the dead have none
    for arrow, fish, axis, strength in zip(arrows, range(3), (1, 0, 2), (1.0, 0.5, -0.8), strict=True):
        way = observed_of(mine, fish, 5).insight.field(mine, 5, fish).axes[:, axis]
        expected = abs(strength) * mine.body_length[fish] * way
        assert np.allclose(arrow[1] - arrow[0], expected, atol=1e-5)
    colours = made.line_colours[::10]
    assert np.allclose(colours, [drawings.FOR_COLOUR, drawings.FOR_COLOUR, drawings.AGAINST_COLOUR])


def test_relations_are_arrows_in_the_colour_of_their_kind(recording):
    entries = [
        {"fishes": 0, "kind": "fear", "toward": 1, "strength": 1.0},
        {"fishes": 1, "kind": "like", "toward": 0, "toward_member": 2, "strength": 0.4},
    ]
    mine = replace(recording, scene=Scene.from_dict({**SCENE, "relations": entries}))
    middle = mine.nodes[9].astype(float).mean(axis=1)
    for row, pairs in ((0, [(0, SHARK, "fear")]), (2, [(2, SHARK, "fear"), (SHARK, 2, "like")])):
        made = drawings.draw(observed_of(mine, row, 9), ("relations",))
        arrows = made.lines.reshape(-1, 10, 3)
        assert len(arrows) == len(pairs)
        for arrow, colour, (one, other, kind) in zip(arrows, made.line_colours[::10], pairs, strict=True):
            assert np.allclose(arrow[0], middle[one], atol=1e-5) and np.allclose(arrow[1], middle[other], atol=1e-5)
            assert np.allclose(colour[:3], swatches.RELATION_COLOURS[kind])
    assert made.line_colours[0, 3] == 1.0 and made.line_colours[10, 3] < 1.0  # the weaker is fainter
    assert len(drawings.draw(observed_of(recording, 0, 9), ("relations",)).lines) == 0


def test_arrows_of_currents_are_the_flow(recording):
    observed = observed_of(recording, NO_ROW, 24)
    places, velocity = observed.insight.flow(24)
    made = drawings.draw(observed, ("currents",)).lines.reshape(-1, 10, 3)
    moves = np.linalg.norm(velocity, axis=1) > drawings.STILL_SPEED
    assert np.allclose(made[:, 0], places[moves], atol=1e-5)
    arrow = made[:, 1] - made[:, 0]
    factor = np.linalg.norm(arrow, axis=1) / np.linalg.norm(velocity[moves], axis=1)
    assert np.allclose(arrow, factor.mean() * velocity[moves], atol=1e-4)
    still = replace(recording, scene=Scene.from_dict({**SCENE, "current": []}))
    assert len(drawings.draw(observed_of(still, NO_ROW, 24), ("currents",)).lines) == 0


def test_words_stand_above_the_living(recording):
    mine = changed(recording, 9, 2, alive=False)
    places, said, colours = drawings.words(observed_of(mine, NO_ROW, 9, (0.0, 0.0, 5.0)))
    there = [0, 1, 3, 4, 5]
    assert said == [Recording.INTENTIONS[row] for row in mine.intention[9, there]]
    assert np.allclose(colours, [swatches.INTENTIONS[word] for word in said])
    assert (places[:, 2] > mine.nodes[9, there, :, 2].max(axis=1) + 5.0).all()


def test_places_are_projected_as_blender_does():
    matrix = np.array([[1.2, 0, 0, 0.1], [0, 1.5, 0, 0], [0, 0, -1, -0.2], [0, 0, -1, 0]])
    places = np.array([[0.2, 0.1, -2.0], [0.0, 0.0, 3.0], [50.0, 0.0, -2.0]])
    pixels, visible = drawings.projected(places, matrix, 800, 600)
    assert visible.tolist() == [True, False, False]  # behind the eye, and beyond the edge
    assert np.allclose(pixels[0], [400 * (1 + 0.34 / 2), 300 * (1 + 0.15 / 2)])


def test_what_concerns_one_fish_is_left_out_for_none_and_for_the_dead(recording):
    names = ("field", "seen", "focus")
    dead = changed(recording, 3, 0, alive=False)
    for observed in (observed_of(recording, NO_ROW, 3), observed_of(dead, 0, 3)):
        made = drawings.draw(observed, names)
        assert not len(made.lines) and not len(made.faces)


def known(**more) -> SimpleNamespace:
    """The memory of a fish: two boxes and a fish that it knows, a box that it does not, its way and its frontier."""
    box = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    values = {
        "boxes": np.stack([box, box + 5.0]),
        "ages": np.array([0.0, 60.0]),
        "unknown": box[None] + 10.0,
        "fishes": np.array([[2.0, 2.0, 2.0]]),
        "lengths": np.array([0.5]),
        "fish_ages": np.array([10.0]),
        "way": np.array([[0.0, 0, 0], [1, 0, 0], [1, 2, 0]]),
        "frontier": np.array([[1.0, 2, 0]]),
    }
    return SimpleNamespace(**values | more)


def test_what_is_known_is_solid_and_what_is_not_are_wires():
    made = drawings.memory(known())
    assert len(made.faces) == 2 * 6 * 2 * 3 and made.faces.max() == 6.0, "the third is no solid"
    corners = made.faces.reshape(2, -1, 3, 3).astype(float)
    normals = np.cross(corners[:, :, 1] - corners[:, :, 0], corners[:, :, 2] - corners[:, :, 0])
    out = corners.mean(axis=2) - corners.mean(axis=(1, 2))[:, None]
    assert ((normals * out).sum(axis=-1) > 0).all(), "sides face outwards"
    assert np.allclose(np.linalg.norm(normals, axis=-1), 1.0), "two halves of each side"
    edges = made.lines[: 3 * 24].reshape(-1, 2, 3)
    assert np.allclose(np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1), 1.0)
    assert np.allclose(made.line_colours[48:72], drawings.UNSEEN_COLOUR)
    assert made.lines[48:72].min() == 10.0


def test_memories_have_the_colours_of_their_age():
    made, colours = drawings.memory(known()), drawings.AGE_COLOURS
    assert np.allclose(made.line_colours[:24, :3], colours[0.0])
    assert np.allclose(made.face_colours[36:, :3], colours[60.0])
    assert np.allclose(made.line_colours[72:, :3], colours[10.0]), "the fish"
    later = drawings.age_colours(np.array([3.0, 600.0]))
    assert np.allclose(later[1], colours[60.0]) and not np.allclose(later[0], colours[0.0])
    assert (np.diff(drawings.age_shares(np.array([0.0, 1.0, 10.0, 60.0, 90.0]))) >= 0).all()


def test_a_way_is_a_line_and_a_frontier_are_marks():
    made = drawings.way(known())
    assert np.allclose(made.lines[:4], [[0, 0, 0], [1, 0, 0], [1, 0, 0], [1, 2, 0]])
    assert np.allclose(np.linalg.norm(made.lines[4:] - (1, 2, 0), axis=1), drawings.FRONTIER_METRES)
    nothing = np.zeros((0, 3))
    assert not len(drawings.way(known(way=nothing, frontier=nothing)).lines)
