"""Looks at the mail service inside a computer without touching anything, and prints what it saw.

The server that everybody reaches is not asked: whoever keeps it busy cannot hinder a look. Dovecot's own program reads
the mailboxes instead, as it does for the server.
"""

import base64
import imaplib
import json
import os
import pwd
import re
import signal
import sys
from pathlib import Path
from typing import Any

TOP = Path("/run/mail")
IMAP = "/usr/lib/dovecot/imap"
MOST_LETTERS = 500
MOST_BYTES = 24 * 2**20
PATIENCE_SEC = 20
TOO_MUCH = {"too_much": True, "letters": []}


def main() -> None:
    """Do what standard input asks: list folders, read one, or read what was posted."""
    order = json.load(sys.stdin)
    # A look that takes longer than this is given up, and says so.
    signal.signal(signal.SIGALRM, lambda *_: answer({"busy": True, "letters": []}))
    signal.alarm(PATIENCE_SEC)
    become_mail()
    if order["look"] == "outbox":
        answer(posted_letters())
    if order["look"] == "everything":
        answer({"accounts": [account(address.name) for address in sorted((TOP / "store").iterdir())]})
    with mailbox_of(order["address"]) as client:
        answer({"folders": folders(client)} if order["look"] == "folders" else letters(client, order["folder"]))


def mailbox_of(address: str) -> imaplib.IMAP4:
    """Return a way into an account's mailboxes."""
    os.environ.update(HOME=str(TOP / "store" / address), USER=address)
    return imaplib.IMAP4_stream(f"exec {IMAP} -c {TOP}/dovecot.conf")


def account(address: str) -> "dict[str, object]":
    """Return all folders of an account with their letters."""
    with mailbox_of(address) as client:
        held = [{"name": name, **letters(client, name)} for name in folders(client)]
        shown = {"INBOX"} | {match for _, lines in [client.lsub()] for line in lines for match in folder_in(line)}
    return {"address": address, "folders": [{**each, "shown": each["name"] in shown} for each in held]}


def answer(found: "dict[str, object]") -> None:
    """Print what was seen, and end."""
    sys.stdout.write(json.dumps(found))
    sys.stdout.flush()
    os._exit(0)


def become_mail() -> None:
    """Go on as the mail service's own user: what was written to trick a reader is not read as root."""
    user = pwd.getpwnam("mail")
    os.setgroups([])
    os.setresgid(user.pw_gid, user.pw_gid, user.pw_gid)
    os.setresuid(user.pw_uid, user.pw_uid, user.pw_uid)


def posted_letters() -> "dict[str, object]":
    """Return every letter that was posted, in order."""
    paths = sorted((TOP / "outbox").glob("*.json"))
    too_much = (TOP / "outbox" / "full").exists() or len(paths) > MOST_LETTERS
    if too_much or sum(path.stat().st_size for path in paths) > 2 * MOST_BYTES:
        return TOO_MUCH
    return {"letters": [json.loads(path.read_text()) for path in paths]}


def folders(client: imaplib.IMAP4) -> "list[str]":
    """Return the names of an account's folders."""
    _, lines = client.list()
    return [name for line in lines for name in folder_in(line)]


def folder_in(line: object) -> "list[str]":
    """Return the folder that a line of a list names, where it does."""
    match = re.fullmatch(rb'\(.*?\) "." "?(.*?)"?', line) if isinstance(line, bytes) else None
    return [match[1].decode(errors="replace")] if match else []


def letters(client: imaplib.IMAP4, folder: str) -> "dict[str, Any]":
    """Return the letters of a folder with their flags, as they are; nothing is marked as read by it."""
    status, (count,) = client.select(json.dumps(folder), readonly=True)
    if status != "OK":
        return {"absent": True, "letters": []}
    if count == b"0":
        return {"letters": []}
    _, told = client.fetch("1:*", "(RFC822.SIZE)")
    sizes = [int(size) for line in told if isinstance(line, bytes) for size in re.findall(rb"RFC822.SIZE (\d+)", line)]
    if len(sizes) > MOST_LETTERS or sum(sizes) > MOST_BYTES:
        return TOO_MUCH
    result: list[Any] = []
    for part in client.fetch("1:*", "(FLAGS BODY.PEEK[])")[1]:
        if isinstance(part, tuple):
            result.append({"said": part[0], "data": base64.b64encode(part[1]).decode()})
        elif result and isinstance(part, bytes):
            # The flags may stand before or after the letter.
            result[-1]["said"] += part
    for one in result:
        flags = re.search(rb"FLAGS \((.*?)\)", one.pop("said"))
        one["flags"] = flags[1].decode().split() if flags else []
    return {"letters": result}


if __name__ == "__main__":
    main()
