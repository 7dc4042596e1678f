"""The pool: what it finds, what it refuses, and what it remarks."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.errors import SpecError, UnknownName
from proctor.graphs.compose.initial import INITIAL_KINDS, initial_resource
from proctor.graphs.compose.pool import SubtaskPool, category_of, parameters
from proctor.graphs.compose.resource import KINDS, Resource, is_a
from proctor.graphs.compose.subtask import Bound
from proctor.graphs.compose.theme import Theme
from proctor.tasks.draw import Draw
from proctor.taxonomy import CATEGORIES
from tests.graphs.chained import givers, never_taken, never_used, standing_alone, takers
from tests.graphs.synthetic import SUBTASKS, CopyText, Synthetic, WriteText

POOL = SubtaskPool(SUBTASKS)


def test_the_synthetic_pool_covers_everything() -> None:
    assert len(POOL) >= 80
    assert set(POOL.categories) == set(CATEGORIES)
    assert not (never_used(POOL) | standing_alone(POOL) | never_taken(POOL))


def test_what_gives_and_takes_a_kind_is_found_with_special_cases() -> None:
    assert POOL["export-table"] in givers(POOL, "text_file")
    assert POOL["export-table"] in givers(POOL, "file")
    assert POOL["export-table"] not in givers(POOL, "pdf")
    assert POOL["pack-file"] in takers(POOL, "image")
    assert POOL["scale-picture"] not in takers(POOL, "file")
    for one in SUBTASKS:
        for kind in one.gives.values():
            assert one in givers(POOL, kind)


def test_the_order_of_adding_does_not_matter() -> None:
    assert SubtaskPool(reversed(SUBTASKS)).names == POOL.names


def test_a_choice_of_applications_and_categories() -> None:
    part = POOL.only(apps=["gimp", "mousepad"], categories=["Utility Tools"])
    assert part.apps == ("mousepad",)
    assert {category_of(one) for one in part} == {"Utility Tools"}
    with pytest.raises(SpecError, match="the pool has no subtask of foliate"):
        POOL.only(apps=["foliate"])
    with pytest.raises(UnknownName, match="category 'Ofice'"):
        POOL.only(categories=["Ofice"])


def test_an_unknown_subtask_comes_with_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="did you mean 'write-text'"):
        POOL["write-txt"]


def test_parameters_are_what_the_wording_names_besides_resources() -> None:
    assert parameters(POOL["write-letter"]) == {"tone"}
    assert parameters(POOL["join-texts"]) == frozenset()


def test_an_empty_pool_is_refused() -> None:
    with pytest.raises(SpecError, match="the pool has no subtasks"):
        SubtaskPool([])


class Broken(Synthetic):
    app, demand = "mousepadd", "Office/Documentation/Juggling"
    takes, gives = {"source": "text_fil"}, {"text": "text_file"}
    asks, steps = ("polish {source} for {who}", "polish {source} as {text}"), ("Polish {sauce}.",)


def test_every_fault_is_named_at_once() -> None:
    with pytest.raises(SpecError) as caught:
        SubtaskPool([Broken(), WriteText(), WriteText()])
    for fault in (
        "broken: unknown demand 'Office/Documentation/Juggling'",
        "broken: unknown application 'mousepadd'; did you mean 'mousepad'?",
        "broken: unknown kind of resource 'text_fil'; did you mean 'text_file'?",
        "broken: the wording 'polish {source} for {who}' does not name {text}",
        "broken: the wording 'polish {source} as {text}' does not name {who}",
        "broken: its steps name {sauce}, which no wording does",
        "write-text: 2 subtasks have this name",
    ):
        assert fault in caught.value.message


class Unworded(WriteText):
    asks = ()


class Unreadable(WriteText):
    asks = ("write {text",)


class Circular(CopyText):
    takes, gives = {"text": "text_file"}, {"text": "text_file"}
    asks, steps = ("polish {text}",), ("Polish {text}.",)


class Doubled(CopyText):
    gives = {"text": "clipboard_text", "other": "clipboard_text"}


class Liar(CopyText):
    asks = ("copy {source} as {text} in {colour}",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        return Bound(takes=takes, gives={"txt": Resource("text_file", "a.txt")})


class Deceiver(CopyText):
    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        return Bound(takes=takes, gives={"text": Resource("image", "a.png")})


class Refuser(CopyText):
    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        raise SpecError("no, thank you")


@pytest.mark.parametrize(
    ("subtask", "fault"),
    [
        (Unworded(), "asks is missing"),
        (Unreadable(), "a wording cannot be read"),
        (Circular(), "'text' is both taken and given"),
        (Doubled(), "it gives clipboard_text twice, of which there is only one"),
        (Liar(), "its plan does not give 'text'"),
        (Liar(), "its plan gives undeclared 'txt'"),
        (Liar(), "its plan does not choose the parameter 'colour'"),
        (Deceiver(), "its plan gives a image as 'text', which is not a text_file"),
        (Refuser(), "it cannot be planned: no, thank you"),
    ],
)
def test_faulty_subtasks_are_refused(subtask: Synthetic, fault: str) -> None:
    with pytest.raises(SpecError) as caught:
        SubtaskPool([subtask])
    assert fault in caught.value.message


@given(st.sampled_from(sorted(INITIAL_KINDS | {"clipboard_text"})), st.integers())
def test_anything_to_begin_with_has_a_name_of_its_own(kind: str, seed: int) -> None:
    draw = Draw(str(seed))
    theme, taken = Theme.draw(draw), set()
    for _ in range(15):
        resource = initial_resource(kind, draw, theme, taken)
        assert is_a(resource.kind, kind)
        assert resource.value not in taken
        assert resource.content and resource.word
        taken.add(resource.value)


def test_no_task_begins_with_a_slot_filled() -> None:
    assert not any(KINDS[kind].slot for kind in INITIAL_KINDS)
    assert "file" in INITIAL_KINDS
