"""Tracks of real fish are read as idtracker.ai writes them."""

import numpy as np

from artfish.studies.life import tracks


def test_a_file_of_tracks_is_read_with_its_gaps_bridged(tmp_path):
    places = np.arange(40.0).reshape(10, 2, 2)
    holes = places.copy()
    holes[3:5, 1] = np.nan
    content = {"trajectories": holes, "frames_per_second": 32, "body_length": np.float64(57.0), "video_path": "v.avi"}
    np.save(tmp_path / "tracks.npy", content, allow_pickle=True)
    found = tracks.read(tmp_path / "tracks.npy")
    assert np.allclose(found.places, places)
    assert (found.fps, found.length, found.name) == (32.0, 57.0, "2 tracked fish")


def test_without_the_package_nobody_is_tracked(monkeypatch):
    monkeypatch.setattr(tracks.importlib.util, "find_spec", lambda name: None)
    assert tracks.tracked() == []
