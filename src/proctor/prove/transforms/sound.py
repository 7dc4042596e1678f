"""Transforms of sound: WAV as samples, FLAC and Ogg by what they say of themselves."""

from __future__ import annotations

import io
import re
import wave
from collections.abc import Callable
from random import Random

from proctor.prove.transforms.shelf import Function, mutant, variant

WAV = ("*.wav",)
TAGGED = ("*.flac", "*.ogg")
MOST_BYTES = 64 * 2**20

Samples = tuple[wave._wave_params, bytes]


def _samples(data: bytes) -> Samples | None:
    if not data.startswith(b"RIFF") or len(data) > MOST_BYTES:
        return None
    try:
        with wave.open(io.BytesIO(data)) as sound:
            return sound.getparams(), sound.readframes(sound.getnframes())
    # A header can say anything of what follows.
    except Exception:
        return None


def _of_samples(change: Callable[[wave._wave_params, bytes], Samples]) -> Function:
    def of_bytes(data: bytes, draw: Random) -> bytes | None:
        if (found := _samples(data)) is None:
            return None
        params, frames = change(*found)
        out = io.BytesIO()
        try:
            with wave.open(out, "wb") as sound:
                sound.setparams(params)
                sound.writeframes(frames)
        except (wave.Error, OverflowError, ValueError):
            return None
        return out.getvalue()

    return of_bytes


@mutant("made silent", *WAV)
@_of_samples
def _silence(params: wave._wave_params, frames: bytes) -> Samples:
    return params, (b"\x80" if params.sampwidth == 1 else b"\0") * len(frames)


@mutant("cut to half its length", *WAV)
@_of_samples
def _halve(params: wave._wave_params, frames: bytes) -> Samples:
    whole = max(1, params.sampwidth * params.nchannels)
    return params, frames[: len(frames) // whole // 2 * whole]


@mutant("with a gap", *WAV)
@_of_samples
def _add_gap(params: wave._wave_params, frames: bytes) -> Samples:
    """Make a tenth of it silent, in the middle."""
    whole = max(1, params.sampwidth * params.nchannels)
    start, length = len(frames) // whole // 2 * whole, len(frames) // whole // 10 * whole
    quiet = (b"\x80" if params.sampwidth == 1 else b"\0") * length
    return params, frames[:start] + quiet + frames[start + length :]


@mutant("played at twice its speed", *WAV)
@_of_samples
def _speed_up(params: wave._wave_params, frames: bytes) -> Samples:
    return params._replace(framerate=params.framerate * 2), frames


@mutant("a tag changed", *TAGGED)
def _change_tag(data: bytes, draw: Random) -> bytes | None:
    found = list(re.finditer(rb"(?i)(?:TITLE|ARTIST|ALBUM|TRACKNUMBER|GENRE|DATE)=([ -~]{1,60})", data[:65536]))
    if not found:
        return None
    match = draw.choice(found)
    other = bytes(ord("q") if byte != ord("q") else ord("x") for byte in match.group(1)[:3])
    start = match.start(1)
    return data[:start] + other + data[start + len(other) :]


@variant("with a remark", *WAV)
def _add_remark(data: bytes, draw: Random) -> bytes | None:
    """Put a part behind the samples that players skip."""
    if _samples(data) is None or int.from_bytes(data[4:8], "little") + 8 != len(data) or len(data) % 2:
        return None
    part = b"LIST" + (12).to_bytes(4, "little") + b"INFOICMT" + bytes(4)
    return data[:4] + (len(data) + len(part) - 8).to_bytes(4, "little") + data[8:] + part
