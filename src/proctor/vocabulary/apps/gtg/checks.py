"""Checks on lists of tasks; tags are written without the `@` and in any order."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from proctor.tasks.compare import beyond
from proctor.tasks.findings import Finding, unless
from proctor.tasks.model import PlainModel
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import loose, plain, short

Status = Literal["Active", "Done", "Dismiss"]
WORDS = {"Active": "open", "Done": "done", "Dismiss": "dismissed"}


class WantedTask(PlainModel):
    """A task as it should be on the list."""

    title: str
    status: Status = "Active"
    due: date | None = None
    tags: tuple[str, ...] = ()


@CHECKS.register
def todo_exists(
    of: Seen, title: str, due: date | None = None, tags: list[str] | None = None, status: Status = "Active"
) -> Finding:
    """There is exactly one task with this title and status, and this due date and tags if given."""
    found = _tasks_titled(of, title, tags)
    problems = _count(found, title)
    for task in found if not problems else ():
        problems += _status_problems(task, status)
        if due is not None and task["due"] != due.isoformat():
            problems.append(f"The task '{title}' is due {_day(task['due'])}, expected {due}.")
    return unless(problems)


@CHECKS.register
def todo_text_is(of: Seen, title: str, text: str) -> Finding:
    """The one task of this title has this text, whatever empty lines and blanks around lines."""
    found = _tasks_titled(of, title, None)
    problems = _count(found, title)
    for task in found if not problems else ():
        held, wanted = ([plain(line) for line in each.split("\n") if line.strip()] for each in (task["text"], text))
        if held != wanted:
            problems.append(f"The task '{title}' says {short(task['text'])}, expected {short(text)}.")
    return unless(problems)


@CHECKS.register
def todo_done(of: Seen, titles: list[str]) -> Finding:
    """Exactly these tasks are done."""
    done = [task["title"] for task in of["tasks"] if task["status"] == "Done"]
    problems = [f"The task '{title}' is not done." for title in titles if title not in done]
    problems += [f"The task '{title}' should not be done." for title in done if title not in titles]
    return unless(problems)


@CHECKS.register
def todo_due(of: Seen, title: str, due: date | None, tags: list[str] | None = None) -> Finding:
    """The task with this title (and these tags) is due on this day, or on none."""
    found = _tasks_titled(of, title, tags)
    problems = _count(found, title)
    wanted = due.isoformat() if due else ""
    problems += [
        f"The task '{title}' is due {_day(task['due'])}, expected {_day(wanted)}."
        for task in (found if not problems else ())
        if task["due"] != wanted
    ]
    return unless(problems)


@CHECKS.register
def todos_are(of: Seen, tasks: list[WantedTask]) -> Finding:
    """The list has exactly these tasks with their status, due date and tags.

    None is put off or comes back by itself. Its order, the texts of the tasks and the case of their titles are ignored.
    """
    held = [_facts(task["title"], task["status"], task["due"], task["tags"]) for task in of["tasks"]]
    wanted = [_facts(each.title, each.status, each.due.isoformat() if each.due else "", each.tags) for each in tasks]
    problems = [f"There is no task {each}." for each in beyond(wanted, held, loose)]
    problems += [f"There should not be a task {each}." for each in beyond(held, wanted, loose)]
    # A task that has yet to start is out of sight until then.
    problems += [
        f"The task '{task['title']}' starts only {task['start']}." for task in of["tasks"] if task.get("start")
    ]
    problems += [
        f"The task '{task['title']}' comes back every {task['recurs']}." for task in of["tasks"] if task.get("recurs")
    ]
    return unless(problems)


def _tasks_titled(of: Any, title: str, tags: list[str] | None) -> list[dict[str, Any]]:
    found = [task for task in of["tasks"] if loose(task["title"]) == loose(title)]
    return found if tags is None else [task for task in found if sorted(task["tags"]) == sorted(tags)]


def _count(found: list[dict[str, object]], title: str) -> list[str]:
    return [] if len(found) == 1 else [f"There are {len(found)} tasks '{title}', expected one."]


def _status_problems(task: dict[str, Any], status: Status) -> list[str]:
    if task["status"] == status:
        return []
    return [f"The task '{task['title']}' is {WORDS.get(task['status'], 'lost')}, expected {WORDS[status]}."]


def _facts(title: str, status: str, due: str, tags: Any) -> str:
    marked = "".join(f" @{tag}" for tag in sorted(tags))
    return f"'{title}'{marked}, {WORDS.get(status, 'lost')}, due {_day(due)}"


def _day(text: str) -> str:
    return text or "on no day"
