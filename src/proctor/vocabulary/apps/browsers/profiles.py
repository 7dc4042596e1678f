"""What the profiles of web browsers have in common."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from proctor.tasks.setup_context import SetupContext

Browser = Literal["chromium", "firefox"]

Setting = bool | int | str


class Bookmark(BaseModel):
    """A page kept in the bookmarks bar, or in a folder of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    url: str
    folder: str = ""


def write(context: SetupContext, path: str, text: str) -> None:
    """Write a file of a profile."""
    context.computer.write_file(path, text.encode())
