"""Letters as the mail service hands them over."""

from __future__ import annotations

import base64
import json

from proctor.tasks.findings import PlainData
from proctor.vocabulary.formats.letters import parse as letters
from proctor.vocabulary.formats.letters.parse import letter
from proctor.vocabulary.services.parse import parse_look

Told = dict[str, PlainData]

FLAGS = {
    "\\Seen": "read", "\\Flagged": "starred", "\\Answered": "answered", "\\Draft": "draft", "$Forwarded": "forwarded",
}  # fmt: skip
"""The marks that people know; `\\Deleted` letters are as good as gone and not listed."""

BY_POSTING = {"answered", "forwarded"}
LABELS = {
    "$label1": "important", "$label2": "work", "$label3": "personal", "$label4": "to do", "$label5": "later",
    "Junk": "junk", "$Junk": "junk",
}  # fmt: skip
UNLABELLED = {*FLAGS, "\\Deleted", "\\Recent", "NonJunk", "$NotJunk", "$MDNSent", "$HasAttachment", "$HasNoAttachment"}
"""What programs note for themselves; all else is a label."""


def preload() -> None:
    """Load what letters are read with."""
    letters.preload()


def folder_letters(printed: str, label: str) -> list[Told]:
    """Return the letters of a folder with their marks."""
    return [
        {
            **_letter(record),
            "marks": sorted(FLAGS[flag] for flag in record["flags"] if flag in FLAGS),
            "labels": sorted(LABELS.get(flag, flag) for flag in record["flags"] if flag not in UNLABELLED),
        }
        for record in parse_look(printed, label)["letters"]
        if "\\Deleted" not in record["flags"]
    ]


OF_PROGRAMS = {"Archives", "Drafts", "Junk", "Sent", "Templates", "Trash"}
"""Folders that mail programs make, whether anything is in them or not."""


def whole_accounts(printed: str, posted: str) -> list[Told]:
    """Return every account with its folders, and their letters with marks and labels.

    Copies of what was posted are left out, and what was thrown away: it is told where it was. So are the marks that a
    letter gets by being answered or forwarded.
    """
    accounts = parse_look(printed, "the mailboxes")["accounts"]
    out = posted_letters(posted)
    sent = {each["id"] for each in out}
    answered = {each["in_reply_to"] for each in out} | {one for each in out for one in each["references"]}
    found = []
    for account in accounts:
        folders = []
        for folder in account["folders"]:
            label = f"the folder {folder['name']} of {account['address']}"
            told = {key: folder[key] for key in folder if key in ("letters", "too_much", "absent")}
            letters = folder_letters(json.dumps(told), label)
            letters = [
                {**each, "marks": [mark for mark in each["marks"] if mark not in BY_POSTING]}
                if each["id"] in answered
                else each
                for each in letters
                if each["id"] not in sent and folder["name"] != "Trash"
            ]
            if letters or folder["name"] not in OF_PROGRAMS:
                folders.append({"name": str(folder["name"]), "shown": bool(folder["shown"]), "letters": letters})
        found.append({"address": str(account["address"]), "folders": folders})
    return found


def marked_by_looking(_model: PlainData) -> tuple[str, ...]:
    """Return the marks that a letter gets by merely being looked at."""
    return ("accounts.*.folders.*.letters.*.marks.read",)


def follow_mailbox(seen: PlainData, arguments: PlainData, model: PlainData) -> PlainData:
    """Return what `mailbox` would show where the service holds this."""
    name = arguments.get("folder", "INBOX")
    accounts = (each["folders"] for each in model["accounts"] if each["address"] == arguments["address"])
    found = (each["letters"] for each in next(accounts, []) if each["name"] == name)
    return {**seen, "letters": next(found, [])}


def posted_letters(printed: str) -> list[Told]:
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


def _letter(record: Told) -> Told:
    return letter(base64.b64decode(record["data"]))


def lost_letters(printed: str) -> list[Told]:
    """Return the letters that are gone: folder, id and subject of each."""
    return [{name: str(each[name]) for name in ("folder", "id", "subject")} for each in json.loads(printed)["lost"]]
