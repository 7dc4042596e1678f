"""Tasks that need a plan over several light applications."""

from __future__ import annotations

from proctor.suites.parts.unchanged import are_kept
from proctor.suites.parts.ways import by_python, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

FORMER = ("until", "former", "formerly", "previous", "previously", "ex")
"""What is said of somebody who no longer is what they were."""


def _shell(command: str) -> tuple[Call, ...]:
    # The words of the mark are split, so that only its output matches and not what is typed.
    # Their number tells it from an earlier mark that is still on the screen.
    mark = hand.await_element(role="terminal", text=f"/(^|\\n)ready{len(command)}/")
    return hand.type(f"clear; {command}; echo rea''dy{len(command)}\n"), mark


@template(
    apps=("lxterminal", "mousepad", "thunar", "xarchiver"),
    level=4,
    demand="Knowledge/Knowledge/Information Organization",
    version=4,
)
def hand_over_the_project(draw: Draw) -> Draft:
    """A project is packed for whoever takes over: what is final, plus a note with a name to look up."""
    place = draw.city()
    person, former, successor = draw.people(3)
    final = {name: f"{place}: {name}\n" for name in draw.some(("budget.csv", "guests.txt", "plan.txt", "venue.txt"), 3)}
    drafts = {f"draft-{name}": "unfinished\n" for name in draw.some(("invitation.txt", "menu.txt", "speech.txt"), 2)}
    contacts = f"Caretaker until 2025: {former}\nCaretaker since January 2026: {person}\n"
    folder, archive = f"Documents/{place}", f"Documents/{place.lower()}-handover.zip"
    readme = f"Caretaker: {person}\n"
    packed = {**final, "contacts.txt": contacts, "README.txt": None}
    # Where the note may have been written before it was packed.
    notes = (f"{folder}/README.txt", "README.txt", "Documents/README.txt")

    def note(name: str) -> tuple[Call, ...]:
        return (
            hand.type(f"mousepad {folder}/README.txt &\n"),
            hand.await_window("Mousepad"),
            hand.type(f"Caretaker: {name}\n"),
            hand.press("ctrl+s"),
            hand.await_file(f"{folder}/README.txt"),
            hand.press("alt+F4"),
            hand.await_window("Mousepad", gone=True),
        )

    look = _shell(f"cat {folder}/contacts.txt")
    pack = _shell(f"cd {folder}; zip -q ../{place.lower()}-handover.zip * -x 'draft-*'; rm -f README.txt; cd")
    return Draft(
        instruction=f"{successor} is taking over the {place} event from me. Please put together "
        f"{place.lower()}-handover.zip in Documents. It should have all the files from the {place} folder in "
        "Documents except the drafts (their names start with draft-), plus a new file, README.txt, with one "
        'line that says who the current caretaker is, for example "Caretaker: Ada Lovelace". '
        "You'll find the name in contacts.txt.",
        paraphrases=(
            f"Make Documents/{place.lower()}-handover.zip for {successor} from Documents/{place}: everything "
            'but the drafts (draft-...), plus a README.txt with the line "Caretaker: " and the name of the '
            "current caretaker, which is in contacts.txt.",
        ),
        setup=(
            *(make.text_file(f"{folder}/{name}", text) for name, text in {**final, **drafts}.items()),
            make.text_file(f"{folder}/contacts.txt", contacts),
            make.terminal(),
        ),
        check=expect.all_of(
            [
                expect.archive_format(see.archive(archive), "zip"),
                expect.archive_holds(see.archive(archive), packed, top=place),
                # The wording is only an example.
                expect.archive_member_line(see.archive(archive), "README.txt", [person], [former, successor, *FORMER]),
                *are_kept(folder, [*final, *drafts, "contacts.txt"]),
                *(_nothing_or_a_note(beside, person, former) for beside in notes),
            ]
        ),
        expected=(archive, *notes),
        solution=(*look, *note(person), *pack),
        near_misses=(
            NearMiss(name="the former caretaker", moves=(*look, *note(former), *pack)),
            NearMiss(
                name="drafts packed as well",
                moves=(*note(person), *_shell(f"cd {folder}; zip -q ../{place.lower()}-handover.zip *; cd")),
            ),
            NearMiss(name="no note", moves=pack),
        ),
        other_ways=(
            by_shell(
                "from home, the folder above everything",
                f"echo 'Caretaker: {person}' > {folder}/README.txt",
                f"zip -q -r {archive} {folder} -x '*draft-*'",
            ),
            by_python("by a script, nothing left beside it", _pack_script(folder, archive, readme)),
            by_python(
                "by a script, in other words",
                _pack_script(folder, archive, f"{person} has been the caretaker since January."),
            ),
        ),
        cheats=_cheats_at_the_handover(folder, archive, person, former, sorted(packed)),
    )


