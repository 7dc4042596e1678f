"""Films, play lists and players."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.computer import CommandResult
from proctor.errors import SetupFailed, SpecError
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.apps.audacity import setup as audacity_setup
from proctor.vocabulary.apps.drawing import setup as drawing_setup
from proctor.vocabulary.apps.players import checks as players_checks
from proctor.vocabulary.apps.players import probes as players
from proctor.vocabulary.apps.rhythmbox import checks as rhythmbox_checks
from proctor.vocabulary.apps.rhythmbox import probes as rhythmbox_probes
from proctor.vocabulary.apps.rhythmbox import setup as rhythmbox_setup
from proctor.vocabulary.apps.vlc import probes as vlc_probes
from proctor.vocabulary.apps.vlc import setup as vlc_setup
from proctor.vocabulary.desktop.setup import files as desktop_files
from proctor.vocabulary.formats.film import checks, probes, setup
from proctor.vocabulary.formats.film import parse as formats
from proctor.vocabulary.formats.sound.setup import Note, sound
from tests.tasks.answering import AnsweringComputer, said

SCENES = (setup.Scene(seconds=2, background="#ff0000"), setup.Scene(seconds=3, background="#0000ff"))
RED, BLUE = "#ff0000", "#0000ff"
LIBRARY = """<?xml version="1.0"?><rhythmdb version="2.0">
<entry type="song"><location>file:///home/user/Music/a%20b.flac</location><rating>4</rating></entry>
<entry type="song"><location>file:///home/user/Music/c.flac</location></entry></rhythmdb>"""
LISTS = """<rhythmdb-playlists><playlist name="Car trip" type="static">
<location>file:///home/user/Music/a%20b.flac</location></playlist></rhythmdb-playlists>"""


@pytest.fixture
def computer() -> FakeComputer:
    return FakeComputer().start()


@pytest.mark.parametrize("ending", ["mp4", "mkv", "webm"])
def test_a_film_shows_its_scenes(computer: FakeComputer, ending: str) -> None:
    path = f"Videos/trip.{ending}"
    notes = () if ending == "webm" else (Note(hertz=440, seconds=5),)
    setup.film(SetupContext(computer), path, (320, 180), SCENES, notes=notes)
    found = probes.film(ProbeContext(computer), path)
    assert checks.film_duration(found, 5).passed
    assert checks.film_size(found, 320, 180).passed
    assert checks.film_shows(found, [RED, RED, BLUE, BLUE, BLUE]).passed
    assert found["sound"] == bool(notes)
    assert not checks.film_duration(found, 8).passed
    assert not checks.film_size(found, 180, 320).passed
    assert not checks.film_shows(found, [RED, BLUE, BLUE, BLUE, BLUE]).passed
    assert not checks.film_shows(found, [RED, RED, BLUE]).passed


def test_films_that_cannot_be_made_are_the_fault_of_the_author() -> None:
    for path, notes in (("a.xyz", ()), ("a.webm", (Note(hertz=440, seconds=1),))):
        with pytest.raises(SpecError):
            setup.film_file(path, (320, 180), SCENES, 10, notes)


@given(st.binary(max_size=300))
def test_broken_films_are_unreadable(junk: bytes) -> None:
    with pytest.raises(CannotSee):
        formats.watch("a.mp4", junk)


@pytest.mark.parametrize("form", ["m3u", "pls"])
def test_a_play_list_names_its_files(computer: FakeComputer, form: str) -> None:
    path = f"Music/list.{form}"
    setup.playlist(SetupContext(computer), path, ["one.mp3", "/home/user/Music/Old/two.mp3"], form)  # type: ignore[arg-type]
    found = probes.playlist(ProbeContext(computer), path)
    assert checks.playlist_is(found, ["Music/one.mp3", "Music/Old/two.mp3"]).passed
    assert not checks.playlist_is(found, ["Music/Old/two.mp3", "Music/one.mp3"]).passed
    assert checks.playlist_is(found, ["Music/Old/two.mp3", "Music/one.mp3"], in_order=False).passed
    assert len(checks.playlist_is(found, ["Music/three.mp3"]).feedback) == 3
    twice = {**found, "files": found["files"] * 2}
    assert not checks.playlist_is(twice, ["Music/one.mp3", "Music/Old/two.mp3"]).passed


TRACK = "<track><location>{}</location></track>"
XSPF = '<playlist xmlns="http://xspf.org/ns/0/" version="1"><trackList>{}</trackList></playlist>'


@pytest.mark.parametrize(
    ("text", "files"),
    [
        (XSPF.format(TRACK.format("file:///a&amp;b.mp3")), ["/a&b.mp3"]),
        (XSPF.format(TRACK.format("file:///a%20b.mp3")), ["/a b.mp3"]),
        (XSPF.format(TRACK.format("\n a%20b.mp3 \n")), ["/home/user/Music/a b.mp3"]),
        (XSPF.format(TRACK.format("a.mp3")).replace("location>", "x:location>"), None),
        (XSPF.format(f"<!-- {TRACK.format('a.mp3')} -->{TRACK.format('b.mp3')}"), ["/home/user/Music/b.mp3"]),
        (XSPF.format("") + TRACK.format("a.mp3"), None),
        ("<playlist><location>a.mp3</location>", None),
        (f"<page>{XSPF.format(TRACK.format('a.mp3'))}</page>", []),
    ],
)
def test_a_list_in_xml_is_read_as_players_read_it(text: str, files: list[str] | None) -> None:
    if files is None:
        with pytest.raises(CannotSee):
            formats.playlist_files(text.encode(), "Music/a.xspf")
    else:
        assert formats.playlist_files(text.encode(), "Music/a.xspf")["files"] == files


