"""AgentNet's JSON lines, and what `proctor data export --format agentnet` wrote.

A line is an episode, a step of it a turn. AgentNet's judgement (`task_completed`) is a model's and not that of a check,
so every task counts as unproven; a line without one is void, because nothing can be said of it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from proctor.actions.action import ON_A_DESKTOP, Action
from proctor.actions.dialects.agentnet import read_code
from proctor.actions.dialects.dialect import Frame
from proctor.errors import AgentError, RecordError, SpecError
from proctor.observations.observation import Observation
from proctor.records import Brief, EpisodeKey, Header, NamedAgent, Result, SetTask, Step, Stop
from proctor.store.bounds import load_json
from proctor.store.episode import EpisodeWriter
from proctor.store.export_parts import whole_text
from proctor.store.import_parts import LeftOut, find_picture, open_picture, picture_size
from proctor.store.import_run import Imported, Trajectories
from proctor.store.run import IMPORTED, RunRecord
from proctor.store.tree import task_text

MAX_LINE = 256 * 1024 * 1024
MAX_STEPS = 10_000
SCORES = ("alignment_score", "efficiency_score", "task_difficulty")
"""What AgentNet says of a whole trajectory in numbers."""
WORDS = ("natural_language_task", "actual_task", "reason")


def read(trajectories: Trajectories, run: RunRecord, found: Imported) -> None:
    """Write an episode for each line of AgentNet's file."""
    reader = _Reader(run, trajectories.images, trajectories.agent, found)
    for number, line in enumerate(_lines(trajectories.file)):
        if number == trajectories.limit:
            break
        reader.take(line)
        trajectories.on_episode()


def _lines(file: Path) -> Iterator[bytes]:
    try:
        with file.open("rb") as opened:
            while line := opened.readline(MAX_LINE + 1):
                if len(line) > MAX_LINE:
                    raise RecordError(f"{file} has a line of more than {MAX_LINE} bytes", remedy="split the file")
                if line.strip():
                    yield line
    except OSError as error:
        raise SpecError(f"{file} cannot be read: {error.strerror}", remedy="name a file of JSON lines") from error


class _Reader:
    def __init__(self, run: RunRecord, images: Path, agent: str, found: Imported) -> None:
        self._run, self._images, self._agent, self._found = run, images, agent, found
        self._seen: Counter[str] = Counter()

    def take(self, line: bytes) -> None:
        """Take one line; why not is counted."""
        try:
            row = _row(line)
            turns = [_Turn.of(step, self._images) for step in row["traj"]]
        except LeftOut as error:
            self._found.left_out[str(error)] += 1
            return
        name = row["task_id"]
        key = EpisodeKey(task=f"agentnet/{name}-v1", agent=self._agent, sample=self._seen[name])
        self._seen[name] += 1
        digest = self._keep_task(key, row)
        self._run.add(self._write(key, digest, row, turns))
        self._found.episodes += 1

    def _keep_task(self, key: EpisodeKey, row: dict[str, Any]) -> str:
        said = {name: row[name] for name in WORDS if isinstance(row.get(name), str)}
        task = {"id": key.task, "instruction": row["instruction"], **({"agentnet": said} if said else {})}
        digest = hashlib.sha256(task_text(task)).hexdigest()
        self._run.keep_task(digest, task)
        return digest

    def _write(self, key: EpisodeKey, digest: str, row: dict[str, Any], turns: list[_Turn]) -> Result:
        instruction = row["instruction"]
        header = Header(
            key=key,
            task=SetTask(id=key.task, digest=digest, instruction=instruction, unproven=True),
            agent=NamedAgent(name=self._agent, label=self._agent),
            brief=Brief(instruction=instruction, actions=ON_A_DESKTOP, size=turns[0].size, max_steps=len(turns)),
            sees=("screenshot",),
        )
        writer = EpisodeWriter.begin(self._run.paths.episode(key), header)
        try:
            steps, said = self._write_steps(writer, turns)
            return writer.finish(_result(key, digest, row, steps, said, len(turns)), None, [])
        finally:
            writer.close()

    def _write_steps(self, writer: EpisodeWriter, turns: list[_Turn]) -> tuple[int, Stop]:
        """Write every step; returns how many acted, and what was said at the end."""
        count, acted, saw = 0, 0, None
        stop: Stop = "step_limit"
        for number, turn in enumerate(turns, start=1):
            saw = replace(writer.see(turn.observation(), number - 1), at=None)
            self._found.unread += bool(turn.problem)
            first = Step(turn=number, saw=saw, reply=turn.said, thought=turn.thought, problem=turn.problem)
            for place, action in enumerate(turn.actions or (None,)):
                step = first if place == 0 else Step(turn=number)
                writer.step(replace(step, step=count, action=action.to_json() if action else None))
                if action is not None:
                    stop = _STOPS.get(action.kind, stop)
                    acted += action.kind not in _STOPS
                count += 1
        # The picture of the last step is what was there at the end, when that step only said so.
        writer.step(Step(step=count, end=True, stop=stop, saw=saw if stop != "step_limit" else None))
        return acted, stop


