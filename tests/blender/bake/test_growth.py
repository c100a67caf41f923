"""Fishes that are born, grow and die are so in every form of a bake: not seen before and after, and of their size."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.blender.usd import usd_library
from artfish.blender_artfish.export.exporting import export
from artfish.blender_artfish.identity import provenance
from artfish.core.body.anatomy import body_frame
from artfish.core.studio.growing import grown_up, shown_growth
from artfish.tests.blender.bake.test_meshes import recorded, shown
from artfish.tests.blender.export.test_visibility import READERS
from artfish.tests.blender.files import new_file

pytestmark = [pytest.mark.versions, pytest.mark.film]

FRAMES, BIRTH, DEATH = 24, 5, 18
ROUNDING = 4e-6
"""Rounding errors of single precision of places some metres from the origin, in metres."""
OLDER = 1  # row of a fish that is grown all the while


@pytest.fixture(scope="module")
def growing(swimming):
    """A clownfish that hatches at a third of its length and grows in steps until it dies, beside one that is grown."""
    alive = np.ones((FRAMES, 2), dtype=bool)
    alive[:BIRTH, 0] = alive[DEATH:, 0] = False
    recording = swimming("clownfish", "clownfish", frames=FRAMES, alive=alive)
    growth = np.ones((FRAMES, 2), dtype=np.float32)
    growth[BIRTH:, 0] = 0.3 + 0.02 * ((np.arange(BIRTH, FRAMES) - BIRTH) // 3)
    nodes = recording.nodes.astype(float)
    origin = body_frame(nodes)[0][:, :, None]
    nodes = origin + growth[..., None, None] * (nodes - origin)
    return replace(recording, nodes=nodes.astype(np.float32), growth=growth)


def root_of(row: int) -> bpy.types.Object:
    return next(obj for obj in bpy.data.objects if obj.get(provenance.ROW) == row)


def frame_set(frame: int) -> None:
    bpy.context.scene.frame_set(1 + frame)


def skins() -> dict[str, np.ndarray]:
    """Vertices (vertices, 3) of the fishes that are shown at this frame, by their names."""
    meshes = [obj for obj in bpy.context.scene.objects if obj.type == "MESH" and obj.name.startswith("Clownfish")]
    return {obj.name.replace("_", " "): shown(obj) for obj in meshes if not obj.hide_render}


def grown_skin(growing, frame: int) -> np.ndarray:
    """Recorded places of the vertices of the fish that grows, (vertices, 3)."""
    origin = body_frame(growing.nodes[frame, 0].astype(float))[0]
    return origin + shown_growth(growing, 0)[frame] * (recorded(grown_up(growing), 0, frame) - origin)


def in_usd(path, frame: int) -> dict[str, np.ndarray]:
    """The same as USD's own library has them in a file."""
    library = usd_library()
    stage, geometry = library["Usd"].Stage.Open(str(path)), library["UsdGeom"]
    found = {}
    for prim in stage.Traverse():
        if prim.IsA(geometry.Mesh) and geometry.Imageable(prim).ComputeVisibility(1 + frame) != "invisible":
            places = np.array(geometry.Mesh(prim).GetPointsAttr().Get(1 + frame))
            matrix = np.array(geometry.Xformable(prim).ComputeLocalToWorldTransform(1 + frame))
            found[prim.GetPath().name.replace("_", " ")] = places @ matrix[:3, :3] + matrix[3, :3]
    return found


