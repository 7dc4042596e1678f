"""The desktop of a fake computer: pictures and trees from one description of windows."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

from proctor.actions.action import Button
from proctor.actions.keys import key_for_char
from proctor.computers.backends.fake.editor import (
    CELL_HEIGHT,
    CELL_WIDTH,
    TEXT_MARGIN,
    TITLE_HEIGHT,
    WHEEL_LINES,
    Editor,
    FakeClipboard,
    KeyPress,
    Widget,
)
from proctor.computers.backends.fake.files import FakeFiles
from proctor.computers.backends.fake.text import TextBuffer
from proctor.computers.values import Window
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree

SHIFT, CTRL, ALT = ("shift", "shiftright"), ("ctrl", "ctrlright"), ("alt", "altright")
DOUBLE_CLICK_SEC = 0.4

BACKGROUND, TITLE_ACTIVE, TITLE_IDLE = (58, 96, 125), (52, 73, 94), (149, 165, 166)
FACE, LIGHT, DARK, SELECTION = (236, 236, 236), (255, 255, 255), (30, 30, 30), (173, 208, 245)


@dataclass(frozen=True, slots=True)
class FakeHit:
    """What lies under a place."""

    window: Editor
    widget: Widget | None
    """None for the title bar."""


@dataclass(slots=True)
class FakePress:
    """The last press of the left button."""

    at: tuple[int, int]
    time: float
    count: int
    hit: FakeHit | None


class FakeDesktop:
    """Windows bottom to top, and what the input devices do to them."""

    def __init__(self, size: tuple[int, int], files: FakeFiles) -> None:
        self.size = size
        self.files = files
        self.windows: list[Editor] = []
        self.pointer = (size[0] // 2, size[1] // 2)
        self.held_buttons: set[Button] = set()
        self.held_keys: set[str] = set()
        self._clipboard = FakeClipboard()
        self._press: FakePress | None = None
        self._started = 0

    @property
    def active(self) -> Editor | None:
        """The window that has the focus."""
        return self.windows[-1] if self.windows else None

    def open(self, argv: tuple[str, ...], path: str) -> Editor:
        """Open an editor window on top of the others."""
        width, height = self.size
        step = 32 * (self._started % 8)
        box = Box(48 + step, 40 + step, max(min(640, width - 64 - step), 200), max(min(420, height - 64 - step), 120))
        self._started += 1
        editor = Editor(
            id=self._started,
            pid=100 + self._started,
            argv=argv,
            path=path,
            box=box,
            files=self.files,
            clipboard=self._clipboard,
            quit=lambda window: self.windows.remove(window),
        )
        self.windows.append(editor)
        return editor

    def listing(self) -> list[Window]:
        """Return the windows, bottom to top."""
        return [
            Window(
                id=window.id,
                title=window.title,
                app="Mousepad",
                pid=window.pid,
                box=window.box,
                active=window is self.active,
            )
            for window in self.windows
        ]

    # -- input ----------------------------------------------------------------------------------------------------

    def hit(self, x: int, y: int) -> FakeHit | None:
        """Return what lies under a place; what is drawn last is hit first."""
        for window in reversed(self.windows):
            shown = _visible_widgets(window.widget(window is self.active))
            found = [widget for widget in shown if widget.box and widget.box.contains(x, y)]
            if found:
                return FakeHit(window, found[-1])
            if window.box.contains(x, y):
                return FakeHit(window, None)
        return None

    def move(self, x: int, y: int) -> None:
        """Move the pointer; with the left button held, a selection follows it."""
        self.pointer = (x, y)
        if "left" in self.held_buttons and self._press and self._press.hit:
            hit = self._press.hit
            if hit.widget and hit.widget.buffer:
                hit.window.buffer.move(hit.window.place_at(x, y), extend=True)

    def button(self, button: Button, down: bool, now: float) -> None:
        was_held = button in self.held_buttons
        (self.held_buttons.add if down else self.held_buttons.discard)(button)
        if button == "left" and down:
            self._press_left(now)
        elif button == "left" and was_held:
            self._release_left()

    def scroll(self, notches: int) -> None:
        """Turn the wheel over what lies under the pointer."""
        self.scroll_lines(notches * WHEEL_LINES)

    def scroll_lines(self, lines: int) -> None:
        """Scroll what lies under the pointer: positive shows what is below."""
        hit = self.hit(*self.pointer)
        if hit:
            hit.window.scroll(lines)

    def _press_left(self, now: float) -> None:
        last, count = self._press, 1
        if last and last.at == self.pointer and now - last.time <= DOUBLE_CLICK_SEC:
            count = last.count % 3 + 1
        hit = self.hit(*self.pointer)
        self._press = FakePress(self.pointer, now, count, hit)
        if hit is None:
            return
        window, widget = hit.window, hit.widget
        self.windows.remove(window)
        self.windows.append(window)
        if window.asking:
            return
        if window.open_menu and (widget is None or "menu" not in widget.role):
            window.open_menu = ""  # as a real menu, it takes the click that closes it
            self._press.hit = None
        elif widget and widget.buffer:
            window.press(*self.pointer, count, extend=bool(self.held_keys.intersection(SHIFT)))

    def _release_left(self) -> None:
        pressed, released = self._press and self._press.hit, self.hit(*self.pointer)
        if not pressed or not released or pressed.window is not released.window:
            return
        if pressed.widget is None and released.widget is None:
            if _close_button(released.window.box).contains(*self.pointer):
                released.window.close()
        elif (
            pressed.widget
            and released.widget
            and _key(pressed.widget) == _key(released.widget)
            and released.widget.click
        ):
            modal = released.window.asking and released.widget.role != "push button"
            if not modal:
                released.widget.click()

    def key(self, name: str, down: bool) -> None:
        (self.held_keys.add if down else self.held_keys.discard)(name)
        if down and self.active and name not in SHIFT + CTRL + ALT:
            self.active.key(
                KeyPress(
                    name=name,
                    ctrl=bool(self.held_keys.intersection(CTRL)),
                    shift=bool(self.held_keys.intersection(SHIFT)),
                    alt=bool(self.held_keys.intersection(ALT)),
                )
            )

    def type(self, text: str) -> None:
        for char in text:
            if self.active:
                self.active.key(KeyPress(name=key_for_char(char)))

    # -- output ---------------------------------------------------------------------------------------------------

    def tree(self) -> Tree:
        """Return the accessibility tree: one application per window, in the order they were started."""
        nodes: list[Node] = []
        for window in sorted(self.windows, key=lambda window: window.pid):
            app = Widget(role="application", name="mousepad", states=frozenset(), children=(self._top(window),))
            _append(nodes, app, None, 0, window.title)
        return Tree(tuple(nodes))

    def _top(self, window: Editor) -> Widget:
        return window.widget(window is self.active)

    def element_at(self, x: int, y: int) -> Node | None:
        """Return the node of what lies under a place."""
        hit = self.hit(x, y)
        if hit is None or hit.widget is None:
            return None
        key = _key(hit.widget)
        same = (node for node in self.tree().nodes if (node.role, node.name, node.box) == key)
        return next((node for node in same if node.window == hit.window.title), None)

    def look(self, *, cursor: bool) -> Hashable:
        """Return everything that a picture of the desktop depends on."""
        windows = [
            (window.title, window.box, window is self.active, *map(_looks, _visible_widgets(self._top(window))))
            for window in self.windows
        ]
        return self.size, self.pointer if cursor else None, tuple(windows)

    def draw(self, *, cursor: bool) -> Image.Image:
        """Return a picture of the desktop, to be looked at only: it is drawn once."""
        look = self.look(cursor=cursor)
        if (image := _DRAWN.get(look)) is None:
            if len(_DRAWN) >= MOST_DRAWN:
                _DRAWN.clear()
            image = _DRAWN[look] = self._draw_anew(cursor=cursor)
        return image

    def _draw_anew(self, *, cursor: bool) -> Image.Image:
        image = Image.new("RGB", self.size, BACKGROUND)
        pen = ImageDraw.Draw(image)
        pen.fontmode = "1"
        for window in self.windows:
            _draw_title(pen, window, window is self.active)
            for widget in _visible_widgets(self._top(window)):
                _draw(pen, widget)
        if cursor:
            x, y = self.pointer
            pen.polygon([(x, y), (x, y + 16), (x + 11, y + 11)], fill=LIGHT, outline=DARK)
        return image


_DRAWN: dict[Hashable, Image.Image] = {}
MOST_DRAWN = 32
"""Pictures that are kept for all fake computers of a process, which mostly show the same."""


def _looks(widget: Widget) -> Hashable:
    buffer = widget.buffer
    text = (buffer.text, buffer.selection, buffer.caret, widget.first_line) if buffer else ()
    return widget.role, widget.name, widget.box, widget.states, text


def _key(widget: Widget) -> tuple[str, str, Box | None]:
    return widget.role, widget.name, widget.box


def _walk(widget: Widget) -> Iterator[Widget]:
    yield widget
    for child in widget.children:
        yield from _walk(child)


def _visible_widgets(widget: Widget) -> list[Widget]:
    return sorted((part for part in _walk(widget) if part.box), key=lambda part: part.layer)


def _append(nodes: list[Node], widget: Widget, parent: int | None, depth: int, title: str) -> None:
    index = len(nodes)
    nodes.append(
        Node(
            index=index,
            parent=parent,
            depth=depth,
            role=widget.role,
            name=widget.name,
            text=widget.text,
            states=widget.states,
            box=widget.box,
            actions=widget.actions,
            app="mousepad",
            window=title if depth else "",
        )
    )
    for child in widget.children:
        _append(nodes, child, index, depth + 1, title)


# -- pictures ---------------------------------------------------------------------------------------------------------

_FONT = ImageFont.load_default(13)


def _close_button(box: Box) -> Box:
    return Box(box.x + box.width - TITLE_HEIGHT, box.y, TITLE_HEIGHT, TITLE_HEIGHT)


def _draw_title(pen: ImageDraw.ImageDraw, window: Editor, active: bool) -> None:
    x, y, width, height = window.box
    pen.rectangle((x, y, x + width - 1, y + height - 1), fill=FACE, outline=DARK)
    pen.rectangle((x, y, x + width - 1, y + TITLE_HEIGHT - 1), fill=TITLE_ACTIVE if active else TITLE_IDLE)
    pen.text((x + 8, y + 4), window.title, fill=LIGHT, font=_FONT)
    close = _close_button(window.box)
    pen.text((close.x + 8, close.y + 4), "x", fill=LIGHT, font=_FONT)


def _draw(pen: ImageDraw.ImageDraw, widget: Widget) -> None:
    if widget.box is None:
        return
    x, y, width, height = widget.box
    frame = (x, y, x + width - 1, y + height - 1)
    if widget.buffer:
        _draw_text(pen, widget.buffer, widget.first_line, widget.box, caret="focused" in widget.states)
    elif widget.role in ("menu", "menu item", "push button", "label", "alert"):
        outline = None if widget.role in ("menu", "label") else DARK
        pen.rectangle(frame, fill=SELECTION if "selected" in widget.states else FACE, outline=outline)
        if widget.role != "alert":
            pen.text((x + 8, y + 4), widget.name, fill=DARK, font=_FONT)


def _draw_text(pen: ImageDraw.ImageDraw, buffer: TextBuffer, first: int, box: Box, *, caret: bool) -> None:
    x, y, width, height = box
    pen.rectangle((x, y, x + width - 1, y + height - 1), fill=LIGHT, outline=DARK)
    start, end = buffer.selection
    columns, rows = (width - TEXT_MARGIN) // CELL_WIDTH, height // CELL_HEIGHT
    for row, line in enumerate(buffer.lines[first : first + rows]):
        begin = buffer.at(first + row, 0)
        for column, char in enumerate(line[:columns]):
            left, top = x + TEXT_MARGIN + column * CELL_WIDTH, y + row * CELL_HEIGHT
            if start <= begin + column < end:
                pen.rectangle((left, top, left + CELL_WIDTH - 1, top + CELL_HEIGHT - 1), fill=SELECTION)
            if char.isprintable() and char != " ":
                pen.text((left, top + 1), char, fill=DARK, font=_FONT)
    line_number, column = buffer.place(buffer.caret)
    if caret and first <= line_number < first + rows and column <= columns:
        left, top = x + TEXT_MARGIN + column * CELL_WIDTH, y + (line_number - first) * CELL_HEIGHT
        pen.line((left, top, left, top + CELL_HEIGHT - 1), fill=DARK)
