"""Recordings of sound."""

from __future__ import annotations

import importlib
import io
import math
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from proctor.errors import MissingExtra
from proctor.tasks.findings import CannotSee

RATE = 22_050
SLICE_SEC = 0.1
SWINGS = 5
"""Parts of a slice whose loudness is set side by side."""
MOST_SECONDS = 1800
SILENCE_DB = -90.0
LOUDEST = 1e6
DEMUXERS = "wav,w64,flac,ogg,mp3,mov,mp4,m4a,matroska,webm,avi,aiff,au"
"""What is opened at all: no formats that name other files or addresses."""
MOST_TAGS, MOST_TAG, MOST_STREAMS = 100, 2_000, 40
OF_PROGRAMS = ("encoder", "encoded_by", "tracknumber", "major_brand", "minor_version", "compatible_brands", "duration")
TAGS = ("title", "artist", "album", "album_artist", "genre", "date", "track", "comment")


def preload() -> None:
    """Load the library where it is installed, with the parts of it that it would load later."""
    np.fft.rfft(np.zeros(8))
    av = decoder()
    for part in ("subtitles.stream", "subtitles.codec", "subtitles.subtitle") if av else ():
        with suppress(ImportError):
            importlib.import_module(f"av.{part}")


def listen(path: str, data: bytes) -> dict[str, Any]:
    """Return what the bytes of a sound file hold."""
    with open_container(path, data) as container:
        if not container.streams.audio:
            raise CannotSee("unreadable", f"{path} holds no sound")
        stream = container.streams.audio[0]
        described = {
            "path": path,
            "format": container.format.name.partition(",")[0],
            "codec": stream.codec_context.name,
            "rate": stream.codec_context.sample_rate,
            "channels": stream.codec_context.channels,
            "tags": tags_of(container, stream),
            "bits": _bits(stream),
            "other_tags": _other_tags(container, stream),
            "streams": streams_of(container),
        }
        count, loudness, pitch, swing, purity = 0, [], [], [], []
        # Only a tenth of a second is kept at a time: half an hour is no small thing.
        for piece in _slices(_samples(path, container, stream)):
            count += len(piece)
            loudness.append(_decibels(piece))
            pitch.append(_pitch(piece) if loudness[-1] > -60 else 0)
            swing.append(_swing(piece) if loudness[-1] > -60 else 0.0)
            purity.append(_purity(piece) if loudness[-1] > -60 else 0.0)
    if not count:
        raise CannotSee("unreadable", f"{path} holds no sound")
    heard = {"loudness": loudness, "pitch": pitch, "swing": swing, "purity": purity}
    return {**described, "seconds": round(count / RATE, 3), "slice": SLICE_SEC, **heard}


def decoder() -> Any:
    """Return the library that decodes sound and film; None where it is not installed."""
    try:
        return importlib.import_module("av")
    except ImportError:
        return None


def open_container(path: str, data: bytes) -> Any:
    """Return an open container of bytes; nothing but these bytes is ever read."""
    av = decoder()
    if av is None:
        raise MissingExtra("looking at sound and film", "video")
    options = {"format_whitelist": DEMUXERS, "protocol_whitelist": "none"}
    try:
        container = av.open(io.BytesIO(data), options=options, metadata_errors="replace")
    except (av.FFmpegError, ValueError) as error:
        raise CannotSee("unreadable", f"{path} is neither audio nor video, or it is broken") from error
    for stream in container.streams:
        if stream.type in ("audio", "video"):
            stream.codec_context.thread_count = 1  # more cannot be started in the cage
    return container


def tags_of(container: Any, stream: Any) -> dict[str, str]:
    """Return the tags of a file, whether they stand with the file or with its stream."""
    every = {key.lower(): value for source in (container, stream) for key, value in source.metadata.items()}
    every.setdefault("track", every.get("tracknumber", ""))
    return {key: every[key] for key in TAGS if every.get(key)}


