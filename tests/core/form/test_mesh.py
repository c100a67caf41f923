"""One mesh a species: closed, sewn, unwrapped and mirrored, with its vertices on the NURBS surfaces at every level."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial import cKDTree

from artfish.core import Scene, Species, World
from artfish.core.form.mesh import FINS, LEVELS, MESH_MATERIALS, ControlNet, FishMesh
from artfish.core.form.nurbs import evaluate
from artfish.core.form.relief import over
from artfish.core.scene.relief import NO_RELIEF

EVERY = [(name, level) for name in Species.names() for level in range(len(LEVELS))]
MIRRORED = np.array([1.0, -1.0, 1.0])


@pytest.fixture(scope="module")
def nets():
    made = {}

    def net(name: str) -> ControlNet:
        if name not in made:
            made[name] = ControlNet(Species.load(name))
        return made[name]

    return net


@pytest.fixture(scope="module")
def swum():
    scene = {"tank": {"size": [4, 4, 2]}, "fishes": [{"species": "parrotfish", "count": 3, "at": [2, 2, 1]}]}
    return World(Scene.from_dict({"name": "few", **scene}), seed=1).simulate(20)


def edges_of(faces: np.ndarray) -> np.ndarray:
    """The edges (4 n, 2) of quads, as they are gone along."""
    return np.concatenate([np.stack([faces[:, i], faces[:, (i + 1) % 4]], axis=1) for i in range(4)])


@pytest.mark.parametrize(("name", "level"), EVERY)
def test_body_is_one_closed_surface_that_faces_outward(nets, name, level):
    mesh = FishMesh(nets(name), level)
    vertices = mesh.vertices(nets(name).rest)
    skin = mesh.faces[mesh.material == MESH_MATERIALS.index("skin")]
    edges = edges_of(skin)
    # Every edge belongs to two faces, which go along it in opposite directions.
    _, along = np.unique(edges_of(mesh.faces), axis=0, return_counts=True)
    _, both = np.unique(np.sort(edges, axis=1), axis=0, return_counts=True)
    assert (along == 1).all() and (both == 2).all()
    assert len(mesh.groups["body"]) - len(both) + len(skin) == 2  # Euler: a ball
    a, b, c, d = (vertices[skin[:, corner]] for corner in range(4))
    volume = (np.einsum("fi,fi->f", a, np.cross(b, c)) + np.einsum("fi,fi->f", a, np.cross(c, d))).sum() / 6
    assert 0.003 < volume < 0.15


@pytest.mark.parametrize(("name", "level"), EVERY)
def test_quads_are_clean(nets, name, level):
    mesh = FishMesh(nets(name), level)
    vertices = mesh.vertices(nets(name).rest)
    assert (np.diff(np.sort(mesh.faces, axis=1), axis=1) > 0).all()  # four different corners
    assert np.array_equal(np.unique(mesh.faces), np.arange(mesh.count))  # none is loose
    for part in ("body", *FINS):
        assert not cKDTree(vertices[mesh.groups[part]]).query_pairs(1e-5)  # no doubles
    assert mesh.uv.shape == (*mesh.faces.shape, 2) and mesh.uv.min() == 0.0 and mesh.uv.max() == 1.0
    corners = np.concatenate([mesh.uv, mesh.faces[..., None] * 0.0], axis=-1)
    area = np.linalg.norm(np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]), axis=-1)
    assert (area[mesh.material != MESH_MATERIALS.index("eye")] > 1e-6).all()  # unwrapped: no face has no room
    assert set(mesh.material.tolist()) == set(range(len(MESH_MATERIALS)))


@pytest.mark.parametrize(("name", "level"), EVERY)
def test_fins_face_left_and_eyes_outward(nets, name, level):
    net = nets(name)
    mesh = FishMesh(net, level)
    corners = mesh.vertices(net.rest)[mesh.faces]
    normal = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    for fin in ("dorsal", "ventral", "caudal"):
        left = normal[mesh.material == MESH_MATERIALS.index(fin), 1]
        assert left.sum() > 0.8 * np.abs(left).sum()  # a fin may fold over itself where its outline runs back
    eye = mesh.material == MESH_MATERIALS.index("eye")
    for side in ("eye_left", "eye_right"):
        own = eye & np.isin(mesh.faces[:, 0], mesh.groups[side])
        out = corners[own].mean(axis=1) - net.rest[net.blocks[side].start]
        assert (np.sum(normal[own] * out, axis=1) > 0).all()


@pytest.mark.parametrize("name", Species.names())
def test_levels_have_about_a_quarter_of_the_vertices_of_the_one_before(nets, name):
    counts = [FishMesh(nets(name), level).count for level in range(len(LEVELS))]
    assert all(2.5 < fine / coarse < 6 for fine, coarse in zip(counts, counts[1:], strict=False))


@pytest.mark.parametrize(("name", "level"), EVERY)
def test_left_and_right_mirror_each_other(nets, name, level):
    mesh = FishMesh(nets(name), level)
    vertices = mesh.vertices(nets(name).rest)
    assert np.array_equal(mesh.mirror[mesh.mirror], np.arange(mesh.count))
    assert np.abs(vertices[mesh.mirror] - vertices * MIRRORED).max() < 1e-9
    for part in ("body", "pectoral", "eye"):
        left = f"{part}_left"
        assert np.array_equal(np.sort(mesh.mirror[mesh.groups[left]]), mesh.groups[f"{part}_right"])


@pytest.mark.parametrize("level", range(len(LEVELS)))
def test_vertices_lie_on_the_surfaces_of_a_fish_that_swims(swum, level):
    net = ControlNet(replace(swum.species_models["parrotfish"], relief=NO_RELIEF))
    mesh = FishMesh(net, level)
    mouth = np.array([[0.0, 0.5, 1.0]])
    points, origin, turn = net.poses(swum.nodes[19:], swum.fins[19:], swum.body_length, mouth, None)
    found = mesh.vertices(points)[0]
    shapes = {"body": LEVELS[level].body, "dorsal": LEVELS[level].median, "ventral": LEVELS[level].median}
    shapes |= {"caudal": LEVELS[level].caudal, "pectoral": LEVELS[level].pectoral}
    for name, patch in net.coupling.rest.items():
        m, n = shapes[name.partition("_")[0]]
        rows, columns = patch.points.shape[:2]
        u, v = np.linspace(0.0, rows - patch.degree_u, m), np.linspace(0.0, columns - patch.degree_v, n)
        net_points = points[0][:, net.blocks[name]].reshape(-1, rows, columns, 3)
        surface = evaluate(net_points, patch.degree_u, patch.degree_v, u, v).reshape(3, -1, 3)
        some = found[:, mesh.groups[name]]
        assert max(cKDTree(on).query(own)[0].max() for on, own in zip(surface, some, strict=True)) < 1e-12
    world = net.coupling.control_points(swum.nodes[19:], swum.fins[19:], swum.body_length, mouth)
    left = points[0][:, net.blocks["body_left"]] * swum.body_length[:, None, None]
    back = np.einsum("fij,fvj->fvi", turn[0], left) + origin[0][:, None]
    assert np.abs(back - world["body_left"][0].reshape(3, -1, 3)).max() < 1e-9


@pytest.mark.parametrize("name", Species.names())
def test_only_the_mouth_moves_when_it_opens(nets, name):
    net = nets(name)
    mesh = FishMesh(net)
    moved = np.linalg.norm(mesh.vertices(net.rest + net.gape) - mesh.vertices(net.rest), axis=1)
    mouth = np.isin(np.arange(mesh.count), mesh.groups["mouth"])
    assert moved[mouth].max() > 0.003 and moved[~mouth].max() < 2e-6
    assert np.isin(mesh.groups["mouth"], mesh.groups["body"]).all()


@pytest.mark.parametrize("name", ["grouper", "reef_shark"])
def test_relief_stands_out_of_the_finest_mesh_along_its_normals(nets, name):
    net, flat = nets(name), ControlNet(replace(Species.load(name), relief=NO_RELIEF))
    mesh, plain = FishMesh(net), FishMesh(flat)
    off = mesh.vertices(net.rest) - plain.vertices(flat.rest)
    skin = mesh.groups["body_left"]
    m, n = LEVELS[0].body
    height = over(net.coupling.species, np.linspace(0.0, 1.0, m), np.linspace(0.0, 1.0, n))
    assert np.abs(off[skin]).max() > 0.002
    assert np.allclose(np.sort(np.linalg.norm(off[skin], axis=1))[-50:], np.sort(np.abs(height).ravel())[-50:])
    assert not off[np.setdiff1d(np.arange(mesh.count), mesh.groups["body"])].any()  # fins and eyes stay


def test_relief_turns_with_a_fish_that_swims(swum):
    species = swum.species_models["parrotfish"]
    mouth = np.zeros((1, 3))
    found = []
    for relief in (species.relief, NO_RELIEF):
        net = ControlNet(replace(species, relief=relief))
        points, _, _ = net.poses(swum.nodes[19:], swum.fins[19:], swum.body_length, mouth)
        found.append(FishMesh(net).vertices(np.concatenate([net.rest[None], points[0]])))
    off = np.linalg.norm(found[0] - found[1], axis=-1)
    raised = off[0] > 1e-3
    assert raised.sum() > 20
    assert np.abs(off[1:, raised] / off[0, raised] - 1.0).max() < 0.25  # a head hardly bends
