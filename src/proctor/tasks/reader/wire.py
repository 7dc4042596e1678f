"""What the harness and the reader say to each other."""

from __future__ import annotations

import struct

READERS = ("parse", "reading", "checks")
"""What is read elsewhere is read by functions of modules that are called this or begin so (`parse_odt`), or lie in a
folder of such a name.

Folders of applications from other distributions may still use the second, older name."""
LIBRARIES = {"office": "openpyxl", "video": "av"}
"""What some of them read with, by the extra that brings it."""
MOST_ANSWER = 12 * 2**20
LENGTH = struct.Struct("<Q")
END = struct.Struct("<iii")
"""What the reader itself adds to a child's answer: how it ended, whether it was overdue, and its milliseconds."""
NO_CHILD, NOT_LOADED = 1000, 1001
"""Stand for how a child ended that could not even be started, and one that would have nothing to read with."""


def reads(module: str) -> bool:
    """Tell whether a module is one of those that read or check, by its name."""
    return any(part.partition("_")[0] in READERS for part in module.split("."))
