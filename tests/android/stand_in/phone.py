"""A phone in memory: launcher, settings, clock and notepad, drawn as pictures and described as uiautomator does."""

from __future__ import annotations

import itertools
import posixpath
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import quoteattr

from PIL import Image, ImageDraw

APPS = {
    "com.android.settings": "com.android.settings/.Settings",
    "com.android.deskclock": "com.android.deskclock/.DeskClock",
    "org.example.notes": "org.example.notes/.MainActivity",
}
LAUNCHER = "com.android.launcher3"
PLAIN_KEYBOARD = "com.android.inputmethod.latin/.LatinIME"
ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"
BAR = 24
ROW = 60
BACK, HOME, ENTER, DELETE, SELECT_ALL = 4, 3, 66, 67, (113, 29)


@dataclass
class Element:
    """Something on the screen."""

    kind: str
    text: str = ""
    label: str = ""
    resource: str = ""
    box: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Left, top, right, bottom."""
    checked: bool | None = None
    does: Callable[[], None] | None = None

    @property
    def editable(self) -> bool:
        """Whether text can be typed into it."""
        return self.kind == "EditText"


@dataclass
class Phone:
    """One device. What a test wants to go wrong, it sets in the fields."""

    serial: str = "emulator-5554"
    size: tuple[int, int] = (360, 640)
    """Upright."""
    state: str = "device"
    sdk: int = 34
    adb_keyboard: bool = True
    """Whether ADBKeyBoard is installed."""
    features: str = "shell_v2,cmd,stat_v2"
    multitouch: bool = True
    dump: bytes | None = None
    """What uiautomator writes in place of the truth."""
    dump_error: str = ""
    """What it says in place of writing."""
    picture: bytes | None = None
    """What screencap writes in place of the truth."""
    ticking: bool = False
    """Whether a clock in the status bar changes with every picture."""
    hanging: set[str] = field(default_factory=set)
    """Programs that never end."""
    cut_after: int | None = None
    """After so many bytes of a service the connection is cut."""
    events: list[tuple[object, ...]] = field(default_factory=list)
    """Everything that was done with fingers and keys."""

    def __post_init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="proctor-phone-")
        self.root = Path(self._folder.name)
        for name in ("sdcard/Download", "sdcard/Documents", "data/local/tmp", "tmp", "system/bin"):
            (self.root / name).mkdir(parents=True)
        self.front = LAUNCHER
        self.notes, self.wifi = "", False
        self.focused, self.selected = False, False
        self.settings = {"accelerometer_rotation": "1", "user_rotation": "0", "default_input_method": PLAIN_KEYBOARD}
        self.running: dict[str, int] = {}
        self.raw: list[tuple[int, int, int]] = []
        self._pids = itertools.count(4000)
        self._ticks = itertools.count()

    def close(self) -> None:
        """Remove its files."""
        self._folder.cleanup()

    def new_pid(self) -> int:
        """Return the number of another process."""
        return next(self._pids)

    # -- files ----------------------------------------------------------------------------------------------------

    def absolute(self, path: str, cwd: str = "/") -> str:
        """Return a path of the phone without anything relative in it."""
        return "/" + posixpath.normpath(posixpath.join(cwd, path)).lstrip("/")

    def path(self, path: str, cwd: str = "/") -> Path:
        """Return where a path of the phone lies on the host."""
        return self.root / self.absolute(path, cwd).lstrip("/")

    # -- what is shown --------------------------------------------------------------------------------------------

    @property
    def rotation(self) -> int:
        """Quarter turns of the picture; nobody turns this phone by hand."""
        return int(self.settings["user_rotation"]) if self.settings["accelerometer_rotation"] == "0" else 0

    @property
    def shown_size(self) -> tuple[int, int]:
        """Size of the picture, turned as it is."""
        width, height = self.size
        return (height, width) if self.rotation % 2 else (width, height)

    def elements(self) -> list[Element]:
        """Return what is on the screen, from top to bottom."""
        rows = {
            LAUNCHER: self._launcher,
            "com.android.settings": self._settings,
            "com.android.deskclock": lambda: [Element("TextView", "12:00", resource="digital_clock")],
            "org.example.notes": self._notes,
        }[self.front]()
        width = self.shown_size[0]
        for number, element in enumerate(rows):
            top = BAR + number * ROW
            element.box = (10, top + 4, width - 10, top + ROW - 4)
        return rows

    def _launcher(self) -> list[Element]:
        names = {"com.android.settings": "Settings", "com.android.deskclock": "Clock", "org.example.notes": "Notes"}
        return [Element("TextView", name, label=name, does=self._opener(app)) for app, name in names.items()]

    def _opener(self, app: str) -> Callable[[], None]:
        return lambda: self.open(app)

    def _settings(self) -> list[Element]:
        return [Element("Switch", "Wi-Fi", resource="switch_wifi", checked=self.wifi, does=self._toggle)]

    def _notes(self) -> list[Element]:
        return [
            Element("EditText", self.notes, label="Note", resource="note"),
            Element("Button", "Save", resource="save", does=self._save),
        ]

    def _toggle(self) -> None:
        self.wifi = not self.wifi

    def _save(self) -> None:
        self.path("/sdcard/Documents/note.txt").write_text(self.notes, encoding="utf-8")

    def draw(self) -> Image.Image:
        """Return the picture of the screen."""
        picture = Image.new("RGB", self.shown_size, "white")
        pen = ImageDraw.Draw(picture)
        pen.rectangle((0, 0, self.shown_size[0], BAR - 4), fill="black")
        if self.ticking:
            at = next(self._ticks) % 20
            pen.rectangle((at * 8, 2, at * 8 + 30, 16), fill="white")
        for element in self.elements():
            fill = "lightblue" if element.checked else "lightyellow" if element.editable else "lightgrey"
            pen.rectangle(element.box, fill=fill, outline="blue" if element.editable and self.focused else "black")
            shown = element.text.encode("ascii", "replace").decode()
            pen.text((element.box[0] + 6, element.box[1] + 6), shown[-200:], fill="black")
        return picture

    def describe(self) -> bytes:
        """Return the same as uiautomator writes it."""
        width, height = self.shown_size
        package = f' package="{self.front}"'
        rows = "".join(self._row(number, element, package) for number, element in enumerate(self.elements()))
        frame = f'<node index="0" text="" resource-id="" class="android.widget.FrameLayout"{package}'
        flags = 'content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false"'
        rest = f'{flags} focused="false" scrollable="false" bounds="[0,0][{width},{height}]"'
        head = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
        return f'{head}<hierarchy rotation="{self.rotation}">{frame} {rest}>{rows}</node></hierarchy>'.encode()

    def _row(self, number: int, element: Element, package: str) -> str:
        left, top, right, bottom = element.box
        resource = f"{self.front}:id/{element.resource}" if element.resource else ""
        flags = {
            "checkable": element.checked is not None, "checked": bool(element.checked),
            "clickable": element.does is not None or element.editable, "enabled": True, "focusable": element.editable,
            "focused": element.editable and self.focused, "scrollable": False, "long-clickable": False,
            "password": False, "selected": False,
        }  # fmt: skip
        words = {"text": element.text, "resource-id": resource, "content-desc": element.label}
        told = {**words, **{name: str(flag).lower() for name, flag in flags.items()}}
        attributes = "".join(f" {name}={_quoted(value)}" for name, value in told.items())
        place = f'bounds="[{left},{top}][{right},{bottom}]"'
        return f'<node index="{number}" class="android.widget.{element.kind}"{package}{attributes} {place} />'

    # -- what is done ---------------------------------------------------------------------------------------------

    def open(self, app: str) -> None:
        """Bring an application to the front."""
        self.front, self.focused = app, False
        self.running.setdefault(app, self.new_pid())

    def tap(self, x: int, y: int) -> None:
        """Touch a place."""
        self.focused = False
        for element in self.elements():
            left, top, right, bottom = element.box
            if left <= x < right and top <= y < bottom:
                self.focused = element.editable
                if element.does:
                    element.does()

    def press(self, keys: tuple[int, ...]) -> None:
        """Press keys together."""
        if keys == SELECT_ALL:
            self.selected = True
        elif keys in ((BACK,), (HOME,)):
            self.front, self.focused = LAUNCHER, False
        elif keys == (ENTER,):
            self.write("\n")
        elif keys == (61,):
            self.write("\t")
        elif keys in ((DELETE,), (112,)):
            self.notes = "" if self.selected else self.notes[:-1]
            self.selected = False

    def write(self, text: str) -> None:
        """Type a text into what has the focus."""
        if self.focused:
            self.notes = text if self.selected else self.notes + text
        self.selected = False


def _quoted(value: str) -> str:
    return quoteattr(value, {"\n": "&#10;", "\t": "&#9;"})