def _other_tags(container: Any, stream: Any) -> dict[str, str]:
    """Return all other tags, but for what programs write about themselves."""
    every = {key.lower(): str(value) for source in (container, stream) for key, value in source.metadata.items()}
    others = sorted(key for key in every if key not in (*TAGS, *OF_PROGRAMS))
    return {key[:MOST_TAG]: every[key][:MOST_TAG] for key in others[:MOST_TAGS]}


def streams_of(container: Any) -> list[dict[str, object]]:
    """Return every stream of a file: sound, pictures (also the one of a cover) and texts."""
    return [
        {
            "kind": stream.type,
            **({"language": stream.metadata["language"]} if stream.metadata.get("language", "und") != "und" else {}),
        }
        for stream in list(container.streams)[:MOST_STREAMS]
    ]


def _bits(stream: Any) -> int:
    """Return how finely each sample is told; 0 where a codec has no such measure."""
    exact = re.search(r"pcm_[usf](\d+)", stream.codec_context.name)
    form = stream.codec_context.format
    return int(exact[1]) if exact else int(form.bits) if form is not None and not form.is_planar else 0


def _samples(path: str, container: Any, stream: Any) -> Iterator[npt.NDArray[np.float64]]:
    av = decoder()
    resampler = av.AudioResampler(format="flt", layout="mono", rate=RATE)
    count = 0
    try:
        for frame in chain(_frames(container, stream), (None,)):  # the last one brings what is left
            for piece in resampler.resample(frame):
                samples = piece.to_ndarray().reshape(-1).astype(np.float64)
                # A file may hold numbers that are none, and louder ones than can be squared.
                yield np.clip(np.nan_to_num(samples), -LOUDEST, LOUDEST)
                count += len(samples)
            if count > MOST_SECONDS * RATE:
                raise CannotSee("refused", f"{path} plays longer than the {MOST_SECONDS} seconds that are listened to")
    except (av.FFmpegError, ValueError) as error:
        raise CannotSee("unreadable", f"{path} is a broken recording: {error}") from error


def _frames(container: Any, stream: Any) -> Iterator[Any]:
    for packet in container.demux(stream):
        # VLC ends an OGG file with a packet that is empty. Players pass over it; the decoder takes it for an error.
        if packet.size or packet.dts is None:
            yield from packet.decode()


def _slices(samples: Iterable[npt.NDArray[np.float64]]) -> Iterator[npt.NDArray[np.float64]]:
    length = round(SLICE_SEC * RATE)
    rest = np.zeros(0)
    for piece in samples:
        rest = np.concatenate([rest, piece])
        whole = len(rest) - len(rest) % length
        yield from (rest[start : start + length] for start in range(0, whole, length))
        rest = rest[whole:]
    if len(rest):
        yield rest


def _decibels(piece: npt.NDArray[np.float64]) -> float:
    power = float(np.mean(np.square(piece)))
    return round(max(10 * math.log10(power), SILENCE_DB), 1) if power > 0 else SILENCE_DB


def _swing(piece: npt.NDArray[np.float64]) -> float:
    """Return the decibels between the loudest and the quietest fiftieth of a second in a slice."""
    parts = [_decibels(part) for part in np.array_split(piece, SWINGS)]
    return round(max(parts) - min(parts), 1)


def _purity(piece: npt.NDArray[np.float64]) -> float:
    """Return how much of a slice is its strongest tone, from 0 to 1."""
    power = np.square(np.abs(np.fft.rfft(piece * np.hanning(len(piece)))))
    top, whole = int(np.argmax(power)), float(power.sum())
    return round(float(power[max(0, top - 3) : top + 4].sum()) / whole, 2) if whole > 0 else 0.0


def _pitch(piece: npt.NDArray[np.float64]) -> int:
    """Return the strongest frequency in hertz."""
    spectrum = np.abs(np.fft.rfft(piece * np.hanning(len(piece)), 8 * len(piece)))
    return round(float(np.argmax(spectrum)) * RATE / (8 * len(piece)))
