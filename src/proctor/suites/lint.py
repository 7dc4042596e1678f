"""Lint: what can be said of tasks without a computer, beyond their being well formed."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from proctor.actions.keys import parse_keys
from proctor.errors import AgentError
from proctor.observations.roles import ROLES
from proctor.suites.lint_checkpoints import checkpoint_messages
from proctor.suites.lint_fairness import unfair
from proctor.suites.suite import Suite
from proctor.tasks.call import Call, walk
from proctor.tasks.load import task_from_json
from proctor.tasks.task import Task
from proctor.tasks.template import Template, Written

SEEDS = (0, 1, 2, 3, 4)
LEAST_NEAR_MISSES = 2
LEAST_APPS_OF_LEVEL_4 = 2


_NEW = frozenset({"text_is", "text_has", "file_exists"})
"""Checks that hold only of a file that is there."""


@dataclass(frozen=True)
class Remark:
    """Something a task lacks."""

    id: str
    message: str

    def __str__(self) -> str:
        return f"{self.id}: {self.message}"


def lint_suite(suite: Suite, names: tuple[str, ...] = ()) -> Iterator[Remark]:
    """Yield what is wrong with the templates of a suite, for the seeds that its proof covers."""
    for template in [suite.template(name) for name in names] or suite.templates:
        if isinstance(template, Written):
            yield from lint_task(template.fixed)
            continue
        tasks = [suite.task(template.name, seed) for seed in SEEDS]
        yield from dict.fromkeys(remark for task in tasks for remark in lint_task(task))
        label = tasks[0].id
        if len({task.digest for task in tasks}) < len(SEEDS):
            yield Remark(label, f"seeds {SEEDS[0]} to {SEEDS[-1]} do not give different tasks")
        if suite.task(template.name, SEEDS[-1]).digest != tasks[-1].digest:
            yield Remark(label, "the same seed gives different tasks")
        yield from _twin(suite, template, label)


def lint_templates(templates: Iterable[tuple[Suite, Template]]) -> Iterator[Remark]:
    """Yield what is wrong with templates of several suites."""
    chosen: dict[str, tuple[Suite, list[str]]] = {}
    for suite, template in templates:
        chosen.setdefault(suite.name, (suite, []))[1].append(template.name)
    for suite, names in chosen.values():
        yield from lint_suite(suite, tuple(names))


def lint_task(task: Task) -> Iterator[Remark]:
    """Yield what is wrong with one task."""
    for message in _messages(task):
        yield Remark(task.id, message)


def _messages(task: Task) -> Iterator[str]:
    names = [miss.name for miss in task.near_misses]
    if len(names) < LEAST_NEAR_MISSES:
        yield f"it has {len(names)} near misses; give {LEAST_NEAR_MISSES} or more tempting ones"
    if len(set(names)) < len(names):
        yield "two of its near misses have the same name"
    if any(miss.moves == task.solution for miss in task.near_misses):
        yield "a near miss has the same moves as the solution"
    if not task.paraphrases or task.instruction in task.paraphrases:
        yield "it has no paraphrase that differs from its instruction"
    if task_from_json(task.to_json()).digest != task.digest:
        yield "it does not survive being written to JSON and read again"
    yield from _contradictions(task.check)
    yield from _level_messages(task)
    if task.unproven:
        yield "it has no answer key, so that nothing shows that it can be done: it is unproven"
    elif (task.solution[-1].name == "fail") == task.tags.feasible:
        yield "the solution of an infeasible task, and of no other, ends with `fail`"
    every = [*task.solution, *(move for miss in task.near_misses for move in miss.moves)]
    others = [move for way in (*task.other_ways, *task.cheats) for move in way.moves]
    yield from dict.fromkeys(unknown_words([*task.setup, *task.finish, task.check, *every, *others]))
    yield from _same_ways(task)
    yield from _unexpected_files(task)
    yield from dict.fromkeys(unfair(task))
    yield from checkpoint_messages(task)
    # Code that reaches all other checkpoints shows that one can be missed alone, and takes seconds.
    by_hand = task.solution if task.checkpoints else every
    if "Programming" not in task.tags.categories and any(move.name == "run_code" for move in by_hand):
        yield "its moves run code, and it uses no application for programming"


def _same_ways(task: Task) -> Iterator[str]:
    """Yield other ways and cheats that are none of their own."""
    for what, ways in (("other ways", task.other_ways), ("cheats", task.cheats)):
        if len({way.name for way in ways}) < len(ways):
            yield f"two of its {what} have the same name"
    if any(way.moves == task.solution for way in (*task.other_ways, *task.cheats)):
        yield "another way, or a cheat, has the same moves as the solution"


def unknown_words(calls: list[Call]) -> Iterator[str]:
    """Yield roles that no element has, and keys that no keyboard has."""
    for call in (call for top in calls for _, call in walk(top)):
        role = call.arguments.get("role")
        if isinstance(role, str) and role not in ROLES:
            near = difflib.get_close_matches(role, ROLES, n=1)
            yield f"{call.name}: no element has the role {role!r}" + (f"; did you mean {near[0]!r}?" if near else "")
        if isinstance(keys := call.arguments.get("keys"), str):
            try:
                parse_keys(keys)
            except AgentError as error:
                yield f"{call.name}: {error.message}; {error.remedy}"


def _unexpected_files(task: Task) -> Iterator[str]:
    """Yield a file that the task is to change while `expected` names none: it would be collateral."""
    if task.expected or not task.tags.feasible:
        return
    made = {call.arguments["path"]: call for _, call in walk(task.setup) if "path" in call.arguments}
    wanted = [task.check] if task.day is None else [each.done for each in task.day.opportunities]
    for _, call in (found for check in wanted for found in walk(check)):
        for path in _paths(call) if call.kind == "check" else ():
            known = next((place for place in made if path == place or path.startswith(f"{place.rstrip('/')}/")), None)
            if call.name == "nothing_there":
                changed = known is not None
            elif call.name == "text_is" and path == known:
                changed = made[path].arguments.get("text", call.arguments["text"]) != call.arguments["text"]
            else:
                changed = known is None and call.name in _NEW
            if changed:
                yield f"its check wants {path} changed, and `expected` names no file that it may change"
                return


def _contradictions(check: Call) -> Iterator[str]:
    """Yield what would have to be there and gone at once, as when two drawn names are the same."""
    parts = list(check.arguments["of"]) if check.name == "all_of" else [check]
    gone = {path for part in parts if part.name == "nothing_there" for path in _paths(part)}
    there = {path for part in parts if part.name == "text_is" for path in _paths(part)}
    for path in sorted(gone & there):
        yield f"{path} must have a text and must not be there"


def _paths(check: Call) -> Iterator[str]:
    """Yield the files that a check looks at as they are in the end."""
    for _, call in walk(check):
        if call.kind == "probe" and not call.name.endswith("_before") and "path" in call.arguments:
            yield call.arguments["path"]


def _level_messages(task: Task) -> Iterator[str]:
    if task.tags.level == 1 and not _uses(task.check, "operated"):
        yield "a task of level 1 is also judged by the elements used; use the check `operated`"
    if task.tags.level == 4 and len(task.tags.apps) < LEAST_APPS_OF_LEVEL_4:
        yield f"a task of level 4 uses {LEAST_APPS_OF_LEVEL_4} or more applications"


def _twin(suite: Suite, template: Template, label: str) -> Iterator[Remark]:
    if template.tags.feasible:
        return
    if not suite.template(template.twin).tags.feasible:
        yield Remark(label, f"its twin {template.twin!r} is infeasible too")


def _uses(check: Call, name: str) -> bool:
    return any(call.name == name for _, call in walk(check))
