"""What the pages are told of a demonstration's versions, as plain data."""

from __future__ import annotations

from proctor.plain_text import printable
from proctor.records import Hit, Saw
from proctor.store.addresses import episode_id, run_id
from proctor.studio.refine.demonstration import OpenDemonstration
from proctor.studio.refine.redo import done_again
from proctor.studio.refine.steps import RefinedStep, State
from proctor.studio.refine.write import find_judge

MOST_LINES = 1_000
"""Versions that a page lists, the newest first."""


def version_data(opened: OpenDemonstration, number: int, *, steps: bool = True) -> dict[str, object]:
    """Return a demonstration with one of its versions."""
    versions, episode = opened.versions, opened.material.demonstration.episode
    state = versions.state(number)
    result = opened.entry.result
    of, after = opened.material.after(state)
    return {
        "run": {"id": opened.run.id, "name": opened.run.name},
        "task": opened.entry.key.task,
        "agent": opened.entry.key.agent,
        "instruction": episode.instruction,
        "size": _size(opened),
        "own": opened.own,
        "outcome": result.outcome if result else "void",
        "version": versions.number,
        "shown": number,
        "undo": len(versions.past),
        "redo": len(versions.future),
        "lines": [
            {"number": line.number, "by": printable(line.by), "at": line.at, "what": printable(line.what)}
            for line in versions.lines[-MOST_LINES:]
        ],
        **({"steps": shown_steps(opened, state), "after": _picture(opened, of, after)} if steps else {}),
    }


def shown_steps(opened: OpenDemonstration, state: State) -> list[dict[str, object]]:
    """Return the steps of a version as a page shows them."""
    return [_step(opened, refined) for refined in state]


def about_again(opened: OpenDemonstration, number: int) -> dict[str, object]:
    """Return what was done again from a demonstration, and whose verdict a version has."""
    state = opened.versions.state(number)
    spliced = {line.edit.get("of"): line.number for line in opened.versions.lines if line.edit.get("do") == "splice"}
    rows = []
    places = []
    for place, folder, about, result in done_again(opened.material):
        places.append(place)
        root = opened.material.home / place.partition("/")[0]
        origin = opened.material.at(place).episode.header.origin
        rows.append(
            {
                "of": place,
                "version": about["version"],
                "kept": about["kept"],
                "only_judged": about.get("only_judged") is True,
                "outcome": result.outcome if result else "void",
                "apart": len(origin.apart) if origin else 0,
                "spliced": spliced.get(place),
                "replay": f"/replay/{run_id(root)}/{episode_id(root, folder)}",
            }
        )
    found = find_judge(opened.material, state, places) if state else None
    result = found[1].episode.result if found else None
    verdict = None if found is None or result is None else {"of": found[0], "passed": result.passed}
    return {"again": rows, "verdict": verdict}


def _step(opened: OpenDemonstration, refined: RefinedStep) -> dict[str, object]:
    step = opened.material.step(refined)
    changed = [name for name in ("action", "element", "thought") if getattr(refined, name) is not None]
    return {
        "id": refined.id,
        "action": step.action,
        "element": _element(step.element),
        "thought": step.thought,
        "instruction": step.instruction,
        "refused": step.refused,
        "picture": _picture(opened, refined.of, step.saw or Saw()),
        "changed": [*changed, *(["instruction"] if refined.instruction else [])],
        "of": refined.of,
    }


def _element(hit: Hit | None) -> dict[str, object] | None:
    if hit is None:
        return None
    texts = {name: getattr(hit, name) for name in ("role", "name", "text", "app", "window")}
    return {**texts, "text": hit.text[:300], "box": list(hit.box) if hit.box else None}


def _picture(opened: OpenDemonstration, of: str, saw: Saw) -> str:
    return f"{opened.pictures(of)}/{saw.screenshot}" if saw.screenshot else ""


def _size(opened: OpenDemonstration) -> list[int]:
    header = opened.material.demonstration.episode.header
    found = header.computer.get("size")
    if isinstance(found, list) and len(found) == 2 and all(type(each) is int and each > 0 for each in found):
        return found
    return list(header.brief.size) if header.brief and header.brief.size else [1280, 720]
