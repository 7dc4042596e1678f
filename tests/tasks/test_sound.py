"""Recordings: notes go in, length, loudness, pitch and tags come out."""

from __future__ import annotations

import io
import wave
from typing import Any

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import SpecError
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.formats.sound import checks, probes
from proctor.vocabulary.formats.sound.parse import listen
from proctor.vocabulary.formats.sound.setup import Note, sound, sound_file

NOTES = (Note(hertz=440, seconds=1), Note(hertz=0, seconds=1), Note(hertz=660, seconds=1))
TAGS = {"title": "Morning Rain", "artist": "Ines Dahl", "album": "Coastline"}


def heard(*notes: Note, path: str = "a.wav", tags: dict[str, str] | None = None) -> dict[str, Any]:
    return listen(path, sound_file(path, notes or NOTES, tags or {}))


@pytest.mark.parametrize("ending", ["wav", "flac", "ogg", "mp3"])
def test_what_goes_in_comes_out(ending: str) -> None:
    computer = FakeComputer().start()
    path = f"Music/song.{ending}"
    sound(SetupContext(computer), path, NOTES, TAGS)
    found = probes.sound(ProbeContext(computer), path)
    assert checks.sound_format(found, ending).passed
    assert checks.sound_duration(found, 3.0).passed
    assert checks.sound_notes(found, [440, 660]).passed
    assert checks.sound_tags(found, TAGS).passed
    assert checks.sound_silent_between(found, 1, 2).passed
    assert checks.sound_heard_between(found, 2, 3).passed
    assert sound_file(path, NOTES, TAGS) == computer.read_file(path)


def test_an_empty_packet_at_the_end_is_passed_over_as_players_do() -> None:
    found = listen("a.ogg", ending_in_nothing(sound_file("a.wav", NOTES, {})))
    assert checks.sound_duration(found, 3.0).passed
    assert checks.sound_notes(found, [440, 660]).passed


def ending_in_nothing(wave: bytes) -> bytes:
    """Return a recording as OGG Vorbis with a packet of no bytes at its end."""
    written = io.BytesIO()
    with av.open(io.BytesIO(wave)) as source, av.open(written, "w", format="ogg") as target:
        stream = target.add_stream("vorbis", rate=48000, layout="stereo", options={"strict": "experimental"})
        for frame in [*source.decode(audio=0), None]:
            target.mux(stream.encode(frame))
        end = av.Packet(0)
        end.stream = stream
        end.pts = end.dts = source.duration
        target.mux(end)
    return written.getvalue()


def test_before_is_what_stood_at_the_baseline() -> None:
    computer = FakeComputer().start()
    sound(SetupContext(computer), "a.wav", NOTES)
    computer.baseline()
    sound(SetupContext(computer), "a.wav", NOTES[:1])
    after, before = probes.sound(ProbeContext(computer), "a.wav"), probes.sound_before(ProbeContext(computer), "a.wav")
    assert checks.sound_duration(before, 3.0).passed
    assert not checks.sound_unchanged(after, before).passed
    with pytest.raises(CannotSee):
        probes.sound_before(ProbeContext(computer), "b.wav")


def test_wrong_ones_are_rejected_with_reasons() -> None:
    found = heard(tags={"title": "Mornign Rain"}, path="a.flac")
    assert not checks.sound_duration(found, 2.5).passed
    assert not checks.sound_format(found, "wav").passed
    for hertz in ([440], [660, 440], [440, 660, 880], [440, 700]):
        assert not checks.sound_notes(found, hertz).passed
    assert not checks.sound_silent_between(found, 0, 1).passed
    assert not checks.sound_heard_between(found, 1, 2).passed
    assert not checks.sound_silent_between(found, 2, 9).passed
    assert len(checks.sound_tags(found, TAGS).feedback) == 3
    assert checks.sound_channels(found, 1).passed
    assert not checks.sound_channels(found, 2).passed


def test_louder_and_quieter() -> None:
    soft, loud = (heard(Note(hertz=440, seconds=1, loudness=loudness)) for loudness in (0.2, 0.8))
    assert checks.sound_louder(loud, soft).passed
    assert not checks.sound_louder(soft, loud).passed
    assert checks.sound_louder(soft, loud, decibels=-6).passed
    assert not checks.sound_unchanged(soft, loud).passed
    assert checks.sound_unchanged(heard(path="a.flac"), heard()).passed


