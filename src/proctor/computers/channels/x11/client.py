"""A desktop seen and touched through its X server: pixels, pointer, raw keys, windows and signs of change."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Callable

from PIL import Image

from proctor.computers.channels.x11 import windows as x11_windows
from proctor.computers.channels.x11.events import Cursor, Damaged, DesktopEvent, Resized, WindowsChanged, XPointer
from proctor.computers.channels.x11.pixels import PixelReader
from proctor.computers.channels.x11.protocol import Extension, Op, XError
from proctor.computers.channels.x11.root_window import Rooted
from proctor.computers.channels.x11.windows import Popup, XWindow
from proctor.errors import ComputerError
from proctor.observations.box import Box

CARDINAL = 6
MAX_CURSOR_SIDE = 512
NO_CURSOR_SEC = 60.0
"""How long a pointer is left undrawn after it turned out to be of millions of pixels."""
ROOT_EVENTS = 0x20000 | 0x80000 | 0x400000
"""StructureNotify, SubstructureNotify and PropertyChange."""
CLICK_PAUSE_MS = 60
"""Between the clicks of one gesture: time for a window manager to take the pointer, and no desktop counts it as two."""
PAUSE_SEC = 0.25
"""How often a wait for something on the wire looks at its own clock."""

KEY_PRESS, KEY_RELEASE, BUTTON_PRESS, BUTTON_RELEASE, MOTION = 2, 3, 4, 5, 6
WINDOW_EVENTS = frozenset({16, 17, 18, 19, 21, 22, 24, 26})
"""Create, Destroy, Unmap, Map, Reparent, Configure, Gravity and Circulate of the root's children."""
CONFIGURE_NOTIFY, PROPERTY_NOTIFY, CLIENT_MESSAGE, MAPPING_NOTIFY = 22, 28, 33, 34
BOUNDING_BOX = 2


