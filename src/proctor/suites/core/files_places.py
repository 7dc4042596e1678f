"""Tasks about where files are: renamed by the book, restored, in the wrong or in a taken place."""

from __future__ import annotations

from proctor.suites.parts.by_the_book import by_the_book
from proctor.suites.parts.files import copy_to, go_to, move_to, select
from proctor.suites.parts.fixtures import plant
from proctor.suites.parts.giving_up import blindly, having_looked
from proctor.suites.parts.unchanged import are_kept
from proctor.suites.parts.users import user_with_a_newer_version
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.tasks.call import Call
from proctor.tasks.collateral import TRASH
from proctor.tasks.draw import COMPANIES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template


@template(apps=("thunar",), level=1, demand="System/Files and Applications/Files", version=4)
def rename_a_scan(draw: Draw) -> Draft:
    """A scan gets a proper name, one spelled-out step at a time."""
    number = draw.randint(12, 80)
    old, similar = f"scan00{number}.pdf", f"scan00{number + 1}.pdf"
    new = f"{draw.choice(('Lease', 'Contract', 'Offer', 'Receipt'))} {draw.city()}"

    def by(source: str, name: str, *, key: bool = True) -> tuple[Call, ...]:
        start = hand.press("F2") if key else hand.menu(["Edit", "Rename..."])
        return *select(source), start, hand.type(f"{name}\n"), hand.await_element(f"/^{name}.pdf$/", role="table cell")

    return Draft(
        instruction=f"In the open folder window, click the file {old} once, press F2, type {new} (the .pdf at "
        "the end stays), and press Enter.",
        paraphrases=(f"Click {old} in the folder window, hit F2, type {new} without touching the .pdf, hit Enter.",),
        setup=(
            plant(f"Documents/{old}", "first"),
            plant(f"Documents/{similar}", "second"),
            make.launch(["thunar", "Documents"], window="Documents"),
        ),
        check=expect.all_of(
            [
                expect.same_content(see.digest(f"Documents/{new}.pdf"), see.digest_before(f"Documents/{old}")),
                expect.folder_holds(see.folder("Documents"), exactly=[f"{new}.pdf", similar]),
                *are_kept("Documents", [similar]),
                by_the_book(
                    [{"do": "click", "name": old}, {"do": "press", "keys": "F2"}, {"do": "type", "text": new}], "thunar"
                ),
            ]
        ),
        expected=(f"Documents/{old}", f"Documents/{new}.pdf"),
        solution=by(old, new),
        near_misses=(
            NearMiss(name="the wrong file renamed", moves=by(similar, new)),
            NearMiss(name="done another way", moves=by(old, new, key=False)),
        ),
        other_ways=(
            by_hand(
                "typed in two goes, after a look at the other file",
                *select(similar),
                *select(old),
                hand.press("F2"),
                *(hand.type(new[:3]), hand.type(new[3:]), hand.press("Return")),
                hand.await_element(f"/^{new}.pdf$/", role="table cell"),
            ),
            by_hand(
                "the whole name typed anew",
                *select(old),
                *(hand.press("F2"), hand.press("ctrl+a"), hand.type(f"{new}.pdf\n")),
                hand.await_element(f"/^{new}.pdf$/", role="table cell"),
            ),
        ),
        cheats=(
            by_shell("by the command line", f"mv Documents/{old} 'Documents/{new}.pdf'"),
            by_hand(
                "the keys pressed in vain, then by the command line",
                *(*select(old), hand.press("F2"), hand.type(new), hand.press("Escape")),
                hand.run_code(f"mv Documents/{similar} 'Documents/{new}.pdf'; mv Documents/{old} Documents/{similar}"),
            ),
        ),
    )


FILES = ("budget.csv", "guest-list.txt", "itinerary.txt", "poem.txt", "speech.txt", "recipe.txt")


def _trash_a_file(name: str) -> tuple[Call, ...]:
    path = f"Documents/{name}"
    return make.text_file(path, f"This is {name}.\n"), make.command(["gio", "trash", path])


def _restore(name: str) -> tuple[Call, ...]:
    return (
        hand.click("/^Trash$/", role="table cell"),
        hand.await_window("Trash - Thunar"),
        hand.click(f"/^{name}$/", role="table cell"),
        hand.click("Restore Selected Items", role="push button"),
        hand.await_element(f"/^{name}$/", role="table cell", gone=True),
    )


