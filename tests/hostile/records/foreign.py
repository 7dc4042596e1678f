"""Run folders as somebody might send them: whole and sealed, and then tampered with, or made up from the start."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from proctor.plain_text import one_line
from proctor.store.chain import forge
from proctor.store.run import RunRecord
from tests.prove.machines import BACKEND, shopping
from tests.store.making import TASK, begin, finish

ROOT = Path(__file__).parents[3]
EVIL = "\x1b]0;owned\x07\x1b[2J\r\u202egnp.exe\u2066\x9b31m\x00[bold]|<script>alert(1)</script>[a](http://b)"
"""What a terminal, rich, Markdown or a browser might obey."""


def foreign_run(folder: Path, config: Mapping[str, Any] = {}, **result: Any) -> Path:
    """A finished run of one episode, as a stranger's Proctor would write it."""
    with RunRecord.create(folder, config) as run:
        run.keep_task(*_task())
        run.add(finish(begin(run), **result))
        run.seal()
    return folder


def unfinished_run(folder: Path, agent: Mapping[str, Any], **changes: Any) -> Path:
    """A run that waits to be gone on with by an agent of the sender's choice."""
    task = shopping()
    entry = {"id": task.id, "seed": 0, "digest": task.digest, "wordings": 1, "seconds": 900, "image": task.image}
    config = {
        "suite": "test", "tasks": [entry], "agents": [dict(agent)], "samples": 1, "paraphrases": False, "assets": "",
        "rules": {"backend": BACKEND}, "images": {}, "episodes": 1, **changes,
    }  # fmt: skip
    with RunRecord.create(folder, config) as run:
        run.keep_task(task.digest, json.loads(task.text))
    return folder


def rewrite(run: Path, name: str, data: bytes) -> None:
    """Change a file of a run's only episode together with its sums and the index, as somebody would who knows how."""
    episode = episode_of(run)
    (episode / name).write_bytes(data)
    sums = json.loads((episode / "sums.json").read_text())
    sums["files"][name] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    text = json.dumps(sums).encode()
    (episode / "sums.json").write_bytes(text)
    root = hashlib.sha256((run / "run.json").read_bytes()).hexdigest()
    (line,) = [json.loads(line) for line in (run / "index.jsonl").read_text().splitlines()]
    kept = {key: value for key, value in line.items() if key not in ("prev", "hash")}
    forged, _ = forge(root, {**kept, "sums": hashlib.sha256(text).hexdigest()})
    (run / "index.jsonl").write_bytes(forged)


def episode_of(folder: Path) -> Path:
    return next((folder / "episodes").glob("*/*/*/*"))


def proctor(*arguments: str, cwd: Path = ROOT, module: bool = False, **env: str) -> subprocess.CompletedProcess[str]:
    """Call Proctor as a user does, in a folder of choice, with nobody at the terminal."""
    start = ["-m", "proctor"] if module else ["-P", "-c", "from proctor.cli.main import main; main()"]
    known = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1", **env}
    return subprocess.run(
        [sys.executable, *start, *arguments], cwd=cwd, env=known, capture_output=True, text=True, timeout=120,
        stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip


def is_plain(text: str) -> bool:
    return all(one_line(line) == line for line in text.split("\n"))


def _task() -> tuple[str, dict[str, Any]]:
    from tests.store.making import DIGEST

    return DIGEST, TASK
