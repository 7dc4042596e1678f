"""Loads into the reader what will be needed in the cage, where nothing can be loaded any more."""

from __future__ import annotations

import codecs
import encodings
import functools
import gc
import importlib
import pkgutil
from contextlib import suppress
from typing import Any

from proctor.tasks.reader.wire import FORMATS, LIBRARIES


def load_encodings() -> None:
    """Load every encoding there is: letters and XML name the one they are written in."""
    for found in pkgutil.iter_modules(encodings.__path__):
        with suppress(ImportError):  # some are there on other systems only
            importlib.import_module(f"encodings.{found.name}")
    codecs.lookup("idna")


@functools.cache
def load(name: str) -> Any:
    """Return a module of formats, or of a library that they use; raises ImportError for any other."""
    if not name.startswith((FORMATS, *(f"{library}." for library in ("PIL", "numpy", *LIBRARIES.values())))):
        raise ImportError(f"{name} is nothing to read with")
    module = importlib.import_module(name)
    # Nothing can be imported in the cage, so whatever may be needed there is loaded before.
    if name.startswith(FORMATS):
        getattr(module, "preload", lambda: None)()
    # What is loaded is for good: children need not copy it to count references.
    gc.freeze()
    return module
