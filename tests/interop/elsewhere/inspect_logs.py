"""`proctor data export --format inspect`: logs that Inspect wrote and reads."""

from __future__ import annotations

from pathlib import Path

from inspect_ai.log import read_eval_log

from proctor.store.export import Exported, export
from proctor.store.run import RunRecord
from tests.store.making import record, small_run


def test_inspect_reads_what_was_exported(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run", seal=False)
    with RunRecord.resume(folder) as again:
        record(again, 3, score=None)
    assert export(folder, "inspect", tmp_path / "out") == Exported(4, 0)
    (file,) = (tmp_path / "out").glob("*.eval")
    log = read_eval_log(str(file), resolve_attachments=True)
    assert (log.status, log.eval.task, log.eval.model) == ("success", "proctor/core", "open/small")
    assert log.results is not None and log.results.scores[0].metrics["mean"].value == 2 / 3
    samples = log.samples or []
    assert [sample.id for sample in samples] == [f"core/wave-v1#{seed}" for seed in range(4)]
    assert [(sample.scores or {}) and (sample.scores or {})["proctor"].value for sample in samples] == [1, 1, 0, {}]
    assert samples[3].error is not None and "503" in samples[3].error.message
    first = samples[0]
    assert [message.role for message in first.messages] == ["user", *["assistant", "tool"] * 3]
    call = first.messages[1]
    assert (
        call.role == "assistant"
        and call.tool_calls
        and call.tool_calls[0].arguments == {"type": "click", "x": 0, "y": 2}
    )
    assert "image" in [part.type for part in first.messages[2].content if not isinstance(part, str)]


def test_an_empty_run_is_an_empty_export(tmp_path: Path) -> None:
    RunRecord.create(tmp_path / "run", {}).close()
    assert export(tmp_path / "run", "inspect", tmp_path / "out") == Exported(0, 0)
