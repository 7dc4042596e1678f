"""A real language model on the CPU, from its prompt to the verdict: it will fail, the machinery must not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from proctor.runner.run_episode import run_episode
from proctor.store.completeness import fault_of
from tests.runner.jobs import FAKE, job


@pytest.mark.turns(day=2)
@pytest.mark.slow
@pytest.mark.local_model
def test_a_small_model_is_examined_end_to_end(tmp_path: Path) -> None:
    rules = replace(FAKE, actions=("press", "done"), fruitless=2, steps=3)
    one = job(tmp_path / "run", "prompted,model=local/smollm2,observe=tree,max_tokens=24,tree_chars=400", rules=rules)
    result = run_episode(one)
    assert not result.void, result.error
    assert result.calls >= 1
    assert result.input_tokens > 100
    assert result.output_tokens > 0
    assert result.cost_usd == 0.0
    assert fault_of(one.folder) == ""
    first = json.loads((one.folder / "steps.jsonl").read_text().splitlines()[0])
    assert first["reply"]
    assert first["calls"][0]["model"] == "local/smollm2"
