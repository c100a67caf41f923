"""The artfish command, which people script against."""

import json
import math
import subprocess
import sys

import pytest

from artfish.cli import main
from artfish.core import Recording, Scene, Species
from artfish.core.fitting import fit
from artfish.core.learning.learned import Learned
from artfish.core.scene.controller import Controller

SMALL = {
    "name": "small",
    "duration": 0.125,
    "tank": {"size": [4, 3, 2]},
    "fishes": [{"species": "clownfish", "count": 2, "at": [2, 1.5, 1], "spread": 0.8}],
}


@pytest.fixture
def scene(tmp_path) -> str:
    path = tmp_path / "small.json"
    path.write_text(json.dumps(SMALL))
    return str(path)


@pytest.fixture
def no_blender(monkeypatch):
    monkeypatch.setitem(sys.modules, "bpy", None)


def refused(capsys, *words: str) -> str:
    """The one line on standard error of a command line that ends with 2."""
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("artfish: ") and len(said.err.splitlines()) == 1
    return said.err


def test_species_are_listed_one_a_line(capsys):
    assert main(["species"]) == 0
    said = capsys.readouterr()
    assert said.out.split("\n") == [*Species.names(), ""]
    assert said.err == ""


def test_species_are_listed_with_their_traits(capsys):
    assert main(["species", "--traits"]) == 0
    lines = dict(line.split(": ") for line in capsys.readouterr().out.splitlines())
    assert list(lines) == list(Species.names())
    assert "depth 0.8" in lines["sardine"] and "build 0, " in lines["moray"]
    assert lines["thesis"] == "no character"


def test_each_broken_preset_is_one_line(capsys, tmp_path, monkeypatch):
    for folder in ("species", "scenes"):
        (tmp_path / folder).mkdir()
    (tmp_path / "species" / "good.json").write_text('{"name": "good"}')
    (tmp_path / "species" / "bad.json").write_text('{"name": "bad", "length": -1}')
    (tmp_path / "species" / "ugly.json").write_text("{")
    (tmp_path / "scenes" / "poor.json").write_text('{"fps": 0}')
    monkeypatch.setattr("artfish.core.base.files.PRESETS", tmp_path)
    assert main(["species"]) == 2
    said = capsys.readouterr()
    assert said.out == "good\n"
    assert [line.split(": ")[1] for line in said.err.splitlines()] == ["bad.json", "ugly.json", "poor.json"]


def test_simulate_writes_a_recording_of_the_scenes_duration(scene, tmp_path, capsys):
    out = tmp_path / "small.npz"
    assert main(["simulate", scene, "-o", str(out)]) == 0
    rec = Recording.load(out)
    assert rec.frames == 3 and rec.species == ("clownfish", "clownfish") and rec.scene == Scene.load(scene)
    said = capsys.readouterr()
    assert said.out == "" and "simulate 100%" in said.err


