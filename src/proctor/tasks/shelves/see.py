"""Probes, as `see.text(...)`: each name of the shelf is a function that returns a checked call."""

from __future__ import annotations

from collections.abc import Callable

from proctor.tasks.call import Call
from proctor.tasks.shelves import maker, names


def __getattr__(name: str) -> Callable[..., Call]:
    return maker("probe", name)


def __dir__() -> list[str]:
    return names("probe")
