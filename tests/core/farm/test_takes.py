"""Takes: the same bytes whoever makes them, the best by what is wished, kept as anybody would simulate them."""

import csv
import io
import json
import os
import threading
import time
from concurrent.futures import Future

import numpy as np
import pytest

from artfish.cli import FAILED, main
from artfish.core import Recording, Scene, SceneError, World
from artfish.core.base.files import preset_folder
from artfish.core.farm import jobs
from artfish.core.farm.processes import Processes
from artfish.core.farm.running import EnoughError, run
from artfish.core.farm.sheet import SheetRow, small_sheet
from artfish.core.farm.takes import CONTACT_SHEET, KEPT, RESULTS, TABLE, TakeSearch, scene_with
from artfish.core.farm.tuning import TAKES_A_GENERATION
from artfish.core.farm.varying import variations
from artfish.core.farm.wishes import wishes_of
from artfish.tests.core.farm.scenes import POND

pytestmark = pytest.mark.film
WISHES = [{"event": "fed", "time": [0.8, 0.9], "fishes": 0}, {"kind": "untouched", "weight": 0.2}]
VARY = {"fishes[0].at[0]": {"range": [1.5, 4.5]}, "plankton.count": {"range": [5, 60]}}


def search(folder, seeds=range(6), vary=None, best=2, scene=None):
    """A search for takes of the pond."""
    pond = Scene.from_dict(scene or {**POND, "duration": 1})
    varies = variations(vary, pond) if vary else ()
    return TakeSearch(pond, wishes_of(WISHES, pond), seeds, varies, folder, best)


class Here(Processes):
    """Runs jobs in this process; counts them."""

    def __init__(self, common):
        """With what jobs have in common."""
        super().__init__(1, common)
        jobs.receive(common)
        self.calls = 0

    def submit(self, fn, /, *args, **kwargs):
        """Calls it at once."""
        future = Future()
        self.calls += 1
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def made(folder, **how):
    """Takes that were made in this process."""
    some = search(folder, **how)
    return some, some.make(Here(some.common))


def test_the_same_bytes_from_one_worker_and_from_three_of_which_one_is_killed(tmp_path, contents):
    found = []
    for workers in (1, 3):
        some = search(tmp_path / str(workers))
        executor = Processes(workers, some.common)
        killer = threading.Thread(target=kill_one, args=(executor, some.results))
        killer.start()
        takes = some.make(executor)
        executor.shutdown()
        killer.join()
        assert not takes.failed and len(takes.rows) == 6
        found.append((contents(some.folder), contents(some.results)))
    assert found[0] == found[1]
    assert {TABLE, CONTACT_SHEET, KEPT} < set(found[0][0]) and len(found[0][1]) == 8


def kill_one(executor, folder):
    """Kills one of the processes as soon as a result is there."""
    while not list(folder.glob("*.json")):
        time.sleep(0.01)
    os.kill(executor.pids()[0], 9)


def test_the_best_are_kept_as_anybody_simulates_them(tmp_path):
    some, takes = made(tmp_path)
    scores = [row.score for row in takes.rows]
    assert [row.score for row in takes.kept] == sorted(scores, reverse=True)[:2]
    best = takes.kept[0]
    kept = Recording.load(tmp_path / f"take_{best.number:04d}_seed_{best.seed}.npz")
    again = World(some.scene, seed=best.seed).simulate()
    assert np.array_equal(kept.nodes, again.nodes) and kept.events == again.events and kept.frames == 24
    table = list(csv.DictReader(io.StringIO((tmp_path / TABLE).read_text())))
    assert [float(row["score"]) for row in table] == scores and [int(row["seed"]) for row in table] == list(range(6))
    assert {row["kept"] for row in table} == {"", "1", "2"}
    listed = json.loads((tmp_path / KEPT).read_text())["rows"]
    assert [row["seed"] for row in listed] == [row.seed for row in takes.kept]


def test_what_was_made_is_not_made_again(tmp_path, contents):
    some, _ = made(tmp_path, seeds=range(4))
    before = contents(tmp_path)
    executor = Here(some.common)
    some.make(executor)
    assert executor.calls == 0 and contents(tmp_path) == before
    more = search(tmp_path, seeds=range(5))
    executor = Here(more.common)
    more.make(executor)
    assert 1 <= executor.calls <= 3  # the one more, and those that are better now


def test_what_is_done_is_enough_where_that_is_said(tmp_path):
    some, told = search(tmp_path, seeds=range(9)), []

    def enough(state):
        told.append((state.done, state.total))
        if state.done >= 3:
            raise EnoughError

    takes = some.score(Here(some.common), enough)
    assert takes.ended and 3 <= len(takes.rows) < 9 and not takes.failed and not takes.kept
    assert told[-1] == (len(takes.rows), 9) and [row.number for row in takes.rows] == list(range(len(takes.rows)))
    whole = some.score(Here(some.common))
    assert not whole.ended and whole.rows[: len(takes.rows)] == takes.rows
    assert [row.score for row in whole.best(3)] == sorted((row.score for row in whole.rows), reverse=True)[:3]


def test_a_search_that_is_ended_has_the_generations_before(tmp_path):
    some = search(tmp_path, seeds=range(2 * TAKES_A_GENERATION), vary=VARY)

    def enough(state):
        if state.done > TAKES_A_GENERATION:
            raise EnoughError

    takes = some.score(Here(some.common), enough)
    assert takes.ended and TAKES_A_GENERATION < len(takes.rows) < 2 * TAKES_A_GENERATION


