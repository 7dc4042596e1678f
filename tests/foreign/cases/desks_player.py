"""Cases of VLC: what it plays, how large it is, how it is set up."""

from __future__ import annotations

from proctor.tasks.shelves import hand as do
from proctor.vocabulary.formats.film.setup import Scene, film_file
from tests.foreign.acts import give_up, nothing
from tests.foreign.case import Act, Case, case, moves, shell, then
from tests.foreign.workshop import Workshop

CALL = "gdbus call --session --dest org.mpris.MediaPlayer2.vlc --object-path /org/mpris/MediaPlayer2 --method"
QUIT = shell(f"{CALL} org.mpris.MediaPlayer2.Quit > /dev/null; while pgrep -x vlc > /dev/null; do sleep 0.2; done")


def clip(colour: str = "#204080", seconds: int = 60) -> bytes:
    """Return a film of one colour with a moving title."""
    scene = Scene.model_validate({"seconds": seconds, "background": colour})
    return film_file("clip.mp4", (320, 240), (scene,), 5)


def keep(*lines: str, section: str = "qt") -> Act:
    """Return an act that leaves lines in VLC's settings, as it does itself when it is closed."""
    written = "\\n".join(lines)
    names = [line.lstrip("#").partition("=")[0] for line in lines]
    dropped = "".join(f"sed -i '/^#\\?{name}=/d' vlcrc; " for name in names)
    there = f"touch vlcrc; {dropped}grep -q '^\\[{section}\\]' vlcrc || printf '\\n[{section}]\\n' >> vlcrc; "
    return then(QUIT, shell(f"cd .config/vlc; {there}sed -i 's/^\\[{section}\\].*/&\\n{written}/' vlcrc"))


def play(path: str) -> Act:
    """Return an act that opens a file in the VLC that is open, and waits until it plays."""
    opened = f"{CALL} org.mpris.MediaPlayer2.Player.OpenUri 'file://{path}' > /dev/null"
    status = (
        f"{CALL} org.freedesktop.DBus.Properties.Get org.mpris.MediaPlayer2.Player PlaybackStatus | grep -q Playing"
    )
    return shell(f"{opened}; for n in $(seq 50); do {status} && break; sleep 0.2; done")


@case("osworld", "215dfd39")
def hide_the_cone(shop: Workshop) -> Case:
    return Case(satisfied=keep("qt-bgcone=0"), near_miss=keep("#qt-bgcone=0"))


@case("osworld", "59f21cfb")
def play_what_is_there(shop: Workshop) -> Case:
    name = "Rick Astley - Never Gonna Give You Up (Official Music Video).mp4"
    path = f"/home/user/Desktop/{name}".replace(" ", "%20")
    pause = shell(f"{CALL} org.mpris.MediaPlayer2.Player.Pause")
    return Case(files={name: clip()}, satisfied=play(path), near_miss=then(play(path), pause))


@case("osworld", "7882ed6e")
def play_what_was_bought_elsewhere(shop: Workshop) -> Case:
    return Case(satisfied=give_up, near_miss=nothing)


@case("osworld", "8ba5ae7a")
def keep_recordings_at_hand(shop: Workshop) -> Case:
    def kept(folder: str) -> Act:
        return keep(f"input-record-path={folder}".replace("/", "\\/"), section="core")

    return Case(satisfied=kept("/home/user/Desktop"), near_miss=kept("/home/user/Documents"))


@case("osworld", "8d9fd4e2")
def fill_the_screen(shop: Workshop) -> Case:
    whole = then(moves(do.press("f")), moves(do.await_window("VLC")))
    larger = shell("wmctrl -r VLC -b add,maximized_vert,maximized_horz")
    return Case(files={"Optimus - Gen 2.mp4": clip("#803020")}, satisfied=whole, near_miss=larger)


@case("osworld", "9195653c")
def make_it_louder(shop: Workshop) -> Case:
    return Case(satisfied=keep("qt-max-volume=200"), near_miss=keep("#qt-max-volume=200", "qt-volume=200"))


@case("osworld", "a5bbbcd5")
def hide_the_bar(shop: Workshop) -> Case:
    return Case(satisfied=keep("qt-minimal-view=1"), near_miss=moves(do.press("ctrl+h")))


@case("osworld", "d06f0d4d")
def darken_the_slider(shop: Workshop) -> Case:
    dark = "qt-slider-colours=20;20;20;30;30;30;10;10;10;5;5;5"
    return Case(satisfied=keep(dark), near_miss=keep(dark.replace("10;10;10", "255;199;15")))


@case("osworld", "f3977615")
def play_two_at_once(shop: Workshop) -> Case:
    name = "one-instance-when-started-from-file"
    return Case(satisfied=keep(f"{name}=0", section="core"), near_miss=keep("one-instance=0", section="core"))
