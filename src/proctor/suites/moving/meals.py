"""Tasks on orders that somebody changes in a chat."""

from __future__ import annotations

from proctor.suites.parts.news import happens, is_edited, says
from proctor.suites.parts.ways import by_hand
from proctor.tasks.call import Call
from proctor.tasks.draw import FIRST_NAMES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

BLANKS = r"\s+"
"""A pattern for what lies between two words."""
DISHES = ("lasagne", "risotto", "gnocchi", "ravioli", "minestrone", "carbonara", "gazpacho")


def _write(path: str, text: str) -> Call:
    """Write a file as a script would."""
    return hand.run_code(f"open({path!r}, 'w').write({text!r})", "python")


def _lunch(draw: Draw, moved: bool) -> Draft:
    me, *names = draw.some(FIRST_NAMES, 5)
    people = [name.lower() for name in names]
    dishes = draw.some(DISHES, 5)
    new = dishes.pop()
    path = "Documents/lunch.txt"
    phrases = draw.some(("{} for me please", "I'd like {}", "I'll have {}", "{}, thanks"), 4)
    talk = [
        {"who": who, "to": "#lunch", "text": phrase.format(dish)}
        for who, phrase, dish in zip(people, phrases, dishes, strict=True)
    ]
    at = draw.randrange(4)
    news = f"sorry, I changed my mind: {new} for me" if moved else f"the {new} last week was great, by the way"

    def text(wants: list[str]) -> str:
        return "".join(f"{name}: {dish}\n" for name, dish in zip(names, wants, strict=True))

    changed = [*dishes[:at], new, *dishes[at + 1 :]]
    right, wrong = (changed, dishes) if moved else (dishes, changed)
    head, either = "Lunch on Friday\n", f"{dishes[at]} or {new}"
    noticed = (
        hand.press("ctrl+End"),
        hand.type(text(dishes)),
        hand.await_element(f"/{new}/", role="label", timeout_sec=15),
    )

    def save(wants: list[str]) -> tuple[Call, ...]:
        return (hand.press("ctrl+a"), hand.type(head + text(wants)), hand.press("ctrl+s"), hand.await_saved(path))

    return Draft(
        instruction="Please write down what everybody in #lunch (on HexChat) wants to eat, in lunch.txt, which is open "
        'in Mousepad: below the heading, one line each, like "Name: dish". Save it; the kitchen gets that file.',
        paraphrases=(
            'Complete lunch.txt in Mousepad for the kitchen with a line like "Name: dish" for everyone in #lunch, and '
            "save it.",
        ),
        setup=(
            make.chat_server([{"name": "#lunch", "topic": "Who wants what on Friday?", "people": people}]),
            make.text_file(path, head),
            make.hexchat(me.lower(), ["#lunch"]),
            make.chat_say(talk),
            make.launch(["mousepad", path], window="lunch.txt"),
        ),
        events=(happens(f"{names[at]} speaks up", is_edited(path, head), *says(people[at], "#lunch", news)),),
        check=expect.all_of(
            [
                expect.text_matches(see.text(path), rf"\A\s*{BLANKS.join(head.split())}\s*$"),
                expect.lines_are(see.text(path), [head.strip(), *text(right).splitlines()], ordered=False),
                expect.chat_silent(see.chat_log(), me.lower()),
            ]
        ),
        expected=(path,),
        solution=(*noticed, *save(right)),
        near_misses=(
            NearMiss(
                name="as it was said at first" if moved else "what was only praised taken as an order",
                moves=(*noticed, *save(wrong)),
            ),
            NearMiss(name="not saved", moves=(*noticed, hand.press("ctrl+a"), hand.type(head + text(right)))),
        ),
        other_ways=(
            by_hand(
                "saved at once, put right by the command line" if moved else "by the command line",
                hand.press("ctrl+End"),
                hand.type(text(dishes)),
                hand.press("ctrl+s"),
                hand.await_saved(path),
                _write(path, head + text(right)),
            ),
        ),
        cheats=(
            by_hand("both dishes", _write(path, f"{head}{text(dishes)}{names[at]}: {new}\n")),
            by_hand("either dish", _write(path, head + text([*dishes[:at], either, *dishes[at + 1 :]]))),
        ),
    )


@template(apps=("hexchat", "mousepad"), level=3, demand="Office/Communication/Messaging", services=("chat",))
def lunch_for_everybody(draw: Draw) -> Draft:
    """Somebody changes their order while it is being written down."""
    return _lunch(draw, moved=True)


@template(
    apps=("hexchat", "mousepad"),
    level=3,
    demand="Office/Communication/Messaging",
    services=("chat",),
    twin="lunch-for-everybody",
)
def lunch_as_ordered(draw: Draw) -> Draft:
    """Somebody talks of a dish without ordering it while the orders are being written down."""
    return _lunch(draw, moved=False)
