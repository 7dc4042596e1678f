"""The same computer in the hands of somebody whose actions take a way of their own, such as through an episode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from proctor.actions.action import Action
from proctor.computers.computer import Computer
from proctor.computers.values import Performed


class RoutedComputer(Computer):
    """Does all that a computer does, locators included, but hands actions to `route`."""

    def __init__(self, computer: Computer, route: Callable[[Action], Performed]) -> None:
        self.backend = computer.backend
        super().__init__(computer.parts, pace=computer.pace)
        self.settling = computer.settling
        self.history = computer.history
        self.incidents = computer.incidents
        self.idle = computer.idle
        self._computer = computer
        self._route = route

    def perform(self, action: Action) -> Performed:
        """Hand an action to the route."""
        return self._route(action)

    def wait_activity(self, timeout_sec: float) -> None:
        """Wait for what may happen, by itself too."""
        super().wait_activity(timeout_sec)
        if self.idle is not None:
            self.idle()

    def facts(self) -> dict[str, Any]:
        """Return the facts of the computer."""
        return self._computer.facts()