@pytest.mark.parametrize("form, drive", [("points", ""), ("compact", ""), ("mesh", "shapes"), ("mesh", "armature")])
def test_a_fish_is_shown_from_its_birth_to_its_death_as_long_as_it_is(growing, form, drive):
    bake(growing, form=form, stage=False, **({"drive": drive} if drive else {}))
    fish, other = root_of(0), root_of(OLDER)
    length = growing.body_length[0] if drive == "armature" else 1.0
    shown = shown_growth(growing, 0)
    assert shown[BIRTH] == pytest.approx(0.3) and shown[DEATH - 1] == pytest.approx(0.38)
    for frame in (0, BIRTH - 1, BIRTH, BIRTH + 4, DEATH - 1, DEATH, FRAMES - 1):
        frame_set(frame)
        assert tuple(fish.scale) == pytest.approx([length * shown[frame]] * 3, rel=1e-4)
        assert fish.hide_render == (not BIRTH <= frame < DEATH)
        assert other.scale[0] == pytest.approx(growing.body_length[OLDER] if drive == "armature" else 1.0)
        assert not other.hide_render


@pytest.mark.parametrize("drive", ["shapes", "armature"])
def test_its_skin_is_where_the_recording_has_it(growing, drive):
    bake(growing, form="mesh", stage=False, drive=drive, tolerance=0.002)
    body = next(obj for obj in bpy.data.objects if obj.type == "MESH" and obj.get("id") == 0)
    for frame in (BIRTH, BIRTH + 3, DEATH - 1):
        frame_set(frame)
        size = growing.body_length[0] * growing.growth[frame, 0]
        off = np.linalg.norm(shown(body) - grown_skin(growing, frame), axis=1) / size
        assert np.percentile(off, 95) < (0.012 if drive == "armature" else 0.004)  # lengths, as of grown fishes


def test_a_crowd_shows_them_so_too(growing):
    bake(growing, form="crowd", stage=False)
    shown = shown_growth(growing, 0)
    for frame in (BIRTH - 1, BIRTH, BIRTH + 4, DEATH - 1, DEATH):
        frame_set(frame)
        sizes = {
            each.persistent_id[0]: float(np.linalg.norm(np.array(each.matrix_world)[:3, 0]))
            for each in bpy.context.evaluated_depsgraph_get().object_instances
            if each.is_instance
        }
        assert set(sizes) == ({0, 1} if BIRTH <= frame < DEATH else {1})
        assert sizes[1] == pytest.approx(growing.body_length[1], rel=1e-4)
        if 0 in sizes:
            assert sizes[0] == pytest.approx(growing.body_length[0] * shown[frame], rel=0.03)  # even between keys


def test_a_cache_has_them_so_for_blender_and_for_other_programs(growing, tmp_path):
    bake(growing, tmp_path / "film.blend", form="cache", stage=False)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "film.blend"))
    (file,) = (tmp_path / "film_fishes").glob("*.usdc")
    for frame in (BIRTH - 1, BIRTH, BIRTH + 4, DEATH - 1, DEATH):
        frame_set(frame)
        here, there = skins(), in_usd(file, frame)
        names = ["Clownfish 01", "Clownfish 02"] if BIRTH <= frame < DEATH else ["Clownfish 02"]
        assert sorted(here) == sorted(there) == names
        for name, places in here.items():
            assert np.abs(places - there[name]).max() < ROUNDING, (name, frame)
        if len(names) == 2:
            assert np.abs(here["Clownfish 01"] - grown_skin(growing, frame)).max() < ROUNDING


@pytest.mark.parametrize("suffix", [".usdc", ".abc", ".glb", ".fbx"])
def test_what_is_exported_grows_as_it_does(growing, tmp_path, suffix):
    bake(growing, form="mesh", stage=False)
    path, frames = tmp_path / f"fishes{suffix}", (BIRTH, BIRTH + 6, DEATH - 1)
    here = {}
    for frame in frames:
        frame_set(frame)
        here[frame] = skins()
    assert export(path, textures=False) == 2
    new_file()
    bpy.context.scene.render.fps = 24
    READERS[suffix](str(path))
    for frame in frames:
        bpy.context.scene.frame_set(frame + (0 if suffix == ".glb" else 1))
        found = skins()  # whose names not every format keeps
        sizes = [sorted(np.ptp(places, axis=0).max() for places in of.values()) for of in (found, here[frame])]
        assert sizes[0] == pytest.approx(sizes[1], rel=0.01), frame
