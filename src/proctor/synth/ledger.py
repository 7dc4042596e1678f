"""The ledger of a synthesis: every answer and every fate, so that an interrupted one goes on."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from proctor.errors import RecordError, SpecError
from proctor.models.model import Message
from proctor.records import ModelCall
from proctor.store.files import read_json, write_whole
from proctor.store.line_file import append_lines, read_lines
from proctor.synth.parts import TaskParts
from proctor.tasks.provenance import Provenance

PLAN, ANSWERS, FATES = "synth.json", "answers.jsonl", "fates.jsonl"
TASKS, WORK, OUTLINES = "tasks", "work", "outlines"
FORMAT = 1
MOST_KEPT = 60_000
"""Characters of an answer that are kept: more than any that is read."""


@dataclass(frozen=True, kw_only=True)
class Fate:
    """What became of one proposal."""

    number: int
    app: str
    accepted: bool
    name: str = ""
    """What it calls itself; empty where nothing was proposed."""
    instruction: str = ""
    step: str = ""
    """Where it failed last: form, same, keys, foreign, proof and the like."""
    reasons: tuple[str, ...] = ()
    """What was wrong at the end."""
    repairs: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    seconds: float = 0.0

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Fate:
        """Read what was written."""
        return cls(**{**data, "reasons": tuple(data["reasons"])})


def provenance_of(by: str, parts: TaskParts, fate: Fate, refusals: int) -> Provenance:
    """Return where a task comes from, as its file says it."""
    return Provenance(
        by=by,
        takes=parts.proposal.takes,
        gives=parts.proposal.gives,
        calls=fate.calls,
        input_tokens=fate.input_tokens,
        output_tokens=fate.output_tokens,
        cost_usd=fate.cost_usd,
        repairs=fate.repairs,
        foreign=refusals,
    )


@dataclass
class SynthesisLedger:
    """The folder of a synthesis; many threads may write to it."""

    folder: Path
    fates: dict[int, Fate] = field(default_factory=dict)
    spent: list[ModelCall] = field(default_factory=list)
    """Every call that was made before, for the budget."""
    _answers: dict[str, deque[dict[str, Any]]] = field(default_factory=lambda: defaultdict(deque))
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def open(cls, folder: Path, plan: Mapping[str, object]) -> SynthesisLedger:
        """Begin in a folder, or go on with what is there.

        Raises SpecError where that was planned otherwise.
        """
        for part in (folder, folder / TASKS, folder / WORK, folder / OUTLINES):
            part.mkdir(parents=True, exist_ok=True)
        wanted = json.loads(json.dumps({"format": FORMAT, **plan}))
        if (folder / PLAN).is_file():
            known = read_json(folder / PLAN)
            if known != wanted:
                differ = ", ".join(sorted(key for key in {*known, *wanted} if known.get(key) != wanted.get(key)))
                raise SpecError(
                    f"{folder} holds a synthesis with another {differ}",
                    remedy="give the same options again, or another --out",
                )
        elif any(folder.glob(f"{TASKS}/*.json")):
            raise SpecError(f"{folder} holds tasks already", remedy="give another --out")
        else:
            write_whole(folder, PLAN, json.dumps(wanted, indent=2).encode(), durable=True)
        ledger = cls(folder)
        ledger._read()
        return ledger

    def _read(self) -> None:
        try:
            for line in read_lines(self.folder / ANSWERS):
                self._answers[line["request"]].append(line)
                self.spent.append(ModelCall(**line["call"]))
            for line in read_lines(self.folder / FATES):
                fate = Fate.from_json(line)
                self.fates[fate.number] = fate
        except (ValueError, TypeError, KeyError) as error:
            raise RecordError(f"{self.folder} is damaged: {error}", remedy="give another --out") from error

    def answer(self, request: str) -> dict[str, Any] | None:
        """Return what was answered to a request before, each answer once; None where nothing was."""
        with self._lock:
            waiting = self._answers.get(request)
            return waiting.popleft() if waiting else None

    def keep_answer(self, request: str, number: int, step: str, text: str, call: ModelCall) -> None:
        """Keep an answer that was paid for."""
        counted = {key: value for key, value in asdict(call).items() if key != "exchange"}
        kept = {"request": request, "number": number, "step": step, "text": text[:MOST_KEPT], "length": len(text)}
        with self._lock:
            append_lines(self.folder / ANSWERS, [{**kept, "call": counted}])

    def keep_fate(self, fate: Fate) -> None:
        """Keep what became of a proposal."""
        with self._lock:
            self.fates[fate.number] = fate
            append_lines(self.folder / FATES, [asdict(fate)])

    def accepted_fates(self) -> list[Fate]:
        """Return the fates of the proposals that became tasks."""
        with self._lock:
            return [fate for _, fate in sorted(self.fates.items()) if fate.accepted]


def request_key(number: int, step: str, messages: Sequence[Message]) -> str:
    """Return what a request is known by: who asks, and every word of it."""
    digest = hashlib.sha256(f"{number} {step}".encode())
    for text in _texts(messages):
        digest.update(b"\0" + text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _texts(messages: Sequence[Message]) -> Iterator[str]:
    for message in messages:
        yield message.role
        yield from (part for part in message.parts if isinstance(part, str))
