"""An episode on a phone is recorded like any other."""

from __future__ import annotations

import json
from pathlib import Path

from proctor.exam.rules import Rules
from proctor.runner.run_episode import run_episode
from proctor.tasks.shelves import expect, see
from proctor.tasks.task import Tags
from tests.android.stand_in import AdbServer, Phone
from tests.prove.machines import shopping
from tests.runner.jobs import job


def test_an_episode_is_recorded_like_any_other(tmp_path: Path) -> None:
    tags = Tags(apps=("mousepad",), level=2, domain="Life", scenario="Shopping", demand="Searching")
    task = shopping(setup=(), check=expect.answer_is(see.answer(), "nothing"), tags=tags, expected=())
    phone = Phone()
    with AdbServer(phone) as server:
        rules = Rules(backend=f"android,server={server.address}", steps=4)
        result = run_episode(job(tmp_path / "run", "random", task=task, rules=rules))
    assert result.stop != "void", (result.cause, result.error, result.defect)
    assert phone.events
    told = "".join(path.read_text() for path in tmp_path.rglob("*.json*"))
    assert json.dumps("emulator-5554") in told and '"model": "Stand-in"' in told.replace('":"', '": "')
