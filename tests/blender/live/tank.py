"""A tank in which clownfishes play live, and an animator's acts on it."""

from time import sleep

import bpy
import numpy as np

from artfish.blender_artfish.blender import handlers
from artfish.blender_artfish.identity import roles
from artfish.blender_artfish.live import puppets, timer
from artfish.blender_artfish.live.session import Session
from artfish.blender_artfish.live.swarms import STAND_IN_VERTICES

FISHES = 3


def counts() -> list[int]:
    of = bpy.app.handlers
    kinds = ("frame_change_pre", "depsgraph_update_post", "undo_post", "redo_post", "load_pre", "load_post")
    kinds += ("save_pre", "save_post", "render_init", "render_complete", "render_cancel", "frame_change_post")
    own = [sum(one.__module__.startswith("artfish") for one in getattr(of, kind)) for kind in kinds]
    return [*own, len(handlers.listeners)]


def go(frame: int) -> None:
    bpy.context.scene.frame_set(frame)


def shoal() -> bpy.types.Object:
    return roles.objects_of(bpy.context.scene, "SHOAL")[0]


def vertices(obj: bpy.types.Object) -> np.ndarray:
    found = np.empty(3 * len(obj.data.vertices), dtype=np.float32)
    obj.data.vertices.foreach_get("co", found)
    return found.reshape(-1, 3)


def ours() -> list[bpy.types.Object]:
    return [obj for obj in bpy.data.objects if obj.get(puppets.MARK)]


def fishes() -> list[bpy.types.Object]:
    """Objects of fishes that play live, and empties in their place."""
    return [obj for obj in ours() if puppets.ROW in obj]


def shape(session: Session, row: int) -> np.ndarray:
    """Places of a fish's vertices in Blender's world, from the object that draws it."""
    root = session.fishes[row].root
    if len(root.data.vertices) > STAND_IN_VERTICES:
        drawn, own = root, vertices(root)
    else:
        name = session.recording().species[row]
        rows = [other for other, species in enumerate(session.recording().species) if species == name]
        part = f"Fishes of {name}"
        drawn = next(obj for obj in ours() if obj.get(puppets.PART_PROPERTY) == part)
        own = vertices(drawn).reshape(len(rows), -1, 3)[rows.index(row)]
    place = np.array(drawn.matrix_basis)
    return own @ place[:3, :3].T + place[:3, 3]


def step(message: str) -> None:
    bpy.ops.ed.undo_push(message=message)


def delete(*chosen: bpy.types.Object) -> None:
    """Deletes objects by the animator's hand, as one step of undo."""
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj in chosen)
    step("Select")
    bpy.ops.object.delete()
    step("Delete")


def ridden(session: Session) -> tuple[bpy.types.Object, bpy.types.Object, bpy.types.Object]:
    """The camera in the eye of a fish, an animator's own rider on it, and an object that looks at it."""
    fish = session.fishes[0].root
    bpy.context.view_layer.objects.active = fish
    bpy.ops.artfish.look_through()
    camera = bpy.context.scene.camera
    camera.artfish_eye.pan = 0.3
    rider, watcher = (bpy.data.objects.new(name, None) for name in ("Rider", "Watcher"))
    for obj in (rider, watcher):
        bpy.context.scene.collection.objects.link(obj)
    rider.parent, rider.location = fish, (0.0, 0.0, 0.1)
    watcher.constraints.new("TRACK_TO").target = fish
    return camera, rider, watcher


def duplicate(obj: bpy.types.Object) -> bpy.types.Object:
    """Duplicates an object as Shift+D does."""
    for other in bpy.context.selected_objects:
        other.select_set(False)
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.duplicate()
    return bpy.context.object


def add_rock(at: tuple[float, float, float], faces: int = 80) -> bpy.types.Object:
    """A boulder of 80 faces, or four times as many, or 16..."""
    subdivisions = 1 + int(np.log2(faces / 20)) // 2
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=subdivisions, radius=0.3, location=at)
    rock = bpy.context.object
    rock.artfish.kind = "OBSTACLE"
    bpy.context.view_layer.update()
    return rock


def add_board() -> None:
    """An impossible obstacle: it has no face."""
    bpy.ops.mesh.primitive_plane_add(size=0.5, location=(0, 0.5, 1.0), rotation=(0.1, 0.2, 0))
    bpy.context.object.artfish.kind, bpy.context.object.name = "OBSTACLE", "Board"
    board = bpy.data.meshes.new("Board")
    board.from_pydata(
        [vertex.co[:] for vertex in bpy.context.object.data.vertices], [(0, 1), (1, 3), (3, 2), (2, 0)], []
    )
    bpy.context.object.data = board
    bpy.context.view_layer.update()


def tick_on(done=lambda: False) -> None:
    """Has the timer tick until it has nothing to do, or until a condition holds."""
    for _ in range(10_000):
        pause = None if done() else timer.tick()
        if pause is None:
            return
        sleep(pause)
    raise AssertionError("the timer finds no end")
