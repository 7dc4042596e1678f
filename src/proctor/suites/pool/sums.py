"""Subtasks with calculators, whose results go to the clipboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proctor.errors import SpecError
from proctor.graphs.compose.contents import OF_EACH
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import close_window, quote_path, rows_of, start_program
from proctor.suites.parts.ways import by_shell, to_clipboard, typed_and_copied
from proctor.suites.pool.notes import READING, read_text
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss

DEMAND = "Knowledge/Skills Practice/Math"
Number = int | float


def numeric_columns(rows: Sequence[Sequence[str | Number]]) -> list[int]:
    """Return which columns of a table hold numbers only, below headings that tell them apart.

    Raises:
        SpecError: There is none, or a heading is empty or occurs twice.
    """
    headings, *body = rows
    names = [str(heading).strip() for heading in headings]
    if not all(names) or len(set(names)) < len(names) or any(len(row) != len(names) for row in body) or len(body) < 2:
        raise SpecError("the table has no rows under headings that tell its columns apart", remedy="take another one")
    found = [place for place in range(len(names)) if all(_is_number(row[place]) for row in body)]
    if not found:
        raise SpecError("no column of the table holds numbers only", remedy="take another one")
    return found


def _is_number(held: str | Number) -> bool:
    return isinstance(held, int | float) and not isinstance(held, bool)


def plain_number(value: Number) -> str:
    """Return a number as calculators show it: no more decimals than it needs."""
    return f"{round(value, 2):.12g}"


def result(number: Number) -> Resource:
    """Return a number on the clipboard."""
    return Resource("clipboard_text", plain_number(number), [plain_number(number)])


def calculate(program: str, window: str, term: str) -> tuple[Call, ...]:
    """Work something out, copy the result and close the calculator."""
    return (
        *start_program(program, window),
        hand.type(term),
        hand.press("Return"),
        hand.press("ctrl+c"),
        *close_window(window),
    )


def on_clipboard(clip: Resource) -> Call:
    """Return the check that a number is on the clipboard, with as many decimals as one likes."""
    return expect.clipboard_number(see.clipboard(), float(clip.value), tolerance=0.001)


class WorkOutASum(Subtask):
    """The cost of some things is worked out, and the result copied."""

    version = 3
    app = "gnome-calculator"
    gives = {"clip": "clipboard_text"}
    asks = (
        "work out {term} with the GNOME calculator and copy the result, just the number, to the clipboard",
        "use the GNOME calculator to find out how much {term} is, and put only that number on the clipboard",
    )
    brief = "work out {term} and copy just the result"
    steps = ("Start the GNOME calculator.", "Type {term} and press Enter.", "Copy the result and close the calculator.")
    demand = DEMAND

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        many, each, extra = draw.randint(12, 89), draw.randint(3, 29), draw.randint(15, 190)
        return Bound(gives={"clip": result(many * each + extra)}, params={"term": f"{many} * {each} + {extra}"})

    def work(self, bound: Bound) -> Work:
        term = bound.params["term"]
        many, rest = term.split(" * ")
        each, extra = rest.split(" + ")
        program = ("gnome-calculator", "Calculator")
        return Work(
            moves=calculate(*program, term.replace(" ", "")),
            check=on_clipboard(bound.gives["clip"]),
            near_misses=(
                NearMiss(name="added before multiplying", moves=calculate(*program, f"{many}*({each}+{extra})")),
                NearMiss(
                    name="worked out, not copied",
                    moves=(*start_program(*program), hand.type(term.replace(" ", "")), hand.press("Return")),
                ),
            ),
            other_ways=(
                to_clipboard("by the shell", f"echo $(({term}))"),
                typed_and_copied("worked out in one's head, typed into an editor", bound.gives["clip"].value),
            ),
            cheats=(
                to_clipboard("every number there may be", "seq 1 3000"),
                to_clipboard("the sum itself, not worked out", f"echo '{term}'"),
                to_clipboard("its parts instead of the result", f"echo {many} {each} {extra}"),
                by_shell("noted in a file", f"echo $(({term})) > Documents/result.txt"),
            ),
        )


class AddUpAColumn(Subtask):
    """The numbers in a column of a table are added up, and the result copied."""

    version = 3
    app = "gnome-calculator"
    takes = {"table": "table_file"}
    gives = {"clip": "clipboard_text"}
    asks = (
        "add up the column {column} of {table} in the GNOME calculator and copy the total, just the number, to the "
        "clipboard",
        "use the GNOME calculator to find the total of the column {column} in {table}, and put only that number on the "
        "clipboard",
    )
    brief = "add up {column} of {table} and copy just the total"
    steps = (
        "Open {table} in Mousepad and look up the numbers under {column}.",
        "Start the GNOME calculator and add them up.",
        "Copy the total and close the calculator.",
    )
    demand = DEMAND

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        headings, *body = rows_of(takes["table"])
        columns = numeric_columns([headings, *body])
        place = ([column for column in columns if headings[column] not in OF_EACH] or columns)[-1]
        total = sum(float(row[place]) for row in body)
        return Bound(takes=takes, gives={"clip": result(total)}, params={"column": str(headings[place])})

    def work(self, bound: Bound) -> Work:
        table = bound.takes["table"]
        headings, *body = rows_of(table)
        place = [str(heading) for heading in headings].index(bound.params["column"])
        numbers = [plain_number(float(row[place])) for row in body]
        program = ("gnome-calculator", "Calculator")
        return Work(
            moves=(*read_text(table), *calculate(*program, "+".join(numbers))),
            check=on_clipboard(bound.gives["clip"]),
            near_misses=(NearMiss(name="one forgotten", moves=calculate(*program, "+".join(numbers[:-1]))),),
            other_ways=(
                to_clipboard("by the command line", _total_command(table, f"${place + 1}")),
                typed_and_copied("with two decimals, typed into an editor", f"{float(bound.gives['clip'].value):.2f}"),
            ),
            cheats=(
                to_clipboard(
                    "the numbers one below the other", f"tail -n +2 {quote_path(table)} | cut -d, -f{place + 1}"
                ),
                to_clipboard("their mean", _total_command(table, f"${place + 1} / {len(body)}")),
                to_clipboard("the whole table", f"cat {quote_path(table)}"),
            ),
            expected=READING,
        )


class WorthOfATable(Subtask):
    """The value of everything in a table is worked out, and the result copied."""

    version = 3
    app = "gnome-calculator"
    takes = {"table": "table_file"}
    gives = {"clip": "clipboard_text"}
    asks = (
        "multiply {numbers} by {prices} in each row of {table}, add that up in the GNOME calculator, and copy the "
        "total, just the number, to the clipboard",
        "use the GNOME calculator to work out what {table} comes to, {numbers} times {prices} in each row and "
        "all rows added up, and put only that number on the clipboard",
    )
    brief = "add up {numbers} times {prices} over {table} and copy just the total"
    steps = (
        "Open {table} in Mousepad and look up {numbers} and {prices} of each row.",
        "Start the GNOME calculator, multiply them row by row and add that up.",
        "Copy the total and close the calculator.",
    )
    demand = DEMAND

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        headings, *body = rows_of(takes["table"])
        columns = numeric_columns([headings, *body])
        if len(columns) < 2 or len(body) > 9:
            raise SpecError("the table has no two columns to multiply, or too many rows", remedy="take another one")
        one, other = columns[:2]
        total = round(sum(float(row[one]) * float(row[other]) for row in body), 4)
        if total != round(total, 2):
            raise SpecError("the total has more than two decimals", remedy="take another table")
        params = {"numbers": str(headings[one]), "prices": str(headings[other])}
        return Bound(takes=takes, gives={"clip": result(total)}, params=params)

    def work(self, bound: Bound) -> Work:
        table = bound.takes["table"]
        headings, *body = rows_of(table)
        names = [str(heading) for heading in headings]
        one, other = names.index(bound.params["numbers"]), names.index(bound.params["prices"])
        pairs = [(plain_number(float(row[one])), plain_number(float(row[other]))) for row in body]
        program = ("gnome-calculator", "Calculator")
        term = "+".join(f"{left}*{right}" for left, right in pairs)
        return Work(
            moves=(*read_text(table), *calculate(*program, term)),
            check=on_clipboard(bound.gives["clip"]),
            near_misses=(
                NearMiss(name="the prices alone", moves=calculate(*program, "+".join(price for _, price in pairs))),
            ),
            other_ways=(
                to_clipboard("by the command line", _total_command(table, f"${one + 1} * ${other + 1}")),
                typed_and_copied("with two decimals, typed into an editor", f"{float(bound.gives['clip'].value):.2f}"),
            ),
            cheats=(
                to_clipboard("added instead of multiplied", _total_command(table, f"${one + 1} + ${other + 1}")),
                to_clipboard(
                    "each row by itself", f"awk -F, 'NR > 1 {{print ${one + 1} * ${other + 1}}}' {quote_path(table)}"
                ),
                to_clipboard("the sum itself, not worked out", f"echo '{term}'"),
            ),
            expected=READING,
        )


def _total_command(table: Resource, term: str) -> str:
    """Return the command that prints the total of a term over the rows of a table."""
    return f"awk -F, 'NR > 1 {{sum += {term}}} END {{printf \"%.10g\", sum}}' {quote_path(table)}"
