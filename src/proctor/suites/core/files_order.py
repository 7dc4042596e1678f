"""Tasks that put files in order: sorting, renaming, clearing out."""

from __future__ import annotations

from datetime import date, timedelta

from proctor.suites.parts.files import copy_to, go_to, move_by_menus, move_to, rename, select
from proctor.suites.parts.fixtures import plant
from proctor.suites.parts.unchanged import are_kept
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import CITIES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

PAPERS = ("boarding-pass", "invoice", "lease", "manual", "menu", "payslip", "programme", "ticket")
PICTURES = ("bridge", "cat", "garden", "lighthouse", "market", "snow", "tram")
OTHERS = ("podcast.m3u", "drivers.zip", "contacts.csv", "opening-hours.html")


def _is_moved(name: str, source: str, target: str) -> list[Call]:
    """Check that a file is now elsewhere with what it held."""
    old, new = f"{source}/{name}", f"{target}/{name}"
    if name.endswith(".jpg"):
        kept = expect.picture_unchanged(see.picture(new), see.picture_before(old))
    else:
        kept = expect.same_content(see.digest(new), see.digest_before(old))
    return [kept, expect.nothing_there(see.file(old))]


@template(apps=("thunar",), level=2, demand="System/Files and Applications/Files", version=3)
def sort_the_downloads(draw: Draw) -> Draft:
    """PDF files and pictures are moved out of the Downloads folder, each kind to its own place."""
    papers = [f"{name}.pdf" for name in draw.some(PAPERS, draw.randint(2, 3))]
    pictures = [f"{name}.jpg" for name in draw.some(PICTURES, 2)]
    others = draw.some(OTHERS, 2)
    # A name that looks like one kind and is another.
    trap = f"{draw.choice(PICTURES)}.jpg.txt"
    every = [*papers, *pictures, *others, trap]
    to_documents = move_to("Documents", *papers)
    to_pictures = move_to("Pictures", *pictures)
    back = go_to("Downloads")
    moved = [check for name in papers for check in _is_moved(name, "Downloads", "Documents")]
    moved += [check for name in pictures for check in _is_moved(name, "Downloads", "Pictures")]
    return Draft(
        instruction="My Downloads folder is a mess. Could you move all the PDFs to Documents and all the JPG "
        "pictures to Pictures? Everything else can stay where it is.",
        paraphrases=("Tidy up Downloads for me: PDFs go to Documents, .jpg files go to Pictures, leave the rest.",),
        setup=(
            *(plant(f"Downloads/{name}", name) for name in draw.some(every, len(every))),
            make.launch(["thunar", "Downloads"], window="Downloads"),
        ),
        check=expect.all_of(
            [
                *moved,
                expect.folder_holds(see.folder("Downloads"), exactly=[*others, trap]),
                expect.folder_holds(see.folder("Documents"), exactly=papers),
                expect.folder_holds(see.folder("Pictures"), exactly=pictures),
                *are_kept("Downloads", [*others, trap]),
            ]
        ),
        expected=(
            *(f"{folder}/{name}" for name in papers for folder in ("Downloads", "Documents")),
            *(f"{folder}/{name}" for name in pictures for folder in ("Downloads", "Pictures")),
        ),
        solution=(*to_documents, *back, *to_pictures),
        near_misses=(
            NearMiss(name="only the PDF files", moves=to_documents),
            NearMiss(
                name="the text file treated as a picture",
                moves=(*to_documents, *back, *move_to("Pictures", *pictures, trap)),
            ),
            NearMiss(
                name="copied instead of moved",
                moves=(*copy_to("Documents", *papers), *back, *copy_to("Pictures", *pictures)),
            ),
        ),
        other_ways=(
            by_shell("by the command line", "mv Downloads/*.pdf Documents/", "mv Downloads/*.jpg Pictures/"),
            by_shell(
                "copied, and the originals deleted",
                *(f"cp -p Downloads/{name} Documents/ && rm Downloads/{name}" for name in papers),
                *(f"cat Downloads/{name} > Pictures/{name} && rm Downloads/{name}" for name in pictures),
            ),
            by_hand(
                "by the menus of the right button",
                *move_by_menus("Documents", *papers),
                *back,
                *move_by_menus("Pictures", *pictures),
            ),
        ),
        cheats=_cheats_at_sorting(papers, pictures, others[0]),
    )


