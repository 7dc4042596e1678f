"""A typed client of the OpenEnv server."""

from __future__ import annotations

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult

from proctor.interop.openenv.models import DesktopAction, DesktopObservation, DesktopState


class DesktopEnv(EnvClient[DesktopAction, DesktopObservation, DesktopState]):
    """One session: `reset(split=, index=, seed=)`, `step(DesktopAction(type="click", x=, y=))`."""

    def _step_payload(self, action: DesktopAction) -> dict[str, object]:
        return dict(action.model_dump(exclude_none=True, exclude_defaults=True))

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[DesktopObservation]:
        reward, done = payload.get("reward"), bool(payload.get("done"))
        seen = DesktopObservation(**payload.get("observation", {}), reward=reward, done=done)
        return StepResult(observation=seen, reward=reward, done=done, metadata=payload.get("metadata"))

    def _parse_state(self, payload: dict[str, object]) -> DesktopState:
        return DesktopState(**payload)
