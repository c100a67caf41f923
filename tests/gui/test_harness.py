"""The harness notices errors that Blender only prints before it goes on."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HEAD = '''
import bpy
from driver import click_operator, open_tab, press, result, wait_redraw

class GUI_OT_wrong(bpy.types.Operator):
    """Does what HOW says"""
    bl_idname = "gui.wrong"
    bl_label = "Wrong"

    def execute(self, context):
        if HOW == "raise":
            raise ValueError("an operator raised")
        if HOW == "report":
            self.report({"ERROR"}, "an operator complained")
        return {"FINISHED"}

class GUI_PT_wrong(bpy.types.Panel):
    bl_label, bl_space_type, bl_region_type, bl_category = "Wrong", "VIEW_3D", "UI", "Wrong"

    def draw(self, context):
        layout = self.layout
        layout.operator("gui.wrong")
        if HOW == "draw":
            raise ValueError("a panel raised")
        if HOW == "property":
            layout.prop(context.scene, "no_such_property")
        if HOW == "operator":
            layout.operator("no.such_operator")
        if HOW == "menu":
            layout.menu("NO_MT_such_menu")
        if HOW == "list":
            layout.template_list("NO_UL_such_list", "", bpy.data, "objects", context.scene, "frame_current")

def handler(scene):
    if HOW == "handler":
        raise ValueError("a handler raised")
'''

ALL = """
HOW = ""

def main():
    global HOW
    bpy.utils.register_class(GUI_OT_wrong)
    bpy.utils.register_class(GUI_PT_wrong)
    bpy.app.handlers.frame_change_post.append(handler)
    yield from open_tab("Wrong")
    for HOW in ("draw", "property", "operator", "menu", "list"):
        yield from wait_redraw()
    for HOW in ("raise", "report"):
        yield from click_operator("gui.wrong")
        yield from press("Escape")
    HOW = "handler"
    bpy.context.scene.frame_set(2)
    yield 0.1
"""


def check(**environment: str) -> subprocess.CompletedProcess[str]:
    """Has tools/gui.py check this machine, in a changed environment."""
    tool = Path(__file__).resolve().parents[2] / "tools" / "gui.py"
    environment = {**os.environ, **environment}
    return subprocess.run([sys.executable, tool, "check"], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("lacking", "named"),
    [
        ({"PATH": "/nowhere"}, "chroot, "),
        ({"ARTFISH_GUI_ROOT": "/nowhere", "http_proxy": "http://127.0.0.1:9", "no_proxy": ""}, "cannot be reached"),
    ],
)
def test_one_line_says_what_a_machine_lacks(lacking, named):
    ran = check(**lacking)
    assert ran.returncode == 3
    assert named in ran.stderr and ran.stderr.count("\n") == 1


@pytest.fixture(scope="module")
def attempt(tmp_path_factory, tool, profile) -> Callable:
    """Runs a driver that is given as text; returns exit code, standard error, and the folder of its output."""

    def run(text: str, seconds: float = 120) -> tuple:
        folder = tmp_path_factory.mktemp("attempt")
        (folder / "attempt.py").write_text(text)
        options = ["--profile", profile, "--out", folder / "out", "--seconds", seconds]
        ran = tool("run", folder / "attempt.py", *options)
        return ran.returncode, ran.stderr, folder / "out"

    return run


@pytest.fixture(scope="module")
def complaint(attempt) -> str:
    """Standard error of one session in which everything goes wrong that can."""
    code, said, _ = attempt(HEAD + ALL)
    assert code == 1
    return said


@pytest.mark.parametrize(
    "line",
    [
        "ValueError: a panel raised",
        "no_such_property",
        "no.such_operator",
        "NO_MT_such_menu",
        "NO_UL_such_list",
        "ValueError: an operator raised",
        "ERROR an operator complained",
        "ValueError: a handler raised",
    ],
)
def test_what_blender_only_prints_fails_the_session(complaint, line):
    assert line in complaint


def test_a_driver_that_fails_leaves_its_results_and_a_picture(attempt):
    steps = "def main():\n    result('seen', 1)\n    yield 0.5\n    assert False, 'as meant'\n"
    code, said, folder = attempt(HEAD + steps)
    assert code == 1 and "AssertionError: as meant" in said
    assert json.loads((folder / "results.json").read_text()) == {"finished": False, "seen": 1}
    assert (folder / "failed.png").stat().st_size > 500


def test_a_driver_that_hangs_is_ended(attempt):
    code, said, _ = attempt("def main():\n    while True:\n        yield 1.0\n", seconds=12)
    assert code == 1 and "not done in 12 s" in said
