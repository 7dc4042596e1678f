"""How an agent failed: read off the end of an episode, what it operated and what its task's answer key operates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from proctor.computers.computer import Performed
from proctor.records import Mode, Stop
from proctor.tasks.call import Call
from proctor.tasks.task import Task

_ENDS: dict[Stop, Mode] = {
    "step_limit": "step_limit",
    "time_limit": "time_limit",
    "repetition_limit": "repetition_limit",
    "token_limit": "token_limit",
    "cost_limit": "cost_limit",
    "no_progress": "no_progress",
    "refused": "refused",
    "silent": "silent",
}
Target = tuple[str, str]
"""Role and name of an element; an empty role stands for any."""


def failure_modes(
    task: Task,
    stop: Stop,
    score: float,
    history: Sequence[Performed],
    *,
    crashed: bool,
    parse_errors: int,
    damage: bool,
) -> Iterator[Mode]:
    """Yield every mode of failure that an episode shows; one that passed can only have done damage."""
    if damage:
        yield "collateral"
    if stop == "broke_the_computer":
        yield "broke_the_computer"
    if score >= 1.0:
        return
    if stop in _ENDS:
        yield _ENDS[stop]
    if stop in ("done", "answered"):
        yield "false_finish"
    if stop == "gave_up":
        yield "wrongly_gave_up" if task.tags.feasible else "gave_up"
    if stop == "agent_error":
        yield "agent_crash" if crashed else "parse_error"
    elif parse_errors and stop not in ("refused", "silent"):
        yield "parse_error"
    wanted = set(targets(task.solution))
    if wanted and any(done.action.kind == "click" for done in history):
        # Heuristic, and documented as one: an answer key shows one way of several.
        yield "right_element_wrong_state" if wanted <= set(hits(history, wanted)) else "wrong_element"


def targets(moves: Iterable[Call]) -> Iterator[Target]:
    """Yield the elements that an answer key clicks, as far as it names them."""
    for move in moves:
        if move.name in ("click", "double_click", "right_click", "menu"):
            name = move.arguments.get("name")
            if isinstance(name, str) and name and not name.startswith("/"):
                yield str(move.arguments.get("role") or ""), name


def hits(history: Iterable[Performed], wanted: Iterable[Target]) -> Iterator[Target]:
    """Yield which of some elements were under the pointer of a click."""
    listed = list(wanted)
    for performed in history:
        element = performed.element
        if performed.action.kind == "click" and element is not None:
            for role, name in listed:
                if name.casefold() in element.name.casefold() and role in ("", element.role):
                    yield role, name
