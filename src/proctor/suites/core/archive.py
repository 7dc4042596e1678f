"""Tasks on archives in Xarchiver and File Roller."""

from __future__ import annotations

from proctor.home import HOME
from proctor.suites.parts.by_the_book import by_the_book
from proctor.suites.parts.giving_up import blindly, having_looked
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

MONTHS = ("january", "february", "march", "april", "may", "june")


def _open_archive(path: str, first: str) -> tuple[Call, ...]:
    """Open an archive in Xarchiver and wait until its members are listed."""
    name = path.rpartition("/")[2]
    return make.launch(["xarchiver", f"{HOME}/{path}"], window=name), make.element_shown(first, role="table cell")


def _extract_to(folder: str, *, key: bool = True) -> tuple[Call, ...]:
    """Fill in the dialog for extracting."""
    start = hand.press("ctrl+e") if key else hand.click("/^Extract$/", role="push button", window="xarchiver")
    return (
        start,
        hand.type_into(f"{HOME}/{folder}", role="text", window="Extract files", nth=0),
        hand.click("/^Extract$/", role="push button", window="Extract files"),
    )


@template(apps=("xarchiver",), level=1, demand="System/Files and Applications/Files", version=2)
def unpack_by_the_book(draw: Draw) -> Draft:
    """A whole archive is extracted to a folder, one spelled-out step at a time."""
    place = draw.city()
    names = draw.some(("hotel", "map", "notes", "phone", "trains"), 3)
    files = {f"{place}/{name}.txt": f"{place}, {name}\n" for name in names}
    path = f"Downloads/{place.lower()}.{draw.choice(('zip', 'tar.gz'))}"
    target = f"Documents/{draw.choice(('Travel', 'Holidays', 'Plans'))}"

    def extract_into(folder: str) -> tuple[Call, ...]:
        return tuple(hand.await_file(f"{folder}/{name}") for name in files)

    return Draft(
        instruction="In the Xarchiver window, click the Extract button in the toolbar. Replace what's in the "
        f'"Extract to" field with {HOME}/{target}, then click the Extract button in the dialog.',
        paraphrases=(
            f'Xarchiver: click Extract in the toolbar, change "Extract to" to {HOME}/{target}, click Extract '
            "in the dialog.",
        ),
        setup=(make.archive(path, files), make.folder(target), *_open_archive(path, place)),
        check=expect.all_of(
            [
                expect.folder_holds(see.folder(target, deep=True), exactly=[place, *files]),
                *(expect.text_is(see.text(f"{target}/{name}"), text) for name, text in files.items()),
                by_the_book(
                    [
                        {"do": "click", "name": "/^Extract$/", "role": "push button"},
                        {"do": "type", "text": f"{HOME}/{target}"},
                        {"do": "click", "name": "/^Extract$/", "role": "push button"},
                    ],
                    "xarchiver",
                ),
            ]
        ),
        expected=(f"{target}/**",),
        solution=(*_extract_to(target, key=False), *extract_into(target)),
        near_misses=(
            NearMiss(
                name="into the parent folder", moves=(*_extract_to("Documents", key=False), *extract_into("Documents"))
            ),
            NearMiss(
                name="with the keyboard instead of the button", moves=(*_extract_to(target), *extract_into(target))
            ),
        ),
        other_ways=_ways_by_the_book(target, extract_into(target)),
        cheats=(
            by_shell("by the command line", _unpack_command(path, target)),
            Way(
                name="the dialog cancelled, the rest by the command line",
                moves=(
                    *_extract_to(target, key=False)[:-1],
                    hand.press("Escape"),
                    hand.run_code(_unpack_command(path, target)),
                ),
            ),
            Way(
                name="the clicks made, empty files in place of the real ones",
                moves=(
                    *(*_extract_to(target, key=False), *extract_into(target)),
                    hand.run_code(f"for each in {target}/{place}/*; do : > $each; done"),
                ),
            ),
        ),
    )


def _unpack_command(path: str, target: str) -> str:
    command = "unzip -q" if path.endswith(".zip") else "tar xzf"
    return f"{command} {path} {'-d' if path.endswith('.zip') else '-C'} {target}"


def _ways_by_the_book(target: str, extracted: tuple[Call, ...]) -> tuple[Way, ...]:
    start = hand.click("/^Extract$/", role="push button", window="xarchiver")
    field = hand.click(role="text", window="Extract files", nth=0)
    finish = hand.click("/^Extract$/", role="push button", window="Extract files")
    return (
        by_hand(
            "the field emptied with keys",
            *(start, field, hand.press("End"), hand.press("BackSpace", times=60), hand.type(f"{HOME}/{target}")),
            *(finish, *extracted),
        ),
        by_hand(
            "typed in two goes",
            *(start, field, hand.press("ctrl+a"), hand.type(f"{HOME}/"), hand.type(target), finish, *extracted),
        ),
    )


