"""Surfaces that ride on the body of nodes: exact at rest, rigid with it, smooth when it bends."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from artfish.core.body.anatomy import LOWER_TIP_NODE, UPPER_TIP_NODE, body_frame, rest_nodes
from artfish.core.form.coupling import Coupling, face_axes, local_points
from artfish.core.form.nurbs import basis
from artfish.core.form.surfaces import MIRROR, eyes, on_body, pectoral, rest_surfaces
from artfish.core.scene.species import Species
from artfish.tests.core.kinds import each

HALVES = ("body_left", "body_right")


@pytest.fixture(params=each(), scope="module")
def species(request: pytest.FixtureRequest) -> Species:
    return Species.load(request.param)


@pytest.fixture(scope="module")
def coupling(species: Species) -> Coupling:
    return Coupling(species)


def still(*shape: int) -> np.ndarray:
    return np.zeros((*shape, 2, 3))


def shaken(species: Species, frames: int, fish: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Nodes in body lengths, each pushed about, and fins at any angle."""
    random = np.random.default_rng(seed)
    nodes = rest_nodes(species.body) + random.normal(0.0, 0.004, (frames, fish, 23, 3))
    return nodes, random.uniform(-0.5, 0.5, (frames, fish, 2, 3))


def arc(nodes: np.ndarray, curvature: float) -> np.ndarray:
    """Nodes of a fish bent to a circular arc, in the fish's own frame; the nose stays."""
    along = nodes[0, 0] - nodes[:, 0]
    angle = curvature * along
    return np.column_stack(
        [
            nodes[0, 0] - np.sin(angle) / curvature + nodes[:, 1] * np.sin(angle),
            (1.0 - np.cos(angle)) / curvature + nodes[:, 1] * np.cos(angle),
            nodes[:, 2],
        ]
    )


@pytest.mark.parametrize("smooth", [True, False])
def test_a_fish_at_rest_has_its_rest_surfaces(species: Species, smooth: bool) -> None:
    points = Coupling(species, smooth).control_points(rest_nodes(species.body)[None, None], still(1, 1), np.ones(1))
    rest = rest_surfaces(species)
    assert points.keys() == rest.keys() | {"eyes"}
    for name, patch in rest.items():
        np.testing.assert_allclose(points[name][0, 0], patch.points, atol=1e-14)
    np.testing.assert_allclose(points["eyes"][0, 0], eyes(species)[0], atol=1e-14)


@pytest.mark.parametrize("smooth", [True, False])
def test_surfaces_move_rigidly_with_the_body_and_grow_with_it(species: Species, smooth: bool) -> None:
    coupling = Coupling(species, smooth)
    nodes, fins = shaken(species, 2, 3)
    length = np.array([0.1, 1.0, 7.0])
    turn = Rotation.from_euler("xyz", (0.4, -1.1, 2.5)).as_matrix()
    shift = np.array([3.0, -2.0, 1.0])
    before = coupling.control_points(nodes, fins, np.ones(3))
    after = coupling.control_points(length[:, None, None] * nodes @ turn.T + shift, fins, length)
    for name, points in before.items():
        scale = length.reshape(3, *[1] * (points.ndim - 2))
        np.testing.assert_allclose(after[name], scale * points @ turn.T + shift, atol=1e-13 * length.max())


def test_all_fishes_and_frames_at_once_are_each_alone(species: Species, coupling: Coupling) -> None:
    nodes, fins = shaken(species, 3, 2)
    length = np.array([0.9, 1.1])
    together = coupling.control_points(nodes.astype(np.float32), fins, length)
    for frame, fish in np.ndindex(3, 2):
        one = np.s_[frame : frame + 1, fish : fish + 1]
        alone = coupling.control_points(nodes[one].astype(np.float32), fins[one], length[fish : fish + 1])
        for name in together:
            assert together[name].dtype == np.float64
            np.testing.assert_allclose(together[name][one], alone[name], atol=1e-13)


def test_the_halves_stay_joined_whatever_the_nodes_do(species: Species, coupling: Coupling) -> None:
    nodes, fins = shaken(species, 1, 20)
    points = coupling.control_points(nodes, fins, np.ones(20))
    left, right = (points[name] for name in HALVES)
    for border in (np.s_[..., 0, :, :], np.s_[..., -1, :, :], np.s_[..., 0, :], np.s_[..., -1, :]):
        np.testing.assert_array_equal(left[border], right[border])
    nose = left[..., :, 0, :]
    np.testing.assert_allclose(nose, np.broadcast_to(nose[..., :1, :], nose.shape), atol=1e-14)


