"""Small runs and episodes for the tests of the store."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from proctor.observations.box import Box
from proctor.observations.observation import Observation
from proctor.observations.tree import Node, Tree
from proctor.records import ChangedPath, EpisodeKey, Header, NamedAgent, Result, SetTask, Step, Told
from proctor.store.episode import EpisodeWriter
from proctor.store.run import RunRecord
from proctor.store.tree import task_text

SIZE = (16, 12)
EXTRAS = {"inspect": "inspect_ai", "parquet": "pyarrow"}
"""Formats of exports that are written by a package of somebody else's."""
TASK = {"id": "core/wave-v1", "solution": [{"move": "click"}], "instruction": "Grüße 'alle'"}
DIGEST = hashlib.sha256(task_text(TASK)).hexdigest()


def in_memory() -> tempfile.TemporaryDirectory[str]:
    """A folder in memory where there is one: tests that write thousands of small files need no disk."""
    return tempfile.TemporaryDirectory(prefix="proctor-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)


def key(number: int = 0, **fields: Any) -> EpisodeKey:
    return EpisodeKey(**{"task": "core/wave-v1", "agent": "prompted,model=open/small", "seed": number, **fields})


def picture(shade: int = 0, size: tuple[int, int] = SIZE) -> Image.Image:
    image = Image.new("RGB", size, (shade % 256, 100, 200))
    image.putpixel((size[0] - 1, size[1] - 1), (0, shade // 256 % 256, 0))
    return image


def seen(shade: int = 0, **fields: Any) -> Observation:
    return Observation(**{"at": 1_760_000_000.5 + shade, "desktop": SIZE, "screenshot": picture(shade), **fields})


def tree(name: str = "Save", count: int = 3) -> Tree:
    root = Node(index=0, parent=None, depth=0, role="application", name="editor")
    button = {"parent": 0, "depth": 1, "role": "push button", "name": name, "states": frozenset({"showing", "visible"})}
    return Tree((root, *(Node(index=n, box=Box(n, 2, 3, 4), **button) for n in range(1, count))))


def header(which: EpisodeKey) -> Header:
    options = {"model": "open/small", "observe": "screenshot+tree"}
    return Header(
        key=which,
        task=SetTask(id=which.task, instruction="Wave at everyone."),
        agent=NamedAgent(name="prompted", label=which.agent, options=options),
    )


def begin(run: RunRecord, number: int = 0, retry: int = 0, steps: int = 2) -> EpisodeWriter:
    """Begin an episode and take some steps."""
    which = key(number)
    writer = EpisodeWriter.begin(run.paths.episode(which, retry), header(which))
    for step in range(steps):
        told = (Told("feedback", "not yet"),) if step else ()
        action = {"type": "click", "x": step, "y": 2, "given": {"text": f"pyautogui.click({step}, 2)"}}
        saw = writer.see(seen(step, told=told), step)
        writer.step(
            Step(step=step, turn=step + 1, at=1_760_000_000.0 + step, reply=f"I click {step}", saw=saw, action=action)
        )
    return writer


def finish(writer: EpisodeWriter, number: int = 0, retry: int = 0, score: float | None = 1.0, **fields: Any) -> Result:
    if score is not None:
        saw = writer.see(seen(8), 8)
        writer.step(Step(step=9, turn=9, at=1_760_000_009.0, action={"type": "done"}, saw=saw))
    writer.step(Step(step=9, end=True, at=1_760_000_009.5, saw=writer.see(seen(9), 9)))
    stop: dict[str, Any] = {"stop": "done"} if score is not None else {"stop": "void", "cause": "model", "error": "503"}
    result = Result(
        key=key(number), retry=retry, digest=DIGEST, apps=("gedit",), level=2, score=score, steps=2, **stop, **fields
    )
    verdict = None if score is None else {"score": score, "feedback": [], "evidence": {"file": "waved"}}
    return writer.finish(result, verdict, [ChangedPath(path="/home/user/a.txt", kind="created")])


def record(run: RunRecord, number: int = 0, retry: int = 0, score: float | None = 1.0, **fields: Any) -> Result:
    """Record a whole episode and add it."""
    result = finish(begin(run, number, retry), number, retry, score, **fields)
    run.add(result)
    return result


def small_run(folder: Path, count: int = 3, *, seal: bool = True) -> Path:
    """Record a run: the episode 1 is void at first, the episode 2 fails."""
    with RunRecord.create(folder, {"plan": {"tasks": ["core/wave-v1"]}, "proctor": "0.0.0"}) as run:
        run.keep_task(DIGEST, TASK)
        for number in range(count):
            if number == 1:
                record(run, number, score=None)
            record(run, number, retry=int(number == 1), score=0.0 if number == 2 else 1.0)
        if seal:
            run.seal()
    return folder


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