def test_frames_and_seed_are_taken_and_the_same_seed_gives_the_same_bits(scene, tmp_path):
    for name, seed in (("a", "7"), ("b", "7"), ("c", "8")):
        assert main(["simulate", scene, "-o", str(tmp_path / f"{name}.npz"), "--frames", "2", "--seed", seed]) == 0
    one, same, other = ((tmp_path / f"{name}.npz").read_bytes() for name in "abc")
    assert one == same != other
    assert Recording.load(tmp_path / "a.npz").frames == 2


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("swim",),
        ("species", "clownfish"),
        ("simulate",),
        ("simulate", "SCENE"),
        ("simulate", "SCENE", "-o", "OUT.npz", "--frames", "0"),
        ("simulate", "SCENE", "-o", "OUT.npz", "--frames", "1.5"),
        ("simulate", "SCENE", "-o", "OUT.npz", "--seed", "-1"),
        ("simulate", "SCENE", "-o", "OUT.npz", "--seed", "x\ny"),
        ("simulate", "SCENE", "-o", "OUT.npz", "--fast"),
        ("simulate", "SCENE", "-o", "OUT.json"),
        ("simulate", "SCENE", "-o", "absent/OUT.npz"),
        ("simulate", "no such scene", "-o", "OUT.npz"),
        ("simulate", ".", "-o", "OUT.npz"),
        ("follow", "absent.csv", "-o", "OUT.npz", "--species", "sardine", "--fps", "30"),
        ("follow", "SCENE", "-o", "OUT.npz", "--species", "sardine", "--fps", "30"),
        ("follow", "SCENE", "-o", "OUT.npz", "--species", "herring", "--fps", "30"),
        ("follow", "SCENE", "-o", "OUT.npz", "--species", "sardine", "--fps", "0"),
        ("follow", "SCENE", "-o", "OUT.csv", "--species", "sardine", "--fps", "30"),
        ("fit", "absent.csv", "-o", "OUT.json", "--species", "sardine", "--fps", "30"),
        ("fit", "SCENE", "-o", "OUT.json", "--species", "sardine", "--fps", "30"),
        ("fit", "SCENE", "-o", "OUT.json", "--species", "herring", "--fps", "30"),
        ("fit", "SCENE", "-o", "OUT.csv", "--species", "sardine", "--fps", "30"),
        ("fit", "SCENE", "-o", "OUT.json", "--species", "sardine", "--fps", "30", "--arena", "1,2"),
        ("fit", "SCENE", "-o", "OUT.json", "--species", "sardine", "--fps", "30", "--length", "30"),
        ("fit", "SCENE", "-o", "OUT.json", "--species", "sardine", "--fps", "30", "--on", "moon"),
        ("export", "absent.npz", "-o", "OUT.csv"),
        ("export", "absent.blend", "-o", "OUT.glb"),
        ("export", "SCENE", "-o", "OUT.glb"),
        ("export", "SCENE", "-o", "OUT.glb", "--scale", "0"),
        ("export", "SCENE", "-o", "OUT.csv"),
        ("export", "SCENE", "-o", "OUT.xls"),
        ("bake", "SCENE", "-o", "OUT.npz"),
        ("bake", "SCENE", "-o", "OUT.blend", "--form", "dots"),
        ("bake", "SCENE", "-o", "OUT.blend", "--heroes", "3"),
        ("bake", "SCENE", "-o", "OUT.blend", "--drive", "shapes"),
        ("bake", "SCENE", "-o", "OUT.blend", "--stretch-free"),
        ("bake", "SCENE", "-o", "OUT.blend", "--form", "mesh", "--drive", "shapes", "--stretch-free"),
        ("bake", "SCENE", "-o", "OUT.blend", "--tolerance", "nan"),
        ("bake", "absent.npz", "-o", "OUT.blend"),
        ("render", "absent.blend", "-o", "OUT"),
        ("render", "SCENE", "-o", "OUT", "--frames", "9-2"),
        ("render", "SCENE", "-o", "OUT", "--frames", "all"),
        ("render", "SCENE", "-o", "OUT", "--size", "960"),
        ("render", "SCENE", "-o", "OUT", "--samples", "0"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(words, scene, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    refused(capsys, *(scene if word == "SCENE" else word for word in words))
    assert [path.name for path in tmp_path.iterdir()] == ["small.json"]


def test_what_cannot_go_well_is_said_and_done(tmp_path, capsys):
    path, stream = tmp_path / "swift.json", {"kind": "uniform", "direction": [1, 0, 0], "strength": 0.5}
    path.write_text(json.dumps({**SMALL, "current": [stream]}))
    assert main(["simulate", str(path), "-o", f"{tmp_path}/swift.npz", "--frames", "1"]) == 0
    said = [line for line in capsys.readouterr().err.splitlines() if line.startswith("artfish: ")]
    assert len(said) == 1 and said[0].startswith(
        f"artfish: warning: {path}: current[0].strength: found water at 0.5 m/s"
    )


def test_a_truncated_recording_is_one_line(scene, tmp_path, capsys):
    out = tmp_path / "small.npz"
    assert main(["simulate", scene, "-o", str(out), "--frames", "1"]) == 0
    out.write_bytes(out.read_bytes()[:-100])
    capsys.readouterr()
    assert "small.npz: found a damaged or foreign file" in refused(
        capsys, "bake", str(out), "-o", f"{tmp_path}/x.blend"
    )
    assert not (tmp_path / "x.blend").exists()


def test_a_recording_is_baked_as_it_is(scene, tmp_path, capsys):
    out = str(tmp_path / "small.npz")
    assert main(["simulate", scene, "-o", out, "--frames", "2"]) == 0
    capsys.readouterr()
    assert "--seed: found" in refused(capsys, "bake", out, "-o", f"{tmp_path}/x.blend", "--seed", "3")
    assert "--frames: found 3, allowed up to 2" in refused(
        capsys, "bake", out, "-o", f"{tmp_path}/x.blend", "--frames=3"
    )


def test_bake_and_render_need_blender_and_say_so(scene, tmp_path, no_blender, capsys):
    (tmp_path / "x.blend").write_bytes(b"")
    assert "bake needs Blender's bpy" in refused(capsys, "bake", scene, "-o", f"{tmp_path}/y.blend")
    assert "render needs Blender's bpy" in refused(capsys, "render", f"{tmp_path}/x.blend", "-o", f"{tmp_path}/frames")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["small.json", "x.blend"]


def test_too_little_memory_is_one_line(scene, tmp_path, monkeypatch, capsys):
    def much(*_):
        raise MemoryError("Unable to allocate 6 TiB")

    monkeypatch.setattr(Scene, "load", much)
    assert "6 TiB" in refused(capsys, "simulate", scene, "-o", f"{tmp_path}/x.npz")


def test_a_reader_who_has_seen_enough_is_no_error():
    command = f"{sys.executable} -u -m artfish.cli species | head -n 1"
    run = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == Species.names()[0] and run.stderr == ""


BLENDER_THAT_WAITS = """
import atexit, sys, threading, types
from artfish.cli import command_line
sys.modules["bpy"] = types.SimpleNamespace(app=types.SimpleNamespace(tempdir=sys.argv.pop()))
threading.Thread(target=threading.Event().wait).start()
atexit.register(print, "bye", flush=True)
command_line()
"""


def test_a_blender_that_waits_for_a_thread_of_its_own_does_not_keep_the_command_from_ending(tmp_path):
    """Some exports wrote everything, and then the process hung for ever in the destructors of a library."""
    (tmp_path / "session").mkdir()
    (tmp_path / "session" / "quit.blend").write_bytes(b"")
    for words, code in ((["species"], 0), (["species", "ichthyosaur"], 2)):
        call = [sys.executable, "-c", BLENDER_THAT_WAITS, *words, str(tmp_path / "session")]
        run = subprocess.run(call, capture_output=True, text=True, timeout=60, check=False)
        assert run.returncode == code and run.stdout.endswith("bye\n"), run.stderr
    assert not (tmp_path / "session").exists()


@pytest.mark.film
def test_capture_writes_the_repertoire_of_a_species(tmp_path, capsys):
    from artfish.core.replicas.repertoire import Repertoire

    path = tmp_path / "thesis.npz"
    assert main(["capture", "thesis", "-o", str(path)]) == 0
    assert capsys.readouterr().out == "29 segments of thesis\n"
    assert len(Repertoire.load(path, Species.load("thesis"))) == 29


def test_capture_needs_a_species_and_a_file(tmp_path, capsys):
    assert "ichthyosaur" in refused(capsys, "capture", "ichthyosaur", "-o", str(tmp_path / "a.npz"))
    assert "a name that ends in .npz" in refused(capsys, "capture", "thesis", "-o", str(tmp_path / "a.blend"))


RIDE = {
    "at": [1, 1.5, 1],
    "orders": [{"time": 0, "order": "accelerate"}, {"time": 0.1, "order": "left", "seconds": 1}],
    "camera": {"lens": 20},
}


@pytest.fixture
def ride(tmp_path) -> str:
    path = tmp_path / "ride.json"
    path.write_text(json.dumps(RIDE))
    return str(path)


def test_a_dive_is_recorded_with_its_ride_to_the_same_bits(scene, ride, tmp_path):
    first, second = str(tmp_path / "first.npz"), str(tmp_path / "second.npz")
    for path in (first, second):
        assert main(["dive", scene, ride, "-o", path, "--seed", "3", "--frames", "12"]) == 0
    one, other = Recording.load(first), Recording.load(second)
    assert one.submarine.shape == (12, 5) and one.scene.ride.camera.lens == 20
    assert one.submarine[0].tolist() == [1, 1.5, 1, 0, 0]
    assert one.submarine[-1, 0] > 1.02 and one.submarine[-1, 3] > 0.02
    assert (one.submarine == other.submarine).all() and (one.nodes == other.nodes).all()


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"at": [9, 1, 1]}, "at: found [9.0, 1.0, 1.0], allowed in the tank"),
        ({"orders": [{"time": 0, "order": "jump"}]}, "orders[0].order: found 'jump', allowed one of accelerate,"),
        ({"orders": 3}, "orders: found 3, allowed a list of objects"),
    ],
)
def test_a_ride_that_is_none_is_one_line(scene, tmp_path, capsys, keys, complaint):
    path = tmp_path / "ride.json"
    path.write_text(json.dumps(RIDE | keys))
    line = refused(capsys, "dive", scene, str(path), "-o", str(tmp_path / "rec.npz"))
    assert str(path) in line and complaint in line


