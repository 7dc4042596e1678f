"""What mutants do besides a right result: every reader sees it, and nothing else of the file is another."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from random import Random

import pytest

from proctor.prove.transforms import transforms_for
from proctor.vocabulary.formats.archives.parse import look_into
from proctor.vocabulary.formats.databases.parse import database_tables
from proctor.vocabulary.formats.documents.parse import read_document
from proctor.vocabulary.formats.drawings.parse_any import read_drawing
from proctor.vocabulary.formats.office.blocks import DocumentBlock, Paper, Slide
from proctor.vocabulary.formats.office.write_odf import odp, odt
from proctor.vocabulary.formats.pictures.parse_whole import describe_whole
from proctor.vocabulary.formats.slides.parse import read_slides
from proctor.vocabulary.formats.spreadsheets.parse import read_spreadsheet
from proctor.vocabulary.formats.spreadsheets.spec import SheetSpec
from proctor.vocabulary.formats.spreadsheets.write import ods
from tests.prove.test_transforms import EXAMPLES, picture

TEXT = Paper(blocks=(DocumentBlock(text="Dear Ada,"), DocumentBlock(text="the parcels arrived.")))
TALK = (Slide(title="Welcome", bullets=("tea", "milk")), Slide(title="Thanks", bullets=("Ada",)))
SHEET = SheetSpec(name="Costs", rows=(("Item", "Price"), ("Tea", 12.5), ("Milk", 1)), widths=(30, 20))
DRAWING = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><rect width="9" height="9" fill="#00f"/></svg>'
)
Read = Callable[[bytes, str], object]


def seen(read: Read, data: bytes, name: str) -> str:
    return json.dumps(read(data, name), sort_keys=True)


@pytest.mark.parametrize(
    ("name", "data", "read", "labels"),
    [
        (
            "a.odt", odt(TEXT), read_document,
            ("a paragraph struck through", "a paragraph in white", "a paragraph in another font",
             "a remark beside a paragraph", "a remark added at its end"),
        ),
        (
            "a.odp", odp(TALK), read_slides,
            ("a line struck through", "a line in white", "a line in another font", "a box elsewhere", "a box added",
             "an empty slide added"),
        ),
        (
            "a.ods", ods([SHEET]), read_spreadsheet,
            ("a cell struck through", "a cell in white", "a remark beside a cell", "a column hidden",
             "its first sheet locked", "an empty sheet added"),
        ),
        ("a.svg", DRAWING, lambda data, name: read_drawing(name, data), ("an element hidden", "an element added")),
        ("a.zip", EXAMPLES["all.zip"], lambda data, name: look_into(name, data), ("a member added",)),
        (
            "a.png", picture(), lambda data, name: describe_whole(name, data),
            ("a corner painted over", "its colours inverted"),
        ),
    ],
    ids=["text", "slides", "workbook", "drawing", "archive", "picture"],
)  # fmt: skip
def test_what_is_done_besides_is_seen(name: str, data: bytes, read: Read, labels: tuple[str, ...]) -> None:
    made = {one.label: one.apply(data, Random(1)) for one in transforms_for(name, "mutant") if one.label in labels}
    assert made.keys() == set(labels)
    plain = seen(read, data, name)
    for label, changed in made.items():
        assert changed is not None, label
        assert seen(read, changed, name) != plain, label


def test_a_view_beside_the_tables_is_seen() -> None:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE t (name TEXT)")
        connection.execute("INSERT INTO t VALUES ('tea')")
        connection.commit()
        data = connection.serialize()
    (change,) = (one for one in transforms_for("a.db", "mutant") if one.label == "a view added")
    changed = change.apply(data, Random(1))
    assert changed and database_tables(changed, b"", "a.db") != database_tables(data, b"", "a.db")


@pytest.mark.parametrize("name", ["run.sh", "total.py"])
def test_a_script_that_prints_more_still_does_what_it_did(name: str) -> None:
    (change,) = (one for one in transforms_for(name, "mutant") if one.label == "a line printed besides")
    changed = change.apply(EXAMPLES[name], Random(1))
    assert changed and changed.startswith(EXAMPLES[name].rstrip())
