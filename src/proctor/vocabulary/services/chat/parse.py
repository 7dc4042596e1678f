"""What was noted of a chat."""

from __future__ import annotations

from proctor.vocabulary.services.parse import records


def chat_lines(printed: str, where: str) -> list[dict[str, object]]:
    """Return what was noted of a chat, or of one place in it."""
    entries = records(printed, {"kind": str, "who": str, "where": str, "text": str})
    # Who quits or takes another name does so everywhere.
    return [entry for entry in entries if not where or entry["where"] in ("", where.lower())]
