"""Keys are kept out of everything that is written, logged, raised or shown."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any

HIDDEN = "[hidden]"
MIN_LENGTH = 8
"""Shorter values are not keys, and hiding them would tear ordinary words apart."""

_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?$", re.IGNORECASE)
_SECRET_SHAPES = (
    # A key begins where a word begins, so that the inside of encoded data is never taken for one.
    re.compile(r"(?<![\w+/-])(?:sk|pk|rk|gsk|xai|hf|ghp|gho|glpat)[-_][\w*-]{8,}"),
    re.compile(r"(?<![\w+/-])AIza[\w*-]{10,}"),
    re.compile(r"(?<![\w+/-])AKIA[A-Z0-9]{12,}"),
    re.compile(r"(?<=Bearer )[\w.~+/*-]{8,}=*"),
    re.compile(r"(?<=://)[^/\s@]+(?=@)"),
)


class Redactor:
    """Hides the secrets it knows, and whatever has the shape of one."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        """Take secrets to hide besides those of the environment."""
        named = (value for name, value in os.environ.items() if _SECRET_NAME.search(name))
        found = {part for value in (*named, *values) if len(part := value.strip()) >= MIN_LENGTH}
        # Longest first: one secret may begin with another.
        self._values = sorted(found, key=len, reverse=True)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self._values)} secrets)"

    def text(self, text: str) -> str:
        """Return a text without its secrets."""
        for value in self._values:
            text = text.replace(value, HIDDEN)
        for shape in _SECRET_SHAPES:
            text = shape.sub(HIDDEN, text)
        return text

    def data(self, data: Any) -> Any:
        """Return plain data with the secrets of all its texts hidden, names included."""
        if isinstance(data, str):
            return self.text(data)
        if isinstance(data, dict):
            return {self.data(name): self.data(value) for name, value in data.items()}
        if isinstance(data, list | tuple):
            return [self.data(item) for item in data]
        return data


def redact(text: str) -> str:
    """Return a text without the secrets of the environment and without anything of their shape."""
    return Redactor().text(text) if text else ""
