"""The one application of a fake computer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from proctor.actions.keys import char_of_key
from proctor.computers.backends.fake.files import FakeFiles
from proctor.computers.backends.fake.text import TextBuffer
from proctor.home import HOME
from proctor.observations.box import Box

CELL_WIDTH, CELL_HEIGHT = 8, 18
"""Every character of a text area takes one cell."""
TEXT_MARGIN = 4
TITLE_HEIGHT, BAR_HEIGHT, ITEM_WIDTH, ITEM_HEIGHT = 24, 24, 180, 24
WHEEL_LINES = 3

SHOWN = frozenset({"enabled", "sensitive", "showing", "visible"})
HIDDEN = frozenset({"enabled", "sensitive"})
TEXT_STATES = SHOWN | {"editable", "focusable", "multi line"}


@dataclass(frozen=True, kw_only=True)
class Widget:
    """One description of an element, from which its picture, its node in the tree and its reaction all come."""

    role: str
    name: str = ""
    text: str = ""
    box: Box | None = None
    states: frozenset[str] = SHOWN
    children: tuple[Widget, ...] = ()
    layer: int = 0
    """What floats above the window has a higher layer."""
    click: Callable[[], None] | None = None
    actions: tuple[str, ...] = ()
    buffer: TextBuffer | None = None
    first_line: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyPress:
    """A key that went down, with the modifiers held."""

    name: str
    ctrl: bool = False
    shift: bool = False
    alt: bool = False

    @property
    def char(self) -> str:
        """The character it carries; empty when none."""
        return char_of_key(self.name)


@dataclass(kw_only=True)
class FakeClipboard:
    """What was copied last; shared by every window."""

    text: str = ""


@dataclass(kw_only=True)
class Editor:
    """A window with a menu bar and a text area."""

    id: int
    pid: int
    argv: tuple[str, ...]
    path: str
    """Absolute; empty for a new document."""
    box: Box
    files: FakeFiles
    clipboard: FakeClipboard
    quit: Callable[[Editor], None]
    buffer: TextBuffer = field(init=False)
    saved: str = field(init=False)
    first_line: int = 0
    open_menu: str = ""
    asking: bool = False
    """Whether it asks what to do with unsaved changes."""
    _described: tuple[tuple[object, ...], Widget] | None = None

    def __post_init__(self) -> None:
        known = self.path in self.files.entries
        self.saved = self.files.read(self.path).decode("utf-8", "replace") if known else ""
        self.buffer = TextBuffer(self.saved)

    @property
    def title(self) -> str:
        """As Mousepad writes it: a star when there are changes, the home folder as a tilde."""
        name = self.path.replace(HOME + "/", "~/", 1) if self.path else "Untitled 1"
        return f"{'*' if self.buffer.text != self.saved else ''}{name} - Mousepad"

    # -- what it shows --------------------------------------------------------------------------------------------

    @property
    def text_area(self) -> Box:
        """Where the text is."""
        x, y, width, height = self.box
        top = TITLE_HEIGHT + BAR_HEIGHT
        return Box(x, y + top, width, height - top)

    @property
    def menus(self) -> dict[str, dict[str, Callable[[], None]]]:
        """The menu bar: what each item does."""
        return {
            "File": {"Save": self.save, "Save All": self.save, "Close Window": self.close, "Quit": self.close},
            "Edit": {
                "Undo": self.buffer.undo,
                "Cut": self.cut,
                "Copy": self.copy,
                "Paste": self.paste,
                "Select All": self.buffer.select_all,
            },
        }

    def widget(self, active: bool) -> Widget:
        """Describe the window as it is now; the same description is not made twice in a row."""
        state = (active, self.box, self.title, self.buffer.text, self.first_line, self.open_menu, self.asking)
        if self._described is None or self._described[0] != state:
            self._described = state, self._describe(active)
        return self._described[1]

    def _describe(self, active: bool) -> Widget:
        x, y, width, height = self.box
        content = Box(x, y + TITLE_HEIGHT, width, height - TITLE_HEIGHT)
        bar = Box(x, y + TITLE_HEIGHT, width, BAR_HEIGHT)
        menus = tuple(
            self._menu(place, name, items, Box(x + place * 48, bar.y, 48, BAR_HEIGHT))
            for place, (name, items) in enumerate(self.menus.items())
        )
        focused = active and not self.open_menu and not self.asking
        text = Widget(
            role="text",
            text=self.buffer.text,
            box=self.text_area,
            states=TEXT_STATES | ({"focused"} if focused else set()),
            buffer=self.buffer,
            first_line=self.first_line,
        )
        return Widget(
            role="frame",
            name=self.title,
            box=content,
            states=SHOWN | ({"active"} if active else set()),
            children=(
                Widget(role="menu bar", box=bar, children=menus),
                Widget(role="scroll pane", box=self.text_area, children=(text,)),
                *self._question(),
            ),
        )

    def _menu(self, place: int, name: str, items: dict[str, Callable[[], None]], box: Box) -> Widget:
        is_open = self.open_menu == name

        def toggle() -> None:
            self.open_menu = "" if is_open else name

        def chosen(action: Callable[[], None]) -> Callable[[], None]:
            def choose() -> None:
                self.open_menu = ""
                action()

            return choose

        children = tuple(
            Widget(
                role="menu item",
                name=label,
                box=Box(box.x, box.y + box.height + row * ITEM_HEIGHT, ITEM_WIDTH, ITEM_HEIGHT) if is_open else None,
                states=SHOWN if is_open else HIDDEN,
                layer=1,
                click=chosen(action),
                actions=("click",),
            )
            for row, (label, action) in enumerate(items.items())
        )
        states = SHOWN | ({"selected"} if is_open else set())
        return Widget(role="menu", name=name, box=box, states=states, children=children, click=toggle)

    def _question(self) -> tuple[Widget, ...]:
        if not self.asking:
            return ()
        x, y = self.box.x + 80, self.box.y + 120
        answers = {"Cancel": self._stay, "Don't Save": lambda: self.quit(self), "Save": self._save_and_leave}
        label = Widget(
            role="label", name="Do you want to save the changes?", box=Box(x + 16, y + 16, 300, CELL_HEIGHT), layer=2
        )
        buttons = tuple(
            Widget(role="push button", name=name, box=Box(x + 16 + 108 * place, y + 60, 100, 28), layer=2, click=click)
            for place, (name, click) in enumerate(answers.items())
        )
        return (
            Widget(role="alert", name="Save Changes", box=Box(x, y, 348, 104), layer=2, children=(label, *buttons)),
        )

    # -- what it does ---------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write the document to its file."""
        if self.path:
            self.files.write(self.path, self.buffer.text.encode())
            self.saved = self.buffer.text

    def close(self) -> None:
        """Close the window, asking first when there are changes."""
        if self.buffer.text != self.saved:
            self.asking = True
        else:
            self.quit(self)

    def _stay(self) -> None:
        self.asking = False

    def _save_and_leave(self) -> None:
        self._stay()
        self.save()
        self.close()

    def copy(self) -> None:
        """Copy the selection."""
        self.clipboard.text = self.buffer.selected or self.clipboard.text

    def cut(self) -> None:
        """Cut the selection."""
        if self.buffer.selected:
            self.copy()
            self.buffer.insert("")

    def paste(self) -> None:
        """Insert what was copied."""
        self.buffer.insert(self.clipboard.text)

    def place_at(self, x: int, y: int) -> int:
        """Return the place in the text under a pixel."""
        area = self.text_area
        line = self.first_line + (y - area.y) // CELL_HEIGHT
        return self.buffer.at(line, (x - area.x - TEXT_MARGIN + CELL_WIDTH // 2) // CELL_WIDTH)

    def press(self, x: int, y: int, count: int, *, extend: bool) -> None:
        """Take a button press in the text area; the second and third in a row select more."""
        self.buffer.move(self.place_at(x, y), extend=extend)
        if count == 2:
            self.buffer.select_word()
        elif count == 3:
            self.buffer.select_line()

    def scroll(self, lines: int) -> None:
        """Scroll by so many lines: positive shows what is below."""
        shown = self.text_area.height // CELL_HEIGHT
        last = max(len(self.buffer.lines) - shown, 0)
        self.first_line = min(max(self.first_line + lines, 0), last)

    def key(self, key: KeyPress) -> None:
        """Take a key press."""
        if key.name == "escape":
            self.open_menu, self.asking = "", False
        elif self.asking or self.open_menu:
            return
        elif key.alt:
            self.open_menu = {"f": "File", "e": "Edit"}.get(key.char.lower(), "")
        elif key.ctrl and key.char:
            self._shortcut(key.char.lower())
        elif key.char:
            self.buffer.insert(key.char)
        else:
            self._edit(key)
        self._follow_caret()

    def _shortcut(self, char: str) -> None:
        shortcuts = {
            "a": self.buffer.select_all,
            "c": self.copy,
            "q": self.close,
            "s": self.save,
            "v": self.paste,
            "w": self.close,
            "x": self.cut,
            "z": self.buffer.undo,
        }
        if char in shortcuts:
            shortcuts[char]()

    def _edit(self, key: KeyPress) -> None:
        buffer = self.buffer
        if key.name in ("enter", "tab"):
            buffer.insert("\n" if key.name == "enter" else "\t")
            return
        if key.name in ("backspace", "delete"):
            buffer.delete(-1 if key.name == "backspace" else 1)
            return
        line, column = buffer.place(buffer.caret)
        page = self.text_area.height // CELL_HEIGHT
        targets = {
            "left": buffer.caret - 1,
            "right": buffer.caret + 1,
            "up": buffer.at(line - 1, column),
            "down": buffer.at(line + 1, column),
            "pageup": buffer.at(line - page, column),
            "pagedown": buffer.at(line + page, column),
            "home": 0 if key.ctrl else buffer.at(line, 0),
            "end": len(buffer.text) if key.ctrl else buffer.at(line, len(buffer.lines[line])),
        }
        if key.name in targets:
            buffer.move(targets[key.name], extend=key.shift)

    def _follow_caret(self) -> None:
        line, _ = self.buffer.place(self.buffer.caret)
        shown = max(self.text_area.height // CELL_HEIGHT, 1)
        self.first_line = min(max(self.first_line, line - shown + 1), line)
