"""The page of the record, from its types."""

from __future__ import annotations

import dataclasses
import inspect
import textwrap
import types
import typing
from collections.abc import Iterator
from typing import Any, Literal

from proctor import records
from proctor.field_docs import field_docs
from proctor.records import EpisodeKey, Result
from proctor.records.plain import Reshaped, fields_of
from proctor.store import paths

HEAD = """# The record of a run

A run is a folder of plain files: JSON, JSON lines, PNG pictures. `proctor.open_run` reads it from Python:

```python
from proctor import open_run

for episode in open_run("RUN").episodes():  # the last try of each
    print(episode.result.key.task, episode.result.score, episode.header.instruction)
    for step in episode.steps():
        print(step.step, step.kind, step.element and step.element.name)
        picture = step.screenshot  # a PIL image, read on access; None if there is none
```

`episode.turns()` groups steps by turn, `episode.exchanges()` has what models were sent and answered, `episode.verdict`
and `episode.changes` have what was found; `step.tree` and `step.marks` are read on access, like pictures.
`episodes(every_try=True)` includes void tries. [examples/plot_a_run.py](../../examples/plot_a_run.py) makes a plot.

Nothing in a run is trusted: anything missing or of the wrong type is empty, and files outside the run are not read.

## Files

"""

WRITTEN = """
## Fields

Fields at their default are not written. Durations are in seconds, times in seconds since the epoch, coordinates in
desktop pixels. Fields added by a later version are ignored. `run.json`, `episode.json`, `sums.json` and `seal.json`
give the version of the record as `format`; this is version {version}.
"""

FILES = {
    "episode.json": "Header SetTask NamedAgent EpisodeKey Brief Tool Canary Flag Happening Origin Apart Refined",
    "steps.jsonl": "Step Saw SawWindow Told Hit Output Seconds Criticism ModelCall",
    "result.json, and with its hashes each line of index.jsonl": "Result",
    "verdict.json": "RecordedVerdict RecordedFinding",
    "changes.json, a list": "ChangedPath",
}
"""Which types each file holds; the first is the file's own."""

WORDS = {str: "text", int: "whole number", float: "number", bool: "yes or no", object: "anything"}


def page() -> str:
    """Return the whole page."""
    drawing = textwrap.dedent((paths.__doc__ or "").split("\n\n", 1)[1])
    parts = [HEAD, drawing.split("\n\ndocs/reference/record.md")[0], "\n", WRITTEN.format(version=paths.FORMAT)]
    for file, kinds in FILES.items():
        parts.append(f"\n### {file}\n")
        parts += [table(getattr(records, kind)) for kind in kinds.split()]
    return "".join(parts)


def table(kind: type) -> str:
    """Return the fields of a type as a table, with what is said of it."""
    told = _texts_of_fields(kind)
    hints = typing.get_type_hints(kind) | (typing.get_type_hints(EpisodeKey) if kind is Result else {})
    rows = [
        f"| `{field.name}` | {_kind(hints[field.name])} | {told.get(field.name, '')} |\n" for field in _fields(kind)
    ]
    first = " ".join(inspect.cleandoc(kind.__doc__ or "").split())
    told_of_older = " ".join(inspect.cleandoc(kind.older.__doc__ or "").split()) if isinstance(kind, Reshaped) else ""
    older = f"\nIn older records: {told_of_older}\n" if told_of_older else ""
    return (
        f"\n#### {kind.__name__}\n\n{first}\n{older}\n| field | kind | meaning |\n| --- | --- | --- |\n{''.join(rows)}"
    )


def _fields(kind: type) -> Iterator[dataclasses.Field[object]]:
    """Yield the fields that are written; those of the key stand in the line of a result itself."""
    for field in fields_of(kind):
        if kind is Result and field.name == "key":
            yield from fields_of(EpisodeKey)
        else:
            yield field


def _kind(hint: Any) -> str:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if dataclasses.is_dataclass(hint):
        name = typing.cast(type, hint).__name__
        return f"[{name}](#{name.lower()})"
    if origin in (typing.Union, types.UnionType):
        return next(_kind(argument) for argument in arguments if argument is not type(None))
    if origin is Literal:
        return "one of " + ", ".join(f"`{choice}`" for choice in arguments)
    if origin is frozenset:
        return f"list of {_kind(arguments[0])}"
    if origin is tuple:
        return f"list of {_kind(arguments[0])}" + ("" if arguments[-1] is Ellipsis else f", {len(arguments)} of them")
    if origin is dict:
        return f"object of {_kind(arguments[1])}"
    return WORDS[hint]


def _texts_of_fields(kind: type) -> dict[str, str]:
    """Return what the text below each field of a type says of it, for a table."""
    found = field_docs(kind) | (field_docs(EpisodeKey) if kind is Result else {})
    return {name: text.replace("|", "\\|") for name, text in found.items()}
