"""The run folder of a door: exams that somebody else's loop steps, one at a time or many, recorded like any other."""

from __future__ import annotations

import atexit
import signal
import sys
import threading
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn, Self

from proctor.computers.computer import Computer
from proctor.exam.candidate import Candidate
from proctor.exam.exam import Exam
from proctor.exam.header import write_header
from proctor.exam.preparation import Opening
from proctor.exam.rules import Rules
from proctor.records import EpisodeKey, Result
from proctor.store.episode import EpisodeWriter
from proctor.store.run import RunRecord
from proctor.tasks.task import Task
from proctor.version import VERSION


class DoorRun:
    """A run whose episodes nobody planned; they may begin and end in any thread."""

    def __init__(self, folder: Path, *, served: Mapping[str, object] | None = None) -> None:
        """Begin a run in a new or empty folder; raises RecordError where there is something else."""
        self._record = RunRecord.create(folder, {"proctor": VERSION, "served": dict(served or {})})
        _close_at_exit(self)
        self._held: Counter[tuple[str, str, int]] = Counter()
        self._open: set[Exam] = set()
        self._lock = threading.Lock()
        self._closed = False

    def exam(self, task: Task, computer: Computer | Opening, rules: Rules, **others: Any) -> Exam:
        """Return an exam that is recorded here; takes what `Exam` takes."""
        candidate: Candidate = others["candidate"]
        with self._lock:
            place = task.id, candidate.named.label, task.seed or 0
            key = EpisodeKey(task=task.id, agent=place[1], seed=place[2], sample=self._held[place])
            self._held[place] += 1
            self._record.keep_task(task.digest, task.to_json())
        writer = EpisodeWriter.begin(self._record.paths.episode(key), write_header(task, key, candidate, rules))
        exam = Exam(task, computer, rules, key=key, recorder=writer, run=self._record.folder.name, **others)
        exam.when_closed = self._take
        self._open.add(exam)
        return exam

    def _take(self, exam: Exam) -> None:
        """Take in what came of an exam; after the end its record stands, and the run does not list it."""
        self._open.discard(exam)
        with self._lock:
            if not self._closed and exam.result is not None and exam.unwritten is None:
                self._record.add(exam.result)

    def results(self) -> list[Result]:
        """Return what came of the exams so far."""
        with self._lock:
            return list(self._record.results())

    def close(self) -> None:
        """Close exams that are left in their middle, complete the record of the run, and seal it."""
        for exam in list(self._open):
            exam.close("the run was ended before the episode was")
        with self._lock:
            if not self._closed:
                self._closed = True
                self._record.seal()
                self._record.close()
        atexit.unregister(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_ended: object) -> None:
        self.close()


def _close_at_exit(run: DoorRun) -> None:
    """Have a run sealed however its process ends, by SIGTERM too where nobody else listens to it."""
    atexit.register(run.close)
    here = threading.current_thread() is threading.main_thread()
    if here and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _exit)


def _exit(number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(128 + number)
