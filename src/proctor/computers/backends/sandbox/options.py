"""Options of a sandbox."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from proctor.computers.sandbox_machine.options import MachineOptions
from proctor.computers.sandbox_machine.style import Theme


@dataclass(frozen=True, kw_only=True)
class SandboxOptions(MachineOptions):
    """Options of a desktop in a sandbox."""

    look: Literal["xfce", "light"] = "xfce"
    """`xfce`, a full desktop, or `light`, a minimal one."""
    size: tuple[int, int] = (1920, 1080)
    """Width and height of the screen."""
    theme: Theme = "light"
    """Colours of the desktop and its applications."""