def _cheats_at_sorting(papers: list[str], pictures: list[str], other: str) -> tuple[Way, ...]:
    wanted = [*(f"Documents/{name}" for name in papers), *(f"Pictures/{name}" for name in pictures)]
    gone = [f"Downloads/{name}" for name in (*papers, *pictures)]
    return (
        by_shell("empty files of these names", f"touch {' '.join(wanted)}", f"rm {' '.join(gone)}"),
        by_shell(
            "sorted, the rest emptied",
            "mv Downloads/*.pdf Documents/",
            "mv Downloads/*.jpg Pictures/",
            f": > Downloads/{other}",
        ),
        by_shell(
            "links to files that were hidden",
            "mkdir Downloads/.old",
            f"mv {' '.join(gone)} Downloads/.old/",
            *(f"ln -s ../Downloads/.old/{path.rpartition('/')[2]} {path}" for path in wanted),
        ),
    )


@template(apps=("thunar",), level=2, demand="System/Files and Applications/Files", version=2)
def rename_the_holiday_photos(draw: Draw) -> Draft:
    """Photos are named after a place, with numbers in the order they were taken."""
    city, other = draw.some(CITIES, 2)
    first = draw.randint(2001, 8900)
    numbers = sorted(draw.sample(range(first, first + 90), 3))
    old = [f"IMG_{number}.jpg" for number in numbers]
    new = [f"{city} {place}.jpg" for place in range(1, 4)]
    folder = f"Pictures/{draw.choice(('Holiday', 'Trip', 'Weekend'))}"
    colours = draw.some(("#a03020", "#3060a0", "#40803c", "#806020", "#503080"), 4)
    renamed = [(source, target) for source, target in zip(old, new, strict=True)]
    stranger = f"{other}.jpg"

    def by(pairs: list[tuple[str, str]]) -> tuple[Call, ...]:
        return tuple(move for source, target in in_safe_order(pairs) for move in rename(source, target))

    def in_safe_order(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return them in the order in which the list of files does not move under the hand."""
        return sorted(pairs, reverse=city > "IMG")

    return Draft(
        instruction=f"The photos in {folder} whose names start with IMG are from {city}. Please rename them "
        f'"{new[0]}", "{new[1]}" and "{new[2]}", in the order of their numbers. Leave the other picture alone.',
        paraphrases=(f"Rename the IMG_... pictures in {folder}, lowest number first: {', '.join(new)}. Nothing else.",),
        setup=(
            *(
                make.picture(f"{folder}/{name}", 320, 200, background=colour)
                for name, colour in zip([*old, stranger], colours, strict=True)
            ),
            make.launch(["thunar", folder], window=folder.rpartition("/")[2]),
        ),
        check=expect.all_of(
            [
                expect.folder_holds(see.folder(folder), exactly=[*new, stranger]),
                *are_kept(folder, [stranger]),
                *(
                    expect.picture_unchanged(
                        see.picture(f"{folder}/{target}"), see.picture_before(f"{folder}/{source}")
                    )
                    for source, target in renamed
                ),
            ]
        ),
        expected=tuple(f"{folder}/{name}" for name in (*old, *new)),
        solution=by(renamed),
        near_misses=(
            NearMiss(name="numbered backwards", moves=by(list(zip(reversed(old), new, strict=True)))),
            NearMiss(name="the last one forgotten", moves=by(renamed[:2])),
        ),
        other_ways=(
            by_shell("by the command line", f"cd {folder}", *(f"mv {old} '{new}'" for old, new in renamed)),
            by_python(
                "by a script that sorts them",
                "import os\n"
                f"os.chdir({folder!r})\n"
                "found = sorted(name for name in os.listdir() if name.startswith('IMG'))\n"
                f"for number, name in enumerate(found, 1):\n    os.rename(name, f'{city} {{number}}.jpg')\n",
            ),
            by_hand(
                "in the dialogs of their properties",
                *(call for source, target in in_safe_order(renamed) for call in _renamed_in_properties(source, target)),
            ),
        ),
        cheats=(
            by_shell(
                "one picture three times",
                f"cd {folder}",
                *(f"cp {old[0]} '{name}'" for name in new),
                f"rm {' '.join(old)}",
            ),
            by_shell(
                "renamed, the other picture replaced",
                f"cd {folder}",
                *(f"mv {old} '{new}'" for old, new in renamed),
                f"cp '{new[0]}' '{stranger}'",
            ),
            by_shell("copied under the new names", f"cd {folder}", *(f"cp {old} '{new}'" for old, new in renamed)),
        ),
    )


def _renamed_in_properties(name: str, new: str) -> tuple[Call, ...]:
    """Rename a file in the dialog of its properties."""
    return (
        *select(name),
        hand.press("alt+Return"),
        hand.await_window("Properties"),
        hand.type_into(f"{new}\n", role="text", window="Properties", nth=0),
        hand.click("Close", role="push button", window="Properties"),
        hand.await_element(f"/^{new}$/", role="table cell"),
    )


@template(apps=("pcmanfm",), level=2, demand="System/Files and Applications/System Resources", version=4)
def clear_out_old_backups(draw: Draw) -> Draft:
    """Backups from before a certain day are deleted, newer ones are kept."""
    limit = date(2026, draw.randint(1, 2), 1)
    older = sorted(limit - timedelta(days=days) for days in draw.sample(range(2, 130), 3))
    newer = sorted(limit + timedelta(days=days) for days in draw.sample(range(0, 11), 2))
    old = [f"backup-{day:%Y-%m-%d}.tar" for day in older]
    stays = [f"backup-{day:%Y-%m-%d}.tar" for day in newer] + ["README.txt"]
    when = f"{limit.day} {limit:%B %Y}"

    def delete(*names: str) -> tuple[Call, ...]:
        # One by one: the file manager now and then forgets a part of a larger selection.
        return tuple(
            call
            for name in names
            for call in (
                hand.click(name, role="table cell"),
                hand.press("Delete"),
                hand.await_window("Confirm"),
                hand.press("Return"),
                hand.await_element(f"/^{name}$/", role="table cell", gone=True),
            )
        )

    return Draft(
        instruction=f"I'm running out of disk space. Please delete every backup from before {when} in the "
        "Backups folder in my home folder. You can tell the dates from the names. Keep the newer ones and the "
        "README.",
        paraphrases=(f"Please delete all backups older than {when} in ~/Backups, and nothing else.",),
        setup=(
            *(
                make.big_file(f"Backups/{name}", draw.randint(200, 900) * 1000, begins=f"{name}\n")
                for name in [*old, *stays[:-1]]
            ),
            make.text_file("Backups/README.txt", "Made every few weeks with tar.\n"),
            make.text_file(".config/pcmanfm/default/pcmanfm.conf", "[ui]\nview_mode=list\n"),
            make.launch(["pcmanfm", "Backups"], window="Backups"),
        ),
        check=expect.all_of(
            [
                expect.folder_holds(see.folder("Backups"), exactly=stays),
                *are_kept("Backups", stays),
                # What is moved out of sight takes as much space as before.
                expect.not_kept_elsewhere(see.copies([f"Backups/{name}" for name in old])),
            ]
        ),
        expected=tuple(f"Backups/{name}" for name in old),
        solution=delete(*old),
        near_misses=(
            NearMiss(name="one old backup is left", moves=delete(*old[:2])),
            NearMiss(name="a newer one deleted as well", moves=delete(*old, stays[0])),
        ),
        other_ways=(
            by_shell("by the command line", f"cd Backups && rm {' '.join(old)}"),
            by_shell("into the trash, by the command line", f"cd Backups && gio trash {' '.join(old)}"),
            by_python(
                "by the dates in their names",
                "import pathlib\n"
                "for file in pathlib.Path('Backups').glob('backup-*.tar'):\n"
                f"    if file.stem[7:] < '{limit:%Y-%m-%d}':\n        file.unlink()\n",
            ),
        ),
        cheats=(
            by_shell("emptied instead of deleted", *(f": > Backups/{name}" for name in old)),
            by_shell("out of sight", "cd Backups", "mkdir .old", f"mv {' '.join(old)} .old/"),
            by_shell("into a folder for passing things", "cd Backups", f"mv {' '.join(old)} /tmp/"),
            by_shell("hidden at home", "cd Backups", "mkdir ~/.old", f"mv {' '.join(old)} ~/.old/"),
            by_shell("the newer ones emptied too", "cd Backups", f"rm {' '.join(old)}", f": > {stays[0]}"),
            by_shell("everything but the README", "rm Backups/*.tar"),
        ),
    )


@template(apps=("thunar",), level=2, demand="System/Files and Applications/System Resources", version=3)
def set_aside_the_largest_video(draw: Draw) -> Draft:
    """The largest of several files is moved to another folder; sizes in different units mislead."""
    names = [f"{name}.mp4" for name in draw.some(("birthday", "concert", "graduation", "lake", "parade", "wedding"), 4)]
    sizes = [
        draw.randint(11, 15) * 2**20,
        draw.randint(700, 990) * 2**10,
        draw.randint(2, 9) * 2**20,
        draw.randint(20, 900),
    ]
    largest, smaller = names[0], names[1:]
    shown = draw.some(list(zip(names, sizes, strict=True)), 4)
    return Draft(
        instruction="One of the films in my Videos folder takes up way more space than the others. Can you "
        "find the largest file there and move it to the Public folder in my home folder?",
        paraphrases=("Move the biggest file in Videos to ~/Public. The others stay.",),
        setup=(
            *(make.big_file(f"Videos/{name}", size, begins=f"{name}\n") for name, size in shown),
            make.launch(["thunar", "Videos"], window="Videos"),
        ),
        check=expect.all_of(
            [
                expect.folder_holds(see.folder("Videos"), exactly=smaller),
                expect.folder_holds(see.folder("Public"), exactly=[largest]),
                expect.same_content(see.digest(f"Public/{largest}"), see.digest_before(f"Videos/{largest}")),
                *are_kept("Videos", smaller),
            ]
        ),
        expected=(f"Videos/{largest}", f"Public/{largest}"),
        solution=move_to("Public", largest),
        near_misses=(
            NearMiss(name="the one with the biggest number", moves=move_to("Public", names[1])),
            NearMiss(name="copied instead of moved", moves=copy_to("Public", largest)),
        ),
        other_ways=(
            by_shell("by the command line", 'mv "Videos/$(ls -S Videos | head -n 1)" Public/'),
            by_shell("copied, and the original deleted", f"cp Videos/{largest} Public/ && rm Videos/{largest}"),
            by_hand("by the menus of the right button", *move_by_menus("Public", largest)),
        ),
        cheats=(
            by_shell("a file as large", f"rm Videos/{largest}", f"truncate -s {sizes[0]} Public/{largest}"),
            by_shell("all of them", "mv Videos/*.mp4 Public/"),
            by_shell(
                "a link to it", f"mv Videos/{largest} Videos/.{largest}", f"ln -s ../Videos/.{largest} Public/{largest}"
            ),
            by_shell(
                "moved, the others emptied", f"mv Videos/{largest} Public/", *(f": > Videos/{name}" for name in smaller)
            ),
        ),
    )
