"""A record that version 0.1.0 wrote, before its lines had types: everything that reads records still opens it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from proctor.cli.record import verify
from proctor.cli.regrade import regrade
from proctor.cli.report import report
from proctor.records import Hit, Output, Step, Told
from proctor.store.export import export
from proctor.store.exports import EXPORTS
from proctor.store.read import RecordedEpisode, open_episode
from proctor.store.run import RunRecord
from tests.store.making import EXTRAS

OLD = Path(__file__).parent / "written_by_0_1" / "run"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A copy: a report is written into the folder of a run."""
    return Path(shutil.copytree(OLD, tmp_path / "run"))


def episode(run: Path, agent: str) -> RecordedEpisode:
    record = RunRecord.open(run)
    (found,) = (result for result in record.final() if result.key.agent.startswith(agent))
    return open_episode(record.paths.at(found.folder))


def test_it_is_whole(run: Path) -> None:
    done = CliRunner().invoke(verify, [str(run)])
    assert done.exit_code == 0, done.output


def test_everything_in_its_lines_is_read() -> None:
    prompted = episode(OLD, "prompted")
    raw: list[dict[str, Any]] = [
        json.loads(line) for line in (prompted.folder / "steps.jsonl").read_text().splitlines()
    ]
    steps = list(prompted.steps())
    assert [step.kind for step in steps] == [(line.get("action") or {}).get("type", "") for line in raw]
    assert [step.reply for step in steps] == [line.get("reply", "") for line in raw]
    assert steps[0].element == Hit(**{**raw[0]["element"], "box": (430, 160, 90, 30)})
    assert steps[0].calls[0].input_tokens == 1400
    assert steps[6].output == Output(text="4\n")
    assert [step.step for step in steps if step.refused] == [8]
    assert (steps[3].trouble, steps[4].stale, steps[5].nodes) == ("no process", 0.02, ("n1",))
    assert steps[10].saw is not None
    assert steps[10].saw.told == (Told("reply", "Into Documents, please."),)
    assert steps[-1] == Step(step=11, end=True, at=raw[-1]["at"], saw=steps[-1].saw, stop="done")
    assert prompted.header.agent is not None
    assert prompted.header.agent.options["observe"] == "marks"
    assert prompted.header.trouble[0]["why"] == "it went"
    assert prompted.verdict is not None
    assert prompted.verdict.score == 0.5
    assert [change.collateral for change in prompted.changes] == ["", "high"]
    assert prompted.said == "it printed this\n"


def test_it_is_judged_again(run: Path) -> None:
    done = CliRunner().invoke(regrade, [str(run), "--json"])
    # The third was made by hand, and its evidence is not that of the task.
    assert json.loads(done.output)["same"] == 2


def test_it_is_reported(run: Path) -> None:
    done = CliRunner().invoke(report, [str(run)])
    assert done.exit_code == 0, done.output
    assert "oracle" in done.output


@pytest.mark.parametrize("form", EXPORTS.names())
def test_it_is_exported(run: Path, tmp_path: Path, form: str) -> None:
    if form in EXTRAS:
        pytest.importorskip(EXTRAS[form], reason=f"needs the extra {form!r}")
    assert export(run, form, tmp_path / "out").episodes