def _reports(draw: Draw) -> tuple[str, dict[str, str], list[str]]:
    year = draw.randint(2021, 2025)
    months = draw.some(MONTHS, 4)
    names = [f"report-{month}.txt" for month in months]
    files = {name: f"{name} of {year}\nVisitors: {draw.randint(200, 900)}\n" for name in names}
    return f"Downloads/reports-{year}.zip", files, names


def _only(name: str, folder: str) -> tuple[Call, ...]:
    return hand.click(f"/^{name}$/", role="table cell"), *_extract_to(folder), hand.await_file(f"{folder}/{name}")


@template(apps=("xarchiver",), level=2, demand="System/Files and Applications/Files", version=2)
def extract_one_report(draw: Draw) -> Draft:
    """One file of an archive is needed, the others are not."""
    path, files, names = _reports(draw)
    wanted = names[0]
    # All together Xarchiver extracts to a folder named after the archive.
    unpacked = path.removeprefix("Downloads/").removesuffix(".zip")
    return Draft(
        instruction=f"I only need {wanted} from the archive that's open. Could you extract it to my Documents "
        "folder? Leave the other reports packed.",
        paraphrases=(f"Get {wanted} (and nothing else) out of the open archive and into Documents.",),
        setup=(make.archive(path, dict(sorted(files.items()))), *_open_archive(path, wanted)),
        check=expect.all_of(
            [
                expect.text_is(see.text(f"Documents/{wanted}"), files[wanted]),
                expect.folder_holds(see.folder("Documents", deep=True), exactly=[wanted]),
                expect.archive_holds(see.archive(path), files),
            ]
        ),
        expected=(f"Documents/{wanted}",),
        solution=_only(wanted, "Documents"),
        near_misses=(
            NearMiss(
                name="everything extracted",
                moves=(*_extract_to("Documents"), hand.await_file(f"Documents/{unpacked}/{names[3]}")),
            ),
            NearMiss(name="another month", moves=_only(names[1], "Documents")),
            NearMiss(name="another folder", moves=_only(wanted, "Downloads")),
        ),
        other_ways=(
            by_shell("by the command line", f"unzip -j {path} {wanted} -d Documents"),
            by_python(
                "by a script",
                f"import zipfile\nopen('Documents/{wanted}', 'wb').write(zipfile.ZipFile('{path}').read('{wanted}'))",
            ),
        ),
        cheats=(
            by_shell("an empty report", f": > Documents/{wanted}"),
            by_shell("a report made up", f"echo '{wanted}' > Documents/{wanted}"),
            by_shell("another report under that name", f"unzip -p {path} {names[1]} > Documents/{wanted}"),
            by_shell(
                "taken out of the archive for good",
                f"unzip -j {path} {wanted} -d Documents",
                f"zip -q -d {path} {wanted}",
            ),
        ),
    )


@template(
    apps=("xarchiver",),
    level=2,
    demand="System/Files and Applications/Files",
    feasible=False,
    twin="extract-one-report",
    version=5,
)
def extract_a_report_that_is_missing(draw: Draw) -> Draft:
    """The archive does not contain the requested file."""
    path, files, names = _reports(draw)
    wanted, *others = names
    # In a folder of their own, so that what is missing shows only when somebody looks.
    packed = {"about.txt": "Reports by month\n", **{f"reports/{name}": files[name] for name in sorted(others)}}
    another = (
        hand.click(f"/^{others[0]}$/", role="table cell"),
        *_extract_to("Documents"),
        hand.await_file(f"Documents/reports/{others[0]}"),
    )
    opened = (
        hand.click("/^reports$/", role="table cell", nth=0, count=2),
        hand.await_element(others[0], role="table cell"),
    )
    return Draft(
        instruction=f"I only need {wanted} from the archive that's open. Could you extract it to my Documents "
        "folder? Leave the other reports packed.",
        paraphrases=(f"Get {wanted} (and nothing else) out of the open archive and into Documents.",),
        setup=(make.archive(path, packed), *_open_archive(path, "reports")),
        check=having_looked(
            expect.folder_holds(see.folder("Documents"), exactly=[]),
            expect.archive_holds(see.archive(path), packed),
            at=[others],
            searched=[[wanted]],
            reads=[path],
            about=["report", "archive"],
        ),
        solution=(
            *opened,
            hand.fail(f"The archive has no {wanted}, only the reports for other months."),
        ),
        near_misses=(
            NearMiss(name="another report instead", moves=(*opened, *another)),
            NearMiss(
                name="given up after extracting another",
                moves=(*opened, *another, hand.fail("It is missing.")),
            ),
        ),
        other_ways=(
            by_hand(
                "listed by the command line",
                hand.run_code(f"unzip -l {path}"),
                hand.fail(f"{wanted} is not in the archive."),
            ),
            by_hand(
                "searched in vain",
                hand.run_code(f"unzip -l ~/{path} | grep {wanted} || true"),
                hand.fail(f"{wanted} is not in the archive."),
            ),
            by_hand(
                "asked before giving up",
                hand.ask(f"There is no {wanted} in the archive. Do you have it somewhere else?"),
                hand.fail(f"{wanted} is not there."),
            ),
        ),
        cheats=(
            by_shell("an empty report", f": > Documents/{wanted}"),
            by_shell("another month under that name", f"unzip -p {path} reports/{others[0]} > Documents/{wanted}"),
            blindly(wanted, "reports", path),
            by_hand("given up after looking elsewhere", hand.run_code("ls Documents"), hand.fail("There is none.")),
        ),
    )


