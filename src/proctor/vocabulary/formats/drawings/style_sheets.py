"""Style sheets inside drawings: which of their rules is about an element."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

MOST_RULES = 200
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SELECTOR = re.compile(r"(?P<tag>[\w-]+|\*)?(?P<id>#[\w-]+)?(?P<classes>(?:\.[\w-]+)*)")


@dataclass(frozen=True)
class Rule:
    """What a style sheet says about elements of a tag, an id and classes; empty for any."""

    tag: str
    id: str
    classes: frozenset[str]
    said: dict[str, str]

    @property
    def weight(self) -> tuple[bool, int, bool]:
        """How narrow it is; of two rules the narrower one counts."""
        return bool(self.id), len(self.classes), bool(self.tag)

    def fits(self, element: ElementTree.Element, tag: str) -> bool:
        """Tell whether it is about an element."""
        same = self.tag in ("", tag) and self.id in ("", element.get("id", ""))
        return same and self.classes <= set(element.get("class", "").split())


def rules_in(text: str) -> Iterator[Rule]:
    """Yield the rules about single elements; raises ValueError where they have no end."""
    rules = _RULE.findall(_COMMENT.sub(" ", text))
    if len(rules) > MOST_RULES:
        raise ValueError("it has more rules of style than are looked at")
    for selectors, said in rules:
        for selector in selectors.split(",")[:MOST_RULES]:
            found = _SELECTOR.fullmatch(selector.strip())
            if found and found[0]:
                classes = frozenset(found["classes"].split(".")[1:])
                tag = (found["tag"] or "").replace("*", "")
                yield Rule(tag, (found["id"] or "")[1:], classes, declarations(said))


def declarations(text: str) -> dict[str, str]:
    """Return what a style says, by name."""
    pairs = (part.partition(":") for part in text.split(";"))
    return {name.strip(): value.replace("!important", "").strip() for name, _, value in pairs if value.strip()}
