"""The benchmarks that only a checkout has: they measure Proctor rather than the machine."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

from proctor.errors import SpecError

BENCHMARKS = (
    "density",
    "events",
    "fleet",
    "fork",
    "graphs",
    "interop",
    "judging",
    "observe",
    "offline",
    "runner",
    "settle",
    "studio",
)
"""Their names, which are those of their files in `benchmarks/`."""
_ROOT = Path(__file__).resolve().parents[3]


def is_checkout() -> bool:
    """Tell whether this package lies in a checkout, as with `pip install --editable`."""
    return (_ROOT / "pyproject.toml").is_file() and (_ROOT / "benchmarks").is_dir()


def load(name: str) -> ModuleType:
    """Return a benchmark of the checkout; where there is none, SpecError says where it lies."""
    if not is_checkout():
        raise SpecError(
            f"the benchmark {name!r} measures Proctor itself, and is not installed with it",
            remedy=f"it is benchmarks/{name}.py of a checkout; install that with `pip install --editable .`",
        )
    if str(_ROOT) not in sys.path:
        sys.path.insert(0, str(_ROOT))
    return importlib.import_module(f"benchmarks.{name}")
