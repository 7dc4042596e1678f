"""Suites by name: named, versioned sets of tasks, from this distribution or an installed one."""

from __future__ import annotations

from proctor.registry import Entry, Registry
from proctor.suites.suite import Suite

SUITES: Registry[Suite] = Registry(
    "suite",
    {
        "core": Entry("proctor.suites.core:SUITE"),
        "graph": Entry("proctor.suites.graph:SUITE"),
        "pool": Entry("proctor.suites.pool:SUITE"),
        "tour": Entry("proctor.suites.tour:SUITE"),
    },
    group="proctor.suites",
)


def load_suite(name: str) -> Suite:
    """Return a suite; raises UnknownName listing those there are."""
    return SUITES.get(name)
