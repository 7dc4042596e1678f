"""A recorder keeps what changed, when it changed, and never troubles its owner."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.computers.screen_recorder import ScreenRecorder
from proctor.errors import ComputerError, SpecError
from proctor.observations.box import Box
from proctor.observations.clip import ScreenHistory
from tests.computers.painted import PaintedScreen
from tests.unhurried import now

RED, BLUE, WHITE, BLACK = (255, 0, 0), (0, 0, 255), (255, 255, 255), (0, 0, 0)
CORNER = Box(8, 8, 16, 16)


def times(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(f"{path}.frames.jsonl").read_text().splitlines()]


def played(path: Path) -> list[tuple[int, np.ndarray[Any, Any]]]:
    av = pytest.importorskip("av")
    with av.open(str(path)) as container:
        frames = list(container.decode(video=0))
        return [(round(frame.time * 1000), frame.to_ndarray(format="rgb24")) for frame in frames]


def history(screen: PaintedScreen) -> ScreenHistory:
    return ScreenHistory(screen.size)


def test_video_holds_every_change_at_its_time(tmp_path: Path) -> None:
    path = tmp_path / "made" / "screen.mp4"
    screen = PaintedScreen()
    began = time.time()
    with ScreenRecorder(screen, path) as recorder:
        assert recorder.look()
        for colour in (RED, BLUE):
            screen.paint(CORNER, colour)
            assert recorder.look()
        recording = recorder.stop()
    ended = time.time()
    shown, lines = played(path), times(path)
    assert (recording.path, recording.frames, recording.error) == (path, 3, "")
    assert [line["index"] for line in lines] == [0, 1, 2]
    assert [line["pts_ms"] for line in lines] == [at for at, _ in shown]
    assert began - 0.01 <= lines[0]["at"] <= lines[-1]["at"] <= ended + 0.01
    assert 0 <= recording.seconds <= ended - began
    for (_, pixels), colour in zip(shown, (BLACK, RED, BLUE), strict=True):
        assert np.abs(pixels[16, 16].astype(int) - colour).max() < 12
        assert pixels[40, 50].max() < 12


def test_a_quiet_screen_costs_nothing(tmp_path: Path) -> None:
    screen = PaintedScreen()
    path = tmp_path / "screen.mp4"
    with ScreenRecorder(screen, path) as recorder:
        assert recorder.look()
        looks = screen.looks
        assert not screen.closed.wait(0.3)
        assert screen.looks == looks
        assert recorder.stop().frames == 1
    assert len(played(path)) == 1


def test_damage_that_changes_nothing_is_no_frame(tmp_path: Path) -> None:
    screen = PaintedScreen()
    with ScreenRecorder(screen, tmp_path / "screen.mp4") as recorder:
        recorder.look()
        for _ in range(5):
            screen.touch(CORNER)
            assert recorder.look()
        assert recorder.stop().frames == 1


def test_frames_come_no_faster_than_asked(tmp_path: Path) -> None:
    screen = PaintedScreen()
    with ScreenRecorder(screen, tmp_path / "screen.mp4", fps=20) as recorder:
        began = time.monotonic()
        level = 0
        while time.monotonic() - began < 0.5:
            level = level % 255 + 1
            screen.paint(CORNER, (level, 0, 0))
            threading.Event().wait(0.002)
        recording = recorder.stop()
        elapsed = time.monotonic() - began
    assert 3 <= recording.frames <= elapsed * 20 + 2
    gaps = np.diff([line["pts_ms"] for line in times(tmp_path / "screen.mp4")])[:-1]
    assert gaps.min() >= 45


def test_the_last_change_before_stopping_is_kept(tmp_path: Path) -> None:
    screen = PaintedScreen()
    path = tmp_path / "screen.mp4"
    with ScreenRecorder(screen, path, fps=0.1) as recorder:
        recorder.look()
        screen.paint(CORNER, RED)
        assert recorder.stop().frames == 2
    assert np.abs(played(path)[-1][1][16, 16].astype(int) - RED).max() < 12


def test_the_pointer_is_drawn_where_it_is() -> None:
    screen = PaintedScreen()
    screen.point(20, 10)
    with ScreenRecorder(screen, history=history(screen)) as recorder:
        recorder.look()
        screen.point(40, 10)
        last = recorder.clip(10).frames[-1].image
        assert last.getpixel((41, 11)) == WHITE
        assert last.getpixel((21, 11)) == BLACK
        screen.point(-2, 46)
        last = recorder.clip(10).frames[-1].image
        assert [last.getpixel(place) for place in [(1, 47), (2, 47), (41, 11)]] == [WHITE, BLACK, BLACK]


def test_a_screen_that_was_resized_before_it_was_followed() -> None:
    screen = PaintedScreen(size=(80, 40))
    screen.paint(CORNER, RED)
    with ScreenRecorder(screen, history=ScreenHistory((64, 48))) as recorder:
        last = recorder.clip(10).frames[-1].image
    assert last.size == (64, 48)
    assert [last.getpixel(place) for place in [(16, 16), (16, 46)]] == [RED, BLACK]


def test_a_clip_is_up_to_date_and_exact() -> None:
    screen = PaintedScreen()
    with ScreenRecorder(screen, history=history(screen), fps=0.1) as recorder:
        recorder.look()
        for colour in (RED, BLUE):
            screen.paint(CORNER, colour)
            clip = recorder.clip(60)
            assert clip.frames[-1].image == screen.image()
        assert [frame.image.getpixel((10, 10)) for frame in clip.frames] == [BLACK, RED, BLUE]
        assert clip.end == pytest.approx(time.time(), abs=5)


sides = st.integers(1, 30)


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 44), sides, sides, st.integers(0, 255)), max_size=6))
def test_whatever_is_painted_is_what_is_kept(strokes: list[tuple[int, int, int, int, int]]) -> None:
    screen = PaintedScreen()
    with ScreenRecorder(screen, history=history(screen)) as recorder:
        for x, y, width, height, level in strokes:
            # Damage may reach beyond the screen.
            screen.paint(Box(x, y, width, height), (level, 255 - level, level // 2))
            assert recorder.look()
        assert recorder.clip(60).frames[-1].image == screen.image()


def test_a_screen_that_dies_ends_the_recording_with_a_reason(tmp_path: Path) -> None:
    screen = PaintedScreen()
    path = tmp_path / "screen.mp4"
    recorder = ScreenRecorder(screen, path, history=history(screen)).start()
    assert recorder.look()
    screen.die()
    assert screen.closed.wait(60)
    assert not recorder.look()
    with pytest.raises(ComputerError, match="no longer recorded"):
        recorder.clip(5)
    recording = recorder.stop()
    assert "closed the connection" in recording.error
    assert recording.frames == len(played(path)) == 1


def test_a_screen_that_hangs_does_not_hang_the_owner(tmp_path: Path) -> None:
    released = threading.Event()

    class Hanging(PaintedScreen):
        def grab(self, box: Box) -> bytes:
            released.wait(30)
            return super().grab(box)

    screen = Hanging()
    recorder = ScreenRecorder(screen, tmp_path / "screen.mp4").start()
    began = now()
    assert not recorder.look(timeout_sec=0.1)
    assert "did not answer" in recorder.stop(timeout_sec=0.1).error
    assert now() - began < 3
    released.set()
    assert screen.closed.wait(60)


def test_a_resized_screen_keeps_the_size_of_the_recording() -> None:
    class Shrunk(PaintedScreen):
        def grab(self, box: Box) -> bytes:
            if box.x + box.width > self.size[0] or box.y + box.height > self.size[1]:
                raise ComputerError(f"{box} is not inside the desktop")
            return super().grab(box)

    screen = Shrunk((64, 48))
    with ScreenRecorder(screen, history=history(screen)) as recorder:
        recorder.look()
        screen.size = (32, 24)
        screen.paint(Box(0, 0, 64, 48), RED)
        last = recorder.clip(10).frames[-1].image
        assert last.size == (64, 48)
        assert [last.getpixel(place) for place in [(31, 23), (40, 30)]] == [RED, BLACK]
        assert recorder.stop().error == ""


def test_a_video_that_cannot_begin_says_so_at_once() -> None:
    screen = PaintedScreen()
    with pytest.raises(OSError, match="No space left"):
        ScreenRecorder(screen, Path("/dev/full")).start()
    assert screen.closed.is_set()


def test_a_disk_that_fails_later_ends_the_recording_with_a_reason(tmp_path: Path) -> None:
    screen = PaintedScreen()
    path = tmp_path / "screen.mp4"
    recorder = ScreenRecorder(screen, path).start()
    assert recorder.look()
    lines = Path(f"{path}.frames.jsonl")
    lines.unlink()
    lines.mkdir()
    screen.paint(CORNER, RED)
    assert screen.closed.wait(60)
    assert "directory" in recorder.stop().error
    assert played(path)


def test_stopping_twice_or_without_starting() -> None:
    screen = PaintedScreen()
    assert ScreenRecorder(screen, history=history(screen)).stop().frames == 0
    assert screen.closed.is_set()
    screen = PaintedScreen()
    recorder = ScreenRecorder(screen, history=history(screen)).start()
    recorder.look()
    assert recorder.stop() == recorder.stop()


@pytest.mark.parametrize("fps", [0, -1])
def test_impossible_recorders_are_refused(fps: float) -> None:
    screen = PaintedScreen()
    with pytest.raises(SpecError, match="frames per second"):
        ScreenRecorder(screen, history=history(screen), fps=fps)
    with pytest.raises(SpecError, match="neither video nor history"):
        ScreenRecorder(screen)
    with ScreenRecorder(screen, Path("/dev/null")) as recorder, pytest.raises(SpecError, match="no history"):
        recorder.clip(1)
