"""Who may forbid an action before it is performed: a policy of the run, or the person in front of it."""

from __future__ import annotations

from collections.abc import Callable

import click

from proctor.actions.action import Action
from proctor.agents.confirm import Confirmation
from proctor.agents.policy import Policy, load_policy
from proctor.plain_text import printable
from proctor.records import Brief
from proctor.runner.job import Rules

Veto = Callable[[Action], str | None]
"""Returns why an action is forbidden, or None; raises Vetoed to end the episode."""


def at_the_terminal(question: str) -> str:
    """Ask the person in front of this process; on standard error, so that what a program reads stays clean."""
    click.echo(printable(question), nl=False, err=True)
    return input()


def veto_of(rules: Rules, brief: Brief) -> Veto | None:
    """Return what the rules of a run ask before each action; None when nobody is asked."""
    policies: list[Policy] = []
    if rules.policy:
        policies.append(load_policy(rules.policy))
    if rules.confirm:
        policies.append(Confirmation(at_the_terminal))
    if not policies:
        return None

    def veto(action: Action) -> str | None:
        return next((reason for policy in policies if (reason := policy.check(brief, action))), None)

    return veto
