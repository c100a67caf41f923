"""Strokes: what beats too fast for the frames is recorded between them, and nothing else."""

import dataclasses

import numpy as np
import pytest

from artfish.core import Commands, Scene, World
from artfish.core.studio.rehearsal import Rehearsal
from artfish.core.world import strokes
from artfish.core.world.strokes import StrokeLog, Strokes, pieces

FPS = 24.0


def scene(fps: float = FPS) -> Scene:
    fishes = [{"species": "sardine", "count": 2, "at": [20, 10, 10]}]
    return Scene.from_dict({"fps": fps, "tank": {"size": [40, 20, 20]}, "fishes": fishes})


def first_bursts(t: float, world: World) -> Commands:
    """The first fish bursts in the second quarter of a second."""
    commands = Commands.still(2)
    commands.swim[:] = 1.0
    commands.burst[0] = 0.25 <= t < 0.5
    return commands


@pytest.fixture(scope="module")
def film():
    return World(scene(), pilot=first_bursts).simulate(18)


def test_only_who_beats_too_fast_has_strokes_and_only_then(film):
    assert set(film.stroke_fish.tolist()) == {0}
    assert 6 <= film.stroke_time.min() and film.stroke_time.max() < 12
    per_frame = np.bincount(film.stroke_time.astype(int))[6:]
    beat = film.species_models["sardine"].rhythm.burst_beat
    assert (per_frame + 1 == pieces(beat, 1 / FPS)).all()
    assert pieces(beat, 1 / FPS) * FPS >= 8 * beat > 2 * FPS


def test_frames_enough_show_every_stroke():
    assert len(World(scene(fps=60.0), pilot=first_bursts).simulate(30).strokes) == 0


def test_to_look_at_strokes_changes_nothing(film, monkeypatch):
    monkeypatch.setattr(strokes, "FRAME_SHARE", 100.0)
    blind = World(scene(), pilot=first_bursts).simulate(18)
    assert len(blind.strokes) == 0 and blind.nodes.tobytes() == film.nodes.tobytes()


def test_a_stroke_lies_on_the_way_between_its_frames(film):
    times, nodes = film.strokes_of(0)
    both = np.concatenate([np.arange(18), times])
    order = np.argsort(both)
    path = np.concatenate([film.nodes[:, 0], nodes])[order].mean(axis=1)
    speed = np.linalg.norm(np.diff(path, axis=0), axis=1) / np.diff(both[order])
    burst = slice(9, 9 + 2 * pieces(12.5, 1 / FPS))
    assert speed[burst].max() < 3 * speed[burst].min()  # no sample is at another place than its time


def test_strokes_survive_a_file(film, tmp_path):
    film.save(tmp_path / "film.npz")
    again = type(film).load(tmp_path / "film.npz")
    assert again.strokes.tobytes() == film.strokes.tobytes() and (again.stroke_time == film.stroke_time).all()


def test_what_holds_a_fish_up_at_the_end_of_a_frame_is_spread_over_its_strokes():
    nodes, ended = np.zeros((2, 23, 3)), np.full((2, 23, 3), 4.0)
    fish, share = np.array([1, 0, 1]), np.array([0.75, 0.75, 0.25])
    found = Strokes.of(fish, share, nodes[fish], ended[fish])
    assert found.fish.tolist() == [1, 0, 1] and found.share.tolist() == [0.25, 0.75, 0.75]
    assert found.settled(ended + 2.0)[:, 0, 0].tolist() == [0.5, 1.5, 1.5]


def test_a_log_forgets_what_comes_after_a_frame():
    log, nodes = StrokeLog(), np.zeros((1, 23, 3))
    one = Strokes.of(np.array([0]), np.array([0.5]), nodes, nodes)
    for frame in range(4):
        log.keep(frame, one, nodes)
    assert log.arrays()["stroke_time"].tolist() == [0.5, 1.5, 2.5]
    log.drop(2)
    assert log.arrays()["stroke_time"].tolist() == [0.5]
    log.drop(0)
    assert log.arrays() == {} and log.size == 0


def test_at_few_frames_a_second_a_recording_stays_small():
    assert pieces(14.0, 1.0) == strokes.MOST_FRAME_PARTS


@pytest.mark.film
def test_a_rehearsal_records_them_and_drops_what_is_played_anew():
    shot = Rehearsal(scene())
    shot.world.pilot = first_bursts
    shot.advance(11)
    before = shot.recording()
    assert len(before.strokes) > 0
    shot.act(7, lambda world: None)
    assert shot.recording().stroke_time.max() < 7
    shot.advance(11)
    after = shot.recording()
    assert dataclasses.asdict(after)["strokes"].tobytes() == before.strokes.tobytes()
