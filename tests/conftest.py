"""What all tests share."""

from hypothesis import settings

# How long an example takes says more about what else the machine is doing than about the project.
settings.register_profile("artfish", deadline=None)
settings.load_profile("artfish")
