"""Changes to contents: each does what its label says, to any file that it is meant for, and no more than that."""

from __future__ import annotations

import csv
import io
import json
import re
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from proctor.prove.transforms import transforms_for, words
from proctor.prove.transforms.packages import pack, rewritten, unpack
from proctor.prove.transforms.shelf import Transform

quick = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
seeds = some.integers(0, 20)
letters = some.text(
    some.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\x85"), max_size=12
)
lines = some.lists(letters, min_size=1, max_size=6)
leaves = some.none() | some.booleans() | some.integers(-99, 99) | some.text("abcXYZ0189 -", max_size=8)
data = some.recursive(
    leaves,
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text("abc", min_size=1, max_size=3), inner),
    max_leaves=8,
)


def change(name: str, label: str) -> Transform:
    """Return the one change of a label for files of a name."""
    (found,) = [one for kind in ("mutant", "variant") for one in transforms_for(name, kind) if one.label == label]
    return found


def said(text: str) -> list[str]:
    return [line.strip() for line in text.replace("\r\n", "\n").split("\n") if line.strip()]


@given(some.text(max_size=30), seeds)
def test_another_word_is_as_long_and_otherwise_the_same(text: str, seed: int) -> None:
    other = words.other_word(text, Random(seed))
    if other is None:
        assert not words.WORD.search(text)
        return
    assert len(other) == len(text)
    differing = [at for at, (one, two) in enumerate(zip(text, other, strict=True)) if one != two]
    assert differing
    assert differing[-1] - differing[0] < max(len(match.group()) for match in words.WORD.finditer(text))


@given(some.text("abcdefghijklmnopqrstuvwxyzABCXYZ", min_size=1, max_size=20))
def test_every_letter_of_another_word_is_another_of_the_same_case(word: str) -> None:
    other = words.unlike(word)
    assert all(one != two and one.isupper() == two.isupper() for one, two in zip(word, other, strict=True))


@given(some.from_regex(r"[0-9]{1,9}", fullmatch=True))
def test_another_number_differs_in_its_first_digit(digits: str) -> None:
    other = words.next_number(digits)
    assert len(other) == len(digits)
    assert other[0] != digits[0] and other[0] != "0"
    assert other[1:] == digits[1:]


@given(some.text("ab 0123456789", max_size=20), seeds)
def test_one_number_of_a_text_is_changed(text: str, seed: int) -> None:
    other = words.other_number(text, Random(seed))
    before = re.findall(r"\d+", text)
    if other is None:
        assert not before
        return
    after = re.findall(r"\d+", other)
    assert sum(one != two for one, two in zip(before, after, strict=True)) == 1
    assert re.sub(r"\d", "", other) == re.sub(r"\d", "", text)


def test_the_first_word_may_be_asked_for() -> None:
    assert all(words.other_word("Carrot salad", Random(seed), first=True).endswith(" salad") for seed in range(9))  # type: ignore[union-attr]
    assert words.other_word("a b", Random(1), first=True) is None


@pytest.mark.parametrize("content", [b"", b"\0", b"a\0b", b"\xff\xfe", b"x" * (words.MOST_TEXT + 1)], ids=len)
def test_what_holds_no_text_is_none(content: bytes) -> None:
    assert words.decode(content) is None
    assert words.decode("naïve".encode()) == "naïve"


@quick
@given(lines, seeds)
def test_lines_are_dropped_doubled_and_exchanged(text: list[str], seed: int) -> None:
    content, full = "\n".join(text).encode(), said("\n".join(text))
    for label, wanted in (("its last line dropped", full[:-1]), ("its first line dropped", full[1:])):
        changed = change("a.txt", label).apply(content, Random(seed))
        assert changed is None or said(changed.decode()) == wanted
    doubled = change("a.txt", "a line duplicated").apply(content, Random(seed))
    assert doubled is None if not full else doubled is not None and len(said(doubled.decode())) == len(full) + 1
    exchanged = change("a.txt", "two lines exchanged").apply(content, Random(seed))
    if exchanged is not None:
        assert said(exchanged.decode()) == [full[-1], *full[1:-1], full[0]]


@quick
@given(lines, seeds)
def test_variants_of_a_text_say_the_same(text: list[str], seed: int) -> None:
    content = "\n".join(text).encode()
    for one in transforms_for("a.txt", "variant"):
        changed = one.apply(content, Random(seed))
        if changed is not None:
            found = said(changed.decode().removeprefix("\ufeff"))
            assert [" ".join(line.split()) for line in found] == [
                " ".join(line.split()) for line in said(content.decode())
            ]


@quick
@given(lines, seeds)
def test_mutants_of_a_text_say_something_else(text: list[str], seed: int) -> None:
    content = "\n".join(text).encode()
    for one in transforms_for("a.txt", "mutant"):
        changed = one.apply(content, Random(seed))
        blind = one.label in ("filled with noise", "cut off in the middle") or not said(content.decode())
        if changed is not None and not blind:
            assert said(changed.decode()) != said(content.decode()), one.label


@quick
@given(data, seeds)
def test_variants_of_json_mean_the_same_and_mutants_do_not(value: Any, seed: int) -> None:
    content = json.dumps(value).encode()
    for label in ("its fields in another order", "indented another way", "on one line"):
        changed = change("a.json", label).apply(content, Random(seed))
        assert changed is None or json.loads(changed) == value
    for label in ("a value changed", "an entry dropped"):
        changed = change("a.json", label).apply(content, Random(seed))
        if changed is not None:
            # True and 1 are one to Python, and not to a reader of JSON.
            assert json.dumps(json.loads(changed)) != json.dumps(value), label


