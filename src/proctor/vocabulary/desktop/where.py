"""How a move names an element: the same words as a locator, as plain data."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel, ConfigDict

from proctor.computers.computer import Computer
from proctor.computers.locator import Locator


class Where(BaseModel):
    """An element by role, name, text, application and window, inside another one, the nth of several.

    Texts are found anywhere and whole ones are preferred; `/.../` is a regular expression.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: str | None = None
    name: str | None = None
    text: str | None = None
    app: str | None = None
    window: str | None = None
    within: Where | None = None
    nth: int | None = None

    def on(self, computer: Computer) -> Locator:
        """Return the locator it stands for."""
        texts: dict[str, Any] = {key: sought_text(getattr(self, key)) for key in ("name", "text", "app", "window")}
        inside = self.within.on(computer) if self.within else None
        return computer.locate(role=self.role, within=inside, nth=self.nth, **texts)


def sought_text(text: str | None) -> str | re.Pattern[str] | None:
    """Return a text to find, or the pattern that `/.../` means."""
    if text and len(text) > 2 and text[0] == text[-1] == "/":
        return re.compile(text[1:-1])
    return text
