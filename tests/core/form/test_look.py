"""The look of a living fish: fins keep their lengths, eyes turn where they are to, a tail trails its stroke."""

import dataclasses

import numpy as np
import pytest

from artfish.core.body.anatomy import LOWER_TIP_NODE, UPPER_TIP_NODE, rest_nodes
from artfish.core.form.coupling import Coupling
from artfish.core.form.look import Look, breath_of, eye_turns, gill_cover, laid_down, tail_side, trailed, trailing
from artfish.core.form.surfaces import eyes, on_body, on_flank, rest_surfaces
from artfish.core.scene.species import Species
from artfish.tests.core.kinds import each

LIVING = each(*(name for name in Species.names() if Species.load(name).bearing.breath))


def look(**changes: np.ndarray) -> Look:
    """Of one fish in one frame that does nothing but this."""
    still = Look(np.zeros((1, 1, 2)), np.zeros((1, 1, 2)), np.zeros((1, 1)), np.zeros((1, 1, 2, 2)))
    return dataclasses.replace(still, **changes)


def points(species: Species, seen: Look | None, mouth: float | None = None) -> dict[str, np.ndarray]:
    """Control points of a resting fish of length 1."""
    nodes, fins = rest_nodes(species.body)[None, None], np.zeros((1, 1, 2, 3))
    opening = None if mouth is None else np.full((1, 1), mouth)
    found = Coupling(species).control_points(nodes, fins, np.ones(1), opening, seen)
    return {name: places[0, 0] for name, places in found.items()}


@pytest.mark.parametrize("name", LIVING)
def test_who_does_nothing_looks_as_it_did(name):
    species = Species.load(name)
    plain, still = points(species, None), points(species, look())
    assert all(np.allclose(plain[part], still[part], atol=1e-12) for part in plain)


def test_the_books_fish_shows_nothing():
    everything = look(breath=np.ones((1, 1, 2)), fold=np.ones((1, 1, 2)), tail=np.ones((1, 1)))
    species = Species.load("thesis")
    plain, seen = points(species, None), points(species, everything)
    assert all(np.allclose(plain[part], seen[part], atol=1e-12) for part in plain)


@pytest.mark.parametrize("name", LIVING)
def test_a_breath_lifts_both_gill_covers_alike_and_nothing_behind_them(name):
    species = Species.load(name)
    before = points(species, look())
    after = points(species, look(breath=np.array([[[1.0, 0.0]]])))
    left, right = (after[f"body_{side}"] - before[f"body_{side}"] for side in ("left", "right"))
    assert left == pytest.approx(right * [1, -1, 1], abs=1e-9)
    out = left[..., 1]
    assert 0.7 * species.bearing.gill < out.max() <= species.bearing.gill and out.min() > -1e-9
    lifted = -before["body_left"][..., 0][out > 1e-6] + rest_nodes(species.body)[0, 0]
    assert lifted.max() < species.looks.gill + 0.06
    assert np.abs(left[[0, -1]]).max() < 1e-9  # back and belly are common to both halves


def test_a_breath_opens_the_mouth_a_little_and_no_open_mouth_farther():
    species = Species.load("grouper")
    shut, sip = points(species, look(), 0.0), points(species, look(breath=np.array([[[0.0, 1.0]]])), 0.0)
    ajar = points(species, look(), species.bearing.sip)
    assert np.allclose(sip["body_left"], ajar["body_left"]) and not np.allclose(sip["body_left"], shut["body_left"])
    wide = points(species, look(), 1.0)
    assert np.allclose(points(species, look(breath=np.array([[[0.0, 1.0]]])), 1.0)["body_left"], wide["body_left"])


@pytest.mark.parametrize("name", LIVING)
def test_folded_fins_lie_back_and_keep_the_lengths_of_their_rays(name):
    species = Species.load(name)
    stood, lay = points(species, look()), points(species, look(fold=np.ones((1, 1, 2))))
    for part, up in (("dorsal", 1.0), ("ventral", -1.0)):
        before, after = (of[part][1] - of[part][0] for of in (stood, lay))
        assert np.linalg.norm(before, axis=1) == pytest.approx(np.linalg.norm(after, axis=1), abs=1e-9)
        back = np.gradient(stood[part][0], axis=0)
        assert ((after * back).sum(axis=1) >= (before * back).sum(axis=1) - 1e-9).all()
        assert (stood[part][0] == lay[part][0]).all()
        tall = np.abs(before[:, 2]) > 0.02
        if species.bearing.fold:
            assert (up * after[tall, 2] < up * before[tall, 2]).all()
    length = np.linalg.norm(stood["pectoral_left"][1] - stood["pectoral_left"][0].mean(axis=0), axis=-1)
    away = [np.abs(of["pectoral_left"][1, :, 1]).max() for of in (stood, lay)]
    assert away[1] < away[0] if species.bearing.tuck else away[1] == pytest.approx(away[0])
    other = lay["pectoral_right"] * [1, -1, 1]
    assert other == pytest.approx(lay["pectoral_left"], abs=1e-9) and length.max() > 0


