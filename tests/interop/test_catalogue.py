"""Tasks by split and index: the same words choose the same task, and nothing that is tested is trained on."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.errors import SpecError, UnknownName
from proctor.interop.catalogue import Catalogue
from proctor.suites.suite import Suite
from proctor.tasks.template import fixed_template
from tests.interop.rooms import suite
from tests.prove.machines import shopping


def catalogue() -> Catalogue:
    return Catalogue(suite(), train_seeds=5)


def test_splits() -> None:
    found = catalogue()
    assert {split: found.count(split) for split in found.splits()} == {"test": 2, "train": 5}
    assert [entry.seed for entry in found.entries("train")] == [1, 2, 3, 4, 5]
    assert Catalogue(suite(), train_seeds=0).splits() == ["test"]
    assert Catalogue(Suite("one", 1, "", (fixed_template(shopping()),))).splits() == ["test"]


def test_nothing_is_trained_on_that_is_tested() -> None:
    found = catalogue()
    chosen = {split: {found.choose(split=split, index=entry.index)[1].digest for entry in found.entries(split)}
              for split in found.splits()}  # fmt: skip
    assert not chosen["test"] & chosen["train"]


def test_entries_tell_nothing_about_whether_it_can_be_done() -> None:
    (entry, *_) = catalogue().entries("test")
    assert entry.to_json(suite()).keys() == {"id", "name", "split", "index", "seed", "apps", "level"}


def test_slices() -> None:
    found = catalogue()
    assert [entry.index for entry in found.entries("train", 3)] == [3, 4]
    assert [entry.index for entry in found.entries("train", -1)] == [4]
    assert [entry.index for entry in found.entries("train", 2, 99)] == [2, 3, 4]


@given(st.integers(0, 2**53 - 1))
def test_the_same_seed_is_the_same_task(seed: int) -> None:
    first, second = catalogue().choose(split="train", seed=seed), catalogue().choose(split="train", seed=seed)
    assert first[1].digest == second[1].digest
    assert first[0].index == seed % 5


def test_a_seed_beside_an_index_chooses_the_variant() -> None:
    found = catalogue()
    entry, task = found.choose(index=1, seed=77)
    assert (entry.seed, task.seed) == (77, 77)
    assert found.choose(task="buy-fruit", seed=77)[1].digest == task.digest


def test_without_words_tasks_take_turns() -> None:
    found = catalogue()
    assert [found.choose()[0].index for _ in range(3)] == [0, 1, 0]


@pytest.mark.parametrize(
    "words",
    [
        {"index": 9}, {"index": -1}, {"index": "1"}, {"index": 1.0}, {"index": True}, {"seed": -1}, {"seed": "7"},
        {"seed": 2**60}, {"seed": True}, {"split": "nope"}, {"split": 3}, {"split": []}, {"task": "nope"}, {"task": 3},
        {"task": "buy-fruit", "index": 1}, {"split": "train", "task": "shopping-v1"},
    ],
)  # fmt: skip
def test_wrong_words_are_refused(words: dict[str, Any]) -> None:
    with pytest.raises(SpecError):
        catalogue().choose(**words)


def test_an_unknown_split_is_named_with_the_others() -> None:
    with pytest.raises(UnknownName, match="test, train"):
        catalogue().count("valid")


def test_a_place_beyond_the_end_is_an_index_error() -> None:
    with pytest.raises(IndexError, match="0 to 1"):
        catalogue().entry("test", 2)


def test_a_suite_without_tasks_is_refused() -> None:
    with pytest.raises(SpecError, match="no tasks"):
        Catalogue(Suite("none", 1, "", ()))
