"""The recipes of CONTRIBUTING.md, walked."""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import re
import shutil
import textwrap
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


def blocks(recipe: str) -> dict[str, str]:
    """The blocks of code of a recipe, by the language that each is in."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    section = text[text.index(f"\n## {recipe}") :].partition("\n## ")[2].partition("\n## ")[0]
    found = re.findall(r"```(\w+)\n(.*?)```", section, re.DOTALL)
    return {language: textwrap.dedent(code) for language, code in found}


@pytest.fixture
def tools(monkeypatch):
    """The tool that builds the library, and the one that makes its header."""
    for name in ("kernel", "declared"):
        spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
        monkeypatch.setitem(__import__("sys").modules, name, module := importlib.util.module_from_spec(spec))
        monkeypatch.syspath_prepend(ROOT / "tools")
        spec.loader.exec_module(module)
    modules = __import__("sys").modules
    return modules["kernel"], modules["kernel"].declared


@pytest.mark.film
@pytest.mark.skipif(not shutil.which("cc"), reason="no compiler is here")
def test_a_compiled_function_is_one_declaration_and_one_file(tools, tmp_path, monkeypatch):
    """The core has only the files of the recipe here, and the ground floor's C."""
    kernel, declared = tools
    from artfish.core.compiled import calling
    from artfish.core.compiled.library import use

    code, core = blocks("A compiled function"), tmp_path / "core"
    shutil.copytree(ROOT / "core" / "compiled", core / "compiled", ignore=shutil.ignore_patterns("*.so*", "near.c"))
    for other in ("elementary.c", "sums.c", "matrices.c", "dice.c", "knots.c"):
        (core / "compiled" / other).unlink()
    (core / "habitat").mkdir()
    (core / "habitat" / "shade.py").write_text(code["python"])
    (core / "habitat" / "shade.c").write_text(code["c"])
    for module in (kernel, declared):
        monkeypatch.setattr(module, "CORE", core)
    monkeypatch.setattr(kernel, "STEP", core / "compiled" / "dispatch.c")
    name = kernel.this_machine()
    monkeypatch.setitem(
        kernel.PLATFORMS, name, replace(kernel.PLATFORMS[name], builds=kernel.PLATFORMS[name].builds[:1])
    )
    kernel.build(name, [*kernel.command_of(name, "cc"), *kernel.STRICT, "-O1"], tmp_path)
    library = ctypes.CDLL(str(tmp_path / kernel.library_name(name)))
    library.artfish_declared.restype = ctypes.c_char_p

    monkeypatch.setattr(calling, "functions", dict(calling.functions))
    monkeypatch.setattr(calling, "declared", [])
    monkeypatch.setattr(use, "function", lambda _: None)
    space: dict = {"__name__": "artfish.core.habitat.shade", "__package__": "artfish.core.habitat"}
    exec(code["python"], space)
    declaration, depths = space["SHADE"].declaration, np.linspace(0.0, 50.0, 1001)
    assert library.artfish_declared().decode() == f"shade {declaration.digest}\n"
    function, oracle, light = library.artfish_shade, {}, np.empty(1001)
    function.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64]
    calling.functions["shade"] = function
    exec(code["py"], oracle)
    oracle["shade"](depths=depths, light=light, fade=0.1)
    assert space["shade"](depths, 0.1).tobytes() == light.tobytes()


@pytest.fixture
def sore(monkeypatch):
    """A core whose class `Sprints` has the line that the recipe says, and no other."""
    from artfish.core.motor import center
    from artfish.core.replicas import secondary

    line = textwrap.indent(blocks("A field of the state")["python"], "    ")
    source = (ROOT / "core" / "motor" / "sprint.py").read_text()
    head, init, rest = source.partition("\n    def __init__")
    assert "class Sprints(Stateful)" in head and "soreness" not in source
    module = ModuleType("artfish.core.motor.sprint")
    module.__package__ = "artfish.core.motor"
    exec(head + line + init + rest, vars(module))
    for user in (center, secondary):
        monkeypatch.setattr(user, "Sprints", module.Sprints)


@pytest.mark.film
def test_a_field_of_the_state_is_one_line(sore, tmp_path):
    """It is saved, checked, gone back to, and copied."""
    from artfish.core import Scene, SceneError, World
    from artfish.core.world.persistence import states_of

    fishes = [{"species": "sardine", "count": 4, "at": [5, 4, 2], "spread": 1}]
    camera = {"at": [5, 0.5, 2], "look_at": [5, 4, 2]}
    scene = Scene.from_dict({"fishes": fishes, "camera": camera, "detail": {"dynamic": 2}})
    world, path = World(scene), tmp_path / "world.npz"
    sprints, replicas = world.parts.bodies.motor.sprints, world.parts.bodies.detail.replicas.sprints
    assert sprints.soreness.tolist() == [0.0] * 4

    sprints.soreness[:] = 0.1, 0.2, 0.3, 0.4
    then, moment = states_of(world.parts)["motor"]["soreness"], world.moment()
    world.save(path)
    loaded = World.load(path).parts
    assert loaded.bodies.motor.sprints.soreness.tolist() == then.tolist() == [0.1, 0.2, 0.3, 0.4]

    replicas.copy_rows(sprints, np.array([1, 3]))
    assert replicas.soreness.tolist() == [0.0, 0.2, 0.0, 0.4]

    world.simulate(2)
    sprints.soreness[:] = 0.9
    world.go_back(moment)
    assert world.parts.bodies.motor.sprints.soreness.tolist() == then.tolist()
    assert world.parts.bodies.detail.replicas.sprints.soreness.tolist() == [0.0] * 4

    world.parts.bodies.motor.sprints.soreness[2] = 1.5
    with pytest.raises(SceneError, match=r"motor/soreness\[2\]: found 1.5, allowed a number from 0 to 1"):
        world.save(path)
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    np.savez(path, **arrays | {"replicas sprints/soreness": np.full(4, np.nan)})
    with pytest.raises(SceneError, match=r"replicas sprints/soreness\[0\]: found .*, allowed a number from 0 to 1"):
        World.load(path)


@pytest.mark.film
@pytest.mark.skipif(not shutil.which("cc"), reason="no compiler is here")
def test_the_library_is_built_without_a_warning(tools, tmp_path, monkeypatch):
    """All C files of the core; the step of the bodies, which takes long, for the narrowest registers alone."""
    kernel, _ = tools
    name = kernel.this_machine()
    monkeypatch.setitem(
        kernel.PLATFORMS, name, replace(kernel.PLATFORMS[name], builds=kernel.PLATFORMS[name].builds[:1])
    )
    assert " built by " in kernel.build(name, [*kernel.command_of(name, "cc"), *kernel.STRICT, "-O1"], tmp_path)


def test_each_c_file_stands_beside_the_python_whose_compiled_form_it_is():
    core = ROOT / "core"
    alone = [path for path in core.rglob("*.c") if not path.with_suffix(".py").is_file()]
    strays = {path.parent.relative_to(core).as_posix() for path in alone}
    assert strays <= {"compiled", "body/kernel"}