def test_a_fin_lies_down_the_farther_the_more_it_is_folded_and_never_beyond_flat():
    fin = np.zeros((3, 2, 5, 3))
    fin[:, 0, :, 0] = -np.arange(5.0)
    fin[:, 1] = fin[:, 0] + [-0.2, 0.0, 1.0]
    laid = laid_down(fin, np.array([0.0, 0.5, 1.0]))
    heights = laid[:, 1, :, 2].mean(axis=1)
    assert heights[0] == pytest.approx(1.0) and heights[0] > heights[1] > heights[2] > 0.1


def test_a_tail_trails_its_stroke_to_the_other_side():
    nodes = np.tile(rest_nodes(Species.load("sardine").body), (3, 1, 1))
    velocity = np.zeros_like(nodes)
    velocity[1:, [UPPER_TIP_NODE, LOWER_TIP_NODE], 1] = [[1.0], [-8.0]]
    trail = trailing(nodes, velocity, np.ones(3))
    assert trail[0] == 0 and -0.5 < trail[1] < -0.1 and 0.9 < trail[2] < 1
    assert trailing(nodes, velocity + 3.0, np.ones(3)) == pytest.approx(trail)  # who is carried along trails nothing
    assert tail_side(nodes)[0] == pytest.approx([0, 1, 0])


def test_a_tail_bends_at_its_rear_edge_by_the_angle_and_stays_on_its_root():
    fin = np.zeros((1, 7, 5, 3))
    fin[..., 0] = -np.linspace(0, 0.2, 5)
    bent = trailed(fin, np.array([0.4]), np.array([[0.0, 1.0, 0.0]]))
    assert (bent[..., 0, :] == fin[..., 0, :]).all()
    rear = bent[0, 0, -1] - bent[0, 0, -2]
    assert 0.25 < np.arctan2(rear[1], -rear[0]) < 0.4


@pytest.mark.parametrize("name", ["clownfish", "reef_shark"])
def test_eyes_turn_ahead_and_up_by_their_angles(name):
    outward = eyes(Species.load(name))[2]
    still, ahead, up = (eye_turns(np.tile(np.array(way), (2, 1)), outward) for way in ([0, 0], [0.3, 0], [0, 0.3]))
    assert still == pytest.approx(np.tile(np.eye(3), (2, 1, 1)))
    for turns, axis in ((ahead, 0), (up, 2)):
        seen = np.einsum("eij,ej->ei", turns, outward)
        assert np.arccos(np.einsum("ei,ei->e", seen, outward)) == pytest.approx(0.3)
        assert (seen[:, axis] > outward[:, axis] + 0.2).all()
        assert seen[0] == pytest.approx(seen[1] * [1, -1, 1])


def test_a_gill_cover_is_hinged_ahead_and_open_behind():
    cover = gill_cover(np.linspace(0, 1, 101), 0.24, 9)
    assert cover.shape == (9, 101) and cover[4].argmax() == 24 and cover[4, 25:].max() == 0 and cover[4, 5] == 0
    assert (np.diff(cover[4, :25]) >= 0).all() and cover[[0, -1]].max() == 0


def test_the_mouth_opens_before_the_gill_covers():
    phase = np.linspace(0, 2 * np.pi, 200)
    gills, mouth = breath_of(phase).T
    assert 0 <= gills.min() and gills.max() <= 1 and mouth.argmax() < gills.argmax()


@pytest.mark.parametrize("name", LIVING)
def test_a_breath_leaves_the_eyes_uncovered(name):
    species = Species.load(name)
    left, form = points(species, None)["body_left"], species.form
    lifted = points(species, look(breath=np.array([[[1.0, 0.0]]])))["body_left"] - left
    place = on_flank(species, rest_surfaces(species)["body_left"].points, form.eye_station, form.eye_height)
    assert np.abs(on_body(lifted, place[None])).max() < 0.1 * form.eye_radius
