"""Subtasks on texts and tables that are done with a command in LXTerminal."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

from proctor.errors import SpecError
from proctor.graphs.composing.equip import text_of
from proctor.graphs.composing.resource import Resource
from proctor.graphs.composing.subtask import Bound, Subtask, Work
from proctor.graphs.composing.theme import Theme
from proctor.suites.parts.programs import lines_of, named, quoted, rows_of, started
from proctor.suites.pool.code import printed
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss

PROMPT = "user@"
"""What the title of the terminal begins with."""


def commanded(command: str, result: Resource) -> tuple[Call, ...]:
    """Run a command in a terminal, wait for the file that it writes, and close the terminal."""
    run = (hand.type(f"{command}\n"), hand.await_saved(result.value), hand.type("exit\n"))
    return (*started("lxterminal", PROMPT), *run, hand.await_window(PROMPT, gone=True))


def alphabetical(lines: Sequence[str]) -> list[str]:
    """Return lines in the only order that is alphabetical, whether or not blanks and capitals count.

    Raises:
        SpecError: It depends on that.
    """
    ordered = sorted(lines)
    letters = sorted(lines, key=lambda line: "".join(filter(str.isalnum, line.casefold())))
    if not ordered == letters == sorted(lines, key=str.casefold) or len(set(lines)) < len(lines):
        raise SpecError("there is more than one alphabetical order of the lines", remedy="hand it something else")
    return ordered


class _OneText(Subtask):
    """A command makes a new text of a text."""

    app = "lxterminal"
    takes = {"source": "text_file"}
    gives = {"text": "text_file"}
    demand = "Knowledge/Skills Practice/Coding"
    words: tuple[str, ...]
    """For the name of the new text."""
    command: str
    wrong: str
    """A command for what is near and still wrong."""

    @abstractmethod
    def lines(self, source: Resource) -> list[str]:
        """Return the lines of the new text."""

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = self.lines(takes["source"])
        path = named(draw, theme, "Documents", self.words, ".txt")
        return Bound(takes=takes, gives={"text": Resource("text_file", path, lines)})

    def work(self, bound: Bound) -> Work:
        source, text = bound.takes["source"], bound.gives["text"]

        def done_by(command: str) -> tuple[Call, ...]:
            return commanded(f"{command} {quoted(source)} > {quoted(text)}", text)

        return Work(
            moves=done_by(self.command),
            check=expect.text_is(see.text(text.value), text_of(text.content)),
            near_misses=(NearMiss(name=self.wrong, moves=done_by(self.wrong)),),
        )


class SortTheLines(_OneText):
    """The lines of a text are sorted into a new one."""

    asks = (
        "sort the lines of {source} alphabetically, character by character, into a new text file {text}",
        "write the lines of {source} into a new text file {text} in alphabetical order, character by character",
    )
    steps = ("Open a terminal.", "Sort the lines of {source} into {text} with a command.", "Close the terminal.")
    words = ("sorted", "a-to-z", "alphabetical")
    command, wrong = "sort", "sort -r"

    def lines(self, source: Resource) -> list[str]:
        ordered = alphabetical(lines_of(source))
        if len(ordered) < 2:
            raise SpecError("there is only one line", remedy="take a longer text")
        return ordered


class ReverseTheLines(_OneText):
    """The lines of a text are written into a new one from last to first."""

    asks = (
        "save the lines of {source} in reverse order in a new text file {text}",
        "write the lines of {source} into a new text file {text}, from last to first",
    )
    steps = (
        "Open a terminal.",
        "Write the lines of {source} in reverse order into {text} with a command.",
        "Close it.",
    )
    words = ("reversed", "backwards", "upside-down")
    command, wrong = "tac", "sort -r"

    def lines(self, source: Resource) -> list[str]:
        lines = lines_of(source)[::-1]
        if lines in (lines[::-1], sorted(lines, reverse=True)):
            raise SpecError("the lines are in order already", remedy="take another text")
        return lines


class CountTheWords(_OneText):
    """The number of words in a text is written down."""

    asks = (
        "count the words in {source} and write just the number into a new text file {text}",
        "find out how many words there are in {source} and save just that number as {text}",
    )
    steps = ("Open a terminal.", "Write the number of words in {source} into {text}.", "Close the terminal.")
    words = ("word-count", "number-of-words", "length")
    command, wrong = "wc -w <", "wc -l <"

    def lines(self, source: Resource) -> list[str]:
        lines = lines_of(source)
        number = sum(len(line.split()) for line in lines)
        if number == len(lines):
            raise SpecError("there are as many words as lines", remedy="take another text")
        return [str(number)]


class RunAScript(_OneText):
    """The output of a script is saved as a text."""

    takes = {"source": "code_file"}
    asks = (
        "run {source} and save what it prints in a new text file {text}",
        "run {source} in a terminal and save the output as {text}",
    )
    steps = ("Open a terminal.", "Run {source} with sh and send its output to {text}.", "Close the terminal.")
    words = ("output", "printed", "result")
    command, wrong = "sh", "cat"

    def lines(self, source: Resource) -> list[str]:
        lines = printed(lines_of(source))
        if not lines:
            raise SpecError(f"{source.value} prints nothing", remedy="hand it another script")
        return lines


class FindTheLines(Subtask):
    """The lines of a text that contain a word are written into a new one."""

    app = "lxterminal"
    takes = {"source": "text_file"}
    gives = {"text": "text_file"}
    asks = (
        'write the lines of {source} that contain the word "{word}" into a new text file {text}',
        'save only the lines of {source} that contain "{word}" as {text}',
    )
    steps = (
        "Open a terminal.",
        'Write the lines of {source} with "{word}" in them into {text}.',
        "Close the terminal.",
    )
    demand = "Knowledge/Knowledge/Data Retrieval"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = lines_of(takes["source"])
        chosen = [word for word in sorted({word for line in lines for word in line.split()}) if _telling(word, lines)]
        if not chosen:
            raise SpecError(f"no word tells some lines of {takes['source'].value} from others", remedy="take another")
        word = draw.choice(chosen)
        path = named(draw, theme, "Documents", ("found", "matching", "selected"), ".txt")
        text = Resource("text_file", path, [line for line in lines if word in line])
        return Bound(takes=takes, gives={"text": text}, params={"word": word})

    def work(self, bound: Bound) -> Work:
        source, text, word = bound.takes["source"], bound.gives["text"], bound.params["word"]

        def found_by(command: str) -> tuple[Call, ...]:
            return commanded(f"{command} {word} {quoted(source)} > {quoted(text)}", text)

        return Work(
            moves=found_by("grep"),
            check=expect.text_is(see.text(text.value), text_of(text.content)),
            near_misses=(NearMiss(name="all other lines", moves=found_by("grep -v")),),
        )


def _telling(word: str, lines: Sequence[str]) -> bool:
    """Tell whether a word is in some of the lines, however one looks for it."""
    whole = [word.casefold() in line.casefold().split() for line in lines]
    return (
        word.isalpha() and len(word) > 3 and 0 < sum(whole) < len(lines) and whole == [word in line for line in lines]
    )


class ListAFolder(Subtask):
    """The names of the files in a folder are written into a text."""

    app = "lxterminal"
    takes = {"folder": "folder"}
    gives = {"text": "text_file"}
    asks = (
        "list the names of the files in {folder} in a new text file {text}, one per line in alphabetical order",
        "write the names of the files in {folder} into a new text file {text}, alphabetically and one per line",
    )
    steps = ("Open a terminal.", "Write the names of the files in {folder} into {text}.", "Close the terminal.")
    demand = "System/Files and Applications/Files"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        content = takes["folder"].content
        if not isinstance(content, dict) or not content:
            raise SpecError(f"nobody knows what is in {takes['folder'].value}", remedy="hand it another folder")
        path = named(draw, theme, "Documents", ("contents", "index", "files"), ".txt")
        return Bound(takes=takes, gives={"text": Resource("text_file", path, alphabetical(list(content)))})

    def work(self, bound: Bound) -> Work:
        folder, text = bound.takes["folder"], bound.gives["text"]

        def listed(options: str) -> tuple[Call, ...]:
            return commanded(f"ls {options} {quoted(folder)} > {quoted(text)}", text)

        return Work(
            moves=listed("-1"),
            check=expect.text_is(see.text(text.value), text_of(text.content)),
            near_misses=(NearMiss(name="with the file details", moves=listed("-l")),),
        )


class TakeAColumn(Subtask):
    """One column of a table becomes a text."""

    app = "lxterminal"
    takes = {"table": "table_file"}
    gives = {"text": "text_file"}
    asks = (
        'write the entries in the "{heading}" column of {table} into a new text file {text}, one per line and '
        "without the heading",
        'save what is below the heading "{heading}" in {table} as {text}, one entry per line',
    )
    steps = (
        "Open a terminal.",
        'Write the "{heading}" column of {table} without its heading into {text}.',
        "Close the terminal.",
    )
    demand = "Office/Data/Tabling"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        headings, *rows = rows_of(takes["table"])
        column = [row[0] for row in rows if isinstance(row[0], str)]
        if not rows or len(column) < len(rows) or any(char in entry for entry in column for char in ',"\n'):
            raise SpecError("the first column has more than plain words", remedy="hand it another table")
        path = named(draw, theme, "Documents", ("entries", "column", "names"), ".txt")
        return Bound(
            takes=takes, gives={"text": Resource("text_file", path, column)}, params={"heading": str(headings[0])}
        )

    def work(self, bound: Bound) -> Work:
        table, text = bound.takes["table"], bound.gives["text"]
        # Some applications put words in quotes.
        cut = f"""cut -d, -f1 {quoted(table)} | tr -d '"\\r'"""
        return Work(
            moves=commanded(f"{cut} | tail -n +2 > {quoted(text)}", text),
            check=expect.text_is(see.text(text.value), text_of(text.content)),
            near_misses=(NearMiss(name="with the heading", moves=commanded(f"{cut} > {quoted(text)}", text)),),
        )


class PickRows(Subtask):
    """The rows of a table with large numbers are picked out."""

    app = "lxterminal"
    takes = {"table": "table_file"}
    gives = {"result": "table_file"}
    asks = (
        'copy the heading row of {table} and the rows where "{heading}" is above {limit} to a new CSV file {result}',
        'make a CSV file {result} out of {table} without the rows where "{heading}" is {limit} or less',
    )
    steps = (
        "Open a terminal.",
        'Write the heading and the rows of {table} with "{heading}" above {limit} into {result}.',
        "Close the terminal.",
    )
    demand = "Office/Data/Tabling"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        headings, *rows = rows_of(takes["table"])
        place = _figures(rows)
        figures = sorted({float(row[place]) for row in rows})
        if len(figures) < 3:
            raise SpecError("the figures are too much alike", remedy="hand it another table")
        limit = int(figures[draw.randrange(1, len(figures) - 1)])
        kept = [row for row in rows if float(row[place]) > limit]
        path = named(draw, theme, "Documents", ("large", "picked", "upper"), ".csv")
        return Bound(
            takes=takes,
            gives={"result": Resource("table_file", path, [headings, *kept])},
            params={"heading": str(headings[place]), "limit": str(limit)},
        )

    def work(self, bound: Bound) -> Work:
        table, result = bound.takes["table"], bound.gives["result"]
        place = [str(heading) for heading in table.content[0]].index(bound.params["heading"]) + 1
        condition = f"${place} > {bound.params['limit']}"

        def picked(condition: str) -> tuple[Call, ...]:
            return commanded(f"awk -F, '{condition}' {quoted(table)} > {quoted(result)}", result)

        return Work(
            moves=picked(f"NR == 1 || {condition}"),
            check=expect.csv_rows(see.csv(result.value), result.content),
            near_misses=(NearMiss(name="without the heading", moves=picked(f"NR > 1 && {condition}")),),
        )


def _figures(rows: Sequence[Sequence[str | int | float]]) -> int:
    """Return the first column of figures that is not the last column, where lines may end in more than a break."""
    for place in range(len(rows[0]) - 1 if rows else 0):
        if all(isinstance(row[place], int | float) for row in rows):
            return place
    raise SpecError("no column has figures", remedy="hand it another table")


class JoinTwoTables(Subtask):
    """The rows of two tables with the same headings are put into a new one."""

    app = "lxterminal"
    takes = {"first": "table_file", "second": "table_file"}
    gives = {"result": "table_file"}
    asks = (
        "append the rows of {second} to those of {first} in a new CSV file {result} with a single heading row",
        "make a CSV file {result} with one heading row, the rows of {first} and below them the rows of {second}",
    )
    steps = (
        "Open a terminal.",
        "Write {first} and below it the rows of {second} without the headings into {result}.",
        "Close the terminal.",
    )
    demand = "Office/Data/Tabling"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        first, (headings, *second) = rows_of(takes["first"]), rows_of(takes["second"])
        if first[0] != headings:
            raise SpecError("the two tables have different headings", remedy="hand it tables of one kind")
        path = named(draw, theme, "Documents", ("joined", "total", "combined"), ".csv")
        return Bound(takes=takes, gives={"result": Resource("table_file", path, [*first, *second])})

    def work(self, bound: Bound) -> Work:
        first, second, result = bound.takes["first"], bound.takes["second"], bound.gives["result"]

        def joined(condition: str) -> tuple[Call, ...]:
            return commanded(f"awk '{condition}' {quoted(first)} {quoted(second)} > {quoted(result)}", result)

        return Work(
            moves=joined("NR == 1 || FNR > 1"),
            check=expect.csv_rows(see.csv(result.value), result.content),
            near_misses=(NearMiss(name="headings twice", moves=joined("1")),),
        )
