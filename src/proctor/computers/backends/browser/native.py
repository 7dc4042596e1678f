"""What lies over a page and is drawn by no page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from proctor.computers.backends.browser.parse_tree import APP
from proctor.computers.backends.browser.tabs import Dialog
from proctor.computers.sandbox_machine.sandbox import Sandbox
from proctor.errors import ComputerError, ComputerLost
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree

DIALOGS = frozenset({"dialog", "alert", "file chooser"})


def is_browser(app: str) -> bool:
    """Tell whether a window or application of this name is the browser."""
    return app.lower().startswith(APP)


def dialog_nodes(sandbox: Sandbox, dialog: Dialog, above: Node, scale: float) -> list[Node]:
    """Return a dialog's elements as the browser's own accessibility tells, or only its question."""
    start = above.index + 1
    shown = [replace(node, app=APP, window=above.name) for node in _dialog(sandbox, scale)]
    found = list(_renumber(shown, start, above))
    if found:
        return found
    states = frozenset({"showing", "visible", "enabled", "sensitive"})
    return [
        Node(
            index=start, parent=above.index, depth=above.depth + 1, role="alert", name=dialog.message[:500],
            text=dialog.message, description=dialog.kind, states=states, box=above.box, app=APP, window=above.name,
        )
    ]  # fmt: skip


def _dialog(sandbox: Sandbox, scale: float) -> Iterator[Node]:
    """Yield the nodes of the first dialog that the browser shows by itself."""
    try:
        tree = sandbox.desktop.read_tree()
    except ComputerLost:
        raise
    except (ComputerError, OSError):
        return
    root = next((node for node in tree.nodes if node.role in DIALOGS and is_browser(node.app)), None)
    if root is None:
        return
    for node in (root, *tree.descendants(root)):
        yield replace(node, box=node.box and Box(*(round(side * scale) for side in node.box)))


def with_others(sandbox: Sandbox, tree: Tree) -> Tree:
    """Return a tree with the applications beside the browser added, if there are any."""
    if not _others(sandbox):
        return tree
    try:
        whole = sandbox.desktop.read_tree()
    except ComputerLost:
        raise
    except (ComputerError, OSError) as error:
        said = error.message if isinstance(error, ComputerError) else str(error)
        return Tree(tree.nodes, (*tree.degraded, said))
    nodes = list(tree.nodes)
    for root in whole.applications:
        if not is_browser(root.name):
            nodes += _renumber([root, *whole.descendants(root)], len(nodes), None)
    return Tree(tuple(nodes), (*tree.degraded, *whole.degraded))


def _renumber(nodes: Sequence[Node], start: int, above: Node | None) -> Iterator[Node]:
    """Yield the nodes of a subtree, its root first, with other numbers and below another node."""
    if not nodes:
        return
    depth = (above.depth + 1 if above else 0) - nodes[0].depth
    numbers = {node.index: start + place for place, node in enumerate(nodes)}
    for node in nodes:
        parent = above.index if above else None
        if node is not nodes[0] and node.parent is not None:
            parent = numbers[node.parent]
        yield replace(node, index=numbers[node.index], parent=parent, depth=node.depth + depth)


def _others(sandbox: Sandbox) -> list[Box]:
    shown = sandbox.desktop.windows()
    return [window.frame for window in shown if not is_browser(window.app) and not window.minimised]


def in_front(sandbox: Sandbox) -> bool:
    """Tell whether another program has the keys."""
    return any(window.active and not is_browser(window.app) for window in sandbox.desktop.windows())


def is_covered(sandbox: Sandbox, x: float, y: float) -> bool:
    """Tell whether the window of another program lies at a place."""
    return any(box.contains(int(x), int(y)) for box in _others(sandbox))
