"""A fish that was renamed after the file was opened again is still the same fish at the next bake (form Mesh).

It runs in a Blender in which the extension is enabled: blender -b --python rename_and_bake_again.py
Found: the armature HERO stayed behind with its old action and no mesh, a new fish stood beside it, and what followed
HERO followed what was stale.
"""

import tempfile
from pathlib import Path

import bpy


def bake(shift: float = 0.0) -> None:
    """Bakes the open scene, its shoal somewhat farther along."""
    shoal = next(obj for obj in bpy.context.scene.objects if obj.artfish.kind == "SHOAL")
    shoal.location.x += shift
    bpy.ops.artfish.bake()


bpy.context.scene.frame_end = 12
bpy.ops.artfish.add_shoal(species="clownfish", count=3)
bpy.context.scene.artfish.bake.form = "mesh"
bake()
with tempfile.TemporaryDirectory() as folder:
    file = str(Path(folder) / "film.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.open_mainfile(filepath=file)
hero = bpy.data.objects["Clownfish 02"]
hero.name = "HERO"
follower = bpy.data.objects.new("Follower", None)
bpy.context.scene.collection.objects.link(follower)
follower.constraints.new("COPY_LOCATION").target = hero
action = hero.animation_data.action.name
before = len(bpy.context.scene.objects)
bake(shift=0.1)
after = len(bpy.context.scene.objects)
hero = bpy.data.objects["HERO"]
meshes = [child.name for child in hero.children if child.name in bpy.context.scene.objects]
followed = follower.constraints[0].target
print("objects", before, after, "meshes of HERO", meshes, "followed", followed.name)
