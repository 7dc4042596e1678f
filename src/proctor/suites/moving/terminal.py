"""Tasks in a terminal, in folders that others use too."""

from __future__ import annotations

from proctor.suites.parts.news import happens, shared_notice
from proctor.suites.parts.terminal import in_terminal
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.tasks.draw import FIRST_NAMES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template


def _pack(draw: Draw, moved: bool) -> Draft:
    colleague, *people = draw.some(FIRST_NAMES, 6)
    folder, other = draw.some(("surveys", "interviews", "ballots", "reviews"), 2)
    archive = f"Backups/{folder}.tar.gz"
    answers = {f"{who.lower()}.txt": f"{who}: {draw.randint(1, 9)} of 10\n" for who in people}
    late, said = answers.popitem()
    came = f"{folder if moved else other}/{late}"
    kept = {**answers, late: said} if moved else answers
    pack = f"tar czf {archive} {folder}"
    remove = f"rm -r {folder}"
    gone = [f"{folder}/{name}" for name in kept]
    packed = (*in_terminal(pack), hand.await_file(came))
    anew = in_terminal(f"{pack} && {remove}")
    return Draft(
        instruction=f"We're done with the {folder}. Please pack the folder {folder} into {archive}, with everything "
        f"that {colleague} has put in there, and delete the folder when that is done. A terminal is open.",
        paraphrases=(
            f"Please make {archive} of the folder {folder}, with all of {colleague}'s files, and remove the folder "
            "then.",
        ),
        setup=(
            make.folder("Backups"),
            *(make.text_file(f"{folder}/{name}", text) for name, text in answers.items()),
            make.text_file(f"{other}/notes.txt", "Nothing yet\n"),
            make.terminal("."),
        ),
        events=(
            happens(
                f"{colleague} adds a file",
                expect.file_exists(see.file(archive)),
                make.text_file(came, said),
                shared_notice(f"{colleague} added {late} to {came.partition('/')[0]}"),
            ),
        ),
        check=expect.all_of(
            [
                expect.archive_holds(see.archive(archive), kept, top=folder),
                expect.archive_format(see.archive(archive), "tar.gz"),
                expect.nothing_there(see.file(folder)),
                expect.text_is(see.text(f"{other}/notes.txt"), "Nothing yet\n"),
                *([] if moved else [expect.text_is(see.text(came), said)]),
            ]
        ),
        expected=(archive, folder, *gone),
        solution=(*packed, *anew) if moved else (*packed, *in_terminal(remove)),
        near_misses=(
            (
                NearMiss(name="the late file deleted with the folder", moves=(*packed, *in_terminal(remove))),
                NearMiss(name="packed again, the folder left", moves=(*packed, *in_terminal(f"{pack} && ls Backups"))),
            )
            if moved
            else (
                NearMiss(
                    name="the file of the other folder packed too",
                    moves=(*packed, *in_terminal(f"{pack} {came} && {remove}")),
                ),
                NearMiss(name="packed, the folder left", moves=packed),
            )
        ),
        other_ways=(
            by_hand(
                "the files moved apart, packed from within",
                *packed,
                hand.run_code(f"cd {folder} && tar czf ../{archive} *.txt && rm *.txt && cd .. && rmdir {folder}"),
            ),
        ),
        cheats=(
            by_hand("put away instead of deleted", *packed, hand.run_code(f"{pack} && mv {folder} .{folder}")),
            by_shell(
                "an archive of empty files",
                *(f": > {folder}/{name}" for name in answers),
                f"{pack} && {remove}",
            ),
        ),
    )


@template(apps=("lxterminal",), level=3, demand="System/Files and Applications/Files")
def pack_the_shared_folder(draw: Draw) -> Draft:
    """A folder is packed and deleted, and somebody adds a file to it in between."""
    return _pack(draw, moved=True)


@template(apps=("lxterminal",), level=3, demand="System/Files and Applications/Files", twin="pack-the-shared-folder")
def pack_the_folder_beside(draw: Draw) -> Draft:
    """A folder is packed and deleted, and somebody adds a file to another one in between."""
    return _pack(draw, moved=False)


def _endings(draw: Draw, moved: bool) -> Draft:
    colleague = draw.choice(FIRST_NAMES)
    folder = f"Reports/{draw.choice(('north', 'south', 'east', 'west'))}"
    *names, late = draw.some(("bridge", "harbour", "market", "mill", "park", "station", "tower"), 5)
    texts = {name: f"{name.capitalize()}: {draw.randint(10, 99)} visitors\n" for name in (*names, late)}
    came = f"{late}.text" if moved else f"{late}.csv"
    after = {f"{name}.txt": texts[name] for name in names} | {f"{late}.txt" if moved else came: texts[late]}
    everything = 'for file in *.text; do mv "$file" "${file%.text}.txt"; done'
    first = (*in_terminal(everything), hand.await_file(f"{folder}/{came}"))
    return Draft(
        instruction=f"The program that reads the reports only takes .txt. Please rename all .text files in {folder}, "
        f"where the terminal is, so that they end in .txt. {colleague} hands the folder on when you're done.",
        paraphrases=(
            f"In {folder} (terminal): every .text file should end in .txt instead, before {colleague} hands the "
            "folder on.",
        ),
        setup=(
            *(make.text_file(f"{folder}/{name}.text", texts[name]) for name in names),
            make.terminal(folder),
        ),
        events=(
            happens(
                f"{colleague} adds a report",
                expect.file_exists(see.file(f"{folder}/{names[0]}.txt")),
                make.text_file(f"{folder}/{came}", texts[late]),
                shared_notice(f"{colleague} added {came} to {folder.rpartition('/')[2]}"),
            ),
        ),
        check=expect.all_of(
            [
                expect.folder_holds(see.folder(folder), exactly=[*after]),
                *(expect.text_is(see.text(f"{folder}/{name}"), text) for name, text in after.items()),
            ]
        ),
        expected=tuple(
            f"{folder}/{name}{ending}" for name in (*names, *([late] if moved else [])) for ending in (".text", ".txt")
        ),
        solution=(*first, *(in_terminal("ls", everything) if moved else ())),
        near_misses=(
            (
                NearMiss(name="the late report left as it came", moves=first),
                NearMiss(name="a copy of the late report", moves=(*first, *in_terminal(f"cp {came} {late}.txt"))),
            )
            if moved
            else (
                NearMiss(name="the table renamed too", moves=(*first, *in_terminal(f"mv {came} {late}.txt"))),
                NearMiss(name="copied instead of renamed", moves=in_terminal(everything.replace("mv", "cp"))),
            )
        ),
        other_ways=(
            by_hand(
                "one after the other",
                hand.run_code(f"mv {folder}/{names[0]}.text {folder}/{names[0]}.txt"),
                hand.await_file(f"{folder}/{came}"),
                hand.run_code(f"cd {folder} && {everything}"),
            ),
        ),
        cheats=(
            by_shell("empty files of these names", f"cd {folder}", "rm *", *(f": > {name}" for name in after)),
            by_hand("thrown away what came", *first, hand.run_code(f"rm {folder}/{came}")),
        ),
    )


@template(apps=("lxterminal",), level=3, demand="System/Files and Applications/Files")
def every_report_renamed(draw: Draw) -> Draft:
    """Files are renamed, and somebody adds one more that needs it."""
    return _endings(draw, moved=True)


@template(apps=("lxterminal",), level=3, demand="System/Files and Applications/Files", twin="every-report-renamed")
def every_report_but_the_table(draw: Draw) -> Draft:
    """Files are renamed, and somebody adds one that needs no other name."""
    return _endings(draw, moved=False)
