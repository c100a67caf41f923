"""A scene, a model and a table of tracks are dropped into the 3D View: what will happen is said, and then it does."""

import json

import bpy
from driver import (
    OUT,
    capture,
    centre,
    inside,
    move,
    open_tab,
    press,
    region,
    result,
    running,
    shown_part,
    wait_redraw,
    wait_until,
)

SCENE = {"name": "dropped", "tank": {"size": [4, 3, 2]}}
SCENE["fishes"] = [{"species": "blue_tang", "count": 3, "at": [2, 1.5, 1]}]
CUBE = "v 0 0 0\nv 3 0 0\nv 3 1 0\nv 0 1 0\nv 0 0 1\nv 3 0 1\nv 3 1 1\nv 0 1 1\n"
CUBE += "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
TRACKS = [f"{frame},{row},{100 + 3 * frame},{90 * row}" for frame in range(24) for row in (1, 2)]


def drop(name: str) -> None:
    """A file dropped over the 3D View, as by a file manager."""
    with inside():
        bpy.ops.wm.drop_import_file("INVOKE_DEFAULT", directory=str(OUT), files=[{"name": name}])


def answered(name: str, key: str, picture: str = ""):
    """Drops a file, photographs the question, if that is named, and answers it by a key."""
    yield from move(*centre(region("WINDOW")))
    drop(name)
    yield from wait_redraw(1.0)
    if picture:
        yield from capture(picture)
    yield from press(key)


def shoals() -> list[str]:
    """The species of the shoals in the water."""
    return [obj.artfish.shoal.species for obj in bpy.context.scene.objects if obj.artfish.kind == "SHOAL"]


def baked() -> int:
    """The number of baked fishes."""
    return sum("artfish_row" in obj for obj in bpy.context.scene.objects)


def main():
    """Drops a scene, first to think better of it, then tracks, likewise, and a model."""
    (OUT / "dropped.json").write_text(json.dumps(SCENE))
    (OUT / "brick.obj").write_text(CUBE)
    yield from open_tab("Artfish")
    yield from answered("dropped.json", "Escape", picture="asked")
    yield from wait_redraw()
    result("given_up", shoals())
    yield from answered("dropped.json", "Return")
    yield from wait_redraw(1.0)
    result("dropped", shoals())
    yield from capture("dropped")
    yield from press("ctrl+z")
    yield from wait_redraw()
    result("undone", shoals())
    (OUT / "tank.csv").write_text("\n".join(["frame,id,x,y", *TRACKS]))
    yield from answered("tank.csv", "Escape", picture="asked_tracks")
    yield from wait_redraw()
    result("tracks_given_up", [baked(), (OUT / "tank_sardine.npz").exists()])
    yield from answered("tank.csv", "Return")
    yield from wait_until(lambda: baked() == 2 and not running("ARTFISH_OT_bake"), 60.0)
    result("tracks", [baked(), (OUT / "tank_sardine.npz").exists(), bpy.context.scene.frame_end, shown_part()])
    yield from capture("tracks")
    yield from move(*centre(region("WINDOW")))
    drop("brick.obj")
    yield from wait_redraw(1.0)
    yield from capture("handlers")
    result("part", shown_part())
