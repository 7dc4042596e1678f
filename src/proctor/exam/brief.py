"""What an agent is told of its task, and which actions it is offered."""

from __future__ import annotations

from collections.abc import Iterable

from proctor.actions.action import ACTIONS, ON_A_DESKTOP, SIGNALS
from proctor.computers.computer import Computer
from proctor.computers.perform import NEEDS
from proctor.exam.rules import Rules
from proctor.records import Brief, EpisodeKey, Tool
from proctor.tasks.task import Task

NOT_UNLESS_ASKED = frozenset({"run_code"})
"""Kinds of actions that only an agent made for them, or whoever sets the task, brings in: an exam at the desktop is not
one at the shell."""


def write_brief(
    task: Task,
    key: EpisodeKey,
    computer: Computer,
    rules: Rules,
    *,
    uses: Iterable[str] = (),
    tools: tuple[Tool, ...] = (),
) -> Brief:
    """Return all that an agent is told of a task."""
    wordings = (task.instruction, *task.paraphrases)
    return Brief(
        instruction=wordings[key.paraphrase],
        actions=offered_actions(computer, rules.actions, uses),
        size=computer.size,
        computer=computer.describe(),
        max_steps=rules.steps or task.limits.steps,
        intent=task.intent,
        seconds=rules.seconds_for(task.limits.seconds),
        seed=key.seed * 1000 + key.sample,
        tools=tools,
    )


def allowed_actions(computer: Computer) -> tuple[str, ...]:
    """Return the kinds of actions that a computer can carry out, and every signal.

    Where there is a pointer, touch is left out: one hand is enough, and prompts stay short. A brief may still name it.
    """
    kinds = ON_A_DESKTOP if "pointer" in computer.capabilities else tuple(ACTIONS)
    return tuple(kind for kind in kinds if NEEDS.get(kind, "screen") in computer.capabilities)


def offered_actions(computer: Computer, only: Iterable[str] = (), extra: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the kinds of actions that a brief offers on a computer.

    Args:
        computer: Where.
        only: The kinds that are allowed; all but those that must be asked for when empty.
        extra: Kinds that were asked for.
    """
    possible, asked = allowed_actions(computer), {*only, *extra}
    chosen = tuple(only) or tuple(kind for kind in possible if kind not in NOT_UNLESS_ASKED or kind in asked)
    # Whatever an agent may do, it must be able to say that it is done, to give up, to answer and to ask.
    return chosen + tuple(kind for kind in possible if kind in SIGNALS and kind not in chosen)
