"""Recordings come back to the bit, or not at all."""

import dataclasses
import json
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from artfish.core import Recording, Scene, SceneError, Species
from artfish.core.recording import ARRAYS

MAST = {"kind": "cylinder", "at": [1, 1, 0], "motion": []}


def recording(frames: int = 3, fishes: int = 2, seed: int = 0) -> Recording:
    """Any recording: its arrays hold any numbers that they may hold."""
    dice = np.random.default_rng(seed)
    lengths = {
        "frames": frames,
        "fish": fishes,
        "particle": 4,
        "tuft": 3,
        "leaf": 3,
        "leaf nodes": 10,
        "bubble": 5,
        "grain": 2,
        "point": 6,
        "obstacle": 1,
    }
    lengths["stroke"] = 4 if frames > 1 and fishes else 0
    lengths |= {"memory": 2 if fishes else 0, "object": 7, "traveller": 1 if fishes else 0}

    last = {"fish": fishes - 1, "frame": frames - 1, "morsel": lengths["particle"] + lengths["tuft"]}

    def noise(name):
        one = ARRAYS[name]
        low, high = (0, 1) if one.low is None else (one.low, one.high)
        values = dice.uniform(low, max(low, last.get(high, high)), one.sized(lengths))
        return (np.rint(values) if np.dtype(one.kind).kind in "iub" else values).astype(one.kind)

    arrays = {name: noise(name) for name in ARRAYS}
    arrays["stroke_time"] = np.sort(arrays["stroke_time"])
    scene = Scene.from_dict(
        {"name": "Öd", "fishes": [{"species": "opah", "at": [1, 2, 0.1]}], "obstacles": [MAST]}, species=["opah"]
    )
    return Recording(
        **arrays,
        species=("opah",) * fishes,
        sex=tuple(("female", "male")[fish % 2] for fish in range(fishes)),
        fps=23.976,
        scene=scene,
        species_models={"opah": Species(name="opah", common_name="Thon à nageoires")},
        events=[{"frame": at, "kind": "fed", "fish": 0, "other": at} for at in range(frames) if fishes],
    )


def assert_same(one: Recording, other: Recording) -> None:
    for field in dataclasses.fields(Recording):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if field.name in ARRAYS:
            assert a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
        else:
            assert a == b


@given(st.integers(0, 4), st.integers(0, 4), st.integers(0, 2**32))
def test_a_recording_comes_back_to_the_bit(frames, fishes, seed):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "any name"
        before = recording(frames, fishes, seed)
        before.save(path)
        assert_same(Recording.load(path), before)
        assert list(Path(folder).iterdir()) == [path]