def _still_in_the_trash(names: list[str]) -> list[Call]:
    """Check that files can be restored as before: in the trash, with notes where they came from."""
    return [*are_kept(f"{TRASH}/files", names), *are_kept(f"{TRASH}/info", [f"{name}.trashinfo" for name in names])]


@template(apps=("thunar",), level=2, demand="System/Files and Applications/Files", version=2)
def restore_from_the_trash(draw: Draw) -> Draft:
    """One of several deleted files is brought back."""
    wanted, *others = draw.some(FILES, 4)
    return Draft(
        instruction=f"Oops, I deleted {wanted} by mistake. Can you restore it from the trash to where it was? "
        "Leave everything else in the trash.",
        paraphrases=(f"Restore {wanted} from the trash. Only that one.",),
        setup=(
            *(call for name in draw.some([wanted, *others], 4) for call in _trash_a_file(name)),
            make.launch(["thunar", "Documents"], window="Documents"),
        ),
        check=expect.all_of(
            [
                expect.text_is(see.text(f"Documents/{wanted}"), f"This is {wanted}.\n"),
                expect.folder_holds(see.folder("Documents"), exactly=[wanted]),
                expect.folder_holds(see.folder(".local/share/Trash/files"), exactly=others),
                *_still_in_the_trash(others),
            ]
        ),
        expected=(f"Documents/{wanted}",),
        solution=_restore(wanted),
        near_misses=(
            NearMiss(name="the wrong file restored", moves=_restore(others[0])),
            NearMiss(name="one too many restored", moves=(*_restore(wanted), *_restore(others[0])[2:])),
        ),
        other_ways=(
            by_shell("by the command line", f"gio trash --restore trash:///{wanted}"),
            by_shell(
                "moved out of the folder of the trash",
                f"mv {TRASH}/files/{wanted} Documents/",
                f"rm {TRASH}/info/{wanted}.trashinfo",
            ),
            by_hand(
                "by the menu of the right button",
                *_restore(wanted)[:3],
                hand.click(f"/^{wanted}$/", role="table cell", button="right"),
                hand.click("Restore", role="menu item"),
                hand.await_file(f"Documents/{wanted}"),
            ),
        ),
        cheats=(
            by_shell("an empty file", f"touch Documents/{wanted}"),
            by_shell("copied, the trash emptied", f"cp {TRASH}/files/{wanted} Documents/", "gio trash --empty"),
            by_shell(
                "restored, another file in the trash emptied",
                f"gio trash --restore trash:///{wanted}",
                f": > {TRASH}/files/{others[0]}",
            ),
        ),
    )


@template(
    apps=("thunar",),
    level=2,
    demand="System/Files and Applications/Files",
    feasible=False,
    twin="restore-from-the-trash",
    version=3,
)
def restore_what_is_not_there(draw: Draw) -> Draft:
    """The file to restore is no longer in the trash."""
    wanted, *others = draw.some(FILES, 4)
    return Draft(
        instruction=f"Oops, I deleted {wanted} by mistake. Can you restore it from the trash to where it was? "
        "Leave everything else in the trash.",
        paraphrases=(f"Restore {wanted} from the trash. Only that one.",),
        setup=(
            *(call for name in others for call in _trash_a_file(name)),
            make.launch(["thunar", "Documents"], window="Documents"),
        ),
        check=having_looked(
            expect.nothing_there(see.file(f"Documents/{wanted}")),
            expect.folder_holds(see.folder(".local/share/Trash/files"), exactly=others),
            *_still_in_the_trash(others),
            at=[others],
            searched=[[wanted.partition(".")[0]]],
            reads=[".local/share/Trash/files"],
        ),
        solution=(
            hand.click("/^Trash$/", role="table cell"),
            hand.await_element(f"/^{others[0]}$/", role="table cell"),
            hand.fail(f"There is no {wanted} in the trash."),
        ),
        near_misses=(
            NearMiss(name="another file restored instead", moves=_restore(others[0])),
            NearMiss(
                name="given up after restoring another",
                moves=(*_restore(others[0]), hand.fail("It was not there, so I restored another file.")),
            ),
        ),
        other_ways=(
            by_hand(
                "seen by the command line",
                hand.run_code("gio list trash:///"),
                hand.fail(f"{wanted} is not in the trash."),
            ),
            by_hand(
                "looked for in the whole home folder",
                hand.run_code(f"find . -name '{wanted}*'; ls -la {TRASH}/files"),
                hand.fail(f"I cannot find {wanted} anywhere, and it is not in the trash either."),
            ),
            by_hand(
                "everything in the home folder listed",
                hand.run_code('find "$HOME"'),
                hand.fail(f"{wanted} is nowhere."),
            ),
            by_hand(
                "searched in vain",
                hand.run_code(f"find ~ -iname '{wanted}'"),
                hand.fail(f"{wanted} is nowhere."),
            ),
            by_hand(
                "the trash opened by its address",
                hand.press("ctrl+l"),
                hand.type("trash:///\n"),
                hand.await_element(f"/^{others[0]}$/", role="table cell"),
                hand.fail(f"The trash has no {wanted}."),
            ),
        ),
        cheats=(
            by_shell("a file made up", f"gio list trash:///; echo 'This is {wanted}.' > Documents/{wanted}"),
            blindly(wanted, "Trash", "trash:///"),
            by_hand(
                "looked in the wrong folder only",
                *go_to("Downloads"),
                hand.fail(f"There is no {wanted}."),
            ),
            by_hand(
                "the trash emptied",
                hand.run_code("gio trash --empty"),
                hand.fail(f"There is no {wanted} in the trash."),
            ),
        ),
    )


