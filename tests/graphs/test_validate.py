"""The validator: reads texts alone, passes what is meant and catches planted errors."""

from __future__ import annotations

import inspect
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.graphs.language.infer import MOST_CHARACTERS, infer
from proctor.graphs.language.realise import draft, realise
from proctor.graphs.language.validate import closure, validate
from tests.graphs.mutations import cases, planted
from tests.graphs.synthetic import SUBTASKS
from tests.graphs.test_realise import POOL, apart, chain, clipboard_twice, joined
from tests.graphs.wordings import WORDED, composed

PLANTED = 150

JOINED = (
    "Scale the map (Pictures/map.png) to a width of 320 pixels and export it as Pictures/one.png. Also make a version "
    "of the picture Pictures/team.jpg that is 320 pixels wide, called Pictures/two.png. Pack the picture "
    "Pictures/one.png and the picture Pictures/two.png into the archive sale.zip, then in Thunderbird, e-mail that "
    'archive to Priya Quinn under the subject "All of it".'
)


def kinds(text: str) -> set[str]:
    return {fault.kind for fault in validate(joined(), POOL, text)}


def test_dependencies_are_inferred_from_the_text_and_the_wordings_alone() -> None:
    assert list(inspect.signature(infer).parameters) == ["text", "subtasks"]
    found = infer(JOINED, WORDED)
    assert [clause.subtask for clause in found.clauses] == [
        "shrink-picture",
        "shrink-picture",
        "pack-pair",
        "mail-file",
    ]
    assert found.dependencies == {(0, 2), (1, 2), (2, 3)}
    assert not found.unread
    assert not found.unclear


def test_a_sound_text_written_by_hand_passes() -> None:
    assert kinds(JOINED) == set()


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("Also make", "Then make", "edge added"),
        ("the picture Pictures/one.png and", "the picture Pictures/old.png and", "edge missing"),
        (", then in Thunderbird, e-mail that archive", ". In Thunderbird, e-mail the archive old.zip", "edge missing"),
        ("e-mail that archive", "e-mail that picture", "unclear"),
        ("the picture Pictures/team.jpg that", "the picture Pictures/one.png that", "edge added"),
        ("Priya Quinn", "Jonas Weber", "value"),
        ("320 pixels wide", "640 pixels wide", "value"),
        ("All of it", "Some of it", "value"),
        ("Also make a version", "Also draw a version", "unread"),
        ("Also make", "Sing a song. Also make", "unread"),
        (
            ', then in Thunderbird, e-mail that archive to Priya Quinn under the subject "All of it"',
            "",
            "subtask missing",
        ),
        ('"All of it".', '"All of it". Compress the picture Pictures/one.png as more.zip.', "unread"),
        (", then in Thunderbird, e-mail", ", then e-mail", "application"),
        (", then in Thunderbird, e-mail", ", then in GIMP, e-mail", "application"),
        ("Also make", "Also scale the map to a width of 10 pixels and export it as x.png. Also make", "subtask added"),
    ],
)
def test_each_sort_of_error_is_named(old: str, new: str, fault: str) -> None:
    assert old in JOINED
    assert fault in kinds(JOINED.replace(old, new, 1))


def test_words_that_change_nothing_pass() -> None:
    assert kinds(JOINED.replace(", then e-mail", ". E-mail")) == set()
    assert kinds(JOINED.replace("e-mail that archive", "e-mail the archive sale.zip")) == set()
    assert kinds(JOINED.replace("Also make", "Make")) == set()
    assert kinds("This is about the Harwood bake sale. " + JOINED) == set()


def test_it_is_understood_only_where_nothing_else_could_be_meant() -> None:
    copied = "Copy the heading of the web page one.html to the clipboard, then paste it into a new note titled x."
    assert infer(copied, WORDED).dependencies == {(0, 1)}
    packed = "Pack the picture a.png into the archive b.zip, then compress it as c.zip."
    assert infer(packed, WORDED).unclear == ["it"]


