"""AgentNet's trajectories for training, of episodes that passed.

A line for each episode, a step for each action with the picture before it:

    {"task_id": "core/wave-v1#0", "instruction": "...", "task_completed": true, "traj": [
        {"index": 0, "image": "000000/0000.png",
         "value": {"observation": "", "thought": "...", "action": "...", "code": "pyautogui.click(x=0.5, y=0.2)"}}],
     "proctor": {"episode", "task", "agent", "score", "seed"}}

`image` is relative to the folder `images`. What people say of an episode and of its steps is in their `proctor` too:
`person`, `refined` and `reviews`; of a step `instruction` (what it is for), `meant` (what was there before a person
corrected it) and `by` (who acted). What AgentNet has a model judge (`last_step_correct`, `alignment_score` and their
like) nobody judged here, so it is left out; `task_completed` is the verdict of the checks.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from proctor.actions.action import from_json
from proctor.actions.dialects.agentnet import write_code
from proctor.actions.dialects.dialect import Frame
from proctor.errors import AgentError
from proctor.records import Step
from proctor.store.collection import Recorded
from proctor.store.export import take_passed
from proctor.store.export_parts import PictureCopies, about_people, about_step

NO_WORD = "{count} actions have no word in AgentNet's code and are left out, each with its step: {kinds}"
NO_STEPS = "{count} episodes have no step that can be written, and no line"


takes = take_passed


def write(recorded: Iterator[Recorded], out: Path) -> list[str]:
    """Write `agentnet.jsonl` and the pictures it names; returns remarks."""
    unwritten: Counter[str] = Counter()
    empty = 0
    with (out / "agentnet.jsonl").open("w", encoding="ascii") as file:
        for number, item in enumerate(recorded):
            steps = list(_steps(item, out / "images", f"{number:06d}", unwritten))
            if not steps:
                empty += 1
                continue
            file.write(f"{json.dumps(_row(item, steps), allow_nan=False)}\n")
    kinds = ", ".join(sorted(unwritten))
    remarks = [NO_WORD.format(count=unwritten.total(), kinds=kinds)] if unwritten else []
    return remarks + ([NO_STEPS.format(count=empty)] if empty else [])


def _row(item: Recorded, steps: list[dict[str, object]]) -> dict[str, object]:
    result, key = item.result, item.result.key
    case = "-".join(map(str, (key.seed, key.sample, key.paraphrase)))
    own = {"episode": item.place, "task": key.task, "agent": key.agent, "score": result.score, "seed": key.seed}
    return {
        "task_id": f"{key.task}#{case}",
        "instruction": item.episode.instruction,
        "task_completed": result.passed,
        "traj": steps,
        "proctor": {**own, **about_people(item)},
    }


def _steps(item: Recorded, images: Path, folder: str, unwritten: Counter[str]) -> Iterator[dict[str, object]]:
    brief = item.episode.header.brief
    size = brief.size if brief and all(brief.size) else None
    pictures = PictureCopies(item.episode, images, folder)
    index, shown = 0, ""
    for step in item.episode.steps():
        shown = step.saw.screenshot if step.saw and step.saw.screenshot else shown
        # What was not carried out did not lead from this picture to the next.
        if step.action is None or step.refused or not shown:
            continue
        if size is None:
            size = _size_of(item, shown)
        try:
            code = write_code(from_json(step.action), Frame(desktop=size, image=size))
        except AgentError:
            unwritten[step.kind] += 1
            continue
        value = {"observation": "", "thought": step.thought or step.reply, "action": _words(step), "code": code}
        own = about_step(step)
        yield {"index": index, "image": pictures.place(shown), "value": value, **({"proctor": own} if own else {})}
        index += 1


def _size_of(item: Recorded, name: str) -> tuple[int, int]:
    """Return the size of a PNG, for records that do not say how large the desktop was."""
    head = item.episode.picture(name)[16:24]
    return int.from_bytes(head[:4], "big") or 1, int.from_bytes(head[4:], "big") or 1


def _words(step: Step) -> str:
    action, element = step.action or {}, step.element
    kind = step.kind.replace("_", " ").capitalize()
    if step.kind in ("type", "answer"):
        return f"{kind} {action.get('text')!r}."
    if step.kind in ("press", "key_down", "key_up"):
        return f"{kind} {action.get('keys') or action.get('key')}."
    if element and (name := element.name or element.text.partition("\n")[0]):
        where = f" in {element.window!r}" if element.window else ""
        return f"{kind} the {element.role or 'element'} {name[:100]!r}{where}."
    return f"{kind}."
