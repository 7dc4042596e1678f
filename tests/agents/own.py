"""Agents and policies as people bring them, for the tests to name as `module:name`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from proctor.actions.action import Action, Done, Type
from proctor.observations.observation import Observation
from proctor.records import Brief


class Mine:
    """Has an option of every kind."""

    def __init__(
        self,
        *,
        count: int = 1,
        speed: float = 1.0,
        loud: bool = False,
        name: str = "",
        mood: Literal["calm", "eager"] = "calm",
        home: Path | None = None,
        thing: object | None = None,
    ) -> None:
        self.options = (count, speed, loud, name, mood, home)
        self.thing = thing

    def start(self, brief: Brief) -> None: ...

    def act(self, observation: Observation) -> Action:
        return Done()


class Needy:
    def __init__(self, model: str) -> None: ...

    def start(self, brief: Brief) -> None: ...

    def act(self, observation: Observation) -> Action:
        return Done()


class NoAgent:
    """Cannot act."""


class Blind:
    """An OSWorld agent that never looks, and wants loggers as OS-MAP's agents do."""

    def __init__(self, action_space: str, temperature: float = 1.0) -> None:
        self.action_space, self.temperature = action_space, temperature

    def reset(self, runtime_logger: Any, error_logger: Any, result_dir: Any) -> None:
        runtime_logger.debug("reset")

    def predict(self, instruction: str, obs: dict[str, Any]) -> tuple[str, list[Any]]:
        return "I wait.", [{"action_type": "WAIT"}]


class Replaying:
    """An OSWorld agent that answers with what it is given, and keeps what it saw."""

    answer: Any = ("", ["DONE"])

    def __init__(self) -> None:
        self.seen: list[dict[str, Any]] = []

    def reset(self) -> None: ...

    def predict(self, instruction: str, obs: dict[str, Any]) -> Any:
        self.seen.append(obs)
        return type(self).answer


class Deaf:
    """Has reset() but no predict()."""

    def reset(self) -> None: ...


NUMBER = 3


def no_typing(brief: Brief, action: Action) -> str | None:
    return "typing is forbidden" if isinstance(action, Type) else None


def wrong_shape(action: Action) -> str | None:
    return None


class Strict:
    def check(self, brief: Brief, action: Action) -> str | None:
        return "nothing is allowed"
