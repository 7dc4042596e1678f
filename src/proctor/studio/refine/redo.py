"""Doing a demonstration again from a step on: a person goes on from what is repeated."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from proctor.actions.action import Done, SignalAction, from_json
from proctor.errors import ProctorError, RecordError, SpecError
from proctor.plain_text import printable
from proctor.records import Result, Step
from proctor.runner.origin import is_repeatable
from proctor.runner.plan_record import recall
from proctor.store.account import read_account
from proctor.store.paths import RunPaths, run_of
from proctor.store.read import open_episode
from proctor.store.run import RunRecord
from proctor.studio.record.desk import Again, Desk
from proctor.studio.refine.edits import splice_lines
from proctor.studio.refine.log import Refinements, Versions
from proctor.studio.refine.material import Material
from proctor.studio.refine.write import write_out
from proctor.studio.studio import Studio
from proctor.tasks.load import task_from_json
from proctor.tasks.task import Task

KEPT = ("done", "answered", "gave_up")
"""How an episode ends whose person meant it to be kept."""
LAST_WORDS = ("done", "answer", "fail")


def task_of(material: Material) -> tuple[Task, Path | None, str, str]:
    """Return a demonstration's task, its folder of files, the suite's name and the computer."""
    record = RunRecord.open(run_of(material.folder))
    plan = recall(record)
    header = material.demonstration.episode.header
    if header.task is None:
        raise RecordError(f"{material.folder} names no task", remedy="see `proctor runs verify`")
    task = task_from_json(json.loads(record.task(header.task.digest)))
    return task, plan.assets, plan.suite, plan.rules.backend


def desk_for(
    studio: Studio,
    material: Material,
    log: Refinements,
    versions: Versions,
    keep: int,
    *,
    person: str,
    visitor: str,
    back: str,
    only_judge: bool = False,
) -> tuple[Desk, str]:
    """Return a desk that repeats the first steps of the newest version, and its computer.

    What comes of it is saved in `log` as a new version. With `only_judge` nobody goes on: the version's own last word
    ends it, and what came of it is judged.
    """
    state = versions.now
    if not 0 <= keep <= len(state):
        raise SpecError(f"this version has {len(state)} steps, not {keep}", remedy="load it again")
    steps = material.steps(state)
    if any(step.kind in LAST_WORDS for step in steps[:keep]):
        raise SpecError(
            "the steps to repeat include the end of the episode", remedy="redo from that step, or delete it"
        )
    actions = sum(is_repeatable(step) for step in steps[:keep])
    origin = _origin(studio, material, log, versions, keep, actions)
    task, assets, suite, computer = task_of(material)
    about = {"episode": material.place(material.folder), "version": versions.number, "kept": keep}
    if only_judge:
        about["only_judged"] = True
    again = Again(
        episode=origin,
        actions=actions,
        about=about,
        back=back,
        says=_last_word(steps[keep:]) if only_judge else None,
        over=lambda desk: _over(desk, material, log),
    )
    made = Desk(person=person, visitor=visitor, task=task, kind="record", suite=suite, assets=assets, again=again)
    return made, computer


def _last_word(steps: Sequence[Step]) -> SignalAction:
    said = next((from_json(step.action) for step in steps if step.action), Done())
    return said if isinstance(said, SignalAction) else Done()


def _origin(studio: Studio, material: Material, log: Refinements, versions: Versions, keep: int, actions: int) -> Path:
    """Return a recording that begins with the steps to repeat: the demonstration or a version of it."""
    steps = [step for step in material.steps(versions.now[:keep]) if is_repeatable(step)]
    recorded = [step for step in material.demonstration.lines if is_repeatable(step)][:actions]
    if [step.action for step in steps] == [step.action for step in recorded]:
        return material.folder
    # Apart from what people write out, which may have a verdict once this was performed.
    out = studio.folder / "origins" / written_place(studio, material, versions.number).name
    if not out.exists():
        return write_out(material, versions, versions.number, out, sums=log.sums)
    return out / next(RunRecord.open(out).results()).folder


def written_place(studio: Studio, material: Material, number: int) -> Path:
    """Return where a version is written out, unless it has got a verdict since."""
    return studio.refined_runs / f"{run_of(material.folder).name}-v{number}"


def _over(desk: Desk, material: Material, log: Refinements) -> None:
    """Splice in what was recorded, where the person ended it; the desk's page says what goes wrong."""
    result = desk.result
    if result is None or desk.folder is None or result.void or result.stop not in KEPT:
        return
    try:
        if not desk.again or not desk.again.about.get("only_judged"):
            splice(material, log, desk.folder, person=desk.person)
    except ProctorError as error:
        desk.trouble = printable(f"It was recorded, and not spliced in: {error}")


def splice(material: Material, log: Refinements, folder: Path, *, person: str, seen: int | None = None) -> int:
    """Make a version that goes on with a recording after what was repeated; return its number."""
    about = again_of(folder)
    if about is None or about["episode"] != material.place(material.folder):
        raise RecordError(f"{folder} was not redone from this demonstration", remedy="choose another")
    versions = log.read()
    of = material.place(folder)
    base = versions.state(about["version"])
    made = splice_lines(base, about["kept"], of, own_lines(material, of))
    edit = {"do": "splice", "of": of, "from": about["version"], "kept": about["kept"]}
    return log.save(versions.number if seen is None else seen, made, edit, by=person)


def own_lines(material: Material, of: str) -> list[int]:
    """Return the lines of a recording that its person did, after what was repeated."""
    return [line for line, step in enumerate(material.at(of).lines) if not step.repeated]


def again_of(folder: Path) -> dict[str, Any] | None:
    """Return of what a recording was done again; None where it was not."""
    found = read_account(folder).get("again")
    if not isinstance(found, dict) or not isinstance(found.get("episode"), str):
        return None
    numbers = all(type(found.get(name)) is int and found[name] >= 0 for name in ("version", "kept"))
    return found if numbers else None


def done_again(material: Material) -> Iterator[tuple[str, Path, dict[str, Any], Result | None]]:
    """Yield what was done again from a demonstration: place, folder, of what, result."""
    wanted = material.place(material.folder)
    for root in sorted(material.home.iterdir()):
        if root == run_of(material.folder) or not RunPaths(root).run.is_file() or root.is_symlink():
            continue
        try:
            results = list(RunRecord.open(root).results())
            for result in results:
                folder = RunPaths(root).at(result.folder) if result.folder else root
                about = again_of(folder)
                if about is not None and about["episode"] == wanted:
                    yield material.place(folder), folder, about, open_episode(folder).result
        except RecordError:
            continue  # it is damaged, which `proctor runs verify` tells


def places_done_again(material: Material) -> list[str]:
    """Return the places of recordings that were done again from a demonstration, for their verdicts."""
    return [place for place, *_ in done_again(material)]