def test_the_same_recording_makes_the_same_file(tmp_path):
    recording().save(tmp_path / "a.npz")
    recording().save(tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_the_file_holds_no_pickle_and_carries_its_species(tmp_path):
    recording().save(tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz", allow_pickle=False) as archive:
        assert not any(archive[name].dtype.hasobject for name in archive.files)
    assert "opah" not in Species.names()
    assert Recording.load(tmp_path / "a.npz").species_models["opah"].name == "opah"


@pytest.mark.film
@given(st.data())
def test_a_file_cut_short_or_damaged_is_one_line(data):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rec.npz"
        recording().save(path)
        whole = path.read_bytes()
        at = data.draw(st.integers(0, len(whole) - 1))
        if data.draw(st.booleans()):
            path.write_bytes(whole[:at])
        else:
            path.write_bytes(whole[:at] + bytes([whole[at] ^ data.draw(st.integers(1, 255))]) + whole[at + 1 :])
        try:
            read = Recording.load(path)
        except SceneError as error:
            assert str(error).startswith(f"{path}: ") and ", allowed " in str(error)
            assert len(str(error).splitlines()) == 1
        else:  # zip has bytes, such as those of dates, that say nothing about what is held
            assert len(path.read_bytes()) == len(whole)
            assert_same(read, recording())


def foreign_files(folder: Path):
    """Files that are no recording."""
    (folder / "text.npz").write_text("hello")
    (folder / "empty.npz").write_bytes(b"")
    np.savez(folder / "other.npz", points=np.zeros(3))
    with open(folder / "array.npz", "wb") as stream:
        np.save(stream, np.zeros(3))
    np.savez(folder / "pickle.npz", nodes=np.array([{"a": 1}], dtype=object))
    with zipfile.ZipFile(folder / "zip.npz", "w") as archive:
        archive.writestr("nodes", "not an array")
    (folder / "folder.npz").mkdir()
    return [*folder.iterdir(), folder / "absent.npz"]


def test_a_foreign_file_is_one_line(tmp_path):
    for path in foreign_files(tmp_path):
        with pytest.raises(SceneError) as refused:
            Recording.load(path)
        assert str(refused.value).startswith(f"{path}: found ")
        assert str(refused.value).endswith(", allowed a recording (.npz)")


def altered(path: Path, **changes: np.ndarray) -> None:
    with np.load(path) as archive:
        held = {name: archive[name] for name in archive.files}
    np.savez(path, **(held | changes))


def event(**change) -> np.ndarray:
    """The text of one event that is changed so."""
    return np.array(json.dumps([{"frame": 0, "kind": "eaten", "fish": 0, "other": 1} | change]))


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"format": np.array(999)}, "format: found a recording made by a newer Artfish (1.0), this is 1.0"),
        ({"format": np.array(1)}, "format: found a recording made by an older Artfish"),
        ({"format": np.array(2.5)}, "format: found 2.5"),
        ({"nodes": np.zeros((3, 2, 22, 3))}, "nodes: found the shape (3, 2, 22, 3), allowed "),
        ({"fins": np.zeros((2, 2, 2, 3))}, "fins: found the shape (2, 2, 2, 3), allowed "),
        ({"mouth": np.array("x")}, "found arrays of another kind"),
        ({"fps": np.array([1.0, 2.0])}, "found arrays of another kind"),
        ({"scene": np.array("{")}, "scene: line 1, column 2: found no JSON"),
        ({"scene": np.array("[" * 100_000)}, "scene: found lists or objects nested too deeply"),
        ({"events": np.array("[" * 100_000)}, "events: found lists or objects nested too deeply"),
        ({"fps": np.array(0.0)}, "fps: found 0, allowed a number from 1 to 240"),
        ({"fps": np.array(np.nan)}, "fps: found nan, allowed a number from"),
        ({"fps": np.array(1e300)}, "fps: found 1e+300, allowed a number from"),
        ({"nodes": np.full((3, 2, 23, 3), np.nan)}, "nodes[0, 0, 0, 0]: found NaN, allowed a number from -100000"),
        ({"nodes": np.full((3, 2, 23, 3), 1e30)}, "nodes[0, 0, 0, 0]: found 1e+30, allowed a number from -100000"),
        ({"body_length": np.array([0.1, 0.0])}, "body_length[1]: found 0.0, allowed a number from"),
        ({"target": np.full((3, 2), 2)}, "target[0, 0]: found 2, allowed a number from -1 to 1"),
        ({"intention": np.full((3, 2), 7)}, "intention[0, 0]: found 7, allowed a number from 0 to 6"),
        ({"events": np.array("{}")}, "events: found an object of keys and values, allowed a list of events"),
        ({"events": np.array("[3]")}, "events[0]: found 3, allowed an object"),
        ({"events": np.array('[{"kind": "lost"}]')}, "events[0].kind: found 'lost', allowed one of courtship"),
        ({"events": event(frame="x")}, "events[0].frame: found 'x', allowed a whole number from 0 to 3"),
        ({"events": event(frame=-1_000_000)}, "events[0].frame: found -1000000, allowed"),
        ({"events": event(fish=2)}, "events[0].fish: found 2, allowed a whole number from 0 to 1"),
        ({"events": event(other=-1)}, "events[0].other: found -1, allowed a whole number from 0 to 1"),
        ({"scene": np.array('{"fps": -1}')}, "scene: fps: found -1, allowed "),
        ({"species_models": np.array('{"opah": {"length": -1}}')}, "opah: length: found -1, allowed "),
        ({"species_models": np.array("3")}, "species_models: found 3, allowed an object"),
        ({"species": np.array(["opah", "cod"])}, "species: found 'cod', allowed "),
        ({"sex": np.array(["female"])}, "sex: found 1 names, allowed 2"),
        ({"sex": np.array(["female", "\x1b"])}, "sex[1]: found '\\x1b', allowed one of male, female"),
        ({"events": event(kind="courtship", stage=["x"])}, "events[0].stage: found ['x'], allowed one of looping"),
        ({"nodes": np.zeros((3, 2, 23, 3))}, "nodes[0, 0]: found a fish without length or sides, allowed a body"),
    ],
)
def test_what_does_not_fit_together_is_one_line(changes, found, tmp_path):
    path = tmp_path / "rec.npz"
    recording().save(path)
    altered(path, **changes)
    with pytest.raises(SceneError) as refused:
        Recording.load(path)
    assert str(refused.value).startswith(f"{path}: {found}")


def test_the_first_frames_alone():
    whole = recording(frames=5)
    some = whole.until(2)
    assert some.frames == 2 and some.duration == pytest.approx(2 / 23.976)
    assert np.array_equal(some.nodes, whole.nodes[:2], equal_nan=True)
    assert [event["frame"] for event in some.events] == [0, 1]
    assert_same(whole.until(5), whole)


def test_events_may_hold_numpy_numbers(tmp_path):
    event = {"frame": np.int64(1), "kind": "fed", "fish": np.int32(0), "other": np.int64(2), "at": np.arange(2)}
    dataclasses.replace(recording(), events=[event]).save(tmp_path / "rec.npz")
    assert Recording.load(tmp_path / "rec.npz").events == [
        {"frame": 1, "kind": "fed", "fish": 0, "other": 2, "at": [0, 1]}
    ]


