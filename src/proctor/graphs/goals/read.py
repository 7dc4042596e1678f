"""Goals as they are written down: a few named lines, what is there, and the parts, one to a line.

    # club-outing
    titles: outing, day trip
    there:
      programme: text_file timetable
    make:
      letter: turn-a-text-into-a-document(programme) -- the programme goes out on paper
      * mail: mail-a-file(letter | programme) -- the members get it by e-mail

A star stands before what may be wanted in the end; a bar between things of which one is taken. After a semicolon stands
what a parameter of the subtask is to be: `answer-a-letter(offer; line: We take it | No, thank you)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from proctor.errors import SpecError
from proctor.graphs.goals.goal import Goal, GoalPart, Start

_FIELDS = ("titles", "names", "demand", "people", "purpose", "remarks", "table")
_PART = re.compile(r"(\* )?([a-z][a-z0-9 -]*): ([a-z-]+)\((.*)\) -- (\S.*)")
_START = re.compile(r"([a-z][a-z0-9 -]*): (\w+) (\S.*)")


def read_goals(text: str, *, source: str = "goals") -> Iterator[Goal]:
    """Yield the goals of a text.

    Raises:
        SpecError: A line is none of what may stand there; says which.
    """
    name, lines = "", list[tuple[int, str]]()
    for number, line in enumerate([*text.splitlines(), "# "], 1):
        if line.startswith("# "):
            if name:
                yield _read_goal(name, lines, source)
            name, lines = line[2:].strip(), []
        elif line.strip():
            if not name:
                raise _line_fault(source, number, line)
            lines.append((number, line))


def _line_fault(source: str, number: int, line: str) -> SpecError:
    return SpecError(
        f"{source}, line {number}: {line.strip()!r} is no line of a goal",
        remedy="begin a goal with `# name`; write `name: kind topic` below `there:` and "
        "`role: subtask(sources) -- why` below `make:`",
    )


def _read_goal(name: str, lines: list[tuple[int, str]], source: str) -> Goal:
    said: dict[str, str] = {}
    starts: dict[str, Start] = {}
    parts: list[GoalPart] = []
    wanted: set[str] = set()
    section = ""
    for number, line in lines:
        text = line.strip()
        if text in ("there:", "make:"):
            section = text
        elif section == "there:" and (start := _START.fullmatch(text)):
            starts[start[1]] = Start(start[1], start[2], start[3])
        elif section == "make:" and (part := _PART.fullmatch(text)):
            sources, *hints = part[4].split(";")
            parts.append(GoalPart(part[2], part[3], _sources(sources), part[5], tuple(map(_hint, hints))))
            wanted |= {part[2]} if part[1] else set()
        elif not section and (field := text.partition(":"))[0] in (*_FIELDS, "several"):
            said[field[0]] = field[2].strip()
        else:
            raise _line_fault(source, number, line)
    if lacking := [field for field in _FIELDS if not said.get(field)]:
        raise SpecError(f"{source}: the goal {name!r} has no {lacking[0]}", remedy=f"add a line `{lacking[0]}: ...`")
    return Goal(
        name=name,
        titles=_list(said["titles"]),
        names=said["names"],
        demand=said["demand"],
        people=_list(said["people"]),
        purpose=said["purpose"],
        remarks=_list(said["remarks"], "|"),
        table=said["table"],
        several=said.get("several") == "yes",
        starts=starts,
        parts=tuple(parts),
        wanted=frozenset(wanted),
    )


def _list(text: str, mark: str = ",") -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(mark) if item.strip())


def _hint(text: str) -> tuple[str, tuple[str, ...]]:
    parameter, _, texts = text.partition(":")
    return parameter.strip(), _list(texts, "|")


def _sources(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(_list(port, "|") for port in text.split(",") if port.strip())
