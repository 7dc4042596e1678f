"""Instructions written anew: the old wording stays, and what gives the mark away is not taken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from proctor.cli.main import cli
from proctor.errors import SpecError
from proctor.offline.answers.captions import caption_in
from proctor.offline.loaders.load import load
from proctor.offline.sample import GroundSample
from tests.offline import sets


def recaption(data: Path, out: Path, replies: list[Any]) -> dict[str, Any]:
    script = out.with_suffix(".script")
    script.write_text("".join(json.dumps(reply) + "\n" for reply in replies))
    args = ["offline", "recaption", "--data", data, "--model", f"scripted/{script}", "--out", out, "--json"]
    done = CliRunner().invoke(cli, list(map(str, args)))
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("reply", "caption"),
    [
        ("Instruction: Save the file", "Save the file"),
        ("It is a button.\n**Instruction:** Save the file", "Save the file"),
        ("Save the file", "Save the file"),
        ("<think>x</think>Instruction: 'Save the file'", "Save the file"),
        ("Instruction: click the red box", ""),
        ("Well,\nI do not know", ""),
        ("", ""),
        ("Instruction: " + "very " * 100, ""),
        ("Answer: (70, 40)", ""),
        ("Instruction: Click at [0.25, 0.5]", ""),
        ("I'm sorry, but I can't help with that.", ""),
        ("I can't see it.", ""),
        ("I don't know.", ""),
        ("Unfortunately, it is too small.", ""),
        ("I want to save the file", "I want to save the file"),
        ("Instruction: Open chapter 3, section (4)", "Open chapter 3, section (4)"),
    ],
)
def test_captions_in_replies(reply: str, caption: str) -> None:
    assert caption_in(reply) == caption


def test_a_set_is_written_anew_and_gone_on_with(tmp_path: Path) -> None:
    data = sets.groundui(tmp_path / "set", 4)
    replies = [
        "Instruction: Keep what you wrote",
        "Instruction: the red box",
        {"error": "timeout"},
        "Instruction: End it",
    ]
    found = recaption(data, tmp_path / "new", replies)
    assert (found["written"], found["kept"], found["failed"]) == (2, 1, 1)
    found = recaption(data, tmp_path / "new", ["Instruction: Leave"])
    assert (found["written"], found["kept"], found["failed"]) == (3, 1, 0)
    old, new = load("ground", data), load("ground", tmp_path / "new")
    pairs = list(zip(old.samples, new.samples, strict=True))
    words = [after.instruction for _, after in pairs]
    assert words == ["Keep what you wrote", "Click the Open button (1)", "Leave", "End it"]
    for before, after in pairs:
        assert isinstance(before, GroundSample) and isinstance(after, GroundSample)
        assert (after.raw_instruction, after.target, after.id) == (before.instruction, before.target, before.id)
        assert after.shot.load().tobytes() == before.shot.load().tobytes()


def test_a_baseline_writes_nothing(tmp_path: Path) -> None:
    args = [
        "offline",
        "recaption",
        "--data",
        sets.groundui(tmp_path),
        "--model",
        "baseline:ocr",
        "--out",
        tmp_path / "o",
    ]
    done = CliRunner().invoke(cli, list(map(str, args)))
    assert isinstance(done.exception, SpecError)
