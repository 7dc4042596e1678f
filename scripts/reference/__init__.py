"""The pages of docs/reference/, made from the code: `python -m scripts.reference` writes them, a test compares."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from scripts.reference import agents, commands, record, tasks

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "reference"
MADE = "<!-- Made from the code by `python -m scripts.reference`; do not change it by hand. -->\n\n"
PAGES: dict[str, tuple[str, Callable[[], str]]] = {
    "agents.md": ("what an agent is sent and what it answers: messages, actions, limits", agents.page),
    "tasks.md": ("what a task file holds: fields, setup steps, probes, checks, moves", tasks.page),
    "record.md": ("what a run on disk holds: files and fields", record.page),
    "commands.md": ("every command with its options and examples", commands.page),
}


def pages() -> dict[str, str]:
    """Return every page by the name of its file."""
    listed = "".join(f"- [{name.removesuffix('.md')}]({name}): {about}\n" for name, (about, _) in PAGES.items())
    return {"README.md": f"# Reference\n\n{MADE}{listed}"} | {
        name: _marked(make()) for name, (_, make) in PAGES.items()
    }


def _marked(page: str) -> str:
    title, _, rest = page.partition("\n\n")
    return f"{title}\n\n{MADE}{rest}"
