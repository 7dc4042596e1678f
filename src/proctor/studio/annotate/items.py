"""The items of an annotation set: one picture, two in a row, or those of a whole attempt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeGuard

_PICTURE = re.compile(r"[0-9a-f]{64}\.(?:png|jpg|webp|gif|bmp)", re.ASCII)
_ELEMENTS = re.compile(r"[0-9a-f]{64}\.json\.gz", re.ASCII)
_ID = re.compile(r"[0-9a-f]{16}", re.ASCII)
MOST_PICTURES = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class AnnotationItem:
    """What is annotated at once."""

    id: str
    """By the hash of what it shows."""
    pictures: tuple[str, ...]
    """Names in `pictures/`, each by the hash of its content."""
    size: tuple[int, int]
    """Of the first picture."""
    name: str = ""
    """What people call it: the file it came from, or the step."""
    instruction: str = ""
    """What was to be done, for attempts and transitions."""
    actions: tuple[str, ...] = ()
    """What was done between the pictures, in words, for attempts."""
    group: str = ""
    """What it shares with others, such as a task; it is never in two splits."""
    elements: str = ""
    """A name in `elements/`: what was on the screen, from the accessibility tree."""
    recorded: str = ""
    """What the record says is right; annotators are not shown it."""

    def plain(self) -> dict[str, object]:
        """Return it as a line of `items.jsonl`."""
        found = {"id": self.id, "pictures": list(self.pictures), "size": list(self.size)}
        texts = {name: getattr(self, name) for name in ("name", "instruction", "group", "elements", "recorded")}
        return {**found, **{name: text for name, text in texts.items() if text}, "actions": list(self.actions)}


def item_from(data: dict[str, object]) -> AnnotationItem | None:
    """Return the item of a line; None for one that is none, since a set may come from anywhere."""
    id: object = data.get("id")
    pictures: object = data.get("pictures")
    size: object = data.get("size")
    names = _names(pictures, _PICTURE)
    if not isinstance(id, str) or not _ID.fullmatch(id) or not names or not _is_size(size):
        return None
    texts = {name: str(data.get(name) or "") for name in ("name", "instruction", "group", "recorded")}
    elements = data.get("elements", "")
    actions = data.get("actions") or []
    return AnnotationItem(
        id=id,
        pictures=names,
        size=(size[0], size[1]),
        elements=elements if isinstance(elements, str) and _ELEMENTS.fullmatch(elements) else "",
        actions=tuple(str(each) for each in actions) if isinstance(actions, list) else (),
        **texts,
    )


def is_picture(name: str) -> bool:
    """Tell whether a name is that of a picture of a set, and so no path to elsewhere."""
    return _PICTURE.fullmatch(name) is not None


def _names(value: object, form: re.Pattern[str]) -> tuple[str, ...]:
    """Return the names in a list; none where there are too many or one has not the form of a name."""
    listed = value if isinstance(value, list) and len(value) <= MOST_PICTURES else []
    names = tuple(each for each in listed if isinstance(each, str) and form.fullmatch(each))
    return names if len(names) == len(listed) else ()


def _is_size(value: object) -> TypeGuard[list[int]]:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(each, int) and each > 0 for each in value)
