"""The page of task files, from the types of tasks and the shelves of words."""

from __future__ import annotations

import inspect
import json
import types
import typing
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from proctor.field_docs import field_docs
from proctor.suites.words import TITLES, TaskWord, words
from proctor.tasks.call import Call, Kind
from proctor.tasks.task import TaskFields

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "tasks" / "buy-eggs.json"
KINDS: dict[Kind, str] = {
    "setup": "They prepare the computer before the agent starts (`setup`), and finish its work afterwards (`finish`).",
    "probe": "They look at the computer after the agent has ended. A check names the probe that it judges.",
    "check": "They judge what probes saw. A check is a pure function: it can be repeated from the record.",
    "move": "They act like a user: in `solution`, near misses, other ways and cheats.",
}
HEAD = """# Task files

A task is a JSON file. `proctor tasks new mine/my-task` writes one to start from, `proctor tasks lint` checks it,
`proctor tasks prove` proves it. [docs/tasks.md](../tasks.md) explains the ideas. This one is complete:

```json
{example}
```

A word is called by an object with its kind as a key: `{{"setup": "text_file", "path": "notes.txt", "text": "hello"}}`.
Installed packages may add words that are not listed here; `proctor tasks words` lists all words on this machine.

## Fields
"""


def page() -> str:
    """Return the whole page."""
    parts = [HEAD.format(example=EXAMPLE.read_text(encoding="utf-8").strip())]
    parts += map(_table, _models(TaskFields))
    for kind, title in TITLES.items():
        listed = [word for word in words(kind) if word.origin.startswith("proctor.")]
        parts.append(f"\n## {title.capitalize()}\n\n{KINDS[kind]}\n")
        parts += map(_word, listed)
    return "".join(parts)


def _models(kind: type[BaseModel]) -> list[type[BaseModel]]:
    """Return a model and all that its fields hold, each once."""
    found = [kind]
    for each in found:
        for hint in typing.get_type_hints(each).values():
            found += [inner for inner in _inner(hint) if inner not in found]
    return found


def _inner(hint: Any) -> list[type[BaseModel]]:
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return [hint]
    return list(dict.fromkeys(inner for each in typing.get_args(hint) for inner in _inner(each)))


def _word(word: TaskWord) -> str:
    rows = [
        f"| `{each.name}` | {_cell(f'`{each.type}`')} | {_cell(each.default and f'`{each.default}`' or '')} |\n"
        for each in word.arguments
    ]
    table = f"\n| argument | type | default |\n| --- | --- | --- |\n{''.join(rows)}" if rows else ""
    example = json.dumps(word.example, ensure_ascii=False)
    return f"\n### {word.name}\n\n{word.summary}\n{table}\n```json\n{example}\n```\n"


def _table(kind: type[BaseModel]) -> str:
    told, hints = field_docs(kind), typing.get_type_hints(kind)
    title = kind.__name__ if kind is not TaskFields else "Task"
    rows = []
    for name, field in kind.model_fields.items():
        default = "(required)" if field.is_required() else _default(field.get_default(call_default_factory=True))
        rows.append(f"| `{name}` | {_cell(_kind(hints[name]))} | {_cell(default)} | {_cell(told.get(name, ''))} |\n")
    about = " ".join(inspect.cleandoc(kind.__doc__ or "").split())
    return (
        f"\n### {title}\n\n{about}\n\n| field | type | default | meaning |\n| --- | --- | --- | --- |\n{''.join(rows)}"
    )


def _default(value: object) -> str:
    if isinstance(value, BaseModel | Call) or value in ((), "", None, {}):
        return ""
    return f"`{json.dumps(value.to_json() if isinstance(value, Call) else value)}`"


def _kind(hint: Any) -> str:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _kind(inner[0])
    if origin in (typing.Union, types.UnionType):
        return " or ".join(_kind(each) for each in inner if each is not types.NoneType)
    if origin is Literal:
        return "one of " + ", ".join(f"`{json.dumps(each)}`" for each in inner)
    if origin is tuple:
        return f"list of {_kind(inner[0])}" if inner[-1] is Ellipsis else f"{len(inner)} of {_kind(inner[0])}"
    if origin is dict:
        return f"object of {_kind(inner[1])}"
    if hint is Call:
        return "call of a word"
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return f"[{hint.__name__}](#{hint.__name__.lower()})"
    return {str: "text", int: "whole number", float: "number", bool: "true or false"}.get(hint, str(hint))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
