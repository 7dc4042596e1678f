"""ATIF 1.8, as Harbor and its viewers read it, pictures next to the JSON.

A folder for each episode:

    <agent>/<task>/<seed>-<sample>-<paraphrase>/<retry>/trajectory.json
    <agent>/<task>/<seed>-<sample>-<paraphrase>/<retry>/images/0000.png ...

Of several runs each has a folder of its own around this. The first step is the user's: the instruction and the first
picture. Each turn of the agent is a step with its actions as calls, and what was seen after each as the call's result.
ATIF has no place for a verdict, so that, and all else that only we know, is in `extra`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from proctor.records import ModelCall, Saw, Step, plain
from proctor.store.collection import Recorded
from proctor.store.export_parts import PictureCopies, about_people, moment, whole_text
from proctor.store.exports.atif.calls import call_of
from proctor.store.files import write_new
from proctor.store.read import RecordedTurn

SCHEMA = "ATIF-v1.8"
_OF_A_STEP = (
    "refused",
    "trouble",
    "broke",
    "settled",
    "verified",
    "stale",
    "nodes",
    "problem",
    "instruction",
    "meant",
    "by",
)
"""What a record says of a step and ATIF has no field for."""


def write(recorded: Iterator[Recorded], out: Path) -> None:
    """Write a folder for each episode."""
    for item in recorded:
        folder = _folder(item, out)
        (folder / "images").mkdir(parents=True)
        text = json.dumps(whole_text(_trajectory(item, _Pictures(item.episode, folder, "images"))), allow_nan=False)
        write_new(str(folder), "trajectory.json", text.encode("ascii"))


def _folder(item: Recorded, out: Path) -> Path:
    """Return where an episode is written: as in its run, in a folder per run if several."""
    place = out / item.within if item.within else out
    return place.joinpath(*item.result.folder.split("/")[1:])


class _Pictures(PictureCopies):
    def parts(self, saw: Saw | None) -> list[dict[str, Any]]:
        """Return what was on the screen as a part of a message; nothing where there is no picture."""
        if saw is None or not saw.screenshot:
            return []
        return [{"type": "image", "source": {"media_type": "image/png", "path": self.place(saw.screenshot)}}]


def _trajectory(item: Recorded, pictures: _Pictures) -> dict[str, object]:
    episode, result = item.episode, item.result
    agent, brief = episode.header.agent, episode.header.brief
    turns = list(episode.turns())
    end = next((step.saw for step in episode.steps() if step.end), None)
    after = [*(turn.saw for turn in turns[1:]), end]
    first = turns[0].saw if turns else end
    steps: list[dict[str, object]] = [
        {
            "source": "user",
            "message": [_text(episode.instruction), *pictures.parts(first)],
            "timestamp": moment(episode.header.started),
            "extra": {"notes": brief.notes if brief else "", "desktop": list(brief.size) if brief else []},
        }
    ]
    steps += [_agent_step(turn, seen, pictures) for turn, seen in zip(turns, after, strict=False)]
    calls = [call for turn in turns for call in turn.steps[0].calls]
    told = {"result": result.to_json(), **about_people(item)}
    options = agent.options if agent else {}
    return _without_nothing(
        {
            "schema_version": SCHEMA,
            "session_id": item.run.root,
            "trajectory_id": item.place,
            "agent": _without_nothing(
                {
                    "name": agent.name if agent and agent.name else "unknown",
                    "version": str(item.run.config.get("proctor") or "unknown"),
                    "model_name": options.get("model"),
                    "extra": {"label": result.key.agent, "options": options, "shown": list(episode.header.view)},
                }
            ),
            "steps": [_without_nothing({"step_id": number, **step}) for number, step in enumerate(steps, start=1)],
            "notes": f"void: {result.cause}: {result.error}" if result.void else None,
            "final_metrics": {
                **{f"total_{name}": amount for name, amount in _used(calls).items() if name != "extra"},
                "total_steps": len(steps),
                "extra": {"actions": result.steps, "turns": result.turns, "seconds": result.seconds},
            },
            "extra": {"proctor": {"score": result.score, "passed": result.passed, **told}},
        }
    )


def _agent_step(turn: RecordedTurn, after: Saw | None, pictures: _Pictures) -> dict[str, object]:
    first = turn.steps[0]
    calls, results = [], []
    for place, step in enumerate(turn.steps):
        seen = turn.steps[place + 1].saw if place + 1 < len(turn.steps) else after
        said = [_text(words) for words in _came_of(step)]
        said += [_text(f"{told.kind}: {told.text}") for told in (seen.told if seen else ())]
        named = None
        if step.action is not None:
            named = f"call_{step.turn}_{place}"
            function, arguments = call_of(step.action)
            about = _without_nothing({"action": step.action, "element": plain(step.element)} | _of_a_step(step))
            calls.append({"tool_call_id": named, "function_name": function, "arguments": arguments, "extra": about})
        if content := [*said, *pictures.parts(seen)]:
            results.append(_without_nothing({"source_call_id": named, "content": content}))
    asked = first.calls
    unknown = not asked and bool(first.reply or first.thought)
    return {
        "source": "agent",
        "message": first.reply,
        "timestamp": moment(first.at),
        "reasoning_content": first.thought or None,
        "tool_calls": calls or None,
        "observation": {"results": results} if results else None,
        # A turn that asked no model has neither figures nor reasoning; of old records it is not known.
        "llm_call_count": None if unknown else len(asked),
        "metrics": _used(asked) if asked else None,
        "extra": _of_a_step(first) or None,
    }


def _came_of(step: Step) -> Iterator[str]:
    if step.output:
        yield from filter(None, [step.output.text, step.output.error])
    yield from filter(None, [step.problem, step.refused, step.trouble, step.broke])


def _of_a_step(step: Step) -> dict[str, object]:
    found = {name: plain(getattr(step, name)) for name in _OF_A_STEP}
    return {name: value for name, value in found.items() if value not in ("", None, [])}


def _used(calls: Sequence[ModelCall]) -> dict[str, object]:
    costs = [call.cost_usd for call in calls]
    known = sum(cost for cost in costs if cost is not None) if None not in costs else None
    return _without_nothing(
        {
            "prompt_tokens": sum(call.input_tokens for call in calls),
            "completion_tokens": sum(call.output_tokens for call in calls),
            "cached_tokens": sum(call.cached_tokens for call in calls),
            "cost_usd": known,
            "extra": {
                "reasoning_tokens": sum(call.reasoning_tokens for call in calls),
                "cache_write_tokens": sum(call.cache_write_tokens for call in calls),
            },
        }
    )


def _text(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


def _without_nothing(data: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in data.items() if value is not None}
