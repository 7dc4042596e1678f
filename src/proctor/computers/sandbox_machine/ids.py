"""Which ids of this host stand behind those inside a sandbox that root starts."""

from __future__ import annotations

import secrets

IDS = 65536
LOWEST, HIGHEST = 0x6000_0000, 0x7000_0000
"""Above what distributions hand out to users and containers, below what programs take for negative numbers."""


def first_id() -> int:
    """Return the id on this host of a new sandbox's root.

    Each sandbox has a range of its own, so that what the kernel counts for each user, such as watched files, is counted
    for each sandbox. That two draw the same range is unlikely, and harms neither: they are in different namespaces.
    """
    return LOWEST + secrets.randbelow((HIGHEST - LOWEST) // IDS) * IDS
