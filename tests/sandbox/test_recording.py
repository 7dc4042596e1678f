"""The screen of a real desktop, recorded: each change once, at its time, and the end as it was."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from proctor.actions.action import Press, Type, Wait
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.observer import observe
from proctor.errors import SpecError
from proctor.observations.observation import Want

pytestmark = pytest.mark.sandbox
SIZE = (801, 600)  # odd, as a screen may be


@pytest.fixture(scope="module")
def shared() -> Iterator[SandboxComputer]:
    with SandboxComputer(look="light", size=SIZE, clip_sec=20) as computer:
        computer.launch(["mousepad"])
        yield computer


@pytest.fixture
def editor(shared: SandboxComputer) -> SandboxComputer:
    """A desktop with an empty editor."""
    shared.perform(Press(keys="ctrl+a"))
    shared.perform(Press(keys="Delete"))
    return shared


def frames(path: Path) -> list[tuple[float, Image.Image]]:
    """Return the frames of a video with their times."""
    with av.open(str(path)) as video:
        return [(float(frame.time or 0), frame.to_image()) for frame in video.decode(video=0)]


def distance(one: Image.Image, other: Image.Image) -> float:
    """Return how far two pictures are apart on average, of 255; a video is not exact."""
    pixels = [np.asarray(image.convert("RGB").crop((0, 0, *SIZE)), np.int16) for image in (one, other)]
    return float(np.abs(pixels[0] - pixels[1]).mean())


def test_typing_is_recorded_as_it_happens(editor: SandboxComputer, tmp_path: Path) -> None:
    path = tmp_path / "videos" / "typing.mp4"
    began = time.time()
    with editor.record(path) as recorder:
        for word in ("one ", "two ", "three"):
            editor.perform(Type(text=word))
            editor.perform(Wait(seconds=0.3))
        last = editor.screenshot()
    ended = time.time()
    recording = recorder.stop()
    assert recording.error == ""
    assert recording.path == path
    shown = frames(path)
    lines = [json.loads(line) for line in path.with_name("typing.mp4.frames.jsonl").read_text().splitlines()]
    assert len(shown) == len(lines) == recording.frames
    # The first picture, at least one for each word, and no more than ten a second.
    assert 4 <= recording.frames <= 10 * recording.seconds + 2
    times = [line["at"] for line in lines]
    assert times == sorted(times)
    assert began - 0.01 <= times[0] <= times[-1] <= ended + 0.01
    for (at, _), line in zip(shown, lines, strict=True):
        assert at == pytest.approx(line["pts_ms"] / 1000, abs=0.002)
        assert line["at"] - times[0] == pytest.approx(line["pts_ms"] / 1000, abs=0.02)
    assert distance(shown[-1][1], last) < 4
    assert distance(shown[0][1], last) > distance(shown[-1][1], last)


def test_a_still_screen_makes_one_frame(editor: SandboxComputer, tmp_path: Path) -> None:
    editor.settle()
    began = time.monotonic()
    with editor.record(tmp_path / "still.mp4") as recorder:
        editor.perform(Wait(seconds=1.2))
    recording = recorder.stop()
    assert recording.frames <= 2
    assert 1.0 <= recording.seconds <= time.monotonic() - began


def test_starting_twice_has_no_effect_and_stopping_is_final(editor: SandboxComputer, tmp_path: Path) -> None:
    recorder = editor.record(tmp_path / "twice.mp4")
    assert recorder.start() is recorder
    editor.perform(Type(text="x"))
    recording = recorder.stop()
    assert recording.error == ""
    assert recorder.stop() == recording
    assert len(frames(tmp_path / "twice.mp4")) == recording.frames > 1
    with pytest.raises(SpecError, match="stopped"):
        recorder.start()


def test_two_recordings_at_once(editor: SandboxComputer, tmp_path: Path) -> None:
    with editor.record(tmp_path / "a.mp4") as one, editor.record(tmp_path / "b.mp4", fps=0.5) as other:
        for letter in "abcdef":
            editor.perform(Type(text=letter))
            editor.perform(Wait(seconds=0.15))
    assert one.stop().frames > other.stop().frames >= 2


def test_the_last_seconds(editor: SandboxComputer) -> None:
    editor.perform(Type(text="before"))
    editor.perform(Wait(seconds=1.5))
    before, began = editor.screenshot(), time.time()
    editor.perform(Type(text=" and after"))
    after = editor.screenshot()
    # Typing takes as long as the machine lets it: half a second before it began, the screen was still.
    wanted = time.time() - began + 0.5
    clip = editor.clip(wanted)
    times = [frame.at for frame in clip.frames]
    assert times == sorted(times)
    assert clip.seconds <= wanted + 0.5
    assert time.time() - clip.end < 1
    assert clip.frames[0].image.tobytes() == before.tobytes()
    assert clip.frames[-1].image.tobytes() == after.tobytes()
    assert editor.clip(60).seconds <= 20.5


def test_a_clip_as_part_of_an_observation(editor: SandboxComputer) -> None:
    editor.perform(Type(text="seen"))
    seen = observe(editor, Want(screenshot=True, tree=False, clip_sec=3))
    assert seen.clip is not None
    assert seen.screenshot is not None
    assert seen.clip.frames[-1].image.tobytes() == seen.screenshot.tobytes()
    assert 0 < len(seen.clip.frames) <= 30
    assert observe(editor, Want(screenshot=True, tree=False)).clip is None


def test_a_computer_that_keeps_no_history_says_so() -> None:
    with SandboxComputer(look="light", size=SIZE) as computer:
        with pytest.raises(SpecError, match="history") as caught:
            computer.clip(3)
        assert "clip_sec=3" in caught.value.remedy


def test_recordings_end_with_the_desktop_they_show(tmp_path: Path) -> None:
    with SandboxComputer(look="light", size=SIZE, clip_sec=5) as computer:
        mark = computer.snapshot()
        first = computer.record(tmp_path / "first.mp4")
        computer.launch(["mousepad"])
        computer.restore(mark)
        ended = first.stop()
        assert ended.error == ""
        assert len(frames(tmp_path / "first.mp4")) == ended.frames >= 2
        assert computer.clip(5).frames[-1].image.tobytes() == computer.screenshot().tobytes()
        second = computer.record(tmp_path / "second.mp4")
        computer.launch(["mousepad"])
    recording = second.stop()
    assert recording.error == ""
    assert len(frames(tmp_path / "second.mp4")) == recording.frames >= 2


def test_a_video_that_cannot_be_written(editor: SandboxComputer, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OSError):
        editor.record(tmp_path / "file" / "video.mp4")
    with editor.record(tmp_path / "good.mp4"):
        editor.perform(Type(text="y"))
    assert frames(tmp_path / "good.mp4")
