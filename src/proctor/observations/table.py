"""The accessibility tree as a compact table, with the node filter of the OSWorld paper."""

from __future__ import annotations

import re
from collections.abc import Callable

from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree
from proctor.observations.xml import PICTURES, tag

HEADER = "tag\tname\ttext\tclass\tdescription\tposition (top-left x&y)\tsize (w&h)"
CUT = "[...]"
"""Stands where something was left out."""

_TAGS = frozenset(
    {
        "alert", "canvas", "check-box", "checkbox", "combo-box", "entry", "icon", "image", "paragraph", "scroll-bar",
        "section", "slider", "static", "table-cell", "terminal", "text",
        "netuiribbontab", "start", "trayclockwclass", "traydummysearchcontrol", "uiimage", "uiproperty",
        "uiribboncommandbar",
    }
)  # fmt: skip
_ENDINGS = (
    "item", "button", "heading", "label", "scrollbar", "searchbox", "textbox", "link", "tabelement", "textfield",
    "textarea", "menu",
)  # fmt: skip
_USABLE = frozenset({"enabled", "editable", "expandable", "checkable"})

Place = Callable[[float, float], tuple[float, float]]
"""From desktop pixels to other coordinates."""

_CELL_CHARS = 4_000
_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_VISIBLE = {"\n": "\\n", "\t": "\\t"}


def useful_nodes(tree: Tree, *, images: bool = False) -> list[Node]:
    """Return the nodes an agent can see and use, nameless `images` if wanted, in tree order."""
    return [node for node in tree.nodes if _is_kept(node, images)]


def to_table(tree: Tree, *, max_chars: int = 40_000, place: Place | None = None) -> str:
    """Return the kept nodes as tab-separated rows under a header, within `max_chars`.

    `place` turns places and sizes from desktop pixels into what the reader counts in.
    """
    return within(max_chars, [HEADER, *(_row(node, place) for node in useful_nodes(tree))])


def cell(text: str) -> str:
    """Return a text that cannot leave its cell: breaks and tabs visible, other controls blank."""
    if len(text) > _CELL_CHARS:
        text = text[:_CELL_CHARS] + CUT
    return _BREAKS.sub(lambda found: _VISIBLE.get(found[0], " "), text)


def text_cell(text: str) -> str:
    """Return a text as the text column holds it, quoted when empty or with a quote in it."""
    if text and '"' not in text:
        return cell(text)
    return '"' + cell(text).replace('"', '""') + '"'


def within(max_chars: int, lines: list[str]) -> str:
    """Join a header and its rows; rows beyond the budget give way to `CUT`, the header never."""
    joined = "\n".join(lines)
    if len(lines) == 1 or len(joined) <= max_chars:
        return joined
    room = max_chars - len(lines[0]) - len(CUT) - 1
    count = 1
    while (room := room - len(lines[count]) - 1) >= 0:
        count += 1
    return "\n".join([*lines[:count], CUT])


def _is_kept(node: Node, images: bool) -> bool:
    name = tag(node.role)
    return (
        (name in _TAGS or name.endswith(_ENDINGS) or name.startswith("document"))
        and node.showing
        and node.box is not None
        and _on_screen(node.box)
        and not _USABLE.isdisjoint(node.states)
        and bool(node.name or node.text or (images and _is_picture(name)))
    )


def _is_picture(name: str) -> bool:
    # A button with neither name nor text can only show a picture.
    return name in PICTURES or name.endswith("button")


def _on_screen(box: Box) -> bool:
    return box.x >= 0 and box.y >= 0 and box.width > 0 and box.height > 0


def _row(node: Node, place: Place | None) -> str:
    box = node.box or Box(0, 0, 0, 0)
    corner: tuple[float, float] = (box.x, box.y)
    size: tuple[float, float] = (box.width, box.height)
    if place is not None:
        corner, size = place(*corner), place(*size)
    return "\t".join(
        (
            tag(node.role),
            cell(node.name),
            text_cell(node.text),
            cell(node.attributes.get("class", "")),
            cell(node.description),
            f"({corner[0]}, {corner[1]})",
            f"({size[0]}, {size[1]})",
        )
    )
