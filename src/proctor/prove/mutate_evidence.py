"""Changes what the agent said, and what probes saw that is no file, and judges that again."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from proctor.actions.action import Answer
from proctor.prove.evidence_changes import ChangedPart, evidence_mutants, other_answers, same_answers
from proctor.prove.mutant_log import Judged, Trying
from proctor.prove.transforms.shelf import ChangeKind
from proctor.tasks.call import Call, plain, walk
from proctor.tasks.findings import Fault
from proctor.tasks.inside.compare import compare_states
from proctor.tasks.inside.models import parts_of
from proctor.tasks.judge import judge, regrade
from proctor.tasks.shelves import tool


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
    compared = [key for key in after if key not in asked and key in trying.before]
    parts = {part.key for part, whole in parts_of(trying.task.check).items() if whole.key in compared}
    kinds: list[tuple[ChangedPart, Collection[str]]] = [
        ("all", asked - parts), ("asked", parts), ("besides", compared)
    ]  # fmt: skip
    for part, keys in kinds:
        some = {key: value for key, value in after.items() if key in keys}
        for label, changed in evidence_mutants(trying.before, some, trying.draw, is_file, part):
            evidence = with_parts(trying.task.check, after, {**after, **changed})
            trying.note(label, "mutant", lambda evidence=evidence: judge_evidence(evidence))  # type: ignore[misc]


def with_parts(check: Call, before: Mapping[str, object], changed: Mapping[str, object]) -> dict[str, object]:
    """Return changed evidence in which probes of a part show what is changed in the whole."""
    told = dict(changed)
    for part, whole in parts_of(check).items():
        follows = tool(part).follows
        held, now = before.get(whole.key), changed.get(whole.key)
        if follows is None or held == now or not (_is_seen(now) and _is_seen(held) and _is_seen(before.get(part.key))):
            continue
        arguments = plain(part.arguments)
        earlier, later = (follows.tell(told[part.key], arguments, each) for each in (held, now))
        if earlier != later:
            told[part.key] = later
    return told


def _is_seen(value: object) -> bool:
    return isinstance(value, dict) and Fault.from_json(value) is None
