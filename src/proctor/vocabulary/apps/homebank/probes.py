"""Probes that look at account books."""

from __future__ import annotations

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.homebank.parse import homebank_book


@PROBES.register_with(homebank_book, whole="file")
def account_book(context: ProbeContext, path: str) -> dict[str, object]:
    """A saved HomeBank account book: accounts with their balance, and transactions."""
    return parsed(path, homebank_book, context.read(path), path)


@PROBES.register_with(homebank_book)
def account_book_before(context: ProbeContext, path: str) -> dict[str, object]:
    """A HomeBank account book as it was when the task began."""
    return parsed(path, homebank_book, context.before(path), path)
