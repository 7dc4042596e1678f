"""Attacks that are known not to be held yet; each name here is a debt, and the battery makes them all the same."""

from __future__ import annotations

NOT_YET = frozenset(
    {
        # The sandbox's namespaces and filter.
        "names-of-the-host",
        "mount-in-an-own-user-namespace",
        "cgroup-namespace-of-its-own",
        "network-in-an-own-namespace",
        "system-calls-of-the-kernel",
        "kernel-settings",
        "kernel-settings (root inside)",
        # Opening files.
        "swap-for-environment",
        "swap-for-memory-of-1",
        "swap-for-shadow",
        # Who caused it.
        "traced-interpreter",
        "traced-and-trapped",
    }
)
