"""Writes cards of people."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from proctor.worlds.model import Contact


def cards(contacts: Iterable[Contact]) -> str:
    """Return the cards of several people, as they are exchanged."""
    return "".join(f"{card(contact)}\r\n" for contact in contacts)


def card(contact: Contact) -> str:
    """Return the card of one."""
    first, _, last = contact.name.rpartition(" ")
    lines = [
        "BEGIN:VCARD",
        "VERSION:4.0",
        f"UID:{uid(contact)}",
        f"FN:{contact.name}",
        f"N:{last};{first};;;",
        f"EMAIL;PREF=1:{contact.address}",
    ]
    lines += [f"TEL;VALUE=TEXT:{contact.phone}"] if contact.phone else []
    lines += [f"ADR:;;{contact.street};{contact.town};;;"] if contact.street else []
    lines += [f"BDAY;VALUE=DATE:{contact.born:%Y%m%d}"] if contact.born else []
    return "\r\n".join([*lines, f"CATEGORIES:{contact.role}", "END:VCARD"])


def uid(contact: Contact) -> str:
    """Return the id of a card."""
    digest = hashlib.sha256(contact.address.encode()).hexdigest()
    return f"{digest[:8]}-{digest[8:12]}-4{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}"
