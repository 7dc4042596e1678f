"""Options of your own display."""

from __future__ import annotations

from dataclasses import dataclass

from proctor.computers.options import PaceOptions


@dataclass(frozen=True, kw_only=True)
class LocalOptions(PaceOptions):
    """Options of the display that you sit at."""

    display: str = ""
    """Such as `:1`, or the path of its socket; what `DISPLAY` says otherwise."""
    consent: bool = False
    """That you want this. It has to be said."""
    confirm: bool = True
    """Whether you are asked at the terminal before each action: yes, no, all from now on, quit."""
    stop: str = "pause"
    """The key that stops everything at once; programs do not get it meanwhile, and the agent may not press it."""
