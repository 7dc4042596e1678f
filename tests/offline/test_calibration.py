"""Five targets tell how a model's coordinates are off."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from proctor.cli.main import cli
from proctor.offline.ask import ModelReply
from proctor.offline.calibration import calibrate
from proctor.offline.sample import GroundSample, OfflineSample

SIZE, SENT = (1920, 1080), (1280, 720)
Way = Callable[[float, float], tuple[float, float]]


class Speaker:
    """Knows the targets, and gives their places, as shares of the picture, in its own way."""

    def __init__(self, way: Way) -> None:
        self._way = way

    def answer(self, sample: OfflineSample) -> ModelReply:
        assert isinstance(sample, GroundSample)
        left, top, right, bottom = sample.target.box
        x, y = self._way((left + right) / 2 / SIZE[0], (top + bottom) / 2 / SIZE[1])
        return ModelReply(reply=f"({x:.4f}, {y:.4f})", sent=(SENT,), space="pixel")


@pytest.mark.parametrize(
    ("way", "words"),
    [
        (lambda x, y: (x * 1280, y * 720), "good"),
        (lambda x, y: (x * 1000, y * 1000), "'0-1000'"),
        (lambda x, y: (x, y), "'unit'"),
        (lambda x, y: (x * 100, y * 100), "'percent'"),
        (lambda x, y: (x * 1920, y * 1080), "'original'"),
        (lambda x, y: (x * 1280 * 2, y * 720 * 2), "factor of 2.00"),
        (lambda x, y: (x * 1280 * 0.8, y * 720 * 0.8), "factor of 0.80"),
        (lambda x, y: (x * 1280 * 1.5, y * 720 * 1.2), "1.50 across and 1.20 down"),
        (lambda x, y: (y * 720, x * 1280), "y before x"),
        (lambda x, y: (x * 1280 + 90, y * 720 + 90), "shifted by 90"),
        (lambda x, y: (640, 360), "scale is off"),
    ],
)
def test_what_is_off_is_named(way: Way, words: str) -> None:
    found = calibrate(Speaker(way), SIZE, "pixel")
    assert words in found.verdict, found
    assert found.good == (words == "good")
    assert json.dumps(found.plain())


def test_the_command(tmp_path: Path) -> None:
    replies = ["(120, 180)", "(830, 220)", "(310, 550)", "(710, 680)", "(180, 870)"]
    (tmp_path / "s").write_text("".join(json.dumps(reply) + "\n" for reply in replies))
    done = CliRunner().invoke(
        cli, ["offline", "calibrate", "--model", f"scripted/{tmp_path / 's'}", "--size", "1920x1080"]
    )
    assert done.exit_code == 1
    assert "--space 0-1000" in done.stdout
    args = ["offline", "calibrate", "--model", f"scripted/{tmp_path / 's'}", "--space", "0-1000", "--json"]
    done = CliRunner().invoke(cli, args)
    assert done.exit_code == 0 and json.loads(done.stdout)["good"] is True


def test_replies_without_points(tmp_path: Path) -> None:
    (tmp_path / "s").write_text('"I do not see it"\n' * 5)
    done = CliRunner().invoke(cli, ["offline", "calibrate", "--model", f"scripted/{tmp_path / 's'}"])
    assert done.exit_code == 1 and "0 of five" in done.stdout
