"""The simulation: fishes with muscles, water, minds, and recordings of what they did. It does not know Blender."""

from .base.codec import SceneError
from .motor.commands import Commands
from .motor.helm import Helm
from .recording import Recording
from .scene.scene import Scene
from .scene.species import Species
from .studio.replay import resimulate
from .world.world import World

__all__ = ["Commands", "Helm", "Recording", "Scene", "SceneError", "Species", "World", "resimulate"]
