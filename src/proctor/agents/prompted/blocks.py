"""Fenced blocks of a reply, and the code among them as actions."""

from __future__ import annotations

from proctor.actions.action import Action, Language, RunCode
from proctor.actions.dialects.dialect import Dialect, Frame, Reading
from proctor.actions.dialects.reply import MAX_REPLY, take_apart
from proctor.actions.dialects.translation import complaint, raw_form
from proctor.errors import AgentError

LANGUAGES: dict[str, Language] = {
    "python": "python", "python3": "python", "py": "python",
    "shell": "shell", "bash": "shell", "sh": "shell", "zsh": "shell", "console": "shell",
}  # fmt: skip
"""What models write after the fence, and what it is run as."""


def read_blocks(reply: str, dialect: Dialect, frame: Frame, *, timeout: float, cut: bool = False) -> Reading:
    """Return the actions of a reply, blocks of code and of JSON, or only the problem.

    Without any block, all of it is read in the dialect. Of a reply that was cut, half a program is not run.
    """
    parts = take_apart(reply[:MAX_REPLY])
    if not parts.fences or len(reply) > MAX_REPLY:
        return dialect.read(reply, frame)
    unclosed = len(parts.fences) - 1 if reply.count("```") % 2 else None
    actions: list[Action] = []
    problem = ""
    for place, block in enumerate(parts.fences):
        if cut and place == unclosed:
            problem = "the last block was cut off and not run"
        elif block.label in ("", "json"):
            reading = dialect.read(f"```json\n{block.body}\n```", frame)
            actions += reading.actions
            problem = reading.problem
        elif block.label in LANGUAGES:
            try:
                language = LANGUAGES[block.label]
                actions.append(
                    RunCode(code=block.body, language=language, timeout_sec=timeout, given=raw_form(block.body))
                )
            except AgentError as error:
                problem = complaint(error)
        else:
            problem = f"a block begins with ```{block.label[:20]}; write python, sh or json there"
        if problem:
            break
    thought = "\n".join(filter(None, [parts.thinking, parts.prose]))
    return Reading(actions=() if problem else tuple(actions), problem=problem, thought=thought)
