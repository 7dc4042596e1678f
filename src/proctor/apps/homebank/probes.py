"""Probes that look at account books."""

from __future__ import annotations

from typing import Any

from proctor.apps.homebank.reading import homebank_book
from proctor.tasks.reader.client import parsed
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES


@PROBES.register
def account_book(scene: Scene, path: str) -> dict[str, Any]:
    """An account book of HomeBank: accounts with their balance, and the transactions as they are saved."""
    return parsed(path, homebank_book, scene.read(path), path)
