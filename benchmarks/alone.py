"""One benchmark module in this process, as `table.measure` starts it: module, path of the answer, perhaps --quick."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from .table import write

if __name__ == "__main__":
    module, answer = sys.argv[1:3]
    write(importlib.import_module(f".{module}", __package__).rows(quick="--quick" in sys.argv), Path(answer))
