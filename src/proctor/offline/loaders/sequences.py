"""Readers of what happens over time: IDM-Single, IDM-Multiple, CriticBench, and our own."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.offline.loaders.form import (
    PublicForm,
    ReadingContext,
    UnfitRecord,
    derive_id,
    groups,
    records_in,
    text,
    unpack,
)
from proctor.offline.rows import Row
from proctor.offline.sample import CriticSample, IdmSample, Shot

_MOST_OPTIONS = 26
"""Options are lettered."""
_TRUTHS = {"true": True, "1": True, "1.0": True, "false": False, "0": False, "0.0": False}
"""What tables make of true and false."""


def _single(row: Row, reading: ReadingContext) -> Iterator[IdmSample]:
    options = _options(row)
    shots = (reading.shot(row.data["obs_before"], row), reading.shot(row.data["obs_after"], row))
    yield IdmSample(
        id=text(row, "id", "action_id") or derive_id(row.data),
        instruction=text(row, "instruction"),
        shots=shots,
        options=options,
        answer=(_place(row.data["operation"], options),),
        groups={**_groups(row), "answer": text(row, "operation")},
        cluster=text(row, "task") or shots[0].name,
    )


def _multiple(row: Row, reading: ReadingContext) -> Iterator[IdmSample]:
    options = _options(row)
    actions = _actions(row)
    if actions and not actions[-1].get("obs_after"):
        # What the last action led to was not kept, so nobody can tell what it was.
        actions = actions[:-1]
    actions = actions[-reading.last :]
    if not actions:
        raise UnfitRecord("no action is left whose outcome was kept")
    shots = tuple(reading.shot(action.get("obs_before"), row) for action in actions)
    yield IdmSample(
        id=text(row, "id", "annotation_id") or derive_id(row.data),
        instruction=text(row, "instruction"),
        shots=(*shots, reading.shot(actions[-1]["obs_after"], row)),
        options=options,
        answer=tuple(_place(action.get("operation"), options) for action in actions),
        groups={**_groups(row), "length": str(len(actions))},
        cluster=text(row, "task") or text(row, "annotation_id"),
        several=True,
    )


def _critic(row: Row, reading: ReadingContext) -> Iterator[CriticSample]:
    success = _TRUTHS.get(str(row.data["is_success"]).strip().lower())
    if success is None:
        raise UnfitRecord("is_success is neither true nor false")
    actions = _actions(row)[-reading.last :]
    if not actions:
        raise UnfitRecord("there is no action")
    shots: list[Shot] = [reading.shot(action.get("obs_before"), row) for action in actions]
    if last := actions[-1].get("obs_after"):
        shots.append(reading.shot(last, row))
    yield CriticSample(
        id=text(row, "id", "annotation_id") or derive_id(row.data),
        instruction=text(row, "instruction", needed=True),
        shots=tuple(shots),
        actions=tuple(_repr(action) for action in actions),
        success=success,
        groups={**_groups(row), "truth": "success" if success else "failure", **groups(row, made="made")},
        cluster=text(row, "task") or text(row, "annotation_id"),
    )


def _groups(row: Row) -> dict[str, str | list[str]]:
    return {**groups(row, platform="platform", source="source", split="split")}


def _options(row: Row) -> tuple[str, ...]:
    given = unpack(row.data["action_space"])
    options = tuple(str(each).strip() for each in given) if isinstance(given, list) else ()
    if not 1 < len(options) <= _MOST_OPTIONS or len(set(options)) < len(options):
        raise UnfitRecord("its action space is not a list of 2 to 26 different actions")
    return options


def _place(operation: object, options: tuple[str, ...]) -> int:
    lowered = [option.lower() for option in options]
    if not isinstance(operation, str) or (named := operation.strip().lower()) not in lowered:
        raise UnfitRecord("its operation is not in its action space")
    return lowered.index(named)


def _actions(row: Row) -> list[dict[str, object]]:
    if (given := records_in(row.data["actions"])) is None:
        raise UnfitRecord("its actions are not a list of records")
    return given


def _repr(action: dict[str, object]) -> str:
    metadata = action.get("metadata")
    said = metadata.get("repr") if isinstance(metadata, dict) else None
    return said if isinstance(said, str) and said else str(action.get("operation") or "an action")


IDM = (
    PublicForm("idm-single", "IDM-Single, and transitions of `proctor offline make`", "idm",
               ("obs_before", "obs_after", "operation", "action_space"), _single),
    PublicForm("idm-multiple", "IDM-Multiple, and sequences of `proctor offline make`", "idm",
               ("actions", "action_space"), _multiple),
)  # fmt: skip
CRITIC = (
    PublicForm("criticbench", "CriticBench, and trajectories of `proctor offline make`", "critic",
               ("instruction", "actions", "is_success"), _critic),
)  # fmt: skip
