"""The check on MiniWoB++'s own reward."""

from __future__ import annotations

from proctor.tasks.findings import Finding, right, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS


@CHECKS.register
def miniwob_solved(of: Seen) -> Finding:
    """The page has ended its problem with a raw reward above 0, however long it took."""
    if not of["done"]:
        return wrong("The page still waits: what it asks for was not finished.")
    if of["raw"] > 0:
        return right()
    reason = f": {of['reason']}" if of["reason"] else ""
    return wrong(f"The page gave a reward of {of['raw']:g}{reason}.")
