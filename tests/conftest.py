"""What all tests share: one thread for NumPy's products, and how many examples a property is tried on."""

import os

# Tests share the processors among processes; set before anything imports NumPy, in plain pytest too.
for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

from hypothesis import settings  # noqa: E402

# How long an example takes says more about what else the machine is doing than about the project.
settings.register_profile("small", deadline=None, max_examples=50)
settings.register_profile("large", deadline=None, max_examples=2000)
settings.load_profile("small")