@quick
@given(data)
def test_nothing_is_changed_where_json_holds_nothing(value: Any) -> None:
    content = json.dumps(value).encode()
    holds = isinstance(value, dict | list) and bool(value)
    assert (change("a.json", "an entry dropped").apply(content, Random(1)) is not None) == holds


@quick
@given(
    some.lists(some.lists(some.text("abc 12", min_size=1, max_size=5), min_size=3, max_size=3), min_size=1, max_size=5),
    seeds,
)
def test_tables_keep_their_shape(rows: list[list[str]], seed: int) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(rows)
    content = out.getvalue().encode()

    def read(changed: bytes) -> list[list[str]]:
        return list(csv.reader(io.StringIO(changed.decode(), newline="")))

    for label, first in (("a cell changed", 1), ("a heading changed", 0)):
        changed = change("a.csv", label).apply(content, Random(seed))
        if changed is not None:
            differing = [
                (y, x) for y, row in enumerate(read(changed)) for x, cell in enumerate(row) if cell != rows[y][x]
            ]
            assert len(differing) == 1 and (differing[0][0] == 0) == (first == 0)
    exchanged = change("a.csv", "two of its columns exchanged").apply(content, Random(seed))
    if exchanged is not None:
        assert read(exchanged) == [rows[0], *([row[1], row[0], row[2]] for row in rows[1:])]
    quoted = change("a.csv", "every cell in quotes").apply(content, Random(seed))
    assert quoted is None or read(quoted) == rows


@pytest.mark.parametrize(("first", "delimiter"), [("a;b;c", ";"), ("a\tb", "\t"), ("a,b;c,d", ",")])
def test_tables_are_read_with_the_sign_that_separates_their_headings(first: str, delimiter: str) -> None:
    content = f"{first}\n{delimiter.join('xyz')}\n".encode()
    changed = change("a.csv", "two of its columns exchanged").apply(content, Random(0))
    assert changed is not None
    assert changed.decode().splitlines()[1].startswith(f"y{delimiter}x")


@pytest.mark.parametrize("label", ["made to end at once", "made to fail"])
def test_scripts_keep_the_line_that_names_their_interpreter(label: str) -> None:
    for name, source in (("a.py", "#!/usr/bin/python3\nprint(1)\n"), ("a.sh", "#!/bin/sh\necho 1\n")):
        changed = change(name, label).apply(source.encode(), Random(0))
        assert changed is not None
        head, added, rest = changed.decode().split("\n", 2)
        assert (head, rest) == tuple(source.split("\n", 1))
        assert added
    bare = change("a.py", label).apply(b"print(1)\n", Random(0))
    assert bare is not None and bare.endswith(b"\nprint(1)\n")


def test_numbers_in_comments_are_no_code() -> None:
    one = change("a.py", "a number in its code changed")
    assert one.apply(b"# 12\nx1 = y\n", Random(0)) is None
    changed = one.apply(b"# 12\nx = 30\n", Random(0))
    assert changed is not None and changed.startswith(b"# 12\nx = ") and b"30" not in changed


def test_settings_are_changed_dropped_and_put_in_another_order() -> None:
    content = b"[one]\n# size = 1\nsize = 12\n[two]\nname = Ada\n"
    dropped = {change("a.ini", "a setting dropped").apply(content, Random(seed)) for seed in range(9)}
    assert dropped == {
        content.replace(b"size = 12\n", b"", 1).replace(b"# \n", b"# size = 1\n"),
        content.replace(b"name = Ada\n", b""),
    }
    assert (
        change("a.ini", "its sections in another order").apply(content, Random(0))
        == b"[two]\nname = Ada\n[one]\n# size = 1\nsize = 12\n"
    )
    assert change("a.ini", "its sections in another order").apply(b"[one]\na=1\n[one]\na=2\n", Random(0)) is None


@quick
@given(some.dictionaries(some.from_regex(r"[a-z]{1,5}\.xml", fullmatch=True), some.binary(max_size=30), max_size=4))
def test_packages_are_taken_apart_and_packed_again(parts: dict[str, bytes]) -> None:
    assert unpack(pack(parts)) == parts


@given(some.binary(max_size=80))
def test_what_is_no_package_has_no_parts(content: bytes) -> None:
    assert unpack(content) is None
    assert rewritten(content, ".*", str.upper) is None


def test_the_first_part_that_can_be_changed_is() -> None:
    package = pack({"b.xml": b"second", "a.xml": b"\xff", "c.xml": b"third"})
    assert unpack(rewritten(package, r".*\.xml", str.upper) or b"") == {
        "b.xml": b"SECOND",
        "a.xml": b"\xff",
        "c.xml": b"third",
    }
    assert rewritten(package, r"x\.xml", str.upper) is None
    assert rewritten(package, r".*\.xml", lambda text: text) is None


@pytest.mark.parametrize(
    ("name", "fits"),
    [("A.TXT", True), ("Documents/a.txt", True), ("a.txt/b", False), ("README", True), ("a.txt.bak", False)],
)
def test_changes_are_meant_for_names_wherever_they_lie(name: str, fits: bool) -> None:
    assert change("a.txt", "its last line dropped").fits(name) is fits


def test_a_change_that_changes_nothing_is_none() -> None:
    assert Transform("same", "mutant", ("*",), lambda content, draw: content).apply(b"x", Random(0)) is None
    assert change("a.bin", "emptied").apply(b"", Random(0)) is None
    assert change("a.bin", "cut off in the middle").apply(b"abcd", Random(0)) == b"ab"
    assert len(change("a.bin", "filled with noise").apply(b"x" * 99, Random(0)) or b"") == 99
