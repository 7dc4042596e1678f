"""Small worlds: two months of a life, built once for all tests that only look."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from proctor.worlds.layers import write_world

DAYS = 75
"""Long enough for a journey and its expenses."""


@pytest.fixture(scope="session")
def small_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("worlds") / "nora"
    write_world("nora", 3, folder, days=DAYS)
    return folder


@pytest.fixture
def own_world(small_world: Path, tmp_path: Path) -> Callable[[], Path]:
    """A copy that a test may spoil."""

    def copy() -> Path:
        return Path(shutil.copytree(small_world, tmp_path / "world"))

    return copy
