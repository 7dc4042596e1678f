"""A fake computer that breaks when it is told to, once an agent has acted on it so often."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from proctor.actions.action import Action
from proctor.computers.computer import Performed
from proctor.exam.rules import Rules
from tests.prove.machines import AnyFake

Breaking = Callable[["Fragile"], None]


class Fragile(AnyFake):
    """Breaks in the way that the test put into `plan`, when its `after`-th action has been performed."""

    plan: Breaking | None = None
    after = 1
    at_the_end: Exception | None = None
    """Raised when it is closed."""

    def perform(self, action: Action) -> Performed:
        """Carry out an action, and break."""
        performed = super().perform(action)
        plan = type(self).plan
        if plan is not None and len(self.history) == self.after:
            plan(self)
        return performed

    def close(self) -> None:
        """Close, and fail where told to."""
        super().close()
        if self.at_the_end is not None:
            raise self.at_the_end


FRAGILE = Rules(backend="tests.runner.fragile:Fragile")


def failing(operation: str, error: Exception | None = None) -> Breaking:
    """Return what makes the next call of a method fail; without an error the whole computer is lost there."""
    return lambda computer: computer.fail_next(operation, error)


def losing(*operations: str, **found: Any) -> Breaking:
    """Return what breaks some methods for good, and what an autopsy shows then."""

    def plan(computer: Fragile) -> None:
        computer.lose(*operations)
        computer.found = found

    return plan
