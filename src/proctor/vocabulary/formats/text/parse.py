"""Plain text."""

from __future__ import annotations

import codecs
from collections.abc import Mapping

from proctor.tasks.findings import CannotSee

SCRIPTS = (".bash", ".pl", ".py", ".rb", ".sh")
"""Names of files that programs read line by line, which other line ends break."""
DATA = (".csv", ".eml", ".ics", ".tsv", ".vcf")
"""Names of files that programs write with either line end, and read with both."""


def decode(data: bytes, label: str) -> str:
    """Return bytes as text; raises CannotSee when they are none."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        why = f"{label} is not a text in UTF-8: {error.reason} at byte {error.start}"
        raise CannotSee("unreadable", why) from error


def manner(data: bytes) -> dict[str, object]:
    """Return how a text is written down: how its lines end, and its mark."""
    ends = {"LF": data.count(b"\n") - data.count(b"\r\n"), "CRLF": data.count(b"\r\n")}
    ends["CR"] = data.count(b"\r") - ends["CRLF"]
    used = [name for name, count in ends.items() if count]
    return {
        "line_ends": used[0] if len(used) == 1 else "LF" if not used else "mixed",
        "byte_order_mark": data.startswith(codecs.BOM_UTF8),
    }


def unseen_manner(model: Mapping[str, object]) -> tuple[str, ...]:
    """Return what of a text's manner is nobody's concern: for scripts nothing, for data all of it."""
    path = str(model["path"]).lower()
    if path.endswith(SCRIPTS):
        return ()
    return ("line_ends", "byte_order_mark") if path.endswith(DATA) else ("byte_order_mark",)
