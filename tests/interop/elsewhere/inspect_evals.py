"""`inspect eval` with a mock model: a task done through Inspect's computer tool scores 1, a void one has no score."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ContentImage, ModelOutput, ModelUsage, get_model
from inspect_ai.util import SandboxEnvironmentSpec
from PIL import Image

from proctor.errors import EpisodeVoid
from proctor.interop.desk import Desk
from proctor.interop.inspect.sandbox import ProctorConfig
from proctor.interop.inspect.tasks import tour

MODEL = "mockllm/model"


def acts(**arguments: Any) -> ModelOutput:
    return ModelOutput.for_tool_call(MODEL, "computer", arguments)


def run(logs: Path, *outputs: ModelOutput) -> EvalLog:
    for output in outputs:
        # Otherwise the mock model counts tokens by a table that it fetches.
        output.usage = ModelUsage(input_tokens=10, output_tokens=1, total_tokens=11)
    model = get_model(MODEL, custom_outputs=list(outputs))
    task = tour(tasks="sign-the-letter", look="light")
    (log,) = inspect_eval(task, model=model, log_dir=str(logs), display="none", fail_on_error=False)
    return log


def test_a_task_is_done_by_the_computer_tool(tmp_path: Path) -> None:
    log = run(
        tmp_path,
        acts(action="left_click", coordinate=[683, 384]),
        acts(action="key", text="ctrl+End"),
        acts(action="type", text="Lucia Ferrari"),
        acts(action="key", text="ctrl+s"),
        acts(action="cursor_position"),
        acts(action="zoom", region=[0, 0, 400, 300]),
        acts(action="key", text="no such key"),
        ModelOutput.from_content(MODEL, "I signed it.\nDONE"),
    )
    assert log.status == "success", log.error
    (sample,) = read_eval_log(log.location, resolve_attachments=True).samples or []
    assert sample.error is None
    score = (sample.scores or {})["judged"]
    assert score.value == 1.0, score.explanation
    assert (score.metadata or {})["clean"] is True
    told = [message for message in sample.messages if message.role == "tool"]
    sizes = [picture_size(part.image) for one in told for part in one.content if isinstance(part, ContentImage)]
    assert sizes[0] == (1366, 768)
    assert any("X=683,Y=384" in one.text for one in told)
    assert told[-1].error is not None and "key" in told[-1].error.message


def picture_size(url: str) -> tuple[int, int]:
    return Image.open(io.BytesIO(base64.b64decode(url.partition(";base64,")[2]))).size


def test_not_doing_it_scores_nothing_and_a_void_has_no_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = run(tmp_path, ModelOutput.from_content(MODEL, "DONE"))
    (sample,) = log.samples or []
    assert (sample.scores or {})["judged"].value == 0.0

    def void(*_: object) -> None:
        raise EpisodeVoid("void: the host is full")

    monkeypatch.setattr(Desk, "judge", void)
    log = run(tmp_path, ModelOutput.from_content(MODEL, "DONE"))
    (sample,) = log.samples or []
    assert sample.error is not None and "the host is full" in sample.error.message
    assert not sample.scores


def test_the_configuration_survives_being_written_down() -> None:
    config = ProctorConfig(suite="tour", task="sign-the-letter", size=(1366, 768))
    spec = SandboxEnvironmentSpec("proctor", config)
    assert SandboxEnvironmentSpec.model_validate_json(spec.model_dump_json()) == spec
