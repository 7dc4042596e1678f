"""The outline of an application: what is on its screens, and what its menu items set."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from proctor.plain_text import one_line

MOST_CHARS = 5_000
"""Of an outline in words."""


@dataclass(frozen=True, kw_only=True)
class SeenView:
    """One screen, menu or dialog, and what is in it."""

    what: str
    """How it came about, such as `menu File`."""
    elements: tuple[tuple[str, str], ...]
    """Role and name of each."""


@dataclass(frozen=True, kw_only=True)
class SettingChange:
    """What choosing an item of a menu changes."""

    menu: tuple[str, ...]
    """The names along the way to it."""
    file: str
    setting: str
    before: object
    """None where nothing was set."""
    after: object


@dataclass(frozen=True, kw_only=True)
class AppOutline:
    """What there is in an application."""

    app: str
    views: tuple[SeenView, ...] = ()
    changes: tuple[SettingChange, ...] = ()

    def text(self) -> str:
        """Return it as a prompt has it, in words and not too long."""
        lines = [f"- {view.what}: {_names(view)}" for view in self.views if view.elements]
        lines += [
            f"- choosing {' > '.join(change.menu)} sets {change.setting} to {json.dumps(change.after)}"
            for change in self.changes
        ]
        text = one_line("\x00".join(lines)).replace("\N{REPLACEMENT CHARACTER}", "\n")
        return text if len(text) <= MOST_CHARS else f"{text[:MOST_CHARS]}..."

    def names(self) -> str:
        """Return every name in it, one per line."""
        return "\n".join(name for view in self.views for _, name in view.elements)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> AppOutline:
        """Read what was written."""
        views = (SeenView(what=each["what"], elements=tuple(map(tuple, each["elements"]))) for each in data["views"])
        changes = (SettingChange(**{**each, "menu": tuple(each["menu"])}) for each in data["changes"])
        return cls(app=data["app"], views=tuple(views), changes=tuple(changes))


def _names(view: SeenView) -> str:
    return ", ".join(f"{role} {json.dumps(name, ensure_ascii=False)}" for role, name in view.elements)
