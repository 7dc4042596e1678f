"""A page of composed tasks on which a person says which of them make sense, and what people said."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from proctor.errors import SpecError
from proctor.graphs.compose.assemble import initial_resources
from proctor.graphs.compose.composition import Composition, NodePlan
from proctor.graphs.compose.pool import SubtaskPool
from proctor.graphs.compose.resource import Resource
from proctor.graphs.language.clauses import lone_clause
from proctor.graphs.language.phrases import asks
from proctor.graphs.language.realise import realise

PAGE, TASKS = "index.html", "tasks.jsonl"
MOST_LINES = 12
"""Of longer contents only the beginning is shown."""
_STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}section{border-top:1px solid #999;"
    "padding:1em 0}pre{background:#f3f3f3;padding:.5em;white-space:pre-wrap}textarea{width:100%}"
)
_SCRIPT = """
document.getElementById('save').onclick = () => {
  const by = document.getElementById('by').value.trim();
  const lines = [...document.querySelectorAll('section')].flatMap(section => {
    const said = section.querySelector('input:checked');
    if (!said) return [];
    return [JSON.stringify({task: section.dataset.task, size: Number(section.dataset.size), by,
      sensible: said.value === 'yes', why: section.querySelector('textarea').value.trim()})];
  });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([lines.join('\\n') + '\\n']));
  link.download = 'verdicts-' + (by || 'nobody') + '.jsonl';
  link.click();
};
"""


@dataclass(frozen=True)
class ReviewItem:
    """One task as a person looks at it."""

    id: str
    size: int
    purpose: str
    instruction: str
    graph: tuple[str, ...]
    contents: tuple[tuple[str, str], ...]
    key: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class SenseVerdict:
    """What a person said of a task."""

    task: str
    size: int
    by: str
    sensible: bool
    why: str


def review_item(composition: Composition, pool: SubtaskPool) -> ReviewItem:
    """Return what a person has to see of a composition."""
    goal = pool.goals[composition.goal]
    made = [(node, thing) for node in composition.nodes for thing in node.bound.gives.values()]
    whys = {(part.role, part.subtask): part.why for part in goal.parts}
    lines = []
    for node, thing in made:
        first = sorted(composition.gates.predecessors(node.id))
        after = f" (after {', '.join(first)})" if first else ""
        why = whys.get((thing.word.removeprefix("the "), node.subtask), "")
        lines.append(f"{node.id}{after}: {_clause(node, pool)}{f' – {why}' if why else ''}")
    return ReviewItem(
        id=composition.seed,
        size=len(composition.nodes),
        purpose=composition.purpose,
        instruction=realise(composition, pool.by_name),
        graph=tuple(lines),
        contents=tuple((thing.value, _content(thing)) for thing in initial_resources(composition)),
        key=tuple((thing.value, _content(thing)) for _, thing in made),
    )


def _clause(node: NodePlan, pool: SubtaskPool) -> str:
    subtask = pool[node.subtask]
    return f"[{subtask.app}] {lone_clause(node, asks(subtask)[0])}"


def _content(thing: Resource) -> str:
    held = thing.content
    if not isinstance(held, list | tuple):
        return "" if held is None else str(held)
    lines = [", ".join(map(str, line)) if isinstance(line, list | tuple) else str(line) for line in held]
    return "\n".join([*lines[:MOST_LINES], *(["..."] if len(lines) > MOST_LINES else [])])


def write_review(folder: Path, items: Iterable[ReviewItem]) -> None:
    """Write the page and, for programs, the same as lines."""
    found = list(items)
    told = [{"task": item.id, "size": item.size, "instruction": item.instruction} for item in found]
    (folder / TASKS).write_text("".join(json.dumps(one) + "\n" for one in told), encoding="utf-8")
    (folder / PAGE).write_text(review_page(found), encoding="utf-8")


def review_page(items: Sequence[ReviewItem]) -> str:
    """Return the page, which needs nothing but a browser."""
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>Do these tasks make sense?</title>"
        f"<style>{_STYLE}</style></head><body><h1>Do these tasks make sense?</h1>"
        f"<p>{len(items)} tasks. Would somebody ask for this, and for all of it together? Say so of each, and why not "
        "where you would not. In the end save your verdicts beside this page.</p>"
        "<p><label>Your name <input id='by'></label></p>"
        f"{''.join(_section(number, item) for number, item in enumerate(items, 1))}"
        f"<p><button id='save'>Save verdicts</button></p><script>{_SCRIPT}</script></body></html>"
    )


def _section(number: int, item: ReviewItem) -> str:
    def fold(title: str, things: Sequence[tuple[str, str]]) -> str:
        parts = "".join(f"<dt>{escape(name)}</dt><dd><pre>{escape(held)}</pre></dd>" for name, held in things)
        return f"<details><summary>{title}</summary><dl>{parts}</dl></details>"

    graph = "".join(f"<li>{escape(line)}</li>" for line in item.graph)
    choices = "".join(
        f"<label><input type='radio' name='sensible-{number}' value='{value}'> {text}</label> "
        for value, text in (("yes", "sensible"), ("no", "not sensible"))
    )
    return (
        f"<section data-task='{escape(item.id, quote=True)}' data-size='{item.size}'><h2>{number}</h2>"
        f"<p>{escape(item.instruction)}</p><p><em>{escape(item.purpose)}</em></p><ul>{graph}</ul>"
        f"{fold('What is there', item.contents)}{fold('What comes out', item.key)}"
        f"<p>{choices}</p><p><label>Why <textarea></textarea></label></p></section>"
    )


def read_verdicts(path: Path) -> list[SenseVerdict]:
    """Return what one person said; of a task that is named twice, the last word counts.

    Raises:
        SpecError: The file cannot be read, or a line is no verdict; says which.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(
            f"{path} cannot be read: {error}", remedy="name a file saved from a page of --review"
        ) from error
    found: dict[str, SenseVerdict] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            data = None
        if not _is_verdict(data):
            raise SpecError(f"{path}:{number}: it is no verdict", remedy="save verdicts from a page of --review")
        found[data["task"]] = SenseVerdict(
            data["task"], data["size"], str(data.get("by", "")), data["sensible"], str(data.get("why", ""))
        )
    return list(found.values())


def _is_verdict(data: object) -> bool:
    forms: Mapping[str, type] = {"task": str, "size": int, "sensible": bool}
    return isinstance(data, dict) and all(isinstance(data.get(name), form) for name, form in forms.items())
