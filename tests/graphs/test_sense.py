"""What nobody would ask for is not composed, and what a goal says of a parameter is done."""

from __future__ import annotations

import pytest

from proctor.errors import SpecError
from proctor.graphs.compose.cast import Cast
from proctor.graphs.compose.composer import sense_faults
from proctor.graphs.compose.contents import BANKS, MEMBERS, lines_about, rows_about
from proctor.graphs.compose.initial import start_resource
from proctor.graphs.compose.pool import SubtaskPool
from proctor.graphs.compose.theme import Theme
from proctor.graphs.compose.unify import CastPart
from proctor.graphs.goals.read import read_goals
from proctor.graphs.goals.sense import NodeSense, nonsense
from proctor.suites.pool import POOL, SUBTASKS
from proctor.tasks.draw import Draw

GOAL = """
# repair
titles: repair café
names: places
demand: Life/Information
people: the helpers
purpose: Everybody knows what is repaired at {title}.
remarks: We begin at {time}
table: expenses
there:
  log: text_file program log
  photo: image photo
  plan: spreadsheet household
make:
  errors: find-the-lines(log; word: ERROR) -- only errors matter
  newest first: reverse-the-lines(errors | log) -- the latest come first
  * errors by mail: mail-a-file(newest first | errors) -- the helpers look at them
  * log on paper: print-a-text-file(errors | log) -- it hangs at the door
  * end told: post-the-last-line(log; channel: #planning) -- helpers ask how it went
  * end noted: note-the-last-line(log) -- it is looked up later
  upright photo: turn-picture(photo) -- it lies on its side
  mirrored photo: mirror-picture(upright photo | photo) -- it is ironed on
  * shirt: mail-a-file(mirrored photo) -- the printer waits
  * spare photo: copy-a-picture(upright photo | photo) -- one stays
  dear first: sort-by-a-column(plan; column: Amount) -- the dearest come last
  * plan on paper: export-a-sheet(dear first) -- it hangs at the door
  * word: post-words-in-a-channel(; message: We begin on {day} in {place}; channel: #market) -- helpers ask
"""
(REPAIR,) = read_goals(GOAL)
REPAIRS = SubtaskPool(SUBTASKS, goals=[REPAIR], initial=POOL.initial)


def cast(*parts: tuple[str, str, dict[str, str]]) -> Cast:
    return Cast("repair", tuple(CastPart(role, name, tuple(sources.items())) for role, name, sources in parts))


ERRORS = ("errors", "find-the-lines", {"source": "log"})
MAILED = ("errors by mail", "mail-a-file", {"source": "errors"})


def test_what_makes_sense_has_no_faults() -> None:
    assert list(sense_faults(cast(ERRORS, MAILED), REPAIRS)) == []


def test_nothing_is_made_of_an_old_version() -> None:
    printed = ("log on paper", "print-a-text-file", {"source": "log"})
    assert list(sense_faults(cast(ERRORS, MAILED, printed), REPAIRS)) == [
        "'log on paper' is made of 'log', not of the newer 'errors'"
    ]
    newest = ("newest first", "reverse-the-lines", {"source": "errors"})
    both = cast(ERRORS, newest, MAILED)
    assert any("not of the newer 'newest first'" in fault for fault in sense_faults(both, REPAIRS))


def test_nothing_is_said_twice_of_one_thing() -> None:
    told = ("end told", "post-the-last-line", {"source": "log"})
    noted = ("end noted", "note-the-last-line", {"source": "log"})
    assert list(sense_faults(cast(told), REPAIRS)) == []
    assert list(sense_faults(cast(told, noted), REPAIRS)) == ["'end noted' and 'end told' say the same of one thing"]


@pytest.mark.parametrize(
    ("first", "later", "why"),
    [
        ("turn-picture", "mirror-picture", "mirror-picture changes what turn-picture has put right"),
        ("turn-picture", "copy-a-picture", "copy-a-picture copies what has only just been made"),
        ("list-a-folder", "sort-the-lines", "sort-the-lines sorts again what list-a-folder makes"),
        ("add-a-last-line", "copy-the-last-line", "copy-the-last-line copies the line that add-a-last-line makes"),
    ],
)
def test_some_subtasks_do_not_follow_one_another(first: str, later: str, why: str) -> None:
    senses = {"a": NodeSense(first, ("file",), "file"), "b": NodeSense(later, ("file",), "file")}
    assert list(nonsense(senses, [("a", "b")], last=["b"])) == [why]


