"""Tasks in LibreOffice Writer that draw on notes and other papers."""

from __future__ import annotations

from proctor.suites.parts.packages import in_package, plain_document, repack_by_code, words_only
from proctor.suites.parts.ways import by_hand
from proctor.suites.parts.writer import (
    Moves,
    convert_document,
    export_pdf,
    named_for_export,
    open_file,
    replace,
    save,
    save_as,
)
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, Limits, NearMiss, Way
from proctor.tasks.template import template

ERRANDS = (
    "Book the hall",
    "Order the chairs",
    "Print the posters",
    "Ask for the permit",
    "Hire a band",
    "Buy lanterns",
)
FORM, OFFICE = "Registration of residence", "Town office"
TITLE, LAST = "Minutes, spring fair", "Next meeting in April."
CELL = '<table:table-cell table:style-name="Cell"><text:p text:style-name="P_left">'
CELL_END = "</text:p></table:table-cell>"


@template(apps=("libreoffice-writer", "mousepad"), level=2, demand="Office/Communication/Meeting", version=2)
def action_from_a_note(draw: Draw) -> Draft:
    """What was agreed in a call becomes the last row of the minutes."""
    people = [name.split()[0] for name in draw.people(4)]
    errands = draw.some(ERRANDS, 4)
    days = [f"{day} March" for day in draw.some(range(14, 31), 4)]
    rows = [["Who", "What", "By when"], *([*row] for row in zip(people[:2], errands[:2], days[:2], strict=True))]
    call = draw.choice([2, 3])
    other = 5 - call
    added = [people[call], errands[call], days[call]]
    path, note = "Documents/minutes.odt", "Documents/calls.txt"
    text = "".join(
        f"Call with {people[place]}\n{people[place]} will do this: {errands[place].lower()}, by {days[place]}\n\n"
        for place in (2, 3)
    )
    seen = see.document(path)

    def add(row: list[str]) -> Moves:
        return (
            hand.click(text=rows[-1][-1], role="paragraph"),
            hand.press("End"),
            hand.press("Tab"),
            hand.type("\t".join(row)),
        )

    return Draft(
        instruction=f"Please add what {people[call]} promised in our call to the minutes, as the last row of "
        "the table, and save them. My notes on the calls are in calls.txt. Write the task and the day as they "
        "are in the notes, but start the task with a capital letter.",
        paraphrases=(
            f"calls.txt says what {people[call]} will do. Add that as a new last row to the table in "
            "minutes.odt, with task and day as in the note but the task starting with a capital letter, and save.",
        ),
        setup=(
            make.text_file(note, text),
            make.launch(["mousepad", note], window="calls.txt"),
            make.document(path, [{"heading": 1, "text": TITLE}, {"rows": rows}, LAST]),
            make.open_in_office(path),
        ),
        check=expect.all_of(
            [
                expect.document_table_is(seen, [*rows, added]),
                expect.document_text_is(seen, [TITLE, *(" | ".join(row) for row in [*rows, added]), LAST]),
                expect.headings_are(seen, [{"level": 1, "text": TITLE}]),
            ]
        ),
        expected=(path,),
        solution=(*add(added), *save(path)),
        near_misses=(
            NearMiss(name="the other call", moves=(*add([people[other], errands[other], days[other]]), *save(path))),
            NearMiss(name="instead of the last row", moves=(*replace(rows[-1][1], added[1]), *save(path))),
            NearMiss(name="not saved", moves=add(added)),
        ),
        other_ways=(
            in_package("by Python on the file", path, _with_rows(added)),
            by_hand(
                "the new row filled from its end",
                *(hand.click(text=rows[-1][-1], role="paragraph"), hand.press("End"), hand.press("Tab", times=3)),
                *(hand.type(added[2]), hand.press("shift+Tab"), hand.type(added[1]), hand.press("shift+Tab")),
                *(hand.type(added[0]), *save(path)),
            ),
        ),
        cheats=(
            in_package("both calls", path, _with_rows(added, [people[other], errands[other], days[other]])),
            in_package("the title dropped", path, f"re.sub('{TITLE}', '', {_with_rows(added)})"),
            words_only("nothing but the words", path, [TITLE, *(" | ".join(row) for row in [*rows, added]), LAST]),
        ),
    )


def _with_rows(*rows: list[str]) -> str:
    """Return the expression that adds rows to the table of a document."""
    cells = ("".join(f"{CELL}{cell}{CELL_END}" for cell in row) for row in rows)
    added = "".join(f"<table:table-row>{row}</table:table-row>" for row in cells)
    return f"text.replace('</table:table>', {added!r} + '</table:table>')"


