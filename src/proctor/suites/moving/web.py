"""Tasks on the web in which what is chosen changes while it is being ordered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from proctor.suites.parts.news import happens
from proctor.suites.parts.offer_list import OfferList, Rows
from proctor.suites.parts.pages import fetch_page, refusal_taken
from proctor.suites.parts.ways import by_hand, by_python
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import hand
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

NOT_YET = "Not sent yet"


@dataclass(frozen=True)
class _Choice:
    """What is to be chosen from a list, at first and after what happens."""

    offers: OfferList
    rows: Rows
    values: Mapping[str, str]
    first: str
    """What is right at the beginning."""
    second: str
    """What is right once the first is not."""
    wrong: str
    change: tuple[Call, ...]
    refused: bool = True
    """Whether the site refuses the first from then on."""

    def draft(self, moved: bool, name: str, instruction: str, paraphrase: str) -> Draft:
        """Return the task; `moved` says whether the event concerns what was chosen."""
        offers, values = self.offers, self.values
        right = self.second if moved else self.first
        looked = offers.open_page(self.first)
        elsewhere = (*looked, *offers.back())

        def take(item: str) -> tuple[Call, ...]:
            return (*elsewhere, *offers.open_page(item), *offers.take(values))

        late = (
            NearMiss(name="given up where it was refused", moves=(*looked, *offers.take(values, NOT_YET)))
            if self.refused
            else NearMiss(name="ordered as if nothing had happened", moves=(*looked, *offers.take(values)))
        )
        tried = (*looked, *offers.take(values, NOT_YET if self.refused else "Thank you"))
        near_misses = (
            (late, NearMiss(name="another one that does not fit", moves=take(self.wrong)))
            if moved
            else (
                NearMiss(name="the next best for nothing", moves=take(self.second)),
                NearMiss(name="filled in and not sent", moves=(*looked, *offers.take(values)[:-2])),
            )
        )
        solution = take(right) if moved else (*looked, *offers.take(values))
        refusal = (
            by_hand(
                "tried first, then the next",
                *tried,
                *offers.back(),
                *offers.open_page(right),
                *offers.take(values),
            )
            if moved and self.refused
            else by_hand("after another look at the list", *take(right), hand.press("alt+Left"))
        )
        return Draft(
            instruction=instruction,
            paraphrases=(paraphrase,),
            setup=offers.open_list(self.rows),
            events=(happens(name, offers.looked_at(self.first), *self.change),),
            check=offers.order_of(right, values),
            solution=solution,
            near_misses=near_misses,
            other_ways=(refusal, self._by_script(right)),
            cheats=(
                by_python(
                    "every one of them", "".join(refusal_taken(offers.script(item, values)) for item in self.rows)
                ),
                by_python("one order that names them all", offers.script(", ".join(self.rows), values)),
            ),
        )

    def _by_script(self, right: str) -> Way:
        look = hand.run_code(fetch_page(self.offers.address(self.first)), "python")
        return by_hand("by a script", look, hand.run_code(self.offers.script(right, self.values), "python"))


def _room(draw: Draw, moved: bool) -> Draft:
    person = draw.person()
    rooms = draw.some(("Anchor", "Beacon", "Compass", "Dolphin", "Gull", "Lighthouse"), 4)
    views = ("sea view, no breakfast", "sea view, breakfast", "sea view, breakfast", "garden view, breakfast")
    base = draw.randint(70, 90)
    prices = (base - 12, base, base + 11, base + 14)
    listed = [(room, (view, f"{price} EUR")) for room, view, price in zip(rooms, views, prices, strict=True)]
    draw.shuffle(listed)
    rows, (_, first, second, wrong) = dict(listed), rooms
    nights = draw.choice(("1", "2", "3"))
    stay = f"{nights} night{'s' * (nights > '1')}"
    offers = OfferList(
        site="seaview.example",
        title="Seaview Hotel",
        heading="Rooms",
        columns=("Room", "With", "Per night"),
        verb="Book",
        fields={"guest": "Guest"},
        choices={"nights": ("Nights", ("1", "2", "3", "4"))},
    )
    gone = first if moved else wrong
    why = f"The {gone} has just been booked by somebody else."
    choice = _Choice(
        offers,
        rows,
        {"guest": person, "nights": nights},
        first,
        second,
        wrong,
        offers.changes(rows, why, gone, why),
    )
    return choice.draft(
        moved,
        f"the {gone} is taken",
        f"Please book me a room at the Seaview, {stay}: the cheapest they have with sea view and breakfast. It's for "
        f"{person}. The page is open.",
        f"Seaview Hotel (in Chromium): {stay} for {person} in the cheapest available room that has both sea view and "
        "breakfast, please.",
    )


@template(apps=("chromium",), level=3, demand="Life/Traveling/Accommodation", services=("web",))
def cheapest_room_by_the_sea(draw: Draw) -> Draft:
    """The room that fits is taken while it is being booked."""
    return _room(draw, moved=True)


@template(
    apps=("chromium",),
    level=3,
    demand="Life/Traveling/Accommodation",
    services=("web",),
    twin="cheapest-room-by-the-sea",
)
def cheapest_room_still_free(draw: Draw) -> Draft:
    """Another room is taken while the one that fits is being booked."""
    return _room(draw, moved=False)


def _train(draw: Draw, moved: bool) -> Draft:
    person = draw.person()
    start, end = draw.some(("Bergen", "Dresden", "Ghent", "Jena", "Malmo", "Nantes", "Turin", "Utrecht"), 2)
    hour = draw.randint(12, 16)
    # Departure and arrival; the third is the right one, the second the next, the last too late.
    runs = (
        (hour - 6, 2, hour - 3, 12),
        (hour - 5, 32, hour - 2, 40),
        (hour - 4, 12, hour - 1, 35),
        (hour - 2, 2, hour + 1, 8),
    )
    names = [f"IC {number}" for number in draw.some(range(101, 899), len(runs))]
    rows = {
        name: (f"{leave:02}:{minute:02}", f"{arrive:02}:{late:02}")
        for name, (leave, minute, arrive, late) in zip(names, runs, strict=True)
    }
    offers = OfferList(
        site="rail.example",
        title="Northern Rail",
        heading=f"{start} to {end}, Friday 13 March",
        columns=("Train", "Departure", "Arrival"),
        verb="Book",
        fields={"passenger": "Passenger"},
        choices={"class": ("Class", ("1st class", "2nd class"))},
    )
    gone = names[2] if moved else names[0]
    why = f"{gone} from {start} to {end} is cancelled on 13 March."
    choice = _Choice(
        offers,
        rows,
        {"passenger": person, "class": "2nd class"},
        names[2],
        names[1],
        names[3],
        offers.changes(rows, why, gone, why),
    )
    return choice.draft(
        moved,
        f"{gone} is cancelled",
        f"I have to be in {end} by {hour}:00 tomorrow and would like to leave as late as possible. Please book me a "
        f"second-class seat from {start} on the page that is open. Passenger: {person}.",
        f"Book {person} on the latest train tomorrow that gets to {end} from {start} by {hour}:00, 2nd class; the "
        "timetable is in the browser.",
    )


@template(apps=("chromium",), level=3, demand="Life/Traveling/Ticket", services=("web",))
def latest_train_in_time(draw: Draw) -> Draft:
    """The train that fits is cancelled while it is being booked."""
    return _train(draw, moved=True)


@template(apps=("chromium",), level=3, demand="Life/Traveling/Ticket", services=("web",), twin="latest-train-in-time")
def latest_train_still_runs(draw: Draw) -> Draft:
    """Another train is cancelled while the one that fits is being booked."""
    return _train(draw, moved=False)


def _lamp(draw: Draw, moved: bool) -> Draft:
    person = draw.person()
    lamps = draw.some(("Alto", "Brio", "Corona", "Delta", "Estella", "Fino"), 4)
    base = draw.randint(24, 40)
    kinds = ("desk lamp", "desk lamp", "desk lamp", "wall lamp")
    prices = (base, base + 6, base + 15, base - 9)
    order = draw.some(range(4), 4)

    def rows_at(costs: tuple[int, ...]) -> dict[str, tuple[str, str]]:
        return {lamps[number]: (kinds[number], f"{costs[number]}.90 EUR") for number in order}

    first, second, wrong, _ = lamps
    dearer = (base + 11, *prices[1:]) if moved else (*prices[:2], base + 9, prices[3])
    item, price = (first, base + 11) if moved else (wrong, base + 9)
    offers = OfferList(
        site="lumen-lighting.example",
        title="Lumen Lighting",
        heading="Lamps",
        columns=("Lamp", "Kind", "Price"),
        verb="Order",
        fields={"name": "Your name"},
        choices={"pieces": ("Pieces", ("1", "2", "3", "4"))},
    )
    pieces = draw.choice(("2", "3", "4"))
    choice = _Choice(
        offers,
        rows_at(prices),
        {"name": person, "pieces": pieces},
        first,
        second,
        wrong,
        offers.changes(rows_at(dearer), f"New price: {item} now {price}.90 EUR."),
        refused=False,
    )
    return choice.draft(
        moved,
        f"the price of {item} changes",
        f"We need {pieces} desk lamps for the office, all of the same model. Please order the cheapest model that "
        f"Lumen Lighting has, in the name of {person}. Their page is open.",
        f"Order {pieces} pieces of the cheapest desk lamp on the open page for {person}.",
    )


@template(apps=("chromium",), level=3, demand="Life/Shopping/Ordering", services=("web",))
def cheapest_desk_lamp(draw: Draw) -> Draft:
    """The cheapest thing becomes dearer than the next while it is being ordered."""
    return _lamp(draw, moved=True)


@template(apps=("chromium",), level=3, demand="Life/Shopping/Ordering", services=("web",), twin="cheapest-desk-lamp")
def cheapest_lamp_stays_cheapest(draw: Draw) -> Draft:
    """Another price changes while the cheapest thing is being ordered."""
    return _lamp(draw, moved=False)
