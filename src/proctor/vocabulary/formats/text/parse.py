"""Plain text."""

from __future__ import annotations

from proctor.tasks.findings import CannotSee


def decode(data: bytes, label: str) -> str:
    """Return bytes as text; raises CannotSee when they are none."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        why = f"{label} is not a text in UTF-8: {error.reason} at byte {error.start}"
        raise CannotSee("unreadable", why) from error
