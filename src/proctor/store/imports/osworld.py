"""OSWorld's folders of results, and what `proctor data export --format osworld` wrote.

A folder with a `traj.jsonl` is an episode, named by the folders around it: action space, observations, model, domain,
and example. Without a `result.txt` it is void, as OSWorld leaves it out. What a task asks for is read from its file, if
`examples/DOMAIN/ID.json` lies beside the results, which do not hold it.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from proctor.actions.action import ON_A_DESKTOP, Action, Wait, from_json
from proctor.actions.dialects import open_dialect
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.reply import special
from proctor.errors import AgentError, SpecError
from proctor.observations.observation import Observation
from proctor.records import Brief, EpisodeKey, Header, NamedAgent, Result, Saw, SetTask, Step, Stop
from proctor.store.bounds import load_json
from proctor.store.episode import EpisodeWriter
from proctor.store.export_parts import whole_text
from proctor.store.import_parts import LeftOut, find_picture, open_picture, picture_size
from proctor.store.import_run import Imported, Trajectories
from proctor.store.run import IMPORTED, RunRecord
from proctor.store.tree import task_text

TRAJECTORY = "traj.jsonl"
MAX_FILE = 256 * 1024 * 1024
MAX_LINES = 10_000
SCREEN = (1920, 1080)
"""How large a screen is of which there is no picture."""
SEES = {
    "screenshot": ("screenshot",),
    "a11y_tree": ("tree",),
    "screenshot_a11y_tree": ("screenshot", "tree"),
    "som": ("marks",),
}
_FIRST = re.compile(r"step_0_.*\.png")
_SCORES = {"True": 1.0, "False": 0.0}
_STOPS: dict[str, Stop] = {"done": "done", "answer": "answered", "fail": "gave_up"}
_TASKS = ("examples", "evaluation_examples/examples", "tasks")


@dataclass
class _ToldTurn:
    """What an agent did in answer to one picture."""

    lines: list[dict[str, object]] = field(default_factory=list)
    seen: Path | None = None


def read(trajectories: Trajectories, run: RunRecord, found: Imported) -> None:
    """Write an episode for each folder of results."""
    root = trajectories.file if trajectories.file.is_dir() else trajectories.file.parent
    seen: Counter[tuple[str, str]] = Counter()
    for number, folder in enumerate(_folders(root)):
        if number == trajectories.limit:
            break
        try:
            episode = _Told.of(folder, root, "" if trajectories.agent == "osworld" else trajectories.agent)
        except LeftOut as error:
            found.left_out[str(error)] += 1
        else:
            sample = seen[episode.task, episode.agent]
            seen[episode.task, episode.agent] += 1
            run.add(_write(run, episode, sample, found))
            found.episodes += 1
        trajectories.on_episode()


def _folders(root: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(root, followlinks=False):
        folders.sort()
        if TRAJECTORY in names:
            yield Path(place)


@dataclass(frozen=True)
class _Told:
    """An episode as its folder tells it."""

    task: str
    agent: str
    space: str
    sees: tuple[str, ...]
    instruction: str
    turns: tuple[_ToldTurn, ...]
    last: Path | None
    size: tuple[int, int]
    score: float | None
    error: str
    level: int

    @classmethod
    def of(cls, folder: Path, root: Path, agent: str) -> _Told:
        """Return what a folder tells; raises LeftOut for one that cannot be taken."""
        parts = (*(root.resolve().parts[-5:]), *folder.relative_to(root).parts)[-5:]
        space, shown, model, domain, example = ("",) * (5 - len(parts)) + parts
        lines, error = _read_lines(folder / TRAJECTORY)
        turns, last = _turns(lines, folder)
        sizes = [picture_size(picture) for picture in (*(turn.seen for turn in turns), last) if picture]
        score, why = _score(folder)
        return cls(
            task=f"osworld/{_name(domain)}-{_name(example)}-v1",
            agent=agent or model or "osworld",
            space="computer13" if "13" in space else "pyautogui",
            sees=SEES.get(shown, ("screenshot",)),
            instruction=_instruction(root, domain, example) or f"{domain}/{example}",
            turns=tuple(turns),
            last=last,
            size=sizes[0] if sizes else SCREEN,
            score=score,
            error=error or why,
            level=_level(folder),
        )


def _read_lines(file: Path) -> tuple[list[dict[str, object]], str]:
    """Return the lines of actions, and what a line says that was no action but an error."""
    if file.is_symlink() or file.stat().st_size > MAX_FILE:
        raise LeftOut("a trajectory is a link, or larger than is read")
    lines, error = [], ""
    for text in file.read_bytes().splitlines():
        if not text.strip():
            continue
        try:
            row = load_json(text)
        except ValueError as problem:
            raise LeftOut("a line is not JSON") from problem
        if not isinstance(row, dict):
            raise LeftOut("a line is no object")
        if "action" in row:
            lines.append(row)
        elif found := row.get("Error") or row.get("error"):
            error = _text(found)[:500]
    if len(lines) > MAX_LINES:
        raise LeftOut(f"a trajectory has more than {MAX_LINES} actions")
    if not lines and not error:
        raise LeftOut("a trajectory has no actions")
    return lines, error


def _turns(lines: list[dict[str, object]], folder: Path) -> tuple[list[_ToldTurn], Path | None]:
    """Return actions by their steps, each with the picture before it, and the picture after the last."""
    first = sorted(each.name for each in folder.iterdir() if _FIRST.fullmatch(each.name))
    before = find_picture(folder, first[0]) if first else None
    found: list[_ToldTurn] = []
    number: object = None
    for line in lines:
        if not found or line.get("step_num") != number or number is None:
            number = line.get("step_num")
            found.append(_ToldTurn(seen=before))
        found[-1].lines.append(line)
        named = line.get("screenshot_file")
        before = find_picture(folder, _text(named)) if named else before
    return found, before


def _write(run: RunRecord, told: _Told, sample: int, found: Imported) -> Result:
    key = EpisodeKey(task=told.task, agent=told.agent, sample=sample)
    task = {"id": key.task, "instruction": told.instruction}
    digest = hashlib.sha256(task_text(task)).hexdigest()
    run.keep_task(digest, task)
    most = max(len(told.turns), 1)
    header = Header(
        key=key,
        task=SetTask(id=key.task, digest=digest, instruction=told.instruction, unproven=True),
        agent=NamedAgent(name=told.agent, label=told.agent),
        brief=Brief(instruction=told.instruction, actions=ON_A_DESKTOP, size=told.size, max_steps=most),
        sees=told.sees,
    )
    writer = EpisodeWriter.begin(run.paths.episode(key), header)
    try:
        acted, stop = _write_steps(writer, told, found)
        return writer.finish(_result(key, digest, told, acted, stop), None, [])
    finally:
        writer.close()


def _write_steps(writer: EpisodeWriter, told: _Told, found: Imported) -> tuple[int, Stop]:
    """Write every step; returns how many acted, and what was said at the end."""
    count, acted = 0, 0
    stop: Stop = "step_limit"
    for number, turn in enumerate(told.turns, start=1):
        saw = _see(writer, turn.seen, number - 1)
        reply = next((_text(line[name]) for line in turn.lines for name in ("response", "reply") if line.get(name)), "")
        first = Step(turn=number, saw=saw, reply=reply)
        for line in turn.lines:
            actions, problem = _actions(line["action"], told)
            found.unread += bool(problem)
            said = "" if not problem else whole_text(str(line["action"]))
            for action in actions or (None,):
                step = replace(first, reply=first.reply or str(said), problem=problem)
                writer.step(replace(step, step=count, action=action.to_json() if action else None))
                count, first, problem, said = count + 1, Step(turn=number), "", ""
                if action is not None:
                    stop = _STOPS.get(action.kind, stop)
                    acted += action.kind not in _STOPS
    writer.step(Step(step=count, end=True, stop=stop, saw=_see(writer, told.last, len(told.turns))))
    return acted, stop


def _see(writer: EpisodeWriter, picture: Path | None, number: int) -> Saw | None:
    if picture is None:
        return None
    with open_picture(picture) as image:
        shown = Observation(at=0.0, desktop=image.size, screenshot=image.convert("RGB"))
    return replace(writer.see(shown, number), at=None)


def _actions(said: object, told: _Told) -> tuple[tuple[Action, ...], str]:
    """Return the actions that one of OSWorld's stands for, or why none was understood."""
    if isinstance(said, Mapping) and "type" in said and "action_type" not in said:
        try:
            return (from_json(dict(said)),), ""
        except AgentError as error:
            return (), error.message
    kind = said.get("action_type") if isinstance(said, Mapping) else said
    word = kind.strip() if isinstance(kind, str) else ""
    if word == "WAIT":
        return (Wait(seconds=1.0),), ""
    if (signal := special(word)) is not None:
        return (signal,), ""
    text = said if isinstance(said, str) else whole_text(_dump(said))
    language = "json" if told.space == "computer13" else "python"
    try:
        reading = open_dialect(told.space).read(
            f"```{language}\n{text}\n```", Frame(desktop=told.size, image=told.size)
        )
    except AgentError as error:
        return (), error.message
    return tuple(reading.actions), reading.problem or ("" if reading.actions else "the code does nothing")


