"""The tool that puts faults into the code: its mutants of a file, and its verdicts on tests that see all or none."""

import ast
import importlib
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = '''"""What is small."""


def clamped(value: float = 0.5, least: int = 2) -> float:
    """No less than is asked for: "a < b"."""
    if value < -least:
        raise ValueError(f"{value - 1}")
    return max(value, key=abs) + least
'''
TEST = """from artfish.core.small import half


def test_half():
    assert half(4.0) == 2.0
"""


@pytest.fixture
def tool(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    return importlib.import_module("mutants")


def test_every_kind_of_fault_is_made_and_none_is_a_matter_of_words(tool):
    source = SOURCE.encode()
    found = tool.mutants("small.py", source)
    made = [(source[: each.begin] + each.text.encode() + source[each.end :]).decode() for each in found]
    assert len(set(made)) == len(made) == len([ast.parse(text) for text in made])
    old = [(each.kind, source[each.begin : each.end].decode(), each.text) for each in found]
    assert sorted(old) == [
        ("argument", ", key=abs", ""),
        ("comparison", "<", "<="),
        ("condition", "value < -least", "(not (value < -least))"),
        ("constant", "0.5", "1.0"),
        ("off by one", "2", "3"),
        ("sign", "+", "-"),
        ("sign", "-least", "least"),
    ]


@pytest.mark.long
def test_the_same_seed_makes_the_same_faults(tool):
    once, again, other = (tool.pick("core", seed, 20) for seed in (3, 3, 4))
    assert once == again != other and len(once) == 20
    assert all(each.file == "core/base/vectors.py" for each in tool.pick("core", 1, 5, ["base/vectors.py"]))


@pytest.mark.long
@pytest.mark.parametrize(("wrong", "code"), [("2.0", 0), ("2.0 + 0.0", 1)])
def test_tests_that_see_nothing_are_found_out(wrong, code, tool, tmp_path, monkeypatch, capsys):
    """The second function divides by a sum of which no test sees the sign."""
    checkout = tmp_path / "checkout"
    for name, text in {
        "__init__.py": "",
        "core/__init__.py": "",
        "core/small.py": f"def half(value):\n    return value / ({wrong})\n",
        "tests/core/test_small.py": TEST,
        ".gitignore": ".cache\n",
    }.items():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text(text)
    own = ["git", "-C", str(checkout), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*own, *words], check=True)
    monkeypatch.setattr(tool, "ROOT", checkout)
    monkeypatch.setattr("sys.argv", ["mutants.py", "core", "--count", "9"])
    assert tool.main() == code
    said = capsys.readouterr().out
    assert ("+" in wrong) == ("sign: + -> -: survived" in said), said
    assert "sign: / -> *: found by tests/core/test_small.py" in said
    assert (checkout / "core" / "small.py").read_text().endswith(f"value / ({wrong})\n")
    log = list((checkout / ".cache" / "mutants").glob("core-0-*.jsonl"))
    assert len(log) == 1
    monkeypatch.setattr(tool, "tried", lambda *_: pytest.fail("what is known is not tried again"))
    assert tool.main() == code


def test_tests_of_other_folders_that_import_a_file_are_run_too(tool, tmp_path):
    for name, text in {
        "room/test_small.py": "from artfish.core.room.small import half",
        "elsewhere/test_user.py": "from artfish.core.room import large, small",
        "elsewhere/test_other.py": "from artfish.core.room import smaller",
    }.items():
        path = tmp_path / "tests" / "core" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    own, other, folder = tool.tests_of(tmp_path, "core/room/small.py", "core")
    assert (own, folder) == (("tests/core/room/test_small.py",), ("tests/core/room",))
    assert other == ("tests/core/elsewhere/test_user.py",)
    assert tool.tests_of(tmp_path, "core/room/unseen.py", "core") == [folder]
