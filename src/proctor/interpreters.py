"""Starting fresh interpreters that import nothing from the folder they are started in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

_SAFE_PATH = "PYTHONSAFEPATH"


@contextmanager
def own_modules_only() -> Iterator[None]:
    """Let Python processes started meanwhile find modules only where Python and its packages lie.

    `multiprocessing` starts them with `-c`, which puts the current folder before everything else: a file there named
    `pickle.py` or `numpy.py`, such as one in a folder that was downloaded, would be run.
    """
    before = os.environ.get(_SAFE_PATH)
    if not before:
        os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if not before:
            os.environ.pop(_SAFE_PATH, None)
