"""`proctor.run`, as Python code calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor import run
from proctor.errors import SpecError
from proctor.runner.api import run_suite


@pytest.mark.sandbox
def test_a_run_from_python_goes_on_where_it_was(tmp_path: Path) -> None:
    out = tmp_path / "run"
    first = run("tour", ["oracle", "idle"], out=out, tasks=["sign-the-letter"], workers=1)
    assert {result.key.agent: result.score for result in first} == {"oracle": 1.0, "idle": 0.0}
    before = (out / "index.jsonl").read_bytes()
    again = run("tour", ["oracle", "idle"], out=out, tasks=["sign-the-letter"], workers=1)
    assert again == first
    assert (out / "index.jsonl").read_bytes() == before
    with pytest.raises(SpecError, match="contains another run"):
        run("tour", ["idle"], out=out, tasks=["sign-the-letter"])


def test_what_is_wrong_is_said_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="did you mean 'oracle'"):
        run_suite("tour", ["orakle"], tmp_path / "run")
    with pytest.raises(SpecError, match="steps"):
        run_suite("tour", ["idle"], tmp_path / "run", steps=0)
    assert not (tmp_path / "run").exists()
