"""Subtasks on tables that are done with a command in LXTerminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proctor.errors import SpecError
from proctor.graphs.compose.equip import text_of
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import new_path, quote_path, rows_of
from proctor.suites.parts.ways import by_python, by_shell
from proctor.suites.pool.terminal import run_in_terminal
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, see
from proctor.tasks.task import NearMiss, Way


def _table_by_code(rows: str, target: Resource, *sources: Resource) -> Way:
    """Return the way by Python that writes rows, an expression over those of each table, as a table."""
    return by_python(
        "by Python",
        "import csv\n"
        f"first, *more = [list(csv.reader(open(path))) for path in {[source.value for source in sources]!r}]\n"
        f"csv.writer(open({target.value!r}, 'w')).writerows({rows})\n",
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
    brief = 'save the "{heading}" entries of {table} one per line as {text}'
    steps = (
        "Open a terminal.",
        'Write the "{heading}" column of {table} without its heading into {text}.',
        "Close the terminal.",
    )
    demand = "Office/Data/Tabling"
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        headings, *rows = rows_of(takes["table"])
        column = [row[0] for row in rows if isinstance(row[0], str)]
        if not rows or len(column) < len(rows) or any(char in entry for entry in column for char in ',"\n'):
            raise SpecError("the first column has more than plain words", remedy="give it another table")
        path = new_path(draw, theme, "Documents", ("entries", "column", "names"), ".txt")
        return Bound(
            takes=takes, gives={"text": Resource("text_file", path, column)}, params={"heading": str(headings[0])}
        )

    def work(self, bound: Bound) -> Work:
        table, text = bound.takes["table"], bound.gives["text"]
        # Some applications put words in quotes.
        cut = f"""cut -d, -f1 {quote_path(table)} | tr -d '"\\r'"""
        return Work(
            moves=run_in_terminal(f"{cut} | tail -n +2 > {quote_path(text)}", text),
            check=expect.text_is(see.text(text.value), text_of(text.content)),
            near_misses=(
                NearMiss(name="with the heading", moves=run_in_terminal(f"{cut} > {quote_path(text)}", text)),
            ),
            other_ways=(
                by_shell(
                    "by another command", f"awk -F, 'NR > 1 {{print $1}}' {quote_path(table)} > {quote_path(text)}"
                ),
                _table_by_code("[row[:1] for row in first[1:]]", text, table),
            ),
            cheats=(
                by_shell("another column", f"cut -d, -f2 {quote_path(table)} | tail -n +2 > {quote_path(text)}"),
                by_shell("every column", f"tail -n +2 {quote_path(table)} > {quote_path(text)}"),
            ),
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
    brief = 'save the rows of {table} with "{heading}" above {limit} as {result}, heading included'
    steps = (
        "Open a terminal.",
        'Write the heading and the rows of {table} with "{heading}" above {limit} into {result}.',
        "Close the terminal.",
    )
    demand = "Office/Data/Tabling"
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        headings, *rows = rows_of(takes["table"])
        place = _figures(rows)
        figures = sorted({float(row[place]) for row in rows})
        if len(figures) < 3:
            raise SpecError("the figures are too much alike", remedy="give it another table")
        limit = int(figures[draw.randrange(1, len(figures) - 1)])
        kept = [row for row in rows if float(row[place]) > limit]
        path = new_path(draw, theme, "Documents", ("large", "picked", "upper"), ".csv")
        return Bound(
            takes=takes,
            gives={"result": Resource("table_file", path, [headings, *kept])},
            params={"heading": str(headings[place]), "limit": str(limit)},
        )

    def work(self, bound: Bound) -> Work:
        table, result = bound.takes["table"], bound.gives["result"]
        place = [str(heading) for heading in table.content[0]].index(bound.params["heading"]) + 1
        condition = f"${place} > {bound.params['limit']}"

        def pick_rows(condition: str) -> tuple[Call, ...]:
            return run_in_terminal(f"awk -F, '{condition}' {quote_path(table)} > {quote_path(result)}", result)

        return Work(
            moves=pick_rows(f"NR == 1 || {condition}"),
            check=expect.csv_rows(see.csv(result.value), result.content),
            near_misses=(NearMiss(name="without the heading", moves=pick_rows(f"NR > 1 && {condition}")),),
            other_ways=(
                _table_by_code(
                    f"[row for row in first if row is first[0] or float(row[{place - 1}]) > {bound.params['limit']}]",
                    result,
                    table,
                ),
                by_shell(
                    "in two goes",
                    f"head -n 1 {quote_path(table)} > {quote_path(result)}",
                    f"tail -n +2 {quote_path(table)} | awk -F, '{condition}' >> {quote_path(result)}",
                ),
            ),
            cheats=(
                by_shell("all rows", f"cp {quote_path(table)} {quote_path(result)}"),
                by_shell("the heading and no rows", f"head -n 1 {quote_path(table)} > {quote_path(result)}"),
            ),
        )


def _figures(rows: Sequence[Sequence[str | int | float]]) -> int:
    """Return the first column of figures that is not the last column, where line ends may differ."""
    for place in range(len(rows[0]) - 1 if rows else 0):
        if all(isinstance(row[place], int | float) for row in rows):
            return place
    raise SpecError("no column has figures", remedy="give it another table")


class JoinTwoTables(Subtask):
    """The rows of two tables with the same headings are put into a new one."""

    app = "lxterminal"
    takes = {"first": "table_file", "second": "table_file"}
    gives = {"result": "table_file"}
    asks = (
        "append the rows of {second} to those of {first} in a new CSV file {result} with a single heading row",
        "make a CSV file {result} with one heading row, the rows of {first} and below them the rows of {second}",
    )
    brief = "save the rows of {first} then {second} below one heading row as {result}"
    steps = (
        "Open a terminal.",
        "Write {first} and below it the rows of {second} without the headings into {result}.",
        "Close the terminal.",
    )
    demand = "Office/Data/Tabling"
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        first, (headings, *second) = rows_of(takes["first"]), rows_of(takes["second"])
        if first[0] != headings:
            raise SpecError("the two tables have different headings", remedy="give it tables of one kind")
        path = new_path(draw, theme, "Documents", ("joined", "total", "combined"), ".csv")
        return Bound(takes=takes, gives={"result": Resource("table_file", path, [*first, *second])})

    def work(self, bound: Bound) -> Work:
        first, second, result = bound.takes["first"], bound.takes["second"], bound.gives["result"]

        def join_tables(condition: str) -> tuple[Call, ...]:
            return run_in_terminal(
                f"awk '{condition}' {quote_path(first)} {quote_path(second)} > {quote_path(result)}", result
            )

        return Work(
            moves=join_tables("NR == 1 || FNR > 1"),
            check=expect.csv_rows(see.csv(result.value), result.content),
            near_misses=(NearMiss(name="headings twice", moves=join_tables("1")),),
            other_ways=(
                _table_by_code("first + more[0][1:]", result, first, second),
                by_shell(
                    "in two goes",
                    f"cp {quote_path(first)} {quote_path(result)}",
                    f"tail -n +2 {quote_path(second)} >> {quote_path(result)}",
                ),
            ),
            cheats=(
                by_shell("only the first one", f"cp {quote_path(first)} {quote_path(result)}"),
                by_shell(
                    "the other way round",
                    f"cp {quote_path(second)} {quote_path(result)}",
                    f"tail -n +2 {quote_path(first)} >> {quote_path(result)}",
                ),
            ),
        )
