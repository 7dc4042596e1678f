"""The minutes of a meeting ask several things of somebody, who does them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from proctor.home import HOME
from proctor.suites.core.todo import TITLE, quick_add
from proctor.suites.parts.calc import enter, save
from proctor.suites.parts.course import Course, Stretch
from proctor.suites.parts.desk import (
    WorldDesk,
    desk_of,
    enter_event,
    event_entered,
    find_letter,
    open_table,
    reply_here,
    send_to,
)
from proctor.suites.parts.mail_by_code import letter_posted
from proctor.suites.parts.programs import close_window, start_program
from proctor.suites.parts.sheets_by_code import cells_written
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.events import Event, When
from proctor.tasks.person import Reply, User
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, Limits
from proctor.tasks.template import template
from proctor.vocabulary.apps.gtg.parse import GTG_FILE
from proctor.vocabulary.services.world.setup import PASSWORD

MINUTES = "Documents/Project round/Minutes/2026/2026-03-11 Minutes Project round.odt"
REPORT = "Documents/Project round/North mast/2024-10-17 North mast report.pdf"
OLDER_REPORT = "Documents/Project round/North mast/2024-03-28 North mast report.pdf"
FORMER, SUCCESSOR = "Carlo Venn", "simon.acker@venn-works.example"
SOURCES, KEEPER, HOST = "Pavel Dorn", "Sabine Rook", "Inga Thorvald"
PROJECTS = ("Harbour bridge", "Hall roof Orlen", "Crane survey")
ITEMS = ("Sensor cables", "Crane hire", "Data logger", "Mounting plates", "Transport")
CHORES = ("Order spare batteries", "Renew the crane permit", "Book the lift for the site", "Return the borrowed drill")
VISIT = "Site visit"


@dataclass(frozen=True)
class _Round:
    """What a meeting decided."""

    project: str
    prices: dict[str, int]
    item: str
    price: int
    visit: date
    hour: int
    place: str
    answer_by: date
    chore: str
    chore_by: date

    @property
    def costs(self) -> str:
        """The table of costs."""
        return f"Documents/Project round/{self.project}/2026-02-26 {self.project} costs.ods"

    @property
    def line(self) -> int:
        """The row of the item that costs something else now."""
        return list(self.prices).index(self.item) + 2

    @property
    def rows(self) -> list[list[object]]:
        """The table as it is."""
        lines = [[name, price] for name, price in self.prices.items()]
        return [["Item", "EUR"], *lines, ["Sum", f"=SUM(B2:B{len(lines) + 1})"]]


def _round(draw: Draw) -> _Round:
    names = draw.some(ITEMS, 4)
    prices = {name: draw.randint(210, 2400) for name in names}
    item = draw.choice(names)
    return _Round(
        project=draw.choice(PROJECTS),
        prices=prices,
        item=item,
        price=prices[item] + draw.randint(15, 190),
        visit=date(2026, 3, draw.choice((24, 25, 26))),
        hour=draw.choice((10, 11, 13)),
        place=draw.choice(("Gate 3", "Gate 7", "South tower", "Pier office")),
        answer_by=date(2026, 3, draw.choice((18, 19, 20))),
        chore=draw.choice(CHORES),
        chore_by=date(2026, 3, draw.choice((16, 17, 23))),
    )


def _day(day: date) -> str:
    return f"{day:%A} {day.day} {day:%B}"


def _minutes(desk: WorldDesk, what: _Round) -> Call:
    owner = desk.owner.first
    todo = (
        f"{owner} sends Venn Works the latest report on North mast that we have.",
        f"Tom sends {what.project}'s client the photos.",
        f"{what.item} cost {what.price} EUR now: {owner} puts that into the costs of {what.project} and sends Sabine "
        "the table.",
        f"{owner} asks Pavel for the readings of {what.project}, which we need by {_day(what.answer_by)}.",
        f"“{VISIT}” at {what.place} on {_day(what.visit)}, {what.hour}:00 to {what.hour + 1}:00: Inga hosts, {owner} "
        "puts it into her calendar.",
        f"Mats looks after the insurance, {owner} need not.",
        f"{what.chore} until {_day(what.chore_by)}: {owner}, on her list.",
    )
    talk = ("All but Tom were there.", "The winter was long; nothing was broken by it.")
    return make.document(MINUTES, ["Minutes: Project round, 11 March 2026", *talk, "What is to be done:", *todo])


def _change(desk: WorldDesk, what: _Round) -> dict[str, object]:
    return desk.letter(
        desk.contact(HOST), f"{VISIT} an hour later", "03-12 09:44",
        f"Hi Nora,\n\nthe gate opens late on {_day(what.visit)}: the visit is from {what.hour + 1}:00 to "
        f"{what.hour + 2}:00. Is that all right for you, and with how many people do you come?\n\nInga\n",
    )  # fmt: skip


def _course(desk: WorldDesk, what: _Round, guests: int) -> Course:
    fields, sent, table = (desk.owner.address, PASSWORD), see.posted_mail(), see.spreadsheet(what.costs)
    pavel, sabine, inga = (desk.contact(name).address for name in (SOURCES, KEEPER, HOST))
    cell, asked = f"B{what.line}", f"Hi Pavel, we need the readings of {what.project} by {_day(what.answer_by)}."
    fine = f"Hi Inga, that is fine. We come with {guests} people."
    begin, end = (f"{what.hour + later}:00" for later in (1, 2))
    too_late = what.answer_by + timedelta(days=1)
    title = what.costs.rpartition("/")[2]

    def list_chore(day: date) -> Call:
        return hand.run_code(_NEW_CHORE.format(path=GTG_FILE, title=what.chore, due=day.isoformat()), "python")

    return Course(
        (
            Stretch(
                "Venn Works has the latest report",
                expect.mail_to(sent, [SUCCESSOR], brings=see.digest(REPORT)),
                0.15,
                (
                    *start_program(f'lowriter "{HOME}/{MINUTES}"', "Minutes Project round", 60.0),
                    *close_window("Minutes Project round"),
                    hand.show_window("Thunderbird"),
                    *send_to([SUCCESSOR], "North mast", "Dear Simon, here is our latest report. Nora", files=[REPORT]),
                ),
                (letter_posted(*fields, [SUCCESSOR], "North mast", "Our report", files=[REPORT]),),
                {"an older report": (letter_posted(*fields, [SUCCESSOR], "Report", "x", files=[OLDER_REPORT]),)},
            ),
            Stretch(
                "the costs are as they are now",
                expect.all_of(
                    [
                        expect.sheet_row(table, [what.item, what.price]),
                        expect.sheet_row(table, [what.prices[what.item]], times=0),
                        expect.sheet_adds_up(table, "EUR", len(what.prices)),
                    ]
                ),
                0.15,
                (*open_table(what.costs), *enter(cell, what.price), *save(what.costs)),
                (cells_written(what.costs, {cell: what.price}),),
                {"beside the old price": (cells_written(what.costs, {f"C{what.line}": what.price}),)},
            ),
            Stretch(
                "Sabine has the table",
                expect.mail_to(sent, [sabine], brings=see.digest(what.costs)),
                0.15,
                (
                    *close_window(title),
                    hand.show_window("Thunderbird"),
                    *send_to([sabine], "Costs", "Hi Sabine, the new costs. Nora", files=[what.costs]),
                ),
                (letter_posted(*fields, [sabine], "Costs", "The new costs", files=[what.costs]),),
                {"told in words": (letter_posted(*fields, [sabine], "Costs", f"{what.item}: {what.price}"),)},
            ),
            Stretch(
                "Pavel knows until when the readings are needed",
                expect.mail_to(sent, [pavel], says=[f"{what.answer_by.day} {what.answer_by:%B}"]),
                0.15,
                send_to([pavel], "Readings", asked),
                (letter_posted(*fields, [pavel], "Readings", asked),),
                {
                    "a day too late": (
                        letter_posted(
                            *fields, [pavel], "Readings", asked.replace(_day(what.answer_by), _day(too_late))
                        ),
                    )
                },
            ),
            Stretch(
                "the list has what is to be done",
                expect.todo_exists(see.todo(), what.chore, due=what.chore_by.isoformat()),
                0.1,
                (
                    *start_program("gtg", TITLE, 60.0),
                    *quick_add(f"{what.chore} due:{what.chore_by.isoformat()}"),
                    hand.press("alt+F4"),
                    hand.await_window(TITLE, gone=True),
                ),
                (list_chore(what.chore_by),),
                {"without the right day": (list_chore(what.chore_by + timedelta(days=1)),)},
            ),
            Stretch(
                "the visit is in the calendar when it takes place",
                expect.event_exists(
                    see.calendar("Work"),
                    {
                        "summary": VISIT,
                        "start": f"{what.visit}T{what.hour + 1}:00",
                        "end": f"{what.visit}T{what.hour + 2}:00",
                        "location": what.place,
                    },
                ),
                0.2,
                (hand.show_window("Thunderbird"), *enter_event(VISIT, what.visit, begin, end, what.place)),
                (event_entered(desk, "Work", VISIT, what.visit, begin, end, what.place),),
                {
                    "as the minutes say": (
                        event_entered(desk, "Work", VISIT, what.visit, f"{what.hour}:00", begin, what.place),
                    )
                },
            ),
            Stretch(
                "Inga knows how many come",
                expect.mail_to(sent, [inga], says=[str(guests)]),
                0.1,
                (hand.ask("How many people come along to the site visit?"), *find_letter(f"{VISIT} an hour"),
                 *reply_here(fine)),
                (letter_posted(*fields, [inga], "Re: Site visit", fine),),
                {"nobody named": (letter_posted(*fields, [inga], "Re: Site visit", "Hi Inga, that is fine."),)},
            ),
        )
    )  # fmt: skip


_NEW_CHORE = """
import pathlib, uuid
import xml.etree.ElementTree as ET

