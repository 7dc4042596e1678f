"""Where proposals become tasks: each is tried, repaired, and accepted or dropped with its reason."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace

from proctor.models.retry import CallFailed
from proctor.store.files import write_whole
from proctor.synth.answer import AlreadyThere, AnswerRefused
from proctor.synth.bench import TrialBench
from proctor.synth.foreign import OTHERS, keys_of_others
from proctor.synth.ledger import TASKS, WORK, Fate, SynthesisLedger, provenance_of
from proctor.synth.outline import AppOutline
from proctor.synth.parts import ProposedTask, TaskParts, WrittenVerdict
from proctor.synth.plan import SynthesisPlan
from proctor.synth.prove import Gate, pass_gate
from proctor.synth.repair import faults_of_form
from proctor.synth.sameness import verdict_key, words_key
from proctor.synth.source import PartsSource
from proctor.tasks.load import load_task, task_from_json
from proctor.tasks.task import Task, Way

MOST_REASONS = 8


@dataclass
class SynthesisDesk:
    """What all proposals share: the ledger, the outlines, and the tasks that were accepted."""

    plan: SynthesisPlan
    ledger: SynthesisLedger
    outlines: dict[str, AppOutline] = field(default_factory=dict)
    tasks: dict[int, Task] = field(default_factory=dict)
    """Those that were accepted, by the numbers of their proposals."""
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        folder = self.ledger.folder / TASKS
        self.tasks |= {fate.number: load_task(folder / f"{fate.name}.json") for fate in self.ledger.accepted_fates()}

    def instructions(self) -> list[str]:
        """Return the instructions of the accepted tasks."""
        with self._lock:
            return [task.instruction for _, task in sorted(self.tasks.items())]

    def refuse_same(self, proposal: ProposedTask, verdict: WrittenVerdict) -> None:
        """Raise AlreadyThere for what is an accepted task by its verdict or by its words."""
        key, words = verdict_key(verdict.check), words_key(proposal.instruction)
        with self._lock:
            accepted = [task for _, task in sorted(self.tasks.items())]
        for task in accepted:
            if verdict_key(task.check) == key:
                raise AlreadyThere(f"its verdict is that of {task.id}: the same procedure with the same parameters")
            if words_key(task.instruction) == words:
                raise AlreadyThere(f"its instruction is that of {task.id}")

    def make(self, number: int, source: PartsSource, bench: TrialBench) -> Fate:
        """Make one proposal and keep what became of it."""
        started, repairs = time.monotonic(), 0
        parts: TaskParts | None = None
        gate = Gate(())
        try:
            parts = source.begin(self.refuse_same)
            for repairs in range(self.plan.repairs + 1):
                name = self._name(parts.proposal.name, number)
                task, gate = self._try(name, number, parts, bench)
                if task is not None and not gate.faults:
                    spent = replace(_cost_so_far(source), seconds=time.monotonic() - started, repairs=repairs)
                    return self._accept(number, parts, gate, spent)
                again = source.mend(parts, gate.faults, self.refuse_same) if repairs < self.plan.repairs else None
                if again is None:
                    break
                parts = again
            step, reasons = gate.faults[0].step, [f"{each.writer}: {each.text}" for each in gate.faults]
        except AnswerRefused as refused:
            step, reasons = "form", refused.message.splitlines()
        except AlreadyThere as same:
            step, reasons = "same", [same.message]
        except CallFailed as failed:
            # It would be answered in the same way for ever; whatever else fails ends the synthesis.
            if failed.kind != "bad_request":
                raise
            step, reasons = "asking", [failed.message]
        spent = replace(_cost_so_far(source), seconds=time.monotonic() - started, repairs=repairs)
        named = source.proposal
        fate = replace(
            spent,
            number=number,
            app=self.plan.app(number),
            name=named.name if named else "",
            instruction=named.instruction if named else "",
            step=step,
            reasons=tuple(dict.fromkeys(reasons))[:MOST_REASONS],
        )
        self.ledger.keep_fate(fate)
        return fate

    def _try(self, name: str, number: int, parts: TaskParts, bench: TrialBench) -> tuple[Task | None, Gate]:
        """Return the task that the parts make, and what came of it."""
        outline = self.outlines.get(parts.app)
        shown = "\n".join((parts.app, outline.names() if outline else ""))
        provenance = provenance_of(self.plan.by, parts, Fate(number=number, app=parts.app, accepted=False), 0)
        task, wrong = faults_of_form(parts, parts.data(name, provenance), shown)
        if task is None or wrong:
            return task, Gate(tuple(wrong))
        others = self._others(number, parts.app)
        return task, pass_gate(
            task, parts, others, self.plan.rounds, bench, self.ledger.folder / WORK / f"{number:04d}"
        )

    def _others(self, number: int, app: str) -> Sequence[Way]:
        """Return keys of other tasks.

        Those of later proposals are left out, so that trials stay the same.
        """
        with self._lock:
            before = [task for other, task in sorted(self.tasks.items()) if other < number]
        return keys_of_others(app, before, OTHERS * self.plan.rounds)

    def _name(self, wanted: str, number: int) -> str:
        """Return what a task is called: as its proposal says, and with its number where that is taken."""
        taken = {fate.name for fate in self.ledger.accepted_fates()}
        return f"{wanted}-{number}" if wanted in taken else wanted

    def _accept(self, number: int, parts: TaskParts, gate: Gate, spent: Fate) -> Fate:
        """Write a task that was proven, unless another one came first."""
        provenance = provenance_of(self.plan.by, parts, spent, gate.refused)
        with self._lock:
            self.refuse_same(parts.proposal, parts.verdict)
            name = self._name(parts.proposal.name, number)
            task = task_from_json(parts.data(name, provenance, gate.scores))
            text = json.dumps(task.to_json(), indent=2, ensure_ascii=False) + "\n"
            write_whole(self.ledger.folder / TASKS, f"{name}.json", text.encode(), durable=True)
            fate = replace(spent, number=number, app=parts.app, accepted=True, name=name, instruction=task.instruction)
            self.ledger.keep_fate(fate)
            self.tasks[number] = task
        return fate


def _cost_so_far(source: PartsSource) -> Fate:
    """Return a fate that says what a proposal took, and nothing else yet."""
    return Fate(number=0, app="", accepted=False, **asdict(source.cost))
