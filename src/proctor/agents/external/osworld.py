"""Agents written for OSWorld: `reset()` and `predict(instruction, obs)`, run here unchanged.

`obs` is a dictionary with `screenshot` (PNG as bytes), `accessibility_tree` (XML), `terminal` and `instruction`; what
is not observed is None. `predict` returns its response and a list of actions: pyautogui code, dictionaries of
computer_13, or the words WAIT, DONE and FAIL. None of it is evaluated.
"""

from __future__ import annotations

import inspect
import json
import logging
from collections.abc import Sequence
from typing import Any, Literal

from proctor.actions.action import Action, Done, Fail, Wait
from proctor.actions.dialects import open_dialect
from proctor.actions.dialects.dialect import Dialect, Frame
from proctor.actions.dialects.translation import MAX_ACTIONS
from proctor.agents.agent import Turn, close
from proctor.agents.load import load
from proctor.errors import AgentError, SpecError
from proctor.observations.encode import png
from proctor.observations.observation import Observation, Want
from proctor.observations.xml import to_xml
from proctor.records import Brief
from proctor.text_options import convert_options

WANTS = {
    "screenshot": Want(),
    "a11y_tree": Want(screenshot=False, tree=True),
    "screenshot_a11y_tree": Want(tree=True),
    "som": Want(tree=True),
}
"""OSWorld's settings; its agents draw marks themselves, from the tree."""

DIALECTS = {"pyautogui": "pyautogui", "computer_13": "computer13"}

WORDS: dict[str, type[Action]] = {"WAIT": Wait, "DONE": Done, "FAIL": Fail}
_REPLY_CHARS = 1_000_000

logger = logging.getLogger(__name__)


class OSWorldAgent:
    """An OSWorld agent behind our protocol."""

    def __init__(
        self,
        agent: str,
        *,
        action_space: Literal["pyautogui", "computer_13"] = "pyautogui",
        observe: Literal["screenshot", "a11y_tree", "screenshot_a11y_tree", "som"] = "screenshot",
        **options: str,
    ) -> None:
        """Make the agent.

        Args:
            agent: Its class, as `module:Class`.
            action_space: How it writes actions; also passed on, if its constructor takes it.
            observe: What it sees; also passed on as `observation_type`, if its constructor takes that.
            options: Passed to its constructor, converted as its annotations say.
        """
        factory = load("OSWorld agent", agent)
        takes = inspect.signature(factory).parameters
        settings = {"action_space": action_space, "observation_type": observe}
        given = {name: text for name, text in settings.items() if name in takes}
        self.want = WANTS[observe]
        self._dialect = open_dialect(DIALECTS[action_space])
        self._agent = factory(**convert_options(factory, {**given, **options}, f"OSWorld agent {agent!r}"))
        for method in ("reset", "predict"):
            if not callable(getattr(self._agent, method, None)):
                raise SpecError(f"{agent!r} has no {method}()", remedy="name a class with reset() and predict()")

    def start(self, brief: Brief) -> None:
        """Reset the agent; loggers are handed to those that ask for them."""
        self._brief = brief
        needed = [
            parameter.name
            for parameter in inspect.signature(self._agent.reset).parameters.values()
            if parameter.default is parameter.empty
            and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        ]
        self._agent.reset(**{name: logger if "log" in name else None for name in needed})

    def act(self, observation: Observation) -> Turn:
        """Let the agent predict, and translate its actions."""
        answer = self._agent.predict(self._brief.instruction, self._as_osworld(observation))
        if not isinstance(answer, tuple | list) or len(answer) < 2:
            raise AgentError(
                f"predict() returned {type(answer).__name__}", remedy="return the response and a list of actions"
            )
        reply, listed = str(answer[0])[:_REPLY_CHARS], answer[1]
        items = listed if isinstance(listed, list | tuple) else [listed]
        frame = Frame(desktop=observation.desktop, image=observation.desktop)
        try:
            return Turn(actions=predicted_actions(items, self._dialect, frame), reply=reply)
        except AgentError as error:
            return Turn(reply=reply, problem=error.message)

    def close(self) -> None:
        """Close the agent, where it can be."""
        close(self._agent)

    def _as_osworld(self, observation: Observation) -> dict[str, Any]:
        return {
            "screenshot": png(observation.screenshot) if observation.screenshot is not None else None,
            "accessibility_tree": to_xml(observation.tree) if observation.tree is not None else None,
            "terminal": observation.terminal,
            "instruction": self._brief.instruction,
        }


def predicted_actions(items: Sequence[object], dialect: Dialect, frame: Frame) -> tuple[Action, ...]:
    """Return the actions of a prediction; raises AgentError with why one cannot be understood."""
    found: list[Action] = []
    for item in items[: MAX_ACTIONS + 1]:
        kind = item.get("action_type") if isinstance(item, dict) else item
        word = kind.strip() if isinstance(kind, str) else ""
        if word in WORDS:
            found.append(WORDS[word]())
            continue
        text = item if isinstance(item, str) else json.dumps(item, default=str)
        language = "python" if dialect.name == "pyautogui" else "json"
        reading = dialect.read(f"```{language}\n{text}\n```", frame)
        if reading.problem or not reading.actions:
            raise AgentError(reading.problem or f"{text[:200]!r} is not an action")
        found += reading.actions
    if len(found) > MAX_ACTIONS:
        raise AgentError(f"more than {MAX_ACTIONS} actions in one turn")
    if not found:
        raise AgentError("predict() returned no action")
    return tuple(found)
