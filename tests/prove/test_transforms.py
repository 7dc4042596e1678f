"""Transforms: they never crash, change something or say that they do not apply, and do the same for the same draw."""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
import tarfile
import wave
import zipfile
from datetime import date
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from proctor.prove.transforms import transforms_for
from proctor.prove.transforms.packages import pack, unpack
from proctor.prove.transforms.shelf import TRANSFORMS, ChangeKind, Transform
from proctor.tasks.findings import CannotSee
from proctor.vocabulary.apps.homebank.parse import homebank_book
from proctor.vocabulary.apps.homebank.setup import BankAccount, Transaction, homebank_xml
from proctor.vocabulary.formats.film.parse import playlist_files
from proctor.vocabulary.formats.text.parse_pages import page_text

LETTER = "Dear Ada,\n\nthe 14 parcels arrived.\n\nWarm regards,\nGrace Hopper\n"
CELLS = (
    '<office:body><table:table table:name="Costs"><table:table-row><table:table-cell office:value-type="string" '
    'calcext:value-type="string"><text:p>Rent</text:p></table:table-cell><table:table-cell '
    'table:formula="of:=SUM([.A1])" office:value-type="float" office:value="12.5"><text:p>12.5</text:p>'
    "</table:table-cell></table:table-row></table:table></office:body>"
)
PAGES = (
    "<office:body><text:p>Hello there 42</text:p><text:p>Second one</text:p><draw:page>First<draw:frame/></draw:page>"
    "<draw:page>Other</draw:page></office:body>"
)


def picture(kind: str = "PNG") -> bytes:
    image = Image.new("RGB", (40, 30), "white")
    ImageDraw.Draw(image).rectangle((2, 3, 12, 9), fill="navy")
    out = io.BytesIO()
    image.save(out, kind)
    return out.getvalue()


def package(**parts: str) -> bytes:
    meta = "<meta:generator>LibreOffice</meta:generator><dc:date>2026-03-12T10:00:00</dc:date>"
    names = {"mimetype": "application/x", "meta.xml": meta, "Thumbnails/thumbnail.png": "png"}
    return pack({name: text.encode() for name, text in {**names, **parts}.items()})


def tar() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name in ("a/one.txt", "a/two.txt"):
            info = tarfile.TarInfo(name)
            info.size = 5
            archive.addfile(info, io.BytesIO(b"hello"))
    return out.getvalue()


def database() -> bytes:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, price REAL)")
        connection.execute("INSERT INTO t (name, price) VALUES ('tea', 2.5), ('milk', 1)")
        connection.commit()
        data = connection.serialize()
    connection.close()
    return data


def sound() -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(Random(0).randbytes(400))
    return out.getvalue()


EXAMPLES: dict[str, bytes] = {
    "letter.txt": LETTER.encode(),
    "list.csv": b"item,price\nmilk,1.20\nbread,2.40\n",
    "total.py": b"#!/usr/bin/python3\nprint(sum([1, 2]))\n",
    "run.sh": b"#!/bin/sh\nexit 3\n",
    "data.json": json.dumps({"a": 1, "b": ["x", "y"], "c": {"d": "tea"}}).encode(),
    "app.ini": b"[one]\nsize = 12\n[two]\nname = Ada\n",
    "costs.ods": package(**{"content.xml": CELLS}),
    "costs.xlsx": package(**{
        "xl/worksheets/sheet1.xml": '<row><c r="A1"><f>B1*2</f><v>12</v></c></row><row><c r="A2"><v>5</v></c></row>',
        "xl/sharedStrings.xml": "<si><t>Rent</t></si>",
        "xl/workbook.xml": '<sheet name="Costs" sheetId="1"/>',
    }),
    "letter.odt": package(**{"content.xml": PAGES}),
    "talk.odp": package(**{"content.xml": PAGES}),
    "letter.docx": package(**{"word/document.xml": "<w:p><w:r><w:t>Hello 42 times</w:t></w:r></w:p>"}),
    "talk.pptx": package(**{"ppt/slides/slide1.xml": "<a:p><a:t>Hello there</a:t></a:p>"}),
    "photo.png": picture(),
    "photo.jpg": picture("JPEG"),
    "all.zip": pack({"a/one.txt": b"hello", "a/two.txt": b"there"}),
    "all.tar.gz": tar(),
    "shop.db": database(),
    "drawing.svg": b'<svg width="10"><rect x="1" y="2"/><text>Hello there</text>\n</svg>\n',
    "plan.dia": gzip.compress(b'<dia version="1"><attr val="12.5"/><t>#word#</t></dia>', mtime=0),
    "home.xhb": homebank_xml(
        "home.xhb", [BankAccount(name="Cash", initial=100)],
        [Transaction(date=date(2026, 3, 4), amount=-12.5, account="Cash", payee="Ada", category="Food")], [], [],
    ).encode(),
    "page.html": (
        b"<!DOCTYPE html>\n<html><head><title>Rota 7</title></head>\n<body class='x2'>\n<h1>Rota</h1>\n"
        b"<p>Created Thursday 12 March 2026</p><p>4 tea</p>\n<p>12 chairs</p>\n</body></html>\n"
    ),
    "songs.xspf": b"<playlist><trackList><track><location>file:///a.ogg</location></track>\n"
    b"<track><location>file:///b.ogg</location></track></trackList></playlist>\n",
    "fair.ics": b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Fair\nDTSTART:20260312\nEND:VEVENT\nEND:VCALENDAR\n",
    "letter.eml": b"To: ada@example.com\nSubject: Parcel\n\nHello\nthere\n",
    "tone.wav": sound(),
    "tone.flac": b"fLaC....TITLE=Morning song....",
}  # fmt: skip


