"""Puts letters into a mailbox of the mail service that is running, with their flags and dates."""

import base64
import imaplib
import json
import sys
from pathlib import Path

USERS = Path("/run/mail/users")
FLAGS = {"S": "\\Seen", "F": "\\Flagged"}


def main() -> None:
    """Append every letter to the inbox."""
    order = json.load(sys.stdin)
    passwords = dict(line.split(":", 1) for line in USERS.read_text().splitlines())
    with imaplib.IMAP4("127.0.0.1", 143) as client:
        client.login(order["address"], passwords[order["address"]])
        for letter in order["letters"]:
            flags = " ".join(FLAGS[flag] for flag in letter["flags"])
            date = imaplib.Time2Internaldate(letter["seconds"])
            status, said = client.append("INBOX", f"({flags})", date, base64.b64decode(letter["data"]))
            if status != "OK":
                raise SystemExit(f"the letter was not taken: {said!r}")


if __name__ == "__main__":
    main()
