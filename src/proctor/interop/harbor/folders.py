"""Tasks as Harbor's folders: what is asked, and which task it is; checks and key stay here."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from proctor.errors import SpecError
from proctor.interop.house import prompt_of
from proctor.store.files import disk_trouble
from proctor.tasks.task import Task

SPEC = "proctor.json"
"""In `environment/`: which task it is."""
SOLVE = "solve.sh"
TEST = "test.sh"
_SCRIPT = "#!/bin/sh\n# {what} outside the computer, by `-e proctor.interop.harbor:ProctorEnvironment`.\nexit 1\n"
_PLAIN = re.compile(r"[^a-z0-9]+")
SETUP_SEC = 600.0


def write_folders(suite: str, tasks: Iterable[Task], out: Path) -> int:
    """Write a folder for each task into a folder that does not exist yet; returns how many there are."""
    if os.path.lexists(out):
        raise SpecError(f"{out} exists already", remedy="name a folder that does not exist yet")
    part = out.absolute().with_name(f".{out.name}.part-{os.getpid()}")
    chosen = list(tasks)
    if not chosen:
        raise SpecError("there is no task to write", remedy="name a suite or tasks")
    try:
        with disk_trouble(out):
            for task in chosen:
                _write(suite, task, part / _folder(task))
            part.rename(out)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return len(chosen)


def read_spec(environment: Path) -> tuple[str, str, int]:
    """Return which suite, task and seed a folder is of; raises SpecError for any other folder."""
    try:
        found = json.loads((environment / SPEC).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SpecError(
            f"{environment} is not the environment of a Proctor task: {error}",
            remedy="write folders with `proctor tasks export --format harbor`",
        ) from error
    if not isinstance(found, dict) or not all(isinstance(found.get(name), str) for name in ("suite", "task")):
        raise SpecError(f"{environment / SPEC} names no suite and no task", remedy="write the folder again")
    return found["suite"], found["task"], int(found.get("seed") or 0)


def _write(suite: str, task: Task, folder: Path) -> None:
    name = task.id.partition("/")[2].rpartition("-v")[0]
    spec = {"suite": suite, "task": name, "seed": task.seed or 0, "digest": task.digest}
    files = {
        "task.toml": _toml(task),
        "instruction.md": f"{prompt_of(task)}\n",
        f"environment/{SPEC}": json.dumps(spec, indent=2) + "\n",
        f"solution/{SOLVE}": _SCRIPT.format(what="The answer key is performed"),
        f"tests/{TEST}": _SCRIPT.format(what="The checks judge"),
    }
    for place, text in files.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if path.suffix == ".sh":
            path.chmod(0o755)


def _folder(task: Task) -> str:
    return _PLAIN.sub("-", f"{task.id.partition('/')[2]}-{task.seed or 0}".lower()).strip("-")


def _toml(task: Task) -> str:
    about = {"task": task.id, "seed": task.seed or 0, "level": task.tags.level, "apps": ", ".join(task.tags.apps)}
    lines = [
        'schema_version = "1.4"',
        "",
        "[task]",
        f"name = {json.dumps(f'proctor/{_folder(task)}')}",
        f"description = {json.dumps(task.instruction)}",
        "",
        "[metadata]",
        *(f"{name} = {json.dumps(value)}" for name, value in about.items()),
        "",
        "[agent]",
        f"timeout_sec = {float(task.limits.seconds)}",
        "",
        "[verifier]",
        f"timeout_sec = {SETUP_SEC}",
        "",
        "[environment]",
        f"build_timeout_sec = {SETUP_SEC}",
        'network_mode = "no-network"',
    ]
    return "\n".join(lines) + "\n"