def applied(name: str, kind: ChangeKind) -> dict[str, bytes]:
    """Return what each transform that is meant for a file makes of an example, by its label."""
    data = EXAMPLES[name]
    made = {one.label: one.apply(data, Random(7)) for one in transforms_for(name, kind)}
    return {label: changed for label, changed in made.items() if changed is not None}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    data=st.binary(max_size=300),
    name=st.sampled_from(sorted(EXAMPLES)),
    seed=st.integers(0, 9),
    cut=st.integers(0, 400),
)
def test_no_transform_crashes_on_anything(data: bytes, name: str, seed: int, cut: int) -> None:
    for content in (data, EXAMPLES[name][:cut] + data, EXAMPLES[name][:cut] + data + EXAMPLES[name][cut:], b""):
        for kind in ("mutant", "variant"):
            for transform in transforms_for(name, kind):
                changed = transform.apply(content, Random(seed))
                assert changed is None or (isinstance(changed, bytes) and changed != content)


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_every_kind_of_file_has_mutants_of_its_own_and_the_same_draw_gives_the_same(name: str) -> None:
    made = applied(name, "mutant")
    assert {"emptied", "filled with noise"} < made.keys()
    assert len(set(made.values())) >= 3
    assert applied(name, "mutant") == made
    assert applied(name, "variant") == applied(name, "variant")


def test_every_mutant_of_a_web_page_shows() -> None:
    page = EXAMPLES["page.html"]
    own = [one for one in transforms_for("page.html", "mutant") if one.names != ("*",)]
    assert len(own) == 5
    for one in own:
        changed = one.apply(page, Random(3))
        assert changed and page_text(changed, "a") != page_text(page, "a"), one.label
        assert b"12 March 2026" in changed and b"Rota 7" in changed, one.label


def test_every_mutant_of_an_account_book_is_seen_by_its_reader() -> None:
    def seen(data: bytes) -> object:
        try:
            return homebank_book(data, "home.xhb")
        except CannotSee:
            return None

    labels = {"a transaction changed", "a transaction dropped", "what an account began with changed",
              "the currency changed", "a payee or category dropped"}  # fmt: skip
    made = applied("home.xhb", "mutant")
    assert labels < made.keys()
    assert all(seen(made[label]) != seen(EXAMPLES["home.xhb"]) for label in labels)


def test_every_mutant_of_a_play_list_is_seen_by_its_reader() -> None:
    labels = {"a track dropped", "a track doubled", "the file of a track changed", "tracks exchanged"}
    made = applied("songs.xspf", "mutant")
    assert labels < made.keys()
    files = {label: playlist_files(made[label], "songs.xspf")["files"] for label in labels}
    assert files["a track dropped"] in (["/a.ogg"], ["/b.ogg"])
    assert files["tracks exchanged"] == ["/b.ogg", "/a.ogg"]
    assert all(found != ["/a.ogg", "/b.ogg"] for found in files.values())


def test_labels_of_one_file_are_told_apart() -> None:
    list(transforms_for("x", "mutant"))
    for name in EXAMPLES:
        labels = [one.label for kind in ("mutant", "variant") for one in transforms_for(name, kind)]
        assert len(set(labels)) == len(labels), name
    assert all(isinstance(one, Transform) for one in TRANSFORMS)