def test_who_learned_to_swim_gets_a_controller_and_goes_on_from_there(tmp_path, capsys):
    path, other = tmp_path / "swim.json", tmp_path / "controller.json"
    words = ["learn", "tuna", "--task", "swim", "--method", "annealing", "--candidates", "8", "-o", str(path)]
    assert main([*words, "--steps", "60"]) == 0
    assert main([*words, "--steps", "90", "--controller", str(other)]) == 0
    assert "going on from step 60" in capsys.readouterr().err
    assert Learned.load(path).steps == 90 and Learned.load(path).candidates == 8
    assert main([*words, "--steps", "95", "--save-controller", str(other)]) == 0, "the same search may write its own"
    assert Learned.load(path).steps == 95
    made = Controller.load(other)
    assert made.species == "tuna" and made.swims[-1].speed > 0.05 and not made.left


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--task", "left", "--controller", "c.json"], "--save-controller: found what learns left"),
        (["--task", "left", "--save-controller", "c.json"], "--save-controller: found what learns left"),
        (["--task", "swim", "--candidates", "1"], "--candidates: found 1, allowed 4 or more for cma"),
        (["--task", "swim", "--candidates", "0"], "allowed a whole number from 1 to 1024"),
    ],
)
def test_what_cannot_be_learned_is_one_line(tmp_path, monkeypatch, capsys, words, complaint):
    monkeypatch.chdir(tmp_path)
    assert complaint in refused(capsys, "learn", "tuna", *words, "--steps", "1", "-o", "a.json")
    assert not list(tmp_path.iterdir())