def test_the_seam_stays_smooth_whatever_the_nodes_do(species: Species, coupling: Coupling) -> None:
    """The tangents across the mid-line of both halves are one straight line."""
    nodes, fins = shaken(species, 1, 20)
    points = coupling.control_points(nodes, fins, np.ones(20))
    left, right = (points[name] for name in HALVES)
    for row, next_row in ((0, 1), (-1, -2)):
        across = left[..., next_row, :, :] + right[..., next_row, :, :]
        np.testing.assert_allclose(across, 2 * left[..., row, :, :], atol=1e-13)


def test_fins_stay_rooted_whatever_the_nodes_do(species: Species, coupling: Coupling) -> None:
    nodes, fins = shaken(species, 1, 5)
    points = coupling.control_points(nodes, fins, np.ones(5))
    left = points["body_left"]
    end = basis(9, 3, np.linspace(0.0, 6.0, 30)) @ left[..., -1, :]
    root = basis(7, 3, np.linspace(0.0, 4.0, 30)) @ points["caudal"][..., 0, :]
    # Both are smooth curves through nearly the same places; the tail's root is no longer than a tenth of a length.
    np.testing.assert_allclose(root[..., [0, -1], :], end[..., [0, -1], :], atol=1e-13)
    for fish in range(5):
        place = pectoral(species).root
        np.testing.assert_allclose(points["pectoral_left"][0, fish, 0], on_body(left[0, fish], place), atol=1e-13)
        skin = basis(21, 3, np.linspace(0.0, 18.0, 2001)) @ left[0, fish, 0]
        for point in basis(12, 3, np.linspace(0.0, 9.0, 40)) @ points["dorsal"][0, fish, 0]:
            assert np.linalg.norm(skin - point, axis=-1).min() < 0.004


def test_a_bent_fish_has_no_crease(species: Species) -> None:
    """Bent to an arc of curvature 1, the mid-back turns evenly behind the head, which bends less, as a skull does.

    The book's patches gather the turn of a segment, four columns long, at its ring, where the surface so bends four
    times as much as the arc. The cubic spline through points of an arc keeps below twice as much.
    """
    nodes = arc(rest_nodes(species.body), 1.0)[None, None]
    place = np.linspace(4.0, 17.0, 600)

    def turning(smooth: bool) -> np.ndarray:
        points = Coupling(species, smooth).control_points(nodes, still(1, 1), np.ones(1))["body_left"][0, 0, 0]
        back = basis(21, 3, place) @ points
        step = np.diff(back, axis=0)
        heading = np.unwrap(np.arctan2(step[:, 1], -step[:, 0]))
        way = np.hypot(step[:, 0], step[:, 1])
        return np.diff(heading) / ((way[:-1] + way[1:]) / 2)

    assert 0.5 < turning(True).min() and turning(True).max() < 2.0
    assert turning(False).min() < 0.1 and turning(False).max() > 3.5


def test_the_caudal_fin_follows_the_tips_of_the_tail(species: Species, coupling: Coupling) -> None:
    nodes = rest_nodes(species.body)
    moved = nodes.copy()
    moved[[UPPER_TIP_NODE, LOWER_TIP_NODE], 1] += 0.05
    points = coupling.control_points(np.stack([nodes, moved])[:, None], still(2, 1), np.ones(1))
    sway = (points["caudal"][1, 0] - points["caudal"][0, 0])[..., 1]
    assert np.all(np.diff(sway, axis=1) > 0), "ever more towards the rear edge"
    assert np.all(np.abs(sway[:, 0]) < 0.001) and np.all(sway[:, -1] > 0.01)
    assert 0.04 < sway.max() < 0.055
    head = (points["body_left"][1, 0] - points["body_left"][0, 0])[:, :9]
    assert np.abs(head).max() < 0.002


def test_faces_of_a_straight_fish_agree(species: Species) -> None:
    axes = face_axes(rest_nodes(species.body))
    np.testing.assert_allclose(axes @ np.swapaxes(axes, -1, -2), np.broadcast_to(np.eye(3), axes.shape), atol=1e-12)
    assert np.all(np.linalg.det(axes) > 0)
    assert np.all(np.diagonal(axes, axis1=-2, axis2=-1) > 0.5)