@dataclass(frozen=True)
class _Turn:
    picture: Path
    size: tuple[int, int]
    thought: str
    said: str
    actions: tuple[Action, ...]
    problem: str

    @classmethod
    def of(cls, step: Any, images: Path) -> _Turn:
        value = step.get("value") if isinstance(step, dict) else None
        if not isinstance(value, dict):
            raise LeftOut("a step has no value")
        path = find_picture(images, _text(step.get("image")))
        size = picture_size(path)
        code, problem, actions = _text(value.get("code")), "", tuple[Action, ...]()
        try:
            actions = read_code(code, Frame(desktop=size, image=size))
        except AgentError as error:
            problem = error.message
        problem = problem or ("" if actions else "the code does nothing")
        said = "\n".join(filter(None, [_text(value.get("action")), code]))
        thought = "\n".join(filter(None, [_text(value.get("observation")), _text(value.get("thought"))]))
        return cls(path, size, thought, said, actions, problem)

    def observation(self) -> Observation:
        # Read again, because all the pictures of a trajectory at once may be gigabytes.
        with open_picture(self.picture) as image:
            return Observation(at=0.0, desktop=self.size, screenshot=image.convert("RGB"))


_STOPS: dict[str, Stop] = {"done": "done", "answer": "answered", "fail": "gave_up"}


def _row(line: bytes) -> dict[str, Any]:
    try:
        row = load_json(line)
    except ValueError as error:
        raise LeftOut("a line is not JSON") from error
    if not isinstance(row, dict) or not isinstance(row.get("traj"), list) or not row["traj"]:
        raise LeftOut("a line has no `traj` with steps")
    if len(row["traj"]) > MAX_STEPS:
        raise LeftOut(f"a trajectory has more than {MAX_STEPS} steps")
    name = row.get("task_id")
    row["task_id"] = str(name) if isinstance(name, int) else _text(name)
    row["instruction"] = _text(row.get("instruction")) or _text(row.get("natural_language_task"))
    for word in WORDS:
        row[word] = _text(row.get(word)) or None
    if not row["task_id"] or not row["instruction"]:
        raise LeftOut("a line has no `task_id` or no `instruction`")
    return row


def _result(key: EpisodeKey, digest: str, row: dict[str, Any], steps: int, stop: Stop, turns: int) -> Result:
    completed = row.get("task_completed")
    score = float(completed) if isinstance(completed, bool) else None
    metrics = {name: float(row[name]) for name in SCORES if type(row.get(name)) in (int, float)}
    void: dict[str, Any] = {"stop": "void", "cause": "spec", "error": "nobody judged it: no `task_completed`"}
    return Result(
        key=key,
        digest=digest,
        unproven=True,
        score=score,
        steps=steps,
        turns=turns,
        acted=steps > 0,
        metrics=metrics,
        collateral_unknown=IMPORTED,
        **(void if score is None else {"stop": stop}),
    )


def _text(value: object) -> str:
    """Return a text without halves of surrogate pairs; nothing for what is no text."""
    return str(whole_text(value)) if isinstance(value, str) else ""
