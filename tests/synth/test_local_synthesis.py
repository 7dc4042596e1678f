"""A real language model, too small to propose anything of use: all of it is data, and nothing breaks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proctor.models import open_model
from proctor.synth.ledger import ANSWERS
from proctor.synth.plan import SynthesisPlan
from proctor.synth.synth import synthesise

pytestmark = [pytest.mark.local_model, pytest.mark.turns(day=2)]


def test_whatever_a_small_model_says_is_accepted_or_dropped_with_a_reason(tmp_path: Path) -> None:
    plan = SynthesisPlan(by="local/smollm2", apps=("mousepad",), count=1, rounds=1, repairs=1, backend="fake")
    made = synthesise(tmp_path, plan, open_model("local/smollm2", threads=1, max_output=96))
    (fate,) = made.fates
    assert fate.accepted or fate.reasons
    assert (fate.cost_usd, made.left) == (0.0, 0)
    answers = [json.loads(line) for line in (tmp_path / ANSWERS).read_text().splitlines()]
    assert 1 <= len(answers) == fate.calls
    assert fate.output_tokens >= 1
    assert all(answer["call"]["input_tokens"] > 500 for answer in answers)