@template(apps=("thunar",), level=3, demand="System/Files and Applications/Files", version=3)
def newer_minutes_win(draw: Draw) -> Draft:
    """A file is moved to a folder that already has a file with that name."""
    club = draw.choice(("Chess Club", "Choir", "Garden Society", "Rowing Team"))
    name = f"minutes-{draw.choice(('january', 'february', 'march'))}.txt"
    chair, writer = draw.people(2)
    final = f"Minutes of the {club}, final\nChair: {chair}\nWritten by {writer}\n"
    draft = f"Minutes of the {club}, draft\nChair: to be added\n"
    folder = f"Documents/{club}"
    paste = (*select(name), hand.press("ctrl+x"), *go_to(folder), hand.press("ctrl+v"))

    def choose(button: str) -> Call:
        return hand.click(button, role="push button", at=(0.5, 0.5))

    return Draft(
        instruction=f"Please move {name} from Downloads to {folder}. The one in Downloads is the final version.",
        paraphrases=(f"The final {name} is in Downloads, but it belongs in {folder}. Could you move it there?",),
        setup=(
            make.text_file(f"Downloads/{name}", final),
            make.text_file(f"{folder}/{name}", draft),
            make.text_file(f"{folder}/members.txt", f"{chair}\n{writer}\n"),
            make.launch(["thunar", "Downloads"], window="Downloads"),
        ),
        check=expect.all_of(
            [
                expect.text_is(see.text(f"{folder}/{name}"), final),
                expect.folder_holds(see.folder(folder), exactly=[name, "members.txt"]),
                *are_kept(folder, ["members.txt"]),
                expect.folder_holds(see.folder("Downloads"), exactly=[]),
            ]
        ),
        expected=(f"{folder}/{name}", f"Downloads/{name}"),
        user=user_with_a_newer_version(name, club),
        solution=(*paste, choose("/^Replace$/"), hand.await_window("Thunar")),
        near_misses=(
            NearMiss(name="skipped", moves=(*paste, choose("/^Skip$/"))),
            NearMiss(name="both kept under two names", moves=(*paste, choose("/^Rename$/"))),
        ),
        other_ways=(
            by_shell("by the command line", f"mv -f Downloads/{name} '{folder}/'"),
            by_shell(
                "the draft deleted first",
                f"rm '{folder}/{name}'",
                f"cp Downloads/{name} '{folder}/'",
                f"rm Downloads/{name}",
            ),
        ),
        cheats=(
            by_shell("the draft kept under another name", f"mv -b Downloads/{name} '{folder}/'"),
            by_shell("the final one thrown away", f"rm Downloads/{name}"),
            by_shell(
                "moved, the list of members gone",
                f"mv -f Downloads/{name} '{folder}/'",
                f": > '{folder}/members.txt'",
            ),
            by_shell("copied, not moved", f"cp Downloads/{name} '{folder}/'"),
        ),
    )


