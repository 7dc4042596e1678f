"""What came of an exam, as other people's runners keep it: plain data, and sentences."""

from __future__ import annotations

from proctor.exam.exam import Exam
from proctor.exam.state import StepResult
from proctor.records import Result

ALL_RIGHT = "Everything is as it should be."
MOST_NAMED = 5
"""Side effects that are named; how many there are is said in any case."""


def ending_of(result: Result) -> dict[str, object]:
    """Tell what came of an episode: the score, why it ended, and whether anything else was changed."""
    return {
        "score": result.score,
        "stop": result.stop,
        "clean": result.clean,
        "collateral": dict(result.collateral),
        **({"collateral_unknown": result.collateral_unknown} if result.collateral_unknown else {}),
        **({"error": result.error} if result.error else {}),
    }


def step_account(step: StepResult) -> dict[str, object]:
    """Tell what came of a step, without times, so that the same steps give the same account."""
    account: dict[str, object] = {"trouble": step.trouble} if step.trouble else {}
    if step.refused:
        account["agent_error"] = step.refused
    if (performed := step.performed) is None:
        return account
    account |= {"settled": performed.settled, "verified": performed.verified, "stale": step.stale}
    if performed.element is not None:
        account["element"] = performed.element.describe()
    if performed.result is not None:
        account |= {"output": performed.result.output, "code_error": performed.result.error}
    return account


def account_of(exam: Exam, result: Result) -> dict[str, object]:
    """Return what came of an exam as plain data; `clean` is None where nobody can tell."""
    verdict = exam.verdict
    return {
        **ending_of(result),
        "passed": result.passed,
        "feedback": list(verdict.feedback) if verdict else [],
        "side_effects": sum(result.collateral.values()),
        "collateral_unknown": result.collateral_unknown,
        "broke_the_computer": result.stop == "broke_the_computer",
        **({"metrics": dict(result.metrics)} if result.metrics else {}),
        **({"record": result.folder} if result.folder else {}),
    }


def explanation_of(exam: Exam, result: Result) -> str:
    """Say what is missing, what else was changed and what nobody can tell, line by line."""
    lines = list(exam.verdict.feedback) if exam.verdict else []
    if result.stop == "broke_the_computer":
        lines.insert(0, result.error)
    elif result.passed:
        lines.append(ALL_RIGHT if result.clean else "The task is done.")
    if effects := exam.account.side_effects.effects:
        named = [f"{effect.place} ({effect.kind}, {effect.severity})" for effect in effects[:MOST_NAMED]]
        more = [f"and {len(effects) - MOST_NAMED} more"] if len(effects) > MOST_NAMED else []
        lines.append(f"Changed without being asked for: {', '.join(named + more)}.")
    if result.collateral_unknown:
        lines.append(f"It is unknown what else was changed: {result.collateral_unknown}.")
    return "\n".join(lines)
