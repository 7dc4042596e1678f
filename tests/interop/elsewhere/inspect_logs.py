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


def test_a_sample_has_the_events_that_inspects_viewer_shows(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run", seal=False)
    with RunRecord.resume(folder) as again:
        record(again, 3, score=None)
    export(folder, "inspect", tmp_path / "out")
    (file,) = (tmp_path / "out").glob("*.eval")
    samples = read_eval_log(str(file), resolve_attachments=True).samples or []
    first, void = samples[0], samples[3]
    kinds = [event.event for event in first.events]
    assert kinds == ["sample_init", "model", "tool", "model", "tool", "tool", "score"]
    assert [event.event for event in void.events][-1] == "error"
    asked, done = first.events[1], first.events[2]
    assert asked.event == "model" and asked.model == "open/small"
    assert [message.role for message in asked.input] == ["user"]
    assert asked.output.choices[0].message.tool_calls[0].id == done.id == "call_1_0"  # type: ignore[index, union-attr]
    assert done.event == "tool" and done.arguments == {"type": "click", "x": 0, "y": 2}
    assert done.timestamp.timestamp() == 1_760_000_000.0
    later = first.events[3]
    assert later.event == "model" and [message.role for message in later.input] == ["user", "assistant", "tool"]
    assert any(part.type == "image" for part in done.result if not isinstance(part, str))  # type: ignore[union-attr]
    assert {event.timestamp.year for event in first.events} == {2025}


def test_a_score_says_how_the_episode_ended(tmp_path: Path) -> None:
    export(small_run(tmp_path / "run"), "inspect", tmp_path / "out")
    (file,) = (tmp_path / "out").glob("*.eval")
    (passed, _, failed) = (sample.scores["proctor"] for sample in read_eval_log(str(file)).samples or [])  # type: ignore[index]
    assert passed.metadata and (passed.metadata["passed"], passed.metadata["stop"]) == (True, "done")
    assert failed.metadata and failed.metadata["passed"] is False
    assert {"clean", "collateral", "side_effects", "feedback"} <= set(passed.metadata)
    again = [event.score for event in (read_eval_log(str(file)).samples or [])[0].events if event.event == "score"]
    assert again[0].metadata == passed.metadata


def test_an_empty_run_is_an_empty_export(tmp_path: Path) -> None:
    RunRecord.create(tmp_path / "run", {}).close()
    assert export(tmp_path / "run", "inspect", tmp_path / "out") == Exported(0, 0)
