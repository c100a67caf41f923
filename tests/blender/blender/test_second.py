"""A process beside Blender has this package by its path, by whatever name it goes there."""

import subprocess
from types import SimpleNamespace

import pytest

from artfish.blender_artfish.blender import second
from artfish.core.farm.jobs import build

CODE = """
jobs = importlib.import_module(spec.name + ".core.farm.jobs")
import pickle
print(jobs.PACKAGE, jobs.build(), pickle.loads(pickle.dumps(jobs.build)) is jobs.build)
"""


@pytest.mark.film
@pytest.mark.parametrize("package", ["artfish", "bl_ext.user_default.artfish"])
def test_the_package_is_the_same_by_any_name(package):
    done = subprocess.run(second.command(package, CODE), capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[-2] == f"{package} {build()} True"


def test_blender_runs_it_where_there_is_one(monkeypatch):
    blender = SimpleNamespace(app=SimpleNamespace(binary_path="/opt/blender/blender"))
    monkeypatch.setattr(second, "bpy", blender)  # the module's own path stays as it is, once it is set
    program, *options, last = second.command("artfish", "work()\n")
    assert program == "/opt/blender/blender" and {"--background", "--factory-startup"} < set(options)
    assert options[-1] == "--python-expr" and last.endswith("work()\n")
    compile(last, "expression", "exec")
