"""Recordings and play lists made without a window, as ways to do tasks and to cheat."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from proctor.tasks.shelves import hand
from proctor.tasks.task import Way


def by_wave(name: str, sources: Sequence[str], target: str, expression: str) -> Way:
    """Return a way that makes a WAV file from what others sound like, by Python.

    `expression` is over `sounds`, the bytes of each, and `second`, how many of them are one.
    """
    code = (
        "import wave\n\nsounds = []\n"
        f"for path in {[*sources]!r}:\n"
        "    with wave.open(path) as file:\n"
        "        form = file.getparams()\n"
        "        sounds.append(file.readframes(form.nframes))\n"
        "second = form.framerate * form.sampwidth * form.nchannels\n"
        f"with wave.open({target!r}, 'wb') as file:\n"
        "    file.setparams(form)\n"
        f"    file.writeframes({expression})\n"
    )
    return Way(name=name, moves=(hand.run_code(code, "python"),))


def tone(name: str, target: str, seconds: float, hertz: float) -> Way:
    """Return a way that makes a WAV file of one tone; silence at 0 Hz."""
    code = (
        "import array, math, wave\n\n"
        f"turn = 2 * math.pi * {hertz} / 22050\n"
        f"waves = array.array('h', (int(12000 * math.sin(turn * at)) for at in range(int(22050 * {seconds}))))\n"
        f"with wave.open({target!r}, 'wb') as file:\n"
        "    file.setparams((1, 2, 22050, 0, 'NONE', 'not compressed'))\n"
        "    file.writeframes(waves.tobytes())\n"
    )
    return Way(name=name, moves=(hand.run_code(code, "python"),))


def by_vlc(name: str, source: str, target: str, codec: str, mux: str, options: str = "") -> Way:
    """Return a way that converts what plays by the command of VLC."""
    out = f"#transcode{{vcodec=none,acodec={codec}}}:std{{access=file,mux={mux},dst={target}}}"
    command = f"cvlc --quiet --no-sout-video {options} --sout {shlex.quote(out)} {shlex.quote(source)} vlc://quit"
    return Way(name=name, moves=(hand.run_code(f"{command} > /dev/null 2>&1"), hand.await_closed(target)))


def listed_in(path: str, places: Sequence[str]) -> str:
    """Return code that writes a play list as XSPF."""
    tracks = "".join(f"<track><location>{place}</location></track>" for place in places)
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<playlist xmlns="http://xspf.org/ns/0/" version="1">'
        f"<trackList>{tracks}</trackList></playlist>\n"
    )
    return f"open({path!r}, 'w').write({text!r})\n"
