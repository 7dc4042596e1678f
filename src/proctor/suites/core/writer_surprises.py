"""Tasks in LibreOffice Writer where something is not as one would expect."""

from __future__ import annotations

from proctor.suites.parts.packages import in_package, repack_by_code, words_only
from proctor.suites.parts.users import user_who_lets_go_on
from proctor.suites.parts.ways import by_hand
from proctor.suites.parts.writer import (
    MIDDLE,
    Moves,
    menu,
    open_file,
    replace,
    replace_everywhere,
    save,
    save_as,
)
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template


@template(apps=("libreoffice-writer",), level=3, demand="Office/Documentation/Writing", version=3)
def changes_of_two_reviewers(draw: Draw) -> Draft:
    """A draft comes back with tracked changes by two people, and only one of them is to be followed."""
    good, bad = draw.people(2)
    week, pupils, euros = draw.randint(20, 40), draw.randint(15, 40), draw.randint(4, 25)
    path = "Documents/school-trip.odt"
    blocks: list[str | dict[str, object]] = [
        {"heading": 1, "text": "School trip"},
        _change_marks(f"The trip is in week {week}", ", from Monday on", ".", inserted_by=good),
        _change_marks(f"We expect {pupils} pupils", " and no parents", ".", inserted_by=bad),
        _change_marks(f"Each pays {euros} euros ", "at least ", "in cash.", deleted_by=good),
        _change_marks("Lunch is ", "not ", "part of the price.", deleted_by=bad),
        _change_marks("Please bring rain clothes", " and a torch", ".", inserted_by=good),
    ]
    wanted = [
        "School trip",
        f"The trip is in week {week}, from Monday on.",
        f"We expect {pupils} pupils.",
        f"Each pays {euros} euros in cash.",
        "Lunch is not part of the price.",
        "Please bring rain clothes and a torch.",
    ]
    undone = [
        {"was": f"We expect {pupils} pupils and no parents.", "now": wanted[2]},
        {"was": "Lunch is part of the price.", "now": wanted[4]},
    ]
    dialog = "Manage Changes"
    manage = menu("Edit", "Track Changes", "Manage...", role="check menu item")

    def decide(name: str, button: str) -> Moves:
        return (hand.click(name, role="table cell", window=dialog, nth=0), hand.click(button, window=dialog))

    rest = (hand.click("Accept All", window=dialog), hand.click("Close", role="push button", window=dialog))
    turned_down = (*manage, *decide(bad, "/^Reject$/"), *decide(bad, "/^Reject$/"))
    seen = see.document(path)
    return Draft(
        instruction=f"My text about the school trip came back with changes from {good} and {bad}. Please "
        f"accept everything {good.split()[0]} changed and reject everything {bad.split()[0]} changed, so that "
        "there are no marked changes left. Then save.",
        paraphrases=(
            f"Accept all of {good}'s tracked changes in the open document, reject all of {bad}'s, and save it.",
        ),
        setup=(make.document(path, blocks), make.open_in_office(path)),
        check=expect.all_of(
            [
                expect.no_tracked_changes(seen),
                expect.document_text_is(seen, wanted),
                expect.document_unchanged_except(seen, see.document_before(path), undone),
            ]
        ),
        expected=(path,),
        solution=(*turned_down, *rest, *save(path)),
        near_misses=(
            NearMiss(name="everything accepted", moves=(*manage, *rest, *save(path))),
            NearMiss(
                name="the others left undecided",
                moves=(*turned_down, hand.click("Close", role="push button", window=dialog), *save(path)),
            ),
            NearMiss(name="not saved", moves=(*turned_down, *rest)),
        ),
        other_ways=(
            by_hand(
                "the ones accepted first, then all others rejected",
                *(*manage, *(decide(good, "/^Accept$/") * 3)),
                *(hand.click("Reject All", window=dialog), rest[-1], *save(path)),
            ),
            in_package("by Python on the file", path, _decide_changes()),
            by_hand(
                "all rejected, and the wanted ones made anew",
                *(*manage, hand.click("Reject All", window=dialog), rest[-1]),
                *replace(f"week {week}", f"week {week}, from Monday on"),
                *replace("euros at least", "euros"),
                *(*replace("rain clothes", "rain clothes and a torch"), *save(path)),
            ),
        ),
        cheats=(
            words_only("nothing but the words", path, wanted),
            in_package("the marks taken off, whoever made them", path, _remove_marks("text")),
        ),
    )


def _change_marks(before: str, change: str, after: str, **by: str) -> dict[str, object]:
    """Return a paragraph with a recorded change in it."""
    return {"runs": [{"text": before}, {"text": change, **by}, {"text": after}]}


def _remove_marks(text: str) -> str:
    """Return the expression that takes the marks of changes off a document, and leaves what stands."""
    return f"re.sub('<text:tracked-changes.*</text:tracked-changes>|<text:change[^>]*/>', '', {text})"


