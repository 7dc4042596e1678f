"""Looks at the mail service inside a computer, over IMAP and without touching anything, and prints what it saw."""

import base64
import imaplib
import json
import re
import sys
from pathlib import Path
from typing import Any

TOP = Path("/run/mail")
MOST_LETTERS = 500
MOST_BYTES = 24 * 2**20


def main() -> None:
    """Do what standard input asks: list folders, read one, or read what was posted."""
    order = json.load(sys.stdin)
    if order["look"] == "outbox":
        json.dump(posted(), sys.stdout)
        return
    with imaplib.IMAP4("127.0.0.1", 143, timeout=20) as client:
        client.login(order["address"], password_of(order["address"]))
        json.dump(folders(client) if order["look"] == "folders" else letters(client, order["folder"]), sys.stdout)


def password_of(address: str) -> str:
    """Return the password that the service knows an account by."""
    users = dict(line.split(":", 1) for line in (TOP / "users").read_text().splitlines())
    return users[address]


def posted() -> "list[Any]":
    """Return every letter that was posted, in order."""
    return [json.loads(path.read_text()) for path in sorted((TOP / "outbox").glob("*.json"))[:MOST_LETTERS]]


def folders(client: imaplib.IMAP4) -> "list[str]":
    """Return the names of an account's folders."""
    _, lines = client.list()
    found = [re.fullmatch(rb'\(.*?\) "." "?(.*?)"?', line) for line in lines if isinstance(line, bytes)]
    return [match[1].decode(errors="replace") for match in found if match]


def letters(client: imaplib.IMAP4, folder: str) -> "dict[str, Any]":
    """Return the letters of a folder with their flags, as they are; nothing is marked as read by it."""
    status, _ = client.select(json.dumps(folder), readonly=True)
    if status != "OK":
        return {"absent": True, "letters": []}
    _, (found,) = client.search(None, "ALL")
    result: list[Any] = []
    size = 0
    for number in found.split()[:MOST_LETTERS]:
        _, parts = client.fetch(number.decode(), "(FLAGS BODY.PEEK[])")
        head, data = next(part for part in parts if isinstance(part, tuple))
        # The flags may stand before or after the letter.
        said = head + b"".join(part for part in parts if isinstance(part, bytes))
        flags = re.search(rb"FLAGS \((.*?)\)", said)
        size += len(data)
        if size > MOST_BYTES:
            return {"too_much": True, "letters": []}
        result.append({"flags": flags[1].decode().split() if flags else [], "data": base64.b64encode(data).decode()})
    return {"letters": result}


if __name__ == "__main__":
    main()
