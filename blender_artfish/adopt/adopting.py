"""Turn a model as read into a species and its .blend, by `core.adopt`."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from ...core.adopt.faults import Fault, faults
from ...core.adopt.model import Model
from ...core.adopt.nature import species as measured
from ...core.adopt.pose import ModelPose, guess, standing
from ...core.base.codec import Place, SceneError, Wording
from ...core.base.files import ensure_other, ensure_writable
from ...core.scene.species import Species
from ..blender.words import Message, translated
from ..fish.adopted import model_of
from .reading import Brought, opened
from .storing import store


class UnfitModelError(SceneError):
    """A model that cannot be adopted as it is; its line says what is wrong and what to do."""

    @classmethod
    def of(cls, fault: Fault) -> UnfitModelError:
        """The error for a fault."""
        found, _, remedy = fault.text.partition(": ")
        return cls(found, remedy)

    def line(self, wording: Wording) -> str:
        """The error in one line."""
        return ": ".join(filter(None, (self.file, str(self.found), str(self.allowed))))

    def within(self, place: Place) -> UnfitModelError:
        """The same error, naming the file of the model."""
        return UnfitModelError(self.found, self.allowed, self.key, place.file)


@dataclass(frozen=True)
class ModelLook:
    """A model as examined before it is adopted.

    Attributes:
        model: The model.
        pose: Its guessed orientation and size.
        faults: Its faults.
    """

    model: Model
    pose: ModelPose
    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class Adoption:
    """The result of adopting a model.

    Attributes:
        species: Its species, as the file holds it.
        pose: The orientation and size used.
        notes: Remarks about it, a line each.
    """

    species: Species
    pose: ModelPose
    notes: tuple[str, ...]


def look(source: AbstractContextManager[Brought]) -> ModelLook:
    """Examine a model before adopting it.

    Raises:
        SceneError: It cannot be read, or has no faces.
    """
    with source as brought:
        model = model_of(brought.body, brought.bones)
    return ModelLook(model, guess(model), faults(model))


def adopt(
    source: AbstractContextManager[Brought],
    path: str | os.PathLike[str],
    *,
    ahead: str = "",
    up: str = "",
    length: float | None = None,
    progress: Callable[[float, str], None] | None = None,
) -> Adoption:
    """Make a model a species: FISH.json, and beside it FISH.blend.

    Args:
        source: The model, as `reading` opens it.
        path: Path of the JSON file; its stem is the species' name.
        ahead: Direction of the nose in the model's axes, such as "-Y"; guessed if left out.
        up: Direction of the back; guessed if left out.
        length: Length from nose to tail, metres; the model's own, in a likely unit, if left out.
        progress: Called with the share that is done and a text.

    Raises:
        SceneError: The model cannot be read or be made a fish, or a file cannot be written.
    """
    path = Path(path)
    blend = path.with_suffix(".blend")
    for file, suffix in ((path, ".json"), (blend, ".blend")):
        ensure_writable(file, suffix)

    def say(share: float, text: Message) -> None:
        if progress is not None:
            progress(share, translated(text))

    say(0.0, "Reading the model")
    with source as brought:
        model = model_of(brought.body, brought.bones)
        wrong = faults(model)
        for fault in wrong:
            if fault.fatal:
                raise UnfitModelError.of(fault)
        say(0.3, "Measuring it")
        pose = pose_of(model, ahead, up)
        notes = [*brought.notes, *(fault.text for fault in wrong)]
        species = measured(model, path.stem, pose, length, notes)
        say(0.7, "Writing it")
        stands = standing(model, pose)
        missing = store(blend, brought, stands.vertices, stands.bones)
    species.save(path)
    notes += [
        translated("its picture {name} is nowhere to be found, so it comes without it", name=name) for name in missing
    ]
    return Adoption(species, pose, tuple(dict.fromkeys(notes)))


def pose_of(model: Model, ahead: str = "", up: str = "") -> ModelPose:
    """The pose of a model in its axes: as stated, or else guessed."""
    found = guess(model)
    if not ahead and not up:
        return found
    return found.facing(model, ahead or found.ahead, up or None)


def adopt_file(
    source: str | os.PathLike[str],
    path: str | os.PathLike[str],
    axis: str = "",
    length: float | None = None,
    progress: Callable[[float, str], None] | None = None,
) -> Adoption:
    """Adopt the model in a file; errors name the file."""
    ensure_other(Path(path).with_suffix(".blend"), source)
    try:
        return adopt(opened(source), path, ahead=axis, length=length, progress=progress)
    except SceneError as error:
        raise error if error.file else error.within(Place(os.fspath(source))) from None
