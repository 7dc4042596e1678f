"""OSWorld's results: `<action_space>/<observation_type>/<model>/<domain>/<example_id>/`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from proctor.records import Saw, Step
from proctor.store.collection import Recorded
from proctor.store.export_parts import about_people, about_step
from proctor.store.files import write_new
from proctor.store.paths import folder_name
from proctor.store.read import RecordedEpisode, RecordedTurn

OBSERVATIONS = {
    ("screenshot",): "screenshot",
    ("tree",): "a11y_tree",
    ("screenshot", "tree"): "screenshot_a11y_tree",
    ("marks",): "som",
    (): "nothing",
}
"""OSWorld's names for what an agent is shown; the last is ours, for agents that are shown nothing of the screen."""
WORDS = {"done": "DONE", "fail": "FAIL", "wait": "WAIT"}


def write(recorded: Iterator[Recorded], out: Path) -> None:
    """Write a folder for each episode."""
    for item in recorded:
        folder = _place(item, out / "results")
        folder.mkdir(parents=True)
        _write_episode(item, str(folder))


def _place(item: Recorded, results: Path) -> Path:
    header = item.episode.header
    options = header.agent.options if header.agent else {}
    space = folder_name(options.get("dialect") or "proctor")
    shown = tuple(part for part in header.view if part in ("screenshot", "tree", "marks"))
    observation = OBSERVATIONS.get(shown, "som")
    apps = item.result.apps
    domain = folder_name(apps[0]) if len(apps) == 1 else "multi_apps"
    key = item.result.key
    case = (key.seed, key.sample, key.paraphrase)
    tail = Path(domain, folder_name(key.task) + (f".{'-'.join(map(str, case))}" if any(case) else ""))
    label = folder_name(item.result.key.agent)
    place = results / space / observation / (folder_name(options["model"]) if options.get("model") else label)
    # Agents that differ in other options than these would share a folder.
    found = place / tail if not (place / tail).exists() else place.with_name(label) / tail
    # Of several runs that hold the same episode the first has the usual folder.
    return found if not found.exists() else found.with_name(f"{found.name}.{item.within}")


def _write_episode(item: Recorded, folder: str) -> None:
    result, episode = item.result, item.episode
    turns = list(episode.turns())
    end = [step.saw or Saw() for step in episode.steps() if step.end]
    seen = [turn.saw for turn in turns] + end
    lines: list[dict[str, object]] = []
    if seen:
        _copy(episode, seen[0], folder, f"step_0_{_stamp(seen[0].at)}.png")
    for number, turn in enumerate(turns, start=1):
        after = seen[number] if number < len(seen) else Saw()
        picture = f"step_{number}_{_stamp(turn.steps[-1].at)}.png"
        shown = _copy(episode, after, folder, picture)
        lines += _lines(number, turn, picture if shown else None)
    if result.void:
        lines.append({"Error": f"{result.cause}: {result.error}"})
    elif lines:
        lines[-1]["done"] = True
    write_new(folder, "traj.jsonl", "".join(f"{json.dumps(line)}\n" for line in lines).encode())
    if result.score is not None:
        write_new(folder, "result.txt", f"{result.score}\n".encode())
    if people := about_people(item):
        write_new(folder, "people.json", json.dumps(people, indent=1).encode())
    if result.level:
        write_new(folder, "level.txt", f"l{result.level}\n".encode())


def _lines(number: int, turn: RecordedTurn, picture: str | None) -> Iterator[dict[str, object]]:
    for step in turn.steps:
        if step.action is None:
            continue
        action, kind = step.action, step.kind
        given = action.get("given")
        yield {
            "step_num": number,
            "action_timestamp": _stamp(step.at),
            "action": WORDS.get(kind) or (isinstance(given, dict) and given.get("text")) or action,
            "reward": 0,
            "done": kind in ("done", "fail", "answer") and not step.refused,
            "info": {kind: True} if kind in ("done", "fail") else {},
            "screenshot_file": picture,
            **({"proctor": about} if (about := _about(step)) else {}),
        }


def _about(step: Step) -> dict[str, object]:
    thought = {"thought": step.thought} if step.thought and not step.reply else {}
    return {**thought, **about_step(step)}


def _copy(episode: RecordedEpisode, saw: Saw, folder: str, name: str) -> bool:
    if not saw.screenshot:
        return False
    write_new(folder, name, episode.picture(saw.screenshot))
    return True


def _stamp(at: Any) -> str:
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y%m%d@%H%M%S")
    except (TypeError, ValueError, OverflowError, OSError):
        return "unknown"
