"""A handover at the library's evening desk, written as the last, with what has changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from proctor.home import HOME
from proctor.suites.parts import files
from proctor.suites.parts.course import Course, Stretch
from proctor.suites.parts.desk import WorldDesk, desk_of, find_letter, open_paper, send_to, without_words
from proctor.suites.parts.forms import line_typed, line_written, open_as_new, reads, text_as_it_was_sent
from proctor.suites.parts.mail_by_code import letter_posted
from proctor.suites.parts.post import MONDAY, day_in_words
from proctor.suites.parts.programs import start_program
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.events import Event, When
from proctor.tasks.person import Reply, User
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, Limits
from proctor.tasks.template import template
from proctor.vocabulary.services.world.setup import PASSWORD

BOSS, FRIEND, BEFORE = "Hanne Vik", "Tilde Roos", "Milo Strand"
FOLDER = "Documents/Library desk/Evening desk"
LAST, OLDER = "Handover 2025-09 Milo to Signe.txt", "Handover 2024-10 Tilde to Milo.txt"
CARDS, NOTE = f"{FOLDER}/Lost cards.csv", "Notes/2026-03-11 evening desk.txt"
READERS = ("Ole Dahl", "Maren Lie", "Petra Vang", "Jonas Rud", "Elin Foss", "Tor Haug", "Siri Nes", "Arne Bakk")
RULES, FIRST_TIME, LAST_TIME = "Handovers from now on", "New closing time", "The closing time once more"
CARD, DAYS = "One card less", "The new evenings"
SUBJECT = "Handover of the evening desk"


@dataclass(frozen=True)
class _Facts:
    """What the handover has to say."""

    heir: str
    """Who takes over."""
    code: int
    closing: str
    announced: str
    """The closing time that was given first."""
    begins: date
    moved: date
    """The first evening as it is in the end."""
    cash: float
    side: str
    """Of the desk, where the scanner works."""
    cards: int

    @property
    def path(self) -> str:
        """Where the handover is to be."""
        return f"{FOLDER}/Handover 2026-03 Signe to {self.heir.partition(' ')[0]}.txt"

    @property
    def other_side(self) -> str:
        """Where it worked before."""
        return "left" if self.side == "right" else "right"


def _lines(code: int, side: str) -> tuple[str, ...]:
    """Return the last handover."""
    return (
        "Handover of the evening desk", "From: Milo Strand", "To: Signe Aalund",
        "First evening: Thursday 4 September 2025", "Evenings: Monday and Thursday", "Closing time: 20:00",
        f"Door code: {code}", "Cash box: 50.00 EUR", f"Scanner: the {side} one works", "Lost cards in the drawer: 6",
        "Who to ask: Tilde",
    )  # fmt: skip


def _facts(draw: Draw) -> _Facts:
    closing, announced = draw.some(("20:30", "21:00", "21:30", "22:00"), 2)
    begins = MONDAY + timedelta(days=7 if draw.randint(0, 1) else 0)
    return _Facts(
        heir=draw.choice(("Jorun Berg", "Amin Farsi")),
        code=draw.randint(1200, 9800),
        closing=closing,
        announced=announced,
        begins=begins,
        moved=begins + timedelta(days=draw.choice((1, 2))),
        cash=draw.randint(61, 94) + 0.5,
        side=draw.choice(("left", "right")),
        cards=draw.randint(2, 4),
    )


def _letters(desk: WorldDesk, facts: _Facts) -> list[dict[str, object]]:
    boss, friend = desk.contact(BOSS), desk.contact(FRIEND)
    first = facts.heir.partition(" ")[0]
    return [
        desk.letter(
            boss, RULES, "03-05 11:20",
            "Hi Signe,\n\nthree things about handovers, now that the data people were here. There are no door codes in "
            'files any more: where a code stood, write "ask Hanne". Only the newest handover lies open in the folder, '
            "the one before it goes into Old. And I want to be in copy when one is sent.\n\nThanks\nHanne\n",
        ),
        desk.letter(
            boss, FIRST_TIME, "03-06 09:02",
            f"Hi all,\n\nfrom Monday 16 March the evening desk closes at {facts.announced} rather than at 20:00. The "
            "caretaker knows.\n\nHanne\n",
        ),
        desk.letter(
            boss, LAST_TIME, "03-09 15:41",
            f"Hi all,\n\nthe caretaker cannot do {facts.announced}. We settled on {facts.closing}, from the same day, "
            "and that is now on the door.\n\nHanne\n",
        ),
        desk.letter(
            boss, f"Evening desk: {first} takes over", "03-10 10:15",
            f"Hi Signe,\n\n{facts.heir} takes over from you, with the same two evenings, and begins on "
            f"{day_in_words(facts.begins)}. Please write the handover by the end of this week.\n\nHanne\n",
        ),
        desk.letter(
            friend, CARD, "03-12 08:11",
            f"hi signe,\n\n{READERS[0]} came in this morning, so I gave the card back. it is not in the list yet, I "
            "was in a hurry.\n\ntilde\n",
        ),
    ]  # fmt: skip


def _new_days(desk: WorldDesk, facts: _Facts) -> dict[str, object]:
    return desk.letter(
        desk.contact(BOSS), DAYS, "03-12 09:50",
        f"Hi Signe,\n\none more change: {facts.heir} has a course on Mondays. So the evenings are "
        f"{facts.moved:%A} and Thursday from now on, and the first one is {day_in_words(facts.moved)}.\n\nHanne\n",
    )  # fmt: skip


def _papers(facts: _Facts) -> list[Call]:
    lines = _lines(facts.code, facts.other_side)
    older = (*lines[:1], "From: Tilde Roos", "To: Milo Strand", "First evening: Tuesday 1 October 2024", *lines[4:10],
             "Who to ask: Hanne")  # fmt: skip
    fetched = ["" if number <= facts.cards else "yes" for number in range(len(READERS))]
    rows = [[f"2026-0{1 + number // 4}-{3 + 2 * number:02}", name, fetched[number]]
            for number, name in enumerate(READERS)]  # fmt: skip
    return [
        make.text_file(f"{FOLDER}/{LAST}", "\n".join(lines) + "\n"),
        make.text_file(f"{FOLDER}/Old/{OLDER}", "\n".join(older) + "\n"),
        make.csv_file(CARDS, [["Handed in", "Name", "Fetched"], *rows], ";"),
        make.text_file(
            NOTE,
            f"Evening desk, Wednesday\n\nThe {facts.other_side} scanner went to be repaired, back in May at the "
            f"earliest. The {facts.side} one works again.\nBring own tea.\n",
        ),
    ]


def _course(desk: WorldDesk, facts: _Facts) -> Course:
    boss, heir = desk.contact(BOSS).address, desk.contact(facts.heir).address
    path, fields = facts.path, (desk.owner.address, PASSWORD)
    first = facts.heir.partition(" ")[0]
    last = "\n".join(_lines(facts.code, facts.other_side)) + "\n"
    subject, text = SUBJECT, f"Hi {first}, here is the handover. See you, Signe"
    cash, day = f"{facts.cash:.2f}", f"{facts.moved:%A} {facts.moved.day} March 2026"
    editor = (hand.show_window(path.rpartition("/")[2]),)

    def put(begins: str, held: str) -> Call:
        return line_written(path, begins, f"{begins} {held}")

    return Course(
        first=(hand.run_code(f"cp '{FOLDER}/{LAST}' '{path}'"),),
        stretches=(
            Stretch(
                "the handover says from whom to whom, in the lines of the last one",
                expect.all_of(
                    [
                        reads(path, "Handover of the evening desk", "From: Signe Aalund", f"To: {facts.heir}",
                              "Who to ask: Tilde"),
                        expect.line_count(see.text(path), 11, 11),
                    ]
                ),
                0.08,
                (
                    *find_letter("takes over"),
                    *find_letter(RULES),
                    *find_letter(CARD),
                    *open_paper(NOTE, "mousepad"),
                    *open_paper(CARDS, "mousepad"),
                    *open_as_new(f"{FOLDER}/{LAST}", path),
                    *line_typed(1, "From: Signe Aalund"),
                    *line_typed(2, f"To: {facts.heir}"),
                ),
                (put("From:", "Signe Aalund"), put("To:", facts.heir)),
                {"handed over to Signe herself": (put("From:", "Milo Strand"), put("To:", "Signe Aalund"))},
            ),
            Stretch(
                "no code of the door stands in it",
                reads(path, 'Door code: "?ask Hanne"?', never=[str(facts.code)]),
                0.12,
                line_typed(6, "Door code: ask Hanne"),
                (put("Door code:", "ask Hanne"),),
                {"the code as it was": (put("Door code:", str(facts.code)),)},
            ),
            Stretch(
                "it says which scanner works",
                reads(path, f"Scanner: the {facts.side} one works"),
                0.12,
                line_typed(8, f"Scanner: the {facts.side} one works"),
                (put("Scanner:", f"the {facts.side} one works"),),
                {"the scanner of last year": (put("Scanner:", f"the {facts.other_side} one works"),)},
            ),
            Stretch(
                "it counts the cards that are still in the drawer",
                reads(path, f"Lost cards in the drawer: {facts.cards}"),
                0.13,
                line_typed(9, f"Lost cards in the drawer: {facts.cards}"),
                (put("Lost cards in the drawer:", str(facts.cards)),),
                {"the cards as they stand in the list": (put("Lost cards in the drawer:", str(facts.cards + 1)),)},
            ),
            Stretch(
                "it gives the closing time that was settled on",
                reads(path, f"Closing time: {facts.closing}"),
                0.12,
                (
                    hand.show_window("Thunderbird"),
                    *find_letter(FIRST_TIME),
                    *find_letter(LAST_TIME),
                    *editor,
                    *line_typed(5, f"Closing time: {facts.closing}"),
                ),
                (put("Closing time:", facts.closing),),
                {"the closing time of the first letter": (put("Closing time:", facts.announced),)},
            ),
            Stretch(
                "it says what is in the cash box",
                reads(path, rf"Cash box: ({cash}|{cash[:-1]})( EUR| euros?)?"),
                0.1,
                (hand.ask("How much is in the cash box?"), *line_typed(7, f"Cash box: {cash} EUR")),
                (put("Cash box:", f"{cash} EUR"),),
                {"the cash box at a guess": (put("Cash box:", "50.00 EUR"),)},
            ),
            Stretch(
                "it gives the evenings as they are now",
                reads(
                    path,
                    rf"First evening: {facts.moved:%A},? {facts.moved.day} March( 2026)?",
                    f"Evenings: {facts.moved:%A}s? and Thursdays?",
                ),
                0.13,
                (
                    hand.show_window("Thunderbird"),
                    *find_letter(DAYS),
                    *editor,
                    *line_typed(3, f"First evening: {day}"),
                    *line_typed(4, f"Evenings: {facts.moved:%A} and Thursday"),
                ),
                (put("First evening:", day), put("Evenings:", f"{facts.moved:%A} and Thursday")),
                {
                    "the evenings as they were first told": (
                        put("First evening:", f"{day_in_words(facts.begins)} 2026"),
                        put("Evenings:", "Monday and Thursday"),
                    ),
                },
            ),
            Stretch(
                "the last handover lies in Old, and nowhere else",
                expect.all_of(
                    [
                        expect.text_is(see.text(f"{FOLDER}/Old/{LAST}"), last),
                        expect.nothing_there(see.file(f"{FOLDER}/{LAST}")),
                    ]
                ),
                0.08,
                (
                    *start_program(f'thunar "{HOME}/{FOLDER}"', "Evening desk - Thunar"),
                    *files.move_to(f"{FOLDER}/Old", LAST),
                ),
                (hand.run_code(f"mv '{FOLDER}/{LAST}' '{FOLDER}/Old/{LAST}'"),),
                {"the last handover only copied": (hand.run_code(f"cp '{FOLDER}/{LAST}' '{FOLDER}/Old/{LAST}'"),)},
            ),
            Stretch(
                f"{first} has the handover, and Hanne a copy",
                expect.mail_to(see.posted_mail(), [heir], [boss], brings=see.digest(path)),
                0.12,
                (hand.show_window("Thunderbird"), *send_to([heir], subject, text, cc=[boss], files=[path])),
                (letter_posted(*fields, [heir], subject, text, cc=[boss], files=[path]),),
                {
                    "no copy for Hanne": (letter_posted(*fields, [heir], subject, text, files=[path]),),
                    "a handover of two years ago sent": (
                        letter_posted(*fields, [heir], subject, text, cc=[boss], files=[f"{FOLDER}/Old/{OLDER}"]),
                    ),
                },
            ),
        ),
    )  # fmt: skip


@template(
    apps=("thunderbird", "mousepad", "thunar"),
    level=4,
    demand="Knowledge/Knowledge/Information Organization",
    services=("mail", "calendar"),
    limits=Limits(steps=250, seconds=3000),
)
def handover_of_the_evening_desk(draw: Draw) -> Draft:
    """A handover like the last one, from letters, a list, a note and what only its writer knows."""
    desk, facts = desk_of("signe"), _facts(draw)
    course, first = _course(desk, facts), facts.heir.partition(" ")[0]
    return Draft(
        instruction=f"{first} takes over my evening desk at the library. Please write the handover as Milo wrote his "
        "for me, every line true as of now and by Hanne's new rules, named like his and kept with his, and mail it to "
        f"{first} as she wants it done. I counted the cash box myself; ask me.",
        paraphrases=(
            f"Write {first} my handover for the evening desk, please: in the lines of Milo's, with what is true today, "
            f"under a name like his, in the same folder. Hanne has new rules for them. Then send it to {first}. What "
            "is in the cash box only I know.",
        ),
        setup=(desk.lay(_letters(desk, facts)), *_papers(facts), desk.thunderbird()),
        events=(
            Event(
                name="the evenings change",
                do=desk.arrives(_new_days(desk, facts)),
                when=When(checkpoint="it gives the closing time that was settled on"),
                needed=True,
            ),
        ),
        user=User(
            replies=(Reply(about=("cash box", "cash"), reply=f"There are {facts.cash:.2f} euros in the cash box."),)
        ),
        checkpoints=course.checkpoints,
        guards=desk.guards((desk.contact(BOSS).address, desk.contact(facts.heir).address)),
        expected=(*desk.traces, facts.path, f"{FOLDER}/{LAST}", f"{FOLDER}/Old/{LAST}"),
        may_differ=(*text_as_it_was_sent(facts.path), without_words(SUBJECT)),
        solution=course.solution,
        near_misses=course.near_misses,
        other_ways=(course.by_code(),),
        cheats=(
            course.without("the last one under a new name, sent", *(each.name for each in course.stretches[:7])),
            course.without("a handover that nobody is sent", course.stretches[-1].name),
        ),
    )
