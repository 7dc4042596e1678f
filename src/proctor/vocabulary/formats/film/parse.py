"""Films, and lists of what to play."""

from __future__ import annotations

import posixpath
import re
from typing import Any
from urllib.parse import unquote

from proctor.home import absolute
from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guarded_xml import parse_xml
from proctor.vocabulary.formats.sound import parse as sound
from proctor.vocabulary.formats.sound.parse import MOST_SECONDS, decoder, open_container, streams_of, tags_of

MOST_FRAMES = 20_000
MOST_PIXELS = 40_000_000
SHOWN = (64, 36)
"""Films are compared by pictures of this size."""


def preload() -> None:
    """Load the library where it is installed."""
    sound.preload()


def playlist_files(data: bytes, path: str) -> dict[str, object]:
    """Return the files on a play list by their full paths."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CannotSee("unreadable", f"{path} is not a playlist in UTF-8") from error
    folder = posixpath.dirname(absolute(path))
    named = _locations(data, path) if "<playlist" in text else entries(text)
    listed = titles(text) if "<playlist" not in text else _titles(data, path)
    return {"path": path, "files": [_resolve(entry, folder) for entry in named], "derived": {"titles": listed}}


def _locations(data: bytes, path: str) -> list[str]:
    """Return what a play list in XSPF names: addresses, in which a sign may be written by its number."""
    root = parse_xml(data, path)
    tracks = root.findall("{*}trackList/{*}track") if root.tag.rpartition("}")[2] == "playlist" else []
    found = [(track.findtext("{*}location") or "").strip() for track in tracks]
    return [name if name.startswith("file:") else unquote(name) for name in found if name]


def entries(text: str) -> list[str]:
    """Return what a play list of lines names, as it is written there."""
    lines = [line.strip() for line in text.splitlines()]
    if lines and lines[0].lower() == "[playlist]":
        numbered = [re.match(r"file([0-9]{1,9})\s*=\s*(.*)", line, re.IGNORECASE) for line in lines]
        found = sorted((int(match[1]), match[2]) for match in numbered if match)
        return [name for _, name in found]
    return [line for line in lines if line and not line.startswith("#")]


def titles(text: str) -> list[str]:
    """Return what a play list of lines says beside the files: their titles, and how to play them."""
    lines = [line.strip() for line in text.splitlines()]
    if lines and lines[0].lower() == "[playlist]":
        return [line for line in lines if re.match(r"(title|length)[0-9]+\s*=", line, re.IGNORECASE)]
    return [line for line in lines if line.startswith("#") and line != "#EXTM3U"]


def _titles(data: bytes, path: str) -> list[str]:
    tracks = parse_xml(data, path).findall("{*}trackList/{*}track")
    told = ((track.findtext("{*}title") or "", track.findtext("{*}annotation") or "") for track in tracks)
    return [" - ".join(filter(None, each)) for each in told]


def watch(path: str, data: bytes) -> dict[str, Any]:
    """Return what the bytes of a film show."""
    with open_container(path, data) as container:
        if not container.streams.video:
            raise CannotSee("unreadable", f"{path} holds no pictures that move")
        stream = container.streams.video[0]
        context = stream.codec_context
        if context.width * context.height > MOST_PIXELS:
            raise CannotSee("refused", f"{path} says its pictures are {context.width} x {context.height}, too large")
        colours, last = _seconds(path, container, stream)
        rate = float(stream.average_rate or 0)
        return {
            "path": path,
            "format": container.format.name.partition(",")[0],
            "codec": context.name,
            "width": context.width,
            "height": context.height,
            "rate": round(rate, 2),
            "seconds": round(last + (1 / rate if rate else 0), 2),
            "sound": bool(container.streams.audio),
            "title": tags_of(container, stream).get("title", ""),
            "tags": {key: value for key, value in tags_of(container, stream).items() if key != "title"},
            "streams": streams_of(container),
            "heard": _sound_of(container),
            "colours": colours,
        }


def _sound_of(container: Any) -> list[dict[str, object]]:
    """Return how the sound of a film is kept."""
    contexts = [stream.codec_context for stream in container.streams.audio]
    return [{"codec": each.name, "rate": each.sample_rate, "channels": each.channels} for each in contexts]


def _seconds(path: str, container: Any, stream: Any) -> tuple[list[list[int]], float]:
    """Return the mean colour at the start of each second, and when the last picture is shown."""
    av = decoder()
    colours: list[list[int]] = []
    first, last = None, 0.0
    try:
        for number, frame in enumerate(container.decode(stream)):
            time = float(frame.time or 0.0)
            first = time if first is None else first
            last = max(last, time - first)
            if number > MOST_FRAMES or last > MOST_SECONDS:
                raise CannotSee("refused", f"{path} is longer than the videos that are looked at")
            if last >= len(colours):
                pixels = frame.to_ndarray(format="rgb24", width=SHOWN[0], height=SHOWN[1])
                colours.append([round(float(value)) for value in pixels.mean(axis=(0, 1))])
    except (av.FFmpegError, ValueError) as error:
        raise CannotSee("unreadable", f"{path} is a broken video: {error}") from error
    if not colours:
        raise CannotSee("unreadable", f"{path} holds no pictures")
    return colours, last


def _resolve(name: str, folder: str) -> str:
    if name.startswith("file://"):
        name = unquote(name.removeprefix("file://").removeprefix("localhost"))
    return name if "://" in name else posixpath.normpath(posixpath.join(folder, name))
