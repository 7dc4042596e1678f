"""A computer to be attacked: the usual sandbox with small limits, so that no attack can hurt the machine."""

from __future__ import annotations

from typing import Any

from proctor.computers.backends.sandbox.computer import SandboxComputer

MEMORY_MB = 768
PROCESSES = 300
DISK_MB = 256


class Small(SandboxComputer):
    """A light desktop with little of everything."""

    def __init__(self, **options: Any) -> None:
        small = {"look": "light", "size": (1280, 720), "memory_mb": MEMORY_MB, "processes": PROCESSES}
        super().__init__(**{**options, **small, "disk_mb": DISK_MB})