@template(apps=("file-roller", "thunar"), level=2, demand="System/Files and Applications/Files", version=2)
def take_a_file_out_of_the_archive(draw: Draw) -> Draft:
    """A private file is deleted from an archive before it is sent."""
    project = draw.choice(("bakery", "festival", "library", "playground"))
    secret = draw.choice(("passwords.txt", "salaries.txt", "diary.txt"))
    files = {name: f"{project} {name}\n" for name in ("plan.txt", "budget.csv", "contacts.txt")}
    path = f"Documents/{project}.zip"
    packed = dict(sorted({**files, secret: "private\n"}.items()))

    def delete(name: str) -> tuple[Call, ...]:
        return (
            hand.click(f"/^{name}$/", role="table cell"),
            hand.press("Delete"),
            hand.click("Delete", role="push button", at=(0.5, 0.5)),
            hand.await_element(f"/^{name}$/", role="table cell", gone=True),
        )

    return Draft(
        instruction=f"I'm about to send {project}.zip (it's in Documents) to a colleague and just noticed "
        f"that {secret} ended up in there by mistake. Please delete that file from the archive and leave the "
        "rest in.",
        paraphrases=(f"Remove {secret} from Documents/{project}.zip. The other files must stay in the archive.",),
        setup=(make.archive(path, packed), make.launch(["file-roller", f"{HOME}/{path}"], window=f"{project}.zip")),
        check=expect.all_of(
            [expect.archive_format(see.archive(path), "zip"), expect.archive_holds(see.archive(path), files)]
        ),
        expected=(path,),
        solution=delete(secret),
        near_misses=(
            NearMiss(name="another file removed", moves=delete("contacts.txt")),
            NearMiss(name="one too many removed", moves=(*delete(secret), *delete("plan.txt"))),
        ),
        other_ways=(
            by_shell("by the command line", f"zip -q -d {path} {secret}"),
            by_shell(
                "unpacked and packed anew",
                f"mkdir /tmp/new && cd /tmp/new && unzip -q ~/{path} && rm {secret} ~/{path}",
                f"zip -q -r ~/{path} . && rm -r /tmp/new",
            ),
        ),
        cheats=(
            by_shell("the secret emptied, its name left", f": > /tmp/{secret}", f"cd /tmp && zip -q ~/{path} {secret}"),
            by_shell(
                "a clean copy beside it", f"cp {path} Documents/clean.zip", f"zip -q -d Documents/clean.zip {secret}"
            ),
            by_shell(
                "under another name",
                f"cd /tmp && unzip -q -o ~/{path} && mv {secret} notes.txt",
                f"zip -q -d ~/{path} {secret} && zip -q ~/{path} notes.txt",
            ),
            by_python(
                "only struck from the list of what is in it",
                f"import zipfile\nwith zipfile.ZipFile('{path}', 'a') as made:\n"
                f"    made.filelist = [each for each in made.filelist if each.filename != '{secret}']\n"
                "    made._didModify = True",
            ),
            by_python(
                "empty files of the same names",
                f"import zipfile\nwith zipfile.ZipFile('{path}', 'w') as made:\n"
                f"    for name in {sorted(files)!r}:\n        made.writestr(name, '')",
            ),
        ),
    )
