"""The fish of DeepMind's control suite, stepped by MuJoCo: a rigid-body fish raced by ours.

dm_control's suite/fish.xml at its own time step, its five actuators driven by sines, stepped by mujoco.rollout on one
thread. mujoco 4.0.0 and dm_control 1.0.50 work together, and beside NumPy 1.26 and bpy 4.5 (the extra "bench").
"""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path

import numpy as np

from .table import Row, Unavailable, explains
from .timing import race

STEPS = 5000  # long enough to hide the cost of starting a rollout
TAIL_BEAT = 2.0  # Hz


class MujocoFish:
    """One fish of the suite, ready to be rolled out.

    Raises:
        Unavailable: mujoco or dm_control is not installed.
    """

    def __init__(self) -> None:
        try:
            mujoco, rollout = (importlib.import_module(name) for name in ("mujoco", "mujoco.rollout"))
        except ImportError:
            raise Unavailable("mujoco is not installed (extra: bench)") from None
        suite = importlib.util.find_spec("dm_control")
        if suite is None or suite.origin is None:
            raise Unavailable("dm_control is not installed (extra: bench)")
        self.version = mujoco.__version__
        self._model = mujoco.MjModel.from_xml_path(str(Path(suite.origin).parent / "suite" / "fish.xml"))
        self._data = mujoco.MjData(self._model)
        self._rollout = rollout.Rollout(nthread=0)
        whole = mujoco.mjtState.mjSTATE_FULLPHYSICS
        self._start = np.empty((1, mujoco.mj_stateSize(self._model, whole)))
        mujoco.mj_getState(self._model, self._data, self._start[0], whole)
        times = np.arange(STEPS) * self._model.opt.timestep
        sines = np.sin(2.0 * np.pi * TAIL_BEAT * times)
        self._controls = np.repeat(sines[None, :, None], self._model.nu, axis=2)

    @property
    def seconds(self) -> float:
        """Fish-seconds that one `swim` simulates."""
        return STEPS * self._model.opt.timestep

    def swim(self) -> np.ndarray:
        """Roll the fish out from rest; its states, (1, STEPS, state)."""
        states, _ = self._rollout.rollout(self._model, self._data, self._start, self._controls)
        return states


@explains("mujoco's fish")
def rows(quick: bool = False) -> list[Row]:
    """Simulated fish-seconds a second of the suite's fish, alone."""
    fish = MujocoFish()
    seconds = race({"mujoco": fish.swim}, rounds=2 if quick else 20)["mujoco"]
    note = f"dm_control fish.xml, mujoco {fish.version} rollout, its own step, one thread; best of {len(seconds)}"
    return [Row("mujoco's fish", fish.seconds / seconds.min(), "fish-s/s", note=note)]
