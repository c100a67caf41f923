"""Samples are looked at in a Blender without the add-on: what does not move, or lacks something, is none."""

import subprocess
import sys
from pathlib import Path

import pytest

from artfish.tests.project.tools import tool

ROOT = Path(__file__).resolve().parents[2]
samples = tool("samples")
SAVED = """
import sys
import bpy
bpy.ops.wm.read_factory_settings()
{}
bpy.ops.wm.save_as_mainfile(filepath=sys.argv[1])
"""


def saved(path, line=""):
    """A file of a cube, after a line of script."""
    subprocess.run([sys.executable, "-c", SAVED.format(line), str(path)], check=True, capture_output=True)
    return path


def test_a_file_in_which_nothing_moves_is_no_sample(tmp_path):
    with pytest.raises(samples.SampleError, match=r"a\.blend: still"):
        samples.look(saved(tmp_path / "a.blend"))


def test_a_file_with_a_script_is_no_sample(tmp_path):
    moving = "o = bpy.data.objects['Cube']; o.keyframe_insert('location', frame=1); o.location.x = 3; "
    moving += "o.keyframe_insert('location', frame=200); "
    samples.look(saved(tmp_path / "moves.blend", moving))
    with pytest.raises(samples.SampleError, match="texts: 1"):
        samples.look(saved(tmp_path / "script.blend", moving + "bpy.data.texts.new('x')"))


def test_a_loop_is_one(tmp_path, monkeypatch):
    monkeypatch.setattr(samples, "OUT", tmp_path)
    (loop,) = (each for each in samples.SAMPLES if each.file == "tang.blend")
    assert samples.make(loop).stat().st_size < samples.MOST_BYTES


def test_the_child_is_a_species_by_its_file_s_name(tmp_path, monkeypatch):
    monkeypatch.setattr(samples, "OUT", tmp_path)
    (child,) = (each for each in samples.SAMPLES if each.file == "fry.json")
    assert samples.make(child).name == "fry.json"
    assert [path.name for path in tmp_path.iterdir()] == ["fry.json"]
