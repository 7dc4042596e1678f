"""Runs of other systems' tasks tell both verdicts, whichever counts: in results, records and reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from proctor.cli.main import cli
from proctor.report.words import MOST_NAMED
from tests.foreign.differing import write_differing


def asked(*words: str | Path) -> str:
    done = CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.sandbox("full")
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_run_tells_both_verdicts_and_counts_the_one_asked_for(tmp_path: Path) -> None:
    told = write_differing(tmp_path)
    for format in ("osworld", "agentstudio"):
        wanted = {task: said for task, said in told.items() if task.startswith(format)}
        for faithful in (False, True):
            out = tmp_path / f"{format}-{faithful}"
            tasks: list[str | Path] = ["--suite", f"{format}:{tmp_path / format}", "--assets", tmp_path / "files"]
            asked("run", *tasks, "--agent", "idle", "--out", out, *["--faithful"][: int(faithful)])
            results = [json.loads(line) for line in (out / "index.jsonl").read_text().splitlines()]
            found = {each["task"]: each for each in results if "task" in each}
            assert found.keys() == wanted.keys()
            verdicts = [json.loads(file.read_text()) for file in out.glob("episodes/**/verdict.json")]
            assert sorted(each["differs"] for each in verdicts) == sorted(each["differs"] for each in found.values())
            assert all(each["other"]["score"] == 1 - each["score"] for each in verdicts)
            for task, said in wanted.items():
                assert found[task]["differs"].startswith(said), found[task]
                ours = float(said.partition(",")[0].removeprefix("ours "))
                assert found[task]["score"] == (1 - ours if faithful else ours)
            report = " ".join(asked("report", out).split())  # lines are broken where the terminal ends
            named = sum(f"{task}: {said}" in report for task, said in wanted.items())
            assert named == min(len(wanted), MOST_NAMED), report
