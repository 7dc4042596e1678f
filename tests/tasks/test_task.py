"""Tasks are frozen data: nothing in them can be changed, and their JSON form loses nothing."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from pydantic import ValidationError

from proctor.errors import SpecError
from proctor.tasks.call import Call, FrozenDict, plain, walk
from proctor.tasks.load import task_from_json
from proctor.tasks.machine import Machine
from proctor.tasks.person import Reply, User
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Limits, NearMiss, Tags, Task

TAGS = Tags(apps=("mousepad",), level=2, domain="Office", scenario="Documentation", demand="Writing")

texts = some.text(some.characters(exclude_categories=["Cs"]), max_size=20)
filled = some.text(some.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
data = some.recursive(
    some.none() | some.booleans() | some.integers(-(2**53), 2**53) | texts,
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
).filter(lambda value: not any(True for _ in walk(Call.from_json({"setup": "x", "a": value}).arguments)))

setups = some.one_of(
    some.builds(make.text_file, texts, texts),
    some.builds(make.json_file, texts, data),
    some.builds(make.launch, some.lists(texts, min_size=1, max_size=3), window=some.none() | texts),
)
probes = some.builds(see.text, texts)
leaves = some.one_of(
    some.builds(expect.text_is, probes, texts, exactly=some.booleans()),
    some.builds(expect.json_value, some.builds(see.json, texts), some.lists(texts, max_size=2), data),
    some.builds(expect.same_text, probes, probes),
)
checks = some.recursive(leaves, lambda inner: some.builds(expect.all_of, some.lists(inner, min_size=1, max_size=3)))
moves = some.one_of(
    some.builds(hand.type, texts),
    some.builds(hand.press, filled, times=some.integers(1, 5)),
    some.builds(hand.click, name=texts, within=some.just({"role": "menu"})),
)
tasks = some.builds(
    Task,
    id=some.just("mine/some-task-v1"),
    instruction=filled,
    paraphrases=some.lists(filled, max_size=2).map(tuple),
    tags=some.just(TAGS),
    setup=some.lists(setups, max_size=3).map(tuple),
    ready=some.none() | checks,
    check=checks,
    solution=some.lists(moves, min_size=1, max_size=3).map(tuple),
    near_misses=some.lists(some.builds(NearMiss, name=filled, moves=some.lists(moves).map(tuple)), max_size=2).map(
        tuple
    ),
    seed=some.none() | some.integers(0, 9),
    user=some.builds(User, replies=some.lists(some.builds(Reply, about=some.just(("a",)), reply=filled)).map(tuple)),
    limits=some.builds(Limits, steps=some.integers(1, 99)),
    machine=some.builds(Machine, size=some.just((1280, 720))),
)


def a_task(**changes: Any) -> Task:
    fields: dict[str, Any] = {
        "id": "mine/some-task-v1",
        "instruction": "Do it.",
        "tags": TAGS,
        "setup": (make.json_file("a.json", {"rows": [[1, 2], {"deep": ["x"]}]}),),
        "check": expect.text_is(see.text("a"), "b"),
        "solution": (hand.press("Return"),),
        "assets": {"a.png": "0" * 64},
    }
    return Task(**{**fields, **changes})


class TestRoundTrip:
    @settings(max_examples=30)
    @given(tasks)
    def test_json_loses_nothing(self, task: Task) -> None:
        read = task_from_json(json.loads(json.dumps(task.to_json())))
        assert read == task
        assert read.digest == task.digest
        assert hash(read) == hash(task)

    @settings(max_examples=30)
    @given(tasks)
    def test_copies_are_equal(self, task: Task) -> None:
        assert pickle.loads(pickle.dumps(task)) == task
        assert copy.deepcopy(task) == task

    def test_digest_tells_tasks_apart(self) -> None:
        assert a_task().digest == a_task().digest
        assert a_task().digest != a_task(instruction="Do it!").digest
        assert a_task().digest != a_task(setup=(make.json_file("a.json", {"rows": [[1, 3]]}),)).digest

    def test_digest_does_not_depend_on_the_order_of_arguments(self) -> None:
        one, other = (
            Call("setup", "text_file", arguments)
            for arguments in ({"path": "a", "text": "b"}, {"text": "b", "path": "a"})
        )
        assert one == other and hash(one) == hash(other)
        assert a_task(setup=(one,)).digest == a_task(setup=(other,)).digest


class TestFrozen:
    def test_nothing_can_be_changed(self) -> None:
        task = a_task()
        with pytest.raises(ValidationError):
            task.instruction = "Else."
        held = task.setup[0].arguments
        for change in (
            lambda: held.update(path="b"),  # type: ignore[attr-defined]
            lambda: held["data"].pop("rows"),
            lambda: held["data"]["rows"][1].__setitem__("deep", 1),
            lambda: held["data"]["rows"][1]["deep"].append(1),
            lambda: task.assets.clear(),
            lambda: task.assets.setdefault("b", ""),
        ):
            with pytest.raises((TypeError, AttributeError)):
                change()
        assert task == a_task()

    def test_what_was_given_is_not_shared(self) -> None:
        rows = [[1, 2]]
        call = make.json_file("a.json", {"rows": rows})
        rows.append([3])
        assert plain(call.arguments["data"]) == {"rows": [[1, 2]]}

    def test_frozen_dictionary_is_a_dictionary(self) -> None:
        held = FrozenDict({"a": (1, FrozenDict({"b": 2}))})
        assert json.loads(json.dumps(held)) == {"a": [1, {"b": 2}]}
        assert hash(held) == hash(FrozenDict(held))


class TestProblems:
    @pytest.mark.parametrize("id", ["letter", "mine/Letter-v1", "mine/letter", "mine/letter-v0", "a/b/c-v1", ""])
    def test_id(self, id: str) -> None:
        with pytest.raises(SpecError, match="suite/name-vN"):
            a_task(id=id)

    def test_every_problem_is_listed(self) -> None:
        tags = Tags(apps=("mousepat",), level=2, domain="Ofice", scenario="x", demand="y", feasible=False)
        with pytest.raises(SpecError) as caught:
            a_task(tags=tags, check=Call("check", "text_iss"), solution=(Call("move", "press", {"kes": "a"}),))
        for words in ("mousepad", "Office", "twin", "'text_is'", "'keys'", "has 6 faults"):
            assert words in str(caught.value)

    def test_image_is_the_smallest_that_has_the_applications(self) -> None:
        assert a_task().image == "starter"
        assert a_task(tags=TAGS.model_copy(update={"apps": ("mousepad", "gimp")})).image == "full"

    def test_what_it_needs_is_said_for_any_computer(self) -> None:
        needs = a_task(clock="2026-05-01T10:00:00").needs
        settings = needs.settings
        assert (settings["image"], settings["clock"], settings["network"]) == ("starter", "2026-05-01T10:00:00", "off")
        assert needs.insists == {"clock"}
        assert needs.applications == TAGS.apps
