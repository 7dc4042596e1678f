"""Cases of the desktop itself: files, settings, terminals, programs that run."""

from __future__ import annotations

import io

from PIL import Image

from proctor.tasks.shelves import hand as do
from tests.foreign.acts import give_up
from tests.foreign.case import Case, case, moves, shell, then
from tests.foreign.workshop import Workshop

TERMINAL_SETTINGS = ".config/lxterminal/lxterminal.conf"
FAVOURITES = "gsettings set org.gnome.shell favorite-apps"


def photo(colour: str, form: str = "JPEG") -> bytes:
    """Return a small picture."""
    held = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(held, form)
    return held.getvalue()


@case("osworld", "13584542")
def keep_the_size_of_terminals(shop: Workshop) -> Case:
    sized = "cp -n /usr/share/lxterminal/lxterminal.conf . 2> /dev/null || printf '[general]\\n' > lxterminal.conf"
    lines = "sed -i -E '/^geometry_(columns|rows)=/d; s/^\\[general\\]$/&\\ngeometry_columns=132\\ngeometry_rows=43/'"
    return Case(
        satisfied=shell(f"mkdir -p .config/lxterminal; cd .config/lxterminal; {sized}; {lines} lxterminal.conf"),
        # This window has the size, and the next one has not.
        near_miss=then(
            shell("lxterminal --geometry=132x43 > /dev/null 2>&1 &"),
            moves(do.await_window("user@"), do.type("stty size\n")),
        ),
    )


@case("osworld", "3ce045a0")
def enlarge_texts(shop: Workshop) -> Case:
    return Case(
        satisfied=shell("gsettings set org.gnome.desktop.interface text-scaling-factor 1.5"),
        near_miss=shell("gsettings set org.gnome.desktop.interface cursor-size 48"),
    )


@case("osworld", "bedcedc4")
def keep_the_screen_bright(shop: Workshop) -> Case:
    return Case(
        satisfied=shell("gsettings set org.gnome.settings-daemon.plugins.power idle-dim false"),
        near_miss=shell("gsettings set org.gnome.desktop.session idle-delay 900"),
    )


@case("osworld", "e0df059f")
def rename_a_folder(shop: Workshop) -> Case:
    return Case(
        satisfied=shell("mv Desktop/todo_list_Jan_1 Desktop/todo_list_Jan_2"),
        near_miss=shell("mv Desktop/todo_list_Jan_1 Desktop/todo_list_Jan2"),
    )


@case("osworld", "ec4e3f68")
def remove_a_favourite(shop: Workshop) -> Case:
    return Case(
        satisfied=shell(f"{FAVOURITES} \"['thunderbird.desktop', 'google-chrome.desktop']\""),
        near_miss=shell(f"{FAVOURITES} \"['thunderbird.desktop']\""),
    )


@case("osmap", "l2_modify_favorites_apps")
def choose_favourites(shop: Workshop) -> Case:
    names = [
        "google-chrome",
        "libreoffice-writer",
        "libreoffice-calc",
        "libreoffice-impress",
        "org.gnome.Nautilus",
        "org.gnome.Terminal",
        "gnome-control-center",
        "org.gnome.Calendar",
        "org.gnome.Screenshot",
    ]
    listed = [f"{name}.desktop" for name in names]
    return Case(
        satisfied=shell(f'{FAVOURITES} "{listed}"'),
        near_miss=shell(f'{FAVOURITES} "{[*listed, "thunderbird.desktop"]}"'),
    )


@case("osworld", "23393935")
def copy_photos(shop: Workshop) -> Case:
    names = [
        "monk252520thailand252520wat252520arun252520scaled25255B225255D.jpg",
        "hong-kong-china.jpg",
        "hk_group_photo.jpg",
        "emnlp2023.jpg",
    ]
    files = {name: photo(colour) for name, colour in zip(names, ("red", "green", "blue", "grey"), strict=True)}
    return Case(
        files={**files, "us_3.png": photo("white", "PNG")},
        satisfied=shell("find Desktop/photos -name '*.jpg' -exec cp {} Desktop/cpjpg/ ';'"),
        near_miss=shell("find Desktop/photos -type f -exec cp {} Desktop/cpjpg/ ';'"),
    )