@template(
    apps=("libreoffice-writer", "mousepad"),
    level=4,
    demand="Life/Public Services/Citizen Service",
    version=3,
    limits=Limits(steps=80, seconds=1200),
)
def registration_after_a_move(draw: Draw) -> Draft:
    """The town's form is filled in from a note, saved under a new name, and exported for the upload."""
    first, last = draw.person().split()
    before, after = draw.some(["Mill Lane", "Harbour Road", "Church Street", "Station Square", "Rose Alley"], 2)
    street_before, street_after = f"{draw.randint(2, 99)} {before}", f"{draw.randint(2, 99)} {after}"
    day = draw.randint(1, 9)
    form, note = "Documents/registration-form.odt", "Documents/moving.txt"
    filled, pdf = f"Documents/registration-{last.lower()}.odt", f"Documents/registration-{last.lower()}.pdf"
    fields = ["Family name", "First name", "Previous address", "New address", "Moved in on"]
    values = [last, first, street_before, street_after, f"{day} March 2026"]
    text = (
        f"Things to remember about the move\n\nOur new place: {street_after}, top floor.\nKeys of {street_before} go "
        f"back to the landlord.\nThe van came on {day} March 2026, that is the day we moved in.\n"
        f"Meter reading: 4{day}17\n"
    )
    blank, said = [[field, ""] for field in fields], [[*row] for row in zip(fields, values, strict=True)]

    def fill(entries: list[str], file: str = form) -> Moves:
        steps = ((hand.press("Tab"), hand.type(entry), hand.press("Tab")) for entry in entries)
        entering = [move for step in steps for move in step]
        return (
            hand.click("LibreOffice Writer", role="push button"),
            hand.await_window("Untitled 1", timeout_sec=60),
            hand.await_element(role="document text", timeout_sec=30),
            *open_file(file),
            hand.click(text="Family name", role="paragraph"),
            *entering[:-1],
        )

    swapped = [last, first, street_after, street_before, values[-1]]
    return Draft(
        instruction="I've moved and have to register. Please fill in registration-form.odt in Documents for "
        f"me, {first} {last}. Everything you need is in moving.txt, which is open. For the addresses, just "
        "write the street and number, and write the date the way it is in my note. Don't change the blank "
        f"form: save the completed one next to it as registration-{last.lower()}.odt, and make a PDF of it "
        "with the same name.",
        paraphrases=(
            f"Fill in the town's registration form (Documents/registration-form.odt) for {first} {last} from "
            "moving.txt, with just street and number for the addresses and the date as in the note. Save it as "
            f"registration-{last.lower()}.odt and also export it as registration-{last.lower()}.pdf, both in "
            "Documents. The blank form stays blank.",
        ),
        setup=(
            make.document(form, [{"heading": 1, "text": FORM}, {"rows": blank}, OFFICE]),
            make.text_file(note, text),
            make.launch(["mousepad", note], window="moving.txt"),
        ),
        check=expect.all_of(
            [
                expect.document_table_is(see.document(filled), said),
                expect.document_text_is(see.document(filled), [FORM, *(" | ".join(row) for row in said), OFFICE]),
                expect.headings_are(see.document(filled), [{"level": 1, "text": FORM}]),
                expect.document_format(see.document(filled), "odt"),
                expect.pdf_pages(see.pdf(pdf), 1),
                expect.pdf_has_text(see.pdf(pdf), [FORM, *(" ".join(row) for row in said), OFFICE]),
                expect.unchanged(see.digest(form)),
            ]
        ),
        expected=(filled, pdf),
        copies={filled: form},
        solution=(*fill(values), *save_as(filled), *export_pdf(pdf)),
        near_misses=(
            NearMiss(name="addresses swapped", moves=(*fill(swapped), *save_as(filled), *export_pdf(pdf))),
            NearMiss(name="no PDF", moves=(*fill(values), *save_as(filled))),
            NearMiss(name="saved over the blank form", moves=(*fill(values), *save(form), *export_pdf(pdf))),
        ),
        other_ways=(
            by_hand(
                "by the command line", repack_by_code(form, _fill_form(said), to=filled), *convert_document(filled, pdf)
            ),
            by_hand(
                "the form copied first, exported by the button",
                hand.run_code(f"cp {form} {filled}"),
                *fill(values, filled),
                *save(filled),
                hand.click("Export Directly as PDF", role="push button", app="soffice"),
                *named_for_export(pdf),
            ),
        ),
        cheats=_cheats_at_the_form(form, filled, pdf, said),
    )


def _fill_form(rows: list[list[str]]) -> str:
    """Return the expression that fills in the second column of a form."""
    ends = ((f"{field}{CELL_END}{CELL}", value) for field, value in rows)
    return "text" + "".join(f".replace({end!r}, {end + value!r})" for end, value in ends)


def _cheats_at_the_form(form: str, filled: str, pdf: str, rows: list[list[str]]) -> tuple[Way, ...]:
    fill = repack_by_code(form, _fill_form(rows), to=filled)
    return (
        by_hand("a PDF of the blank form", fill, *convert_document(form, pdf)),
        by_hand(
            "the blank form replaced as well",
            fill,
            *convert_document(filled, pdf),
            hand.run_code(f"cp {filled} {form}"),
        ),
        by_hand(
            "nothing but the words, without a table",
            plain_document(filled, [FORM, *(" | ".join(row) for row in rows), OFFICE]),
            *convert_document(filled, pdf),
        ),
    )
