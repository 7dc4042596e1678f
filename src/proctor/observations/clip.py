"""The last seconds of a screen: a bounded history of what changed, and the clip cut from it."""

from __future__ import annotations

import bisect
import io
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from isal import isal_zlib
from PIL import Image

from proctor.errors import SpecError
from proctor.observations import video
from proctor.observations.box import Box
from proctor.observations.video import Pixels

_SHORTEST_MS = 20  # browsers slow down animations with shorter frames


@dataclass(frozen=True, kw_only=True, slots=True)
class ClipFrame:
    """The screen from one moment on."""

    at: float
    """Seconds since the epoch."""
    image: Image.Image


@dataclass(frozen=True, kw_only=True, slots=True)
class Clip:
    """Some seconds of a screen: one frame per change, the first one showing how it began."""

    frames: tuple[ClipFrame, ...] = ()
    end: float = 0.0
    """When the last frame ceases to be shown, in seconds since the epoch."""

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return self.end - self.frames[0].at if self.frames else 0.0

    def at(self, moment: float) -> Image.Image:
        """Return what was on screen at a moment; before the first frame, that frame."""
        self._need_frames()
        place = bisect.bisect_right(self.frames, moment, key=lambda frame: frame.at)
        return self.frames[max(place - 1, 0)].image

    def sample(self, count: int) -> tuple[ClipFrame, ...]:
        """Return this many frames at even distances in time, the last one at the end; still times repeat."""
        self._need_frames()
        if count < 1:
            raise SpecError(f"cannot sample {count} frames of a clip", remedy="ask for 1 or more")
        step = self.seconds / max(count - 1, 1)
        moments = [self.end - step * left for left in reversed(range(count))]
        return tuple(ClipFrame(at=moment, image=self.at(moment)) for moment in moments)

    def gif(self) -> bytes:
        """Return the clip as an animated GIF (256 colours a frame)."""
        return self._animation("GIF", disposal=1)

    def webp(self, *, quality: int = 80) -> bytes:
        """Return the clip as an animated WebP."""
        return self._animation("WEBP", quality=quality, method=0)

    def save(self, path: Path) -> Path:
        """Write the clip as `.mp4`, `.webp` or `.gif`; without the `video` extra, MP4 becomes WebP."""
        path = Path(path)
        match path.suffix.lower():
            case ".gif":
                path.write_bytes(self.gif())
            case ".mp4" if video.available():
                self._write_video(path)
            case ".mp4" | ".webp":
                path = path.with_suffix(".webp")
                path.write_bytes(self.webp())
            case other:
                raise SpecError(
                    f"cannot save a clip as {other or 'a file without suffix'!r}", remedy="use .mp4 or .webp"
                )
        return path

    def _need_frames(self) -> None:
        if not self.frames:
            raise SpecError("the clip is empty", remedy="ask for it after the screen was first seen")

    def _durations_ms(self) -> list[int]:
        ends = [*(frame.at for frame in self.frames[1:]), self.end]
        return [max(round(1000 * (end - frame.at)), _SHORTEST_MS) for frame, end in zip(self.frames, ends, strict=True)]

    def _animation(self, form: str, **options: int) -> bytes:
        self._need_frames()
        sink = io.BytesIO()
        first, *others = (frame.image for frame in self.frames)
        first.save(sink, form, save_all=True, append_images=others, duration=self._durations_ms(), loop=0, **options)
        return sink.getvalue()

    def _write_video(self, path: Path) -> None:
        self._need_frames()
        start = self.frames[0].at
        with video.VideoWriter(path, self.frames[0].image.size) as writer:
            for frame in self.frames:
                writer.add(round(1000 * (frame.at - start)), np.asarray(frame.image.convert("RGB")))
            writer.close(round(1000 * self.seconds))


@dataclass(frozen=True, slots=True)
class _Patch:
    at: float
    box: Box
    data: bytes

    def paint(self, canvas: Pixels) -> None:
        x, y, width, height = self.box
        pixels = np.frombuffer(isal_zlib.decompress(self.data, bufsize=width * height * 3), np.uint8)
        canvas[y : y + height, x : x + width] = pixels.reshape(height, width, 3)


class ScreenHistory:
    """What a screen showed lately: how it began, and each changed rectangle since, compressed.

    It forgets by painting its oldest changes onto the beginning, so it stays within its seconds and bytes and every
    moment it still knows is exact.
    """

    def __init__(self, size: tuple[int, int], *, seconds: float = 30.0, max_bytes: int = 32 * 1024 * 1024) -> None:
        self.size = size
        self._seconds = seconds
        self._max_bytes = max_bytes
        self._start: Pixels = np.zeros((size[1], size[0], 3), np.uint8)
        self._start_at: float | None = None
        self._patches: deque[_Patch] = deque()
        self._bytes = 0

    @property
    def held_bytes(self) -> int:
        """How much the kept changes take, beside one full picture."""
        return self._bytes

    def add(self, at: float, box: Box, bgrx: bytes | memoryview) -> None:
        """Take in one rectangle as it looks now; times never run backwards."""
        x, y, width, height = box
        inside = box.area and box.intersect(Box(0, 0, *self.size)) == box
        if not inside or len(bgrx) != width * height * 4:
            raise SpecError(f"{len(bgrx)} bytes for {box} do not fit a screen of {self.size[0]}x{self.size[1]}")
        rgb = np.frombuffer(bgrx, np.uint8).reshape(height, width, 4)[:, :, 2::-1]
        if self._start_at is None:
            self._start_at = at
            self._start[y : y + height, x : x + width] = rgb
            return
        at = max(at, self._patches[-1].at if self._patches else self._start_at)
        patch = _Patch(at, box, isal_zlib.compress(np.ascontiguousarray(rgb), 1))
        self._patches.append(patch)
        self._bytes += len(patch.data)
        self._forget(at - self._seconds)

    def clip(self, seconds: float, now: float, *, max_frames: int = 30) -> Clip:
        """Return the last seconds, by frames at even places where more than `max_frames` changed."""
        if self._start_at is None or now < self._start_at or seconds <= 0 or max_frames < 1:
            return Clip(end=now)
        since = min(max(now - seconds, self._start_at), now)
        later = sorted({patch.at for patch in self._patches if since < patch.at <= now})
        moments = _thin_out([since, *later], max_frames)
        frames = tuple(ClipFrame(at=at, image=image) for at, image in zip(moments, self._compose(moments), strict=True))
        return Clip(frames=frames, end=now)

    def _compose(self, moments: list[float]) -> Iterator[Image.Image]:
        canvas = self._start.copy()
        patches = deque(self._patches)
        for moment in moments:
            while patches and patches[0].at <= moment:
                patches.popleft().paint(canvas)
            yield Image.fromarray(canvas.copy())

    def _forget(self, before: float) -> None:
        while self._patches and (self._patches[0].at <= before or self._bytes > self._max_bytes):
            patch = self._patches.popleft()
            patch.paint(self._start)
            self._start_at = patch.at
            self._bytes -= len(patch.data)


def _thin_out(moments: list[float], count: int) -> list[float]:
    """Keep the first and the last, and what lies at even places between."""
    if len(moments) <= count:
        return moments
    if count == 1:
        return moments[-1:]
    last = len(moments) - 1
    return [moments[round(place * last / (count - 1))] for place in range(count)]
