"""The plan of an evolution: its file, and the genes that its task lets vary."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..base.codec import Place, SceneError, decode, shown
from ..base.declaration import choice, integer, number, text, words
from ..base.files import read_json
from ..genetics.genes import gene_map
from .life_trials import LIFE_TASKS
from .trials import BODY_TASKS

SHAPE_GENES = ("body.stations", "body.half_heights", "body.half_widths", "body.tail_half_height")
SPRING_GENES = ("body.stiffness", "body.tail_stiffness", "body.viscosity")
BEAT_GENES = tuple(
    f"rhythm.{key}"
    for key in (
        "contraction",
        "tail_beat",
        "slow_beat",
        "slow_amplitude",
        "anterior",
        "posterior",
        "lag",
        "shoulder",
        "shoulder_lead",
        "peduncle",
        "peduncle_lag",
    )
)
BURST_GENES = ("rhythm.burst_beat", "rhythm.burst_width", "rhythm.start")
TURN_GENES = ("steering.front", "steering.middle", "steering.rate", "steering.release", "steering.contraction")
ROAMING_GENES = tuple(
    f"temperament.{key}"
    for key in ("cruise", "variation", "whim", "turn", "sharp", "climb", "roam", "rest", "rest_time", "coast")
)
SEEKING_GENES = ("mind.scent", "mind.r", "mind.persistence", "mind.fatigue")
COMPANY_GENES = tuple(
    f"temperament.{key}"
    for key in ("schooling", "alignment", "accord", "attention", "comfort", "comfort_school", "comfort_flight", "hug")
)
FEAR_GENES = tuple(
    f"mind.{key}"
    for key in ("D0", "f0", "f1", "looming", "rear_view", "composure", "recall", "vigilance", "alpha_h", "r")
)
TASK_GENES = {
    "speed": (*SHAPE_GENES, *SPRING_GENES, *BEAT_GENES),
    "economy": (*SHAPE_GENES, *SPRING_GENES, *BEAT_GENES),
    "turning": (*SHAPE_GENES, *SPRING_GENES, *BEAT_GENES, *TURN_GENES),
    "escape": (*SHAPE_GENES, *SPRING_GENES, *BURST_GENES, "rhythm.tail_beat"),
    "smell": (*SEEKING_GENES, *ROAMING_GENES, *TURN_GENES, "rhythm.tail_beat"),
    "survival": (*FEAR_GENES, *COMPANY_GENES, *ROAMING_GENES, *TURN_GENES, *BURST_GENES, "rhythm.tail_beat"),
}
"""Genes that a task lets vary where a plan names none."""
CHASED_GENES = (*TASK_GENES["escape"], *TURN_GENES, *FEAR_GENES)
"""The same of an escape from a given predator."""


@dataclass(frozen=True)
class EvolutionPlan:
    """An evolution's plan, as its file holds it."""

    species: str = text("sardine", "Species that it begins with: the name of a preset, or a file beside the plan")
    task: str = choice("speed", (*BODY_TASKS, *LIFE_TASKS), "What those that breed do better than others")
    at: float = number(0.0, 0.0, 20.0, "lengths/s", "Speed for economy; 0 is three quarters of the species' own full")
    predator: str = text("", "Who hunts, for escape and for survival: the name of a preset, or a file beside the plan")
    behind: float = number(2.0, 0.0, 50.0, "lengths", "Of that predator, which it begins behind a fish that escapes it")
    scene: str = text("", "World for survival: name of a preset, or a file beside the plan; a small one if left out")
    seconds: float = number(0.0, 0.0, 3600.0, "s", "Longest life that is tried; 0 is as long as its task or scene says")
    lives: int = integer(3, 1, 1000, "", "Lives that each fish of a generation is tried in, where it has a mind")
    population: int = integer(48, 4, 100_000, "fishes", "Fishes in a generation")
    seed: int = integer(0, 0, 2**31 - 1, "", "The same seed gives the same fishes")
    mutation: float = number(2.0, 0.0, 20.0, "", "Factor on the share of genes that mutate")
    genes: tuple[str, ...] = words((), "Genes that vary, such as rhythm.tail_beat; those of the task if left out")
    name: str = text("", "Name of the species that is written; that of the species and its task if left out")

    def __post_init__(self) -> None:
        """Refuses genes that there are not, and what its task has no use for."""
        known = {gene.key for gene in gene_map().genes}
        for row, key in enumerate(self.genes):
            if key not in known:
                raise SceneError(shown(key), "a number that a species declares, such as rhythm.lag", f"genes[{row}]")
        if self.predator and self.task not in ("escape", "survival"):
            raise SceneError(f"a predator for {self.task}", "one for escape or survival", "predator")
        if self.scene and self.task != "survival":
            raise SceneError(f"a scene for {self.task}", "one for survival", "scene")
        if self.scene and self.predator:
            raise SceneError("a predator beside a scene, which has its own", "one of both", "predator")

    @classmethod
    def load(cls, path: str | Path) -> EvolutionPlan:
        """Reads a plan's file.

        Raises:
            SceneError: It cannot be read, or anything in it is not as declared.
        """
        return decode(cls, read_json(path), Place(str(path)))

    @property
    def lived(self) -> bool:
        """True if its fishes have minds and live in worlds; else bodies swim."""
        return self.task in LIFE_TASKS or bool(self.predator)

    @property
    def varied(self) -> tuple[str, ...]:
        """Keys of the genes that vary."""
        return self.genes or (CHASED_GENES if self.task == "escape" and self.predator else TASK_GENES[self.task])
