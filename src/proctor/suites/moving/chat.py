"""Tasks in a chat in which people have something to add."""

from __future__ import annotations

from proctor.suites.parts.news import happens, says
from proctor.suites.parts.ways import by_hand
from proctor.tasks.call import Call
from proctor.tasks.draw import FIRST_NAMES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Admission, Draft, NearMiss
from proctor.tasks.template import template

PLACES = ("town hall", "old mill", "library", "school", "chapel", "boathouse")
TOPICS = Admission(
    which="chat_log(*): entries: 'topic' left out",
    why="The last topic in #choir counts; whoever reads on first sets it only once.",
)


def _say(text: str) -> tuple[Call, ...]:
    return (hand.type(text), hand.press("Return"))


def _rehearsal(draw: Draw, moved: bool) -> Draft:
    me, *people = (name.lower() for name in draw.some(FIRST_NAMES, 6))
    keeper = people[0]
    place, other = draw.some(PLACES, 2)
    day, late = draw.some(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"), 2)
    hour = draw.choice((17, 18, 19))
    news = (
        f"sorry, the {place} is taken on {day}, you get the {other} instead"
        if moved
        else f"sorry, the {place} is taken on {late}, only {day} is yours"
    )
    right = other if moved else place

    def notice(where: str) -> str:
        return f"Rehearsal: {day} {hour}:00, {where}"

    def topic(where: str) -> tuple[Call, ...]:
        return (hand.click("#choir", role="table cell", app="hexchat"), *_say(f"/topic {notice(where)}"))

    def tell(where: str) -> tuple[Call, ...]:
        return (hand.click("#parents", role="table cell", app="hexchat"), *_say(notice(where)))

    noticed = (*topic(place), hand.await_element("/sorry/", role="label", timeout_sec=15))
    first = {"who": keeper, "to": "#choir", "text": f"for {day} at {hour}:00 you get the {place}"}
    reacted = (*topic(other), *tell(other))
    return Draft(
        instruction=f"{keeper.capitalize()} says in #choir on HexChat where we rehearse on {day}. Please put that into "
        f'the topic of #choir, as "{notice("<place>")}", and then post the same line in #parents.',
        paraphrases=(
            f'Set the topic of #choir to "{notice("<place>")}", with the place {keeper.capitalize()} gives us there '
            "for it, and after that say it in #parents in the same words.",
        ),
        setup=(
            make.chat_server(
                [
                    {"name": "#choir", "topic": "Rehearsal: to come", "people": people[:3]},
                    {"name": "#parents", "topic": "Ask anything", "people": people[2:]},
                ]
            ),
            make.hexchat(me, ["#parents", "#choir"]),
            make.chat_say([first]),
        ),
        events=(
            happens(
                f"{keeper.capitalize()} has something to add",
                expect.chat_topic(see.chat_log("#choir"), notice(place)),
                *says(keeper, "#choir", news),
            ),
        ),
        check=expect.all_of(
            [
                expect.chat_topic(see.chat_log("#choir"), notice(right)),
                expect.chat_said(see.chat_log("#parents"), me, notice(right), alone=True),
                expect.chat_said(see.chat_log(), me, notice(right), alone=True),
            ]
        ),
        # The topic was another one in between.
        may_change=tuple(
            f"{log}: entry {notice(each)} added"
            for log in ("chat log #choir", "chat log")
            for each in ((place, other) if moved else (place,))
        ),
        may_differ=(TOPICS,),
        solution=(*noticed, *(reacted if moved else tell(place))),
        near_misses=(
            (
                NearMiss(name="the place of the beginning", moves=(*noticed, *tell(place))),
                NearMiss(name="told the parents, the topic left", moves=(*noticed, *tell(other))),
            )
            if moved
            else (
                NearMiss(name="another place made up", moves=(*noticed, *reacted)),
                NearMiss(name="the parents not told", moves=noticed),
            )
        ),
        other_ways=(
            by_hand(
                "by commands from the channel that is open",
                *_say(f"/topic #choir {notice(place)}"),
                hand.await_element("/sorry/", role="label", timeout_sec=15),
                *(_say(f"/topic #choir {notice(right)}") if moved else ()),
                *_say(f"/msg #parents {notice(right)}"),
            ),
        ),
        cheats=(
            by_hand("both places told", *noticed, *topic(right), *tell(place), *_say(notice(other))),
            by_hand("both in one", *noticed, *topic(f"{place} or {other}"), *tell(f"{place} or {other}")),
        ),
    )


@template(apps=("hexchat",), level=3, demand="Office/Communication/Messaging", services=("chat",))
def where_we_rehearse(draw: Draw) -> Draft:
    """The place that was just announced turns out to be taken."""
    return _rehearsal(draw, moved=True)


@template(
    apps=("hexchat",), level=3, demand="Office/Communication/Messaging", services=("chat",), twin="where-we-rehearse"
)
def where_we_rehearse_as_planned(draw: Draw) -> Draft:
    """The place that was just announced is taken on another day."""
    return _rehearsal(draw, moved=False)
