"""A policy looks at each action before it is performed and can veto it; the agent is told why."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, cast

from proctor.actions.action import Action
from proctor.agents.agent import Vetoed
from proctor.agents.load import load
from proctor.errors import ProctorError, SpecError, place_of
from proctor.records import Brief


class Policy(Protocol):
    """Decides what may be performed."""

    def check(self, brief: Brief, action: Action) -> str | None:
        """Return why an action must not be performed, or None when it may.

        Raises Vetoed to end the episode.
        """


@dataclass(frozen=True)
class FunctionPolicy:
    """A policy that is a plain function."""

    decide: Callable[[Brief, Action], str | None]

    def check(self, brief: Brief, action: Action) -> str | None:
        """Ask the function."""
        return self.decide(brief, action)


def load_policy(target: str) -> Policy:
    """Return the policy at `module:name`: a function of brief and action, or a class with `check`."""
    found = load("policy", target)
    policy = found() if isinstance(found, type) else FunctionPolicy(found)
    check = getattr(policy, "check", None)
    if not callable(check):
        raise SpecError(f"policy {target!r} has no check(brief, action)", remedy="write a function or such a class")
    decide = policy.decide if isinstance(policy, FunctionPolicy) else check
    try:
        inspect.signature(decide).bind(None, None)
    except TypeError as error:
        raise SpecError(
            f"policy {target!r} cannot be asked: {error}", remedy="let it take a brief and an action"
        ) from error
    return cast(Policy, policy)


class BroughtPolicy:
    """The policy that a user brought: what fails in it is named as theirs."""

    def __init__(self, target: str) -> None:
        self._target = target
        with self._theirs("when it was made"):
            self._policy = load_policy(target)

    def check(self, brief: Brief, action: Action) -> str | None:
        """Ask the policy; raises SpecError where it crashes, or answers with something else than a reason."""
        with self._theirs(f"on {action.to_json()}"):
            reason = self._policy.check(brief, action)
        if reason is not None and not isinstance(reason, str):
            raise SpecError(
                f"the policy {self._target!r} returned {type(reason).__name__}, not a reason or None",
                remedy="return text that says why an action is forbidden, or None",
            )
        return reason

    @contextmanager
    def _theirs(self, when: str) -> Iterator[None]:
        try:
            yield
        except (ProctorError, Vetoed):
            raise
        except Exception as error:
            said = f"{type(error).__name__}: {error}{place_of(error)}"
            raise SpecError(
                f"the policy {self._target!r} crashed {when}: {said}", remedy="correct it in that file"
            ) from error
