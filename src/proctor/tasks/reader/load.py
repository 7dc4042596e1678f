"""Loads into the reader what will be needed in the cage, where nothing can be loaded any more."""

from __future__ import annotations

import codecs
import encodings
import functools
import gc
import importlib
import pkgutil
import sys
from contextlib import suppress
from types import ModuleType

from proctor.tasks.reader.wire import LIBRARIES, reads

MOST_MISSING = 50
MOST_NAME = 100
_PARTS_OF = frozenset({"PIL", "numpy", *LIBRARIES.values(), *sys.stdlib_module_names})
_NOT_TO_READ_WITH = frozenset({"antigravity", "idlelib", "this", "turtle", "turtledemo", "__main__"})
"""Modules that do something when they are loaded."""
_tried: set[str] = set()


def load_encodings() -> None:
    """Load every encoding there is: letters and XML name the one they are written in."""
    for found in pkgutil.iter_modules(encodings.__path__):
        with suppress(ImportError):  # some are there on other systems only
            importlib.import_module(f"encodings.{found.name}")
    codecs.lookup("idna")


@functools.cache
def load(name: str) -> ModuleType:
    """Return a module that reads with all that it will need; raises ImportError for anything else."""
    if not reads(name):
        raise ImportError(f"{name} is not a reader")
    module = importlib.import_module(name)
    getattr(module, "preload", lambda: None)()
    # What is loaded is for good: children need not copy it to count references.
    gc.freeze()
    return module


def load_late(name: str) -> None:
    """Load a part of a library that turned out to be needed, where there is such a part.

    It is tried once.
    """
    _tried.add(name)
    top = name.partition(".")[0]
    if top in _PARTS_OF and top not in _NOT_TO_READ_WITH:
        with suppress(Exception):  # a name that no part has, or one that is not a part for this machine
            importlib.import_module(name)


def watch_for_missing() -> set[str]:
    """Return a set that gets the names of modules looked for from now on and never tried before."""
    missing: set[str] = set()
    sys.meta_path.append(_Watcher(missing))
    return missing


class _Watcher:
    """Comes last of those who look for a module, so it is asked for those that nobody has found."""

    def __init__(self, missing: set[str]) -> None:
        self._missing = missing

    def find_spec(self, name: str, *_: object) -> None:
        if name not in _tried and len(self._missing) < MOST_MISSING and len(name) < MOST_NAME:
            self._missing.add(name)
