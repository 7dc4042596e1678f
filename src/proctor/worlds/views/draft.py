"""A mail before it is filed: from whom, to whom, about what."""

from __future__ import annotations

from dataclasses import dataclass

from proctor.worlds.model import Contact
from proctor.worlds.views.desk import Enclosure


@dataclass(frozen=True)
class MailDraft:
    """A mail as it is written."""

    sender: Contact
    to: tuple[Contact, ...]
    subject: str
    text: str
    cc: tuple[Contact, ...] = ()
    paths: tuple[str, ...] = ()
    """Files of the home folder that come with it."""
    enclosures: tuple[Enclosure, ...] = ()
    answers: bool = False
    automatic: bool = False