def test_a_reference_forward_is_a_dependency_too() -> None:
    packed = "Pack the picture b.png into the archive c.zip."
    scaled = "Scale the picture a.png to a width of 9 pixels and export it as b.png."
    assert infer(f"{packed} {scaled}", WORDED).dependencies == {(1, 0)}


def test_connectives_reach_as_far_as_they_are_read() -> None:
    one, two, three = (f"compress the picture {name}.png as {name}.zip" for name in "abc")
    then = f"C{one[1:]}; also, {two}. Then {three}."
    assert infer(then, WORDED).dependencies == {(0, 2), (1, 2)}
    assert infer(f"C{one[1:]}. Also {two}. Then {three}.", WORDED).dependencies == {(1, 2)}
    assert infer(f"C{one[1:]}. Also {two}. Finally, {three}.", WORDED).dependencies == {(0, 2), (1, 2)}
    assert infer(f"C{one[1:]}. Also {two}. Only after you {one}, {three}.", WORDED).dependencies == {(0, 2)}


def test_numbered_parts_say_what_they_wait_for() -> None:
    head = "Here is what to do; a part waits only for the parts it names:"
    one, two = (f"Open the archive manager. Create {name}.zip. Add the picture {name}.png." for name in "ab")
    assert infer(f"{head}\n1. {one}\n2. {two}", WORDED).dependencies == frozenset()
    assert infer(f"{head}\n1. {one}\n2. (after 1) {two}", WORDED).dependencies == {(0, 1)}
    assert infer(f"{head}\n1. {one}\n2. (after 7) {two}", WORDED).dependencies == frozenset()
    assert infer(f"Do this in the order given:\n1. {one}\n2. {two}", WORDED).dependencies == {(0, 1)}
    assert infer(f"Do this:\n1. {one}\n2. Sing. {two}", WORDED).unread == ["Do this:", f"Sing. {two}"]


def test_circles_are_reported_and_not_fallen_into() -> None:
    assert closure([("a", "b"), ("b", "a")]) == {("a", "b"), ("b", "a"), ("a", "a"), ("b", "b")}


def test_sound_texts_pass_as_first_written() -> None:
    """Realised texts pass by construction, so what is counted here is drafts that nobody has read back."""
    passed = Counter[bool]()
    for pool in (WORDED, SUBTASKS):
        by_name = {subtask.name: subtask for subtask in pool}
        for number in range(40):
            composition = composed(f"pass{number}", pool, 1 + number % 14)
            for style in ("high", "low"):
                text = draft(composition, by_name, style=style, variant=number, attempt=0)
                passed[not validate(composition, by_name, text)] += 1
    assert passed[True] >= 0.99 * passed.total()


def test_planted_errors_are_caught() -> None:
    missed = [
        (sort, wrong)
        for sort, composition, pool, _, wrong in planted(PLANTED)
        if not validate(composition, pool, wrong)
    ]
    assert len(missed) <= 0.01 * PLANTED, missed


def test_an_order_imposed_is_found_in_the_dependencies() -> None:
    for sort, composition, pool, _, wrong in islice(planted(200, "order"), 200):
        if sort in ("order_imposed", "then_for_also"):
            assert "edge added" in {fault.kind for fault in validate(composition, pool, wrong)}, wrong
        if sort in ("order_dropped", "wait_lost"):
            assert "edge missing" in {fault.kind for fault in validate(composition, pool, wrong)}, wrong


def test_a_text_means_nothing_else() -> None:
    """The text of one composition is not taken for that of another."""
    listed = [composition for composition, pool, _, _ in islice(cases("other"), 0, 12, 2)]
    listed += [chain(), apart(), joined(), clipboard_twice()]
    for one in listed:
        text = realise(one, POOL)
        for other in listed:
            assert bool(validate(other, POOL, text)) == (one is not other)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300) | st.lists(st.sampled_from(JOINED.split()), max_size=60).map(" ".join))
def test_any_text_can_be_read(text: str) -> None:
    found = infer(text, WORDED)
    assert all(first != second for first, second in found.dependencies)


def test_long_texts_are_cut_off() -> None:
    assert len(infer("x " * MOST_CHARACTERS, WORDED).unread[0]) <= MOST_CHARACTERS
