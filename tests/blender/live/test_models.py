"""An adopted fish plays live as its own model."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.live.models import models_of
from artfish.blender_artfish.live.runtime import session_of
from artfish.blender_artfish.species import library
from artfish.core.scene.species import Species
from artfish.tests.blender.live.tank import fishes, go, ours, vertices

pytestmark = pytest.mark.film


@pytest.fixture
def salmon(adopted, monkeypatch):
    monkeypatch.setattr(library, "folder", lambda: adopted)
    return Species.load(adopted / "salmon.json")


def test_it_swims_in_its_own_form_and_materials(scene, salmon):
    for shoal in [obj for obj in scene.objects if obj.artfish.kind == "SHOAL"]:
        shoal.artfish.shoal.species = "salmon"
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    (swarm,) = set(ours()).difference(fishes())
    assert [material.name.split(".")[0] for material in swarm.data.materials] == ["Body", "Eye left", "Eye right"]
    go(4)
    early = vertices(swarm).reshape(len(fishes()), -1, 3)
    go(10)
    late = vertices(swarm).reshape(len(fishes()), -1, 3)
    lengths = np.array(session.rehearsal.recording().body_length)
    for frames in (early, late):
        spans = np.linalg.norm(np.ptp(frames, axis=1), axis=1)
        assert (spans > 0.7 * lengths).all() and (spans < 2.0 * lengths).all()
    assert np.linalg.norm(late.mean(axis=1) - early.mean(axis=1), axis=1).min() > 0.01
    assert not [obj for obj in bpy.data.objects if "artfish_model" in obj]


def test_many_are_drawn_with_few_vertices(salmon):
    few, many = models_of(salmon, 1)[0], models_of(salmon, 150)[0]
    assert few.count > 1.5 * many.count and many.count < 700


def test_without_its_file_it_has_the_surfaces_that_were_fitted(salmon, monkeypatch, tmp_path):
    monkeypatch.setattr(library, "folder", lambda: tmp_path)
    assert models_of(salmon, 1) == []
