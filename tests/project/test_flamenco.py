"""Job types for Flamenco, run in a JavaScript engine against a stand-in of its manager; and what they would send."""

import glob
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "tools" / "flamenco").glob("*.js"))
NODE = shutil.which("node")
TYPES = {"string", "int32", "float", "bool"}
SUBTYPES = {"file_name", "file_path", "dir_path", "hashed_file_path"}
TASK_TYPES = {"blender", "ffmpeg", "file-management", "misc"}
COMMANDS = {"exec": {"exe", "args"}, "blender-render": {"exe", "exeArgs", "argsBefore", "blendfile", "args"}}
COMMANDS["frames-to-video"] = {"exe", "fps", "inputGlob", "outputFile", "args"}
"""Commands of Flamenco's worker with their parameters, as far as they are used (flamenco.blender.org/usage)."""
FILM = {"film": "film.json", "shots": "1-2", "quality": "draft", "parts": 2, "output": "out", "artfish": "artfish"}
RENDER = {
    "source": "two.json",
    "seed": 3,
    "frames": "1-3",
    "chunk_size": 2,
    "fps": 24,
    "form": "compact",
    "render_output_path": "/farm/job/{timestamp}/######",
    "artfish": "artfish",
}
SCENE = {
    "duration": 1.0,
    "tank": {"size": [3.0, 2.0, 1.5]},
    "stage": {"scenery": "bare", "snow": 0},
    "fishes": [{"species": "clownfish", "at": [1.5, 1.0, 0.7]}],
}

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no Node.js")