def test_an_unwritable_output_leaves_nothing(tmp_path):
    with pytest.raises(SceneError, match="found no folder"):
        recording().save(tmp_path / "absent" / "rec.npz")
    assert not list(tmp_path.iterdir())


def test_the_log_tells_what_happened():
    kinds = ({"kind": "eaten"}, {"kind": "fed"}, {"kind": "courtship", "stage": "looping"}, {"kind": "spawned"})
    events = [{"frame": 24 * at, "fish": 0, "other": 1, **kind} for at, kind in enumerate(kinds)]
    calm = np.full((3, 2), Recording.INTENTIONS.index("wander"))
    told = dataclasses.replace(recording(fishes=2), fps=24.0, events=events, intention=calm).log()
    assert [line.split(maxsplit=2)[0] for line in told] == ["0.00", "1.00", "2.00", "3.00"]
    assert [line.split("s  ", 1)[1] for line in told] == [
        "opah 0 ate opah 1",
        "opah 0 ate plankton 1",
        "opah 0 courts opah 1: looping",
        "opah 0 spawned with opah 1",
    ]


def test_the_log_tells_when_hunts_begin_and_end():
    frames = 240
    intention = np.full((frames, 2), Recording.INTENTIONS.index("wander"))
    for held in (slice(24, 48), slice(60, 96), slice(200, 240)):  # a pause of half a second, and one of four
        intention[held, 0] = Recording.INTENTIONS.index("eat")
    whole = recording(frames=frames)
    ones = {name: np.ones((frames, 2), dtype=ARRAYS[name].kind) for name in ("target", "alive")}
    events = [{"frame": 95, "kind": "eaten", "fish": 0, "other": 1}]
    film = dataclasses.replace(whole, intention=intention, food=-ones["target"], fps=24.0, events=events, **ones)
    assert film.hunts() == [(0, 1, 24, 96), (0, 1, 200, 240)]
    assert [" ".join(line.split()) for line in film.log()] == [
        "1.00 s opah 0 begins to hunt opah 1",
        "3.96 s opah 0 ate opah 1",
        "4.00 s opah 0 ends its hunt",
        "8.33 s opah 0 begins to hunt opah 1",
    ]
    assert dataclasses.replace(film, food=np.zeros_like(film.food)).hunts() == []  # those graze


def test_older_recordings_have_no_strokes(tmp_path):
    path = tmp_path / "old.npz"
    before = recording()
    before.save(path)
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files if not name.startswith("stroke")}
    np.savez(path, **arrays)
    old = Recording.load(path)
    assert old.strokes.shape == (0, 23, 3) and len(old.strokes_of(0)[0]) == 0
    assert_same(old, dataclasses.replace(before, strokes=None, stroke_fish=None, stroke_time=None))


def test_older_recordings_do_not_know_where_obstacles_were(tmp_path):
    path, before = tmp_path / "old.npz", recording()
    before.save(path)
    with np.load(path) as archive:
        np.savez(path, **{name: archive[name] for name in archive.files if name != "obstacles"})
    old = Recording.load(path)
    assert old.obstacles.shape == (3, 0, 7)
    assert_same(old, dataclasses.replace(before, obstacles=None))
    with pytest.raises(SceneError, match="obstacles: found 2, allowed 1, as many as move in the scene"):
        dataclasses.replace(before, obstacles=np.zeros((3, 2, 7)))


def test_strokes_come_fish_by_fish_and_are_cut_with_the_frames():
    whole = recording(frames=5, fishes=2)
    times = np.array([0.25, 0.25, 0.5, 3.75])
    whole = dataclasses.replace(whole, stroke_time=times, stroke_fish=np.array([0, 1, 0, 1]))
    assert [whole.strokes_of(fish)[0].tolist() for fish in (0, 1)] == [[0.25, 0.5], [0.25, 3.75]]
    assert (whole.strokes_of(1)[1] == whole.strokes[[1, 3]]).all()
    assert whole.until(4).stroke_time.tolist() == [0.25, 0.25, 0.5]


@pytest.mark.parametrize("times, row", [([0.5, 0.25, 0.75, 0.8], 1), ([0.25, 1.0, 1.25, 1.5], 1), ([0.5] * 4, 1)])
def test_strokes_out_of_order_or_at_a_frame_are_refused(tmp_path, times, row):
    wrong = dataclasses.replace(recording(), stroke_time=np.array(times), stroke_fish=np.zeros(4))
    path, refusal = tmp_path / "wrong.npz", rf"stroke_time\[{row}\]: found {times[row]}, allowed a time between"
    with pytest.raises(SceneError, match=refusal):
        wrong.save(path)
    assert not path.exists()
    recording().save(path)
    altered(path, stroke_time=np.array(times), stroke_fish=np.zeros(4, np.int32))
    with pytest.raises(SceneError, match=refusal):
        Recording.load(path)
