"""mot/: tracks as MOTChallenge has them, read here, and by others' readers where those are installed."""

import configparser
import json

import numpy as np
import pytest

from artfish.core.dataset.gathering import gather
from artfish.tests.core.dataset.invented import changed, invent


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = invent(tmp_path_factory.mktemp("labelled"))
    gather(folder, ["mot"])
    return folder


def sequences(folder):
    """Folders of tracks, sorted."""
    return sorted(path for path in (folder / "mot").iterdir() if path.name != "seqmaps")


def rows_of(sequence):
    """The lines of its tracks as numbers."""
    return np.loadtxt(sequence / "gt" / "gt.txt", delimiter=",", ndmin=2)


def test_each_film_and_camera_is_a_sequence(folder):
    assert [path.name for path in sequences(folder)] == ["s0007-left", "s0007-right", "s0008-left", "s0008-right"]
    for sequence in sequences(folder):
        about = configparser.ConfigParser()
        about.read(sequence / "seqinfo.ini")
        info = about["Sequence"]
        pictures = sorted((sequence / info["imDir"]).resolve().glob(f"*{info['imExt']}"))
        assert info["name"] == sequence.name and len(pictures) == int(info["seqLength"]) == 5
        assert (int(info["imWidth"]), int(info["imHeight"])) == (160, 90)
        assert int(info["frameRate"]) == 5  # 24 a second, of which every fifth: 4.8
        assert pictures[0].parts[-3:-1] == tuple(sequence.name.split("-"))


def test_lines_are_those_of_the_labels_and_count_from_one(folder):
    for sequence in sequences(folder):
        rows, names = rows_of(sequence), (sequence / "gt" / "labels.txt").read_text().split()
        film, camera = sequence.name.split("-")
        for place, path in enumerate(sorted((folder / "labels" / film / camera).iterdir()), start=1):
            seen = [fish for fish in json.loads(path.read_text())["fishes"] if fish["seen"]]
            found = rows[rows[:, 0] == place]
            for fish, row in zip(sorted(seen, key=lambda fish: fish["track"]), found, strict=True):
                left, top, width, height = fish["seen"]["box"]
                assert row[1:6].tolist() == [fish["track"], left + 1, top + 1, width, height]
                assert row[6] == (0 if fish["tiny"] else 1) and names[int(row[7]) - 1] == fish["species"]
                assert row[8] == pytest.approx(fish["seen"]["share"], abs=1e-6)
        assert (np.diff(rows[:, 0]) >= 0).all() and set(rows[:, 0]) == {1, 2, 3, 4, 5}


def test_lists_of_sequences_part_the_films(folder):
    lists = {path.stem: path.read_text().split() for path in (folder / "mot" / "seqmaps").iterdir()}
    assert all(lines[0] == "name" for lines in lists.values())
    assert lists["train"][1:] == ["s0007-left", "s0007-right"] and lists["val"][1:] == ["s0008-left", "s0008-right"]
    assert lists["all"][1:] == lists["train"][1:] + lists["val"][1:]


def test_a_film_without_fishes_has_an_empty_file(tmp_path):
    folder = invent(tmp_path / "set", 1, ("eye",), (1, 2), size=(32, 18))
    for path in (folder / "labels").rglob("*.json"):
        changed(path, lambda data: data.update(fishes=[]))
    gather(folder, ["mot"])
    assert (folder / "mot/s0007-eye/gt/gt.txt").read_text() == ""


def test_motmetrics_scores_the_tracks_against_themselves(folder):
    motmetrics = pytest.importorskip("motmetrics", reason="motmetrics is not installed: make readers")
    for sequence in sequences(folder):
        truth = motmetrics.io.loadtxt(sequence / "gt" / "gt.txt", fmt="mot15-2D", min_confidence=1)
        assert len(truth) == (rows_of(sequence)[:, 6] == 1).sum()
        score = motmetrics.utils.compare_to_groundtruth(truth, truth, "iou", distth=0.5)
        found = motmetrics.metrics.create().compute(score, metrics=["mota", "idf1", "num_objects"])
        assert found["mota"].item() == found["idf1"].item() == 1.0
        assert found["num_objects"].item() == len(truth)
        other = truth[truth.index.get_level_values("Id") != truth.index.get_level_values("Id")[0]]
        score = motmetrics.utils.compare_to_groundtruth(truth, other, "iou", distth=0.5)
        assert motmetrics.metrics.create().compute(score, metrics=["mota"])["mota"].item() < 0.95


def test_trackeval_scores_the_tracks_against_themselves(folder, tmp_path):
    trackeval = pytest.importorskip("trackeval", reason="TrackEval is not installed")
    results = tmp_path / "trackers" / "same" / "data"
    results.mkdir(parents=True)
    for sequence in sequences(folder):  # a tracker's results: scored fishes, without class and visibility
        rows = rows_of(sequence)
        lines = [",".join(f"{x:g}" for x in row[:6]) + ",1,-1,-1,-1\n" for row in rows[rows[:, 6] == 1]]
        (results / f"{sequence.name}.txt").write_text("".join(lines))
    config = {
        "GT_FOLDER": str(folder / "mot"),
        "TRACKERS_FOLDER": str(tmp_path / "trackers"),
        "SEQMAP_FILE": str(folder / "mot" / "seqmaps" / "all.txt"),
        "SKIP_SPLIT_FOL": True,
        "DO_PREPROC": False,
        "PRINT_CONFIG": False,
    }
    quietly = {"PRINT_RESULTS": False, "PRINT_CONFIG": False, "TIME_PROGRESS": False, "OUTPUT_SUMMARY": False}
    quietly |= {"OUTPUT_DETAILED": False, "PLOT_CURVES": False, "USE_PARALLEL": False, "BREAK_ON_ERROR": True}
    data = trackeval.datasets.MotChallenge2DBox(config)
    metrics = [trackeval.metrics.HOTA(), trackeval.metrics.CLEAR({"PRINT_CONFIG": False})]
    found, _ = trackeval.Evaluator({**trackeval.Evaluator.get_default_eval_config(), **quietly}).evaluate(
        [data], metrics
    )
    scores = found["MotChallenge2DBox"]["same"]["COMBINED_SEQ"]["pedestrian"]
    assert scores["CLEAR"]["MOTA"] == 1.0 and scores["CLEAR"]["IDSW"] == 0
    assert scores["HOTA"]["HOTA"].min() > 0.999
    assert scores["CLEAR"]["CLR_TP"] == sum((rows_of(sequence)[:, 6] == 1).sum() for sequence in sequences(folder))