def test_a_stretch_of_a_recording_is_the_same_tones_as_long_and_as_loud() -> None:
    whole = heard(Note(hertz=150, seconds=2, loudness=0.2), *NOTES)
    assert checks.sound_is_stretch(heard(), whole, 2).passed
    assert checks.sound_is_stretch(heard(path="a.flac"), whole, 2, 5).passed
    late = heard(Note(hertz=440, seconds=0.95), *NOTES[1:])
    assert checks.sound_is_stretch(late, whole, 2).passed  # half a tenth cut too much
    short, quiet = Note(hertz=440, seconds=0.5), Note(hertz=660, seconds=1, loudness=0.1)
    padded = heard(short, *NOTES[1:], Note(hertz=0, seconds=0.5))
    for other in (padded, heard(*NOTES[:2], quiet), heard(NOTES[0]), whole, heard(*reversed(NOTES))):
        assert not checks.sound_is_stretch(other, whole, 2).passed
    for coarse in ({"bits": 8}, {"rate": 4_000}):
        assert not checks.sound_is_stretch({**heard(), **coarse}, whole, 2).passed
    for unknown in ({"bits": 0}, {"rate": 96_000}):
        assert checks.sound_is_stretch({**heard(), **unknown}, whole, 2).passed


@pytest.mark.parametrize("length", [1000, 2000, 8000])
@pytest.mark.parametrize("sound", [0, 5_000, 10_000, 30_000])
def test_a_gap_or_a_crack_in_what_goes_on_alike_is_heard(length: int, sound: int) -> None:
    data = sound_file("a.wav", NOTES, {})
    with wave.open(io.BytesIO(data)) as source:
        kept, samples = source.getparams(), np.frombuffer(source.readframes(source.getnframes()), "<i2").copy()
    middle = len(samples) // 6 + 700
    samples[middle : middle + length] = sound * np.where(np.arange(length) % 5 < 2, 1, -1)
    written = io.BytesIO()
    with wave.open(written, "wb") as target:
        target.setparams(kept)
        target.writeframes(samples.tobytes())
    cracked = listen("a.wav", written.getvalue())
    assert not checks.sound_is_stretch(cracked, heard(), 0).passed
    assert not checks.sound_unchanged(cracked, heard()).passed


@pytest.mark.parametrize("share", [1.0, 0.7071])
def test_a_recording_is_as_loud_however_one_channel_was_made_two(share: float) -> None:
    with av.open(io.BytesIO(sound_file("a.wav", NOTES, {}))) as source:
        mono = np.concatenate([frame.to_ndarray().reshape(-1) for frame in source.decode(audio=0)])
    written = io.BytesIO()
    with wave.open(written, "wb") as target:
        target.setparams((2, 2, 44100, 0, "NONE", ""))
        target.writeframes((np.repeat(mono, 2) * share).astype("<i2").tobytes())
    stereo = listen("a.wav", written.getvalue())
    assert checks.sound_channels(stereo, 2).passed and checks.sound_is_stretch(stereo, heard(), 0).passed


def test_an_unknown_ending_is_the_fault_of_the_author() -> None:
    with pytest.raises(SpecError, match="a.mid"):
        sound_file("a.mid", NOTES, {})


@given(st.binary(max_size=300))
def test_broken_recordings_are_unreadable(junk: bytes) -> None:
    with pytest.raises(CannotSee):
        listen("a.wav", junk)


def test_lists_of_other_files_are_not_followed() -> None:
    for text in (b"ffconcat version 1.0\nfile /etc/passwd\n", b"#EXTM3U\n#EXT-X-TARGETDURATION:1\n/etc/passwd\n"):
        with pytest.raises(CannotSee):
            listen("a.wav", text)


@pytest.mark.parametrize(
    ("notes", "right"),
    [
        ((Note(hertz=440, seconds=5),), True),
        ((Note(hertz=440, seconds=3), Note(hertz=0, seconds=0.3), Note(hertz=440, seconds=2)), True),
        ((Note(hertz=440, seconds=5, loudness=0.4),), True),
        ((Note(hertz=440, seconds=1), Note(hertz=0, seconds=4)), False),
        ((Note(hertz=0, seconds=2), Note(hertz=440, seconds=3)), False),
        ((Note(hertz=440, seconds=5, loudness=0.05),), False),
        ((Note(hertz=440, seconds=2), Note(hertz=440, seconds=3, loudness=0.05)), False),
    ],
)
@pytest.mark.parametrize("ending", ["wav", "ogg"])
def test_what_is_silent_in_part_is_not_heard_throughout(notes: tuple[Note, ...], right: bool, ending: str) -> None:
    original = heard(Note(hertz=440, seconds=8))
    assert checks.sound_throughout(heard(*notes, path=f"a.{ending}"), original).passed is right