def test_pectoral_fins_keep_their_lengths(species: Species, coupling: Coupling) -> None:
    """Appendix B: the vectors from the root change direction, never length."""
    fin = pectoral(species)
    nodes, _ = shaken(species, 1, 1)
    flap, oar = np.meshgrid(np.linspace(-0.6, 0.6, 5), np.linspace(0.0, 7.0, 9), indexing="ij")
    length = np.linalg.norm(fin.rays, axis=-1)
    np.testing.assert_allclose(np.linalg.norm(fin.swing(flap, oar), axis=-1), np.broadcast_to(length, (5, 9, 4)))
    fins = np.zeros((45, 1, 2, 3))
    fins[:, 0, :, 1], fins[:, 0, :, 2] = flap.reshape(-1, 1), oar.reshape(-1, 1)
    points = coupling.control_points(nodes.repeat(45, axis=0), fins, np.full(1, 2.0))
    middle = on_body(points["body_left"][0, 0], fin.middle[None])[0]
    outer = points["pectoral_left"][:, 0, 1] - middle
    np.testing.assert_allclose(np.linalg.norm(outer, axis=-1), np.broadcast_to(2 * length, (45, 4)))


def test_pectoral_fins_move_as_mirror_images(species: Species, coupling: Coupling) -> None:
    nodes = rest_nodes(species.body)[None, None]
    fins = np.broadcast_to([0.0, 0.4, 1.3], (1, 1, 2, 3))
    points = coupling.control_points(nodes, fins, np.ones(1))
    np.testing.assert_allclose(points["pectoral_left"] * MIRROR, points["pectoral_right"], atol=1e-14)


def test_local_points_undo_the_place_and_heading(species: Species, coupling: Coupling) -> None:
    rest = rest_nodes(species.body)
    turn = Rotation.from_euler("xyz", (0.2, 0.3, -1.0)).as_matrix()
    nodes = (rest @ turn.T + [5.0, 1.0, -2.0])[None, None]
    points = coupling.control_points(nodes, still(1, 1), np.ones(1))
    frame = body_frame(nodes)
    upright = local_points(nodes, *frame)[0, 0]
    np.testing.assert_allclose(upright, local_points(rest[None, None], *body_frame(rest[None, None]))[0, 0], atol=1e-13)
    skin = local_points(points["body_left"], *frame)
    assert skin.shape == points["body_left"].shape
    np.testing.assert_allclose(np.abs(skin[..., 1]).max(), coupling.rest["body_left"].points[..., 1].max(), rtol=1e-9)


# The mouth


@pytest.mark.parametrize("name", each())
def test_an_open_mouth_drops_the_lower_jaw_and_nothing_else(name):
    species = Species.load(name)
    coupling = Coupling(species)
    nodes = (rest_nodes(species.body) * species.length)[None, None]
    fins, length = np.zeros((1, 1, 2, 3)), np.array([species.length])
    shut = coupling.control_points(nodes, fins, length, np.zeros((1, 1)))
    half, wide = (coupling.control_points(nodes, fins, length, np.full((1, 1), open)) for open in (0.5, 1.0))
    moved = {part: wide[part] - shut[part] for part in shut}
    assert all(not moved[part].any() for part in moved if not part.startswith("body"))
    for part in ("body_left", "body_right"):
        drop = moved[part][0, 0]
        assert np.abs(half[part] - shut[part] - 0.5 * moved[part]).max() < 1e-12
        assert drop[..., 2].min() < -0.02 * species.length  # an eye can see it
        assert drop[..., 2].max() <= 1e-12
        assert not drop[:3].any() and not drop[:, 10:].any()  # neither the back nor the trunk
    # The halves still meet along back, belly and nose.
    left, right = moved["body_left"][0, 0], moved["body_right"][0, 0]
    for edge in ((0, slice(None)), (-1, slice(None)), (slice(None), 0)):
        assert left[edge] == pytest.approx(right[edge], abs=1e-12)


def test_a_mouth_that_is_left_out_is_shut():
    species = Species.load("grouper")
    coupling, nodes = Coupling(species), rest_nodes(species.body)[None, None]
    plain = coupling.control_points(nodes, np.zeros((1, 1, 2, 3)), np.ones(1))
    shut = coupling.control_points(nodes, np.zeros((1, 1, 2, 3)), np.ones(1), np.zeros((1, 1)))
    assert all(np.array_equal(plain[part], shut[part]) for part in plain)
