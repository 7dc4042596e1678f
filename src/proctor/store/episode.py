"""Writing the record of one episode as it happens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from proctor.errors import SpecError
from proctor.observations.observation import Observation
from proctor.records import ChangedPath, Header, ModelCall, Result, Saw, Step, plain, without_defaults
from proctor.store.background import EpisodeFiles
from proctor.store.exchange_writer import ExchangeWriter
from proctor.store.files import plain_json
from proctor.store.folder import conclude, make_room, write_sums
from proctor.store.log import JsonLog
from proctor.store.observation_writer import ObservationWriter
from proctor.store.paths import FORMAT, place_in_run


class EpisodeWriter:
    """The record of one try at an episode while it goes on; it is whole once `finish` returns.

    When it cannot be written, as on a full disk, the call in question and all later ones raise HostError. It belongs to
    one thread.
    """

    def __init__(self, folder: Path, header: Header) -> None:
        self.folder = folder
        self._header = replace(header, format=FORMAT)
        self._files = EpisodeFiles(str(folder))
        self._seen = ObservationWriter(self._files)
        self._exchanges = ExchangeWriter(self._files)
        self._steps = JsonLog(str(folder), "steps.jsonl")

    @classmethod
    def begin(cls, folder: Path, header: Header) -> Self:
        """Begin a record beside an interrupted one (`<retry>.broken-<n>`); RecordError for a whole one."""
        make_room(folder)
        writer = cls(folder, header)
        try:
            writer.note()
            writer._steps.open()
        except BaseException:
            writer.close()
            raise
        return writer

    def note(self, **known: Any) -> None:
        """Fill in fields of the header that were not known when the record began."""
        self._header = replace(self._header, **known)
        self._files.put("episode.json", plain_json({**without_defaults(self._header), "format": FORMAT}))

    def see(self, observation: Observation, number: int) -> Saw:
        """Keep what was seen, in files named by a number, and return how to find it again.

        What has not changed since it was last written is not written twice. A number that is taken gives the next free.
        """
        return self._seen.keep(observation, number)

    def step(self, step: Step) -> None:
        """Append a line to the steps; texts beyond all measure are cut, and say so."""
        with self._or_never():
            self._steps.append(without_defaults(step))

    def say(self, text: str) -> None:
        """Keep what the agent printed, and where in its code it failed."""
        self._files.put("agent.txt", text.encode("utf-8", "replace"))

    def call(self, call: ModelCall, turn: int) -> ModelCall:
        """Keep what a model was sent and answered; returns the call as a step holds it."""
        with self._or_never():
            number = self._exchanges.keep(call, turn)
        return replace(call.bare(), sent=number)

    def finish(self, result: Result, verdict: Mapping[str, object] | None, changes: Sequence[ChangedPath]) -> Result:
        """Complete the record; returns the result with the place of the record in its run."""
        result = replace(result, folder=result.folder or place_in_run(self.folder))
        self.close()
        files = self._files
        if verdict is not None:
            files.put("verdict.json", plain_json(verdict))
        if changes:
            files.put("changes.json", plain_json(plain(tuple(changes))))
        size = sum(each.bytes for each in (*files.sums.values(), self._steps.sum))
        result = replace(result, costs={**result.costs, "record_mb": round(size / 1e6, 3)})
        files.put("result.json", plain_json(result.to_json()))
        write_sums(self.folder, {**files.sums, "steps.jsonl": self._steps.sum})
        return result

    def conclude(self, result: Result) -> Result:
        """Complete a record that could not be finished: keep what was written, with the given result."""
        self.close()
        return conclude(self.folder, result)

    def close(self) -> None:
        """Let go of everything; without `finish` the record stays unfinished."""
        self._steps.close()
        self._exchanges.close()
        self._files.drain()

    @contextmanager
    def _or_never(self) -> Iterator[None]:
        """Once a line could not be written, no later one is: a record with a hole is not completed."""
        self._files.check()
        if not self._steps.is_open:
            raise SpecError(f"the record {self.folder} is closed", remedy="open another")
        try:
            yield
        except Exception as error:
            self._files.failure = error
            raise