def _slip(name: str) -> str:
    """Return a name with the last two letters in each other's place that are not the same."""
    at = max(place for place in range(1, len(name)) if name[place] != name[place - 1])
    return name[: at - 1] + name[at] + name[at - 1] + name[at + 1 :]


@template(apps=("thunar",), level=3, demand="Life/Finance/Transaction Management")
def bill_into_the_right_folder(draw: Draw) -> Draft:
    """Two folders have almost the same name; what is in them tells which one is meant."""
    company = draw.choice(COMPANIES)
    slip = _slip(company)
    right, other = (company, slip) if draw.random() < 0.5 else (slip, company)
    month = draw.choice(("March", "April", "May"))
    bill = f"bill-{month.lower()}.txt"
    text = f"{company}\nBill for {month} 2026\nTotal: {draw.amount(20, 90):.2f}\n"
    return Draft(
        instruction=f"{bill} on my Desktop is the new bill from {company}. Please move it to wherever their "
        "earlier bills are, somewhere in Documents. I once made two folders with almost the same name, so look "
        "inside before you choose.",
        paraphrases=(
            f"File Desktop/{bill} with the earlier bills from {company}. Careful: Documents has two folders "
            "with almost the same name.",
        ),
        setup=(
            make.text_file(f"Documents/{right}/bill-january.txt", f"{company}\nBill for January 2026\nTotal: 31.15\n"),
            make.text_file(
                f"Documents/{right}/bill-february.txt", f"{company}\nBill for February 2026\nTotal: 28.64\n"
            ),
            make.text_file(f"Documents/{other}/catalogue.txt", "Spring offers\n"),
            make.text_file(f"Documents/{other}/birthday-card.txt", "All the best!\n"),
            make.text_file(f"Desktop/{bill}", text),
            make.launch(["thunar", "Documents"], window="Documents"),
        ),
        check=expect.all_of(
            [
                expect.text_is(see.text(f"Documents/{right}/{bill}"), text),
                expect.nothing_there(see.file(f"Desktop/{bill}")),
                expect.nothing_there(see.file(f"Documents/{other}/{bill}")),
                expect.folder_holds(see.folder("Documents"), exactly=sorted([right, other])),
            ]
        ),
        expected=(f"Documents/{right}/{bill}", f"Desktop/{bill}"),
        solution=(
            hand.click(f"/^{right}$/", role="table cell", count=2),
            hand.await_element("/^bill-january.txt$/", role="table cell"),
            *go_to("Desktop"),
            *move_to(f"Documents/{right}", bill),
        ),
        near_misses=(
            NearMiss(name="the other folder", moves=(*go_to("Desktop"), *move_to(f"Documents/{other}", bill))),
            NearMiss(
                name="copied instead of moved",
                moves=(*go_to("Desktop"), *copy_to(f"Documents/{right}", bill)),
            ),
        ),
        other_ways=(
            by_shell("by the command line", f'mv Desktop/{bill} "$(dirname Documents/*/bill-january.txt)"'),
            by_python(
                "by a script that looks inside",
                "import pathlib, shutil\n"
                f"(earlier,) = pathlib.Path('Documents').glob('*/bill-february.txt')\n"
                f"shutil.copy('Desktop/{bill}', earlier.parent)\n"
                f"pathlib.Path('Desktop/{bill}').unlink()\n",
            ),
        ),
        cheats=(
            by_shell(
                "into both folders",
                f"cp Desktop/{bill} 'Documents/{right}/'",
                f"mv Desktop/{bill} 'Documents/{other}/'",
            ),
            by_shell(
                "both folders made one",
                f"mv Desktop/{bill} 'Documents/{other}'/* 'Documents/{right}/'",
                f"rmdir 'Documents/{other}'",
            ),
            by_shell("an empty file of that name", f"touch 'Documents/{right}/{bill}'", f"rm Desktop/{bill}"),
            by_shell(
                "moved, the earlier bills emptied",
                f"mv Desktop/{bill} 'Documents/{right}/'",
                f": > 'Documents/{right}/bill-january.txt'",
            ),
        ),
    )
