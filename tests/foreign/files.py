"""Task files of other systems, as tests write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from proctor.suites.foreign.collection import ForeignTask
from proctor.suites.foreign.suite import read_tasks

ROOT = Path(__file__).parents[2]
SHARED = next((each for at in ROOT.parents if (each := at / "shared" / "formats").is_dir()), ROOT / "none")
shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the files of other systems are not here")

URL = "https://files.example/data/7/start.txt"


def osworld(**changes: Any) -> dict[str, Any]:
    return {
        "id": "a-1",
        "instruction": "Add a line.",
        "config": [{"type": "download", "parameters": {"files": [{"url": URL, "path": "/home/user/a.txt"}]}}],
        "related_apps": ["os"],
        "evaluator": {
            "func": "check_include_exclude",
            "result": {"type": "vm_command_line", "command": "cat a.txt", "shell": "true"},
            "expected": {"type": "rule", "rules": {"include": ["line"], "exclude": []}},
        },
        **changes,
    }


def judged(func: Any, result: Any = None, expected: Any = None, **rest: Any) -> dict[str, Any]:
    evaluator = {"func": func, "result": result, "expected": expected, **rest}
    return osworld(config=[], evaluator={key: value for key, value in evaluator.items() if value is not None})


def agentstudio(**changes: Any) -> dict[str, Any]:
    return {
        "task_id": "b-1",
        "instruction": "Make '${AS_ROOT}/tmp/a.txt'.",
        "visual": True,
        "max_steps": 20,
        "max_time": 60,
        "eval_procedure": [
            {
                "evaluator": "filesystem",
                "function": "exists",
                "params": {"file_to_check": {"${AS_ROOT}/tmp/a.txt": True}},
            }
        ],
        "reset_procedure": [{"evaluator": "filesystem", "function": "mkdir", "params": {"path": "${AS_ROOT}/tmp"}}],
        "cleanup_procedure": [],
        **changes,
    }


def write(folder: Path, name: str, content: object) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return file


def read_one(folder: Path, content: object, format: str = "osworld", assets: Path | None = None) -> ForeignTask:
    """Return what becomes of one file, alone in a folder."""
    place = folder / "tasks"
    write(place, "os/one.json", content)
    [found] = read_tasks(format, place, assets)
    return found
