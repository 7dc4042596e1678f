"""Password safes as KeePassXC exports them: its own XML, in which nothing is left out."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guarded_xml import parse_xml

Told = dict[str, Any]

RECYCLE_BIN = "Recycle Bin"
MOST_ENTRIES = 5_000
MOST_ATTACHED = 16 * 2**20
FIELDS = {"Title": "title", "UserName": "username", "Password": "password", "URL": "url", "Notes": "notes"}
"""What every entry has; all else somebody added."""


def exported_safe(text: str, path: str) -> Told:
    """Return a safe from its export: entries, groups, and what it is called.

    Groups are named without the outermost one. What lies in the recycle bin is told apart.
    """
    root = parse_xml(text.encode(), path)
    top, meta = root.find("Root/Group"), root.find("Meta")
    if root.tag != "KeePassFile" or top is None:
        raise CannotSee("unreadable", f"{path} is no export of a safe")
    meta = meta if meta is not None else Element("Meta")
    held = {binary.get("ID", ""): _content(binary) for binary in meta.iterfind("Binaries/Binary")}
    bin_id = (meta.findtext("RecycleBinUUID") or "").strip()
    entries: list[Told] = []
    binned: list[Told] = []
    groups: list[Told] = []
    for group, name, is_binned in _groups(top, "", bin_id, binned=False):
        if name and not is_binned:
            groups.append(
                {"name": name, "notes": group.findtext("Notes") or "", "icon": group.findtext("IconID") or ""}
            )
        for entry in group.iterfind("Entry"):
            (binned if is_binned else entries).append({"group": name, **_entry(entry, held)})
        if len(entries) + len(binned) > MOST_ENTRIES:
            raise CannotSee("refused", f"{path} holds more than the {MOST_ENTRIES:,} entries that are looked at")
    said = {key: meta.findtext(key) or "" for key in ("DatabaseName", "DatabaseDescription", "DefaultUserName")}
    return {
        "path": path,
        "entries": entries,
        # One that holds something is told by what it holds.
        "groups": [each for each in groups if not any(_is_below(entry["group"], each["name"]) for entry in entries)],
        "derived": {"thrown_away": binned},
        "name": said["DatabaseName"],
        "says": said["DatabaseDescription"],
        "usual_username": said["DefaultUserName"],
    }


def _groups(group: Element, name: str, bin_id: str, *, binned: bool) -> Iterator[tuple[Element, str, bool]]:
    yield group, name, binned
    for inner in group.iterfind("Group"):
        called = inner.findtext("Name") or ""
        is_bin = binned or (not name and (called == RECYCLE_BIN or (inner.findtext("UUID") or "") == bin_id != ""))
        yield from _groups(inner, f"{name}/{called}" if name else called, bin_id, binned=is_bin)


def _is_below(group: str, other: str) -> bool:
    return f"{group}/".startswith(f"{other}/")


def _entry(entry: Element, held: dict[str, bytes]) -> Told:
    strings = {each.findtext("Key") or "": each.findtext("Value") or "" for each in entry.iterfind("String")}
    expires = (entry.findtext("Times/Expires") or "").casefold() == "true"
    return {
        "uid": entry.findtext("UUID") or "",
        **{name: strings.get(key, "") for key, name in FIELDS.items()},
        "fields": {key: value for key, value in strings.items() if key not in FIELDS},
        "attachments": [_attachment(each, held) for each in entry.iterfind("Binary")],
        "tags": entry.findtext("Tags") or "",
        "expires": _expiry(entry.findtext("Times/ExpiryTime") or "") if expires else "",
        "icon": entry.findtext("IconID") or "",
        "colours": [entry.findtext(each) or "" for each in ("ForegroundColor", "BackgroundColor")],
        "derived": {"earlier": sum(1 for _ in entry.iterfind("History/Entry"))},
        "typed": [
            entry.findtext(f"AutoType/{each}") or ""
            for each in ("Enabled", "DefaultSequence", "Association/KeystrokeSequence")
        ],
    }


def _attachment(binary: Element, held: dict[str, bytes]) -> dict[str, object]:
    value = binary.find("Value")
    content = held.get(value.get("Ref", ""), b"") if value is not None else b""
    return {"name": binary.findtext("Key") or "", "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _content(binary: Element) -> bytes:
    """Return what was attached; what cannot be unpacked is told as it lies there."""
    try:
        data = base64.b64decode(binary.text or "")
        if (binary.get("Compressed") or "").casefold() == "true":
            return zlib.decompressobj(wbits=31).decompress(data, MOST_ATTACHED)
    except (ValueError, zlib.error):
        return (binary.text or "").encode()
    return data


def _expiry(text: str) -> str:
    """Return the day on which an entry expires; newer safes count seconds since the year 1."""
    if text[:4].isdigit() and text[4:5] == "-":
        return text[:10]
    try:
        return str(int.from_bytes(base64.b64decode(text), "little") // 86_400)
    except ValueError:
        return text[:40]
