"""Probes that look at the mail service: mailboxes, folders and what was posted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from proctor.tasks.finding import CannotSee
from proctor.tasks.formats.mail import folder_letters, folder_names, posted_letters
from proctor.tasks.reader.client import parsed
from proctor.tasks.scene import Scene
from proctor.tasks.setup import mail as service
from proctor.tasks.shelves import PROBES


@PROBES.register
def mailbox(scene: Scene, address: str, folder: str = "INBOX") -> dict[str, Any]:
    """The letters of one folder of an account, each with its marks."""
    printed = ask_inside(scene, "mail_look.py", {"look": "letters", "address": address, "folder": folder})
    label = f"the folder {folder} of {address}"
    return {"mailbox": label, "letters": parsed(label, folder_letters, printed, label)}


@PROBES.register
def mail_folders(scene: Scene, address: str) -> dict[str, Any]:
    """The names of an account's folders; a dot stands between a folder and one inside it."""
    printed = ask_inside(scene, "mail_look.py", {"look": "folders", "address": address})
    return {
        "account": address,
        "folders": parsed(f"the account {address}", folder_names, printed, f"account {address}"),
    }


@PROBES.register
def posted_mail(scene: Scene) -> dict[str, Any]:
    """Every letter that anybody on the computer has sent since it started, with those it was sent to."""
    printed = ask_inside(scene, "mail_look.py", {"look": "outbox"})
    return {"mailbox": "what was sent", "letters": parsed("what was sent", posted_letters, printed)}


def ask_inside(scene: Scene, script: str, order: dict[str, Any]) -> str:
    """Run one of the scripts that look at a service and return what it printed."""
    code = Path(service.SERVICES / script).read_text()
    argv = ["/usr/bin/python3", "-I", "-c", code]
    result = scene.run(argv, root=True, input=json.dumps(order).encode(), timeout_sec=60)
    if result.code != 0:
        # Agents cannot reach the service's files, but they can keep the service busy.
        raise CannotSee("unreadable", f"the service could not be looked at: {result.stderr.strip()[-300:]}")
    return result.stdout
