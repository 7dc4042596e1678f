"""Lint for fairness: what would let a verdict miss what was spoilt, or refuse what is right."""

from __future__ import annotations

import re
from collections.abc import Iterator

from proctor.tasks.call import Call, walk
from proctor.tasks.patterns import Patterns
from proctor.tasks.task import Task

_FILE = re.compile(
    r"(?<![\w/.@-])[\w./-]*[\w-]\.(?:txt|csv|ods|odt|odp|docx|xlsx|pdf|png|jpg|zip|db|kdbx|xhb|py|sh|svg)(?![\w-])"
)
_TRAILING = re.compile(r"[^\S\n]+(?:\n|$)")
_BY_NAME = frozenset({"folder_holds", "file_exists"})
"""Checks that see of a file only that it is there."""


def unfair(task: Task) -> Iterator[str]:
    """Yield what makes the verdicts of a task unfair, or easy to have for nothing."""
    yield from _invisible_blanks(task)
    yield from _covered_files(task)
    yield from _by_name_only(task)
    yield from _exact_appendices(task)
    if task.tags.feasible:
        yield from _not_there(task)
    elif not any(call.name == "was_shown" for _, call in walk(task.check)):
        yield "giving up at once would succeed: its check does not ask what the agent `was_shown`"


def _files_made(task: Task) -> dict[str, Call]:
    """Return the files that setup makes, by path, each with the step that does."""
    return {
        str(call.arguments["path"]): call
        for _, call in walk(task.setup)
        if "path" in call.arguments and call.name not in ("read_only", "calc", "open_in_office")
    }


def _invisible_blanks(task: Task) -> Iterator[str]:
    for path, call in _files_made(task).items():
        text = call.arguments.get("text")
        if isinstance(text, str) and _TRAILING.search(text):
            yield f"{path} has trailing blanks, which are invisible and easy to get wrong"


def _covered_files(task: Task) -> Iterator[str]:
    """Yield wildcards that stand for files which are there from the beginning and stay."""
    stays = _named_in_the_end(task)
    for pattern in task.expected:
        hidden = any(part.startswith(".") for part in pattern.split("/"))
        if "*" in pattern and not hidden:
            patterns = Patterns([pattern])
            for path in sorted(path for path in _files_made(task) if patterns.match(path) and path in stays):
                yield f"`expected` covers {path} by {pattern}; name the files that are changed"


def _by_name_only(task: Task) -> Iterator[str]:
    looked_into = {
        path
        for _, call in walk(task.check)
        if call.kind == "check" and call.name not in _BY_NAME
        for path in _paths_probed(call)
    }
    for path in sorted(_named_in_the_end(task) & _files_made(task).keys() - looked_into):
        yield f"its check compares {path} by name only; also check that its content is unchanged"


def _named_in_the_end(task: Task) -> set[str]:
    """Return the files that must be in some folder at the end."""
    found = set()
    for _, call in walk(task.check):
        if call.name == "folder_holds":
            (folder,) = _paths_probed(call)
            names = [*(call.arguments.get("exactly") or ()), *(call.arguments.get("at_least") or ())]
            found |= {f"{folder.rstrip('/')}/{name}" for name in names}
    return found


def _exact_appendices(task: Task) -> Iterator[str]:
    made = _files_made(task)
    for _, call in walk(task.check):
        if call.name == "text_is" and call.arguments.get("exactly"):
            for path in _paths_probed(call):
                before: object = made[path].arguments.get("text") if path in made else None
                if isinstance(before, str) and before and str(call.arguments["text"]).startswith(before.rstrip()):
                    yield f"{path} must match exactly, though only a line is added to it"


def _not_there(task: Task) -> Iterator[str]:
    """Yield files that the instruction names and that neither setup makes nor the task brings about."""
    rest = task.model_copy(update={"instruction": "-", "paraphrases": ()}).text
    for name in dict.fromkeys(found.group().rpartition("/")[2] for found in _FILE.finditer(task.instruction)):
        stem = name.rpartition(".")[0]
        if name not in rest and stem not in rest:
            yield f"its instruction names {name}, which is nowhere in the task"


def _paths_probed(check: Call) -> list[str]:
    """Return the paths that the probes of a check look at, directly."""
    probes = [value for value in check.arguments.values() if isinstance(value, Call) and value.kind == "probe"]
    return [str(probe.arguments["path"]) for probe in probes if "path" in probe.arguments]
