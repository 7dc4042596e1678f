"""The words that a model may use: what concerns its application, and nothing that runs code."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import PurePosixPath

from proctor.home import HOME
from proctor.suites import load_suite
from proctor.suites.words import TaskWord
from proctor.suites.words import words as words_of
from proctor.tasks.call import KINDS, Call, DataPath, Kind, walk
from proctor.tasks.shelf import Problem
from proctor.tasks.shelves import problems
from proctor.taxonomy import APPLICATIONS

GENERAL: Mapping[Kind, frozenset[str]] = {
    "setup": frozenset(
        {
            "archive", "clipboard", "copy_file", "csv_file", "folder", "ini_file", "json_file", "launch", "modified",
            "read_only", "symlink", "text_file",
        }
    ),
    "probe": frozenset(
        {
            "answer", "archive", "archived", "before", "clipboard", "csv", "digest", "digest_before", "file", "folder",
            "ini", "json", "link", "text",
        }
    ),
    "check": frozenset(
        {
            "all_of", "answer_has", "answer_is", "answer_number", "any_of", "archive_holds", "archive_lacks",
            "archive_member_is", "clipboard_is", "csv_has_rows", "csv_lacks_rows", "csv_rows", "file_exists",
            "folder_exists", "folder_holds", "has_lines", "ini_value", "is_read_only", "is_writable", "json_lacks",
            "json_value", "line_count", "lines_are", "link_to", "none_of", "nothing_there", "same_content",
            "same_text", "setting_is", "text_has", "text_is", "text_lacks", "text_matches", "unchanged", "weighed",
        }
    ),
    "move": frozenset(
        {
            "answer", "await_element", "await_file", "await_window", "click", "double_click", "drag", "menu", "press",
            "right_click", "run_code", "scroll", "type", "type_into",
        }
    ),
}  # fmt: skip
"""What every application's tasks may say."""
NEVER = frozenset(
    {
        "actions", "asset_file", "big_file", "code_command", "code_extension", "command", "data_file",
        "disturb_window", "end_application", "executable", "fail", "given_drawn_pdf", "given_pdf", "output",
        "page_script", "process", "program_output", "python_results", "query", "returns", "script_is",
        "suite_verdict", "wait",
    }
)  # fmt: skip
"""Words that run code, take files of the host, or fill a disk; nobody needs them to propose a task."""
PERSONAL = frozenset({"run_code"})
"""Moves that no person makes with hands."""
MOST_EXAMPLE = 220
"""Characters of an example that a prompt shows."""
_PATHS = frozenset({"path", "source", "target"})
"""Arguments that name a file, by their names."""


@cache
def words_for(app: str, kind: Kind) -> tuple[TaskWord, ...]:
    """Return the words of a kind for an application: general ones, its own, and those its tasks use."""
    room = f"proctor.vocabulary.apps.{app.replace('-', '_')}."
    used = _used_with(app).get(kind, frozenset())
    return tuple(
        word
        for word in words_of(kind)
        if word.name not in NEVER
        and (word.name in GENERAL[kind] or word.name in used or f"{word.origin}.".startswith(room))
    )


@cache
def _used_with(app: str) -> dict[Kind, frozenset[str]]:
    """Return the words of the tasks that come with Proctor and need no other application than this."""
    tasks = [task for task in load_suite("core").tasks() if task.tags.apps == (app,)]
    found: dict[Kind, set[str]] = {kind: set() for kind in KINDS}
    for task in tasks:
        for _, call in walk([task.setup, task.check, task.solution]):
            found[call.kind].add(call.name)
    return {kind: frozenset(names) for kind, names in found.items()}


def show_words(app: str, *kinds: Kind, without: frozenset[str] = frozenset()) -> str:
    """Return the words as a prompt lists them: an example each, with the arguments that it may have."""
    return "\n".join(_line(word) for kind in kinds for word in words_for(app, kind) if word.name not in without)


def _line(word: TaskWord) -> str:
    example = json.dumps(word.example, ensure_ascii=False)
    example = example if len(example) <= MOST_EXAMPLE else f"{example[:MOST_EXAMPLE]}..."
    arguments = ", ".join(f"{each.name}: {each.type}" for each in word.arguments)
    return f"- {word.name}({arguments}): {word.summary} {example}"


def call_faults(
    value: object, at: DataPath, app: str, *kinds: Kind, without: frozenset[str] = frozenset()
) -> Iterator[Problem]:
    """Yield what is wrong with calls that a model wrote, words and places it may not use among it."""
    yield from problems(value, at, *kinds)
    for path, call in walk(value, at):
        names = {word.name for word in words_for(app, call.kind)} - without
        if call.name in NEVER or call.name in without:
            yield Problem((*path, call.kind), f"the {call.kind} {call.name!r} may not be used here; take another")
        elif call.name not in names:
            listed = ", ".join(sorted(names))
            yield Problem(
                (*path, call.kind), f"the {call.kind} {call.name!r} is not for tasks on {app}; use one of: {listed}"
            )
        for name in sorted(_PATHS & call.arguments.keys()):
            if isinstance(given := call.arguments[name], str):
                yield from path_faults(given, (*path, name))
        if call.name == "launch":
            yield from _launch_faults(call, path, app)


def path_faults(path: str, at: DataPath) -> Iterator[Problem]:
    """Yield what is wrong with a path that a model wrote: it must lie where people see it."""
    inside = path.removeprefix(f"{HOME}/")
    parts = inside.split("/")
    if not inside or inside.startswith("/") or ".." in parts or "~" in parts[0]:
        yield Problem(at, f"{path[:80]!r} is not below the home folder; write a path such as Documents/list.txt")
    elif any(part.startswith(".") for part in parts):
        yield Problem(at, f"{path[:80]!r} is hidden; write a path that people see, such as Documents/list.txt")


def _launch_faults(call: Call, at: DataPath, app: str) -> Iterator[Problem]:
    argv = call.arguments.get("argv")
    if not isinstance(argv, tuple | list) or not argv or not all(isinstance(each, str) for each in argv):
        return  # reported with the arguments
    programs = [PurePosixPath(path).name for path in APPLICATIONS[app].programs] or [app]
    if argv[0] not in programs:
        yield Problem(
            (*at, "argv", 0), f"{argv[0][:80]!r} is not a program of {app}; use one of: {', '.join(programs)}"
        )
    for place, argument in enumerate(argv[1:], 1):
        if argument.startswith("-"):
            yield Problem((*at, "argv", place), f"{argument[:80]!r} is an option; give files to open and nothing else")
        else:
            yield from path_faults(argument, (*at, "argv", place))
