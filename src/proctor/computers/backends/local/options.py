"""Options of your own display."""

from __future__ import annotations

from dataclasses import dataclass

from proctor.computers.options import PaceOptions


@dataclass(frozen=True, kw_only=True)
class LocalOptions(PaceOptions):
    """Options of the display that you sit at."""

    display: str = ""
    """Such as `:1`, or the path of its socket; by default, the value of `DISPLAY`."""
    consent: bool = False
    """Your consent to an agent operating your display; must be given explicitly."""
    confirm: bool = True
    """Whether you are asked at the terminal before each action: yes, no, all from now on, quit."""
    stop: str = "pause"
    """The key that stops everything at once; meanwhile programs do not receive it, and the agent may not press it."""
