"""Where the session buses of a machine are that has a shell, found among the programs of its user."""

from __future__ import annotations

import socket
from collections import Counter
from dataclasses import dataclass
from typing import Protocol

from proctor.computers.channels.command_output import CommandOutput
from proctor.errors import ComputerError

FIND_SEC = 20.0
MOST_BYTES = 1 << 20

_LIST = """
id -u
for file in /proc/[0-9]*/environ; do
  [ -O "$file" ] || continue
  tr '\\0\\n' '\\n ' < "$file" 2>/dev/null | awk '
    /^DISPLAY=/ { display = substr($0, 9) }
    /^DBUS_SESSION_BUS_ADDRESS=/ { bus = substr($0, 26) }
    END { if (bus != "") print display "\\t" bus }'
done
bus=/run/user/$(id -u)/bus
[ ! -S "$bus" ] || printf '\\tunix:path=%s\\n' "$bus"
"""
"""Says who the user is, and then display and bus of each of the user's programs that knows of a bus."""


class Shelled(Protocol):
    """A machine whose scripts and Unix sockets can be reached."""

    @property
    def name(self) -> str:
        """What it is called in an error."""

    def shell(self, script: str, *, timeout_sec: float, most: int) -> CommandOutput:
        """Run a script of the plain shell as the machine's user."""

    def dial(self, path: str) -> socket.socket:
        """Connect to a Unix socket of the machine as its user; raises OSError."""


@dataclass(frozen=True, slots=True)
class Bus:
    """A session bus."""

    uid: int
    """Whose it is."""
    address: str
    display: str
    """The display of the programs that know of it; empty where they have none."""


def find_bus(machine: Shelled, display: str, guess: str) -> Bus:
    """Return the bus of a user's desktop on a display such as `:1`, or raise ComputerError.

    Programs on displays other than `guess` are asked only where there are none on that.
    """
    said = machine.shell(_LIST, timeout_sec=FIND_SEC, most=MOST_BYTES).stdout.decode(errors="replace").splitlines()
    if not said or not said[0].isdigit():
        raise ComputerError(
            "the machine does not say who its user is", remedy="check for id, awk and /proc, or leave tree out"
        )
    found = Counter(tuple(line.split("\t", 1)) for line in said[1:] if "\t" in line)
    for wanted in (display,) if display else (guess, None):
        chosen = [known for known, _ in found.most_common() if wanted is None or _plain(known[0]) == _plain(wanted)]
        # A program with a display is one of a desktop.
        chosen.sort(key=lambda known: not known[0])
        if chosen:
            return Bus(int(said[0]), chosen[0][1], chosen[0][0])
    where = f" on display {display}" if display else ""
    raise ComputerError(
        f"no program of {machine.name} has a session bus{where}",
        remedy="start a desktop for that user (dbus-run-session ...), name its display=, or leave tree out",
    )


def _plain(display: str) -> str:
    """Return a display without its screen: `:1.0` is `:1`."""
    return display.partition(".")[0]