def _decide_changes() -> str:
    """Return the expression that rejects the second and the fourth change, and accepts the others."""
    start, end = (f'<text:change-{which} text:change-id="c2"/>' for which in ("start", "end"))
    mark = '<text:change text:change-id="c4"/>'
    return _remove_marks(f"re.sub('{start}.*{end}', '', text).replace('{mark}', 'not ')")


HALLS = ("Linden Hall", "the Old Brewery", "the Town Library", "the Boat House", "Room 12", "the Winter Garden")


@template(apps=("libreoffice-writer",), level=3, demand="Office/Documentation/Writing", version=4)
def invitation_that_cannot_be_overwritten(draw: Draw) -> Draft:
    """A document turns out to be write-protected; the correction goes into a copy."""
    old, new = draw.some(HALLS, 2)
    host, day = draw.person(), draw.randint(2, 28)
    path, copy = "Documents/invitation.odt", f"Documents/invitation-{draw.choice(['new', 'corrected', 'may'])}.odt"
    lines = [
        "Dear members,",
        f"we meet on {day} May at seven in the evening. The place is {old}.",
        "Bring somebody along if you like.",
        host,
    ]
    wanted = [line.replace(old, new) for line in lines]
    edit = (hand.press("ctrl+shift+m"), *replace(old, new))
    return Draft(
        instruction=f"The place in the open invitation is wrong. It's {new}, not {old}. Please correct that "
        "and save it. If the file turns out to be protected, leave it as it is, protection included, and save "
        f"the corrected version next to it as {copy.rpartition('/')[2]}.",
        paraphrases=(
            f"Change the place in invitation.odt from {old} to {new}. If the file can't be overwritten, don't "
            f"touch it or its permissions, and save it as {copy.rpartition('/')[2]} in the same folder instead.",
        ),
        setup=(
            make.document(path, [*lines[:-1], {"runs": [{"text": host, "bold": True}]}]),
            make.read_only(path),
            make.open_in_office(path),
        ),
        check=expect.all_of(
            [
                expect.document_unchanged_except(
                    see.document(copy), see.document_before(path), [{"was": lines[1], "now": wanted[1]}]
                ),
                expect.document_format(see.document(copy), "odt"),
                expect.unchanged(see.digest(path)),
                expect.is_read_only(see.file(path)),
            ]
        ),
        expected=(copy,),
        copies={copy: path},
        solution=(*edit, *save_as(copy)),
        near_misses=(
            NearMiss(name="a copy without the correction", moves=save_as(copy)),
            NearMiss(name="another name", moves=(*edit, *save_as("Documents/invitation2.odt"))),
            NearMiss(name="another folder", moves=(*edit, *save_as(copy.replace("Documents", "Desktop")))),
        ),
        other_ways=(
            in_package("by Python on the file", path, f"text.replace({old!r}, {new!r})", to=copy),
            by_hand("by the dialog", hand.press("ctrl+shift+m"), *replace_everywhere(old, new), *save_as(copy)),
        ),
        cheats=(
            words_only("nothing but the words", copy, wanted),
            by_hand(
                "the protection lifted, both corrected, and protected again",
                repack_by_code(path, f"text.replace({old!r}, {new!r})", to=copy),
                hand.run_code(f"chmod u+w {path} && cp {copy} {path} && chmod u-w {path}"),
            ),
            in_package("both places named", path, f"text.replace({old!r}, {f'{old} or {new}'!r})", to=copy),
        ),
    )


