"""Probes that look at the mail service: mailboxes, folders and what was posted."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from proctor.errors import CheckError
from proctor.tasks.finding import CannotSee
from proctor.tasks.probes.letters import letter
from proctor.tasks.scene import Scene
from proctor.tasks.setup import mail as service
from proctor.tasks.shelves import PROBES

FLAGS = {
    "\\Seen": "read",
    "\\Flagged": "starred",
    "\\Answered": "answered",
    "\\Draft": "draft",
    "$Forwarded": "forwarded",
}
"""The marks that people know; `\\Deleted` letters are as good as gone and not listed."""


@PROBES.register
def mailbox(scene: Scene, address: str, folder: str = "INBOX") -> dict[str, Any]:
    """The letters of one folder of an account, each with its marks."""
    seen = ask_inside(scene, "mail_look.py", {"look": "letters", "address": address, "folder": folder})
    label = f"the folder {folder} of {address}"
    if seen.get("absent"):
        raise CannotSee("absent", f"there is no folder {folder} in the account {address}")
    if seen.get("too_much"):
        raise CannotSee("refused", f"{label} holds more than is looked at")
    return {"mailbox": label, "letters": list(_listed(seen["letters"]))}


@PROBES.register
def mail_folders(scene: Scene, address: str) -> dict[str, Any]:
    """The names of an account's folders; a dot stands between a folder and one inside it."""
    return {"account": address, "folders": ask_inside(scene, "mail_look.py", {"look": "folders", "address": address})}


@PROBES.register
def posted_mail(scene: Scene) -> dict[str, Any]:
    """Every letter that anybody on the computer has sent since it started, with those it was sent to."""
    letters = []
    for record in ask_inside(scene, "mail_look.py", {"look": "outbox"}):
        found = letter(base64.b64decode(record["data"]))
        letters.append({**found, "sender": record["from"].lower(), "recipients": _addresses(record["to"])})
    return {"mailbox": "what was sent", "letters": letters}


def ask_inside(scene: Scene, script: str, order: dict[str, Any]) -> Any:
    """Run one of the scripts that look at a service and return what it printed."""
    code = Path(service.SERVICES / script).read_text()
    argv = ["/usr/bin/python3", "-I", "-c", code]
    result = scene.computer.run(argv, root=True, input=json.dumps(order).encode())
    if result.code != 0:
        raise CheckError(f"the service could not be looked at: {result.stderr.strip()[-300:]}")
    return json.loads(result.stdout)


def _listed(records: list[dict[str, Any]]) -> Any:
    for record in records:
        if "\\Deleted" not in record["flags"]:
            marks = sorted(FLAGS[flag] for flag in record["flags"] if flag in FLAGS)
            yield {**letter(base64.b64decode(record["data"])), "marks": marks}


def _addresses(given: list[str]) -> list[str]:
    return sorted({address.lower() for address in given})
