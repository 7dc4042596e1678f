"""The accessibility tree as XML in the shape OSWorld made common, and back."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from xml.parsers import expat

from proctor.errors import SpecError
from proctor.observations.bounds import MAX_XML_CHARS
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree, Value

ROOT = "desktop-frame"
NAMESPACES = {
    prefix: f"https://accessibility.ubuntu.example.org/ns/{name}"
    for prefix, name in (
        ("st", "state"),
        ("attr", "attributes"),
        ("cp", "component"),
        ("val", "value"),
        ("act", "action"),
    )
}
PICTURES = frozenset({"icon", "image"})
"""Tags that stand for a picture."""

_MAX_CHARS = 64 * 1024 * 1024
_MAX_NODES = 200_000
_MAX_DEPTH = 1_000

# A hostile application names its own roles, states, attributes and actions: only plain ASCII names pass.
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,99}", re.ASCII)
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SPECIAL = re.compile('[&<>"\t\n\r]|[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]')
_REPLACED = re.compile("[\ufffc\ufffd]")
_ENTITIES = (
    ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("\t", "&#9;"), ("\n", "&#10;"), ("\r", "&#13;"),
)  # fmt: skip
_PAIR = re.compile(r"\(\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})\s*\)", re.ASCII)


@lru_cache(maxsize=1024)
def tag(role: str) -> str:
    """Return the element name of a role: blanks become dashes; `unknown` when that is not a name."""
    name = role.replace(" ", "-")
    return name if _NAME.fullmatch(name) else "unknown"


def to_xml(tree: Tree) -> str:
    """Return the tree as XML by application; what is beyond MAX_XML_CHARS is said to be left out."""
    declared = "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())
    reasons = tree.degraded
    parts: list[str] = []
    open_nodes: list[Node] = []
    room = MAX_XML_CHARS
    for node in tree.nodes:
        opening = f"<{tag(node.role)}{_attributes(node)}>{_escape(_REPLACED.sub('', node.text))}"
        room -= len(opening)
        if room < 0:
            reasons += (f"the last {len(tree.nodes) - node.index} nodes did not fit",)
            break
        while open_nodes and open_nodes[-1].index != node.parent:
            parts.append(f"</{tag(open_nodes.pop().role)}>")
        parts.append(opening)
        open_nodes.append(node)
    parts.extend(f"</{tag(node.role)}>" for node in reversed(open_nodes))
    # Ours alone: other readers of this shape ignore it.
    degraded = f' degraded="{_escape(chr(10).join(reasons))}"' if reasons else ""
    return "".join([f"<{ROOT}{declared}{degraded}>", *parts, f"</{ROOT}>"])


def from_xml(text: str) -> Tree:
    """Read such XML back; what the shape does not hold (boxes of hidden nodes, say) is lost."""
    if len(text) > _MAX_CHARS:
        raise SpecError(f"a tree of {len(text)} characters is over the limit of {_MAX_CHARS}")
    return _Reader().read(text)


def _escape(text: str) -> str:
    if not _SPECIAL.search(text):
        return text
    text = _ILLEGAL.sub("", text)
    for character, entity in _ENTITIES:  # ten times faster than str.translate on a long document
        text = text.replace(character, entity)
    return text


def _attributes(node: Node) -> str:
    found = f' name="{_escape(node.name)}"' + _states(node.states)
    if tag(node.role) in PICTURES:
        found += ' image="true"'
    if node.showing and node.box is not None:
        x, y, width, height = node.box
        found += f' cp:screencoord="({x}, {y})" cp:size="({width}, {height})"'
    if node.attributes or node.description:
        described = {"description": node.description} if node.description else {}
        found += _prefix_names("attr", described | {k: v for k, v in node.attributes.items() if k not in described})
    if node.value is not None:
        value = node.value
        found += (
            f' val:value="{value.current!r}" val:min="{value.minimum!r}"'
            f' val:max="{value.maximum!r}" val:step="{value.step!r}"'
        )
    if node.actions:
        found += _actions(node.actions)
    return found


@lru_cache(maxsize=1024)
def _states(states: frozenset[str]) -> str:
    return _prefix_names("st", dict.fromkeys(sorted(states), "true"))


@lru_cache(maxsize=1024)
def _actions(actions: tuple[str, ...]) -> str:
    return _prefix_names("act", {f"{name}_{part}": "" for name in actions for part in ("desc", "kb")})


def _prefix_names(prefix: str, values: Mapping[str, str]) -> str:
    found: dict[str, str] = {}
    for name, value in values.items():
        name = name.replace(" ", "-")
        if _NAME.fullmatch(name):
            # Two names may become one; a repeated attribute would break the whole document.
            found.setdefault(name, value)
    return "".join(f' {prefix}:{name}="{_escape(value)}"' for name, value in found.items())


@dataclass
class _Draft:
    index: int
    role: str
    attributes: dict[str, str]
    app: str
    window: str
    parent: int | None
    depth: int
    text: list[str] = field(default_factory=list)
    has_children: bool = False


class _Reader:
    """Builds nodes; refuses document types, and so entities, and anything without bounds."""

    def __init__(self) -> None:
        self._drafts: list[_Draft] = []
        self._open: list[_Draft] = []
        self._inside = False
        self._degraded: tuple[str, ...] = ()

    def read(self, text: str) -> Tree:
        parser = expat.ParserCreate(namespace_separator="|")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._refuse
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        try:
            parser.Parse(text.encode("utf-8", "replace"), True)
        except expat.ExpatError as error:
            raise SpecError(f"the tree is not well-formed XML: {error}") from error
        return Tree(nodes=tuple(_node(draft) for draft in self._drafts), degraded=self._degraded)

    def _refuse(self, *_: object) -> None:
        raise SpecError("a tree must not declare a document type", remedy="remove the DOCTYPE and its entities")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._inside:
            if name != ROOT:
                raise SpecError(f"a tree starts with <{ROOT}>, not <{name[:100]}>")
            self._inside = True
            self._degraded = tuple(filter(None, attributes.get("degraded", "").split("\n")))
            return
        if len(self._drafts) >= _MAX_NODES or len(self._open) >= _MAX_DEPTH:
            raise SpecError(f"a tree may have {_MAX_NODES} nodes, {_MAX_DEPTH} deep; this one has more")
        label = attributes.get("name", "")
        parent = self._open[-1] if self._open else None
        if parent:
            parent.has_children = True
        draft = _Draft(
            index=len(self._drafts),
            role=name.replace("-", " "),
            attributes=attributes,
            app=parent.app if parent else label,
            window=label if len(self._open) == 1 else (parent.window if parent else ""),
            parent=parent.index if parent else None,
            depth=len(self._open),
        )
        self._drafts.append(draft)
        self._open.append(draft)

    def _end(self, _name: str) -> None:
        if self._open:
            self._open.pop()

    def _characters(self, data: str) -> None:
        # Text after a child is layout, never the parent's own.
        if self._open and not self._open[-1].has_children:
            self._open[-1].text.append(data)


def _node(draft: _Draft) -> Node:
    found = {prefix: _strip_prefix(prefix, draft.attributes.items()) for prefix in ("st", "attr", "act")}
    description = found["attr"].pop("description", "")
    return Node(
        index=draft.index,
        parent=draft.parent,
        depth=draft.depth,
        role=draft.role,
        name=draft.attributes.get("name", ""),
        text="".join(draft.text),
        description=description,
        value=_value(draft.attributes),
        states=frozenset(name for name, value in found["st"].items() if value == "true"),
        box=_box(draft.attributes),
        actions=tuple(name.removesuffix("_desc") for name in found["act"] if name.endswith("_desc")),
        attributes=found["attr"],
        app=draft.app,
        window=draft.window,
    )


def _strip_prefix(prefix: str, attributes: Iterable[tuple[str, str]]) -> dict[str, str]:
    start = _key(prefix, "")
    return {name.removeprefix(start): value for name, value in attributes if name.startswith(start)}


def _box(attributes: Mapping[str, str]) -> Box | None:
    place = _PAIR.fullmatch(attributes.get(_key("cp", "screencoord"), ""))
    size = _PAIR.fullmatch(attributes.get(_key("cp", "size"), ""))
    return Box(int(place[1]), int(place[2]), int(size[1]), int(size[2])) if place and size else None


def _value(attributes: Mapping[str, str]) -> Value | None:
    texts = (attributes.get(_key("val", name), "") for name in ("value", "min", "max", "step"))
    try:
        current, minimum, maximum, step = (float(text) if text else None for text in texts)
    except ValueError:
        return None
    if current is None or math.isnan(current):
        return None
    return Value(current=current, minimum=minimum or 0.0, maximum=maximum or 0.0, step=step or 0.0)


def _key(prefix: str, name: str) -> str:
    return f"{NAMESPACES[prefix]}|{name}"
