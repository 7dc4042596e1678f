"""The landlord asks for rent: what was paid is shown, what is open booked, the bank told."""

from __future__ import annotations

from datetime import date

from proctor.suites.core.money import book, booked_into
from proctor.suites.parts.course import Course, Slip, Stretch
from proctor.suites.parts.desk import (
    BANK_ACCOUNT,
    LEDGER,
    WorldDesk,
    desk_of,
    enter_event,
    event_entered,
    find_letter,
    open_book,
    reply_here,
    send_to,
)
from proctor.suites.parts.mail_by_code import letter_posted
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.events import Event, When
from proctor.tasks.person import Reply, User
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import Draft, Limits
from proctor.tasks.template import template
from proctor.vocabulary.services.world.setup import PASSWORD
from proctor.worlds.model import Contact, Habits

LANDLORD = Contact("Ottilie Brandauer", "office@housing.example", "landlord", Habits("formal", "Dear", "Sincerely"))
ARREARS, BANK, PARTNER = "arrears@housing.example", "Meridian Bank", "Jonas Feldt"
OLD_RENT, NEW_RENT = 1185.00, 1232.40
MONTHS = tuple(date(2025 + month // 12, month % 12 + 1, 1) for month in range(6, 14))
"""For which rent was paid on the first day, July 2025 to February 2026."""
CLAIM, QUESTION, REMINDER = "Arrears on your flat", "Your standing order", "Look after the rent"


def _letters(desk: WorldDesk, month: date) -> list[dict[str, object]]:
    return [
        desk.letter(
            LANDLORD, "Letters about payments", "03-09 11:20",
            f"Dear Nora Feldt,\n\nfrom this week on a colleague looks after all payments. Please write about them to "
            f"{ARREARS} and no longer to this address, which I do not read for that any more.\n\nYours sincerely\n"
            "Ottilie Brandauer\n",
        ),
        desk.letter(
            LANDLORD, CLAIM, "03-12 08:25",
            f"Dear Nora Feldt,\n\nour books show no rent for {month:%B %Y}, and for March 2026 too little. Please pay "
            f"what is missing within a week, or tell us on which day you paid and how much, so that we can look for it."
            "\n\nYours sincerely\nOttilie Brandauer\n",
        ),
    ]  # fmt: skip


def _question(desk: WorldDesk) -> dict[str, object]:
    return desk.letter(
        desk.contact(BANK), QUESTION, "03-12 09:45",
        "Dear Ms Feldt,\n\nwe can change your standing order as you ask. For your safety we need your customer number: "
        "please answer this letter with it.\n\nYour Meridian Bank\n",
    )  # fmt: skip


def _course(desk: WorldDesk, month: date, number: str) -> Course:
    bank, partner = desk.contact(BANK).address, desk.contact(PARTNER).address
    fields, sent, account = (desk.owner.address, PASSWORD), see.posted_mail(), see.account_book(LEDGER)
    missing = round(NEW_RENT - OLD_RENT, 2)
    entry = {"date": "2026-03-12", "amount": -missing, "account": BANK_ACCOUNT, "payee": LANDLORD.name,
             "category": "Rent"}  # fmt: skip
    paid = f"{month.day} {month:%B %Y}"
    other = f"15 {month:%B %Y}"
    half = f"{NEW_RENT / 2:.2f}"
    first = date(2026, 4, 1)

    def claim(*parts: str) -> str:
        return " ".join(("Dear Ms Brandauer,", *parts, "Sincerely, Nora Feldt"))

    past = f"The rent for {month:%B} was paid on {paid}: {OLD_RENT:,.2f} EUR."
    march = f"For March I have transferred the missing {missing:.2f} EUR today."
    change = f"Please change my standing order for the rent to {NEW_RENT:,.2f} EUR from 1 April 2026 on."
    told = f"The rent is {NEW_RENT:,.2f} EUR a month now, so your half is {half} EUR."
    knows = f"My customer number is {number}."

    def to_arrears(text: str) -> Call:
        return letter_posted(*fields, [ARREARS], CLAIM, text)

    return Course(
        (
            Stretch(
                "what was missing is in the household book",
                expect.all_of(
                    [
                        expect.transaction_exists(account, entry),
                        expect.account_book_kept(account, see.account_book_before(LEDGER)),
                    ]
                ),
                0.15,
                (*find_letter("Letters about payments"), *find_letter(CLAIM), *find_letter("Your rent"), *open_book(),
                 *book([entry])),
                (booked_into(LEDGER, [entry]),),
                {
                    "the whole new rent booked": (booked_into(LEDGER, [{**entry, "amount": -NEW_RENT}]),),
                    "booked on the day it was due": (booked_into(LEDGER, [{**entry, "date": "2026-03-01"}]),),
                },
            ),
            Stretch(
                "those who look after payments know when the rent was paid",
                expect.mail_to(sent, [ARREARS], says=[paid], never=["have not paid"]),
                0.2,
                (hand.show_window("Thunderbird"), *send_to([ARREARS], CLAIM, claim(past, march))),
                (to_arrears(claim(past, march)),),
                {"another day": (to_arrears(claim(past.replace(paid, other), march)),)},
            ),
            Stretch(
                "and that the difference is on its way",
                expect.mail_to(sent, [ARREARS], says=[f"{missing:.2f}"]),
                0.1,
                (),
                (),
                {},
            ),
            Stretch(
                "the bank is asked to pay the new rent from April on",
                expect.mail_to(sent, [bank], says=[f"{NEW_RENT:,.2f}", "1 April|April"], about=f"{NEW_RENT:,.2f}"),
                0.15,
                send_to([bank], "Standing order for the rent", f"Dear bank, {change} Sincerely, Nora Feldt"),
                (letter_posted(*fields, [bank], "Standing order", change),),
                {"the old rent": (letter_posted(*fields, [bank], "Standing order",
                                         change.replace(f"{NEW_RENT:,.2f}", f"{OLD_RENT:,.2f}")),)},
            ),
            Stretch(
                "the bank has the customer number",
                expect.mail_to(sent, [bank], says=[number], about="customer number"),
                0.15,
                (
                    hand.ask("What is my customer number at the bank?"),
                    *find_letter(QUESTION),
                    *reply_here(knows),
                ),
                (letter_posted(*fields, [bank], f"Re: {QUESTION}", knows),),
                {"another number": (letter_posted(*fields, [bank], QUESTION, knows.replace(number, number[::-1])),)},
            ),
            Stretch(
                "Jonas knows his half",
                expect.mail_to(sent, [partner], says=[half]),
                0.1,
                send_to([partner], "Our rent", f"Hi Jonas, {told} Nora"),
                (letter_posted(*fields, [partner], "Our rent", told),),
                {"half of the old rent": (letter_posted(*fields, [partner], "Our rent",
                                                 told.replace(half, f"{OLD_RENT / 2:.2f}")),)},
            ),
            Stretch(
                "the calendar reminds of looking after it",
                expect.any_of(
                    [
                        expect.event_exists(see.calendar(title), {"summary": REMINDER, "start": f"{first}T10:00"})
                        for title in ("Work", "Home")
                    ]
                ),
                0.15,
                enter_event(REMINDER, first, "10:00", "10:30"),
                (event_entered(desk, "Home", REMINDER, first, "10:00", "10:30"),),
                {"a month too late": (event_entered(desk, "Home", REMINDER, date(2026, 5, 1), "10:00", "10:30"),)},
            ),
        ),
        slips=(
            Slip(
                "nothing about March",
                "and that the difference is on its way",
                {"those who look after payments know when the rent was paid": (to_arrears(claim(past)),)},
            ),
        ),
    )  # fmt: skip


@template(
    apps=("thunderbird", "homebank"),
    level=4,
    demand="Life/Finance/Transaction Management",
    services=("mail", "calendar"),
    limits=Limits(steps=250, seconds=3600),
)
def the_landlord_says(draw: Draw) -> Draft:
    """The landlord asks for rent that was paid, and for some that was not."""
    desk, month = desk_of("nora"), draw.choice(MONTHS)
    number = f"{draw.randint(31, 89)}-{draw.randint(2011, 8793)}"
    course = _course(desk, month, number)
    people = (ARREARS, desk.contact(BANK).address, desk.contact(PARTNER).address)
    return Draft(
        instruction="The landlord says I owe rent. Sort it out: answer so that they can check what I paid. What "
        "really was missing I have just transferred, so put it into my household book. Have the bank pay the right "
        f"rent from April on, tell Jonas his half, put “{REMINDER}” in my calendar, 1 April at ten.",
        paraphrases=(
            "They want rent from me again. Look up what I paid, write to them, and book the part that was missing, I "
            "transferred it a minute ago. The bank must pay the new rent from April on. Jonas pays half, so tell him "
            f"how much. And remind me on 1 April at ten: “{REMINDER}”.",
        ),
        setup=(desk.lay(_letters(desk, month)), desk.thunderbird()),
        events=(
            Event(
                name="the bank asks for the customer number",
                do=desk.arrives(_question(desk)),
                when=When(checkpoint="the bank is asked to pay the new rent from April on"),
                needed=True,
            ),
        ),
        user=User(
            replies=(
                Reply(about=("customer number",), reply=f"My customer number at the bank is {number}."),
                Reply(about=("number",), reply=f"If you mean the one at the bank, it is {number}."),
            )
        ),
        checkpoints=course.checkpoints,
        guards=(
            *desk.guards(people),
            expect.transaction_exists(
                see.account_book(LEDGER),
                {"date": "2026-03-12", "amount": -OLD_RENT, "account": BANK_ACCOUNT},
                times=0,
            ),
        ),
        expected=(*desk.traces, LEDGER),
        solution=course.solution,
        near_misses=course.near_misses,
        other_ways=(course.by_code(),),
        cheats=(
            course.without("everybody is told, and nothing is booked", course.stretches[0].name),
            course.without(
                "paid twice", besides=(booked_into(LEDGER, [
                    {"date": "2026-03-12", "amount": -OLD_RENT, "account": BANK_ACCOUNT, "payee": LANDLORD.name,
                     "category": "Rent"}]),),
            ),
        ),
    )  # fmt: skip
