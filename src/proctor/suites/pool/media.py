"""Subtasks on recordings in Audacity.

What is known of a recording is how long it plays; it consists of one tone unless nobody knows what it consists of.
"""

from __future__ import annotations

import shlex
from abc import abstractmethod
from collections.abc import Mapping

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import base, full, new_path, quote_path, start_program, stem
from proctor.suites.parts.recordings import by_vlc, by_wave, tone
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import NearMiss, Way

MUSIC = "Entertainment/Video and Music/Music"
TONE = 440.0
PATIENCE = 60.0
"""Seconds that large programs may take to start."""


def seconds_of(resource: Resource) -> int:
    """Return how long a recording or film plays.

    Raises:
        SpecError: Nobody knows.
    """
    content: object = resource.content
    if not isinstance(content, dict) or not isinstance(content.get("seconds"), int):
        raise SpecError(f"nobody knows how long {resource.value} plays", remedy="give it something else")
    return int(content["seconds"])


def sounds(recording: Resource, source: Resource) -> Call:
    """Return the check that a recording is what its content and name say, made of another one."""
    seen = see.sound(recording.value)
    return expect.all_of(
        [
            expect.sound_format(seen, base(recording).rpartition(".")[2]),
            expect.sound_duration(seen, seconds_of(recording), within=0.4),
            expect.sound_notes(seen, [TONE]),
            # Pauses do not count as tones, and silence is not what was recorded.
            expect.sound_throughout(seen, see.sound(source.value)),
        ]
    )


_SILENCED = "sounds[0][:second] + bytes({} * second)"


class _Edited(Subtask):
    """A recording is edited in Audacity and exported under a new name."""

    version = 3
    app = "audacity"
    demand = MUSIC
    warned: tuple[Call, ...] = ()
    """The answer to a warning before the export."""

    @abstractmethod
    def edit(self, bound: Bound) -> tuple[Call, ...]:
        """Return the moves that edit the open recording."""

    @abstractmethod
    def by_others(self, bound: Bound) -> tuple[Way, ...]:
        """Return other ways to do it."""

    @abstractmethod
    def mistaken(self, bound: Bound) -> tuple[Way, ...]:
        """Return what is like it and is not it."""

    def work(self, bound: Bound) -> Work:
        source, sound = next(iter(bound.takes.values())), bound.gives["sound"]
        shown = start_program(f"audacity {quote_path(source)}", stem(source), PATIENCE)
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
            check=sounds(sound, source),
            near_misses=(NearMiss(name="exported as it is", moves=(*shown, *named_so, *tagged)),),
            other_ways=self.by_others(bound),
            cheats=(
                tone("as long, and silent", sound.value, seconds_of(sound), 0.0),
                tone("as long, another tone", sound.value, seconds_of(sound), 2 * TONE),
                by_wave("silent after a second", [source.value], sound.value, _SILENCED.format(seconds_of(sound) - 1)),
                *self.mistaken(bound),
            ),
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
            raise SpecError(f"{takes['source'].value} is too short to be cut", remedy="give it alonger one")
        seconds = draw.randint(2, whole - 2 if whole < 8 else 5)
        content = {"seconds": seconds if self.keeps_beginning else whole - seconds}
        path = new_path(draw, theme, "Music", ("cut", "excerpt", "short"), ".wav")
        return Bound(takes=takes, gives={"sound": Resource("audio", path, content)}, params={"seconds": str(seconds)})

    def edit(self, bound: Bound) -> tuple[Call, ...]:
        select = "shift+k" if self.keeps_beginning else "shift+j"
        return (
            hand.press("Home"),
            hand.press(".", times=int(bound.params["seconds"])),
            hand.press(select),
            hand.press("Delete"),
        )

    def by_others(self, bound: Bound) -> tuple[Way, ...]:
        source, sound, at = bound.takes["source"], bound.gives["sound"], int(bound.params["seconds"])
        part, when = (f"[:{at} * second]", "run") if self.keeps_beginning else (f"[{at} * second :]", "start")
        return (
            by_wave("by Python", [source.value], sound.value, f"sounds[0]{part}"),
            by_vlc("by the command of a player", source.value, sound.value, "s16l", "wav", f"--{when}-time={at}"),
        )

    def mistaken(self, bound: Bound) -> tuple[Way, ...]:
        source, sound = bound.takes["source"], bound.gives["sound"]
        return (
            by_shell("all of it", f"cp {quote_path(source)} {quote_path(sound)}"),
            by_wave(
                "a second too little", [source.value], sound.value, f"sounds[0][: {seconds_of(sound) - 1} * second]"
            ),
            by_hand(
                "the original cut as well",
                *by_wave("cut", [source.value], sound.value, f"sounds[0][: {seconds_of(sound)} * second]").moves,
                hand.run_code(f"cp {quote_path(sound)} {quote_path(source)}"),
            ),
        )


class CutFirstSeconds(_Shortened):
    """The first seconds of a recording are cut off and the rest is exported."""

    asks = (
        "cut the first {seconds} seconds off {source} and export the rest as the WAV file {sound}",
        "remove the first {seconds} seconds of {source} and export what remains as the WAV file {sound}",
    )
    brief = "cut the first {seconds} seconds off {source} and save it as {sound}"
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
    brief = "save the first {seconds} seconds of {source} as {sound}"
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
    brief = "join {first} and {second} as {sound}"
    steps = (
        "Open {first} in Audacity.",
        "Import {second} and align the tracks end to end.",
        "Export both as {sound} and close Audacity without saving a project.",
    )

    # Several tracks become one.
    warned = (hand.await_window("Warning"), hand.press("Return"), hand.await_window("Warning", gone=True))

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        seconds = sum(seconds_of(taken) for taken in takes.values())
        path = new_path(draw, theme, "Music", ("joined", "both", "medley"), ".wav")
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

    def by_others(self, bound: Bound) -> tuple[Way, ...]:
        files, sound = [taken.value for taken in bound.takes.values()], bound.gives["sound"].value
        return (
            by_wave("by Python", files, sound, "sounds[0] + sounds[1]"),
            by_wave("by Python, the second one first", files, sound, "sounds[1] + sounds[0]"),
        )

    def mistaken(self, bound: Bound) -> tuple[Way, ...]:
        files, sound = [taken.value for taken in bound.takes.values()], bound.gives["sound"].value
        return (
            by_wave("one of them alone", files, sound, "max(sounds, key=len)"),
            by_shell("one file after the other", f"cat {' '.join(map(shlex.quote, files))} > {shlex.quote(sound)}"),
        )
