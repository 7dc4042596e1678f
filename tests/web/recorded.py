"""Runs to look at, written by the store itself: a short episode with one of everything, and as long a one as asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from proctor.observations.box import Box
from proctor.observations.marks import Marks
from proctor.observations.observation import Observation
from proctor.observations.tree import Node, Tree
from proctor.records import (
    Brief,
    ChangedPath,
    EpisodeKey,
    Header,
    NamedAgent,
    Result,
    SetTask,
    Step,
    Told,
    read,
    read_each,
)
from proctor.store.episode import EpisodeWriter
from proctor.store.paths import RunPaths
from proctor.store.run import RunRecord

SIZE = (1280, 720)
BEGAN = 1_760_000_000.0
KEY = EpisodeKey(task="tour/save-a-note-v1", agent="prompted(model=local/small)", seed=3)
FACTS = {
    "backend": "sandbox",
    "image": {"name": "starter", "digest": "sha256:1f2e"},
    "size": list(SIZE),
    "network": {"kind": "off", "targets": []},
}


def screen(number: int, words: str = "") -> Image.Image:
    """Return a picture of something like a desktop, different for each number."""
    image = Image.new("RGB", SIZE, (58, 83, 112))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, SIZE[0], 28), fill=(32, 38, 48))
    draw.text((12, 8), "Applications   Places", fill=(230, 230, 230))
    left, top = 140 + number % 40, 90 + number % 25
    draw.rectangle((left, top, left + 860, top + 520), fill=(250, 250, 248), outline=(60, 60, 60))
    draw.rectangle((left, top, left + 860, top + 30), fill=(214, 219, 226))
    draw.text((left + 12, top + 9), "notes.txt - Editor", fill=(30, 30, 30))
    for row in range(14):
        draw.text((left + 20, top + 60 + 30 * row), f"line {row + 1} of screen {number} {words}", fill=(50, 50, 60))
    return image


def tree(count: int = 40, name: str = "Save") -> Tree:
    """Return an editor with many elements."""
    nodes = [Node(index=0, parent=None, depth=0, role="application", name="mousepad", app="mousepad")]
    for index in range(1, count):
        box = Box(160 + index % 7 * 90, 100 + index // 7 * 30, 80, 24)
        label = name if index == 5 else f"Item {index}"
        states = frozenset({"showing", "visible"})
        nodes.append(
            Node(index=index, parent=0, depth=1, role="push button", name=label, box=box, states=states, app="mousepad")
        )
    return Tree(tuple(nodes))


ELEMENT = {
    "role": "push button",
    "name": "Save",
    "box": [430, 160, 90, 30],
    "app": "mousepad",
    "window": "notes.txt - Editor",
}
STEPS: tuple[dict[str, Any], ...] = (
    {
        "reply": "I will press Save.\n```json\n{\"type\": \"click\"}\n```",
        "thought": "The button is in the toolbar.",
        "calls": [{"model": "local/small", "input_tokens": 1400, "output_tokens": 60, "cost_usd": 0.0012}],
        "action": {
            "type": "click", "x": 475, "y": 175,
            "given": {"text": "click(0.371, 0.243)", "points": [[0.371, 0.243]], "space": "unit"},
        },
        "element": ELEMENT,
        "settled": True,
        "seconds": {"agent": 1.5, "act": 0.1, "see": 0.02},
    },
    {"action": {"type": "click", "x": 300, "y": 400, "count": 2, "button": "left"}, "settled": True},
    {"action": {"type": "drag", "path": [[200, 200], [360, 260], [520, 420]]}, "settled": False},
    {"action": {"type": "scroll", "x": 600, "y": 420, "dy": 5}},
    {
        "reply": "Now the text.",
        "action": {"type": "type", "text": "naïve <b>text</b>\nsecond line"},
        "element": {"role": "text", "name": "", "box": [160, 130, 820, 460], "app": "mousepad"},
        "verified": True,
    },
    {"action": {"type": "press", "keys": "ctrl+shift+s"}},
    {
        "reply": "```python\nprint(2+2)\n```",
        "action": {"type": "run_code", "code": "print(2+2)", "language": "python"},
        "output": {"text": "4\n", "error": "", "timed_out": False},
    },
    {"reply": "gibberish ###", "problem": "the reply holds no action", "action": None},
    {
        "action": {"type": "click", "x": 9000, "y": 10},
        "refused": "click: (9000, 10) is off the screen of 1280x720",
    },
    {"action": {"type": "ask_user", "question": "Which folder?"}},
    {"action": {"type": "done"}},
)  # fmt: skip
VERDICT = {
    "score": 0.5,
    "feedback": ["The file notes.txt has 3 lines, not 4."],
    "finding": {
        "check": "all_of",
        "score": 0.5,
        "feedback": ["The file notes.txt has 3 lines, not 4."],
        "parts": [
            {"check": "file_exists", "score": 1.0},
            {"check": "text_is", "score": 0.0, "feedback": ["The file notes.txt has 3 lines, not 4."]},
            {"check": "sheet_is", "score": 0.0, "known": False, "feedback": ["The file a.xlsx cannot be read."]},
        ],
    },
    "evidence": {"text_file(path=notes.txt)": {"lines": ["a", "b", "c"]}},
}
CHANGES: list[dict[str, Any]] = [
    {"path": "/home/user/notes.txt", "kind": "changed", "file": "file", "size": 120},
    {"path": "/home/user/holiday.jpg", "kind": "deleted", "file": "file", "size": 0, "collateral": "high"},
]


def begin_run(root: Path) -> RunRecord:
    """Begin a run and keep it open."""
    return RunRecord.create(root, {"plan": {"suite": "tour", "agents": [KEY.agent]}})


def begin_episode(root: Path, key: EpisodeKey = KEY, instruction: str = "Save the note as notes.txt.") -> EpisodeWriter:
    """Begin an episode as a runner does."""
    header = Header(
        key=key,
        task=SetTask(id=key.task, seed=key.seed, instruction=instruction),
        agent=NamedAgent(name="prompted", options={"model": "local/small"}, label=key.agent),
        brief=Brief(instruction=instruction, actions=("click", "done"), size=SIZE, max_steps=30),
        computer=FACTS,
        started=BEGAN,
    )
    return EpisodeWriter.begin(RunPaths(root).episode(key), header)


def add_steps(writer: EpisodeWriter, steps: tuple[dict[str, Any], ...] = STEPS, first: int = 0) -> None:
    """Record steps, each with a picture of its own; the first also has a tree and marks."""
    for number, step in enumerate(steps, first):
        picture = screen(number)
        rich = number == 0
        seen = Observation(
            at=BEGAN + number,
            desktop=SIZE,
            screenshot=picture,
            tree=tree() if rich else None,
            marks=Marks(image=marked(picture), marks=(), table="1 push button Save") if rich else None,
            told=(Told("reply", "Into Documents, please."),) if number == first + 10 else (),
        )
        line = read(Step, step)
        at, saw = BEGAN + 2.0 * number, writer.see(seen, number)
        writer.step(replace(line, step=number, turn=number + 1, at=at, saw=saw))


def marked(picture: Image.Image) -> Image.Image:
    image = picture.copy()
    ImageDraw.Draw(image).rectangle((430, 160, 520, 190), outline=(220, 30, 30), width=3)
    return image


def end_episode(writer: EpisodeWriter, key: EpisodeKey = KEY, steps: int = len(STEPS), **result: Any) -> Result:
    """Complete an episode."""
    last = Observation(at=BEGAN + steps, desktop=SIZE, screenshot=screen(steps))
    writer.step(Step(step=steps, end=True, at=BEGAN + 2.0 * steps, saw=writer.see(last, steps), stop="done"))
    found = Result(
        key=key, stop="done", score=0.5, modes=("false_finish",), steps=steps, turns=steps, seconds=2.0 * steps,
        calls=1, input_tokens=1400, output_tokens=60, cost_usd=0.0012, collateral={"high": 1}, started=BEGAN,
    )  # fmt: skip
    return writer.finish(replace(found, **result), VERDICT, read_each(ChangedPath, CHANGES))


def write_run(root: Path, *, seal: bool = True, instruction: str = "Save the note as notes.txt.") -> Path:
    """Write a run of one episode with one of everything; returns the episode's folder."""
    record = begin_run(root)
    writer = begin_episode(root, instruction=instruction)
    add_steps(writer)
    record.add(end_episode(writer))
    record.commit()
    if seal:
        record.seal()
    record.close()
    return writer.folder


def write_long(root: Path, steps: int) -> Path:
    """Write a run of one long episode, with replies as long as models write them."""
    record = begin_run(root)
    writer = begin_episode(root)
    reply = "I look at the screen and go on with the next part of the work. " * 12
    cycle = tuple({**STEPS[number % 6], "reply": f"{reply}{number}"} for number in range(steps))
    add_steps(writer, cycle)
    record.add(end_episode(writer, steps=steps))
    record.commit()
    record.seal()
    record.close()
    return writer.folder
