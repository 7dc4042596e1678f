"""The door to the records: frozen types that pass between layers, without input or output."""

from __future__ import annotations

from proctor.records.brief import Brief, Tool
from proctor.records.criticism import Criticism
from proctor.records.event import Happening
from proctor.records.flag import Canary, Flag
from proctor.records.header import Apart, Header, NamedAgent, Origin, Refined, SetTask
from proctor.records.model_call import Exchange, ModelCall
from proctor.records.plain import plain, read, read_each, without_defaults
from proctor.records.result import OUTCOMES, Cause, EpisodeKey, Mode, Outcome, Result, Stop, check_result
from proctor.records.step import Hit, Output, Saw, SawWindow, Seconds, Step, Told
from proctor.records.verdict import ChangedPath, RecordedFinding, RecordedVerdict

__all__ = [
    "Apart", "Brief", "Canary", "Cause", "ChangedPath", "Criticism", "EpisodeKey", "Exchange", "Flag", "Happening",
    "Header", "Hit", "Mode", "ModelCall", "NamedAgent", "OUTCOMES", "Origin", "Outcome", "Output", "RecordedFinding",
    "RecordedVerdict", "Refined", "Result", "Saw", "SawWindow", "Seconds", "SetTask", "Step", "Stop", "Told", "Tool",
    "check_result", "plain", "read", "read_each", "without_defaults",
]  # fmt: skip
