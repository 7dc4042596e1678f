"""Moves with the keyboard, and code where a task is about code."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proctor.actions.action import Language, Press, RunCode, Type
from proctor.errors import SpecError
from proctor.tasks.move_context import MoveContext
from proctor.tasks.shelves import MOVES
from proctor.vocabulary.desktop.where import Where


@MOVES.register
def type(context: MoveContext, text: str) -> None:
    """Type a text where the focus is."""
    context.do(Type(text=text))


@MOVES.register
def type_into(
    context: MoveContext,
    text: str,
    name: str | None = None,
    role: str | None = None,
    app: str | None = None,
    window: str | None = None,
    within: Where | None = None,
    nth: int | None = None,
    clear: bool = True,
) -> None:
    """Click an element and type into it, replacing its content unless specified otherwise."""
    where = Where(role=role, name=name, app=app, window=window, within=within, nth=nth)
    where.on(context.computer).type(text, clear=clear)


@MOVES.register
def press(context: MoveContext, keys: str, times: Annotated[int, Field(ge=1, le=200)] = 1) -> None:
    """Press keys together, such as `ctrl+s`, once or several times."""
    for _ in range(times):
        context.do(Press(keys=keys))


@MOVES.register
def run_code(context: MoveContext, code: str, language: Language = "shell") -> None:
    """Run code as the agent's user; only in tasks about code or terminals.

    Code that fails is a fault of the key.
    """
    performed = context.do(RunCode(code=code, language=language))
    if performed.result is not None and performed.result.error:
        raise SpecError(f"the code ended with {performed.result.error}: {performed.result.output[-300:]}")