def _dump(said: object) -> str:
    return task_text(said).decode() if isinstance(said, dict) else str(said)


def _result(key: EpisodeKey, digest: str, told: _Told, acted: int, stop: Stop) -> Result:
    judged = told.score is not None
    return Result(
        key=key,
        digest=digest,
        unproven=True,
        score=told.score,
        steps=acted,
        turns=len(told.turns),
        acted=acted > 0,
        level=told.level,
        collateral_unknown=IMPORTED,
        stop=stop if judged else "void",
        cause=None if judged else "spec",
        error="" if judged else told.error or "nobody judged it",
    )


def _score(folder: Path) -> tuple[float | None, str]:
    """Return the score, or why there is none."""
    file = folder / "result.txt"
    if not file.is_file() or file.is_symlink() or file.stat().st_size > 1000:
        return None, "nobody judged it: no `result.txt`"
    text = file.read_text(errors="replace").strip()
    try:
        score = _SCORES[text] if text in _SCORES else float(text)
    except ValueError:
        score = math.nan
    if not 0 <= score <= 1:
        return None, f"its score is {text[:40]!r}, which is none"
    return score, ""


def _level(folder: Path) -> int:
    file = folder / "level.txt"
    text = file.read_text(errors="replace").strip() if file.is_file() and file.stat().st_size < 100 else ""
    return int(text[1]) if re.fullmatch(r"l[1-5]", text) else 0


def _instruction(root: Path, domain: str, example: str) -> str:
    """Return what a task asks for, where its file lies beside the results."""
    for above in (root, *root.resolve().parents[:4]):
        for folder in _TASKS:
            file = above / folder / domain / f"{example}.json"
            if file.is_file() and file.stat().st_size < 10_000_000:
                try:
                    data = load_json(file.read_bytes())
                except ValueError as error:
                    raise SpecError(f"{file} is not JSON", remedy="fix or remove it") from error
                return _text(data.get("instruction")) if isinstance(data, dict) else ""
    return ""


def _name(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "task"


def _text(value: object) -> str:
    """Return a text without halves of surrogate pairs; nothing for what is no text."""
    return str(whole_text(value)) if isinstance(value, str) else ""