@pytest.mark.parametrize(
    ("name", "label", "left"),
    [
        ("letter.txt", "its last line dropped", "Grace"),
        ("letter.txt", "its first line dropped", "Ada"),
        ("letter.txt", "a number changed", "14"),
        ("list.csv", "its last line dropped", "bread"),
        ("app.ini", "a setting dropped", None),
        ("fair.ics", "an entry dropped", "Fair"),
    ],
)
def test_mutants_of_texts_say_what_they_do(name: str, label: str, left: str | None) -> None:
    changed = applied(name, "mutant")[label].decode()
    assert len(changed.splitlines()) <= len(EXAMPLES[name].decode().splitlines())
    assert left is None or left not in changed


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("label", ["a word changed", "a number changed"])
def test_what_a_notebook_notes_above_a_page_is_left_alone(label: str, seed: int) -> None:
    head = (
        "Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\nCreation-Date: 2026-03-12T09:30:00+00:00\n\n"
        "====== Garden group ======\nCreated Thursday 12 March 2026\n"
    )
    (change,) = [one for one in transforms_for("Notes/page.txt", "mutant") if one.label == label]
    changed = change.apply(f"{head}\nNext time: 7 o'clock\n".encode(), Random(seed))
    assert changed is not None and changed.decode().startswith(head)


def test_a_frozen_formula_leaves_its_value() -> None:
    for label in ("a formula frozen to its value", "every formula frozen to its value"):
        parts = unpack(applied("costs.ods", "mutant")[label])
        assert parts and b"formula" not in parts["content.xml"] and b"12.5" in parts["content.xml"]
    parts = unpack(applied("costs.xlsx", "mutant")["every formula frozen to its value"])
    assert (
        parts and b"<f>" not in parts["xl/worksheets/sheet1.xml"] and b"<v>12</v>" in parts["xl/worksheets/sheet1.xml"]
    )


def test_a_changed_cell_shows_what_it_holds() -> None:
    parts = unpack(applied("costs.ods", "mutant")["a number in a cell changed"])
    assert parts and b'office:value="19.5"><text:p>19.5</text:p>' in parts["content.xml"]


@pytest.mark.parametrize("name", ["photo.png"])
def test_variants_of_pictures_keep_every_pixel(name: str) -> None:
    wanted = Image.open(io.BytesIO(EXAMPLES[name])).convert("RGB").tobytes()
    made = applied(name, "variant")
    assert made.keys() == {"encoded anew", "with a channel for transparency", "with a palette"}
    for changed in made.values():
        assert Image.open(io.BytesIO(changed)).convert("RGB").tobytes() == wanted


def test_mutants_of_pictures_keep_no_picture() -> None:
    wanted = Image.open(io.BytesIO(EXAMPLES["photo.png"])).convert("RGB")
    for label, changed in applied("photo.png", "mutant").items():
        if label in ("blanked", "an area painted over", "mirrored", "upside down", "its colours inverted"):
            picture = Image.open(io.BytesIO(changed)).convert("RGB")
            assert picture.size == wanted.size and picture.tobytes() != wanted.tobytes(), label


@pytest.mark.parametrize("name", ["all.zip", "all.tar.gz"])
def test_variants_of_archives_hold_the_same_files(name: str) -> None:
    for label, changed in applied(name, "variant").items():
        if name.endswith("zip"):
            with zipfile.ZipFile(io.BytesIO(changed)) as package:
                held = {info.filename: package.read(info) for info in package.infolist() if not info.is_dir()}
        else:
            with tarfile.open(fileobj=io.BytesIO(changed)) as archive:
                files = [member for member in archive if member.isfile()]
                held = {
                    member.name.removeprefix("./"): (archive.extractfile(member) or io.BytesIO()).read()
                    for member in files
                }
        assert held == {"a/one.txt": b"hello", "a/two.txt": held["a/two.txt"]}, label


def test_variants_of_data_mean_the_same() -> None:
    made = applied("data.json", "variant")
    assert len(made) == 3
    assert all(json.loads(changed) == json.loads(EXAMPLES["data.json"]) for changed in made.values())
    assert list(json.loads(made["its fields in another order"])) == ["c", "b", "a"]


def test_databases_lose_a_row_or_a_value_and_may_be_packed_anew() -> None:
    def rows(data: bytes) -> list[tuple[object, ...]]:
        connection = sqlite3.connect(":memory:")
        connection.deserialize(data)
        found = connection.execute("SELECT name, price FROM t").fetchall()
        connection.close()
        return found

    before, made = rows(EXAMPLES["shop.db"]), applied("shop.db", "mutant")
    assert len(rows(made["a row dropped"])) == 1
    assert len(rows(made["a row written twice"])) == 3
    assert rows(made["a value changed"]) != before and len(rows(made["a value changed"])) == 2
    assert all(rows(changed) == before for changed in applied("shop.db", "variant").values())


def test_packages_say_less_or_other_things_of_themselves_and_hold_the_same() -> None:
    for label, changed in applied("costs.ods", "variant").items():
        parts = unpack(changed)
        assert parts and parts["content.xml"] == CELLS.encode(), label
        assert next(iter(parts)) == "mimetype"


def test_a_compressed_diagram_stays_compressed() -> None:
    for label in ("a number in an attribute changed", "an element dropped", "a word between its tags changed"):
        assert b"<dia" in gzip.decompress(applied("plan.dia", "mutant")[label])
