"""The simulation: fishes with muscles, water, minds and what they did. Knows nothing of Blender."""

from .codec import SceneError
from .motor.commands import Commands
from .motor.helm import Helm
from .recording import Recording
from .replay import resimulate
from .scene import Scene
from .species import Species
from .world import World

__all__ = ["Commands", "Helm", "Recording", "Scene", "SceneError", "Species", "World", "resimulate"]
