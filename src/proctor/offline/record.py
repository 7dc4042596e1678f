"""The record of an offline run.

What it is, and one line for each answer, keyed by the id of its sample.

```
OUT/
├── offline.json      what is run: task, data and its digest, model, wording, space, size of pictures
├── samples.jsonl     one line for each sample: what is right, its groups, its pictures
├── answers.jsonl     one Answer a line, as they come; of two lines for one sample the later counts
├── lock              who is writing, while somebody is
└── report/           index.html and pages of samples
```
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Self

from proctor.errors import RecordError, SpecError
from proctor.offline.sample import CriticSample, Data, GroundSample, IdmSample, OfflineSample, Task
from proctor.offline.score import OUTCOMES
from proctor.store.bounds import load_json
from proctor.store.files import disk_trouble, plain_json, read_json, write_whole
from proctor.store.lock import RunLock

FORMAT = 1
CONFIG, SAMPLES, ANSWERS = "offline.json", "samples.jsonl", "answers.jsonl"
MOST_REPLY = 256_000
"""Characters of a reply that are kept; of a longer one both ends."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SampleAnswer:
    """What came of one sample."""

    id: str
    outcome: str
    parsed: Any = None
    how: str = ""
    distance: float | None = None
    confidence: float | None = None
    problem: str = ""
    reply: str = ""
    thought: str = ""
    finish: str = "stop"
    prompt: str = ""
    sent: list[list[int]] = field(default_factory=list)
    space: str = ""
    calls: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data; what is empty is left out."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        # A verdict of False is an answer.
        return {name: value for name, value in found.items() if value is False or value not in ("", None, [], 0.0)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read one; raises ValueError for what is none."""
        known = {each.name for each in fields(cls)}
        if not isinstance(data.get("id"), str) or data.get("outcome") not in OUTCOMES:
            raise ValueError("it has no id, or no outcome that is known")
        return cls(**{name: value for name, value in data.items() if name in known})


def shorten_text(text: str) -> str:
    """Return a text as it is kept: of one without end both ends."""
    if len(text) <= MOST_REPLY:
        return text
    half = MOST_REPLY // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half:,} characters are left out ...]\n{text[-half:]}"


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedSample:
    """A sample as the record keeps it: enough for every figure and page, without the data."""

    id: str
    truth: dict[str, Any]
    groups: dict[str, str | list[str]]
    cluster: str
    pictures: list[str]

    @classmethod
    def of(cls, sample: OfflineSample) -> Self:
        """Return what is kept of a sample."""
        pictures = [shot.name for shot in sample.pictures]
        return cls(id=sample.id, truth=truth(sample), groups=sample.groups, cluster=sample.cluster, pictures=pictures)


def data_digest(data: Data) -> str:
    """Return a hash of all that is asked and known of samples in any order, but for pictures."""
    digests = sorted(hashlib.sha256(plain_json([sample.id, truth(sample)])).digest() for sample in data.samples)
    return hashlib.sha256(b"".join(digests)).hexdigest()[:16]


def truth(sample: OfflineSample) -> dict[str, Any]:
    """Return what is asked and what is right, as plain data."""
    if isinstance(sample, GroundSample):
        return {"instruction": sample.instruction, "size": list(sample.size), "target": sample.target.plain()}
    if isinstance(sample, IdmSample):
        answer = [sample.options[place] for place in sample.answer]
        return {"options": list(sample.options), "answer": answer, "several": sample.several}
    assert isinstance(sample, CriticSample)
    return {"instruction": sample.instruction, "success": sample.success, "actions": list(sample.actions)}


class OfflineRecord:
    """The folder of an offline run."""

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        self.folder = folder
        self.config = config

    @property
    def task(self) -> Task:
        """Which benchmark."""
        found: Task = self.config["task"]
        return found

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open a record to read it; raises RecordError where there is none."""
        path = folder / CONFIG
        if not path.is_file():
            raise RecordError(f"{folder} contains no offline run", remedy="name the folder that --out was given")
        config = read_json(path)
        if not isinstance(config, dict) or config.get("format") != FORMAT:
            raise RecordError(f"{path} is not of format {FORMAT}", remedy="use the Proctor that wrote it")
        return cls(folder, config)

    @classmethod
    def begin(cls, folder: Path, config: dict[str, Any], samples: Sequence[OfflineSample]) -> Self:
        """Begin a record, or go on with one of the same kind; raises SpecError for any other folder."""
        config = {"format": FORMAT, **config}
        if (folder / CONFIG).is_file():
            there = cls.open(folder)
            compared = {name for name in {*there.config, *config} if there.config.get(name) != config.get(name)}
            if differs := sorted(compared - _MAY_DIFFER):
                shown = ", ".join(f"{name} was {there.config.get(name)!r}" for name in differs[:4])
                raise SpecError(
                    f"{folder} contains another run: {shown}", remedy="give another --out, or the same options"
                )
            return there
        with disk_trouble(folder):
            folder.mkdir(parents=True, exist_ok=True)
            if others := [each.name for each in folder.iterdir()]:
                raise SpecError(f"{folder} contains other files: {sorted(others)[0]}", remedy="give a new --out")
        lines = b"".join(plain_json(asdict(AskedSample.of(sample))) + b"\n" for sample in samples)
        write_whole(folder, SAMPLES, lines, durable=True)
        write_whole(folder, CONFIG, plain_json(config), durable=True)
        return cls(folder, config)

    def samples(self) -> list[AskedSample]:
        """Return what was asked, in order."""
        return [AskedSample(**load_json(line)) for line in self._lines(SAMPLES)]

    def answers(self) -> dict[str, SampleAnswer]:
        """Return the last answer for each sample; a torn last line is passed over."""
        found: dict[str, SampleAnswer] = {}
        for number, line in enumerate(self._lines(ANSWERS), 1):
            try:
                data = load_json(line)
                answer = SampleAnswer.from_json(data if isinstance(data, dict) else {})
            except (ValueError, TypeError) as error:
                if line.endswith(b"\n"):
                    where = f"{self.folder / ANSWERS}:{number}"
                    raise RecordError(
                        f"{where} is damaged: {error}", remedy="remove that line and run again"
                    ) from error
                continue
            found[answer.id] = answer
        return found

    def _lines(self, name: str) -> Iterator[bytes]:
        path = self.folder / name
        if path.is_file():
            with path.open("rb") as file:
                yield from file


_MAY_DIFFER = frozenset({"data", "images", "version", "records", "left_out"})
"""What may change between two runs of one record: the same data may have moved."""


class AnswerWriter:
    """Appends answers; each is on its way to the disk before the next is asked for."""

    def __init__(self, record: OfflineRecord) -> None:
        path = record.folder / ANSWERS
        self._lock = RunLock(record.folder / "lock")
        with disk_trouble(path):
            _drop_torn_end(path)
            self._file = path.open("ab")
        self._path = path

    def add(self, answer: SampleAnswer) -> None:
        """Write an answer."""
        with disk_trouble(self._path):
            # ASCII, because replies may hold halves of surrogate pairs.
            self._file.write(json.dumps(answer.to_json()).encode("ascii") + b"\n")
            self._file.flush()

    def close(self) -> None:
        """Make everything durable."""
        with disk_trouble(self._path):
            os.fsync(self._file.fileno())
            self._file.close()
        self._lock.release()


def _drop_torn_end(path: Path) -> None:
    """Cut off a last line that a crash left unfinished: its sample is asked again."""
    if not path.is_file():
        return
    with path.open("rb+") as file:
        data = file.read()
        if data and not data.endswith(b"\n"):
            file.truncate(data.rfind(b"\n") + 1)