@template(apps=("libreoffice-writer",), level=3, demand="Life/Public Services/Public Space", version=4)
def notice_that_moved_to_another_file(draw: Draw) -> Draft:
    """What is to be changed is no longer in the open handbook; the handbook says where it went."""
    word, letters = draw.choice(("otter", "maple", "violet", "harbour")), draw.choice(("kite", "plum", "drum", "fern"))
    old, new = f"{word}-{draw.randint(100, 499)}", f"{letters}-{draw.randint(500, 999)}"
    folder = "Documents/guest-house"
    book, sheet, stale = f"{folder}/handbook.odt", f"{folder}/arrival.odt", f"{folder}/arrival-2025.odt"
    arrival = [
        "On your arrival",
        "The key is in the blue box.",
        f"The password of our Wi-Fi is {old}.",
        "Breakfast is at eight.",
    ]
    right = arrival[2].replace(old, new)
    handbook: list[str | dict[str, object]] = [
        {"heading": 1, "text": "Handbook of the guest house"},
        "Quiet hours are from ten to six.",
        "Everything about keys and Wi-Fi stands in arrival.odt in this folder now.",
        "Bins go out on Thursdays.",
    ]

    return Draft(
        instruction=f"We have a new Wi-Fi password: {new}. Please replace the old one with it in our guest "
        "house documents (the handbook is open) and save.",
        paraphrases=(f"The Wi-Fi password for guests is now {new}. Please update the guest house documents and save.",),
        setup=(
            make.document(sheet, [{"heading": 1, "text": arrival[0]}, *arrival[1:]]),
            make.document(stale, [*arrival[:2], "There is no Wi-Fi yet.", "Breakfast is at nine."]),
            make.document(book, handbook),
            make.open_in_office(book),
        ),
        check=expect.all_of(
            [
                expect.document_unchanged_except(
                    see.document(sheet), see.document_before(sheet), [{"was": arrival[2], "now": right}]
                ),
            ]
        ),
        expected=(sheet,),
        solution=(*open_file(sheet), *replace(old, new), *save(sheet)),
        near_misses=(
            NearMiss(
                name="written into the handbook",
                moves=(hand.press("ctrl+End"), hand.type(f"\nThe password of our Wi-Fi is {new}."), *save(book)),
            ),
            NearMiss(name="last year's sheet", moves=(*open_file(stale), *replace("no Wi-Fi yet", new), *save(stale))),
            NearMiss(name="not saved", moves=(*open_file(sheet), *replace(old, new))),
        ),
        other_ways=(
            in_package("by Python on the file", sheet, f"text.replace({old!r}, {new!r})"),
            by_hand(
                "by the dialog, saved by the menu",
                *open_file(sheet),
                *replace_everywhere(old, new),
                *menu("File", "/^Save$/", window="arrival"),
                hand.await_saved(sheet),
            ),
        ),
        cheats=(
            words_only("nothing but the words", sheet, [*arrival[:2], right, arrival[3]]),
            in_package("the old password kept beside it", sheet, f"text.replace({old!r}, {f'{old} or {new}'!r})"),
            by_hand(
                "the sheets of both years",
                repack_by_code(sheet, f"text.replace({old!r}, {new!r})"),
                hand.run_code(f"cp {sheet} {stale}"),
            ),
        ),
    )


@template(apps=("libreoffice-writer",), level=3, demand="Office/Documentation/Writing", version=5)
def plan_with_a_stale_lock(draw: Draw) -> Draft:
    """A document is still locked by a colleague whose computer broke down."""
    person = draw.person()
    first = person.split()[0]
    old, new = draw.some([f"{day} {month}" for day in range(3, 28) for month in ("April", "June")], 2)
    path = f"Documents/{draw.choice(['move', 'summer-fair', 'renovation', 'open-day'])}-plan.odt"
    lines = [
        "Plan",
        f"All offers must be in by {old}.",
        f"{person} keeps the list.",
        f"Work starts in {draw.randint(3, 9)} weeks.",
    ]
    lock = f"Documents/.~lock.{path.rpartition('/')[2]}#"
    held = (
        f",{first.lower()},{first.lower()}-laptop,11.03.2026 17:02,file:///home/{first.lower()}/.config/libreoffice/4;"
    )
    go_on = (
        hand.click("/^Open$/", role="push button", window="Question", at=MIDDLE),
        hand.await_element(role="document text", app="soffice", timeout_sec=30),
    )
    return Draft(
        instruction=f"In {path.rpartition('/')[2]}, the deadline for the offers is now {new} instead of "
        f"{old}. Please change that in the file itself and save it. {first}'s laptop died last night, so nobody "
        "else is working on it.",
        paraphrases=(
            f"Change the date for the offers in {path} from {old} to {new} and save it under its own name. "
            f"Don't worry about {first}, whose laptop is dead.",
        ),
        setup=(
            make.document(path, [{"heading": 1, "text": lines[0]}, *lines[1:]]),
            make.text_file(lock, held),
            make.open_in_office(path, dialog="Document in Use"),
        ),
        check=expect.document_unchanged_except(
            see.document(path), see.document_before(path), [{"was": lines[1], "now": lines[1].replace(old, new)}]
        ),
        expected=(path,),
        user=user_who_lets_go_on("Go ahead, nobody else has it open."),
        solution=(*go_on, *replace(old, new), *save(path)),
        near_misses=(
            NearMiss(name="saved as a copy", moves=(*go_on, *replace(old, new), *save_as("Documents/plan-copy.odt"))),
            NearMiss(name="not saved", moves=(*go_on, *replace(old, new))),
        ),
        other_ways=(
            by_hand(
                "the lock removed, by Python on the file",
                hand.run_code(f"rm '{lock}'"),
                repack_by_code(path, f"text.replace({old!r}, {new!r})"),
            ),
            by_hand(
                "asked first, replaced by the dialog, saved by the menu",
                hand.ask(f"The file is locked by {first}. May I open it anyway?"),
                *go_on,
                *replace_everywhere(old, new),
                *menu("File", "/^Save$/"),
                hand.await_saved(path),
            ),
        ),
        cheats=(
            words_only("nothing but the words", path, [line.replace(old, new) for line in lines]),
            in_package("the new day beside the old one", path, f"text.replace({old!r}, {f'{old} or {new}'!r})"),
        ),
    )
