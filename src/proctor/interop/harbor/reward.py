"""How a trial of Harbor's ends: the agent's last words, and the rewards that the checks give."""

from __future__ import annotations

import json
from pathlib import Path

from proctor.actions.action import SignalAction
from proctor.exam.exam import Exam
from proctor.interop.account import account_of
from proctor.interop.house import last_signal
from proctor.records import Result

FINAL_ANSWER = "final_answer.txt"
"""Where Harbor's agents leave their last words."""


def read_last_words(folder: Path) -> SignalAction | None:
    """Return what an agent said last, by the logs that it left on the host."""
    path = folder / FINAL_ANSWER
    return last_signal(path.read_text(encoding="utf-8", errors="replace")) if path.is_file() else None


def rewards(result: Result) -> dict[str, float]:
    """Return a result as Harbor's numbers; `clean` is left out where nobody can tell."""
    assert result.score is not None
    known = {} if result.clean is None else {"clean": float(result.clean)}
    return {"reward": result.score, **known}


def write_rewards(folder: Path, exam: Exam, result: Result) -> None:
    """Write the rewards and the reasons for them into a folder, over what was fetched into it."""
    for name in ("reward.txt", "reward.json"):
        (folder / name).unlink(missing_ok=True)
    (folder / "reward.json").write_text(json.dumps(rewards(result)), encoding="utf-8")
    (folder / "proctor.json").write_text(json.dumps(account_of(exam, result)), encoding="utf-8")
