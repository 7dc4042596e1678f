"""What a run loop of OSWorld's waits for in `DesktopEnv`: a reset with a browser, and steps without a pause."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from proctor.bench.measure import Figure
from proctor.interop.osworld import DesktopEnv

RESET_GOAL_SEC, STEP_GOAL_MS = 3.0, 150.0
ACTIONS = (
    "pyautogui.moveTo(600, 500)",
    "pyautogui.press('tab')",
    "pyautogui.typewrite('hello')",
    "pyautogui.press('backspace')",
    "pyautogui.scroll(-3)",
    "pyautogui.click(300, 80)",
    "pyautogui.press('esc')",
)
TASK = {
    "id": "a-browser",
    "instruction": "Look around.",
    "related_apps": ["chrome"],
    "config": [
        {"type": "launch", "parameters": {"command": ["google-chrome", "--remote-debugging-port=1337"]}},
        {"type": "launch", "parameters": {"command": ["socat", "tcp-listen:9222,fork", "tcp:localhost:1337"]}},
    ],
    "evaluator": {
        "func": "exact_match",
        "result": {"type": "vm_command_line", "command": ["ls"]},
        "expected": {"type": "rule", "rules": {"expected": "nothing"}},
    },
}
"""A task as OSWorld writes it, whose desktop has a browser."""


def measure_osworld(*, episodes: int = 3, rounds: int = 2, computer: str = "sandbox") -> list[Figure]:
    """Measure episodes with the tree and without.

    Args:
        episodes: How many are begun; the first warms up, and does not count.
        rounds: How often the actions are taken in each.
        computer: Where.
    """
    resets: list[float] = []
    steps: list[float] = []
    seen: list[float] = []
    for tree in (True, False):
        with DesktopEnv(computer=computer, require_a11y_tree=tree) as env:
            for episode in range(episodes):
                spent = _spent(lambda env=env: env.reset(TASK))  # type: ignore[misc]
                taken = [_spent(lambda env=env, one=one: env.step(one, 0)) for one in ACTIONS * rounds]  # type: ignore[misc]
                if episode:
                    resets.append(spent)
                    (steps if tree else seen).extend(taken)
    told = f"median of {len(steps)}; a browser, {len(ACTIONS)} kinds of action, no pause asked for"
    return [
        Figure(
            key="osworld_reset_sec",
            what="a reset of DesktopEnv with a browser",
            value=median(resets),
            unit="s",
            goal=RESET_GOAL_SEC,
            note=f"median of {len(resets)}, the first of each kind left out",
        ),
        Figure(
            key="osworld_step_ms",
            what="a step of DesktopEnv, with screenshot and tree",
            value=1000 * median(steps),
            goal=STEP_GOAL_MS,
            note=told,
        ),
        Figure(
            key="osworld_step_without_tree_ms",
            what="a step of DesktopEnv, with the screenshot alone",
            value=1000 * median(seen),
            goal=STEP_GOAL_MS,
            note=told,
        ),
    ]


def _spent(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
