"""Judgements of account books."""

from proctor.tasks.findings import Finding, unless
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS


@CHECKS.register
def ledger_has(of: Seen, entry: str) -> Finding:
    """A book has this entry."""
    return unless([] if entry in of["entries"] else [f"{of['path']} lacks the entry {entry!r}."])
