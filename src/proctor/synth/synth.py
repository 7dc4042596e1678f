"""Synthesis: many proposals, at the same time and within a budget, in a folder that goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from proctor.models.model import Model
from proctor.models.usage import Budget, BudgetSpent, Metered
from proctor.plain_text import json_text
from proctor.store.files import write_whole
from proctor.store.lock import RunLock
from proctor.synth.ask import ProposalAsker
from proctor.synth.bench import SynthesisStopped, TrialBench
from proctor.synth.desk import SynthesisDesk
from proctor.synth.explore import explore
from proctor.synth.ledger import OUTLINES, Fate, SynthesisLedger
from proctor.synth.page import figures, page
from proctor.synth.plan import SynthesisPlan
from proctor.synth.search import SearchSource
from proctor.synth.source import ModelSource, PartsSource

LOCK, PAGE, FIGURES = "lock", "index.html", "figures.json"


@dataclass(frozen=True, kw_only=True)
class Synthesised:
    """What a synthesis has come to so far."""

    fates: tuple[Fate, ...]
    left: int
    """Proposals that were not finished."""
    spent: str = ""
    """Which budget is spent; empty where none is."""


def synthesise(
    folder: Path,
    plan: SynthesisPlan,
    model: Model | None,
    *,
    max_cost: float | None = None,
    workers: int = 1,
    heard: Callable[[Fate], object] = lambda _fate: None,
) -> Synthesised:
    """Make the proposals of a plan that have no fate yet, and write tasks, page and figures.

    Args:
        folder: Where everything is kept; what is there already is not done again.
        plan: What to do.
        model: Whom to ask; nobody where keys are searched for.
        max_cost: US dollars for all calls, those of runs before in the same folder included.
        workers: How many proposals at a time, each with one computer.
        heard: Is told of each proposal that is finished.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = RunLock(folder / LOCK)
    try:
        ledger = SynthesisLedger.open(folder, plan.lasting_part())
        budget = Budget(usd=max_cost) if max_cost else Budget()
        for call in ledger.spent:
            budget.add(call)
        metered = Metered(model, budget) if model is not None else None
        desk = SynthesisDesk(plan, ledger)
        desk.outlines |= {app: explore(app, folder / OUTLINES, plan.backend) for app in plan.apps}
        waiting = [number for number in range(1, plan.count + 1) if number not in ledger.fates]
        spent = ""
        try:
            spent = _Crew(desk, metered, workers).make(waiting, heard)
        finally:
            _write_page(folder, plan, ledger)
        fates = tuple(fate for number, fate in sorted(ledger.fates.items()) if number <= plan.count)
        return Synthesised(fates=fates, left=plan.count - len(fates), spent=spent)
    finally:
        lock.release()


def _write_page(folder: Path, plan: SynthesisPlan, ledger: SynthesisLedger) -> None:
    fates = [fate for _, fate in sorted(ledger.fates.items())]
    write_whole(folder, PAGE, page(plan, fates).encode())
    write_whole(folder, FIGURES, json_text(figures(fates), indent=2).encode())


@dataclass
class _Crew:
    """Those who work on proposals, one computer each."""

    desk: SynthesisDesk
    model: Metered | None
    workers: int

    def make(self, numbers: Sequence[int], heard: Callable[[Fate], object]) -> str:
        """Make proposals; return which budget is spent, empty where none is."""
        stop = threading.Event()
        if self.workers == 1:
            # Without threads, so that Ctrl-C ends it at once.
            with TrialBench(self.desk.plan.backend, stop) as bench:
                try:
                    for number in numbers:
                        heard(self._make_one(number, bench, stop))
                except BudgetSpent as spent:
                    return spent.message
            return ""
        return self._make_together(numbers, heard, stop)

    def _make_together(self, numbers: Sequence[int], heard: Callable[[Fate], object], stop: threading.Event) -> str:
        free: SimpleQueue[TrialBench] = SimpleQueue()
        benches = [TrialBench(self.desk.plan.backend, stop) for _ in range(self.workers)]
        for bench in benches:
            free.put(bench)
        said = ""
        with ThreadPoolExecutor(self.workers) as pool:
            going: list[Future[Fate]] = [pool.submit(self._make_with, free, number, stop) for number in numbers]
            try:
                for ended in as_completed(going):
                    try:
                        heard(ended.result())
                    except SynthesisStopped:
                        continue
                    except BudgetSpent as spent:
                        said = spent.message
                        stop.set()
            finally:
                stop.set()
                pool.shutdown(wait=True, cancel_futures=True)
                for bench in benches:
                    bench.close()
        return said

    def _make_with(self, free: SimpleQueue[TrialBench], number: int, stop: threading.Event) -> Fate:
        bench = free.get()
        try:
            return self._make_one(number, bench, stop)
        finally:
            free.put(bench)

    def _make_one(self, number: int, bench: TrialBench, stop: threading.Event) -> Fate:
        return self.desk.make(number, self._source(number, stop), bench)

    def _source(self, number: int, stop: threading.Event) -> PartsSource:
        plan = self.desk.plan
        app = plan.app(number)
        outline = self.desk.outlines[app]
        if self.model is None:
            return SearchSource(outline, number, plan.backend)
        asker = ProposalAsker(self.model, self.desk.ledger, number, stop)
        return ModelSource(asker, app, outline, number, self.desk.instructions())
