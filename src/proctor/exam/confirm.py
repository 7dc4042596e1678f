"""A person confirms each action before it is performed: a policy that asks."""

from __future__ import annotations

from collections.abc import Callable

from proctor.actions.action import Action
from proctor.agents.agent import Vetoed
from proctor.agents.history import action_line
from proctor.records import Brief

QUESTION = "Perform it? [y]es, [n]o, [a]ll from now on, [q]uit"

Ask = Callable[[str], str]
"""Shows a question and returns the line that is typed."""


class Confirmation:
    """Asks a person about each action, until they say that all are fine."""

    def __init__(self, ask: Ask = input) -> None:
        self._ask = ask
        self._trusting = False

    def check(self, brief: Brief, action: Action) -> str | None:
        """Return None for yes and a reason for no; raises Vetoed when the person wants to stop."""
        if self._trusting:
            return None
        text = f"{action_line(action)}\n{QUESTION}: "
        while True:
            match self._answer(text):
                case "y" | "yes":
                    return None
                case "n" | "no":
                    return "the person watching did not allow it"
                case "a" | "all":
                    self._trusting = True
                    return None
                case "q" | "quit":
                    raise Vetoed("the person watching ended the episode")
                case _:
                    text = f"{QUESTION}: "

    def _answer(self, text: str) -> str:
        try:
            return self._ask(text).strip().lower()
        except EOFError as error:
            raise Vetoed("there is nobody to confirm actions") from error
