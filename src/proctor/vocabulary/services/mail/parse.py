"""Letters as the mail service hands them over."""

from __future__ import annotations

import base64
from typing import Any

from proctor.vocabulary.formats.letters import parse as letters
from proctor.vocabulary.formats.letters.parse import letter
from proctor.vocabulary.services.parse import parse_look

FLAGS = {
    "\\Seen": "read", "\\Flagged": "starred", "\\Answered": "answered", "\\Draft": "draft", "$Forwarded": "forwarded",
}  # fmt: skip
"""The marks that people know; `\\Deleted` letters are as good as gone and not listed."""


def preload() -> None:
    """Load what letters are read with."""
    letters.preload()


def folder_letters(printed: str, label: str) -> list[dict[str, Any]]:
    """Return the letters of a folder with their marks."""
    return [
        {**_letter(record), "marks": sorted(FLAGS[flag] for flag in record["flags"] if flag in FLAGS)}
        for record in parse_look(printed, label)["letters"]
        if "\\Deleted" not in record["flags"]
    ]


def posted_letters(printed: str) -> list[dict[str, Any]]:
    """Return the letters that were posted, with the account that posted them and the recipients."""
    return [
        {
            **_letter(record),
            "account": str(record.get("account", "")).lower(),
            "sender": str(record["from"]).lower(),
            "recipients": sorted({str(address).lower() for address in record["to"]}),
        }
        for record in parse_look(printed, "what was sent")["letters"]
    ]


def folder_names(printed: str, label: str) -> list[str]:
    """Return the names of an account's folders."""
    return [str(name) for name in parse_look(printed, label)["folders"]]


def _letter(record: dict[str, Any]) -> dict[str, Any]:
    return letter(base64.b64decode(record["data"]))
