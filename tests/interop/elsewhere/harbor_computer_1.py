"""Harbor's own agent `computer-1` on a real desktop, its model a server on loopback: it sees, acts and earns 1."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from proctor.interop.harbor.folders import write_folders
from proctor.suites import load_suite
from tests.interop.elsewhere.harbor_runs import harbor
from tests.models.provider import provider


def says(**action: Any) -> dict[str, Any]:
    said = json.dumps({"analysis": "a", "plan": "p", "action": action})
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "mock",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


def test_it_signs_the_letter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_folders("tour", [load_suite("tour").task("sign-the-letter")], tmp_path / "tasks")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    # Otherwise it fetches a table of prices.
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    with provider() as server:
        for answer in (
            says(type="click", x=512, y=450),
            says(type="keypress", keys=["ctrl", "End"]),
            says(type="type", text="Lucia Ferrari"),
            says(type="zoom", zoom_region=[0, 0, 400, 300]),
            says(type="keypress", keys=["ctrl", "s"]),
            says(type="scroll", x=512, y=450, scroll_y=300),
            says(type="done", result="I signed it."),
        ):
            server.will(answer)
        more = ["-a", "computer-1", "-m", "openai/mock", "--ak", f"api_base={server.url}"]
        (one,) = harbor(tmp_path / "tasks", tmp_path / "jobs", *more).values()
    assert one["exception_info"] is None, one["exception_info"]
    assert one["verifier_result"]["rewards"] == {"reward": 1.0, "clean": 1.0}
    assert "image_url" in json.dumps(server.asked[0].body)
    (trial,) = (tmp_path / "jobs").glob("*/*/agent/trajectory.json")
    assert len(json.loads(trial.read_text())["steps"]) > 5
    assert list(trial.parent.glob("*.webp"))
