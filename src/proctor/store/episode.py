"""Writing the record of one episode as it happens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from proctor.errors import SpecError
from proctor.observations.observation import Observation
from proctor.records import ModelCall, Result
from proctor.store.background import EpisodeFiles
from proctor.store.exchange_writer import ExchangeWriter
from proctor.store.files import plain_json
from proctor.store.folder import make_room, write_sums
from proctor.store.log import JsonLog
from proctor.store.paths import FORMAT, place_in_run
from proctor.store.sights import Sights


class EpisodeWriter:
    """The record of one try at an episode while it goes on; it is whole once `finish` returns.

    When it cannot be written, as on a full disk, the call in question and all later ones raise HostError. It belongs to
    one thread.
    """

    def __init__(self, folder: Path, header: Mapping[str, Any]) -> None:
        self.folder = folder
        self._header = dict(header)
        self._files = EpisodeFiles(str(folder))
        self._sights = Sights(self._files)
        self._exchanges = ExchangeWriter(self._files)
        self._steps = JsonLog(str(folder), "steps.jsonl")

    @classmethod
    def begin(cls, folder: Path, header: Mapping[str, Any]) -> Self:
        """Begin a record; an interrupted one in its place is kept aside as `<retry>.broken-<n>`.

        Raises RecordError when a whole one lies there.
        """
        make_room(folder)
        writer = cls(folder, header)
        try:
            writer.note({})
            writer._steps.open()
        except BaseException:
            writer.close()
            raise
        return writer

    def note(self, more: Mapping[str, Any]) -> None:
        """Add something to the header that was not known when the record began."""
        self._header |= more
        self._files.put("episode.json", plain_json({**self._header, "format": FORMAT}))

    def see(self, observation: Observation, number: int) -> dict[str, Any]:
        """Keep what was seen, in files named by a number, and return how to find it again.

        What has not changed since it was last written is not written twice. A number that is taken gives the next free.
        """
        return self._sights.keep(observation, number)

    def step(self, line: Mapping[str, Any]) -> None:
        """Append a line to the steps; texts beyond all measure are cut, and say so."""
        with self._or_never():
            self._steps.append(line)

    def say(self, text: str) -> None:
        """Keep what the agent printed, and where in its code it failed."""
        self._files.put("agent.txt", text.encode("utf-8", "replace"))

    def call(self, call: ModelCall, turn: int) -> dict[str, Any]:
        """Keep what a model was sent and answered; returns the call as a line of steps holds it.

        Its `sent` is the number of the exchange in the log of the episode.
        """
        with self._or_never():
            number = self._exchanges.keep(call, turn)
        return call.to_json() | ({"sent": number} if number is not None else {})

    def finish(self, result: Result, verdict: Mapping[str, Any] | None, changes: Sequence[Any]) -> Result:
        """Complete the record; returns the result with the place of the record in its run."""
        result = replace(result, folder=result.folder or place_in_run(self.folder))
        self.close()
        files = self._files
        if verdict is not None:
            files.put("verdict.json", plain_json(verdict))
        if changes:
            files.put("changes.json", plain_json(changes))
        files.put("result.json", plain_json(result.to_json()))
        write_sums(self.folder, {**files.sums, "steps.jsonl": self._steps.sum})
        return result

    def close(self) -> None:
        """Let go of everything; without `finish` the record stays unfinished. A second time has no effect."""
        self._steps.close()
        self._exchanges.close()
        self._files.drain()

    @contextmanager
    def _or_never(self) -> Iterator[None]:
        """Once a line could not be written, no later one is: a record with a hole is not completed."""
        self._files.check()
        if not self._steps.is_open:
            raise SpecError(f"the record {self.folder} is closed", remedy="begin another")
        try:
            yield
        except Exception as error:
            self._files.failure = error
            raise
