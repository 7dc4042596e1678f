"""The judge: looks at a computer after the agent, without touching it, and says what it finds."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from proctor.computers.computer import Computer
from proctor.errors import Overrun
from proctor.tasks.checkpoints import find_held
from proctor.tasks.day_watch import DayWatch, Looking
from proctor.tasks.deadline import Deadline
from proctor.tasks.examine import examine, look_back, looker
from proctor.tasks.findings import Finding
from proctor.tasks.ground import MOST_READINGS, Ground, ask_live
from proctor.tasks.inside.models import models_of
from proctor.tasks.look_safely import Trouble, look_safely
from proctor.tasks.probe_context import Ending, ProbeContext
from proctor.tasks.task import Task
from proctor.tasks.verdict import SPOILT, Verdict
from proctor.tasks.watch import Watch

GAVE_UP = "The agent gave up on a task that can be done."
DID_NOT_OBJECT = "The task cannot be done as asked, and the agent did not say so."


def judge(
    task: Task,
    computer: Computer,
    ending: Ending,
    watch: Looking | None = None,
    trouble: Trouble | None = None,
    live: Mapping[str, object] | None = None,
    deadline: Deadline | None = None,
) -> Verdict:
    """Look at a computer and return the verdict, within a deadline; twice gives the same.

    What only live programs tell is asked first. Then the computer is held still where it can be, until all else is
    read; one that is held still already stays so.

    Args:
        task: What was to be done.
        computer: Where it was to be done.
        ending: How the agent ended.
        watch: Who looked on while the agent was at work, for a composed task or a day; without, only what is there now
            counts.
        trouble: Is told when the computer cannot be looked at, and raises unless the agent is to answer for it; what
            could not be seen is then a fault. A proof gives none: a computer that fails there must be heard of.
        live: What live programs told, where they were asked before.
        deadline: By when all of it must be over; it has one of its own otherwise.

    Raises:
        CheckError: A probe or check crashed, which is a defect of ours; the episode is void, never 0.
        ComputerError: The computer could not be looked at, where no `trouble` is given.
    """
    deadline = deadline or Deadline()
    told = ask_live(task, computer, ending, trouble, deadline) if live is None else live
    with Ground(computer, trouble) as ground:
        for _ in range(MOST_READINGS):
            verdict = _read(task, computer, ending, watch, trouble, told, deadline)
            if not ground.has_moved():
                break
    return replace(verdict, evidence=ground.add_to(verdict.evidence))


def _read(
    task: Task,
    computer: Computer,
    ending: Ending,
    watch: Looking | None,
    trouble: Trouble | None,
    live: Mapping[str, object],
    deadline: Deadline,
) -> Verdict:
    evidence: dict[str, object] = {"ending": {"gave_up": ending.gave_up}, **live}
    look = looker(ProbeContext(computer, ending, tuple(computer.history), deadline), evidence)
    look = look_safely(look, evidence, trouble)
    finding = examine(task.check, look, deadline)
    other = examine(task.original, look, deadline) if task.original is not None else None
    if "changes" in computer.capabilities:  # elsewhere nobody can tell what is a side effect
        with suppress(Overrun):  # what was not seen is told as such when it is compared
            for model in models_of(task):
                look(model)
    if task.day is not None:
        day = (watch if isinstance(watch, DayWatch) else DayWatch(task.day)).to_the_end(ending.asked)
        return day.judge(look, deadline).verdict(evidence | {"day": day.to_json()})
    if task.graph is None:
        return _verdict(task, finding, evidence, other=other)
    seen = (watch if isinstance(watch, Watch) else Watch(task.graph)).to_the_end(
        computer, ending, trouble, live, deadline
    )
    return _composed_verdict(task, finding, evidence | {"graph": seen.to_json()}, seen)


def regrade(task: Task, evidence: Mapping[str, object]) -> Verdict:
    """Judge again from stored evidence, without a computer and within the same bounds."""
    if task.day is not None:
        return DayWatch.from_json(task.day, evidence.get("day")).judge(look_back(evidence)).verdict(evidence)
    finding = examine(task.check, look_back(evidence))
    if task.graph is None:
        other = examine(task.original, look_back(evidence)) if task.original is not None else None
        verdict = _verdict(task, finding, evidence, other=other)
        effects = evidence.get(SPOILT)
        return verdict.spoil([str(each) for each in effects]) if isinstance(effects, list) else verdict
    return _composed_verdict(task, finding, evidence, Watch.from_json(task.graph, evidence.get("graph")))


def _composed_verdict(task: Task, result: Finding, evidence: Mapping[str, object], watch: Watch) -> Verdict:
    """Return the verdict on a composed task, whose score is the coverage, not the result's alone."""
    metrics = watch.metrics() | {"result": float(result.passed)}
    verdict = _verdict(task, watch.finding(), evidence, metrics)
    return replace(verdict, checkpoints=watch.subtasks(), notes=watch.notes())


def _verdict(
    task: Task,
    finding: Finding,
    evidence: Mapping[str, object],
    metrics: Mapping[str, float] | None = None,
    other: Finding | None = None,
) -> Verdict:
    finding = _weigh_ending(task, finding, evidence)
    figures = finding.all_figures() | dict(metrics or {})
    held = find_held(task.checkpoints, finding)
    if other is not None and (other := _weigh_ending(task, other, evidence)).score == finding.score:
        other = None
    return Verdict(finding.score, finding.feedback, finding, evidence, figures, held, other=other)


def _weigh_ending(task: Task, finding: Finding, evidence: Mapping[str, object]) -> Finding:
    """Return what is found once it is known how the agent ended."""
    ending = evidence["ending"]
    gave_up = isinstance(ending, Mapping) and bool(ending["gave_up"])
    # In long work what was reached counts, whatever is said about the rest.
    if gave_up != task.tags.feasible or (gave_up and task.checkpoints):
        return finding
    return Finding(0.0, (GAVE_UP if gave_up else DID_NOT_OBJECT,), check=finding.check, parts=(finding,))