LEARNING = ["learn", "tuna", "--task", "swim", "--method", "annealing", "--candidates", "4", "--steps", "3"]


def test_learning_overwrites_nothing_but_the_same_search(tmp_path, capsys):
    """One wrong --seed once overwrote hours of learning."""
    path, other = tmp_path / "swim.json", tmp_path / "other.json"
    assert main([*LEARNING, "-o", str(path)]) == 0
    before = path.read_bytes()
    capsys.readouterr()
    searched = "found another search (species 'tuna', task 'swim', method 'annealing', seed 0, candidates 4, steps 3)"
    for words in (["--seed", "1"], ["--steps", "2"]):
        assert f"{path}: {searched}" in refused(capsys, *LEARNING, "-o", str(path), *words)
    assert "found what is no search" in refused(capsys, *LEARNING, "-o", str(scene_of(tmp_path)))
    Controller.load(controller_of(other))
    for words in (["-o", str(other)], ["-o", str(tmp_path / "new.json"), "--controller", str(other)]):
        assert f"{other}: found a controller, allowed a new file" in refused(capsys, *LEARNING, *words)
    assert path.read_bytes() == before and not (tmp_path / "new.json").exists()


def scene_of(folder):
    path = folder / "scene.json"
    path.write_text(json.dumps(SMALL))
    return path


