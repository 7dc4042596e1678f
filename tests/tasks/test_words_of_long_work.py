"""The words of long work: rows wherever they stand, one letter among many, and the lint of checkpoints."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import SpecError
from proctor.suites.lint_checkpoints import checkpoint_messages, holds_at_the_beginning
from proctor.tasks.checkpoints import Checkpoint
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import expect, see
from proctor.vocabulary.formats.letters.parse import letter
from proctor.vocabulary.formats.spreadsheets.checks_of_rows import sheet_adds_up, sheet_row
from proctor.vocabulary.services.mail.checks_of_letters import mail_to, no_mail_lost, only_mail_to
from proctor.vocabulary.services.mail.parse import lost_letters
from proctor.vocabulary.services.world.setup import world
from tests.prove.long_work import CHECKPOINTS, errands, has

ME, ANN, BO = "me@x.example", "ann@x.example", "bo@x.example"


def sheet(*rows: list[Any], hidden_rows: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a table as the probe shows it; a text that begins with = is a formula, without its result."""
    cells = {}
    for number, row in enumerate(rows, 1):
        for column, value in zip("ABCDE", row, strict=False):
            if isinstance(value, str) and value.startswith("="):
                cells[f"{column}{number}"] = {"kind": "number", "value": None, "formula": value}
            elif value is not None:
                kind = "text" if isinstance(value, str) else "number"
                cells[f"{column}{number}"] = {"kind": kind, "value": value}
    return {"path": "t.ods", "sheets": [{"name": "One", "cells": cells, "hidden_rows": list(hidden_rows)}]}


TABLE = sheet(["Day", "Where", "EUR"], ["2026-03-09", "Cafe Lantern", 12.5], ["2026-03-10", "Inn Gull", 30.0],
              [None, "Sum", "=SUM(C2:C3)"])  # fmt: skip


@pytest.mark.parametrize(
    ("values", "found"),
    [
        (["lantern", 12.5], True),
        ([12.5, "2026-03-09"], True),
        (["tavern|gull", 30], True),
        (["lantern", 30.0], False),
        (["lantern", "lantern"], False),
        (["12.5"], False),
    ],
)
def test_a_row_is_found_by_what_it_holds_in_any_order(values: list[Any], found: bool) -> None:
    assert sheet_row(TABLE, values).passed is found
    assert sheet_row(TABLE, values, times=0).passed is not found


def test_a_date_is_not_found_in_the_name_of_a_file() -> None:
    row = sheet(["2026-03-09", "Cafe", 12.5, "2026-03-10 Cafe.pdf"])
    assert sheet_row(row, ["2026-03-09", 12.5]).passed
    assert not sheet_row(row, ["2026-03-10", 12.5]).passed


def test_a_row_that_stands_twice_is_not_there_once() -> None:
    twice = sheet(["a", 1], ["a", 1])
    assert not sheet_row(twice, ["a", 1]).passed and sheet_row(twice, ["a", 1], times=2).passed


def test_a_hidden_row_does_not_count() -> None:
    assert not sheet_row(sheet(["a", 1], hidden_rows=("1:1",)), ["a", 1]).passed


@pytest.mark.parametrize(
    ("formula", "holds"),
    [("=SUM(C2:C3)", True), ("=C2+C3", True), ("=SUM(C2:C2)", False), (42.5, False), (None, False)],
)
def test_a_column_adds_up_by_a_formula_over_all_of_it(formula: Any, holds: bool) -> None:
    table = sheet(["Day", "Where", "EUR"], ["x", "y", 12.5], ["x", "y", 30.0], [None, "Sum", formula])
    assert sheet_adds_up(table, "eur").passed is holds


def test_a_column_has_so_many_numbers() -> None:
    assert sheet_adds_up(TABLE, "EUR", 2).passed
    assert "2 numbers; expected 3" in sheet_adds_up(TABLE, "EUR", 3).feedback[0]
    assert "no column 'USD'" in sheet_adds_up(TABLE, "USD").feedback[0]