class X11(Rooted):
    """The desktop behind a connected X socket.

    Waiting: events are gathered whenever anything is read; `wait` and `drain` hand them out, at most one of each kind.
    Damage is reported as the box around everything drawn since the last hand-out, so a busy screen causes no traffic
    while nobody looks.

    Believing: events count only when the server made them. What windows say of themselves are claims.
    """

    def __init__(
        self,
        sock: socket.socket,
        *,
        timeout_sec: float = 10.0,
        size: tuple[int, int] | None = None,
        dial: Callable[[], socket.socket] | None = None,
        note: Callable[[str], None] | None = None,
    ) -> None:
        """Connect to a display over a socket, and again by `dial` when it is cut.

        `size` is what the screen is meant to measure, and every screenshot does; without it, what it measures now.
        `note` is told in words what programs did to the connection.
        """
        self.keymap_changes = 0
        """Counts the keyboard mappings announced so far; whoever caches the mapping compares."""
        self.drawings = 0
        """Counts the reports of damage so far; whoever keeps a picture compares."""
        self._planned = size
        self._no_cursor_until = 0.0
        self._pings = int(time.monotonic() * 1000) & 0x7FFFFFFF
        super().__init__(sock, timeout_sec=timeout_sec, dial=dial, note=note)

    def _enter(self) -> None:
        self._damaged: Damaged | None = None
        self._windows_changed: WindowsChanged | None = None
        self._resized: Resized | None = None
        self._awaited_pong: tuple[int, int] | None = None
        self._damage_event = -1
        super()._enter()
        self._planned = self._planned or self.size
        self._xtest = self._require("XTEST")
        self._xfixes = self._require("XFIXES")
        self._pixels = PixelReader(self, self._find_shm(), self._planned)
        self.call(self._xfixes.major, 0, struct.pack("<II", 5, 0))
        self.atoms(*x11_windows.ATOMS)
        self._subscribe()
        if self._reopened:  # whatever was drawn meanwhile was not seen
            self._damaged = Damaged(at=time.monotonic(), box=self.visible)
            self.drawings += 1

    def _subscribe(self) -> None:
        self._damage = self._require("DAMAGE")
        self.call(self._damage.major, 0, struct.pack("<II", 1, 1))
        self._damage_event = self._damage.first_event
        self._watch_damage()
        self.send(Op.ChangeWindowAttributes, 0, struct.pack("<III", self.root, 0x800, ROOT_EVENTS))
        self.sync()

    def _watch_damage(self) -> None:
        self._damage_gone = False
        self._damage_id = self.new_id()
        self.send(self._damage.major, 1, struct.pack("<IIB", self._damage_id, self.root, BOUNDING_BOX))

    def _require(self, name: str) -> Extension:
        found = self.extension(name)
        if found is None:
            raise ComputerError(f"the X server has no {name} extension", remedy="use an image with TigerVNC's Xvnc")
        return found

    def _find_shm(self) -> Extension | None:
        shm = self.extension("MIT-SHM")
        if shm is None:
            return None
        version = struct.unpack_from("<HH", self.call(shm.major, 0), 8)
        return shm if version >= (1, 2) else None

    def close(self) -> None:
        """Close the connection; what was grabbed last stays readable."""
        self._pixels.let_go()
        super().close()

    # -- see --------------------------------------------------------------------------------------------------------

    def grab(self, box: Box | None = None) -> memoryview:
        """Return the visible pixels as blue, green, red, unused; the next grab overwrites the view."""
        return self._grab(box)[1]

    def screenshot(self, *, cursor: bool = True) -> Image.Image:
        """Return the desktop as an RGB image of the planned size, with the pointer unless told otherwise.

        Of a larger screen the right and the bottom are left out, a smaller one is followed by black.
        """
        area, data = self._grab(None)
        size = (area.width, area.height)
        # Unpacking copies, so the image is its owner's; Pillow takes any buffer, though its types say less.
        image = Image.frombuffer("RGB", size, data, "raw", "BGRX", 0, 1)  # type: ignore[arg-type]
        if size != self._pixels.planned:
            whole = Image.new("RGB", self._pixels.planned)
            whole.paste(image, (0, 0))
            image = whole
        drawn = self.cursor() if cursor else None
        if drawn:
            image.paste(drawn.image, (drawn.x, drawn.y), drawn.image)
        return image

    @property
    def visible(self) -> Box:
        """The part of the desktop that can be grabbed: what is there now, up to the planned size."""
        return self._pixels.visible(self.size)

    def _grab(self, box: Box | None) -> tuple[Box, memoryview]:
        lost = self._pixels.lost_segments
        try:
            area = self._area(box)
            return area, self._pixels.read(self.root, area)
        except XError as error:
            # The desktop shrank while we asked; its new size was announced before the refusal.
            if error.kind != "BadMatch":
                raise
            area = self._area(box)
            return area, self._pixels.read(self.root, area)
        finally:
            if self._pixels.lost_segments > lost:
                self._note("a program detached the memory that the display shares with the harness")

    def cursor(self) -> Cursor | None:
        """Return the pointer's picture; None while it is hidden or went with the program that drew it."""
        if time.monotonic() < self._no_cursor_until:
            return None
        try:
            reply = self.call(self._xfixes.major, 4)
        except XError:
            return None
        x, y, width, height, hot_x, hot_y = struct.unpack_from("<hhHHHH", reply, 8)
        pixels = reply[32 : 32 + width * height * 4]
        if not 0 < width <= MAX_CURSOR_SIDE or not 0 < height <= MAX_CURSOR_SIDE or len(pixels) < width * height * 4:
            return None
        image = Image.frombytes("RGBA", (width, height), pixels, "raw", "BGRa")
        return Cursor(image=image, x=x - hot_x, y=y - hot_y)

    def _area(self, box: Box | None) -> Box:
        if not self.screen.true_colour:
            raise ComputerError(
                "the X server's pixels are not 32-bit RGB", remedy="start it with depth 24 on a little-endian machine"
            )
        whole = self.visible
        area = whole.intersect(box) if box else whole
        if area is None or (box and area != box):
            raise ComputerError(f"{box} is not inside the desktop of {whole.width}x{whole.height}")
        return area

    # -- touch ------------------------------------------------------------------------------------------------------

    def move(self, x: int, y: int) -> None:
        """Put the pointer somewhere; the server keeps it on the desktop."""
        self._fake(MOTION, 0, clamp(x), clamp(y))

    def button(self, number: int, down: bool) -> None:
        self._fake(BUTTON_PRESS if down else BUTTON_RELEASE, number)

    def clicks(self, number: int, count: int) -> None:
        """Click a button several times in a row, as a hand would: with a pause before each click after the first.

        The server keeps the pauses, so that a busy host stretches none of them. Without them a window manager that
        still works off the first press is refused the pointer, because it was pressed again since.
        """
        for turn in range(count):
            press = fake_input(self._xtest.major, BUTTON_PRESS, number, after_ms=CLICK_PAUSE_MS if turn else 0)
            self.send_raw(press + fake_input(self._xtest.major, BUTTON_RELEASE, number), 2)
        self.flush()

    def key(self, keycode: int, down: bool) -> None:
        """Press or release a key by its keycode."""
        self._fake(KEY_PRESS if down else KEY_RELEASE, keycode)

    def key_request(self, keycode: int, down: bool) -> bytes:
        """Return the request `key` would send, for whoever sends thousands at once with `send_raw`."""
        return fake_input(self._xtest.major, KEY_PRESS if down else KEY_RELEASE, keycode)

    def pointer(self) -> XPointer:
        """Return where the pointer is."""
        reply = self.call(Op.QueryPointer, 0, struct.pack("<I", self.root))
        x, y, state = struct.unpack_from("<hh4xH", reply, 16)
        return XPointer(x=x, y=y, state=state)

    def _fake(self, kind: int, detail: int, x: int = 0, y: int = 0) -> None:
        self.send_raw(fake_input(self._xtest.major, kind, detail, self.root, x, y), 1)
        self.flush()

    # -- windows ----------------------------------------------------------------------------------------------------

    def windows(self) -> list[XWindow]:
        return x11_windows.list_windows(self)

    def popups(self) -> list[Popup]:
        """Return what is on screen without the window manager's doing: menus, drop-downs, tooltips."""
        return x11_windows.list_popups(self)

    def activate(self, window: int) -> None:
        """Ask the window manager to raise and focus a window; a window that is gone is ignored."""
        self.send_message(self.root, window, "_NET_ACTIVE_WINDOW", (2, 0, 0), mask=x11_windows.TO_MANAGER)
        self.flush()

    def close_window(self, window: int) -> None:
        """Ask the window manager to close a window, as its close button would; one that is gone is ignored."""
        self.send_message(self.root, window, "_NET_CLOSE_WINDOW", (0, 2), mask=x11_windows.TO_MANAGER)
        self.flush()

    def ping(self, window: int, *, timeout_sec: float = 1.0) -> bool | None:
        """Tell whether a window's program works off its events; None when it takes no part in that, or is gone."""
        (ping,) = self.atoms("_NET_WM_PING")
        if ping not in x11_windows.protocols(self, window):
            return None
        deadline = time.monotonic() + timeout_sec
        self._pings = (self._pings + 1) & 0x7FFFFFFF
        self._awaited_pong = (self._pings, window)
        self.send_message(window, window, "WM_PROTOCOLS", (ping, self._pings, window), mask=0)
        there = True
        while there and self._awaited_pong and time.monotonic() < deadline:
            self.pump(max(0.0, min(deadline - time.monotonic(), PAUSE_SEC)))
            # What was typed or clicked may have closed it: then nobody answers any more.
            there = not self._awaited_pong or ping in x11_windows.protocols(self, window)
        answered = self._awaited_pong is None
        self._awaited_pong = None
        return answered or (False if there else None)

    def send_message(self, destination: int, window: int, kind: str, data: tuple[int, ...], *, mask: int) -> None:
        """Queue a client message of up to five 32-bit values."""
        values = struct.pack("<5I", *data, *(0,) * (5 - len(data)))
        message = struct.pack("<BBHII", CLIENT_MESSAGE, 32, 0, window, *self.atoms(kind)) + values
        self.send(Op.SendEvent, 0, struct.pack("<II", destination, mask) + message)

    def nudge(self) -> None:
        """Give the window manager an event to read.

        Openbox at times sleeps on events it has already taken off the wire, and handles them only when another one
        comes: a window then stays unmapped for seconds. It hears of every property of the root window.
        """
        (name,) = self.atoms("_PROCTOR_NUDGE")
        self.send(Op.ChangeProperty, 0, struct.pack("<IIIB3xI", self.root, name, CARDINAL, 32, 1) + bytes(4))
        self._forget_damage()  # the server complains where a program has taken the object away
        self.flush()

    # -- wait -------------------------------------------------------------------------------------------------------

    def wait(self, timeout_sec: float) -> list[DesktopEvent]:
        """Return what has happened, as soon as anything has; an empty list when the time is up."""
        deadline = time.monotonic() + timeout_sec
        while True:
            events = self.drain()
            left = deadline - time.monotonic()
            if events or left <= 0:
                return events
            self.pump(left)

    def drain(self) -> list[DesktopEvent]:
        """Return what has happened since the last hand-out, without waiting."""
        self.pump()
        events: list[DesktopEvent] = [event for event in (self._resized, self._windows_changed, self._damaged) if event]
        if self._damaged:
            self._forget_damage()
            self.flush()
        self._resized = self._windows_changed = self._damaged = None
        return events

    def _forget_damage(self) -> None:
        if self._damage_gone:
            self._watch_damage()
        self.send(self._damage.major, 3, struct.pack("<III", self._damage_id, 0, 0))

    def _on_flood(self, request: str) -> None:
        if request.startswith("XFIXES"):
            self._no_cursor_until = time.monotonic() + NO_CURSOR_SEC

    def _on_late_error(self, error: XError) -> None:
        if error.request.startswith("DAMAGE"):
            self._note("a program took away the object by which the harness follows the screen")
            self._damage_gone = True
            # Whatever was drawn meanwhile was not seen.
            self._damaged = Damaged(at=time.monotonic(), box=self.visible)
            return
        super()._on_late_error(error)

    def _on_event(self, code: int, packet: bytes, *, sent: bool) -> None:
        if sent and code != CLIENT_MESSAGE:
            return
        now = time.monotonic()
        if code == self._damage_event:
            self.drawings += 1
            self._damaged = Damaged(at=now, box=self._union(Box(*struct.unpack_from("<hhHH", packet, 16))))
        elif code == CONFIGURE_NOTIFY and struct.unpack_from("<I", packet, 8)[0] == self.root:
            before, self.size = self.size, struct.unpack_from("<HH", packet, 20)
            if self.size != before:
                self._note(f"a program made the screen {self.size[0]}x{self.size[1]}")
            self._resized = Resized(at=now, size=self.size)
        elif code in WINDOW_EVENTS or (code == PROPERTY_NOTIFY and self._tells_of_windows(packet)):
            self._windows_changed = WindowsChanged(at=now)
        elif code == MAPPING_NOTIFY:
            self.keymap_changes += 1
        elif code == CLIENT_MESSAGE and self._awaited_pong:
            kind, protocol, stamp, window = struct.unpack_from("<IIII", packet, 8)
            expected = (*self.atoms("WM_PROTOCOLS", "_NET_WM_PING"), *self._awaited_pong)
            if (kind, protocol, stamp, window) == expected:
                self._awaited_pong = None

    def _union(self, box: Box) -> Box:
        if self._damaged is None:
            return box
        left, top, width, height = self._damaged.box
        x, y = min(left, box.x), min(top, box.y)
        right, bottom = max(left + width, box.x + box.width), max(top + height, box.y + box.height)
        return Box(x, y, right - x, bottom - y)

    def _tells_of_windows(self, packet: bytes) -> bool:
        names = ("_NET_CLIENT_LIST", "_NET_CLIENT_LIST_STACKING", "_NET_ACTIVE_WINDOW")
        return struct.unpack_from("<I", packet, 8)[0] in [self._atoms.get(name) for name in names]


def fake_input(
    major: int, kind: int, detail: int, root: int = 0, x: int = 0, y: int = 0, *, after_ms: int = 0
) -> bytes:
    """Return an XTEST request that fakes one device event, after a time that the server waits."""
    return struct.pack("<BBHBBxxII8xhh8x", major, 2, 9, kind, detail, after_ms, root, x, y)


def clamp(value: int) -> int:
    """Return the nearest number the wire can carry."""
    return max(-0x8000, min(value, 0x7FFF))
