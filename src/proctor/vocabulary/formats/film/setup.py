"""Setup steps that make films, painted scene by scene with or without sound, and play lists."""

from __future__ import annotations

import io
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from proctor.errors import MissingExtra, SpecError
from proctor.tasks.model import PlainModel
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.formats.pictures.setup import Colour, Shape, paint
from proctor.vocabulary.formats.sound.setup import RATE, Note, encode, samples_of

CODECS = {"mp4": ("libx264", "aac"), "mkv": ("libx264", "aac"), "webm": ("libvpx", "")}
SOUND_RATE = RATE


class Scene(PlainModel):
    """What a film shows for a while."""

    seconds: Annotated[float, Field(gt=0, le=600)]
    background: Colour = "#000000"
    shapes: tuple[Shape, ...] = ()


@SETUP.register
def film(
    context: SetupContext,
    path: str,
    size: tuple[
        Annotated[int, Field(ge=16, le=3840, multiple_of=2)], Annotated[int, Field(ge=16, le=2160, multiple_of=2)]
    ],
    scenes: Annotated[tuple[Scene, ...], Field(min_length=1)],
    rate: Annotated[int, Field(ge=1, le=60)] = 10,
    notes: tuple[Note, ...] = (),
    title: str = "",
) -> None:
    """Write a video of still scenes in the format of its file name (mp4, mkv, webm)."""
    context.computer.write_file(path, film_file(path, size, scenes, rate, notes, title))


@SETUP.register
def playlist(context: SetupContext, path: str, files: list[str], form: Literal["m3u", "pls"] = "m3u") -> None:
    """Write a playlist of files, named relative to its folder or by full path."""
    if form == "m3u":
        lines = ["#EXTM3U", *files]
    else:
        entries = [f"File{place}={file}" for place, file in enumerate(files, 1)]
        lines = ["[playlist]", *entries, f"NumberOfEntries={len(files)}", "Version=2"]
    context.computer.write_file(path, "".join(f"{line}\n" for line in lines).encode())


def film_file(
    path: str,
    size: tuple[int, int],
    scenes: tuple[Scene, ...],
    rate: int,
    notes: tuple[Note, ...] = (),
    title: str = "",
) -> bytes:
    """Return scenes as a film file of the format its name ends with."""
    try:
        import av
    except ImportError as error:
        raise MissingExtra("making films", "video") from error
    ending = PurePosixPath(path).suffix.lstrip(".").lower()
    if ending not in CODECS:
        raise SpecError(f"no video can be written as {path!r}", remedy=f"end its name in: {', '.join(CODECS)}")
    picture_codec, sound_codec = CODECS[ending]
    if notes and not sound_codec:
        raise SpecError(f"a video named {path!r} is made without sound", remedy="leave the notes out, or name it .mp4")
    buffer = io.BytesIO()
    with av.open(buffer, "w", format={"mkv": "matroska"}.get(ending, ending)) as container:
        exact: Any = av.container.Flags.bitexact
        container.flags |= exact.value
        if title:
            container.metadata["title"] = title
        pictures: Any = container.add_stream(picture_codec, rate=Fraction(rate))
        pictures.width, pictures.height = size
        pictures.pix_fmt = "yuv420p"
        sounds: Any = container.add_stream(sound_codec, rate=SOUND_RATE, layout="mono") if notes else None
        _show(container, pictures, size, scenes, rate)
        if notes:
            encode(container, sounds, samples_of(notes, SOUND_RATE), SOUND_RATE)
    return buffer.getvalue()


def _show(container: Any, stream: Any, size: tuple[int, int], scenes: tuple[Scene, ...], rate: int) -> None:
    import av

    for scene in scenes:
        pixels = np.asarray(paint(*size, scene.background, scene.shapes).convert("RGB"))
        for _ in range(round(scene.seconds * rate)):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
    container.mux(stream.encode(None))
