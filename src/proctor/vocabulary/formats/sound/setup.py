"""Setup steps that make recordings: notes and pauses, with tags."""

from __future__ import annotations

import io
from pathlib import PurePosixPath
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from proctor.errors import MissingExtra, SpecError
from proctor.tasks.model import PlainModel
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP

Samples = npt.NDArray[np.int16]

RATE = 44_100
CODECS = {"wav": "pcm_s16le", "flac": "flac", "ogg": "libopus", "opus": "libopus", "mp3": "libmp3lame"}
EDGE_SEC = 0.01
"""Notes swell and fade this fast, so that none begins with a crack."""


class Note(PlainModel):
    """One tone, or a pause where its pitch is 0."""

    hertz: Annotated[float, Field(ge=0, le=20_000)]
    seconds: Annotated[float, Field(gt=0, le=3600)]
    loudness: Annotated[float, Field(ge=0, le=1)] = 0.5
    """1 is the loudest that can be recorded."""


@SETUP.register
def sound(
    context: SetupContext,
    path: str,
    notes: Annotated[tuple[Note, ...], Field(min_length=1)],
    tags: dict[str, str] | None = None,
) -> None:
    """Write a recording of notes, with tags (title, artist, genre), in the format of its file name."""
    context.computer.write_file(path, sound_file(path, notes, tags or {}))


def samples_of(notes: tuple[Note, ...], rate: int = RATE) -> Samples:
    """Return notes one after another as samples."""
    return np.concatenate([_tone(note, rate) for note in notes])


def sound_file(path: str, notes: tuple[Note, ...], tags: dict[str, str]) -> bytes:
    """Return notes as a sound file of the format its name ends with."""
    try:
        import av
    except ImportError as error:
        raise MissingExtra("making recordings", "video") from error
    ending = PurePosixPath(path).suffix.lstrip(".").lower()
    if ending not in CODECS:
        raise SpecError(f"no sound can be written as {path!r}", remedy=f"end its name in: {', '.join(CODECS)}")
    rate = 48_000 if CODECS[ending] == "libopus" else RATE
    buffer = io.BytesIO()
    with av.open(buffer, "w", format="ogg" if ending == "opus" else ending) as container:
        exact: Any = av.container.Flags.bitexact
        container.flags |= exact.value
        stream: Any = container.add_stream(CODECS[ending], rate=rate, layout="mono")
        # Ogg keeps tags with the stream, the others with the file.
        (stream if ending in ("ogg", "opus") else container).metadata.update(tags)
        encode(container, stream, samples_of(notes, rate), rate)
    return buffer.getvalue()


def encode(container: Any, stream: Any, samples: Samples, rate: int) -> None:
    """Write samples to a stream of an open container, and end the stream."""
    import av

    resampler = av.AudioResampler(format=stream.format, layout="mono", rate=rate, frame_size=stream.frame_size or 1024)
    frame = av.AudioFrame.from_ndarray(samples.reshape(1, -1), format="s16", layout="mono")
    frame.sample_rate, frame.pts = rate, 0
    for piece in [*resampler.resample(frame), *resampler.resample(None)]:
        container.mux(stream.encode(piece))
    container.mux(stream.encode(None))


def _tone(note: Note, rate: int) -> Samples:
    count = round(note.seconds * rate)
    if note.hertz == 0:
        return np.zeros(count, np.int16)
    wave = note.loudness * np.sin(2 * np.pi * note.hertz * np.arange(count) / rate)
    edge = min(round(EDGE_SEC * rate), count // 2)
    swell = np.minimum(1.0, np.minimum(np.arange(count), np.arange(count)[::-1]) / max(edge, 1))
    return np.asarray(np.round(wave * swell * 32_767), np.int16)
