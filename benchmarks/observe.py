"""What the outline of a screen is worth: what of it is named, whether states are right, and how long it is."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import click

from benchmarks.settle_files import files
from proctor.actions.action import Click, Press
from proctor.bench.measure import Figure, Laps
from proctor.bench.terminal import print_figures, progress
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.computer import Computer
from proctor.computers.observer import observe
from proctor.errors import AgentError, ComputerError
from proctor.observations.box import Box
from proctor.observations.observation import Want
from proctor.observations.outline import Element, Outline
from proctor.observations.outline_ids import Ids
from proctor.observations.outline_text import to_text
from proctor.observations.table import to_table
from proctor.observations.tree import Node, Tree

CHARS_PER_TOKEN = 4
"""As models count English and numbers, roughly; the core has no tokenizer."""
OPEN_SEC = 60.0
GLANCES = 4
TABS = 5
"""How often Tab is pressed, to see what it reaches."""
BOXES = 2
"""How many boxes are ticked, to see whether their state follows."""
GRID = (12, 8)
"""How many places of a window are asked for what is there, across and down."""
_DOES = frozenset(
    {"click", "press", "activate", "toggle", "jump", "open", "check", "uncheck", "select", "switch", "edit"}
)
_TICKED = frozenset({"check box", "toggle button", "switch", "radio button"})
_HOLDS = frozenset(
    {
        "label",
        "image",
        "frame",
        "dialog",
        "document web",
        "document frame",
        "internal frame",
        "paragraph",
        "static",
        "separator",
    }
)
"""Of these, toolkits say that they can be clicked where there is nothing to be clicked."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """An application, as it is looked at."""

    name: str
    run: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    """What is pressed first."""
    dialog: bool = False


@dataclass
class Count:
    """How many of some were right, and which were not."""

    right: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, good: bool, what: str) -> None:
        """Count one."""
        if good:
            self.right += 1
        else:
            self.wrong.append(what)

    @property
    def share(self) -> float | None:
        """Percent that were right."""
        total = self.right + len(self.wrong)
        return 100 * self.right / total if total else None


@dataclass
class Looked:
    """What was found on all screens."""

    told: Count = field(default_factory=Count)
    """Of the elements that the toolkit's tree says can be acted on."""
    hit: Count = field(default_factory=Count)
    """Of those found below the pointer."""
    reached: Count = field(default_factory=Count)
    """Of those that Tab has reached: named, and focused."""
    states: Count = field(default_factory=Count)
    ticked: Count = field(default_factory=Count)
    outline_chars: list[int] = field(default_factory=list)
    table_chars: list[int] = field(default_factory=list)
    change_chars: list[int] = field(default_factory=list)
    tree: Laps = field(default_factory=Laps)
    made: Laps = field(default_factory=Laps)


