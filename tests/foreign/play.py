"""Playing cases: each task on fresh computers, untouched, as its words ask for, and nearly so."""

from __future__ import annotations

import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from proctor.agents.agent import Over
from proctor.computers import open_for
from proctor.computers.computer import Computer
from proctor.errors import ProctorError
from proctor.prove.key_exam import KeyExam
from proctor.tasks.task import Task
from tests.foreign.case import Act, Case, Entry
from tests.foreign.workshop import Workshop


@dataclass(frozen=True)
class Played:
    """What came of a case."""

    entry: Entry
    domain: str
    scores: dict[str, float]
    feedback: dict[str, tuple[str, ...]]
    seconds: float
    most: float = 0.0
    error: str = ""

    @property
    def right(self) -> bool:
        """Whether every score is what it must be."""
        wanted = self.scores.get("untouched") == 0.0 and self.scores.get("satisfied") == 1.0
        return wanted and not self.error and self.scores.get("near miss", 1.0) <= self.most

    def explain(self) -> str:
        """Return what went wrong, with what was found each time."""
        told = [f"{kind} {score:g}: {'; '.join(self.feedback[kind])}" for kind, score in self.scores.items()]
        return "\n".join(filter(None, [self.entry.name, *told, self.error]))


def play(entry: Entry, workshop: Workshop) -> Played:
    """Play a case; whatever goes wrong is told in what is returned."""
    started = time.monotonic()
    scores: dict[str, float] = {}
    feedback: dict[str, tuple[str, ...]] = {}
    domain = entry.file.parent.name if entry.file else ""
    most, error = 0.0, ""
    try:
        made = entry.write(workshop)
        most = made.most
        for kind, score, said in _scores(entry, made):
            scores[kind], feedback[kind] = score, said
    except ProctorError as failure:
        error = f"{type(failure).__name__}: {failure}"
    except Exception:
        # One case that cannot be made does not cost the others their turn.
        error = traceback.format_exc(limit=-4)
    return Played(entry, domain, scores, feedback, time.monotonic() - started, most, error)


def _scores(entry: Entry, made: Case) -> Iterator[tuple[str, float, tuple[str, ...]]]:
    with tempfile.TemporaryDirectory(prefix="proctor-case-") as folder:
        assets = Path(folder)
        lay_out(entry, made, assets)
        found = entry.read(assets)
        assert found.make is not None, "; ".join(f"{reason.status}: {reason}" for reason in found.reasons)
        task = found.make()
        every = [("untouched", _do_nothing), ("near miss", made.near_miss), ("satisfied", made.satisfied)]
        for sitting in [every] if made.one_sitting else [[each] for each in every]:
            with open_for("sandbox", task.needs) as computer:
                for place, (kind, act) in enumerate(sitting):
                    yield kind, *_judge(task, act, computer, assets, again=place > 0)


def lay_out(entry: Entry, made: Case, assets: Path) -> None:
    """Write the files of a case into a folder."""
    assets.mkdir(parents=True, exist_ok=True)
    for name, content in made.files.items():
        (assets / name).parent.mkdir(parents=True, exist_ok=True)
        (assets / name).write_bytes(content)
    for name in entry.read(assets).missing.values():
        if content := made.rest.get(Path(name).suffix):
            (assets / name).write_bytes(content)


def _judge(task: Task, act: Act, computer: Computer, assets: Path, *, again: bool) -> tuple[float, tuple[str, ...]]:
    with KeyExam(task, computer, assets=assets, prepare=_do_nothing if again else None) as exam:
        hand = exam.hand()
        with suppress(Over):
            act(hand)
        verdict = exam.end_with_verdict(hand.signal)
    return verdict.score, verdict.feedback


def _do_nothing(_on: object) -> None:
    """Leave everything as it is."""
