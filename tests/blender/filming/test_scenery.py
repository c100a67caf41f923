"""Objects in the picture are scenery, but for fishes, water, light and hidden ones."""

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from artfish.blender_artfish.filming.scenery import digest_of, meshes

pytestmark = [pytest.mark.versions, pytest.mark.film]


def block(name, at, size=0.4):
    """A cube in the scene."""
    mesh = bpy.data.meshes.new(name)
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    mesh.from_pydata(corners, [], [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
    obj = bpy.data.objects.new(name, mesh)
    obj.location, obj.scale = at, (size,) * 3
    bpy.context.scene.collection.objects.link(obj)
    return obj


def middles(**how):
    """Middles of the meshes that were found, in metres."""
    return np.array([places.mean(axis=0) for places in places_of(meshes(bpy.context, Matrix.Identity(4), **how))])


def places_of(found):
    """The vertices of each mesh in each of its places, in metres."""
    return [mesh.vertices @ matrix[:3, :3].T + matrix[:3, 3] for mesh in found for matrix in mesh.matrices]


def test_an_animators_rock_is_scenery_wherever_it_comes_from(added):
    rock = block("Rock", (1.0, 2.0, 0.5))
    block("Hidden", (5.0, 2.0, 0.5)).hide_render = True
    block("Moves", (6.0, 2.0, 0.5)).keyframe_insert("location", frame=1)
    part = bpy.data.collections.new("Part")
    part.objects.link(block("Inside", (0.0, 0.0, 0.0)))
    bpy.context.scene.collection.objects.unlink(bpy.data.objects["Inside"])
    heap = bpy.data.objects.new("Heap", None)
    heap.instance_type, heap.instance_collection, heap.location = "COLLECTION", part, (3.0, 3.0, 1.0)
    bpy.context.scene.collection.objects.link(heap)
    bpy.context.view_layer.update()
    found = sorted(map(tuple, middles().round(3).tolist()))
    assert found == [(1.0, 2.0, 0.5), (3.0, 3.0, 1.0)]
    found = meshes(bpy.context, Matrix.Translation((0.0, 0.0, 1.0)), only=part_of(rock))
    assert places_of(found)[0][:, 2].min() == pytest.approx(1.1) and found[0].triangles.shape == (12, 3)


def part_of(obj):
    """A collection that has one object."""
    own = bpy.data.collections.new("Own")
    own.objects.link(obj)
    return own


def test_of_a_bake_only_its_stage_stands_in_the_way(baked):
    recording = baked(stage=True)
    names = {obj.name: obj for obj in bpy.context.scene.objects}
    there = places_of(meshes(bpy.context, Matrix.Identity(4)))
    wide = [np.ptp(places, axis=0).max() for places in there]
    assert max(wide) > 10.0  # the sand
    assert len(there) < len(names) and len(there) >= 10  # corals, and neither fishes nor flakes
    low, high = recording.nodes.min(axis=(0, 1, 2)), recording.nodes.max(axis=(0, 1, 2))
    inside = [((places.min(axis=0) > low) & (places.max(axis=0) < high)).all() for places in there]
    assert not any(inside)


def test_a_camera_keeps_off_a_rock_of_the_animator(baked):
    baked(frames=30)
    scene = bpy.context.scene
    bpy.context.view_layer.objects.active = bpy.data.objects["Clownfish 01"]
    assert bpy.ops.artfish.film_fish(move="dolly", seconds=1.0, size=0.1) == {"FINISHED"}
    before = scene.camera
    scene.frame_set(12)
    at = before.matrix_world.translation.copy()
    block("Rock", at, 0.25)
    scene.frame_set(1)
    assert bpy.ops.artfish.film_again(camera=before.name, renew=True) == {"FINISHED"}
    for frame in range(1, 25):
        scene.frame_set(frame)
        off = before.matrix_world.translation - at
        assert max(map(abs, off)) > 0.3


def test_a_digest_tells_scenery_that_has_changed(added):
    rock = block("Rock", (1.0, 2.0, 0.5))

    def now():
        bpy.context.view_layer.update()
        return digest_of(meshes(bpy.context, Matrix.Identity(4)))

    before = now()
    assert now() == before
    rock.location.x += 0.001
    moved = now()
    assert moved != before
    rock.data.vertices[3].co.z += 0.001
    assert now() not in (before, moved)
    rock.data.vertices[3].co.z -= 0.001
    block("Other", (1.0, 2.0, 0.5))
    assert now() not in (before, moved)