@case("osworld", "37887e8c")
def put_old_files_away(shop: Workshop) -> Case:
    setup = (
        "#!/bin/bash\nmkdir -p /tmp/test_files/old_files /tmp/test_files/new_files\ncd /tmp/test_files\n"
        "echo a > old1.txt; echo b > old2.txt; echo c > new1.txt\ntouch -d '40 days ago' old1.txt old2.txt\n"
    )
    judge = (
        "#!/bin/bash\ncd /tmp/test_files\n"
        "held=$(cd old_files && for each in *.gz; do gzip -dc $each; done 2> /dev/null | tr -d '\\n')\n"
        'if [ "$held" = ab ] && [ "$(cat new_files/* 2> /dev/null)" = c ] && [ -z "$(ls *.txt 2> /dev/null)" ]; then\n'
        '  echo "SUCCESS: The task was completed correctly."\nelse echo "Failed."; fi\n'
    )
    find = "find /tmp/test_files -maxdepth 1 -type f"
    return Case(
        files={"setup.sh": setup.encode(), "eval_20250703.sh": judge.encode()},
        satisfied=shell(
            f"{find} -mtime +29 -exec gzip {{}} ';' -exec mv {{}}.gz /tmp/test_files/old_files/ ';'; "
            f"{find} -exec mv {{}} /tmp/test_files/new_files/ ';'"
        ),
        near_miss=shell(f"{find} -mtime +29 -exec mv {{}} /tmp/test_files/old_files/ ';'"),
    )


@case("osworld", "5ced85fc")
def end_each_line(shop: Workshop) -> Case:
    judge = (
        '#!/bin/bash\nif [ "$(cat ~/output.txt)" = "$(printf \'1<br/>\\n2<br/>\\n3<br/>\')" ]; then\n'
        '  echo "Success: The task has been completed correctly."\nelse echo "Error."; fi\n'
    )
    return Case(
        files={"eval.sh": judge.encode()},
        satisfied=shell("printf '1\\n2\\n3\\n' | sed 's/$/<br\\/>/' > output.txt"),
        near_miss=shell("printf '1\\n2\\n3<br/>\\n' > output.txt"),
    )


@case("osworld", "6f56bf42")
def copy_into_each(shop: Workshop) -> Case:
    judge = "".join(
        f'[ -f dir{n}/file1 ] && echo "Success: file1 exists in dir{n}." || echo "Error: not in dir{n}."\n'
        for n in (1, 2, 3)
    )
    return Case(
        files={"setup.sh": b"touch file1\nmkdir -p dir1 dir2 dir3\n", "eval.sh": judge.encode()},
        satisfied=moves(do.type("for d in dir1 dir2 dir3; do cp file1 $d; done\n")),
        near_miss=moves(do.type("cp file1 dir1 dir2 dir3\n")),
    )


@case("osworld", "b3d4a89c")
def switch_bluetooth_on(shop: Workshop) -> Case:
    return Case(satisfied=give_up, near_miss=shell("mkdir -p .config/bluetooth"))


@case("osworld", "c288e301")
def use_a_python_that_is_not(shop: Workshop) -> Case:
    return Case(satisfied=give_up, near_miss=shell("echo 'alias python=python3' >> .bashrc"))


@case("osmap", "7688b85f")
def move_a_note(shop: Workshop) -> Case:
    return Case(
        satisfied=shell("mv Desktop/todo.txt Desktop/done/"),
        near_miss=shell("mkdir -p done; mv Desktop/todo.txt done/"),
    )


@case("osmap", "cc9d4f34")
def end_a_program(shop: Workshop) -> Case:
    return Case(satisfied=shell("pkill -f 'my_process[.]sh'"), near_miss=shell("pkill -STOP -f 'my_process[.]sh'"))


@case("osmap", "l3_resolution")
def set_the_resolution(shop: Workshop) -> Case:
    return Case(satisfied=shell("xrandr -s 1280x720"), near_miss=shell("xrandr -s 1280x960"))


@case("osworld", "2373b66a")
def watch_the_processor(shop: Workshop) -> Case:
    report = "Desktop/System_Resources_Report.txt"
    return Case(satisfied=shell(f"sar -u 1 30 > {report}"), near_miss=shell(f"sar -u 1 3 > {report}"))


@case("osworld", "937087b6")
def play_films_with_vlc(shop: Workshop) -> Case:
    kinds = "3gpp avi divx mp2t mp4 mpeg msvideo ogg quicktime webm x-flv x-matroska x-ms-wmv x-msvideo"
    every = " ".join(f"video/{kind}" for kind in kinds.split())
    return Case(
        satisfied=shell(f"xdg-mime default vlc.desktop {every}"),
        near_miss=shell("xdg-mime default vlc.desktop audio/mpeg video/mp4"),
    )


@case("osworld", "48d05431")
def find_a_command(shop: Workshop) -> Case:
    return Case(
        satisfied=shell("printf '# >>> conda initialize >>>\\n# <<< conda initialize <<<\\n' >> .bashrc"),
        near_miss=shell("echo 'export PATH=$PATH:/opt/conda/bin' >> .bashrc"),
    )
