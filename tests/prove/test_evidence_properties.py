"""Changed evidence: always of its own shape, never what was seen, and never a crash; and how changes are kept."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from proctor.errors import CheckError
from proctor.prove.evidence_changes import ELSEWHERE, LOGS, evidence_mutants, other_answers, same_answers
from proctor.prove.finish_code import has_finish_code, repeat_finish_code
from proctor.prove.mutant_log import MOST_WHY, Trying
from proctor.prove.mutation import Mutation
from proctor.tasks.call import Call
from proctor.tasks.findings import Finding
from proctor.tasks.probe_context import Ending
from proctor.tasks.verdict import Verdict
from tests.prove.machines import AnyFake, shopping

quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
fields = some.sampled_from(["subject", "own", "text", "to", "marks", "start", "kind", "price", "from", "details"])
values = some.recursive(
    some.none() | some.booleans() | some.integers(-99, 99) | some.text("ab 019", max_size=8),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(fields, inner, max_size=3),
    max_leaves=8,
)
entries = some.lists(some.dictionaries(fields, values, max_size=4) | values, max_size=4)
seen = some.dictionaries(some.sampled_from(["letters", "events", "settings"]), entries | values, max_size=2)
probes = some.sampled_from(["posted_mail", "mailbox", "calendar", "todo", "site_log", "file", "answer", "windows"])
evidence = some.dictionaries(probes.map(lambda name: json.dumps({"probe": name})), seen | values, max_size=3)


def no_file(_: str) -> bool:
    return False


@quick
@given(before=evidence, after=evidence, seed=some.integers(0, 9))
def test_any_evidence_can_be_changed_and_stays_as_it_was(
    before: dict[str, Any], after: dict[str, Any], seed: int
) -> None:
    held = copy.deepcopy((before, after))
    for label, changed in evidence_mutants(before, after, Random(seed), no_file):
        assert label
        assert changed.keys() == after.keys()
        assert sum(changed[key] != after[key] for key in after) <= 1
    assert (before, after) == held


@quick
@given(before=evidence, after=evidence)
def test_the_same_draw_gives_the_same_changes(before: dict[str, Any], after: dict[str, Any]) -> None:
    assert list(evidence_mutants(before, after, Random(3), no_file)) == list(
        evidence_mutants(before, after, Random(3), no_file)
    )


@quick
@given(after=evidence)
def test_what_is_tried_elsewhere_is_left_alone(after: dict[str, Any]) -> None:
    for _, changed in evidence_mutants({}, after, Random(1), no_file):
        (key,) = [key for key in after if changed[key] != after[key]] or [""]
        if key:
            assert json.loads(key)["probe"] not in ELSEWHERE | LOGS


@pytest.mark.parametrize("key", ["ending", "[]", "7", "null", '{"probe": ""}', '{"path": "x"}', "{"])
def test_keys_that_are_no_probes_are_left_alone(key: str) -> None:
    assert list(evidence_mutants({key: {"a": 1}}, {key: {"a": 2}}, Random(1), no_file)) == []


def test_a_probe_of_a_file_is_left_to_changing_the_file() -> None:
    key = json.dumps({"probe": "notes", "path": "a.txt"})
    before, after = {key: {"lines": []}}, {key: {"lines": ["x"]}}
    assert list(evidence_mutants(before, after, Random(1), lambda path: path == "a.txt")) == []
    assert list(evidence_mutants(before, after, Random(1), no_file)) != []


@given(some.text(some.characters(exclude_categories=["Cs"]), max_size=40))
def test_other_answers_differ_from_the_answer(text: str) -> None:
    for label, other in other_answers(text):
        assert label
        assert other.strip()
        assert other != text


@given(some.text(some.characters(exclude_categories=["Cs"]), max_size=40))
def test_same_answers_hold_the_answer(text: str) -> None:
    labels = [label for label, _ in same_answers(text)]
    assert len(set(labels)) == len(labels) == 3
    assert all(text.rstrip(".") in same for _, same in same_answers(text))


def trying(computer: AnyFake) -> Trying:
    return Trying(shopping(), computer, Ending(), Random(0))


def verdict(score: float, *feedback: str) -> Verdict:
    return Verdict(score, feedback, Finding(score, feedback), {})


@pytest.mark.parametrize(
    ("kind", "judged", "effects", "found"),
    [
        ("mutant", verdict(1.0), False, ("survived", "")),
        ("mutant", verdict(1.0), True, None),
        ("mutant", verdict(0.0, "No."), False, None),
        ("mutant", None, True, None),
        ("variant", verdict(1.0), False, None),
        ("variant", verdict(0.0, "No.", "Never."), False, ("rejected", "No. Never.")),
        ("variant", verdict(1.0), True, ("rejected", "something changed that the task does not expect")),
        ("variant", None, True, ("rejected", "something changed that the task does not expect")),
        ("variant", verdict(0.5), False, ("rejected", "")),
    ],
)
def test_what_is_not_judged_as_it_must_be_is_kept(kind: Any, judged: Any, effects: bool, found: Any) -> None:
    with AnyFake() as computer:
        log = trying(computer)
        log.note("a.txt: cut", kind, lambda: (judged, effects))
    kept = log.mutation(2.5)
    assert (kept.mutants, kept.variants, kept.seconds) == (kind == "mutant", kind == "variant", 2.5)
    assert [(each.kind, each.why) for each in kept.found] == ([found] if found else [])


def test_a_check_that_crashes_is_a_defect_whatever_was_changed() -> None:
    def crash() -> Any:
        raise CheckError("x" * 10_000)

    with AnyFake() as computer:
        log = trying(computer)
        log.note("a", "mutant", crash)
        log.note("b", "variant", crash)
    kept = log.mutation(0.0)
    assert [each.kind for each in kept.found] == ["defect", "defect"]
    assert all(len(each.why) <= MOST_WHY for each in kept.found)
    assert (kept.mutants, kept.variants) == (1, 1)


def test_nothing_tried_is_nothing_found() -> None:
    with AnyFake() as computer:
        assert trying(computer).mutation(0.0) == Mutation()


@pytest.mark.parametrize(("name", "has"), [("run_code", True), ("close_windows", False)])
def test_only_code_at_the_end_is_run_again(name: str, has: bool) -> None:
    task = shopping()
    object.__setattr__(task, "finish", (Call("move", name, {"code": "true"}),))
    assert has_finish_code(task) is has
    assert not has_finish_code(shopping())
    with AnyFake() as computer:
        if not has:
            repeat_finish_code(task, computer)  # nothing that the fake computer could not do
