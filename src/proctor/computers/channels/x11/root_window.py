"""A connection that knows the root window of its screen, and atoms by their names."""

from __future__ import annotations

import struct

from proctor.computers.channels.x11.protocol import Connection, Op


class Rooted(Connection):
    """What everything about windows is asked through."""

    def _enter(self) -> None:
        self._atoms: dict[str, int] = {}
        super()._enter()
        self.root = self.screen.root
        self.size = (self.screen.width, self.screen.height)
        """Width and height now; programs may change them."""

    def atoms(self, *names: str) -> list[int]:
        """Return the atoms of these names; each name is asked for once."""
        labels = {name: name.encode("ascii") for name in names if name not in self._atoms}
        asked = {
            name: self.ask(Op.InternAtom, 0, struct.pack("<HH", len(label), 0) + label)
            for name, label in labels.items()
        }
        for name, number in asked.items():
            (self._atoms[name],) = struct.unpack_from("<I", self.reply(number), 8)
        return [self._atoms[name] for name in names]