def controller_of(path):
    muscles = {"mean": [0.0] * 12, "amplitude": [[0.1] * 12], "phase": [[0.0] * 12]}
    path.write_text(
        json.dumps({"species": "tuna", "time_scale": 0.1, "swims": [{"speed": 1, "frequency": 2} | muscles]})
    )
    return path


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["bake", "SCENE", "-o", "a.blend", "--tolerance", "1"], "--tolerance: found '1', allowed a number from 0 to"),
        (["render", "SCENE", "-o", "out", "--seconds", "1", "--frames", "1-2"], "--seconds: found with --frames"),
    ],
)
def test_what_can_be_refused_is_refused_first(words, complaint, scene, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert complaint in refused(capsys, *(scene if word == "SCENE" else word for word in words))
    assert [file.name for file in tmp_path.iterdir()] == ["small.json"]


def test_what_one_task_came_to_is_no_controller_and_is_called_by_name(tmp_path, capsys):
    path = tmp_path / "swim.json"
    assert main([*LEARNING, "-o", str(path)]) == 0
    capsys.readouterr()
    allowed = "allowed a controller: what artfish learn writes with --task all, or with --save-controller"
    for controller in ("swim.json", json.loads(path.read_text())):
        made = scene_of(tmp_path)
        made.write_text(json.dumps(SMALL | {"fishes": [SMALL["fishes"][0] | {"controller": controller}]}))
        line = refused(capsys, "simulate", str(made), "-o", str(tmp_path / "rec.npz"))
        assert "found what was learned of the task swim" in line and allowed in line


def test_check_says_which_times_cannot_be_kept_and_ends_with_1(tmp_path, capsys):
    path = tmp_path / "timed.json"
    for seconds, code in ((4.0, 0), (0.5, 1)):
        curve = {"kind": "curve", "name": "Path", "fishes": 0, "points": [[1, 1, 1], [2, 1, 1]], "duration": seconds}
        path.write_text(json.dumps({**SMALL, "direction": [curve]}))
        assert main(["check", str(path)]) == code
        (line,) = capsys.readouterr().out.splitlines()
        assert line.startswith("clownfish: the curve 'Path' needs ")
        assert ("give it" in line) == bool(code)
    assert main(["simulate", str(path), "-o", str(tmp_path / "out.npz")]) == 0
    assert f"artfish: warning: {line}" in capsys.readouterr().err


def circles(seconds, fps=20):
    """A table of three fishes of 3 cm that swim in circles, in metres."""
    rows = ["frame,id,x,y"]
    for frame in range(round(seconds * fps)):
        for fish in range(3):
            angle = 0.5 * frame / fps + fish
            rows.append(f"{frame},{fish},{0.2 + 0.1 * math.cos(angle):.5f},{0.2 + 0.1 * math.sin(angle):.5f}")
    return "\n".join(rows) + "\n"


@pytest.mark.film
def test_a_species_is_fitted_to_tracks_and_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(fit, "JUDGED_WORLDS", 1)
    monkeypatch.setattr(fit, "SWEPT_SHARES", (0.5,))
    tracks, out = tmp_path / "tank.csv", tmp_path / "circler.json"
    tracks.write_text(circles(12.0))
    how = ["--species", "sardine", "--fps", "20", "--length", "0.03", "--arena", "0.05,0.05,0.35,0.35"]
    assert main(["fit", str(tracks), "-o", str(out), *how, "--generations", "0", "--workers", "1"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].split()[0] == "figure" and {line.split()[0] for line in said} >= {"speed", "nearest", "wall"}
    made = Species.load(out)
    assert made.name == "circler" and made.length == 0.03 and made.fitted == said[-1]
    assert made.fitted.startswith("tank.csv: ")
    assert (tmp_path / "circler.html").read_text().startswith("<!doctype html>")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["circler.html", "circler.json", "tank.csv"]


def test_tracks_too_short_to_fit_are_refused_in_a_line(tmp_path, capsys):
    tracks, out = tmp_path / "tank.csv", tmp_path / "circler.json"
    tracks.write_text(circles(2.0))
    line = refused(
        capsys, "fit", str(tracks), "-o", str(out), "--species", "sardine", "--fps", "20", "--arena", "0,0,1,1"
    )
    assert "2 s" in line and "4 s or more" in line and not out.exists()
