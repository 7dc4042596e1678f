"""Locators: descriptions of elements that wait until the element is there, then act on it by pixels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from proctor.actions.action import Button, Click, Drag, Move, Press, Tap, Type
from proctor.computers.performer import Searchable
from proctor.computers.query import Query, Wanted, innermost, is_related, visible_part
from proctor.computers.values import Performed
from proctor.errors import ElementNotFound, NotReady, SpecError
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree

PATIENCE_SEC = 10.0


@dataclass(frozen=True, slots=True)
class _Spot:
    node: Node
    point: tuple[int, int]
    focused: bool


class Locator:
    """A description of one element, looked up again each time it is used.

    Roles match whole, whatever the case. Names, texts, applications and windows match as `query.Wanted` says: plain
    strings anywhere, whole ones preferred; `re.compile("^Save$")` where exactness matters. Only elements that are
    showing count. A description that fits several elements is an error unless `nth` chooses one (-1 is the last).
    """

    def __init__(
        self,
        computer: Searchable,
        *,
        role: str | None = None,
        name: Wanted | None = None,
        text: Wanted | None = None,
        app: Wanted | None = None,
        window: Wanted | None = None,
        within: Locator | None = None,
        nth: int | None = None,
    ) -> None:
        computer.need("tree")
        self.computer = computer
        self.query = Query(role=role, name=name, text=text, app=app, window=window)
        self.within = within
        self.nth = nth

    def __str__(self) -> str:
        place = f" within {self.within}" if self.within else ""
        return f"{self.query}{place}{'' if self.nth is None else f', number {self.nth}'}"

    def __repr__(self) -> str:
        return f"<Locator {self}>"

    # -- look -----------------------------------------------------------------------------------------------------

    def all(self, *, hidden: bool = False) -> list[Node]:
        """Return every element that matches now, hidden ones if asked for, whatever `nth` is."""
        return self._matches(self.computer.tree(), hidden=hidden)

    def find(self) -> Node:
        """Return the element as it is now.

        Raises ElementNotFound, which lists near matches and why they are none, or SpecError when several match and
        `nth` does not choose.
        """
        tree = self.computer.tree()
        node = self._pick(tree)
        if node is None:
            raise self._not_found(tree)
        return node

    @property
    def exists(self) -> bool:
        """Whether something matches now."""
        found = len(self.all())
        return found > 0 if self.nth is None else -found <= self.nth < found

    def wait(self, timeout_sec: float = PATIENCE_SEC, *, gone: bool = False) -> Self:
        """Wait until the element is there, or until nothing matches any more."""
        if gone:
            self._await_end(timeout_sec)
        else:
            self._await(timeout_sec)
        return self

    @property
    def box(self) -> Box:
        """Where the element is on the desktop, once it is there."""
        _, node = self._await(PATIENCE_SEC)
        assert node.box is not None, "showing elements have a box"
        return node.box

    @property
    def text(self) -> str:
        """The element's text, or its name when it has none, once it is there."""
        _, node = self._await(PATIENCE_SEC)
        return node.text or node.name

    # -- act ------------------------------------------------------------------------------------------------------

    def click(
        self,
        *,
        button: Button = "left",
        count: int = 1,
        modifiers: tuple[str, ...] = (),
        timeout_sec: float = PATIENCE_SEC,
    ) -> Performed:
        """Click, or tap, in the middle of the element once it is there, at rest and not covered."""
        x, y = self._ready(timeout_sec).point
        there = self.computer.capabilities
        if "touch" in there and "pointer" not in there and button == "left" and not modifiers:
            return self.computer.perform(Tap(x=x, y=y, count=count))
        return self.computer.perform(Click(x=x, y=y, button=button, count=count, modifiers=modifiers))

    def hover(self, *, timeout_sec: float = PATIENCE_SEC) -> Performed:
        """Move the pointer over the element."""
        x, y = self._ready(timeout_sec).point
        return self.computer.perform(Move(x=x, y=y))

    def type(self, text: str, *, clear: bool = False, timeout_sec: float = PATIENCE_SEC) -> Performed:
        """Click the element to give it the focus, select what it holds if it is to be replaced, and type."""
        self.click(timeout_sec=timeout_sec)
        if clear:
            self.computer.perform(Press(keys="ctrl+a"))
            if not text:
                return self.computer.perform(Press(keys="Delete"))
        return self.computer.perform(Type(text=text))

    def press(self, keys: str, *, timeout_sec: float = PATIENCE_SEC) -> Performed:
        """Press keys on the element; it is clicked first unless it has the focus."""
        if not self._ready(timeout_sec).focused:
            self.click(timeout_sec=timeout_sec)
        return self.computer.perform(Press(keys=keys))

    def drag_to(
        self, other: Locator, *, modifiers: tuple[str, ...] = (), timeout_sec: float = PATIENCE_SEC
    ) -> Performed:
        """Drag the element onto another one."""
        target = other._ready(timeout_sec)
        source = self._ready(timeout_sec)
        return self.computer.perform(Drag(path=(source.point, target.point), modifiers=modifiers))

    # -- how ------------------------------------------------------------------------------------------------------

    def _matches(self, tree: Tree, *, hidden: bool = False) -> list[Node]:
        matches = self.query.select(self._scope(tree), hidden=hidden)
        return matches if self.query.role else innermost(tree, matches)

    def _scope(self, tree: Tree) -> Iterator[Node]:
        if self.within is None:
            return iter(tree.nodes)
        outer = self.within._pick(tree)
        return iter(()) if outer is None else tree.descendants(outer)

    def _pick(self, tree: Tree) -> Node | None:
        matches = self._matches(tree)
        if self.nth is not None:
            return matches[self.nth] if -len(matches) <= self.nth < len(matches) else None
        if len(matches) > 1:
            raise self._ambiguous(matches)
        return matches[0] if matches else None

    def _ambiguous(self, matches: list[Node]) -> SpecError:
        listed = "".join(f"\n  - {node.describe()} at {node.box}" for node in matches[:5])
        return SpecError(
            f"{self} fits {len(matches)} elements:{listed}",
            remedy="describe it more closely (role, name, window, within), or choose one with nth",
        )

    def _not_found(self, tree: Tree, after: str = "") -> ElementNotFound:
        if self.within and self.within._pick(tree) is None:
            return self.within._not_found(tree, after)
        if matches := self._matches(tree):
            return ElementNotFound(
                f"there are only {len(matches)} of: {self.query}{after}", remedy="choose a smaller nth"
            )
        near = "".join(f"\n  - {line}" for line in self.query.near(self._scope(tree)))
        message = f"no {self} is on the screen{after}"
        message += f"; nearest:{near}" if near else "; nothing is like it"
        if tree.degraded:
            message += f"\n  the tree is incomplete: {'; '.join(tree.degraded)}"
        return ElementNotFound(message, remedy="correct the description, or bring the element on screen first")

    def _await(self, timeout_sec: float, *, open_menus: bool = False) -> tuple[Tree, Node]:
        """Return the element and the tree it was seen in as soon as it is there."""
        deadline = self.computer.clock() + timeout_sec
        settled = False
        opened: set[str] = set()
        while True:
            tree = self.computer.tree()
            try:
                node = self._pick(tree)
            except SpecError:
                # Two elements may stand side by side while one is going away.
                if settled:
                    raise
                self.computer.settle()
                settled = True
                continue
            if node is not None:
                return tree, node
            if open_menus and self._open_menu(tree, opened):
                continue
            left = deadline - self.computer.clock()
            if left <= 0:
                raise self._not_found(tree, f" after {timeout_sec:g} s")
            self.computer.wait_activity(min(left, 0.1))

    def _await_end(self, timeout_sec: float) -> None:
        deadline = self.computer.clock() + timeout_sec
        while self.exists:
            left = deadline - self.computer.clock()
            if left <= 0:
                raise NotReady(f"the disappearance of {self} did not happen within {timeout_sec:g} s")
            self.computer.wait_activity(min(left, 0.1))

    def _ready(self, timeout_sec: float) -> _Spot:
        """Return where to act once the element rests in one place and nothing covers that place."""
        deadline = self.computer.clock() + timeout_sec
        before: Box | None = None
        obstacle = "it kept moving"
        while True:
            tree, node = self._await(max(deadline - self.computer.clock(), 0.0), open_menus=True)
            part = visible_part(tree, node, self.computer.size)
            if part is None:
                obstacle = "it lies outside what is visible; scroll it into view first"
            elif part == before:
                cover = self._cover(node, part.center)
                if cover is None:
                    return _Spot(node, part.center, focused=tree.focused_node() is node)
                obstacle = f"it is covered by {cover.describe()}"
            moved, before = part != before, part
            left = deadline - self.computer.clock()
            if left <= 0:
                raise NotReady(f"{self} could not be acted on within {timeout_sec:g} s: {obstacle}")
            if moved and self.computer.pace == "settle":
                self.computer.settle(timeout_sec=min(left, 1.0))
            else:
                self.computer.wait_activity(min(left, 0.05))

    def _open_menu(self, tree: Tree, opened: set[str]) -> bool:
        """Open the next menu on the way to an element, as a person would; tell whether there was one."""
        hidden = self._matches(tree, hidden=True)
        if len(hidden) != 1 and (self.nth is None or not 0 <= self.nth < len(hidden)):
            return False
        above = tree.ancestors(hidden[self.nth or 0])
        menu = next((node for node in above if node.role == "menu" and node.showing), None)
        if menu is None or menu.box is None or menu.name in opened:
            return False
        opened.add(menu.name)
        x, y = menu.box.center
        self.computer.perform(Click(x=x, y=y))
        return True

    def _cover(self, node: Node, point: tuple[int, int]) -> Node | None:
        hit = self.computer.element_at(*point)
        return None if hit is None or is_related(node, hit) else hit
