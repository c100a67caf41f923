"""The mesh of polygons lies on the NURBS surfaces, closed over the back, with its faces outward."""

import numpy as np
import pytest

from artfish.core import Scene, Species, World
from artfish.core.body.anatomy import rest_nodes
from artfish.core.form.coupling import Coupling
from artfish.core.form.look import Look
from artfish.core.form.nurbs import evaluate
from artfish.core.form.polygons import POLYGON_PARTS, SURFACE_VERTICES, Polygons
from artfish.core.form.surfaces import eyes


@pytest.fixture(scope="module")
def swum():
    scene = {"tank": {"size": [4, 4, 2]}, "fishes": [{"species": "parrotfish", "count": 3, "at": [2, 2, 1]}]}
    return World(Scene.from_dict({"name": "few", **scene}), seed=1).simulate(20)


def test_vertices_lie_on_the_surfaces(swum):
    species, mouth = Species.load("parrotfish"), np.array([0.0, 0.5, 1.0])
    look = Look(np.full((3, 2), 0.4), np.full((3, 2), 0.3), np.array([-0.5, 0.0, 0.8]), np.zeros((3, 2, 2)))
    nodes, fins, length = swum.nodes[19].astype(float), swum.fins[19].astype(float), swum.body_length
    found = Polygons(species).placed(nodes, fins, length, mouth, look)
    every = Look(*(of[None] for of in vars(look).values()))
    points = Coupling(species).control_points(nodes[None], fins[None], length, mouth[None], every)
    m, n = SURFACE_VERTICES["body"]
    u, v = np.linspace(0.0, 6.0, m), np.linspace(0.0, 18.0, n)
    for name, rows in (("body_left", slice(0, m)), ("body_right", slice(m, 2 * m - 2))):
        wanted = evaluate(points[name][0], 3, 3, u, v)[:, 0 if name == "body_left" else slice(1, -1)]
        wanted = evaluate(points[name][0], 3, 3, u, v) if name == "body_left" else wanted
        got = found[:, rows.start * n : rows.stop * n].reshape(wanted.shape)
        # Single precision of vertices some tenths of a metre from the fish's own origin.
        assert np.abs(got - wanted).max() < 1e-6
    begin = (2 * m - 2) * n
    for name in ("dorsal", "ventral", "caudal", "pectoral_left", "pectoral_right"):
        m, n = SURFACE_VERTICES[name.partition("_")[0]]
        rows, columns = points[name].shape[-3:-1]
        patch = Coupling(species).rest[name]
        ends = rows - patch.degree_u, columns - patch.degree_v
        u, v = (np.linspace(0.0, float(end), count) for end, count in zip(ends, (m, n), strict=True))
        wanted = evaluate(points[name][0], patch.degree_u, patch.degree_v, u, v).reshape(3, m * n, 3)
        assert np.abs(found[:, begin : begin + m * n] - wanted).max() < 1e-6
        begin += m * n
    centres = points["eyes"][0]
    balls = found[:, -2 * 33 :].reshape(3, 2, 33, 3)
    distance = np.linalg.norm(balls - centres[:, :, None], axis=-1)
    assert np.allclose(distance, (eyes(species)[1] * swum.body_length)[:, None, None], atol=1e-6)


@pytest.mark.parametrize("name", Species.names())
def test_body_is_closed_and_faces_outward(name):
    species = Species.load(name)
    polygons = Polygons(species)
    nodes = polygons._coupling._nodes[None]
    look = Look(np.zeros((1, 2)), np.zeros((1, 2)), np.zeros(1), np.zeros((1, 2, 2)))
    vertices = polygons.placed(nodes, np.zeros((1, 2, 3)), np.ones(1), np.zeros(1), look)
    skin = polygons.faces[polygons.part == POLYGON_PARTS.index("skin")]
    a, b, c, d = (vertices[0, skin[:, corner]].astype(float) for corner in range(4))
    # Outward faces of a closed mesh enclose a volume above 0, by the divergence theorem.
    volume = (np.einsum("fi,fi->f", a, np.cross(b, c)) + np.einsum("fi,fi->f", a, np.cross(c, d))).sum() / 6
    assert 0.003 < volume < 0.15
    edges = np.concatenate([np.stack([skin[:, i], skin[:, (i + 1) % 4]], axis=1) for i in range(4)])
    _, times = np.unique(np.sort(edges, axis=1), axis=0, return_counts=True)
    open_edges = (times == 1).sum()
    # Only at the nose, where all meet in one point, and at the root of the tail are edges of one face alone.
    assert open_edges == 2 * (2 * SURFACE_VERTICES["body"][0] - 2)
    assert (polygons.faces < polygons.count).all() and len(np.unique(polygons.faces)) == polygons.count
    assert ((polygons.uv >= 0) & (polygons.uv <= 1)).all()


@pytest.mark.parametrize("coarse", [False, True])
@pytest.mark.parametrize("name", Species.names())
def test_the_compiled_form_is_the_same_to_rounding(name, coarse, plain):
    species, dice, fishes = Species.load(name), np.random.default_rng(3), 70
    polygons, length = Polygons(species, coarse), dice.uniform(0.1, 0.4, fishes)
    turn = np.linalg.qr(dice.normal(size=(fishes, 3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))[:, None, None]
    bent = rest_nodes(species.body) + dice.normal(0.0, 0.02, (fishes, 23, 3))
    nodes = np.einsum("fij,fnj->fni", turn, bent * length[:, None, None]) + dice.uniform(-3, 3, (fishes, 1, 3))
    fins, mouth = dice.uniform(-0.6, 0.6, (fishes, 2, 3)), dice.uniform(-1.0, 1.0, fishes).clip(0.0)
    gaze = dice.uniform(-0.4, 0.4, (fishes, 2, 2)) * (dice.random((fishes, 2, 1)) < 0.7)
    look = Look(dice.random((fishes, 2)), dice.random((fishes, 2)), dice.uniform(-1, 1, fishes), gaze)
    fins[:3, 0, 2] = 1e7, -1e9, 50.0  # oars that have gone round and round
    found = polygons.placed(nodes, fins, length, mouth, look)
    with plain("polygons"):
        wanted = polygons.placed(nodes, fins, length, mouth, look)
    # Single precision of places up to four metres away.
    assert np.abs(found - wanted).max() < 1e-6
