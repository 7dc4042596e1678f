"""Entries of password safes as KeePassXC exports them."""

from __future__ import annotations

import csv
import io

RECYCLE_BIN = "Recycle Bin"


def exported_entries(text: str) -> list[dict[str, str]]:
    """Return the entries of a safe from its export; groups are named without the outermost one."""
    found = []
    for row in csv.DictReader(io.StringIO(text)):
        group = (row.get("Group") or "").partition("/")[2]
        if group.partition("/")[0] == RECYCLE_BIN:
            continue
        fields = {"title": "Title", "username": "Username", "password": "Password", "url": "URL", "notes": "Notes"}
        found.append({"group": group, **{name: row.get(column) or "" for name, column in fields.items()}})
    return found
