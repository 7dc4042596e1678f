"""H.264 video whose every frame is on disk, and playable, the moment it is written."""

from __future__ import annotations

import contextlib
import io
import re
import struct
from collections.abc import Sequence
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from proctor.errors import MissingExtra
from proctor.observations.box import Box

if TYPE_CHECKING:
    from av.packet import Packet
    from av.video.stream import VideoStream

Pixels = npt.NDArray[np.uint8]
"""Rows of pixels: height x width x channels."""

_TICKS = 1000  # a second, so that times are whole milliseconds
_KEYFRAME_EVERY = 50
_START_CODE = re.compile(b"\x00{2,}\x01")
_KEY_SAMPLE, _OTHER_SAMPLE = 0x02000000, 0x01010000
_BT709 = 1
_BLOCK = 16
"""Edges of what is converted anew lie on multiples of it, so that no pair of pixels that shares a colour is torn."""


def available() -> bool:
    """Tell whether the `video` extra is installed."""
    return find_spec("av") is not None


class VideoWriter:
    """Writes a fragmented MP4, one fragment per frame, at true times.

    The muxers of FFmpeg keep a frame back until they see the next one, which on a quiet screen may be minutes later.
    Here FFmpeg encodes and writes the head of the file; the fragments, 100 bytes around each frame, are written here,
    so a reader (or a crash) at any moment finds every frame given so far.
    """

    def __init__(self, path: Path, size: tuple[int, int], *, crf: int = 23) -> None:
        if not available():
            raise MissingExtra("writing video", "video")
        # H.264 with 4:2:0 colour has even sides only: an odd screen gets one black line more.
        self._width, self._height = size
        self._padded = (size[0] + size[0] % 2, size[1] + size[1] % 2)
        self._stream, head = _encoder(self._padded, crf)
        self._frame: Any = None
        """The last one, as it was encoded."""
        self._frames = 0
        self._last_ms = -1
        self._duration_at = 0
        self._file = path.open("wb")
        try:
            self._file.write(head)
            self._file.flush()
        except OSError:
            with contextlib.suppress(OSError):  # closing tries to write once more
                self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_ended: object) -> None:
        self.close(self._last_ms + 1)

    @property
    def frames(self) -> int:
        """How many frames are on disk."""
        return self._frames

    def add(self, at_ms: int, pixels: Pixels, changed: Sequence[Box] | None = None) -> int:
        """Write a frame (BGRX or RGB), converting what `changed`; return its time, moved on if need be."""
        at_ms = max(at_ms, self._last_ms + 1)
        frame = self._convert(pixels, changed)
        frame.pts = at_ms
        frame.time_base = Fraction(1, _TICKS)
        for packet in self._stream.encode(frame):
            self._write(at_ms, packet)
        return at_ms

    def _convert(self, pixels: Pixels, changed: Sequence[Box] | None) -> Any:
        """Return a frame as it is encoded; what did not change is kept from the one before."""
        padded = self._pad(pixels)
        if (
            self._frame is None
            or changed is None
            or 2 * sum(box.area for box in changed) > padded.shape[0] * padded.shape[1]
        ):
            self._frame = _yuv(padded)
            return self._frame
        self._frame.make_writable()
        for box in changed:
            left, top = box.x // _BLOCK * _BLOCK, box.y // _BLOCK * _BLOCK
            part = _yuv(padded[top : _up(box.y + box.height), left : _up(box.x + box.width)])
            for number, (whole, fresh) in enumerate(zip(self._frame.planes, part.planes, strict=True)):
                half = 2 if number else 1
                rows = _rows(fresh)[:, : part.width // half]
                _rows(whole)[top // half :, left // half :][: rows.shape[0], : rows.shape[1]] = rows
        return self._frame

    def close(self, at_ms: int) -> None:
        """End the video: its last frame lasts until this time; closing twice has no effect."""
        if self._file.closed:
            return
        try:
            self._set_last_duration(at_ms)
        finally:
            self._file.close()

    def _pad(self, pixels: Pixels) -> Pixels:
        extra = self._padded[1] - self._height, self._padded[0] - self._width
        return np.pad(pixels, ((0, extra[0]), (0, extra[1]), (0, 0))) if any(extra) else pixels

    def _write(self, at_ms: int, packet: Packet[VideoStream]) -> None:
        self._set_last_duration(at_ms)
        fragment, duration_at = _fragment(self._frames + 1, at_ms, _sample(bytes(packet)), packet.is_keyframe)
        start = self._file.tell()
        # Readers give up on a file with half a `moof`, but skip what is `free`: the name comes last, and with it the
        # frame, so that neither a full disk nor a sudden end can spoil the frames before.
        self._file.write(fragment.replace(b"moof", b"free", 1))
        self._file.flush()
        self._patch(start + 4, b"moof")
        self._duration_at = start + duration_at
        self._frames += 1
        self._last_ms = at_ms

    def _set_last_duration(self, until_ms: int) -> None:
        """Put the true duration of the last frame in the place kept for it."""
        if self._frames:
            self._patch(self._duration_at, struct.pack(">I", max(until_ms - self._last_ms, 1)))

    def _patch(self, place: int, data: bytes) -> None:
        self._file.seek(place)
        self._file.write(data)
        self._file.flush()
        self._file.seek(0, io.SEEK_END)


def _yuv(pixels: Pixels) -> Any:
    import av

    form = "bgra" if pixels.shape[2] == 4 else "rgb24"
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format=form)
    return frame.reformat(format="yuv420p", dst_colorspace=_BT709)


def _rows(plane: Any) -> npt.NDArray[np.uint8]:
    return np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)


