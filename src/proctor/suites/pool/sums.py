"""Subtasks with calculators, whose results go to the clipboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proctor.errors import SpecError
from proctor.graphs.composing.resource import Resource
from proctor.graphs.composing.subtask import Bound, Subtask, Work
from proctor.graphs.composing.theme import Theme
from proctor.suites.parts.programs import closed, rows_of, started
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


def calculated(program: str, window: str, term: str) -> tuple[Call, ...]:
    """Work something out, copy the result and close the calculator."""
    return (
        *started(program, window),
        hand.type(term),
        hand.press("Return"),
        hand.press("ctrl+c"),
        *closed(window),
    )


class WorkOutASum(Subtask):
    """The cost of some things is worked out, and the result copied."""

    app = "gnome-calculator"
    gives = {"clip": "clipboard_text"}
    asks = (
        "work out {term} with the GNOME calculator and copy the result, just the number, to the clipboard",
        "use the GNOME calculator to find out how much {term} is, and put only that number on the clipboard",
    )
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
            moves=calculated(*program, term.replace(" ", "")),
            check=expect.clipboard_is(see.clipboard(), bound.gives["clip"].value),
            near_misses=(
                NearMiss(name="added before multiplying", moves=calculated(*program, f"{many}*({each}+{extra})")),
                NearMiss(
                    name="worked out, not copied",
                    moves=(*started(*program), hand.type(term.replace(" ", "")), hand.press("Return")),
                ),
            ),
        )


class AddUpAColumn(Subtask):
    """The numbers in a column of a table are added up, and the result copied."""

    app = "gnome-calculator"
    takes = {"table": "table_file"}
    gives = {"clip": "clipboard_text"}
    asks = (
        "add up the column {column} of {table} in the GNOME calculator and copy the total, just the number, to the "
        "clipboard",
        "use the GNOME calculator to find the total of the column {column} in {table}, and put only that number on the "
        "clipboard",
    )
    steps = (
        "Open {table} in Mousepad and look up the numbers under {column}.",
        "Start the GNOME calculator and add them up.",
        "Copy the total and close the calculator.",
    )
    demand = DEMAND

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        headings, *body = rows_of(takes["table"])
        place = draw.choice(numeric_columns([headings, *body]))
        total = sum(float(row[place]) for row in body)
        return Bound(takes=takes, gives={"clip": result(total)}, params={"column": str(headings[place])})

    def work(self, bound: Bound) -> Work:
        table = bound.takes["table"]
        headings, *body = rows_of(table)
        place = [str(heading) for heading in headings].index(bound.params["column"])
        numbers = [plain_number(float(row[place])) for row in body]
        program = ("gnome-calculator", "Calculator")
        return Work(
            moves=(*read_text(table), *calculated(*program, "+".join(numbers))),
            check=expect.clipboard_is(see.clipboard(), bound.gives["clip"].value),
            near_misses=(NearMiss(name="one forgotten", moves=calculated(*program, "+".join(numbers[:-1]))),),
            expected=READING,
        )


class WorthOfATable(Subtask):
    """The value of everything in a table is worked out, and the result copied."""

    app = "gnome-calculator"
    takes = {"table": "table_file"}
    gives = {"clip": "clipboard_text"}
    asks = (
        "multiply {numbers} by {prices} in each row of {table}, add that up in the GNOME calculator, and copy the "
        "total, just the number, to the clipboard",
        "use the GNOME calculator to work out what {table} comes to, {numbers} times {prices} in each row and "
        "all rows added up, and put only that number on the clipboard",
    )
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
            moves=(*read_text(table), *calculated(*program, term)),
            check=expect.clipboard_is(see.clipboard(), bound.gives["clip"].value),
            near_misses=(
                NearMiss(name="the prices alone", moves=calculated(*program, "+".join(price for _, price in pairs))),
            ),
            expected=READING,
        )
