"""Checks, as `expect.text_is(...)`: each name is a function that returns a checked call."""

from __future__ import annotations

from collections.abc import Callable

from proctor.tasks.call import Call
from proctor.tasks.shelves import maker, names


def __getattr__(name: str) -> Callable[..., Call]:
    return maker("check", name)


def __dir__() -> list[str]:
    return names("check")