def _up(edge: int) -> int:
    return -(-edge // _BLOCK) * _BLOCK


def _encoder(size: tuple[int, int], crf: int) -> tuple[Any, bytes]:
    """Return an open video stream and the head of the file that describes it."""
    import av

    head = io.BytesIO()
    flags = {"movflags": "empty_moov+default_base_moof", "video_track_timescale": str(_TICKS)}
    container = av.open(head, "w", format="mp4", container_options=flags)
    # One thread and no look-ahead: a frame comes out at once, and the work in front of the screen keeps the processor.
    options = {"preset": "ultrafast", "tune": "zerolatency", "crf": str(crf), "threads": "1"}
    stream = container.add_stream("libx264", rate=10, options=options)
    stream.width, stream.height = size
    stream.pix_fmt = "yuv420p"
    stream.time_base = stream.codec_context.time_base = Fraction(1, _TICKS)
    stream.codec_context.gop_size = _KEYFRAME_EVERY
    stream.codec_context.colorspace = stream.codec_context.color_primaries = stream.codec_context.color_trc = _BT709
    container.start_encoding()
    return stream, head.getvalue()


def _sample(packet: bytes) -> bytes:
    """Turn start codes between the units of a picture into lengths, as MP4 keeps them."""
    units = [unit for unit in _START_CODE.split(packet) if unit]
    return b"".join(struct.pack(">I", len(unit)) + unit for unit in units)


def _fragment(number: int, at_ms: int, sample: bytes, is_key: bool) -> tuple[bytes, int]:
    """Return a fragment of one sample and the offset inside it where the sample's duration stands."""

    def run(offset: int) -> bytes:
        flags = _KEY_SAMPLE if is_key else _OTHER_SAMPLE
        # Present: offset of the data, and duration, size and flags of the one sample.
        return _box(b"trun", struct.pack(">IIIIII", 0x000701, 1, offset, _TICKS // 10, len(sample), flags))

    def head(offset: int) -> bytes:
        track = _box(b"tfhd", struct.pack(">II", 0x020000, 1))  # one track, offsets from the start of this box
        time = _box(b"tfdt", struct.pack(">IQ", 0x01000000, at_ms))
        return _box(b"moof", _box(b"mfhd", struct.pack(">II", 0, number)) + _box(b"traf", track + time + run(offset)))

    size = len(head(0))
    duration_at = size - 12
    return head(size + 8) + _box(b"mdat", sample), duration_at


def _box(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data) + 8) + kind + data
