"""Who worked on a desktop by hand and what they said of it, beside the episode's steps."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from proctor.errors import RecordError
from proctor.store.bounds import load_json
from proctor.store.files import read_whole, write_whole

ACCOUNT = "human.json"
"""In the folder of an episode."""


def read_account(episode: Path) -> dict[str, Any]:
    """Return the account of an episode's person; empty where it has none, as those of agents."""
    try:
        found = load_json(read_whole(episode / ACCOUNT))
    except (RecordError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write_account(episode: Path, account: Mapping[str, object]) -> None:
    """Keep the account of an episode's person, in the place of an earlier one."""
    write_whole(str(episode), ACCOUNT, json.dumps(account, indent=2).encode())
