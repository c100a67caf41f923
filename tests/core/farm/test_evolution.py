"""Evolution: the same fishes whoever tries them, ever better, legal, and as bulky as they began."""

import csv
import json

import numpy as np
import pytest

from artfish.cli import main
from artfish.core import SceneError
from artfish.core.farm.evolution import GENERATIONS_TABLE, EvolutionRun, _bulk, species_with
from artfish.core.farm.evolution_plan import TASK_GENES, EvolutionPlan
from artfish.core.farm.processes import Processes
from artfish.core.genetics.genes import gene_map
from artfish.core.scene.species import Species
from artfish.tests.core.farm.test_takes import Here

PLAN = {"species": "sardine", "task": "speed", "population": 12, "seed": 5}


def evolution(folder, **others):
    return EvolutionRun(EvolutionPlan(**{**PLAN, **others}), Species.load("sardine"), folder)


def test_fishes_get_better_by_a_third_and_the_best_is_never_lost(tmp_path):
    run = evolution(tmp_path, population=16)
    found = run.run(Here(run.common), 5)
    assert found.best == sorted(found.best)
    assert found.best[-1] > 1.3 * found.begin
    assert found.tried == 80 and len(found.table()) == 6
    assert Species.from_dict(found.species.to_dict()) == found.species
    assert found.species.length == Species.load("sardine").length


def test_it_goes_on_where_it_was_and_tries_nothing_twice(tmp_path):
    counts = []
    for _ in range(2):
        run = evolution(tmp_path)
        here = Here(run.common)
        best = run.run(here, 2).best
        counts.append((here.calls, best))
    assert counts[0][0] > 0 and counts[1][0] == 0 and counts[0][1] == counts[1][1]


@pytest.mark.film
def test_processes_give_the_same_bits(tmp_path):
    found = []
    for workers in (1, 2):
        run = evolution(tmp_path / str(workers))
        with Processes(workers, run.common) as executor:
            one = run.run(executor, 2)
        found.append((one.best, one.middle, one.species.to_dict()))
    assert found[0] == found[1]


@pytest.mark.parametrize("task", TASK_GENES)
def test_what_a_task_lets_vary_is_all_that_changes(task, tmp_path):
    base = Species.load("tuna" if task == "smell" else "sardine")
    run = EvolutionRun(EvolutionPlan(species=base.name, task=task, mutation=20.0, population=12), base, tmp_path)
    made = run.named(run._founders()[3])
    before, after = (gene_map().numbers(one.to_dict()) for one in (base, made))
    # A body is drawn out to be as bulky as it was, whatever genes of its shape vary.
    drawn = np.array([gene.key in ("body.half_heights", "body.half_widths") for gene in gene_map().genes])
    same = ~run.free & ~np.repeat(drawn, [gene.size for gene in gene_map().genes])
    assert np.array_equal(before[same], after[same]) and not np.array_equal(before, after)


def test_a_body_stays_as_bulky_as_it_was():
    base = Species.load("sardine")
    keys = ("body.half_heights",)
    made = species_with(base, keys, np.array(base.body.half_heights) * 0.8)
    assert _bulk(made.body, {}) == pytest.approx(_bulk(base.body, {}))
    assert made.body.half_widths != base.body.half_widths


def test_the_command_writes_a_species_and_a_table(tmp_path, capsys):
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps({**PLAN, "population": 4, "name": "racer"}))
    assert main(["evolve", str(plan), "-o", str(tmp_path / "out"), "--generations", "1", "--workers", "1"]) == 0
    assert capsys.readouterr().out.startswith("racer.json: ")
    assert Species.load(tmp_path / "out" / "racer.json").name == "racer"
    with open(tmp_path / "out" / GENERATIONS_TABLE, newline="") as file:
        assert [len(row) for row in csv.reader(file)] == [3, 3]


@pytest.mark.film
def test_lives_give_the_same_bytes_from_one_worker_and_from_two(tmp_path):
    found, plan = [], tmp_path / "plan.json"
    chase = {"task": "escape", "predator": "grouper", "population": 4, "lives": 1, "seconds": 1.5, "behind": 1.0}
    plan.write_text(json.dumps({**PLAN, **chase}))
    for workers in ("1", "2"):
        out = tmp_path / workers
        assert main(["evolve", str(plan), "-o", str(out), "--generations", "2", "--workers", workers]) == 0
        found.append({path.name: path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()})
    assert found[0] == found[1]
    assert len([name for name in found[0] if len(name) == 37]) >= 2 * 4 + 4 + 1  # a job a fish


@pytest.mark.film
def test_each_generation_lives_in_other_worlds_and_the_best_is_judged_in_unseen_ones(tmp_path):
    chase = {"task": "escape", "behind": 1.0, "population": 4, "lives": 1, "seconds": 1.0, "predator": "grouper"}
    plan = EvolutionPlan(**{**PLAN, **chase})
    run = EvolutionRun(plan, Species.load("sardine"), tmp_path, Species.load("grouper"))
    here, seeds = Here(run.common), []
    submit = here.submit

    def watched(perform, call, data, *others):
        seeds.append(tuple(data["seeds"]))
        return submit(perform, call, data, *others)

    here.submit = watched
    found = run.run(here, 2)
    assert [len(one) for one in dict.fromkeys(seeds)] == [1, 1, 4, 4]  # two generations, the final, the judgement
    flat = [seed for one in dict.fromkeys(seeds) for seed in one]
    assert len(set(flat)) == len(flat)
    assert found.tried == 4 + 4 + 4 * 4 + 2 * 4 and 0.0 <= found.begin <= 1.0


@pytest.mark.parametrize(
    "wrong, key",
    [
        ({"predator": "grouper"}, "predator"),
        ({"task": "escape", "scene": "reef"}, "scene"),
        ({"task": "survival", "scene": "reef", "predator": "grouper"}, "predator"),
        ({"genes": ["rhythm.swing"]}, "genes[0]"),
        ({"task": "flying"}, "task"),
        ({"population": 2}, "popul"),
    ],
)
def test_a_plan_that_is_none_is_refused_in_a_line(wrong, key, tmp_path):
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps({**PLAN, **wrong}))
    with pytest.raises(SceneError, match=key.replace("[", r"\[").replace("]", r"\]")):
        EvolutionPlan.load(plan)
