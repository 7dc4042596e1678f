"""Reports tell of other systems' tasks what was shown of them, and where their own verdict is another."""

from __future__ import annotations

from pathlib import Path

from proctor.report.read_runs import read_runs
from proctor.report.summary import summarise
from proctor.report.words import about_runs
from tests.report.records import result, write_run

DIFFERS = "ours 0, the original's 1: The ground of slide 1 is another."


def test_what_was_shown_and_what_differs_is_told(tmp_path: Path) -> None:
    results = [
        result("a", "osworld/one-v1", 0.0, unproven=True, shown=("doing nothing scores 0", "judged twice alike")),
        result("a", "osworld/two-v1", 0.0, unproven=True, differs=DIFFERS),
        result("a", "osworld/three-v1", 1.0, unproven=True, differs="\x1b[2Jours 1, the original's 0: ."),
    ]
    episodes, runs = read_runs([write_run(tmp_path / "run", results)])
    assert "osworld/one-v1 (doing nothing scores 0; judged twice alike)" in runs[0].unproven
    assert runs[0].differing[0] == f"osworld/two-v1: {DIFFERS}"
    said = about_runs(summarise(episodes, runs))
    assert "(doing nothing scores 0; judged twice alike)" in said
    assert f"osworld/two-v1: {DIFFERS.rstrip('.')}" in said
    assert "\x1b" not in said