def _nothing_or_a_note(path: str, person: str, former: str) -> Call:
    """Check that there is no file, or one with a line that names the right person."""
    says = [expect.text_has(see.text(path), [person], case=False), expect.text_lacks(see.text(path), [former])]
    one_line = expect.line_count(see.text(path), 1)
    return expect.any_of([expect.nothing_there(see.file(path)), expect.all_of([*says, one_line])])


def _pack_script(folder: str, archive: str, readme: str) -> str:
    return (
        f"import pathlib, zipfile\nwith zipfile.ZipFile({archive!r}, 'w') as made:\n"
        f"    for file in pathlib.Path({folder!r}).iterdir():\n"
        "        if not file.name.startswith('draft-'):\n            made.write(file, file.name)\n"
        f"    made.writestr('README.txt', {readme!r})"
    )


def _cheats_at_the_handover(folder: str, archive: str, person: str, former: str, names: list[str]) -> tuple[Way, ...]:
    def pack_by_shell(readme: str) -> str:
        return f"echo '{readme}' > {folder}/README.txt && cd {folder} && zip -q ~/{archive} * -x 'draft-*'"

    return (
        by_shell("both caretakers named", pack_by_shell(f"Caretaker: {person}, {former}")),
        by_shell("as one who no longer is", pack_by_shell(f"Former caretaker: {person}")),
        by_shell("denied", pack_by_shell(f"The caretaker is not {person}.")),
        by_shell(
            "the drafts under other names",
            f"cd {folder} && for f in draft-*; do mv $f ${{f#draft-}}; done && cd ~",
            pack_by_shell(f"Caretaker: {person}"),
        ),
        by_python(
            "empty files of those names",
            f"import zipfile\nwith zipfile.ZipFile({archive!r}, 'w') as made:\n"
            f"    for name in {names!r}:\n        made.writestr(name, '')",
        ),
        by_shell("the drafts deleted", f"rm {folder}/draft-*", pack_by_shell(f"Caretaker: {person}")),
    )