path = pathlib.Path({path!r})
tree = ET.parse(path)
new = ET.SubElement(tree.find("tasklist"), "task", id=str(uuid.uuid4()), status="Active")
ET.SubElement(new, "title").text = {title!r}
ET.SubElement(new, "tags")
dates = ET.SubElement(new, "dates")
ET.SubElement(dates, "added").text = ET.SubElement(dates, "modified").text = "2026-03-12"
ET.SubElement(dates, "due").text = {due!r}
ET.SubElement(new, "subtasks")
ET.SubElement(new, "content")
tree.write(path, encoding="utf-8", xml_declaration=True)
"""


@template(
    apps=("thunderbird", "libreoffice-calc", "libreoffice-writer", "gtg"),
    level=4,
    demand="Office/Communication/Meeting",
    services=("mail", "calendar"),
    limits=Limits(steps=250, seconds=3600),
)
def what_the_minutes_ask(draw: Draw) -> Draft:
    """What minutes ask of one person, with an hour that changes and somebody who has left."""
    desk, what, guests = desk_of("nora"), _round(draw), draw.randint(3, 9)
    course = _course(desk, what, guests)
    people = [SUCCESSOR, *(desk.contact(name).address for name in (SOURCES, KEEPER, HOST))]
    return Draft(
        instruction="I was at yesterday's project round and have no time for what came out of it. Please read the "
        "minutes and do everything that they ask of me, and nothing that is for somebody else. Should people write to "
        "you about it meanwhile, take that into account; what you cannot know, ask me.",
        paraphrases=(
            "Yesterday's minutes of the project round are among my files. Do for me whatever they want from me, not "
            "what the others are to do. Mind what people write about it today, and ask me about anything that only I "
            "can know.",
        ),
        setup=(
            desk.lay(),
            _minutes(desk, what),
            make.spreadsheet(what.costs, [{"name": "Costs", "rows": what.rows, "bold_header": True}]),
            make.todo_at_hand(),
            desk.thunderbird(),
        ),
        events=(
            Event(
                name="the visit is an hour later",
                do=desk.arrives(_change(desk, what)),
                when=When(checkpoint="Pavel knows until when the readings are needed"),
                needed=True,
            ),
        ),
        user=User(
            replies=(Reply(about=("people", "visit", "guests"), kinds=("count",), reply=f"We are {guests} people."),)
        ),
        checkpoints=course.checkpoints,
        guards=desk.guards(people),
        expected=(*desk.traces, what.costs, GTG_FILE),
        solution=course.solution,
        near_misses=course.near_misses,
        other_ways=(course.by_code(),),
        cheats=(
            course.without("all but the visit", course.stretches[5].name),
            course.without(
                "everybody gets everything",
                *(each.name for each in course.stretches),
                besides=(
                    letter_posted(
                        desk.owner.address,
                        PASSWORD,
                        people,
                        "Minutes",
                        "As agreed",
                        files=[MINUTES, REPORT, what.costs],
                    ),
                ),
            ),
        ),
    )
