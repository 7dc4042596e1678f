"""Subtasks that write entries of tables or lines of texts into notes, tasks and messages."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import lines_of, rows_of
from proctor.suites.pool.chat import PostTheFirstLine, introduce
from proctor.suites.pool.notes import NoteFromAText, NoteOfTwoTexts, draw_title, plain_lines, read_text
from proctor.suites.pool.sums import numeric_columns
from proctor.suites.pool.todo import TITLES, RemindOfAText, due_date, task_lines
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw


def entries_of(table: Resource) -> tuple[str, list[str]]:
    """Return what stands above the first column of a table, and its entries.

    Raises:
        SpecError: They are not words.
    """
    headings, *rows = rows_of(table)
    entries = [row[0] for row in rows if isinstance(row[0], str)]
    if not rows or len(entries) < len(rows) or len(set(entries)) < len(entries):
        raise SpecError(f"the first column of {table.value} holds more than words", remedy="give it another table")
    return str(headings[0]), entries


def highest_of(table: Resource) -> tuple[str, str, str]:
    """Return the heading of names and of figures of a table, and the name with the highest figure.

    Raises:
        SpecError: Two names share it.
    """
    headings, *rows = rows_of(table)
    place = numeric_columns([headings, *rows])[0]
    *_, second, most = sorted(rows, key=lambda row: float(row[place]))
    if second[place] == most[place] or not isinstance(most[0], str):
        raise SpecError(f"{table.value} has no single highest figure", remedy="give it another table")
    return str(headings[0]), str(headings[place]), most[0]


class NoteTheEntries(NoteFromAText):
    """The entries in the first column of a table become a note."""

    version = 1
    takes = {"source": "table_file"}
    asks = (
        'write the entries under "{heading}" in {source}, one on each line, into a new Gnote note titled {note}',
        'make a new note {note} in Gnote whose lines are the entries under "{heading}" in {source}',
    )
    brief = 'make a Gnote note {note} with the "{heading}" entries of {source}, one per line'
    steps = (
        'Open {source} in Mousepad and read the entries under "{heading}".',
        "Start Gnote and make a new note titled {note}.",
        "Type the entries as its text, one on each line.",
    )

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        heading, entries = entries_of(takes["source"])
        note = Resource("note", draw_title(draw, theme, ("Names", "Entries", "Register")), plain_lines(entries))
        return Bound(takes=takes, gives={"note": note}, params={"heading": heading})


class NoteTheLastLine(NoteFromAText):
    """The last line of a text file becomes a note."""

    version = 1
    asks = (
        "write the last line of {source} into a new Gnote note titled {note}",
        "make a new note {note} in Gnote that has only the last line of {source} as its text",
    )
    brief = "make a Gnote note {note} with the last line of {source}"
    steps = (
        "Open {source} in Mousepad and read its last line.",
        "Start Gnote and make a new note titled {note}.",
        "Type that line as its text.",
    )

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        *others, last = plain_lines(lines_of(takes["source"]))
        if not others or last in others:
            raise SpecError(f"{takes['source'].value} has no last line of its own", remedy="give it a longer text")
        note = Resource("note", draw_title(draw, theme, ("Ending", "Latest", "Result")), [last])
        return Bound(takes=takes, gives={"note": note})

    def wrong(self, bound: Bound) -> list[str]:
        return lines_of(bound.takes["source"])[:1]


class NoteOfThreeTexts(NoteOfTwoTexts):
    """The first lines of three text files are put together in a note."""

    version = 1
    takes = {"first": "text_file", "second": "text_file", "third": "text_file"}
    asks = (
        "write the first line of each of {first}, {second} and {third} into a new Gnote note titled {note}, in that "
        "order, each on its own line",
        "make a new note {note} in Gnote with three lines of text: the first line of each of {first}, {second} and "
        "{third}, in that order",
    )
    brief = "make a Gnote note {note} with the first lines of {first}, {second} and {third}"
    steps = (
        "Open {first} in Mousepad and read its first line.",
        "Do the same with {second} and {third}.",
        "Start Gnote, make a new note titled {note} and type the three lines.",
    )

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = plain_lines([lines_of(takes[port])[0] for port in self.takes])
        if len(set(lines)) < len(lines):
            raise SpecError("two of the texts begin alike", remedy="give it others")
        return Bound(
            takes=takes, gives={"note": Resource("note", draw_title(draw, theme, ("Contents", "Overview")), lines)}
        )

    def look(self, bound: Bound) -> tuple[Call, ...]:
        return tuple(move for port in self.takes for move in read_text(bound.takes[port]))


class RemindOfTheEntries(RemindOfAText):
    """The entries in the first column of a table become the text of a task with a due date."""

    version = 1
    takes = {"source": "table_file"}
    asks = (
        'add a task {reminder} to GTG, due on {day}, whose text is the entries under "{heading}" in {source}, one on '
        "each line",
        'put {reminder} on the list in GTG with the due date {day}, and write the entries under "{heading}" in '
        "{source} into that task, one on each line",
    )
    brief = 'add a GTG task {reminder} due {day} with the "{heading}" entries of {source}, one per line'
    steps = (
        'Open {source} in Mousepad and read the entries under "{heading}".',
        "Start GTG and make a new task titled {reminder}.",
        "Type the entries below the title, one on each line.",
        "Set its due date to {day} and close GTG.",
    )

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        heading, entries = entries_of(takes["source"])
        reminder = Resource("reminder", draw_title(draw, theme, TITLES), task_lines(entries))
        return Bound(takes=takes, gives={"reminder": reminder}, params={"day": due_date(draw), "heading": heading})


class RemindOfTheLastLine(RemindOfAText):
    """The last line of a text file becomes the text of a task with a due date."""

    version = 1
    asks = (
        "add a task {reminder} to GTG, due on {day}, with only the last line of {source} as its text",
        "put {reminder} on the list in GTG with the due date {day}, and copy the last line of {source} into that task",
    )
    brief = "add a GTG task {reminder} due {day} with the last line of {source}"
    steps = (
        "Open {source} in Mousepad and read its last line.",
        "Start GTG and make a new task titled {reminder}.",
        "Type that line below the title.",
        "Set its due date to {day} and close GTG.",
    )

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        last = task_lines(lines_of(takes["source"]))[-1]
        reminder = Resource("reminder", draw_title(draw, theme, TITLES), [last])
        return Bound(takes=takes, gives={"reminder": reminder}, params={"day": due_date(draw)})


class PostTheLastLine(PostTheFirstLine):
    """A few words and the last line of a text are posted in a channel."""

    version = 1
    asks = (
        'tell the HexChat channel {channel} the last line of {source}, after the words "{message}" on the same line',
        'post "{message}" followed by the last line of {source}, all on one line, in the HexChat channel {channel}',
    )
    brief = 'post "{message}" and the last line of {source} on one line in {channel} in HexChat'
    steps = (
        "Read the last line of {source}.",
        "Start HexChat and choose {channel}.",
        'Say "{message}" and then that line there.',
        "Quit HexChat.",
    )

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        return introduce(draw, theme, takes, lines_of(takes["source"])[-1])


class PostTheHighest(PostTheFirstLine):
    """A few words and what a table has most of are posted in a channel."""

    version = 1
    takes = {"source": "table_file"}
    asks = (
        'tell the HexChat channel {channel} which "{name}" has the highest "{figure}" in {source}: its name alone, '
        'after the words "{message}" on the same line',
        'post "{message}" followed by the "{name}" with the highest "{figure}" in {source}, just its name and all on '
        "one line, in the HexChat channel {channel}",
    )
    brief = (
        'post "{message}" and the "{name}" with the highest "{figure}" in {source} on one line in {channel} in HexChat'
    )
    steps = (
        'Look up which "{name}" has the highest "{figure}" in {source}.',
        "Start HexChat and choose {channel}.",
        'Say "{message}" and then that name there.',
        "Quit HexChat.",
    )

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        name, figure, most = highest_of(takes["source"])
        bound = introduce(draw, theme, takes, most)
        return Bound(takes=takes, gives=bound.gives, params={**bound.params, "name": name, "figure": figure})

    def decoys(self, bound: Bound) -> list[str]:
        _, *rows = rows_of(bound.takes["source"])
        return [str(row[0]) for row in rows]