def sent(*letters: tuple[list[str], str, str], cc: str = "") -> dict[str, Any]:
    """Return what was sent, each as recipients, subject and text."""
    found = []
    for to, subject, text in letters:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = ME, ", ".join(each for each in to if each != cc), subject
        if cc:
            message["Cc"] = cc
        message.set_content(text)
        message.add_attachment(b"data", maintype="application", subtype="pdf", filename="a.pdf")
        found.append({**letter(message.as_bytes()), "sender": ME, "account": ME, "recipients": sorted(to)})
    return {"mailbox": "what was sent", "letters": found}


def test_one_letter_among_many_is_found_by_whom_it_went_to() -> None:
    mail = sent(([ANN], "Rent", "It is 616.20 euros."), ([BO], "Else", "Hello."))
    assert mail_to(mail, [ANN], says=["616.20"]).passed
    assert not mail_to(mail, [ANN], says=["592.50"]).passed
    assert not mail_to(mail, [ANN, BO]).passed
    assert "0 emails were sent to cy@x.example" in mail_to(mail, ["cy@x.example"]).feedback[0]


def test_what_it_is_about_tells_two_letters_to_one_person_apart() -> None:
    mail = sent(([ANN], "Rent", "It is 616.20 euros."), ([ANN], "Number", "It is 4711."))
    assert "2 emails were sent" in mail_to(mail, [ANN]).feedback[0]
    assert mail_to(mail, [ANN], says=["4711"], about="number").passed
    assert mail_to(mail, [ANN], about="lease|rent").passed


def test_a_copy_and_a_file_are_asked_for() -> None:
    mail = sent(([ANN, BO], "Table", "Here."), cc=BO)
    data = {"path": "a.pdf", "sha256": mail["letters"][0]["attachments"][0]["sha256"]}
    assert mail_to(mail, [ANN], [BO], brings=data).passed
    assert not mail_to(mail, [ANN], [BO], brings={**data, "sha256": "0" * 64}).passed
    assert not mail_to(mail, [ANN, BO]).passed


def test_nobody_else_was_written_to() -> None:
    mail = sent(([ANN], "x", "y"), ([BO], "x", "y"))
    assert only_mail_to(mail, [ANN, BO.upper()]).passed
    assert BO in only_mail_to(mail, [ANN]).feedback[0]


def test_mail_that_is_gone_is_named() -> None:
    lost = lost_letters('{"lost": [{"folder": "INBOX", "id": "<a>", "subject": "Keys"}], "count": 1}')
    assert no_mail_lost({"lost": []}).passed
    assert no_mail_lost({"lost": lost}).feedback == ("The email 'Keys' of INBOX is gone.",)


@pytest.mark.parametrize("name", ["../x", "Nora", "nora-0", ""])
def test_a_world_is_called_by_a_name(name: str) -> None:
    with pytest.raises(SpecError, match="is no world"):
        world(SetupContext(FakeComputer().start()), name)


def test_a_world_that_is_not_built_is_named_with_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROCTOR_DATA", str(tmp_path))
    with pytest.raises(SpecError, match="not built") as raised:
        world(SetupContext(FakeComputer().start()), "nobody")
    assert raised.value.remedy == "proctor worlds build nobody"


def test_a_checkpoint_that_holds_at_the_beginning_is_found_without_a_computer() -> None:
    early = Checkpoint(name="milk", check=has("milk"), weight=0.4, moves=3)
    said = list(checkpoint_messages(errands(checkpoints=(*CHECKPOINTS[:2], early), near_misses=(), guards=())))
    assert any("'milk' holds at the beginning" in each for each in said)
    assert sum("no near miss breaks" in each for each in said) == 3


def test_what_only_a_computer_can_say_is_left_to_the_proof() -> None:
    task = errands()
    assert holds_at_the_beginning(expect.nothing_sent(see.posted_mail()), task) is True
    assert holds_at_the_beginning(expect.mail_to(see.posted_mail(), [ANN]), task) is False
    assert holds_at_the_beginning(expect.no_mail_lost(see.lost_mail()), task) is None
