"""Subtasks on recordings and films in Audacity and VLC.

What is known of a recording is how long it plays; it consists of one tone unless nobody knows what it consists of.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from proctor.errors import SpecError
from proctor.graphs.composing.resource import Resource
from proctor.graphs.composing.subtask import Bound, Subtask, Work
from proctor.graphs.composing.theme import Theme
from proctor.suites.parts.programs import base, closed, full, named, quoted, started, stem
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import NearMiss

MUSIC, VIDEO = "Entertainment/Video and Music/Music", "Entertainment/Video and Music/Video"
TONE = 440.0
PLAYER = "VLC media player"
PROFILES = {"OGG": 9, "MP3": 10, "FLAC": 11, "CD": 12}
"""Places of profiles for sound in the list of VLC."""
PATIENCE = 60.0
"""Seconds that large programs may take to start."""


def seconds_of(resource: Resource) -> int:
    """Return how long a recording or film plays.

    Raises:
        SpecError: Nobody knows.
    """
    content: Any = resource.content
    if not isinstance(content, dict) or not isinstance(content.get("seconds"), int):
        raise SpecError(f"nobody knows how long {resource.value} plays", remedy="hand it something else")
    return int(content["seconds"])


def sounds(recording: Resource) -> Call:
    """Return the check that a recording is what its content and the ending of its name say."""
    seen = see.sound(recording.value)
    return expect.all_of(
        [
            expect.sound_format(seen, base(recording).rpartition(".")[2]),
            expect.sound_duration(seen, seconds_of(recording), within=0.4),
            expect.sound_notes(seen, [TONE]),
        ]
    )


class _Edited(Subtask):
    """A recording is edited in Audacity and exported under a new name."""

    app = "audacity"
    demand = MUSIC
    warned: tuple[Call, ...] = ()
    """The answer to a warning before the export."""

    @abstractmethod
    def edit(self, bound: Bound) -> tuple[Call, ...]:
        """Return the moves that edit the open recording."""

    def work(self, bound: Bound) -> Work:
        source, sound = next(iter(bound.takes.values())), bound.gives["sound"]
        shown = started(f"audacity {quoted(source)}", stem(source), PATIENCE)
        named_so = (
            hand.press("ctrl+shift+e"),
            hand.await_window("Export Audio"),
            hand.press("ctrl+a"),
            hand.type(full(sound)),
            hand.click("/^Save$/", role="push button", window="Export Audio"),
        )
        tagged = (
            hand.await_window("Edit Metadata Tags"),
            hand.click("OK", role="push button", window="Edit Metadata Tags"),
            hand.await_window("Edit Metadata Tags", gone=True),
            hand.await_saved(sound.value),
        )
        left = (
            hand.press("ctrl+q"),
            hand.await_window("Save changes"),
            hand.press("alt+n"),
            hand.await_window(stem(source), gone=True),
        )
        return Work(
            moves=(*shown, *self.edit(bound), *named_so, *self.warned, *tagged, *left),
            check=sounds(sound),
            near_misses=(NearMiss(name="exported as it is", moves=(*shown, *named_so, *tagged)),),
            setup=(make.audacity_at_hand(),),
        )


class _Shortened(_Edited):
    """Some seconds of a recording are cut away."""

    takes = {"source": "audio"}
    gives = {"sound": "audio"}
    keeps_beginning = False

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        whole = seconds_of(takes["source"])
        if whole < 4:
            raise SpecError(f"{takes['source'].value} is too short to be cut", remedy="hand it a longer one")
        seconds = draw.randint(2, whole - 2 if whole < 8 else 5)
        content = {"seconds": seconds if self.keeps_beginning else whole - seconds}
        path = named(draw, theme, "Music", ("cut", "excerpt", "short"), ".wav")
        return Bound(takes=takes, gives={"sound": Resource("audio", path, content)}, params={"seconds": str(seconds)})

    def edit(self, bound: Bound) -> tuple[Call, ...]:
        select = "shift+k" if self.keeps_beginning else "shift+j"
        return (
            hand.press("Home"),
            hand.press(".", times=int(bound.params["seconds"])),
            hand.press(select),
            hand.press("Delete"),
        )


class CutFirstSeconds(_Shortened):
    """The first seconds of a recording are cut off and the rest is exported."""

    asks = (
        "cut the first {seconds} seconds off {source} and export the rest as the WAV file {sound}",
        "remove the first {seconds} seconds of {source} and export what remains as the WAV file {sound}",
    )
    steps = (
        "Open {source} in Audacity.",
        "Delete its first {seconds} seconds.",
        "Export the rest as {sound} and close Audacity without saving a project.",
    )


class KeepFirstSeconds(_Shortened):
    """The first seconds of a recording are exported and the rest is dropped."""

    keeps_beginning = True
    asks = (
        "export only the first {seconds} seconds of {source} as the WAV file {sound}",
        "shorten {source} to its first {seconds} seconds and export that as the WAV file {sound}",
    )
    steps = (
        "Open {source} in Audacity.",
        "Delete everything after its first {seconds} seconds.",
        "Export that as {sound} and close Audacity without saving a project.",
    )


class JoinRecordings(_Edited):
    """Two recordings are exported as one, one after the other."""

    takes = {"first": "audio", "second": "audio"}
    gives = {"sound": "audio"}
    alike = ("first", "second")
    asks = (
        "join {first} and {second} one after the other into the WAV file {sound}",
        "put {first} and {second} together end to end and export that as the WAV file {sound}",
    )
    steps = (
        "Open {first} in Audacity.",
        "Import {second} and align the tracks end to end.",
        "Export both as {sound} and close Audacity without saving a project.",
    )

    # Several tracks become one.
    warned = (hand.await_window("Warning"), hand.press("Return"), hand.await_window("Warning", gone=True))

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        seconds = sum(seconds_of(taken) for taken in takes.values())
        path = named(draw, theme, "Music", ("joined", "both", "medley"), ".wav")
        return Bound(takes=takes, gives={"sound": Resource("audio", path, {"seconds": seconds})})

    def edit(self, bound: Bound) -> tuple[Call, ...]:
        return (
            hand.press("ctrl+shift+i"),
            hand.await_window("Select one or more"),
            hand.press("ctrl+l"),
            hand.type(full(bound.takes["second"])),
            hand.click("/^Open$/", role="push button", window="Select one or more"),
            hand.await_window("Select one or more", gone=True),
            hand.press("ctrl+a"),
            hand.menu(["Tracks", "Align Tracks"]),
            # To the entries of that menu, and to the first of them.
            hand.press("Right"),
            hand.await_element("Align End to End", role="menu item", app="audacity"),
            hand.press("Return"),
            hand.await_element("Align End to End", role="menu item", app="audacity", gone=True),
        )


class _Converted(Subtask):
    """Something that plays is converted into a recording in VLC."""

    app = "vlc"

    @abstractmethod
    def profile(self, bound: Bound) -> str:
        """Return which of the profiles is taken."""

    def work(self, bound: Bound) -> Work:
        source, sound = next(iter(bound.takes.values())), bound.gives["sound"]
        chosen = (
            *started("vlc", PLAYER, PATIENCE),
            hand.press("ctrl+r"),
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

        def converted(profile: str) -> tuple[Call, ...]:
            return (
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
                *closed(PLAYER),
            )

        return Work(
            moves=converted(self.profile(bound)),
            check=sounds(sound),
            near_misses=(NearMiss(name="in another format", moves=converted("MP3")),),
            setup=(make.vlc_at_hand(),),
        )


class SoundOfTheFilm(_Converted):
    """The audio of a film is saved as a recording."""

    takes = {"film": "video"}
    gives = {"sound": "audio"}
    asks = (
        "save the audio of {film} as the WAV file {sound}",
        "extract the audio from {film} into the WAV file {sound}",
    )
    steps = (
        "Start VLC and choose to convert {film}.",
        "Choose an audio profile that produces WAV.",
        "Convert it to {sound} and close VLC.",
    )
    demand = VIDEO

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        content = {"seconds": seconds_of(takes["film"])}
        path = named(draw, theme, "Music", ("sound", "soundtrack", "voices"), ".wav")
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
    steps = (
        "Start VLC and choose to convert {source}.",
        "Choose the profile for {format}.",
        "Convert it to {sound} and close VLC.",
    )
    demand = MUSIC
    formats = ("OGG", "FLAC")

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        form = draw.choice([form for form in self.formats if not source.value.endswith(f".{form.lower()}")])
        path = named(draw, theme, "Music", ("converted", "archive", "version"), f".{form.lower()}")
        sound = Resource("audio", path, {"seconds": seconds_of(source)})
        return Bound(takes=takes, gives={"sound": sound}, params={"format": form})

    def profile(self, bound: Bound) -> str:
        return bound.params["format"]


class ListForPlaying(Subtask):
    """Two recordings are put on a playlist."""

    app = "vlc"
    takes = {"first": "audio", "second": "audio"}
    gives = {"list": "file"}
    asks = (
        "make a playlist of {first} followed by {second} and save it as {list}",
        "put {first} and then {second} on a playlist and save it as {list}",
    )
    steps = ("Open {first} and then {second} in VLC.", "Save the playlist as {list} and close VLC.")
    demand = MUSIC

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = named(draw, theme, "Music", ("playlist", "music", "running-order"), ".xspf")
        return Bound(takes=takes, gives={"list": Resource("file", path)})

    def work(self, bound: Bound) -> Work:
        first, second, listed = bound.takes["first"], bound.takes["second"], bound.gives["list"]

        def saved(*files: Resource) -> tuple[Call, ...]:
            return (
                *started(f"vlc {' '.join(quoted(file) for file in files)}", PLAYER, PATIENCE),
                hand.press("ctrl+y"),
                hand.await_window("Save playlist as"),
                hand.type(full(listed)),
                hand.press("Return"),
                hand.await_window("Save playlist as", gone=True),
                hand.await_saved(listed.value),
                *closed(PLAYER),
            )

        return Work(
            moves=saved(first, second),
            check=expect.playlist_is(see.playlist(listed.value), [first.value, second.value]),
            near_misses=(NearMiss(name="the other way round", moves=saved(second, first)),),
            setup=(make.vlc_at_hand(),),
        )
