"""The studio is dark, has a floor, and its lamps go with the camera."""

import bpy
import pytest

from artfish.blender_artfish.filming.studio import furnish

pytestmark = pytest.mark.versions


@pytest.mark.parametrize("lamps", [True, False])
def test_lamps_go_with_the_camera(lamps):
    scene = bpy.context.scene
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    furnish(scene, scene.collection, (1.0, 2.0), lamps)
    floor = scene.objects["Floor"]
    assert floor.location[:] == (1.0, 2.0, 0.0) and scene.world.name.startswith("Studio")
    suns = [obj for obj in scene.objects if obj.type == "LIGHT"]
    assert bool(suns) == lamps and all(sun.parent == scene.camera for sun in suns)
    assert scene.render.engine == "CYCLES" and not scene.render.use_motion_blur
