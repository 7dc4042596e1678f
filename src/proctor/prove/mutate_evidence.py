"""Changes what the agent said, and what probes saw that is no file, and judges that again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from proctor.actions.action import Answer
from proctor.prove.evidence_changes import evidence_mutants, other_answers, same_answers
from proctor.prove.mutant_log import Judged, Trying
from proctor.prove.transforms.shelf import ChangeKind
from proctor.tasks.call import walk
from proctor.tasks.inside.compare import compare_states
from proctor.tasks.judge import judge, regrade


def try_words(trying: Trying) -> None:
    """Try other answers to the question that the task asks, where it asks one."""
    signal = trying.ending.signal
    if not isinstance(signal, Answer) or not any(call.name == "answer" for _, call in walk(trying.task.check)):
        return

    def judge_answer(text: str) -> Judged:
        said = replace(trying.ending, signal=Answer(text=text))
        return judge(trying.task, trying.computer, said), False

    answers: list[tuple[str, ChangeKind, str]] = [
        *((label, "mutant", text) for label, text in other_answers(signal.text)),
        *((label, "variant", text) for label, text in same_answers(signal.text)),
    ]
    for label, kind, text in answers:
        trying.note(f"the answer: {label}", kind, lambda text=text: judge_answer(text))  # type: ignore[misc]


def try_evidence(trying: Trying, after: Mapping[str, object]) -> None:
    """Try changes to what probes saw that is no file; nothing on the computer is touched."""
    if trying.task.graph is not None:
        trying.untried.append("what is no file: a composed task is judged by what was seen on the way")
        return

    def is_file(path: str) -> bool:
        try:
            return trying.computer.file_info(path).kind == "file"
        except (OSError, ValueError):
            return False

    def judge_evidence(evidence: dict[str, object]) -> Judged:
        verdict = regrade(trying.task, evidence)
        besides = verdict.passed and compare_states(trying.task, evidence, trying.before, trying.computer.home).effects
        return verdict, bool(besides)

    asked = {call.key for _, call in walk(trying.task.check) if call.kind == "probe"}
    looked_at = {key: value for key, value in after.items() if key in asked}
    beside = {key: value for key, value in after.items() if key not in asked}  # what is only compared
    compared = {key: value for key, value in beside.items() if key in trying.before}
    for some, besides in ((looked_at, False), (compared, True)):
        for label, changed in evidence_mutants(trying.before, some, trying.draw, is_file, besides=besides):
            evidence = {**after, **changed}
            trying.note(label, "mutant", lambda evidence=evidence: judge_evidence(evidence))  # type: ignore[misc]