@click.command("observe")
@click.option("--image", default="full", show_default=True, help="A desktop image with the applications.")
@click.option("--only", default="", metavar="NAMES", help="Scenes whose names begin so, with commas between them.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def command(image: str, only: str, as_json: bool) -> None:
    """What of a screen the outline names, whether its states are right, and how long it is."""
    wanted = tuple(filter(None, (name.strip() for name in only.split(","))))
    chosen = [scene for scene in scenes() if not wanted or scene.name.startswith(wanted)]
    looked = Looked()
    with progress() as say:
        for scene in chosen:
            say(scene.name)
            try:
                _look(scene, image, looked)
            except ComputerError as error:
                click.echo(f"{scene.name}: not looked at: {error}", err=True)
    for kind in ("told", "hit", "reached", "states", "ticked"):
        for what in getattr(looked, kind).wrong:
            click.echo(f"{kind}: {what}", err=True)
    print_figures(figures(looked, chosen), "proctor bench observe", as_json=as_json)


def scenes() -> tuple[Scene, ...]:
    """Return what is looked at."""
    text = Path(__file__).with_name("observing.toml").read_text(encoding="utf-8")
    entries: list[dict[str, Any]] = tomllib.loads(text)["scene"]
    for entry in entries:
        entry.update({name: tuple(value) for name, value in entry.items() if isinstance(value, list)})
    return tuple(Scene(**entry) for entry in entries)


def figures(looked: Looked, chosen: Sequence[Scene]) -> list[Figure]:
    """Return what is told of all screens."""
    dialogs = sum(scene.dialog for scene in chosen)
    outline, table = sum(looked.outline_chars), sum(looked.table_chars)
    made = f"{len(looked.outline_chars)} screens, {dialogs} of them dialogs"
    shares = [
        Figure(key=f"outline_{kind}_missed", what=what, value=None if share is None else 100 - share, unit="%", goal=1,
               note=f"{count.right} of {count.right + len(count.wrong)} right")
        for kind, what, count in (
            ("told", "not named, of what the toolkits say can be used", looked.told),
            ("hit", "not named, of what lies below the pointer", looked.hit),
            ("reached", "not named as focused, of what Tab reaches", looked.reached),
            ("states", "states that are not those of the toolkit", looked.states),
            ("ticked", "boxes that were clicked by their id and did not change", looked.ticked),
        )
        for share in (count.share,)
    ]  # fmt: skip
    return [
        *shares,
        Figure(key="outline_tokens", what="tokens of an outline, against the table of the OSWorld paper", unit="%",
               value=100 * outline / table if table else None, goal=60,
               note=f"{_tokens(outline, looked)} and {_tokens(table, looked)} a screen; {made}"),
        Figure(key="outline_tree_ms", what="reading a tree", value=_median(looked.tree), note="median"),
        Figure(key="outline_ms", what="making its outline, with text", value=_median(looked.made), goal=25,
               note="median"),
    ]  # fmt: skip


def _tokens(chars: int, looked: Looked) -> int:
    return chars // CHARS_PER_TOKEN // max(len(looked.outline_chars), 1)


def _median(laps: Laps) -> float | None:
    return median(laps.spent) if laps.spent else None


def _look(scene: Scene, image: str, looked: Looked) -> None:
    with SandboxComputer(image=image, network="loopback") as computer:
        for name, text in files().items():
            computer.write_file(name, text.encode())
        if scene.run:
            computer.launch(scene.run, timeout_sec=OPEN_SEC)
        for _ in range(GLANCES):
            computer.settle()
            computer.wait_activity(0.5)
        for keys in scene.keys:
            computer.perform(Press(keys=keys))
            computer.settle()
        ids = Ids()
        with looked.tree.lap():
            tree = computer.tree()
        seen = observe(computer, Want(screenshot=False, tree=True), ids=ids)
        assert seen.outline is not None and seen.tree is not None
        outline = seen.outline
        with looked.made.lap():
            text = to_text(outline, max_chars=10**7)
        looked.outline_chars.append(len(text))
        looked.table_chars.append(len(to_table(tree, max_chars=10**7)))
        check_told(scene.name, seen.tree, outline, looked)
        _check_hits(scene.name, computer, outline, looked)
        _check_boxes(scene.name, computer, ids, looked)
        _check_tabs(scene.name, computer, ids, looked)


def check_told(scene: str, tree: Tree, outline: Outline, looked: Looked) -> None:
    """Hold an outline against the tree it was made of."""
    named = {element.node.index: element for element in outline.elements}
    for node in tree.nodes:
        element = named.get(node.index)
        if element is not None and element.usable:
            looked.states.add(_states_agree(node, element), f"{scene}: {node.describe()} is {element.states}")
        if _can_be_used(tree, node):
            held = element is not None or _in_another(tree, node, named)
            looked.told.add(held, f"{scene}: {node.describe()} {node.box} {node.actions}")


def _can_be_used(tree: Tree, node: Node) -> bool:
    """Tell whether the toolkit says so, by what its own assistive technologies would go by."""
    if not node.showing or node.box is None or min(node.box.width, node.box.height) < 3 or node.role in _HOLDS:
        return False
    if not all(above.showing or above.depth == 0 or above.box is None for above in tree.ancestors(node)):
        return False
    if any(above.role == "menu bar" and not above.showing for above in tree.ancestors(node)):
        return False
    if "editable" in node.states or not _DOES.isdisjoint(node.actions) and "showing" in node.states:
        return True
    return not node.states.isdisjoint({"selectable", "checkable"}) and not tree.children(node)


def _in_another(tree: Tree, node: Node, named: dict[int, Element]) -> bool:
    """Tell whether it is a part of what is named, or only holds it."""
    assert node.box is not None
    for above in tree.ancestors(node):
        held = named.get(above.index)
        if held is not None and held.usable and above.box and node.box.within(above.box, 4):
            return True
    return any(below.index in named and named[below.index].usable for below in tree.descendants(node))


def _states_agree(node: Node, element: Element) -> bool:
    """Tell whether the outline says what AT-SPI's states mean."""
    said, states = set(element.states), node.states
    ticked = node.role in _TICKED
    meant = {
        "disabled": "enabled" not in states and "sensitive" not in states,
        "checked": ticked and not states.isdisjoint({"checked", "pressed"}) and "indeterminate" not in states,
        "unchecked": ticked and states.isdisjoint({"checked", "pressed", "indeterminate"}),
    }
    if node.role != "page tab":
        meant |= {"expanded": "expanded" in states} if not node.role.startswith("table cell") else {}
    return all(
        (word in said) == holds for word, holds in meant.items() if ticked or word not in ("checked", "unchecked")
    )


def _check_hits(scene: str, computer: Computer, outline: Outline, looked: Looked) -> None:
    """Ask what lies below the pointer, in every part of the window in front."""
    window = computer.active_window()
    if window is None:
        return
    boxes = [element.box for element in outline.elements if element.box]
    across, down = GRID
    found: dict[tuple[str, str, Box | None], Node] = {}
    for column in range(across):
        for row in range(down):
            x = window.box.x + (2 * column + 1) * window.box.width // (2 * across)
            y = window.box.y + (2 * row + 1) * window.box.height // (2 * down)
            node = computer.element_at(x, y)
            if node is not None and node.box and node.role not in _HOLDS and not _DOES.isdisjoint(node.actions):
                found[node.role, node.name, node.box] = node
    for node in found.values():
        assert node.box is not None
        middle = node.box.center
        most = 4 * node.box.area if node.role != "table cell" else 10**9  # an icon in a row is a part of its cell
        held = any(box.contains(*middle) and box.area <= most for box in boxes)
        looked.hit.add(held, f"{scene}: {node.describe()} {node.box}")


def _check_boxes(scene: str, computer: Computer, ids: Ids, looked: Looked) -> None:
    """Click boxes by their ids: their state has to follow."""
    outline = _outline(computer, ids)
    boxes = [
        element
        for element in outline.elements
        if element.role in ("check box", "switch") and element.point and "unchecked" in element.states and element.name
        and not {"disabled", "offscreen"} & set(element.states)
    ]  # fmt: skip
    for box in boxes[:BOXES]:
        assert box.point is not None
        computer.perform(Click(x=box.point[0], y=box.point[1]))
        now = {element.id: element for element in _outline(computer, ids).elements}
        after = now.get(box.id)
        if after is not None:  # some close their window
            looked.ticked.add("checked" in after.states, f"{scene}: {box.describe()} is {after.states}")


def _check_tabs(scene: str, computer: Computer, ids: Ids, looked: Looked) -> None:
    """Press Tab: what has the focus then has to be named, and to be called focused."""
    for _ in range(TABS):
        try:
            computer.perform(Press(keys="tab"))
        except (AgentError, ComputerError):
            return
        node = computer.parts.tree.focused() if computer.parts.tree else None
        if node is None or not node.box or node.role in _HOLDS:
            continue
        outline = _outline(computer, ids)
        # Of a menu, what the next key acts on is selected; a list may have the focus as a whole.
        words = {"focused", "selected"} if "menu" in node.role else {"focused"}
        held = any(
            words & set(element.states) and element.box and element.box.intersect(node.box)
            for element in outline.elements
        ) or any(line.heading.endswith(" focused") for line in outline.lines)
        looked.reached.add(held, f"{scene}: {node.describe()} {node.box}")


def _outline(computer: Computer, ids: Ids) -> Outline:
    found = observe(computer, Want(screenshot=False, tree=True), ids=ids).outline
    assert found is not None
    return found
