"""The folder of a run keeps the promises of a store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from proctor.records import Result
from proctor.store.episode import EpisodeWriter
from proctor.store.run import RunRecord
from proctor.store.run_store import RunStore
from proctor.testing import StoreContract
from tests.store.making import header


class TestFolder(StoreContract):
    def create(self, place: Path, config: dict[str, Any]) -> RunRecord:
        return RunRecord.create(place, config)

    def open(self, place: Path) -> RunRecord:
        return RunRecord.open(place)

    def resume(self, place: Path) -> RunRecord:
        return RunRecord.resume(place)

    def record(self, store: RunStore, result: Result) -> Result:
        assert isinstance(store, RunRecord)
        writer = EpisodeWriter.begin(store.paths.episode(result.key, result.retry), header(result.key))
        return writer.finish(result, None, [])
