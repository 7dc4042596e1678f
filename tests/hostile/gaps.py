"""Attacks that are known not to be held yet; each name here is a debt, and the battery makes them all the same."""

from __future__ import annotations

NOT_YET: frozenset[str] = frozenset()
