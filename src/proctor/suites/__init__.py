"""Suites by name: named, versioned sets of tasks, from this distribution or an installed one."""

from __future__ import annotations

from typing import Any

from proctor.registry import Registry

SUITES: Registry[Any] = Registry("suite", {}, group="proctor.suites")
"""This version brings no suite of its own."""


def load_suite(name: str) -> Any:
    """Return a suite; raises UnknownName listing those there are."""
    return SUITES.get(name)
