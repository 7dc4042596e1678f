"""Running a benchmark: samples without an answer are asked until all are done or a cap is met."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass

from proctor.errors import ModelError, RecordError
from proctor.models.usage import BudgetSpent
from proctor.offline.ask import Answerer
from proctor.offline.record import AnswerWriter, OfflineRecord, SampleAnswer, shorten_text
from proctor.offline.sample import OfflineSample
from proctor.offline.score import score
from proctor.records import ModelCall

GIVE_UP = 20
"""After so many failures of the model in a row nothing more is asked."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RunEnd:
    """How a run ended."""

    asked: int
    kept: int
    left: int
    why: str = ""


def run(
    record: OfflineRecord,
    samples: Sequence[OfflineSample],
    open_answerer: Callable[[], Answerer],
    *,
    workers: int = 1,
    on_answer: Callable[[SampleAnswer], object] = lambda _: None,
) -> RunEnd:
    """Ask every sample that has no answer yet, or whose model failed, and write the answers."""
    # Whoever writes holds the lock, so that nobody else adds answers after they were looked at.
    writer, asked, failures = AnswerWriter(record), 0, 0
    why, stop = "", threading.Event()
    try:
        done = {id for id, answer in record.answers().items() if answer.outcome != "failed"}
        waiting = [sample for sample in samples if sample.id not in done]
        for answer in _answers_to(waiting, open_answerer, workers, stop):
            if isinstance(answer, BudgetSpent):
                why = answer.message
                stop.set()
                continue
            writer.add(answer)
            on_answer(answer)
            asked += 1
            failures = failures + 1 if answer.outcome == "failed" and answer.calls else 0
            if failures >= GIVE_UP:
                why = f"the model failed {failures} times in a row: {answer.problem}"
                stop.set()
    finally:
        writer.close()
    return RunEnd(asked=asked, kept=len(samples) - len(waiting), left=len(waiting) - asked, why=why)


def _answers_to(
    samples: Sequence[OfflineSample], open_answerer: Callable[[], Answerer], workers: int, stop: threading.Event
) -> Iterator[SampleAnswer | BudgetSpent]:
    """Yield answers as they come; at a stop, what is under way is waited for: it is paid for."""
    rest = iter(samples)
    if workers == 1:
        answerer = open_answerer()
        while not stop.is_set() and (sample := next(rest, None)) is not None:
            yield _answer(answerer, sample)
        return
    own = threading.local()

    def ask(sample: OfflineSample) -> SampleAnswer | BudgetSpent:
        if not hasattr(own, "answerer"):
            own.answerer = open_answerer()
        return _answer(own.answerer, sample)

    with ThreadPoolExecutor(workers) as pool:
        under_way: set[Future[SampleAnswer | BudgetSpent]] = set()
        while True:
            while not stop.is_set() and len(under_way) < workers and (sample := next(rest, None)) is not None:
                under_way.add(pool.submit(ask, sample))
            if not under_way:
                return
            ready, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for each in ready:
                yield each.result()


def _answer(answerer: Answerer, sample: OfflineSample) -> SampleAnswer | BudgetSpent:
    began = time.perf_counter()
    try:
        said = answerer.answer(sample)
    except BudgetSpent as error:
        return error
    except ModelError as error:
        call = getattr(error, "call", None)
        calls: list[dict[str, object]] = (
            [_plain(call)] if isinstance(call, ModelCall) else [{"error": type(error).__name__}]
        )
        return SampleAnswer(id=sample.id, outcome="failed", problem=error.message, calls=calls, seconds=_since(began))
    except RecordError as error:
        return SampleAnswer(id=sample.id, outcome="failed", problem=error.message, seconds=_since(began))
    found = score(sample, said)
    return SampleAnswer(
        id=sample.id,
        **asdict(found),
        reply=shorten_text(said.reply),
        thought=shorten_text(said.thought),
        finish=said.finish,
        prompt=said.prompt,
        sent=[list(size) for size in said.sent],
        space=said.space,
        calls=[_plain(call) for call in said.calls],
        seconds=_since(began),
    )


def _plain(call: ModelCall) -> dict[str, object]:
    data = asdict(call.bare())
    return {name: value for name, value in data.items() if value not in ("", None, 0, 0.0)}


def _since(began: float) -> float:
    return round(time.perf_counter() - began, 4)