def test_a_text_is_pasted_twice_at_most() -> None:
    pastes = ["paste-into-a-note", "paste-into-a-mail", "paste-into-a-text"]
    senses = {"a": NodeSense("copy-the-first-line", ("text_file",), "clipboard_text")}
    senses |= {name: NodeSense(name, ("clipboard_text",), "note") for name in pastes}
    said = list(nonsense(senses, [("a", name) for name in pastes], last=pastes))
    assert said == ["what copy-the-first-line copies is pasted 3 times"]
    del senses[pastes[0]]
    assert list(nonsense(senses, [("a", name) for name in pastes[1:]], last=pastes)) == []


def test_what_a_goal_says_of_a_parameter_is_done() -> None:
    ordered = ("dear first", "sort-by-a-column", {"source": "plan"})
    sheet = ("plan on paper", "export-a-sheet", {"source": "dear first"})
    word = ("word", "post-words-in-a-channel", {})
    for seed in range(6):
        made = cast(ERRORS, MAILED, ordered, sheet, word).composition(REPAIRS, f"{seed}")
        params = {node.subtask: node.bound.params for node in made.nodes}
        assert params["find-the-lines"]["word"] == "ERROR" and params["sort-by-a-column"]["column"] == "Amount"
        assert params["post-words-in-a-channel"]["channel"] == "#market"
        (message,) = (node.bound.gives["message"].value for node in made.nodes if "message" in node.bound.gives)
        assert message.startswith("We begin on ") and message.endswith(f"day in {made.theme.place}")


def test_parameters_that_a_subtask_does_not_have_are_named() -> None:
    (wrong,) = read_goals(GOAL.replace("column: Amount", "collumn: Amount"))
    with pytest.raises(SpecError, match="'dear first': sort-by-a-column has no parameter 'collumn'"):
        SubtaskPool(SUBTASKS, goals=[wrong], initial=POOL.initial)


def test_a_parameter_that_cannot_be_is_another_draw() -> None:
    theme = Theme("outing", "Harwood", "Rosa Dahl", 2026, hints={"column": ("Price",)})
    draw = Draw("one")
    assert theme.among("column", draw, ["Number", "Price"]) == "Price"
    with pytest.raises(SpecError, match="column cannot be Price"):
        theme.among("column", draw, ["Number"])
    assert theme.among("other", draw, ["Number"]) == "Number"


@pytest.mark.parametrize("sort", sorted(BANKS))
def test_lines_of_every_sort_can_be_used_anywhere(sort: str) -> None:
    for number in range(5):
        draw = Draw(f"{sort} {number}")
        theme = Theme.draw(draw)
        lines = lines_about(sort, draw, theme)
        assert len(lines) >= 2 and all(line.isascii() or "é" in line for line in lines)
        assert all(0 < len(line) <= 70 and "{" not in line and line == line.strip() for line in lines)
        assert not any(char in line for line in lines for char in '"$`\\<>')


def test_letters_begin_with_what_they_are_about_and_end_with_who_writes() -> None:
    draw = Draw("letter")
    theme = Theme.draw(draw)
    bank = BANKS["firm reply"]
    for _ in range(10):
        first, *others = lines_about("firm reply", draw, theme)
        assert any(first.startswith(begin.partition("{")[0]) for begin in bank.firsts)
        ending = [number for number, line in enumerate(others) if line.startswith("Kind regards")]
        assert ending in ([], [len(others) - 1])


def test_folders_and_archives_hold_what_their_topic_says() -> None:
    draw = Draw("folder")
    held = start_resource("old logs", "archive", "old logs", draw, Theme.draw(draw)).content
    assert set(held) == set(MEMBERS["old logs"]) and any("WARN" in line for lines in held.values() for line in lines)


def test_figures_of_tables_are_as_large_as_such_figures_are() -> None:
    draw = Draw("tables")
    for _ in range(20):
        assert all(1 <= row[1] <= 14 and 45 <= row[2] <= 140 for row in rows_about("bookings", draw)[1:])
        assert all(20 <= row[1] <= 480 for row in rows_about("household", draw)[1:])
