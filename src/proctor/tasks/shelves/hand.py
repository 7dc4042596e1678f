"""Moves of answer keys, as `hand.click(...)`: each name is a function that returns a call."""

from __future__ import annotations

from collections.abc import Callable

from proctor.tasks.call import Call
from proctor.tasks.shelves import maker, names


def __getattr__(name: str) -> Callable[..., Call]:
    return maker("move", name)


def __dir__() -> list[str]:
    return names("move")
