"""Why episodes say nothing, or crashed: one line for each cause, with count, example and remedy."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

from proctor.records import Cause
from proctor.report.endings import endings
from tests.report.records import outcomes, result


def test_one_line_for_each_cause() -> None:
    away = "openai/m at http://x: HTTP 500: broken\n  remedy: try again later"
    found = endings(
        [
            *outcomes("a", {"t": [None], "u": [None]}, cause="model", error=away),
            *outcomes("b", {"t": [None]}, cause="model", error="another reason"),
            *outcomes("a", {"v": [None]}, cause="setup", error="no window"),
            result("b", "w", 0.0, stop="agent_error", error="KeyError: 'x'", modes=("agent_crash",)),
            result("b", "x", 0.0, stop="agent_error", error="5 turns without an action", modes=("parse_error",)),
            result("b", "y", 1.0),
            result("b", "z", 0.0, stop="step_limit"),
        ]
    )
    assert [(one.kind, one.cause, one.episodes) for one in found] == [
        ("void", "model", 3),
        ("void", "setup", 1),
        ("crash", "KeyError", 1),
        ("nothing done", "replies not understood", 1),
    ]
    assert found[0].words(Path("my run")) == (
        "void (model): 3 episodes of a, b, such as core/t-v1: openai/m at http://x: HTTP 500: broken - try again later"
    )
    assert "proctor view 'my run'" in found[2].words(Path("my run"))


@pytest.mark.parametrize("cause", get_args(Cause))
def test_every_cause_has_a_remedy(cause: Cause) -> None:
    (one,) = endings([result("a", "t", None, cause=cause)])
    assert one.remedy and "agent.txt" not in one.remedy
    assert one.example == "no reason is recorded"


def test_of_a_traceback_the_last_line_is_shown() -> None:
    error = "Traceback (most recent call last):\n  File x\nZeroDivisionError: division by zero\n"
    (one,) = endings([result("a", "t", None, cause="worker", error=error)])
    assert one.example == "ZeroDivisionError: division by zero"


@pytest.mark.parametrize(
    ("fields", "kind", "cause"),
    [
        ({"stop": "refused", "error": "the model declined: No."}, "refused", "the model declined"),
        ({"stop": "refused", "error": "the model kept answering in prose: No."}, "refused", "only prose"),
        ({"stop": "refused", "error": "the model wrote prose and no action: No."}, "refused", "only prose"),
        ({"stop": "silent", "error": "nothing"}, "silent", "empty replies"),
        ({"stop": "agent_error", "error": "5 turns: unknown action type 'clik'"}, "nothing done", "unknown actions"),
        (
            {"stop": "agent_error", "error": "5 turns: the place (5000, 1) is outside the desktop"},
            "nothing done", "places outside the screen",
        ),
        ({"stop": "agent_error", "error": "5 turns: your reply was cut off"}, "nothing done", "replies cut off"),
        ({"stop": "agent_error", "error": "5 turns without an action"}, "nothing done", "replies not understood"),
    ],
)  # fmt: skip
def test_a_failure_says_why(fields: dict[str, Any], kind: str, cause: str) -> None:
    (one,) = endings([result("a", "t", 0.0, **fields)])
    assert (one.kind, one.cause) == (kind, cause)
    assert "No." in one.example if kind == "refused" else one.example