def test_settings_of_vlc(computer: FakeComputer) -> None:
    computer.write_file(".config/vlc/vlcrc", b"[core]\n#volume=1\nsnapshot-path=/home/user/Stills/\n")
    found = vlc_probes.vlc_settings(ProbeContext(computer))
    assert found["settings"] == {"snapshot-path": "/home/user/Stills/"}
    assert players_checks.player_setting(found, {"snapshot-path": "/home/user/Stills"}).passed
    assert not players_checks.player_setting(found, {"snapshot-path": "/home/user/Pictures"}).passed
    assert not players_checks.player_setting(found, {"volume": "1"}).passed
    assert players_checks.player_setting(found, {"volume": "1"}, missing={"volume": "1"}).passed


def test_vlc_is_at_hand(computer: FakeComputer) -> None:
    vlc_setup.vlc_at_hand(SetupContext(computer))
    found = vlc_probes.vlc_settings(ProbeContext(computer))
    assert players_checks.player_setting(
        found, {"aout": "adummy", "qt-privacy-ask": "0", "qt-error-dialogs": "0"}
    ).passed


def test_audacity_is_at_hand() -> None:
    with AnsweringComputer(lambda _: said()) as computer:
        audacity_setup.audacity_at_hand(SetupContext(computer))
        assert computer.commands == [("mv", audacity_setup.AUDACITY_PLUGINS, f"{audacity_setup.AUDACITY_PLUGINS}.away")]
        assert b"ShowSplashScreen=0" in computer.read_file(".config/audacity/audacity.cfg")
    with (
        AnsweringComputer(lambda _: said(code=1, stderr="No such file")) as computer,
        pytest.raises(SetupFailed, match="No such file"),
    ):
        audacity_setup.audacity_at_hand(SetupContext(computer))


def test_lists_and_stars_of_rhythmbox(computer: FakeComputer) -> None:
    computer.write_file(rhythmbox_probes.RHYTHMBOX_LISTS, LISTS.encode())
    computer.write_file(rhythmbox_probes.RHYTHMBOX_LIBRARY, LIBRARY.encode())
    context = ProbeContext(computer)
    assert checks.playlist_is(rhythmbox_probes.rhythmbox_playlist(context, "Car trip"), ["Music/a b.flac"]).passed
    (held,) = rhythmbox_probes.rhythmbox_playlists(context)["lists"]  # type: ignore[misc]
    assert (held["name"], held["kind"], held["files"]) == ("Car trip", "static", ["/home/user/Music/a b.flac"])
    with pytest.raises(CannotSee):
        rhythmbox_probes.rhythmbox_playlist(context, "Other")
    computer.write_file(rhythmbox_probes.RHYTHMBOX_LISTS, f"<all>{LISTS * 2}</all>".encode())
    with pytest.raises(CannotSee, match="2 play lists"):
        rhythmbox_probes.rhythmbox_playlist(context, "Car trip")
    stars = rhythmbox_probes.rhythmbox_ratings(context)
    assert rhythmbox_checks.song_ratings(stars, {"Music/a b.flac": 4}).passed
    assert not rhythmbox_checks.song_ratings(stars, {"Music/a b.flac": 3}).passed
    assert not rhythmbox_checks.song_ratings(stars, {}).passed
    computer.write_file(rhythmbox_probes.RHYTHMBOX_LIBRARY, b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>")
    with pytest.raises(CannotSee):
        rhythmbox_probes.rhythmbox_ratings(context)


def test_what_a_player_plays(computer: FakeComputer, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {"PlaybackStatus": "(<'Paused'>,)\n", "Metadata": "(<{'xesam:url': <'file:///home/user/a%20b.mp4'>}>,)\n"}

    def run(self: FakeComputer, argv: list[str], **options: object) -> CommandResult:
        said = answers.get(argv[-1], "")
        return CommandResult(code=0 if said else 1, stdout=said, stderr="")

    monkeypatch.setattr(FakeComputer, "run", run)
    found = players.player(ProbeContext(computer), "vlc")
    assert players_checks.now_playing(found, "a b.mp4", state="paused").passed
    assert len(players_checks.now_playing(found, "c.mp4").feedback) == 2
    answers.clear()
    with pytest.raises(CannotSee, match="not running"):
        players.player(ProbeContext(computer), "vlc")


@pytest.fixture
def desktop() -> Iterator[SandboxComputer]:
    with SandboxComputer(image="full") as started:
        yield started


@pytest.mark.turns
@pytest.mark.sandbox("full")
@pytest.mark.slow
def test_applications_open_without_questions(desktop: SandboxComputer) -> None:
    context = SetupContext(desktop)
    sound(context, "Music/song.flac", (Note(hertz=440, seconds=1),), {"title": "Morning Rain"})
    sound(context, "Music/take.wav", (Note(hertz=440, seconds=1),))
    rhythmbox_setup.open_rhythmbox(context, 2)
    assert desktop.locate(name="Morning Rain", role="table cell").exists
    rhythmbox_setup.quit_rhythmbox(context)
    rhythmbox_setup.quit_rhythmbox(context)
    assert "Rhythmbox" not in [window.title for window in desktop.windows()]
    desktop_files.writing_ended(context, "Music/take.wav")
    audacity_setup.open_in_audacity(context, "Music/take.wav")
    drawing_setup.open_in_drawing(context, ".face")
    assert len(desktop.windows()) == 2
