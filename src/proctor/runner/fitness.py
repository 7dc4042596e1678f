"""Who cannot meet whom: every task, agent and computer of a plan is looked at before a run starts."""

from __future__ import annotations

import json
from collections.abc import Mapping

from proctor.computers import meet
from proctor.computers.capabilities import CAPABILITIES, Capability
from proctor.computers.fit import MachineNeeds
from proctor.exam.disturbances.wish import DisturbanceWish
from proctor.runner.computer_spec import ComputerSpec
from proctor.runner.plan import Plan, Unfit
from proctor.tasks.load import task_from_json
from proctor.tasks.task import Task

NEED_KEYS = frozenset({"oracle"})
"""Agents that do what the answer key says."""
NEED_DAYS = frozenset({"busy"})
"""Agents that do all that a day holds."""


def refuse_disturbances(plan: Plan) -> None:
    """Raise SpecError where the computers of a plan cannot be disturbed as its rules say."""
    wish, computer = DisturbanceWish.parse(plan.rules.disturb), ComputerSpec.parse(plan.rules.backend)
    given, settings = computer.constructor_options(), _tasks_of(plan)[0][1].needs.settings

    def has(part: Capability) -> bool:
        needs = MachineNeeds(settings=settings, capabilities=frozenset([part]))
        return not meet(computer.name, needs, given).lacks

    wish.refuse_without([part for part in CAPABILITIES if has(part)], computer.name)
    wish.refuse_for([task for _, task in _tasks_of(plan)])


def _tasks_of(plan: Plan) -> list[tuple[int, Task]]:
    return [(planned.seed, task_from_json(json.loads(planned.text))) for planned in plan.tasks]


def find_unfit(plan: Plan, capabilities: Mapping[str, frozenset[str]]) -> tuple[Unfit, ...]:
    """Return the episodes of a plan that cannot be held.

    Args:
        plan: What is to be examined.
        capabilities: By the label of an agent, what it needs of a computer.
    """
    computer = ComputerSpec.parse(plan.rules.backend)
    given = computer.constructor_options()
    tasks = _tasks_of(plan)
    # Any of the tasks will do to ask what a computer is made of; some cannot be described without an image.
    settings = tasks[0][1].needs.settings
    alone = {
        label: meet(computer.name, MachineNeeds(settings=settings, capabilities=wanted), given).lacks
        for label, wanted in capabilities.items()
    }
    found = []
    for seed, task in tasks:
        lacks = meet(computer.name, task.needs, given).lacks
        for agent in plan.agents:
            why = [f"computer {computer.name!r} cannot run the task: {reason}" for reason in lacks]
            why += [f"agent {agent.label!r} cannot use this computer: {each}" for each in alone.get(agent.label, ())]
            if task.unproven and agent.name in NEED_KEYS:
                why.append(f"agent {agent.label!r} needs the answer key, and the task has none")
            if task.day is None and agent.name in NEED_DAYS:
                why.append(f"agent {agent.label!r} acts on everything that a day brings, and the task is no day")
            found += [Unfit(task.id, seed, agent.label, "; ".join(why))] if why else []
    return tuple(found)
