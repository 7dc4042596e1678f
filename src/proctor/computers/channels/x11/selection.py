"""What programs hold ready for others to paste: reading it, and taking it away."""

from __future__ import annotations

import struct
import time
from collections.abc import Callable

from proctor.computers.channels.x11.client import X11
from proctor.computers.channels.x11.protocol import Op, XError
from proctor.computers.channels.x11.root_window import Rooted
from proctor.errors import ComputerError

SELECTION_NOTIFY, PROPERTY_NOTIFY = 31, 28
PATIENCE_SEC = 5.0
"""How long the owner may take to hand over all of it."""
_CREATE_WINDOW, _GET_OWNER, _CONVERT = 1, 23, 24
_INPUT_ONLY, _EVENT_MASK, _PROPERTY_CHANGE = 2, 0x800, 0x400000
_QUERY_CLIENTS, _LOCAL_PID = 4, 2
_PLACE = "PROCTOR_PASTE"
_NAMES = ("CLIPBOARD", "PRIMARY", "SECONDARY")


class TooMuch(ComputerError):
    """A selection is larger than what is looked at."""


class SelectionReader(Rooted):
    """A connection of its own that asks for a selection, as a program does that pastes."""

    def _enter(self) -> None:
        self._told: list[bytes] = []
        self._new_values = 0
        super()._enter()
        self._place = self.atoms(_PLACE)[0]
        self._window = self.new_id()
        box = struct.pack("<hhHHH", 0, 0, 1, 1, 0)
        made = (
            struct.pack("<II", self._window, self.root)
            + box
            + struct.pack("<HIII", _INPUT_ONLY, 0, _EVENT_MASK, _PROPERTY_CHANGE)
        )
        self.send(_CREATE_WINDOW, 0, made)

    def _on_event(self, code: int, packet: bytes, *, sent: bool) -> None:
        # The owner sends the first; that it does so is no claim, as what counts is what stands in the property.
        if code == SELECTION_NOTIFY:
            self._told.append(packet)
        elif code == PROPERTY_NOTIFY and not sent:
            window, atom, _, state = struct.unpack_from("<IIIB", packet, 4)
            if window == self._window and atom == self._place and state == 0:
                self._new_values += 1

    def owner(self, name: str) -> int:
        """Return the process that holds a selection, as the server knows it; 0 where it cannot tell."""
        (window,) = struct.unpack_from("<I", self.call(_GET_OWNER, 0, struct.pack("<I", self.atoms(name)[0])), 8)
        resources = self.extension("X-Resource")
        if not window or resources is None:
            return 0
        asked = struct.pack("<III", 1, window, _LOCAL_PID)
        try:
            reply = self.call(resources.major, _QUERY_CLIENTS, asked)
        except XError:
            return 0  # it has gone
        (count,) = struct.unpack_from("<I", reply, 8)
        return int(struct.unpack_from("<I", reply, 32 + 12)[0]) if count else 0

    def text(self, name: str, most: int) -> bytes | None:
        """Return the text in a selection, None where there is none.

        Raises ComputerError when whoever holds it does not hand it over in time, TooMuch when it is larger than `most`.
        """
        deadline = time.monotonic() + PATIENCE_SEC
        selection, kind, place, in_pieces = self.atoms(name, "UTF8_STRING", _PLACE, "INCR")
        self.send(_CONVERT, 0, struct.pack("<IIIII", self._window, selection, kind, place, 0))
        self._wait(deadline, lambda: bool(self._told))
        if struct.unpack_from("<I", self._told[-1], 20)[0] == 0:
            return None
        self._new_values = 0
        form, data = self._take_property(place, most)
        if form != in_pieces:
            return data
        whole = b""
        while True:
            self._wait(deadline, lambda: self._new_values > 0)
            self._new_values -= 1
            _, piece = self._take_property(place, most)
            if not piece:
                return whole
            whole += piece
            if len(whole) > most:
                raise TooMuch("the selection is larger than what is looked at")

    def _take_property(self, place: int, most: int) -> tuple[int, bytes]:
        """Return what stands in our property, by its form, and remove it, which asks for the next piece."""
        limit = most // 4 + 1
        reply = self.call(Op.GetProperty, 1, struct.pack("<IIIII", self._window, place, 0, 0, limit), limit=4 * limit)
        form, left, count = struct.unpack_from("<III", reply, 8)
        if left:
            raise TooMuch("the selection is larger than what is looked at")
        return form, reply[32 : 32 + count * (reply[1] // 8)]

    def _wait(self, deadline: float, has_come: Callable[[], bool]) -> None:
        while not has_come():
            left = deadline - time.monotonic()
            if left <= 0 or (not self.pump(left) and not has_come()):
                raise ComputerError("the program that owns the selection does not hand it over")


def forget_selections(x11: X11) -> bool:
    """Take what was copied or marked from whoever offers it; tell whether nobody does any more."""
    atoms = x11.atoms(*_NAMES)
    for atom in atoms:
        # Nobody's window, and the server's present time.
        x11.send(Op.SetSelectionOwner, 0, struct.pack("<III", 0, atom, 0))
    asked = [x11.ask(Op.GetSelectionOwner, 0, struct.pack("<I", atom)) for atom in atoms]
    return all(struct.unpack_from("<I", x11.reply(number), 8)[0] == 0 for number in asked)
