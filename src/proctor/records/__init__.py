"""The door to the records: frozen types that pass between layers, as plain data without input or output."""

from __future__ import annotations

from proctor.records.brief import Brief
from proctor.records.model_call import Exchange, ModelCall
from proctor.records.plain import without_defaults
from proctor.records.result import TUPLES, Cause, EpisodeKey, Mode, Result, Stop, check_result

__all__ = [
    "TUPLES", "Brief", "Cause", "EpisodeKey", "Exchange", "Mode", "ModelCall", "Result", "Stop", "check_result",
    "without_defaults",
]  # fmt: skip
