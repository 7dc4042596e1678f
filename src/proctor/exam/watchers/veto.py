"""Vetoes: a policy of the run, or the person in front of it, may forbid an action before it is carried out."""

from __future__ import annotations

import click

from proctor.actions.action import Action
from proctor.exam.confirm import Confirmation
from proctor.exam.policy import BroughtPolicy, Policy
from proctor.exam.rules import Rules
from proctor.exam.state import ExamState
from proctor.exam.watcher import Refusal, Reply, Watcher
from proctor.plain_text import printable


class VetoWatcher(Watcher):
    """Asks a policy about each action, which is refused for the reason it gives."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def before(self, exam: ExamState, action: Action) -> Reply:
        """Refuse what the policy forbids; raises Vetoed where it ends the exam."""
        if exam.by:
            return None  # it has happened already
        reason = self._policy.check(exam.brief, action)
        return Refusal.because(reason) if reason else None


def vetoes(rules: Rules) -> list[Watcher]:
    """Return whom the rules of a run have asked before each action."""
    policies: list[Policy] = []
    if rules.policy:
        policies.append(BroughtPolicy(rules.policy))
    if rules.confirm == "terminal":
        policies.append(Confirmation(at_the_terminal))
    return [VetoWatcher(policy) for policy in policies]


def at_the_terminal(question: str) -> str:
    """Ask the person in front of this process; on standard error, so that what a program reads stays clean."""
    click.echo(printable(question), nl=False, err=True)
    return input()
