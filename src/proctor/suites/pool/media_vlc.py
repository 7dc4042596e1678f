"""Subtasks on recordings and films in VLC."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import base, close_window, full, new_path, quote_path, start_program
from proctor.suites.parts.recordings import by_vlc, listed_in
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.suites.pool.media import MUSIC, PATIENCE, seconds_of, sounds
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import NearMiss, Way

VIDEO = "Entertainment/Video and Music/Video"
PLAYER = "VLC media player"
PROFILES = {"OGG": 9, "MP3": 10, "FLAC": 11, "CD": 12}
"""Places of profiles for sound in the list of VLC."""
ENCODINGS = {"OGG": ("vorb", "ogg"), "FLAC": ("flac", "raw"), "CD": ("s16l", "wav")}
"""Codecs and containers of profiles, as VLC calls them."""


class _Converted(Subtask):
    """Something that plays is converted into a recording in VLC."""

    app = "vlc"

    @abstractmethod
    def profile(self, bound: Bound) -> str:
        """Return which of the profiles is taken."""

    def work(self, bound: Bound) -> Work:
        source, sound = next(iter(bound.takes.values())), bound.gives["sound"]
        opened = start_program("vlc", PLAYER, PATIENCE)
        chosen = (
            hand.click("Add...", role="push button", window="Open Media"),
            hand.await_window("Select one or multiple files"),
            hand.type(full(source)),
            hand.press("Return"),
            hand.await_window("Select one or multiple files", gone=True),
            # Its right end opens a menu.
            hand.click("Convert / Save", role="push button", window="Open Media", at=(0.3, 0.5)),
            hand.await_window("/^Convert$/"),
            hand.click(role="combo box", window="Convert", nth=0),
        )

        def convert_to(profile: str, asked: Call) -> tuple[Call, ...]:
            return (
                *opened,
                asked,
                *chosen,
                hand.press("Home"),
                hand.press("Down", times=PROFILES[profile]),
                hand.press("Return"),
                hand.click("Browse", role="push button", window="Convert"),
                hand.await_window("Save file"),
                hand.type(full(sound)),
                hand.press("Return"),
                hand.await_window("Save file", gone=True),
                hand.click("Start", role="push button", window="Convert"),
                # It is written from the first sound to the last; closing VLC before would break it off.
                hand.await_closed(sound.value),
                *close_window(PLAYER),
            )

        keys, menu = hand.press("ctrl+r"), hand.menu(["Media", "Convert / Save..."])
        codec, mux = ENCODINGS[self.profile(bound)]
        return Work(
            moves=convert_to(self.profile(bound), keys),
            check=sounds(sound, source),
            near_misses=(NearMiss(name="in another format", moves=convert_to("MP3", keys)),),
            other_ways=(
                by_vlc("by its command", source.value, sound.value, codec, mux),
                by_hand("by the menu", *convert_to(self.profile(bound), menu)),
            ),
            cheats=_hardly_converted(source, sound, codec, mux),
            setup=(make.vlc_at_hand(),),
        )


def _hardly_converted(source: Resource, sound: Resource, codec: str, mux: str) -> tuple[Way, ...]:
    return (
        by_shell("only renamed", f"cp {quote_path(source)} {quote_path(sound)}"),
        by_vlc("only its first two seconds", source.value, sound.value, codec, mux, "--run-time=2"),
        by_shell("an empty file", f"touch {quote_path(sound)}"),
    )


class SoundOfTheFilm(_Converted):
    """The audio of a film is saved as a recording."""

    takes = {"film": "video"}
    gives = {"sound": "audio"}
    asks = (
        "save the audio of {film} as the WAV file {sound}",
        "extract the audio from {film} into the WAV file {sound}",
    )
    brief = "save the sound of {film} as {sound}"
    steps = (
        "Start VLC and choose to convert {film}.",
        "Choose an audio profile that produces WAV.",
        "Convert it to {sound} and close VLC.",
    )
    demand = VIDEO
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        content = {"seconds": seconds_of(takes["film"])}
        path = new_path(draw, theme, "Music", ("sound", "soundtrack", "voices"), ".wav")
        return Bound(takes=takes, gives={"sound": Resource("audio", path, content)})

    def profile(self, bound: Bound) -> str:
        return "CD"


class ConvertRecording(_Converted):
    """A recording is converted into another format."""

    takes = {"source": "audio"}
    gives = {"sound": "audio"}
    asks = (
        "convert the recording {source} to {format} and save it as {sound}",
        "save a version of the recording {source} in {format} format as {sound}",
    )
    brief = "convert {source} to {format} as {sound}"
    steps = (
        "Start VLC and choose to convert {source}.",
        "Choose the profile for {format}.",
        "Convert it to {sound} and close VLC.",
    )
    demand = MUSIC
    version = 3
    formats = ("OGG", "FLAC")

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        form = draw.choice([form for form in self.formats if not source.value.endswith(f".{form.lower()}")])
        path = new_path(draw, theme, "Music", ("converted", "archive", "version"), f".{form.lower()}")
        sound = Resource("audio", path, {"seconds": seconds_of(source)})
        return Bound(takes=takes, gives={"sound": sound}, params={"format": form})

    def profile(self, bound: Bound) -> str:
        return bound.params["format"]


class ListForPlaying(Subtask):
    """Two recordings are put on a playlist."""

    version = 4
    app = "vlc"
    takes = {"first": "audio", "second": "audio"}
    gives = {"list": "file"}
    asks = (
        "make a playlist of {first} followed by {second} and save it as {list}",
        "put {first} and then {second} on a playlist and save it as {list}",
    )
    brief = "save {first} then {second} as the playlist {list}"
    steps = ("Open {first} and then {second} in VLC.", "Save the playlist as {list} and close VLC.")
    demand = MUSIC

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = new_path(draw, theme, "Music", ("playlist", "music", "running-order"), ".xspf")
        return Bound(takes=takes, gives={"list": Resource("file", path)})

    @staticmethod
    def from_list(file: Resource) -> str:
        """Return what a file is called by a list in the folder of music."""
        return base(file) if file.value.startswith("Music/") else f"../{file.value}"

    def work(self, bound: Bound) -> Work:
        played, listed = [bound.takes[port] for port in self.takes], bound.gives["list"]
        first, second = played[:2]

        def save_playlist(*files: Resource) -> tuple[Call, ...]:
            return (
                *start_program(f"vlc {' '.join(quote_path(file) for file in files)}", PLAYER, PATIENCE),
                hand.press("ctrl+y"),
                hand.await_window("Save playlist as"),
                hand.type(full(listed)),
                hand.press("Return"),
                hand.await_window("Save playlist as", gone=True),
                hand.await_saved(listed.value),
                *close_window(PLAYER),
            )

        return Work(
            moves=save_playlist(*played),
            check=expect.all_of(
                [
                    expect.playlist_is(see.playlist(listed.value), [file.value for file in played]),
                    # By its ending players take it for this format.
                    expect.text_has(see.text(listed.value), ["<playlist", "<location>"]),
                ]
            ),
            near_misses=(NearMiss(name="the other way round", moves=save_playlist(*reversed(played))),),
            other_ways=(
                by_python("by Python", listed_in(listed.value, [f"file://{full(file)}" for file in played])),
                by_python(
                    "by Python, named from its folder",
                    listed_in(listed.value, [self.from_list(file) for file in played]),
                ),
            ),
            cheats=(
                by_python("one of them twice", listed_in(listed.value, len(played) * [self.from_list(first)])),
                by_python(
                    "more than these", listed_in(listed.value, [self.from_list(file) for file in (*played, first)])
                ),
                by_shell(
                    "their names in a text", f"printf '%s\\n' {' '.join(map(full, played))} > {quote_path(listed)}"
                ),
                by_shell(
                    "the recordings themselves", f"cat {quote_path(first)} {quote_path(second)} > {quote_path(listed)}"
                ),
            ),
            setup=(make.vlc_at_hand(),),
        )


class ListThreeForPlaying(ListForPlaying):
    """Three recordings are put on a playlist."""

    version = 1
    takes = {"first": "audio", "second": "audio", "third": "audio"}
    asks = (
        "make a playlist of {first} followed by {second} and then {third} and save it as {list}",
        "put {first}, {second} and {third} on a playlist in this order and save it as {list}",
    )
    brief = "save {first}, {second} and {third} in this order as the playlist {list}"
    steps = ("Open {first}, {second} and {third} in VLC, in this order.", "Save the playlist as {list} and close VLC.")


class ListAFilmWithSound(ListForPlaying):
    """A recording and the film that follows it are put on a playlist."""

    version = 1
    takes = {"first": "audio", "film": "video"}
    asks = (
        "make a playlist of the recording {first} followed by the film {film} and save it as {list}",
        "put the recording {first} and then the film {film} on a playlist and save it as {list}",
    )
    brief = "save the recording {first} then the film {film} as the playlist {list}"
    steps = ("Open {first} and then {film} in VLC.", "Save the playlist as {list} and close VLC.")
    demand = "Entertainment/Video and Music/Video"
