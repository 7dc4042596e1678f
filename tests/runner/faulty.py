"""Agents and policies of a user that fail in their own ways, for the tests of who is blamed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from proctor.actions.action import Action, Done, Press
from proctor.agents.agent import Turn
from proctor.observations.observation import Observation
from proctor.records import Brief, ModelCall


class OnlyOnce:
    """An agent that can be made once, and not again: as one that wants a lock or a port for itself."""

    def __init__(self, mark: Path) -> None:
        if mark.exists():
            raise OSError(f"{mark} is taken")
        mark.touch()

    def start(self, brief: Brief) -> None:
        """Never come to."""

    def act(self, observation: Observation) -> Action:
        return Done()


class Broken(OnlyOnce):
    """An agent that cannot be made at all."""

    def __init__(self) -> None:
        raise ZeroDivisionError("no such luck")


class Leaving(OnlyOnce):
    """An agent whose constructor ends the process, as a parser of arguments does."""

    def __init__(self, pid: int = 0) -> None:
        if os.getpid() != pid:
            sys.exit(2)


class Unpriced:
    """An agent that reports calls to a model without a price."""

    def start(self, brief: Brief) -> None:
        self._turns = 0

    def act(self, observation: Observation) -> Turn:
        self._turns += 1
        call = ModelCall(model="x/unknown", input_tokens=100, output_tokens=10, seconds=0.1)
        return Turn(actions=(Press(keys="a") if self._turns == 1 else Done(),), calls=(call,))


def crashing(brief: Brief, action: Action) -> str | None:
    """Look at something that is not there."""
    return str({}["nothing"])


def talkative(brief: Brief, action: Action) -> bool:
    """Answer with a word that is not a reason."""
    return True


class Unmade:
    """A policy that cannot be made."""

    def __init__(self) -> None:
        raise RuntimeError("no rules today")

    def check(self, brief: Brief, action: Action) -> str | None:
        return None
