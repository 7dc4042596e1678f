"""What every store of runs promises, as tests: it gives back what it got, to one writer."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from proctor.errors import RecordError, SpecError
from proctor.records import EpisodeKey, Result
from proctor.store.run_store import RunStore
from proctor.store.tree import task_text

CONFIG = {"plan": {"suite": "core", "seeds": [1, 2]}, "note": "Grüße"}
TASK = {"id": "core/wave-v1", "instruction": "Wave at everyone: Grüße."}
DIGEST = hashlib.sha256(task_text(TASK)).hexdigest()


class StoreContract(ABC):
    """The promises of a store; say how a run is begun, opened to read, and opened to go on."""

    @abstractmethod
    def create(self, place: Path, config: dict[str, Any]) -> RunStore:
        """Begin the record of a run at a path that does not exist, which may stand for a name."""

    @abstractmethod
    def open(self, place: Path) -> RunStore:
        """Open a run to read it."""

    @abstractmethod
    def resume(self, place: Path) -> RunStore:
        """Open a run to go on with it."""

    @abstractmethod
    def record(self, store: RunStore, result: Result) -> Result:
        """Record an episode that came to this result; returns the result with the place of its record."""

    @pytest.fixture
    def place(self, tmp_path: Path) -> Path:
        """Where the run is kept."""
        return tmp_path / "run"

    @pytest.fixture
    def store(self, place: Path) -> Iterator[RunStore]:
        """A run that is open for writing."""
        with closing(self.create(place, CONFIG)) as store:
            yield store

    def add(self, store: RunStore, seed: int, *, retry: int = 0, score: float | None = 1.0) -> Result:
        """Record an episode and add its result."""
        key = EpisodeKey(task="core/wave-v1", agent="idle", seed=seed)
        ended: dict[str, Any] = {"stop": "void", "cause": "host"} if score is None else {"stop": "done"}
        result = self.record(store, Result(key=key, retry=retry, digest=DIGEST, score=score, **ended))
        store.add(result)
        return result

    def test_it_gives_back_what_it_was_given(self, store: RunStore, place: Path) -> None:
        added = [self.add(store, seed, score=seed / 4) for seed in range(4)]
        assert list(store.results()) == added
        store.close()
        again = self.open(place)
        assert again.config == CONFIG
        assert list(again.results()) == added

    def test_what_was_committed_is_seen_by_a_reader_at_once(self, store: RunStore, place: Path) -> None:
        added = self.add(store, 1)
        store.commit()
        assert list(self.open(place).results()) == [added]

    def test_the_last_try_of_each_episode_counts(self, store: RunStore) -> None:
        self.add(store, 0, score=None)
        other = self.add(store, 1)
        last = self.add(store, 0, retry=1, score=0.5)
        assert list(store.final()) == [other, last]
        assert sum(1 for _ in store.results()) == 3

    def test_a_run_goes_on_where_it_was(self, store: RunStore, place: Path) -> None:
        first = self.add(store, 0)
        store.close()
        with closing(self.resume(place)) as again:
            second = self.add(again, 1)
        assert list(self.open(place).results()) == [first, second]

    def test_each_try_is_added_once(self, store: RunStore) -> None:
        added = self.add(store, 0)
        with pytest.raises(RecordError):
            store.add(added)
        assert list(store.results()) == [added]

    def test_a_score_without_a_record_is_refused(self, store: RunStore) -> None:
        with pytest.raises(RecordError):
            store.add(Result(key=EpisodeKey(task="core/wave-v1", agent="idle"), score=1.0))
        assert not list(store.results())

    def test_a_void_try_needs_no_record(self, store: RunStore) -> None:
        lost = Result(key=EpisodeKey(task="core/wave-v1", agent="idle"), stop="void", cause="worker", error="lost")
        store.add(lost)
        assert list(store.results()) == [lost]

    def test_it_has_one_writer(self, store: RunStore, place: Path) -> None:
        with pytest.raises(RecordError):
            self.resume(place)
        store.close()
        self.resume(place).close()

    def test_a_reader_cannot_write(self, store: RunStore, place: Path) -> None:
        lost = Result(key=EpisodeKey(task="core/wave-v1", agent="idle"), stop="void", cause="worker", error="lost")
        reader = self.open(place)
        with pytest.raises(SpecError):
            reader.add(lost)
        with pytest.raises(SpecError):
            reader.keep_task(DIGEST, TASK)

    def test_a_place_that_is_taken_is_refused(self, store: RunStore, place: Path) -> None:
        store.close()
        with pytest.raises(RecordError):
            self.create(place, CONFIG)

    def test_a_place_without_a_run_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(RecordError):
            self.open(tmp_path / "nothing")
        with pytest.raises(RecordError):
            self.resume(tmp_path / "nothing")

    def test_a_task_is_kept_under_its_own_hash(self, store: RunStore, place: Path) -> None:
        store.keep_task(DIGEST, TASK)
        store.keep_task(DIGEST, TASK)
        with pytest.raises(SpecError):
            store.keep_task("0" * 64, TASK)
        store.close()
        assert self.open(place).task(DIGEST) == task_text(TASK).decode()
        with pytest.raises(RecordError):
            self.open(place).task("0" * 64)

    def test_a_seal_says_that_the_run_is_done(self, store: RunStore, place: Path) -> None:
        self.add(store, 0)
        store.commit()
        assert not self.open(place).sealed
        seal = store.seal()
        assert seal == store.seal(), "sealing twice says the same"
        assert self.open(place).sealed
        self.add(store, 1)
        assert not self.open(place).sealed, "what is added makes it unfinished"
        assert store.seal() != seal
        store.close()
        assert self.open(place).sealed

    def test_closing_twice_has_no_effect(self, store: RunStore) -> None:
        store.close()
        store.close()
