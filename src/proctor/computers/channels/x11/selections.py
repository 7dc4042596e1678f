"""The clipboard and the marked text of a display, as far as they are taken away."""

from __future__ import annotations

import struct

from proctor.computers.channels.x11.client import X11
from proctor.computers.channels.x11.protocol import Op

_NAMES = ("CLIPBOARD", "PRIMARY", "SECONDARY")


def forget_selections(x11: X11) -> bool:
    """Take what was copied or marked from whoever offers it; tell whether nobody does any more."""
    atoms = x11.atoms(*_NAMES)
    for atom in atoms:
        # Nobody's window, and the server's present time.
        x11.send(Op.SetSelectionOwner, 0, struct.pack("<III", 0, atom, 0))
    asked = [x11.ask(Op.GetSelectionOwner, 0, struct.pack("<I", atom)) for atom in atoms]
    return all(struct.unpack_from("<I", x11.reply(number), 8)[0] == 0 for number in asked)
