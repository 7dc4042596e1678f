"""The check on MiniWoB++'s own reward."""

from __future__ import annotations

from dataclasses import replace

from proctor.tasks.findings import Finding, right, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS


@CHECKS.register
def miniwob_solved(of: Seen) -> Finding:
    """The page has ended its problem with a raw reward above 0, however long it took.

    That is BrowserGym's rule. The raw reward itself, which may be a part of 1, stands beside the score, as does the
    page's reward for the time that it took.
    """
    return replace(_judge(of), figures={"raw_reward": float(of["raw"]), "reward": float(of["reward"])})


def _judge(of: Seen) -> Finding:
    if not of["done"]:
        return wrong("The page still waits: what it asks for was not finished.")
    if of["raw"] > 0:
        return right()
    reason = f": {of['reason']}" if of["reason"] else ""
    return wrong(f"The page gave a reward of {of['raw']:g}{reason}.")
