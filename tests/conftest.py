"""Settings of all tests: one thread for NumPy's products, and the options that run long and large tests."""

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
    """`--all` runs what `make test-all` runs too; `--large` moreover what `make study` runs."""
    parser.addoption("--all", action="store_true", help="run tests marked long, and all cases of those marked sampled")
    parser.addoption("--large", action="store_true", help="run tests marked large, and properties on many examples")


def pytest_configure(config: pytest.Config) -> None:
    """Tries properties on many examples with `--large`."""
    if config.getoption("--large"):
        settings.load_profile("large")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out large and long tests, and all but the first case of sampled ones, unless options select them."""
    large = config.getoption("--large")
    everything = large or config.getoption("--all")
    seen, kept, left = set(), [], []
    for item in items:
        runs = large or not item.get_closest_marker("large")
        if runs and not everything:
            runs = not item.get_closest_marker("long")
            if item.get_closest_marker("sampled"):
                which = item.path, getattr(item, "originalname", item.name)
                runs &= which not in seen
                seen.add(which)
        (kept if runs else left).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = kept
