"""Vetoes: a policy of the run, or the person in front of it, may forbid an action before it is carried out."""

from __future__ import annotations

from collections.abc import Sequence

import click

from proctor.actions.action import Action
from proctor.plain_text import printable
from proctor.records import Told
from proctor.runner.companion import Companion
from proctor.runner.confirm import Confirmation
from proctor.runner.job import Rules
from proctor.runner.policy import BroughtPolicy, Policy
from proctor.runner.state import EpisodeState


class Veto(Companion):
    """Asks a policy about each action, which is refused for the reason it gives."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def before_action(self, episode: EpisodeState, action: Action) -> Sequence[Told]:
        """Refuse what the policy forbids; raises Vetoed where it ends the episode."""
        if episode.by:
            return ()  # it has happened already
        reason = self._policy.check(episode.brief, action)
        return (Told("refused", reason),) if reason else ()


def vetoes(rules: Rules) -> list[Veto]:
    """Return whom the rules of a run have asked before each action."""
    policies: list[Policy] = []
    if rules.policy:
        policies.append(BroughtPolicy(rules.policy))
    if rules.confirm == "terminal":
        policies.append(Confirmation(at_the_terminal))
    return [Veto(policy) for policy in policies]


def at_the_terminal(question: str) -> str:
    """Ask the person in front of this process; on standard error, so that what a program reads stays clean."""
    click.echo(printable(question), nl=False, err=True)
    return input()
