"""A version written out as an ordinary record: a run of one episode."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from proctor.errors import RecordError, SpecError
from proctor.records import EpisodeKey, Refined, Result, Saw, Step
from proctor.runner.plan_record import begin, recall
from proctor.store.account import ACCOUNT, read_account
from proctor.store.episode import EpisodeWriter
from proctor.store.files import disk_trouble, plain_json, read_whole, write_whole
from proctor.store.paths import run_of
from proctor.store.read import MAX_PICTURE, RecordedEpisode
from proctor.store.run import RunRecord
from proctor.studio.refine.log import Versions
from proctor.studio.refine.material import DemonstrationRecord, Material
from proctor.studio.refine.split import effective
from proctor.studio.refine.steps import State
from proctor.version import VERSION
from proctor.web.files import read_object

UNPERFORMED = "its actions were edited, and have not been performed in this form"
_FILES = ("screenshot", "tree", "marks", "marked", "clip")
"""What a step may name that lies in a file of its own."""
_STOPS = {"done": "done", "answer": "answered", "fail": "gave_up"}


def write_out(
    material: Material, versions: Versions, number: int, out: Path, *, sums: str, tried: Iterable[str] = ()
) -> Path:
    """Write a version as a run of one episode into a new folder; return that of the episode.

    It has a verdict where a recording has the same actions: the demonstration, one that was spliced in, or one of
    `tried`, by their places. Otherwise it is void, because nobody knows what the edited actions would bring about.
    """
    if os.path.lexists(out):
        raise SpecError(f"{out} exists already", remedy="name a folder that does not exist yet")
    state = versions.state(number)
    if not state:
        raise SpecError(f"version {number} has no steps", remedy="undo something, or choose another version")
    judge = find_judge(material, state, tried)
    refined = Refined(
        episode=material.place(material.folder),
        sums=sums,
        version=number,
        by=versions.line(number).by,
        parts=tuple(dict.fromkeys(step.of for step in state if step.of)),
        judged=judge[0] if judge else "",
    )
    part = out.absolute().with_name(f".{out.name}.part-{os.getpid()}")
    try:
        with _run(material, part) as run:
            run.add(_write(material, state, run, refined, judge[1] if judge else None))
            run.seal()
        with disk_trouble(out):
            part.rename(out)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    result = next(RunRecord.open(out).results())
    return out / result.folder


def find_judge(material: Material, state: State, tried: Iterable[str] = ()) -> tuple[str, DemonstrationRecord] | None:
    """Return the recording in which just the actions of a version were judged, with its place."""
    wanted = effective([step.action for step in material.steps(state) if step.action and not step.refused])
    for of in dict.fromkeys(["", *(step.of for step in state), *tried]):
        try:
            recording = material.at(of)
            result = recording.episode.result
        except RecordError:
            continue  # it is gone; another may still be there
        acted = [step.action for step in recording.lines if step.action and not step.refused]
        if result is not None and not result.void and effective(acted) == wanted:
            return material.place(recording.episode.folder), recording
    return None


def _run(material: Material, folder: Path) -> RunRecord:
    source = RunRecord.open(run_of(material.folder))
    header = material.demonstration.episode.header
    task = header.task
    try:
        whole = recall(source)
    except RecordError:
        run = RunRecord.create(folder, {"proctor": VERSION, "refined": True})  # it was imported, and has no plan
        if task and task.digest and source.paths.task(task.digest).is_file():
            run.keep_task(task.digest, json.loads(source.task(task.digest)))
        return run
    chosen = [one for one in whole.tasks if task and (one.id, one.seed) == (task.id, task.seed or 0)]
    agents = [agent for agent in whole.agents if header.agent and agent.label == header.agent.label]
    if not chosen or not agents:
        raise RecordError(f"{material.folder} is not of its run's plan", remedy="see `proctor runs verify`")
    paraphrases = bool(header.key and header.key.paraphrase)
    rules = replace(whole.rules, origin="", origin_actions=0)
    plan = replace(
        whole,
        tasks=tuple(chosen[:1]),
        agents=tuple(agents[:1]),
        samples=1,
        paraphrases=paraphrases,
        unfit=(),
        rules=rules,
    )
    images = source.config.get("images")
    return begin(plan, folder, images=images if isinstance(images, dict) else {})


def _write(
    material: Material, state: State, run: RunRecord, refined: Refined, judge: DemonstrationRecord | None
) -> Result:
    episode = material.demonstration.episode
    header, result = episode.header, episode.result
    if header.key is None or result is None:
        raise RecordError(f"{material.folder} does not say which episode it is", remedy="see `proctor runs verify`")
    key = replace(header.key, sample=0)
    anew = replace(header, key=key, retry=0, refined=refined, origin=None, canaries=(), flags=(), critic=(), trouble=())
    writer = EpisodeWriter.begin(run.paths.episode(key), anew)
    try:
        files = _Files(writer.folder)
        steps = material.steps(state)
        for number, (source, step) in enumerate(zip(state, steps, strict=True)):
            recording = material.at(source.of)
            saw = files.keep(recording.episode, step.saw or Saw())
            recorded = recording.lines[source.line].action
            meant = step.meant if recorded == step.action else recorded
            writer.step(replace(step, step=number, turn=number + 1, saw=saw, meant=meant, repeated=False, calls=()))
        of, seen = material.after(state)
        verdict = read_object(judge.episode.folder / "verdict.json") if judge else None
        made = _result(result, judge, steps, key)
        last = files.keep(material.at(of).episode, seen)
        writer.step(Step(step=len(steps), end=True, stop=made.stop, saw=replace(last, told=())))
        human = read_account(episode.folder)
        if human:
            write_whole(
                writer.folder, ACCOUNT, plain_json({**human, "version": refined.version, "refined_by": refined.by})
            )
        return writer.finish(made, verdict, judge.episode.changes if judge else ())
    finally:
        writer.close()


def _result(result: Result, judge: DemonstrationRecord | None, steps: Sequence[Step], key: EpisodeKey) -> Result:
    acts = [step for step in steps if step.action and not step.refused]
    performed = sum(step.kind not in _STOPS for step in acts)
    common: dict[str, Any] = {
        "key": key,
        "retry": 0,
        "folder": "",
        "steps": performed,
        "turns": len(steps),
        "acted": performed > 0,
    }
    if judge is None or judge.episode.result is None:
        # Nothing of the verdict on other actions is kept.
        void: dict[str, Any] = {"stop": "void", "cause": "spec", "error": UNPERFORMED, "score": None, "modes": ()}
        return replace(result, **common, **void, collateral={}, flags={})
    found = judge.episode.result
    return replace(
        result, **common, stop=found.stop, cause=None, error=found.error, score=found.score,
        modes=found.modes, collateral=found.collateral, collateral_unknown=found.collateral_unknown, flags=found.flags,
    )  # fmt: skip


class _Files:
    """Copies what steps name into the new episode's folder, each file once, numbered anew."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._copied: dict[Path, str] = {}

    def keep(self, episode: RecordedEpisode, saw: Saw) -> Saw:
        named = {field: getattr(saw, field) for field in _FILES if getattr(saw, field)}
        copied: dict[str, Any] = {field: self._copy(episode, name) for field, name in named.items()}
        return replace(saw, **copied)

    def _copy(self, episode: RecordedEpisode, name: str) -> str:
        source = episode.folder / name
        if source not in self._copied:
            data = episode.picture(name) if name.endswith((".png", ".webp")) else read_whole(source, MAX_PICTURE)
            stem, _, ending = name.partition(".")
            number = len(self._copied)
            if not stem.isdecimal() or "/" in name:
                raise RecordError(
                    f"{str(source)[:200]!r} is not a file of a record", remedy="see `proctor runs verify`"
                )
            made = f"{number:04d}.{ending}"
            write_whole(self._folder, made, data)
            self._copied[source] = made
        return self._copied[source]
