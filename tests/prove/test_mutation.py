"""What mutants brought to light: kept whole, told apart from what a task admits, and counted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.prove.mutation import Found, Mutation, MutationTally, mutation_score
from proctor.tasks.task import Admission

SURVIVED, REJECTED = Found("survived", "a.txt: emptied"), Found("rejected", "a.txt: line ends of Windows", "No.")
DEFECT = Found("defect", "b.txt: emptied", "the check crashed: boom")
labels = some.sampled_from(["a.txt: emptied", "a.txt: cut", "b/c.txt: emptied", "mailbox(x): taken back"])
finds = some.builds(
    Found, kind=some.sampled_from(["survived", "rejected", "defect"]), label=labels, why=some.text(max_size=9)
)
mutations = some.builds(
    Mutation,
    mutants=some.integers(10, 99),
    variants=some.integers(10, 99),
    found=some.lists(finds, max_size=6).map(tuple),
    untried=some.lists(some.text(max_size=9), max_size=2).map(tuple),
    seconds=some.floats(0, 1000).map(lambda seconds: round(seconds, 3)),
)
admissions = some.lists(
    some.builds(Admission, which=some.sampled_from(["a.txt: *", "*: emptied", "b/*", "nothing"]), why=some.just("why")),
    max_size=3,
).map(tuple)


def tally(*found: Found, admits: tuple[str, ...] = (), **fields: Any) -> MutationTally:
    return MutationTally(
        Mutation(10, 5, found), tuple(Admission(which=which, why="it says nothing") for which in admits), **fields
    )


@given(mutations)
def test_a_mutation_is_read_back_as_it_was_written(mutation: Mutation) -> None:
    assert Mutation.from_json(json.loads(json.dumps(mutation.to_json()))) == mutation


@pytest.mark.parametrize("data", [{}, {"mutants": 1}, {"found": [{"kind": "survived"}]}, {"found": 7}])
def test_a_damaged_mutation_is_no_mutation(data: Any) -> None:
    with pytest.raises((KeyError, TypeError)):
        Mutation.from_json(data)


@given(mutation=mutations, admitted=admissions)
def test_everything_found_is_either_told_or_admitted(mutation: Mutation, admitted: tuple[Admission, ...]) -> None:
    found = MutationTally(mutation, admitted)
    for kind in ("survived", "rejected", "defect"):
        told, taken = found.of(kind), [each for each, _ in found.admissible(kind)]
        assert sorted((*told, *taken), key=repr) == sorted(
            (each for each in mutation.found if each.kind == kind), key=repr
        )
    assert found.admissible("defect") == []


@given(mutation=mutations, admitted=admissions)
def test_it_is_sound_when_nothing_is_left_to_tell(mutation: Mutation, admitted: tuple[Admission, ...]) -> None:
    found = MutationTally(mutation, admitted)
    problems = list(found.problems())
    assert found.sound == (not problems)
    left = sum(len(found.of(kind)) for kind in ("survived", "rejected", "defect"))
    assert len(problems) == left + len(found.idle_admissions)


@given(mutation=mutations, admitted=admissions)
def test_admitting_more_leaves_less_to_tell(mutation: Mutation, admitted: tuple[Admission, ...]) -> None:
    everything = (*admitted, Admission(which="*", why="all of it"))
    assert len(MutationTally(mutation, everything).of("survived")) == 0
    assert len(MutationTally(mutation, everything).of("defect")) == len(MutationTally(mutation, ()).of("defect"))
    assert len(MutationTally(mutation, admitted).of("survived")) <= len(MutationTally(mutation, ()).of("survived"))


def test_problems_say_what_and_why() -> None:
    assert list(tally(SURVIVED, REJECTED, DEFECT).problems()) == [
        "mutant survived: a.txt: emptied",
        "variant rejected: a.txt: line ends of Windows: No.",
        "defect: b.txt: emptied: the check crashed: boom",
    ]
    assert list(tally(Found("rejected", "x")).problems()) == ["variant rejected: x"]


def test_an_admission_without_anything_to_admit_is_a_problem_but_not_of_a_graph() -> None:
    assert list(tally(admits=("z.txt: *",)).problems()) == ["may_differ allows what does not survive: z.txt: *"]
    assert tally(admits=("z.txt: *",), composed=True).sound
    assert tally(SURVIVED, admits=("a.txt: *",)).idle_admissions == []
    # A defect is never admitted, so admitting one is idle too.
    assert len(tally(DEFECT, admits=("b.txt: *",)).idle_admissions) == 1


@pytest.mark.parametrize(
    ("which", "admitted"), [("a.txt: emptied", 1), ("a.txt: *", 1), ("*", 1), ("A.TXT: *", 0), ("a.txt", 0)]
)
def test_admissions_are_patterns_of_labels(which: str, admitted: int) -> None:
    assert len(tally(SURVIVED, admits=(which,)).admissible("survived")) == admitted


def test_the_first_admission_that_fits_gives_the_reason() -> None:
    mutation = Mutation(1, 0, (SURVIVED,))
    found = MutationTally(mutation, (Admission(which="a*", why="first"), Admission(which="*", why="second")))
    assert found.admissible("survived") == [(SURVIVED, "first")]


def test_the_score_leaves_out_what_is_admitted() -> None:
    assert mutation_score([tally(SURVIVED)]) == 0.9
    assert mutation_score([tally(SURVIVED, admits=("a*",))]) == 1.0
    assert mutation_score([tally(SURVIVED), tally()]) == 0.95
    assert mutation_score([]) is None
    assert mutation_score([MutationTally(Mutation(), ())]) is None
    assert mutation_score([tally(REJECTED, DEFECT)]) == 1.0


@given(some.lists(mutations, max_size=4))
def test_a_score_is_a_share(found: list[Mutation]) -> None:
    score = mutation_score([MutationTally(each, ()) for each in found])
    assert (score is None) == (not found)
    assert score is None or 0 <= score <= 1


def test_the_account_of_mutants_and_variants_counts_each_once() -> None:
    found = tally(SURVIVED, Found("survived", "b.txt: emptied"), REJECTED, DEFECT, admits=("b.txt: *",))
    mutants, variants = found.mutants_json(), found.variants_json()
    assert (mutants["tried"], mutants["survived"], mutants["admitted"]) == (10, 1, 1)
    assert mutants["survivors"] == ["a.txt: emptied"]
    assert mutants["admissions"] == [{"label": "b.txt: emptied", "why": "it says nothing"}]
    assert mutants["defects"] == ["b.txt: emptied: the check crashed: boom"]
    assert variants == {"tried": 5, "rejected": [{"label": REJECTED.label, "feedback": "No."}], "admitted": 0}
