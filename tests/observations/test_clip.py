"""A history composed from patches is what painting would have given, within its bounds."""

from __future__ import annotations

import io
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from proctor.errors import SpecError
from proctor.observations.box import Box
from proctor.observations.clip import Clip, ClipFrame, ScreenHistory

WIDTH, HEIGHT = 12, 9
WHOLE = Box(0, 0, WIDTH, HEIGHT)


class Stroke(NamedTuple):
    at: float
    box: Box
    bgrx: bytes


@st.composite
def strokes(draw: st.DrawFn) -> list[Stroke]:
    """A whole screen, then any rectangles at times that never run backwards."""
    made = [Stroke(100.0, WHOLE, draw(st.binary(min_size=WHOLE.area * 4, max_size=WHOLE.area * 4)))]
    for _ in range(draw(st.integers(0, 10))):
        x, y = draw(st.integers(0, WIDTH - 1)), draw(st.integers(0, HEIGHT - 1))
        box = Box(x, y, draw(st.integers(1, WIDTH - x)), draw(st.integers(1, HEIGHT - y)))
        colour = draw(st.binary(min_size=4, max_size=4))
        made.append(Stroke(made[-1].at + draw(st.integers(0, 3)), box, colour * box.area))
    return made


def painted(drawn: list[Stroke], moment: float) -> Image.Image:
    """What a painter would have on the easel at that moment."""
    image = Image.new("RGB", (WIDTH, HEIGHT))
    for stroke in drawn:
        if stroke.at <= moment:
            patch = Image.frombytes("RGB", stroke.box[2:], stroke.bgrx, "raw", "BGRX")
            image.paste(patch, stroke.box[:2])
    return image


def history(drawn: list[Stroke], **bounds: float) -> ScreenHistory:
    made = ScreenHistory((WIDTH, HEIGHT), **bounds)  # type: ignore[arg-type]
    for stroke in drawn:
        made.add(*stroke)
    return made


@given(strokes(), st.integers(0, 40), st.integers(0, 40))
def test_composing_equals_painting(drawn: list[Stroke], seconds: int, later: int) -> None:
    now = drawn[-1].at + later
    clip = history(drawn).clip(seconds, now)
    assert bool(clip.frames) == (seconds > 0)
    for frame in clip.frames:
        assert frame.image == painted(drawn, frame.at)
    if clip.frames:
        start = max(now - seconds, 100.0)
        changes = sorted({stroke.at for stroke in drawn if start < stroke.at})
        assert [frame.at for frame in clip.frames] == [start, *changes]
        assert clip.end == now


@given(strokes(), st.integers(1, 20), st.integers(0, 400))
def test_forgetting_loses_only_the_oldest(drawn: list[Stroke], seconds: int, max_bytes: int) -> None:
    made = history(drawn, seconds=seconds, max_bytes=max_bytes)
    assert made.held_bytes <= max_bytes
    clip = made.clip(1000, drawn[-1].at)
    assert all(frame.image == painted(drawn, frame.at) for frame in clip.frames)
    assert clip.frames[-1].image == painted(drawn, drawn[-1].at)


def test_old_changes_are_forgotten() -> None:
    drawn = [Stroke(at, WHOLE, bytes([int(at), 0, 0, 0]) * WHOLE.area) for at in (0.0, 1.0, 2.0, 3.0, 4.0)]
    assert [frame.at for frame in history(drawn, seconds=2).clip(100, 4).frames] == [2.0, 3.0, 4.0]


def test_a_long_busy_clip_is_thinned_to_both_ends() -> None:
    drawn = [Stroke(float(at), WHOLE, bytes([at, 0, 0, 0]) * WHOLE.area) for at in range(20)]
    frames = history(drawn).clip(100, 19, max_frames=4).frames
    assert [frame.at for frame in frames] == [0, 6, 13, 19]
    assert all(frame.image == painted(drawn, frame.at) for frame in frames)
    assert [frame.at for frame in history(drawn).clip(100, 19, max_frames=1).frames] == [19]


def test_nothing_seen_yet_is_an_empty_clip() -> None:
    clip = ScreenHistory((4, 4)).clip(5, now=10)
    assert clip.frames == ()
    with pytest.raises(SpecError, match="empty"):
        clip.sample(1)


@pytest.mark.parametrize(
    ("box", "size"),
    [(Box(0, 0, 5, 1), 20), (Box(-1, 0, 2, 1), 8), (Box(0, 0, 2, 2), 15), (Box(0, 0, 0, 2), 0), (Box(0, 0, -1, -1), 4)],
)
def test_what_does_not_fit_the_screen_is_refused(box: Box, size: int) -> None:
    with pytest.raises(SpecError, match="do not fit"):
        ScreenHistory((4, 4)).add(0, box, bytes(size))


def colours(*found: tuple[float, str]) -> Clip:
    frames = tuple(ClipFrame(at=at, image=Image.new("RGB", (16, 8), colour)) for at, colour in found)
    return Clip(frames=frames, end=10.0)


CLIP = colours((0.0, "red"), (5.0, "lime"), (9.0, "blue"))


def test_samples_lie_evenly_in_time() -> None:
    samples = CLIP.sample(5)
    assert [frame.at for frame in samples] == [0, 2.5, 5, 7.5, 10]
    assert [frame.image.getpixel((0, 0)) for frame in samples] == [(255, 0, 0)] * 2 + [(0, 255, 0)] * 2 + [(0, 0, 255)]
    assert [frame.at for frame in CLIP.sample(1)] == [10]
    assert [frame.at for frame in colours((4.0, "red")).sample(3)] == [4, 7, 10]
    with pytest.raises(SpecError, match="0 frames"):
        CLIP.sample(0)


@pytest.mark.parametrize("form", ["gif", "webp"])
def test_animations_keep_frames_and_times(form: str) -> None:
    with Image.open(io.BytesIO(getattr(CLIP, form)())) as animation:
        durations = []
        for index in range(animation.n_frames):
            animation.seek(index)
            animation.load()
            durations.append(animation.info["duration"])
            error = np.abs(np.asarray(animation.convert("RGB"), int) - np.asarray(CLIP.frames[index].image, int))
            assert error.max() < 12
    assert durations == [5000, 4000, 1000]


def test_saved_as_its_suffix_says(tmp_path: Path) -> None:
    for suffix, form in ((".gif", "GIF"), (".webp", "WEBP")):
        path = CLIP.save(tmp_path / f"clip{suffix}")
        with Image.open(path) as image:
            assert image.format == form
    with pytest.raises(SpecError, match="'.avi'"):
        CLIP.save(tmp_path / "clip.avi")


def test_saved_as_video(tmp_path: Path) -> None:
    av = pytest.importorskip("av")
    path = CLIP.save(tmp_path / "clip.mp4")
    with av.open(str(path)) as container:
        frames = [(round(frame.time * 1000), frame.to_ndarray(format="rgb24")) for frame in container.decode(video=0)]
        assert container.duration == 10_000_000
    assert [time for time, _ in frames] == [0, 5000, 9000]
    for (_, pixels), frame in zip(frames, CLIP.frames, strict=True):
        assert np.abs(pixels.astype(int) - np.asarray(frame.image, int)).max() < 12
