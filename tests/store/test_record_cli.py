"""`proctor runs verify` and `proctor data export` as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from proctor.cli.record import export, verify
from proctor.store.run import RunRecord
from tests.store.making import begin, files, record, small_run


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return small_run(tmp_path / "run")


def typed(command: object, *args: object) -> Result:
    return CliRunner().invoke(command, [str(arg) for arg in args])  # type: ignore[arg-type]


def test_a_good_record(run: Path) -> None:
    result = typed(verify, run)
    assert result.exit_code == 0
    assert result.output.startswith("good: 4 results, seal ")
    seal = result.output.split()[-1]
    assert typed(verify, run, "--seal", seal).exit_code == 0
    assert typed(verify, run, "--seal", "0" * 64).exit_code == 1
    assert json.loads(typed(verify, run, "--json").output) == {
        "ok": True, "results": 4, "kept_aside": 0, "seal": seal, "damage": [],
    }  # fmt: skip


def test_a_damaged_record(run: Path) -> None:
    path = next(path for path in files(run) if path.suffix == ".png")
    path.write_bytes(b"")
    (run / "more\x1b[2J").write_text("")
    result = typed(verify, run)
    assert result.exit_code == 1
    assert f"{path.relative_to(run)}: has 0 bytes of " in result.output
    assert "\x1b" not in result.output
    assert "2 things are wrong" in result.output
    report = json.loads(typed(verify, run, "--json").output)
    assert (report["ok"], [damage["what"] for damage in report["damage"]]) == (False, ["truncated", "extra"])


def test_a_run_that_is_not_done(tmp_path: Path) -> None:
    with RunRecord.create(tmp_path / "run", {}) as run:
        record(run)
        begin(run, 1).close()
    assert typed(verify, tmp_path / "run").exit_code == 1
    result = typed(verify, tmp_path / "run", "--partial")
    assert (result.exit_code, result.output) == (0, "good: 1 results, not sealed\n")


@pytest.mark.parametrize("form", ["osworld", "sft"])
def test_an_export(run: Path, tmp_path: Path, form: str) -> None:
    result = typed(export, run, "--format", form, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert result.output.startswith(f"wrote {tmp_path / 'out'}: ")
    again = typed(export, run, "--format", form, "--out", tmp_path / "out")
    assert "exists already" in str(again.exception)
    report = typed(export, run, "--format", form, "--out", tmp_path / "more", "--json", "--all", "--with-keys")
    told = json.loads(report.output)
    # Agents without a model were asked nothing, so their conversations are put together from what they did.
    assert [("exact" in remark) for remark in told.pop("remarks")] == ([True] if form == "sft" else [])
    assert told == {"out": str(tmp_path / "more"), "episodes": 3, "left_out": 0}


def test_what_is_no_run(tmp_path: Path) -> None:
    assert typed(verify, tmp_path / "nowhere").exit_code == 2
    assert typed(verify, tmp_path).exit_code == 1
    assert "contains no run" in str(typed(export, tmp_path, "--format", "sft", "--out", tmp_path / "out").exception)
