"""The tests that a run leaves out: long ones, and all but the first case of sampled ones, unless all are asked for."""

import subprocess
import sys

import pytest

TESTS = """
import pytest

@pytest.mark.sampled
@pytest.mark.parametrize("case", [1, 2, 3])
def test_cases(case): pass

@pytest.mark.sampled
@pytest.mark.parametrize("case", [4, 5])
def test_others(case): pass

@pytest.mark.long
def test_long(): pass

@pytest.mark.large
def test_large(): pass

def test_short(): pass
"""


@pytest.mark.parametrize(
    ("options", "cases"),
    [
        ([], "test_cases[1] test_others[4] test_short"),
        (["--all"], "test_cases[1] test_cases[2] test_cases[3] test_others[4] test_others[5] test_long test_short"),
        (
            ["--large"],
            "test_cases[1] test_cases[2] test_cases[3] test_others[4] test_others[5] test_long test_large test_short",
        ),
    ],
    ids=["make test", "make test-all", "make study"],
)
def test_what_a_run_leaves_out(tmp_path, request, options, cases):
    (tmp_path / "test_of_cases.py").write_text(TESTS)
    conftest = request.config.rootpath / "tests" / "conftest.py"
    (tmp_path / "conftest.py").write_bytes(conftest.read_bytes())
    settings = str(request.config.rootpath / "pyproject.toml")
    command = [sys.executable, "-m", "pytest", "-c", settings, "--rootdir", str(tmp_path), "--collect-only", "-q"]
    done = subprocess.run([*command, *options, str(tmp_path)], capture_output=True, text=True, check=False)
    assert [line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line] == cases.split()
