"""What the profiles of web browsers have in common."""

from __future__ import annotations

from typing import Literal

from proctor.tasks.model import PlainModel
from proctor.tasks.setup_context import SetupContext

Browser = Literal["chromium", "firefox"]

Setting = bool | int | str


class Bookmark(PlainModel):
    """A page kept in the bookmarks bar, or in a folder of it."""

    title: str
    url: str
    folder: str = ""


def write(context: SetupContext, path: str, text: str) -> None:
    """Write a file of a profile."""
    context.computer.write_file(path, text.encode())
