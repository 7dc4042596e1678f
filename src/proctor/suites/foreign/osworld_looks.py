"""OSWorld's getters in our words: what is looked at when the agent has ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from proctor.suites.foreign.faults import Data
from proctor.suites.foreign.names import ACCOUNTS, LIVE_GETTERS, SERVERS
from proctor.suites.foreign.osworld_form import ForeignComparison, ForeignStep
from proctor.suites.foreign.osworld_page_looks import text_of_page
from proctor.suites.foreign.osworld_setup import SHELL, line_of
from proctor.suites.foreign.relative_time import formatted_rules, rules_for_today
from proctor.suites.foreign.translation import NeededFirst, NotJudgedYet, Translation, check, fill_in, guest_path, probe
from proctor.tasks.call import Call

CHROME = "chromium"
SETTINGS = {
    "enable_do_not_track": "enable_do_not_track",
    "enable_safe_browsing": "safebrowsing.enabled",
    "enable_enhanced_safety_browsing": "safebrowsing.enhanced",
    "profile_name": "profile.name",
    "chrome_font_size": "webkit.webprefs.default_font_size",
    "new_startup_page": "session.restore_on_startup",
    "default_search_engine": "default_search_provider_data.template_url_data.short_name",
}
"""Getters that tell one setting of the browser, and what Chromium calls it."""
_CLIPBOARD = ("xsel", "xclip")
_OF_SLIDES = ("audio_in_slide", "image_in_slide", "background_image_in_slide")
_PRINTED = ("vm_command_line", "vm_command_error", "vm_terminal_output", "cache_file")
FILMS = " ".join(
    f"video/{kind}"
    for kind in [
        "3gpp",
        "avi",
        "divx",
        "mp2t",
        "mp4",
        "mpeg",
        "msvideo",
        "ogg",
        "quicktime",
        "webm",
        "x-flv",
        "x-matroska",
        "x-ms-wmv",
    ]
)
_VIDEO_PLAYER = (
    f"for kind in {FILMS}; do xdg-mime query default $kind; done | sort | uniq -c | sort -rn "
    "| sed -n '1s/^ *[0-9]* //p'"
)
"""Prints which application most kinds of film are opened with."""
_PROGRAM_OF_WORDS = ("|", ">", "&&", ";", "||")


def file_of(getter: Data, place: int = 0) -> str:
    """Return the path of a file that a getter fetches, of several the one at a place."""
    path = getter["path"]
    if isinstance(path, list):
        if place >= len(path):
            raise NotJudgedYet(f"the getter {getter.get('type')!r} without a path of number {place + 1}")
        path = path[place]
    return guest_path(fill_in(path))


def hint_of(getter: Data, place: int = 0) -> str:
    """Return what an expected file is called where its address has no name."""
    dest = getter.get("dest", "")
    if isinstance(dest, list):
        dest = dest[place] if place < len(dest) else ""
    return dest if isinstance(dest, str) else ""


def url_of(getter: Data, place: int = 0) -> str:
    """Return the address of an expected file, of several the one at a place."""
    path = getter["path"]
    found = path[place] if isinstance(path, list) and place < len(path) else path
    if not isinstance(found, str):
        raise NotJudgedYet("an expected file without an address")
    return found


class Sides:
    """What the two sides of a comparison are, for one task."""

    def __init__(self, after: tuple[ForeignStep, ...], into: Translation) -> None:
        self.after = after
        self.into = into

    def side(self, getter: Data, word: str, *, place: int = 0, **arguments: object) -> object:
        """Return a probe of a file on the computer, or what it sees in an expected file."""
        kind = getter.get("type")
        if kind == "vm_file":
            return probe(word, path=file_of(getter, place), **arguments)
        if kind == "cloud_file":
            return self.into.gold(url_of(getter, place), hint_of(getter, place), word, **arguments)
        if kind == "vlc_config":
            return probe(word, path=guest_path(".config/vlc/vlcrc"), **arguments)
        if kind in _OF_SLIDES:
            return self._of_slide(getter, word)
        if kind == "vm_wallpaper" and word == "picture":
            return probe("wallpaper")
        if kind == "gimp_config_file":
            return probe(word, path=guest_path(f".config/GIMP/2.10/{getter['file_name']}"), **arguments)
        self.refuse_absent(getter)
        raise NotJudgedYet(f"the getter {kind!r} where a file is compared")

    def _of_slide(self, getter: Data, word: str) -> Call:
        """Return a probe of what lies on a slide; slides are counted from 0 there."""
        kind = getter["type"]
        place = {"path": guest_path(fill_in(getter["ppt_file_path"])), "number": int(getter["slide_index"]) + 1}
        if kind == "audio_in_slide" and word == "sound":
            return probe("slide_sound", **place)
        if kind != "audio_in_slide" and word == "picture":
            return probe("slide_picture", **place, behind=kind == "background_image_in_slide")
        raise NotJudgedYet(f"the getter {kind!r} where something else is compared")

    def text(self, getter: Data) -> object:
        """Return what tells a text: of a file, of a terminal, of a command."""
        kind = getter.get("type")
        if page := text_of_page(getter):
            return page
        if kind == "vm_command_line":
            return self._command(getter)
        if kind == "vm_command_error":
            return probe("output", argv=argv_of(getter), stream="error")
        if kind == "vm_terminal_output":
            return probe("terminal")
        if kind == "cache_file":
            return self._output_of_step(getter)
        if kind == "default_video_player":
            return probe("output", argv=[SHELL, "-c", _VIDEO_PLAYER])
        return self.side(getter, "text")

    def is_printed(self, getter: Data) -> bool:
        """Tell whether a getter tells what a command prints, not what stands in a file."""
        return getter.get("type") in _PRINTED

    def refuse_absent(self, getter: Data) -> None:
        """Raise NeededFirst for a getter that asks an account, a server or a live site."""
        kind = getter.get("type")
        if kind in ACCOUNTS or kind in SERVERS or kind in LIVE_GETTERS:
            raise NeededFirst(f"the getter {kind!r}")

    def rules(self, getter: Data) -> Data:
        """Return the rules that a getter holds."""
        self.refuse_absent(getter)
        if getter.get("type") == "rule_relativeTime":
            return rules_for_today(getter["rules"])
        if getter.get("type") == "rule_relativeTime_formatted":
            return formatted_rules(getter["rules"])
        if getter.get("type") != "rule":
            raise NotJudgedYet(f"the getter {getter.get('type') or 'nothing'!r} where rules are expected")
        return cast(Data, getter["rules"])

    def _command(self, getter: Data) -> Call:
        command = getter["command"]
        if asks_clipboard(command):
            return probe("clipboard")
        return probe("output", argv=argv_of(getter))

    def _output_of_step(self, getter: Data) -> Call:
        """Return what a step before judgement printed into a file: its command, run when it is judged."""
        for each in self.after:
            if each.parameters.get("stdout") == getter["path"]:
                return probe("output", argv=argv_of(each.parameters))
        raise NotJudgedYet(f"the file {getter['path']!r}, which no step before judgement writes")


def asks_clipboard(command: str | list[str]) -> bool:
    """Tell whether a command prints what is in the clipboard."""
    first = command.split()[:1] if isinstance(command, str) else command[:1]
    return bool(first) and first[0] in _CLIPBOARD and ("-o" in str(command) or "output" in str(command))


def argv_of(getter: Data) -> list[str]:
    """Return the command of a getter as words, with a shell where it needs one."""
    command = getter["command"]
    if isinstance(command, str):
        return [SHELL, "-c", line_of(command)]
    words = [fill_in(word) for word in command]
    if any(word in _PROGRAM_OF_WORDS for word in words):
        return [SHELL, "-c", " ".join(words)]
    words = ["python3", *words[1:]] if words[0] == "python" else words
    # A program that the agent should have made may be absent: then it prints nothing.
    return [SHELL, "-c", 'exec "$@"', SHELL, *words] if "/" in words[0] else words


Metric = Callable[[ForeignComparison, Sides], Call]
"""Puts a comparison of OSWorld's into our words: as a check."""


def pair_metric(name: str, word: str, beside: str = "other", **arguments: object) -> Metric:
    """Return a metric that is a check of two files of a kind, or of two texts from anywhere."""

    def metric(each: ForeignComparison, looks: Sides) -> Call:
        found = [
            looks.text(side) if word == "text" else looks.side(side, word) for side in (each.result, each.expected)
        ]
        return check(name, **{"of": found[0], beside: found[1]}, **arguments)

    return metric