def compiled(name, settings):
    """The job type and the tasks of a script for settings."""
    script, manager = ROOT / "tools" / "flamenco" / name, Path(__file__).with_name("flamenco_manager.js")
    job = json.dumps({"name": "job", "settings": settings})
    done = subprocess.run([NODE, manager, script], input=job, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(("name", "settings"), [("artfish_film.js", FILM), ("artfish_render.js", RENDER)])
def test_types_and_commands_are_those_of_flamenco(name, settings):
    found = compiled(name, settings)
    assert found["type"]["label"] and {path.name for path in SCRIPTS} == {"artfish_film.js", "artfish_render.js"}
    keys = [setting["key"] for setting in found["type"]["settings"]]
    assert len(set(keys)) == len(keys) and set(settings) <= set(keys)
    for setting in found["type"]["settings"]:
        assert setting["type"] in TYPES and setting.get("subtype", "dir_path") in SUBTYPES
        assert setting["description"] or "default" in setting
    names = [task["name"] for task in found["tasks"]]
    assert len(set(names)) == len(names)
    for row, task in enumerate(found["tasks"]):
        assert task["type"] in TASK_TYPES and task["commands"]
        assert set(task["dependencies"]) <= set(names[:row])  # made before
        for command in task["commands"]:
            assert set(command["parameters"]) == COMMANDS[command["name"]]


def test_a_film_is_baked_once_a_shot_rendered_in_parts_and_then_cut():
    tasks = compiled("artfish_film.js", FILM)["tasks"]
    said = {task["name"]: (task["commands"][0]["parameters"]["args"][6:], task["dependencies"]) for task in tasks}
    assert said["bake-shot-2"] == (["--shots", "2", "--part", "0/2"], [])
    assert said["render-shot-2-part-1"] == (["--shots", "2", "--part", "1/2"], ["bake-shot-2"])
    renders = [f"render-shot-{shot}-part-{part}" for shot in (1, 2) for part in (1, 2)]
    assert said["cut"] == (["--shots", "1-2"], renders) and len(tasks) == 7
    assert "allowed shots that follow one another" in compiled("artfish_film.js", {**FILM, "shots": "1,4"})["error"]
    assert "allowed draft or final" in compiled("artfish_film.js", {**FILM, "quality": "best"})["error"]


def test_a_scene_is_baked_once_and_rendered_in_chunks_by_blender_alone():
    tasks = compiled("artfish_render.js", RENDER)["tasks"]
    folder = "/farm/job/2026-01-02_030405"
    bake = ["bake", "two.json", "-o", f"{folder}/artfish.blend", "--form", "compact", "--seed", "3"]
    assert tasks[0]["commands"][1]["parameters"] == {"exe": "artfish", "args": bake}
    chunks = [task for task in tasks if task["name"].startswith("render-")]
    assert [task["commands"][0]["parameters"]["args"][-1] for task in chunks] == ["1..2", "3"]
    assert all(task["dependencies"] == ["bake"] for task in chunks)
    assert tasks[-1]["dependencies"] == ["render-1-2", "render-3"]
    again = compiled("artfish_render.js", {**RENDER, "source": "take.npz"})["tasks"][0]
    assert "--seed" not in again["commands"][1]["parameters"]["args"]


RENDERING = """
import sys, bpy
blend, output, frames = sys.argv[1:]
bpy.ops.wm.open_mainfile(filepath=blend)
render = bpy.context.scene.render
render.resolution_x, render.resolution_y, render.resolution_percentage = 32, 18, 100
bpy.context.scene.cycles.samples = 1
first, _, last = frames.partition("..")
for frame in range(int(first), int(last or first) + 1):
    bpy.context.scene.frame_set(frame)
    render.filepath = output.rstrip("#") + f"{frame:06d}"
    render.image_settings.file_format = "PNG"
    bpy.ops.render.render(write_still=True)
"""
"""The part of the command blender-render that is Blender's, for bpy, which has no command line."""


def do(command, ffmpeg):
    """Runs a command as Flamenco's worker would."""
    said = command["parameters"]
    if command["name"] == "exec":
        words = [sys.executable, "-m", "artfish.cli"] if said["exe"] == "artfish" else [said["exe"]]
        words += said["args"]
    elif command["name"] == "blender-render":
        values = dict(zip(said["args"][::2], said["args"][1::2], strict=True))
        words = [sys.executable, "-c", RENDERING, said["blendfile"], values["--render-output"]]
        words.append(values["--render-frame"])
    else:
        pictures = sorted(glob.glob(said["inputGlob"]))
        assert pictures
        if ffmpeg is None:
            return
        source = ["-r", str(said["fps"]), "-pattern_type", "glob", "-i", said["inputGlob"]]
        words = [ffmpeg, *source, *said["args"], "-r", str(said["fps"]), said["outputFile"]]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.film
def test_each_command_that_is_sent_is_one_that_runs(tmp_path, monkeypatch):
    pytest.importorskip("bpy")
    monkeypatch.chdir(tmp_path)
    ffmpeg = os.environ.get("ARTFISH_FFMPEG") or shutil.which("ffmpeg")
    (tmp_path / "two.json").write_text(json.dumps(SCENE))
    shots = [{"scene": "two.json", "seconds": 0.25, "start": start} for start in (0.2, 0.5)]
    (tmp_path / "film.json").write_text(json.dumps({"width": 160, "height": 90, "shots": shots}))
    for task in compiled("artfish_film.js", FILM)["tasks"]:
        for command in task["commands"]:
            do(command, ffmpeg)
    assert sorted(path.name for path in (tmp_path / "out").glob("00*/*.png")) == 2 * ["00001.png"] + 2 * [
        "00003.png"
    ] + 2 * ["00005.png"]
    assert (tmp_path / "out" / "film.png").is_file()
    output = f"{tmp_path.as_posix()}/job/{{timestamp}}/######"
    for task in compiled("artfish_render.js", {**RENDER, "render_output_path": output})["tasks"]:
        for command in task["commands"]:
            do(command, ffmpeg)
    (folder,) = (tmp_path / "job").iterdir()
    assert sorted(path.name for path in folder.glob("*.png")) == [f"{frame:06d}.png" for frame in (1, 2, 3)]
    assert ffmpeg is None or (folder / "artfish.mp4").stat().st_size > 500
