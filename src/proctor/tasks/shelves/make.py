"""Setup steps, as `make.text_file(...)`: each name is a function that returns a call."""

from __future__ import annotations

from collections.abc import Callable

from proctor.tasks.call import Call
from proctor.tasks.shelves import maker, names


def __getattr__(name: str) -> Callable[..., Call]:
    return maker("setup", name)


def __dir__() -> list[str]:
    return names("setup")