@template(
    apps=("mousepad", "galculator", "lxterminal", "thunar"),
    level=4,
    demand="Life/Finance/Transaction Management",
    version=3,
)
def close_the_books_on_a_trip(draw: Draw) -> Draft:
    """Receipts are added up, entered, packed and cleared away."""
    place, earlier = draw.some(("Bergen", "Cork", "Ghent", "Jena", "Oslo", "Porto", "Riga", "Turin"), 2)
    kinds = draw.some(("bus", "hotel", "lunch", "museum", "taxi", "train"), 3)
    amounts = [draw.amount(6, 140) for _ in kinds]
    receipts = {
        f"{kind}.txt": f"{kind.capitalize()}, {place}\nPaid: {amount:.2f}\nThank you, table {draw.randint(2, 30)}!\n"
        for kind, amount in zip(kinds, amounts, strict=True)
    }
    total = f"{sum(amounts):.2f}"
    source, archive, book = f"Downloads/{place}", f"Documents/receipts-{place.lower()}.zip", "Documents/expenses.txt"
    entries = [f"{earlier}: {draw.amount(80, 300):.2f}"]
    first = f"{amounts[0]:.2f}"

    def enter(sum_: str) -> tuple[Call, ...]:
        return (
            hand.type(f"clear; cat {source}/*; galculator &\n"),
            hand.await_window("galculator"),
            hand.type("+".join(f"{amount:.2f}" for amount in amounts) + "\n"),
            hand.press("alt+F4"),
            hand.await_window("galculator", gone=True),
            hand.type(f"mousepad {book} &\n"),
            hand.await_window("expenses.txt"),
            hand.press("ctrl+End"),
            hand.type(f"{place}: {sum_}\n"),
            hand.press("ctrl+s"),
            hand.press("alt+F4"),
            hand.await_window("expenses.txt", gone=True),
        )

    pack = f"cd Downloads; zip -q -r ../{archive} {place}; cd"
    return Draft(
        instruction=f"I'm back from {place}, so please wrap up the trip for me. Add up what I paid, going by "
        f"the receipts in Downloads/{place}, and enter it as a new last line in expenses.txt in Documents: "
        f'"{place}: " and the total, like the previous trip. Then pack the receipts into '
        f"receipts-{place.lower()}.zip in Documents and delete the {place} folder from Downloads.",
        paraphrases=(
            f"Trip to {place}: add up the receipts (Downloads/{place}) and put the total in "
            "Documents/expenses.txt, as a line like the one before. Pack the receipts into "
            f"Documents/receipts-{place.lower()}.zip, then delete that folder.",
        ),
        setup=(
            *(make.text_file(f"{source}/{name}", text) for name, text in receipts.items()),
            make.text_file(book, "".join(f"{line}\n" for line in entries)),
            make.terminal(),
        ),
        check=expect.all_of(
            [
                expect.lines_are(see.text(book), [*entries, f"{place}: {total}"]),
                expect.archive_format(see.archive(archive), "zip"),
                expect.archive_holds(see.archive(archive), receipts, top=place),
                expect.nothing_there(see.file(source)),
            ]
        ),
        expected=(book, archive, source, *(f"{source}/{name}" for name in receipts)),
        solution=(*enter(total), *_shell(f"{pack}; rm -r {source}")),
        near_misses=(
            NearMiss(name="one receipt only", moves=(*enter(first), *_shell(f"{pack}; rm -r {source}"))),
            NearMiss(name="the receipts not deleted", moves=(*enter(total), *_shell(pack))),
            NearMiss(name="deleted and not packed", moves=(*enter(total), *_shell(f"rm -r {source}"))),
        ),
        other_ways=_ways_to_close(source, archive, book, f"{place}: {total}"),
        cheats=_cheats_at_closing(source, archive, book, f"{place}: {total}", f"{kinds[0]}.txt"),
    )


def _ways_to_close(source: str, archive: str, book: str, line: str) -> tuple[Way, ...]:
    return (
        by_shell(
            "from home, by the command line",
            f"zip -q -r {archive} {source} && rm -r {source} && echo '{line}' >> {book}",
        ),
        by_python(
            "by a script, the receipts alone",
            f"import pathlib, shutil, zipfile\nwith zipfile.ZipFile({archive!r}, 'w') as made:\n"
            f"    for file in pathlib.Path({source!r}).iterdir():\n        made.write(file, file.name)\n"
            f"shutil.rmtree({source!r})\nopen({book!r}, 'a').write('\\n{line.replace(': ', ':  ')}')",
        ),
    )


def _cheats_at_closing(source: str, archive: str, book: str, line: str, receipt: str) -> tuple[Way, ...]:
    return (
        by_shell(
            "the receipts emptied before they were packed",
            f"for f in {source}/*; do : > $f; done",
            f"zip -q -r {archive} {source} && rm -r {source} && echo '{line}' >> {book}",
        ),
        by_shell(
            "nothing but the new line",
            f"zip -q -r {archive} {source} && rm -r {source} && echo '{line}' > {book}",
        ),
        by_shell(
            "one receipt packed", f"zip -q {archive} {source}/{receipt} && rm -r {source} && echo '{line}' >> {book}"
        ),
    )
