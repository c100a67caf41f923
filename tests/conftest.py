"""What all tests share: one thread for NumPy's products, and how much of what is large a run does."""

import os

# Tests share the processors among processes; set before anything imports NumPy, in plain pytest too.
for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import pytest  # noqa: E402
from hypothesis import settings  # noqa: E402

# How long an example takes says more about what else the machine is doing than about the project.
settings.register_profile("small", deadline=None, max_examples=50)
settings.register_profile("large", deadline=None, max_examples=2000)
settings.load_profile("small")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--large` runs what `make study` runs too: every species and seed, and many examples."""
    parser.addoption("--large", action="store_true", help="run tests marked large, and properties on many examples")


def pytest_configure(config: pytest.Config) -> None:
    """Properties are tried on as many examples as asked for."""
    if config.getoption("--large"):
        settings.load_profile("large")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves large tests out unless they are asked for."""
    if config.getoption("--large"):
        return
    large = [item for item in items if item.get_closest_marker("large")]
    if large:
        config.hook.pytest_deselected(items=large)
        items[:] = [item for item in items if not item.get_closest_marker("large")]
