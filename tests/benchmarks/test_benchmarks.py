"""The benchmark table: it prints even where much is missing, and its yardstick computes right."""

import shutil
import time

import numpy as np
import pytest

from artfish.benchmarks import bodies, gait, levels, scalar, stability, table, worlds
from artfish.benchmarks.table import Row, Unavailable
from artfish.core.body.anatomy import BOOK_STEP, MUSCLES
from artfish.core.body.dynamics import BodyModel
from artfish.core.body.forces import Finless
from artfish.core.body.integrators import ExplicitEuler, Reference
from artfish.core.body.production import Production
from artfish.core.scene.physique import Body
from artfish.core.scene.species import Species

compiled = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")


@pytest.mark.long
def test_the_table_prints_a_figure_for_every_cheap_module(capsys):
    assert table.main(["--quick", "--only", "scalar", "mujoco_fish", "stability"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["what", "value", "unit", "target", "note"]
    names = [line.split("  ")[0] for line in lines[1:]]
    assert names[:2] == ["scalar loop", "mujoco's fish"]
    assert names[-1] == "production over explicit"
    assert not any("failed" in line for line in lines)


def test_the_school_that_races_is_under_way():
    """A fish that starts bursts, and a burst takes four times the steps that the benchmark counts."""
    drive, fastest = bodies.SwimmingBodies(4).drive, Species.load(bodies.SPECIES).rhythm.tail_beat
    assert (drive.frequency < fastest).all() and (drive.amplitude > 0.0).all()


@pytest.mark.parametrize("missing", [Unavailable("no C compiler here"), ModuleNotFoundError("No module named 'bpy'")])
def test_what_cannot_run_says_why_in_one_row(missing):
    @table.explains("some loop")
    def rows(quick: bool = False) -> list[Row]:
        raise missing

    assert rows() == [Row("some loop", None, note=f"not run: {missing}")]


def test_a_machine_without_a_compiler_gets_one_row(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    scalar.compiled.cache_clear()
    (row,) = scalar.rows(quick=True)
    assert row.value is None
    assert "no C compiler" in row.note


def test_a_module_that_fails_costs_the_table_one_row():
    (row,) = table.measure("no_such_benchmark")
    assert row.value is None
    assert row.note.startswith("failed: ModuleNotFoundError")


@pytest.mark.parametrize(
    ("value", "target", "met"),
    [
        (2.0, "<= 2", True),
        (2.1, "<= 2", False),
        (5.0, ">= 5", True),
        (4.9, ">= 5", False),
        (0.3, "0.2 to 0.4", True),
        (0.5, "0.2 to 0.4", False),
        (None, ">= 5", None),
        (1.0, "", None),
    ],
)
def test_a_row_knows_whether_its_target_is_met(value, target, met):
    assert Row("a", value, target=target).met() is met


def test_columns_are_aligned():
    lines = table.printed([Row("a", 1.25, "us", "<= 2", "b"), Row("longer", None, note="c")]).splitlines()
    assert lines[1].index("met") == lines[0].index("target") + len("target  ")
    assert len({line.rstrip()[-1] for line in lines[1:]} & {"b", "c"}) == 2
    assert lines[1].index("b", 10) == lines[2].index("c")


@compiled
def test_the_scalar_loop_computes_what_the_reference_computes():
    body = Body()
    loop = scalar.ScalarFishes(body, 7)
    loop.velocities[:] = np.random.default_rng(5).normal(0.0, 0.2, loop.velocities.shape)
    x, v = (array.transpose(1, 2, 0).copy() for array in (loop.nodes, loop.velocities))
    reference = Reference(BodyModel(body), 7, BOOK_STEP, Finless())
    still = np.zeros((3, 7))
    for turn in range(40):
        loop.wriggle(turn)
        loop.step(BOOK_STEP)
        reference.step(x, v, loop.rest_lengths[:, MUSCLES].T, still)
    assert np.ptp(loop.nodes - loop.rest_nodes) > 0.1 * body.book_length
    assert loop.nodes == pytest.approx(x.transpose(2, 0, 1), abs=1e-9)
    assert loop.velocities == pytest.approx(v.transpose(2, 0, 1), abs=1e-9)


def test_the_worst_of_all_species_stands_for_them():
    row = gait.worst("stride", "lengths/beat", ">= 0.5", {"slow": 0.4, "slower": 0.2, "fast": 0.7})
    assert row.value == 0.2
    assert not row.met()
    assert "slower" in row.note
    assert gait.worst("Strouhal number", "", "0.2 to 0.4", {"a": 0.3, "b": 0.39, "c": 0.25}).value == 0.39


def test_explicit_euler_breaks_where_the_production_scheme_holds():
    model = BodyModel(Body())
    with np.errstate(all="ignore"):
        assert stability.stable(ExplicitEuler, model, 0.002, beats=0.5)
        assert not stability.stable(ExplicitEuler, model, BOOK_STEP, beats=0.5)
        assert stability.stable(Production, model, BOOK_STEP, beats=0.5)


def test_the_stages_of_a_world_are_all_of_its_time():
    world = worlds.begun(10, 15, 5)
    stages = worlds.Stages(world)
    stages.stop()
    begin = time.process_time()
    world.simulate(24)
    spent = stages.stop()
    assert sum(spent.values()) == pytest.approx(time.process_time() - begin, rel=0.05)
    assert min(spent[stage] for stage in ("sense", "intend and act", "drive", "move", "hold off")) > 0.0
    assert list(spent.values()) == sorted(spent.values(), reverse=True)


def test_the_growth_of_a_fish_s_cost_is_a_row_with_its_stages():
    few, many, ratio = worlds.growth(1, (10, 15, 5), (60, 50, 8))
    assert ratio.value == pytest.approx(many.value / few.value)
    assert all(stage in few.note for stage in worlds.STAGES)


def test_the_cost_of_a_fish_in_a_school_is_a_row_whatever_the_school():
    few, many, ratio = worlds.schools(1, 8, 16)
    assert (few.name, many.name) == ("a fish among 8 in a school", "a fish among 16 in a school")
    assert ratio.value == pytest.approx(many.value / few.value)


def test_the_memory_of_a_world_is_that_of_a_process_of_its_own():
    ballast = np.ones(40_000_000)  # of whoever asks
    row = worlds.memory((10, 15, 5))
    assert row.value is not None and 20.0 < row.value < ballast.nbytes / 1e6


def test_the_papers_world_has_sixty_fishes_of_seven_species_and_a_school():
    scene = levels.papers()
    assert scene.count == 60 and len({group.species for group in scene.fishes}) == 7
    assert max(group.count for group in scene.fishes) == 51 and scene.detail.dynamic == 0


@pytest.mark.long
@pytest.mark.film
def test_worlds_with_levels_are_rows():
    found = levels.rows(quick=True)
    assert [row.unit for row in found] == ["frames/s", "frames/s", "frames/s", "MB"]
    assert all(row.value is not None and row.value > 0.0 for row in found)
