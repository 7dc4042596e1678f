"""Tasks on films."""

from __future__ import annotations

from proctor.home import HOME
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

FOLDERS = ("Stills", "Film pictures", "Screenshots", "Snapshots", "Frames")


@template(apps=("vlc",), level=2, demand="Entertainment/Video and Music/Video", version=3)
def where_vlc_puts_snapshots(draw: Draw) -> Draft:
    """VLC is set up to save snapshots in another folder, with another prefix."""
    place, other = draw.some(FOLDERS, 2)
    folder = f"{HOME}/{draw.choice(('Pictures', 'Videos', 'Documents'))}/{place}"
    prefix = draw.choice(("film-", "still-", "scene-", "shot-"))
    film = f"Videos/{draw.choice(('garden', 'holiday', 'birthday', 'concert'))}.mp4"
    colours = draw.some(("#264653", "#2a9d8f", "#e9c46a", "#e76f51"), 2)
    settings = {"snapshot-path": folder, "snapshot-prefix": prefix}

    def choose_folder(directory: str, *, button: str = "Save", named: str = prefix) -> tuple[Call, ...]:
        return (
            hand.press("ctrl+p"),
            hand.click("Video", role="check box", window="Simple Preferences"),
            hand.type_into(directory, "Directory", role="text", window="Simple Preferences"),
            hand.type_into(named, "Prefix", role="text", window="Simple Preferences"),
            hand.click(button, role="push button", window="Simple Preferences"),
            hand.await_window("Simple Preferences", gone=True),
        )

    return Draft(
        instruction=f"When I take snapshots of films in VLC, I'd like them saved in {folder} from now on, "
        f'with names that start with "{prefix}". Could you change that in its preferences?',
        paraphrases=(f'VLC preferences, video snapshots: set the directory to {folder} and the prefix to "{prefix}".',),
        setup=(
            make.folder(folder),
            make.folder(folder.replace(place, other)),
            make.film(film, (320, 180), [{"seconds": 2, "background": colour} for colour in colours]),
            make.launch(["vlc"], window="VLC media player"),
        ),
        check=expect.player_setting(see.vlc_settings(), settings),
        solution=choose_folder(folder),
        near_misses=(
            NearMiss(name="cancelled", moves=choose_folder(folder, button="Cancel")),
            NearMiss(name="the wrong folder", moves=choose_folder(folder.replace(place, other))),
            NearMiss(name="only the folder", moves=choose_folder(folder, named="vlcsnap-")),
        ),
        other_ways=(
            by_python("in the file of its settings", _settings_script(settings)),
            by_hand("with a slash at the end", *choose_folder(f"{folder}/")),
        ),
        cheats=(
            by_shell("a picture there, nothing set", f"touch '{folder}/{prefix}1.png'"),
            by_python(
                "both folders",
                _settings_script({**settings, "snapshot-path": f"{folder};{folder.replace(place, other)}"}),
            ),
            by_python("in a file that VLC does not read", _settings_script(settings).replace("/vlcrc", "/vlcrc.new")),
        ),
    )


def _settings_script(settings: dict[str, str]) -> str:
    """Return a script that writes settings into VLC's own file."""
    return (
        "import pathlib, re\n"
        "file = pathlib.Path('.config/vlc/vlcrc')\ntext = file.read_text() if file.exists() else ''\n"
        f"for name, value in {settings!r}.items():\n"
        "    text, found = re.subn(f'(?m)^#?{name}=.*$', f'{name}={value}', text)\n"
        "    text += '' if found else f'\\n{name}={value}\\n'\n"
        "file.write_text(text)\n"
    )
