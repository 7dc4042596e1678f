"""Moves with the pointer."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proctor.actions.action import Button, Click, Drag, Scroll
from proctor.computers.locator import PATIENCE_SEC, Locator
from proctor.observations.box import Box
from proctor.tasks.move_context import MoveContext
from proctor.tasks.shelves import MOVES
from proctor.vocabulary.desktop.where import Where, sought_text

Fraction = Annotated[float, Field(ge=0.0, le=1.0)]
Spot = tuple[Fraction, Fraction]
"""A place in an element: 0 is its left or upper edge, 1 its right or lower one."""


@MOVES.register
def click(
    context: MoveContext,
    name: str | None = None,
    role: str | None = None,
    text: str | None = None,
    app: str | None = None,
    window: str | None = None,
    within: Where | None = None,
    nth: int | None = None,
    button: Button = "left",
    count: Annotated[int, Field(ge=1, le=3)] = 1,
    modifiers: list[str] | None = None,
    at: Spot | None = None,
    timeout_sec: float = PATIENCE_SEC,
) -> None:
    """Click an element once it appears, in its middle or at a point in it.

    Menus on the way are opened.
    """
    where = Where(role=role, name=name, text=text, app=app, window=window, within=within, nth=nth)
    locator = where.on(context.computer)
    held = tuple(modifiers or ())
    if at is None:
        locator.click(button=button, count=count, modifiers=held, timeout_sec=timeout_sec)
    else:
        x, y = _spot(locator.wait(timeout_sec).box, at)
        context.do(Click(x=x, y=y, button=button, count=count, modifiers=held))


@MOVES.register
def double_click(
    context: MoveContext, name: str | None = None, role: str | None = None, window: str | None = None
) -> None:
    """Double-click an element."""
    Where(role=role, name=name, window=window).on(context.computer).click(count=2)


@MOVES.register
def right_click(
    context: MoveContext, name: str | None = None, role: str | None = None, window: str | None = None
) -> None:
    """Right-click an element."""
    Where(role=role, name=name, window=window).on(context.computer).click(button="right")


@MOVES.register
def menu(context: MoveContext, path: Annotated[list[str], Field(min_length=1)], app: str | None = None) -> None:
    """Choose from a menu by the names along the path, such as `["File", "Save As..."]`."""
    for name in path:
        _menu_entry(context, name, app).click()


@MOVES.register
def drag(context: MoveContext, source: Where, target: Where, modifiers: list[str] | None = None) -> None:
    """Drag an element onto another one."""
    source.on(context.computer).drag_to(target.on(context.computer), modifiers=tuple(modifiers or ()))


@MOVES.register
def draw(
    context: MoveContext,
    on: Where,
    path: Annotated[list[Spot], Field(min_length=2)],
    button: Button = "left",
    modifiers: list[str] | None = None,
) -> None:
    """Drag along a path in an element, such as a stroke on a canvas."""
    box = on.on(context.computer).wait().box
    points = tuple(_spot(box, spot) for spot in path)
    context.do(Drag(path=points, button=button, modifiers=tuple(modifiers or ())))


@MOVES.register
def scroll(context: MoveContext, on: Where, down: int = 0, right: int = 0) -> None:
    """Turn the wheel over an element; negative numbers go up or left."""
    x, y = on.on(context.computer).wait().box.center
    context.do(Scroll(x=x, y=y, dx=right, dy=down))


def _spot(box: Box, spot: Spot) -> tuple[int, int]:
    across, down = spot
    return round(box.x + across * (box.width - 1)), round(box.y + down * (box.height - 1))


def _menu_entry(context: MoveContext, name: str, app: str | None) -> Locator:
    """Return a menu or menu item that is showing; three dots at the end of its name may be left out."""

    def entry_at(computer: object) -> Locator | None:
        for node in reversed(context.computer.tree().nodes):
            if "menu" not in node.role or not node.showing or node.role == "menu bar":
                continue
            if node.name.rstrip(".… ").casefold() == name.rstrip(".… ").casefold() and _of(node.app, app):
                return context.computer.locate(role=node.role, name=node.name, app=sought_text(node.app), nth=-1)
        return None

    return context.computer.wait_for(entry_at, what=f"a menu entry {name!r}", timeout_sec=PATIENCE_SEC)


def _of(app: str, wanted_app: str | None) -> bool:
    """Tell whether an application is the one wanted."""
    # Some give their name now with a capital and now without.
    return not wanted_app or wanted_app.casefold() in app.casefold()
