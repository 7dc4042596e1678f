"""Probes that listen to recordings."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from proctor.errors import MissingExtra
from proctor.tasks.finding import CannotSee
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES

RATE = 22_050
SLICE_SEC = 0.1
MOST_SECONDS = 1800
SILENCE_DB = -90.0
DEMUXERS = "wav,w64,flac,ogg,mp3,mov,mp4,m4a,matroska,webm,avi,aiff,au"
"""What is opened at all: no formats that name other files or addresses."""
TAGS = ("title", "artist", "album", "album_artist", "genre", "date", "track", "comment")


@PROBES.register
def sound(scene: Scene, path: str) -> dict[str, Any]:
    """What a recording is: length, rate, channels, tags, and its loudness and pitch for each tenth of a second."""
    return listen(path, scene.read(path))


@PROBES.register
def sound_before(scene: Scene, path: str) -> dict[str, Any]:
    """What a recording was when the task began."""
    data = scene.computer.before(path)
    if data is None:
        raise CannotSee("absent", f"there was no recording {path} when the task began")
    return listen(path, data)


def listen(path: str, data: bytes) -> dict[str, Any]:
    """Return what the bytes of a sound file hold."""
    with opened(path, data) as container:
        if not container.streams.audio:
            raise CannotSee("unreadable", f"{path} holds no sound")
        stream = container.streams.audio[0]
        tags = tags_of(container, stream)
        described = {
            "path": path,
            "format": container.format.name.partition(",")[0],
            "codec": stream.codec_context.name,
            "rate": stream.codec_context.sample_rate,
            "channels": stream.codec_context.channels,
            "tags": tags,
        }
        samples = _samples(path, container, stream)
    slices = list(_sliced(samples))
    loudness = [_decibels(piece) for piece in slices]
    return {
        **described,
        "seconds": round(len(samples) / RATE, 3),
        "slice": SLICE_SEC,
        "loudness": loudness,
        "pitch": [_pitch(piece) if loud > -60 else 0 for piece, loud in zip(slices, loudness, strict=True)],
    }


def opened(path: str, data: bytes) -> Any:
    """Return an open container of bytes; nothing but these bytes is ever read."""
    try:
        import av
    except ImportError as error:
        raise MissingExtra("looking at sound and film", "video") from error
    options = {"format_whitelist": DEMUXERS, "protocol_whitelist": "none"}
    try:
        return av.open(io.BytesIO(data), options=options, metadata_errors="replace")
    except (av.FFmpegError, ValueError) as error:
        raise CannotSee("unreadable", f"{path} is neither sound nor film, or it is broken") from error


def tags_of(container: Any, stream: Any) -> dict[str, str]:
    """Return the tags of a file, whether they stand with the file or with its stream."""
    every = {key.lower(): value for source in (container, stream) for key, value in source.metadata.items()}
    every.setdefault("track", every.get("tracknumber", ""))
    return {key: every[key] for key in TAGS if every.get(key)}


def _samples(path: str, container: Any, stream: Any) -> npt.NDArray[np.float64]:
    import av

    resampler = av.AudioResampler(format="flt", layout="mono", rate=RATE)
    pieces: list[npt.NDArray[Any]] = []
    count = 0
    try:
        for frame in _frames(container, stream):
            for piece in resampler.resample(frame):
                pieces.append(piece.to_ndarray().reshape(-1))
                count += len(pieces[-1])
            if count > MOST_SECONDS * RATE:
                raise CannotSee("refused", f"{path} plays longer than the {MOST_SECONDS} seconds that are listened to")
        pieces += [piece.to_ndarray().reshape(-1) for piece in resampler.resample(None)]
    except (av.FFmpegError, ValueError) as error:
        raise CannotSee("unreadable", f"{path} is a broken recording: {error}") from error
    if not pieces:
        raise CannotSee("unreadable", f"{path} holds no sound")
    return np.concatenate(pieces).astype(np.float64)


def _frames(container: Any, stream: Any) -> Iterator[Any]:
    for packet in container.demux(stream):
        # VLC ends an OGG file with a packet that is empty. Players pass over it; the decoder takes it for an error.
        if packet.size or packet.dts is None:
            yield from packet.decode()


def _sliced(samples: npt.NDArray[np.float64]) -> Iterator[npt.NDArray[np.float64]]:
    length = round(SLICE_SEC * RATE)
    for start in range(0, len(samples), length):
        yield samples[start : start + length]


def _decibels(piece: npt.NDArray[np.float64]) -> float:
    power = float(np.mean(np.square(piece)))
    return round(max(10 * math.log10(power), SILENCE_DB), 1) if power > 0 else SILENCE_DB


def _pitch(piece: npt.NDArray[np.float64]) -> int:
    """Return the strongest frequency in hertz."""
    spectrum = np.abs(np.fft.rfft(piece * np.hanning(len(piece)), 8 * len(piece)))
    return round(float(np.argmax(spectrum)) * RATE / (8 * len(piece)))
