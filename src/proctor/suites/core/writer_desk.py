"""Tasks in LibreOffice Writer that draw on notes and other papers."""

from __future__ import annotations

from proctor.suites.parts.writer import Moves, export_pdf, open_file, replace, save, save_as
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, Limits, NearMiss
from proctor.tasks.template import template

ERRANDS = (
    "Book the hall",
    "Order the chairs",
    "Print the posters",
    "Ask for the permit",
    "Hire a band",
    "Buy lanterns",
)


@template(apps=("libreoffice-writer", "mousepad"), level=2, demand="Office/Communication/Meeting")
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
        "the table, and save them. My notes on the calls are in calls.txt. Word the task as in the notes, but "
        "start it with a capital letter.",
        paraphrases=(
            f"calls.txt says what {people[call]} will do. Add that as a new last row to the table in "
            "minutes.odt, with the task worded as in the note but starting with a capital letter, and save.",
        ),
        setup=(
            make.text_file(note, text),
            make.launch(["mousepad", note], window="calls.txt"),
            make.document(
                path, [{"heading": 1, "text": "Minutes, spring fair"}, {"rows": rows}, "Next meeting in April."]
            ),
            make.open_in_office(path),
        ),
        check=expect.all_of(
            [expect.document_table_is(seen, [*rows, added]), expect.document_has_text(seen, ["Next meeting in April."])]
        ),
        expected=(path,),
        solution=(*add(added), *save(path)),
        near_misses=(
            NearMiss(name="the other call", moves=(*add([people[other], errands[other], days[other]]), *save(path))),
            NearMiss(name="instead of the last row", moves=(*replace(rows[-1][1], added[1]), *save(path))),
            NearMiss(name="not saved", moves=add(added)),
        ),
    )


@template(
    apps=("libreoffice-writer", "mousepad"),
    level=4,
    demand="Life/Public Services/Citizen Service",
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
    blank = [[field, ""] for field in fields]

    def fill(entries: list[str]) -> Moves:
        steps = ((hand.press("Tab"), hand.type(entry), hand.press("Tab")) for entry in entries)
        entering = [move for step in steps for move in step]
        return (
            hand.click("LibreOffice Writer", role="push button"),
            hand.await_window("Untitled 1", timeout_sec=60),
            hand.await_element(role="document text", timeout_sec=30),
            *open_file(form),
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
            make.document(form, [{"heading": 1, "text": "Registration of residence"}, {"rows": blank}, "Town office"]),
            make.text_file(note, text),
            make.launch(["mousepad", note], window="moving.txt"),
        ),
        check=expect.all_of(
            [
                expect.document_table_is(see.document(filled), [list(row) for row in zip(fields, values, strict=True)]),
                expect.document_has_text(see.document(filled), ["Registration of residence", "Town office"]),
                expect.pdf_has_text(
                    see.pdf(pdf), [f"{field} {value}" for field, value in zip(fields, values, strict=True)]
                ),
                expect.unchanged(see.digest(form)),
            ]
        ),
        expected=(filled, pdf),
        solution=(*fill(values), *save_as(filled), *export_pdf(pdf)),
        near_misses=(
            NearMiss(name="addresses swapped", moves=(*fill(swapped), *save_as(filled), *export_pdf(pdf))),
            NearMiss(name="no PDF", moves=(*fill(values), *save_as(filled))),
            NearMiss(name="saved over the blank form", moves=(*fill(values), *save(form), *export_pdf(pdf))),
        ),
    )
