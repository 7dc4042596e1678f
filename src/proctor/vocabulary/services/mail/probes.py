"""Probes that look at the mail service: mailboxes, folders and what was posted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelf import Follows, MadeBy
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.services.inside import ask_inside
from proctor.vocabulary.services.mail.parse import (
    folder_letters,
    folder_names,
    follow_mailbox,
    lost_letters,
    marked_by_looking,
    posted_letters,
    whole_accounts,
)

LOOK = Path(__file__).parent / "inside" / "mail_look.py"
LIST = Path(__file__).parent / "inside" / "mail_list.py"


def _every_mailbox(_given: Mapping[str, object]) -> dict[str, object]:
    return {}


@PROBES.register_with(folder_letters, follows=Follows("mailboxes", follow_mailbox, _every_mailbox))
def mailbox(context: ProbeContext, address: str, folder: str = "INBOX") -> dict[str, object]:
    """The emails in one folder of an account, each with its flags."""
    printed = ask_inside(context, LOOK, {"look": "letters", "address": address, "folder": folder})
    label = f"the folder {folder} of {address}"
    return {"mailbox": label, "letters": parsed(label, folder_letters, printed, label)}


@PROBES.register_with(folder_names)
def mail_folders(context: ProbeContext, address: str) -> dict[str, object]:
    """The names of an account's folders; a dot separates a folder from its subfolder."""
    printed = ask_inside(context, LOOK, {"look": "folders", "address": address})
    return {
        "account": address,
        "folders": parsed(f"the account {address}", folder_names, printed, f"account {address}"),
    }


@PROBES.register_with(posted_letters, whole="sent", made_by=MadeBy("mail_service", _every_mailbox))
def posted_mail(context: ProbeContext) -> dict[str, object]:
    """Every email sent by anyone on the computer since it started, with its recipients."""
    printed = ask_inside(context, LOOK, {"look": "outbox"})
    return {"mailbox": "what was sent", "letters": parsed("what was sent", posted_letters, printed)}


@PROBES.register_with(
    whole_accounts, whole="store", noise=marked_by_looking, made_by=MadeBy("mail_service", _every_mailbox)
)
def mailboxes(context: ProbeContext) -> dict[str, object]:
    """Every account with its folders and emails, without the trash and copies of sent emails.

    A folder that mail programs do not list is not `shown`; one that they make by themselves is told if it holds any.
    """
    everything, posted = (ask_inside(context, LOOK, {"look": look}) for look in ("everything", "outbox"))
    return {"path": "the mailboxes", "accounts": parsed("the mailboxes", whole_accounts, everything, posted)}


@PROBES.register_with(lost_letters)
def lost_mail(context: ProbeContext) -> dict[str, object]:
    """The emails that a world began with and that are in no folder any more, or in the trash."""
    printed = ask_inside(context, LIST, {"do": "compare"})
    return {"lost": parsed("the emails", lost_letters, printed)}
