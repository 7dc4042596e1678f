"""Tasks on tables for which a figure comes in late."""

from __future__ import annotations

from collections.abc import Callable

from proctor.suites.parts.calc import Row, book, enter, save
from proctor.suites.parts.news import happens, says
from proctor.suites.parts.sheets_by_code import cells_written
from proctor.suites.parts.ways import by_hand
from proctor.tasks.call import Call
from proctor.tasks.draw import FIRST_NAMES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

Tell = Callable[[int], tuple[Call, ...]]
Misses = tuple[NearMiss, ...]
PATH = "Documents/portions.ods"


def _careless(
    noticed: tuple[Call, ...], corrected: tuple[Call, ...], tell: Tell, first: int, new: int, moved: bool
) -> Misses:
    """Return what goes wrong where the message is not seen, or taken for what it is not."""
    return (
        (
            NearMiss(name="the total of the beginning", moves=(*noticed, *tell(first))),
            NearMiss(name="the new total told, the table left", moves=(*noticed, *tell(new))),
        )
        if moved
        else (
            NearMiss(name="next week's number taken", moves=(*noticed, *corrected, *tell(new))),
            NearMiss(name="the kitchen not told", moves=noticed),
        )
    )


def _portions(draw: Draw, moved: bool) -> Draft:
    me, *names = draw.some(FIRST_NAMES, 6)
    people, cook = names[:4], names[4].lower()
    first = draw.some(range(2, 9), 4)
    at = draw.randrange(4)
    new = draw.randint(10, 14)
    changed = [*first[:at], new, *first[at + 1 :]]
    right = changed if moved else first
    rows: list[Row] = [["Family", "Portions"], *([name, None] for name in people), ["Total", None]]
    who = people[at].lower()
    news = f"sorry, we are {new} after all" if moved else f"for next week we are {new}, not for this one"
    talk = [
        {"who": name.lower(), "to": "#supper", "text": f"we are {count}"}
        for name, count in zip(people, first, strict=True)
    ]
    total = expect.cell_is(see.spreadsheet(PATH), "B6", sum(first), sheet="Portions")

    def fill(counts: list[int]) -> tuple[Call, ...]:
        return (*enter("B2", "\n".join(map(str, [*counts, sum(counts)]))), *save(PATH))

    def tell(count: int) -> tuple[Call, ...]:
        return (
            hand.click("HexChat", role="toggle button", app="xfce4-panel"),
            hand.click("#kitchen", role="table cell", app="hexchat"),
            hand.type(f"Total: {count}\n"),
        )

    noticed = (*fill(first), hand.await_element(f"/we are {new}/", role="label", timeout_sec=15))
    corrected = (*enter(f"B{at + 2}", new), *enter("B6", sum(changed)), *save(PATH))
    cells = {**{f"B{place + 2}": count for place, count in enumerate(right)}, "B6": sum(right)}
    return Draft(
        instruction="Please fill in portions.ods, which is open in Calc: how many portions each family needs for "
        "Saturday is in #supper on HexChat. Put the total below, save it, and then tell #kitchen how many it is, as "
        '"Total: 12".',
        paraphrases=(
            'Complete portions.ods with the numbers from #supper and their total, save, then say "Total: " with the '
            "number in #kitchen.",
        ),
        setup=(
            make.chat_server(
                [
                    {
                        "name": "#supper",
                        "topic": "How many are you on Saturday?",
                        "people": [n.lower() for n in people],
                    },
                    {"name": "#kitchen", "people": [cook]},
                ]
            ),
            book(PATH, ("Portions", rows)),
            make.hexchat(me.lower(), ["#kitchen", "#supper"]),
            make.chat_say(talk),
            make.calc(PATH),
        ),
        events=(happens(f"{people[at]} writes again", total, *says(who, "#supper", news)),),
        check=expect.all_of(
            [
                expect.cells_are(see.spreadsheet(PATH), "B2:B6", [[count] for count in [*right, sum(right)]]),
                expect.chat_said(see.chat_log(), me.lower(), f"Total: {sum(right)}", alone=True),
                expect.chat_said(see.chat_log("#kitchen"), me.lower(), f"Total: {sum(right)}"),
            ]
        ),
        expected=(PATH,),
        solution=(*noticed, *(corrected if moved else ()), *tell(sum(right))),
        near_misses=_careless(noticed, corrected, tell, sum(first), sum(changed), moved),
        other_ways=(
            by_hand(
                "with a formula for the total",
                *enter("B2", "\n".join([*map(str, first), "=SUM(B2:B5)"])),
                *save(PATH),
                *((*enter(f"B{at + 2}", new), hand.press("ctrl+s"), hand.await_change(5)) if moved else ()),
                *tell(sum(right)),
            ),
        ),
        cheats=(
            by_hand("only the total", *enter("B6", sum(right)), *save(PATH), *tell(sum(right))),
            by_hand(
                "both totals told",
                cells_written(PATH, cells),
                *tell(sum(first)),
                hand.type(f"Total: {sum(changed)}\n"),
            ),
        ),
    )


@template(apps=("hexchat", "libreoffice-calc"), level=3, demand="Office/Data/Tabling", services=("chat",))
def portions_for_saturday(draw: Draw) -> Draft:
    """A number that is already in the total is changed by whoever gave it."""
    return _portions(draw, moved=True)


@template(
    apps=("hexchat", "libreoffice-calc"),
    level=3,
    demand="Office/Data/Tabling",
    services=("chat",),
    twin="portions-for-saturday",
)
def portions_for_this_week(draw: Draw) -> Draft:
    """Somebody gives a number for next week once the total stands."""
    return _portions(draw, moved=False)
