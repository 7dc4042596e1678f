"""Suite `pool`: the subtasks that composed tasks are made of, each as a task of its own."""

from __future__ import annotations

import importlib
import pkgutil
from functools import partial

from proctor.graphs.compose.equip import makeable
from proctor.graphs.compose.initial import INITIAL_KINDS
from proctor.graphs.compose.pool import SubtaskPool
from proctor.graphs.compose.subtask import Subtask
from proctor.graphs.goals.library import own_goals
from proctor.suites.parts.alone import alone
from proctor.suites.suite import Suite
from proctor.tasks.template import Template, template

_MODULES = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]

SUBTASKS: tuple[Subtask, ...] = tuple(
    thing()
    for module in _MODULES
    for thing in vars(module).values()
    if isinstance(thing, type) and issubclass(thing, Subtask) and thing.__module__ == module.__name__
    if not thing.__name__.startswith("_") and not getattr(thing, "__abstractmethods__", None)
)
"""Every subtask, in the order of modules and within them as written."""

POOL = SubtaskPool(SUBTASKS, goals=own_goals(), initial={kind for kind in INITIAL_KINDS if makeable(kind)})


def _template(subtask: Subtask) -> Template:
    write = partial(alone, subtask)
    write.__name__ = subtask.name  # type: ignore[attr-defined]
    write.__doc__ = type(subtask).__doc__
    marked = template(
        apps=(subtask.app,), level=2, demand=subtask.demand, services=subtask.services, version=subtask.version
    )
    return marked(write)


SUITE = Suite(
    name="pool",
    version=1,
    summary="The subtasks of composed tasks, one at a time: what they need is there, what they produce is judged.",
    templates=tuple(_template(subtask) for subtask in SUBTASKS),
)