def test_a_take_comes_with_the_small_sheet_of_what_happened(tmp_path):
    some = search(tmp_path, seeds=range(1))
    assert some.score(Here(some.common)).rows[0].sketch == b""
    some.sketched = True
    (row,) = some.score(Here(some.common)).rows
    looked = World(some.scene, seed=0).simulate(24)
    assert row.sketch == small_sheet(SheetRow("", looked, row.moment))


def test_takes_one_by_one_are_those_of_a_run(tmp_path, contents):
    one, whole = search(tmp_path / "one", seeds=range(3)), search(tmp_path / "whole", seeds=range(3))
    for number in range(3):
        assert one.task(number, Here(one.common)) == []
    assert len(contents(one.results)) == 3
    executor = Here(one.common)
    one.make(executor)
    whole.make(Here(whole.common))
    assert executor.calls == 2 and contents(one.folder) == contents(whole.folder)  # the two that are kept
    with pytest.raises(SceneError, match="--task: found 3, allowed 0 to 2"):
        one.task(3, Here(one.common))


def test_numbers_are_searched_and_found_ones_stand_in_a_scene_file(tmp_path):
    seeds = range(100, 100 + 2 * TAKES_A_GENERATION + 4)
    some, takes = made(tmp_path, seeds=seeds, vary=VARY, best=1)
    assert len(takes.rows) == len(seeds) and not takes.failed
    values = np.array([row.values["fishes[0].at[0]"] for row in takes.rows])
    assert (values >= 1.5).all() and (values <= 4.5).all() and len(set(values.tolist())) > 30
    best = takes.kept[0]
    scene = Scene.load(tmp_path / f"{some.name(best)}.json")
    assert scene.fishes[0].at[0] == best.values["fishes[0].at[0]"] != POND["fishes"][0]["at"][0]
    assert scene.plankton.count == best.values["plankton.count"]
    again = World(scene, seed=best.seed).simulate()
    assert np.array_equal(some.recording(best).nodes, again.nodes)
    with pytest.raises(SceneError, match="--task: found with ranges that are searched"):
        some.task(0, Here(some.common))


def test_choices_alone_are_drawn_for_each_take(tmp_path):
    vary = {"fishes[0].count": {"choices": [1, 2]}}
    some, takes = made(tmp_path, seeds=range(8), vary=vary, best=1)
    drawn = [row.values["fishes[0].count"] for row in takes.rows]
    assert set(drawn) == {1, 2}
    other = search(tmp_path, seeds=range(8), vary=vary)
    executor = Here(other.common)
    assert run([other.job(5, takes.rows[5].values)], executor, other.results) == [] and executor.calls == 0


def test_takes_that_are_no_scene_are_listed_and_the_rest_goes_on(tmp_path):
    vary = {"fishes[1].at": {"choices": [[4, 2, 1.5], [1, 1, 1]]}}
    pond = {**POND, "duration": 1, "obstacles": [{"kind": "cylinder", "at": [1, 1, 0], "radius": 0.3, "height": 2}]}
    _, takes = made(tmp_path, seeds=range(6), vary=vary, best=9, scene=pond)
    assert 0 < len(takes.failed) < 6 and len(takes.rows) + len(takes.failed) == 6
    assert all("a place clear of every obstacle" in one.line() for one in takes.failed)
    assert len(takes.kept) == len(takes.rows)


def test_species_and_meshes_go_with_a_scene(tmp_path):
    mesh = {"kind": "mesh", "at": [0, 0, 0], "vertices": [[3, 3, 0], [4, 3, 0], [3, 4, 0], [3, 3, 1]]}
    mesh["faces"] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    sardine = json.loads((preset_folder("species") / "sardine.json").read_text())
    (tmp_path / "mine.json").write_text(json.dumps({**sardine, "name": "mine"}))
    (tmp_path / "pond.json").write_text(
        json.dumps({**POND, "duration": 0.3, "obstacles": [mesh], "fishes": [{"species": "mine", "at": [1, 1, 1]}]})
    )
    scene = Scene.load(tmp_path / "pond.json")
    wishes = wishes_of([{"kind": "untouched"}], scene)
    some = TakeSearch(scene, wishes, range(2), variations({"fishes[0].size": {"range": [0.5, 1]}}, scene), tmp_path, 1)
    takes = some.make(Here(some.common))
    assert not takes.failed and takes.kept
    again = World(scene_with(scene, takes.kept[0].values), takes.kept[0].seed, species=scene.models).simulate()
    assert np.array_equal(some.recording(takes.kept[0]).nodes, again.nodes)


def test_the_command_keeps_takes_and_says_which(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pond.json").write_text(json.dumps({**POND, "duration": 0.5}))
    (tmp_path / "wish.json").write_text(json.dumps([{"event": "fed"}]))
    words = [
        "takes",
        "pond.json",
        "--seeds",
        "3-5",
        "--wish",
        "wish.json",
        "-o",
        "out",
        "--keep",
        "1",
        "--workers",
        "1",
    ]
    assert main(words) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("1: seed ") and line.endswith(".npz")
    assert (tmp_path / "out" / line.split(", ")[-1]).is_file()
    assert len(list((tmp_path / "out" / RESULTS).iterdir())) == 4
    assert main([*words, "--task", "3"]) == 2
    assert "--task: found 3, allowed 0 to 2" in capsys.readouterr().err
    (tmp_path / "vary.json").write_text(json.dumps({"fishes[1].at": {"choices": [[9, 9, 9]]}}))
    assert main([*words, "--vary", "vary.json"]) == FAILED
    assert "take 0 (seed 3): " in capsys.readouterr().err
