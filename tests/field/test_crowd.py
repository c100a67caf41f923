"""A crowd swims in a Blender without the add-on."""

import json
import subprocess
import sys

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake import bake
from artfish.core import Scene, World
from artfish.core.body.anatomy import body_frame

pytestmark = [pytest.mark.versions, pytest.mark.film]

ELSEWHERE = """
import json, sys
import bpy
bpy.ops.wm.open_mainfile(filepath=sys.argv[1])
scene, seen = bpy.context.scene, {}
for frame in (1, 7.5, 12):
    scene.frame_set(int(frame), subframe=frame % 1)
    graph, seen[frame] = bpy.context.evaluated_depsgraph_get(), {}
    for each in graph.object_instances:
        if each.is_instance and "Crowd" in each.parent.modifiers:
            seen[frame][each.persistent_id[0]] = list(each.matrix_world.translation)
drivers = sum(len(of.animation_data.drivers) for of in bpy.data.objects if of.animation_data)
ours = [name for name in sys.modules if name.startswith("artfish")]
print("SEEN", json.dumps([seen, drivers, len(bpy.data.texts), ours]))
"""


def test_a_crowd_plays_where_nobody_has_the_add_on(tmp_path):
    """Boids stand still on render farms, where the add-on and its handlers are missing."""
    shoal = {"species": "sardine", "count": 6, "at": [2, 2, 1], "spread": 0.5}
    scene = Scene.from_dict({"name": "few", "tank": {"size": [4, 4, 2]}, "fishes": [shoal]})
    recording = World(scene).simulate(frames=12)
    bake(recording, tmp_path / "crowd.blend", form="crowd", stage=False)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    command = [sys.executable, "-I", "-c", ELSEWHERE, str(tmp_path / "crowd.blend")]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert ran.returncode == 0, ran.stderr
    (line,) = [line for line in ran.stdout.splitlines() if line.startswith("SEEN ")]
    seen, drivers, texts, ours = json.loads(line.removeprefix("SEEN "))
    assert not drivers and not texts and not ours
    origin, _ = body_frame(recording.nodes.astype(float))
    for frame, fishes in seen.items():
        before, share = int(float(frame)) - 1, float(frame) % 1
        places = (1 - share) * origin[before] + share * origin[min(before + 1, 11)]
        found = np.array([fishes[str(row)] for row in range(6)])
        assert np.abs(found - places).max() < 0.003 * recording.body_length.max()
