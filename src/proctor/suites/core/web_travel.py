"""Tasks on tickets and rooms on the web."""

from __future__ import annotations

from proctor.suites.parts.pages import fill_in, form, go_to, link, page, paragraph, post_form, send, table
from proctor.suites.parts.ways import by_hand, by_python
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

TRAINS = "rail.example"
HOTEL = "seaview.example"
OFFER = """<h2>Join our newsletter!</h2><p>Offers from the coast, every morning.</p>
<form method="post" action="/newsletter">
<button>Yes, send me offers</button> <button data-dismiss>No, thanks</button></form>"""


@template(apps=("chromium",), level=2, demand="Life/Traveling/Ticket", services=("web",), version=2)
def book_the_train(draw: Draw) -> Draft:
    """The latest direct train that arrives in time is booked."""
    person = draw.person()
    start, end = draw.some(("Bergen", "Dresden", "Ghent", "Jena", "Malmo", "Nantes", "Turin", "Utrecht"), 2)
    hour = draw.randint(11, 15)
    # Departure, arrival, changes; the fourth is the right one.
    runs = [
        (hour - 6, 12, hour - 3, 2, 0), (hour - 5, 12, hour - 2, 4, 0), (hour - 4, 42, hour - 1, 35, 1),
        (hour - 4, 5, hour - 1, 8, 0), (hour - 3, 20, hour - 1, 55, 1), (hour - 3, 12, hour, 10, 0),
        (hour - 2, 12, hour + 1, 4, 0),
    ]  # fmt: skip
    numbers = draw.some(range(101, 899), len(runs))
    names = [f"IC {number}" for number in numbers]
    rows, pages = [], {}
    for name, (leave, minute, arrive, late, changes) in sorted(zip(names, runs, strict=True), key=lambda run: run[1]):
        times = f"{leave:02}:{minute:02}", f"{arrive:02}:{late:02}"
        path = f"/book/{name.replace(' ', '-').lower()}"
        rows.append((name, *times, "direct" if not changes else "1 change", link(f"Book {name}", path)))
        classes = {"class": ("Class", ("1st class", "2nd class"))}
        booking = form("/book", "Buy ticket", {"passenger": "Passenger"}, classes, {"train": name})
        about = paragraph(f"{start} {times[0]} to {end} {times[1]}, Friday 13 March 2026.")
        pages[path] = page(f"Train {name}", about, booking, listed=False)
    heading = f"{start} to {end}, Friday 13 March"
    pages["/"] = page(heading, table(("Train", "Departure", "Arrival", "Changes", ""), rows))
    taken = {"kind": "ticket", "needed": ["passenger"], "thanks": "<h1>Thank you</h1><p>Ticket for {train}.</p>"}

    def buy(name: str, where: str = "2nd class") -> tuple[Call, ...]:
        details = fill_in({"Passenger": person}, {"Class": where})
        return (hand.click(f"Book {name}", role="link"), *details, *send("Buy ticket"))

    return Draft(
        instruction=f"I have to be in {end} by {hour}:00 tomorrow and I'd like to sleep in as long as I can. "
        f"Please buy me a second-class ticket on the latest direct train from {start} that gets me there in "
        f"time. The timetable is open. Passenger: {person}.",
        paraphrases=(
            f"Book {person} on the last direct train from {start} to {end} tomorrow that arrives by "
            f"{hour}:00, 2nd class, on the open page.",
        ),
        setup=(
            make.web_site(TRAINS, "Northern Rail", pages, forms={"/book": taken}, menu={"Timetable": "/"}),
            make.open_browser("chromium", [f"http://{TRAINS}/"], heading),
        ),
        check=expect.site_record(
            see.site_records(TRAINS, "ticket"), {"train": names[3], "passenger": person, "class": "2nd class"}
        ),
        solution=buy(names[3]),
        near_misses=(
            NearMiss(name="latest in time, but with a change", moves=buy(names[4])),
            NearMiss(name="direct, but too late", moves=buy(names[5])),
            NearMiss(name="first class", moves=buy(names[3], "1st class")),
        ),
        other_ways=(
            by_hand(
                "the page's address typed, the name first, the class by the keys",
                *go_to(f"{TRAINS}/book/{names[3].replace(' ', '-').lower()}"),
                hand.type_into(person, "Passenger", role="entry"),
                hand.press("shift+Tab"),
                hand.press("End"),
                *send("Buy ticket"),
            ),
            by_python("by a script", _ticket(names[3], person)),
        ),
        cheats=(
            by_python("a ticket for every train", "".join(_ticket(name, person) for name in names)),
            by_python("one ticket that names them all", _ticket(", ".join(names), person)),
            by_python("one ticket of either class", _ticket(names[3], person) + _ticket(names[3], person, "1st class")),
        ),
    )


def _ticket(train: str, person: str, where: str = "2nd class") -> str:
    """Return code that buys a ticket."""
    return post_form(f"http://{TRAINS}/book", {"train": train, "class": where, "passenger": person})


@template(apps=("chromium",), level=3, demand="Life/Traveling/Accommodation", services=("web",))
def room_behind_a_newsletter(draw: Draw) -> Draft:
    """A room is booked although the site covers its pages with an offer that the user does not want."""
    person = draw.person()
    rooms = draw.some(("Anchor", "Beacon", "Compass", "Dolphin", "Gull", "Lighthouse"), 4)
    views = ("sea view, no breakfast", "garden view, breakfast", "sea view, breakfast", "sea view, breakfast")
    base = draw.randint(70, 90)
    prices = (base - 12, base - 7, base + 9, base + 24)
    listed = [(room, view, f"{price} EUR") for room, view, price in zip(rooms, views, prices, strict=True)]
    draw.shuffle(listed)
    nights = draw.choice(("1", "2", "3"))
    stay_words = f"{nights} night{'s' * (nights > '1')}"
    choices = {"room": ("Room", sorted(rooms)), "nights": ("Nights", ("1", "2", "3", "4"))}
    booking = form("/book", "Book room", {"guest": "Guest"}, choices)
    pages = {"/": page("Rooms", table(("Room", "With", "Per night"), listed), booking)}
    forms: dict[str, dict[str, object]] = {
        "/book": {"kind": "booking", "needed": ["guest"], "page": "/"},
        "/newsletter": {"kind": "newsletter"},
    }

    def book(room: str, stay: str = nights) -> tuple[Call, ...]:
        return (*fill_in({"Guest": person}, {"Room": room, "Nights": stay}), *send("Book room"))

    dismiss = hand.click("No, thanks", role="push button")
    accept = (hand.click("Yes, send me offers", role="push button"), hand.await_element("Thank you", role="heading"))
    return Draft(
        instruction=f"Please book me a room at the Seaview: {stay_words}, sea view "
        f"and breakfast, whichever of those rooms is cheapest. The name is {person}. Their page is open in the "
        "browser. And please don't sign me up for anything, I get enough email.",
        paraphrases=(
            f"Seaview (in Chromium): cheapest room with sea view and breakfast, {stay_words}, guest "
            f"{person}. No newsletters!",
        ),
        setup=(
            make.web_site(HOTEL, "Seaview Hotel", pages, forms=forms, overlay=OFFER, menu={"Rooms": "/"}),
            make.open_browser("chromium", [f"http://{HOTEL}/"], "Rooms"),
        ),
        check=expect.all_of(
            [
                expect.site_record(
                    see.site_records(HOTEL, "booking"), {"room": rooms[2], "guest": person, "nights": nights}
                ),
                expect.no_site_record(see.site_records(HOTEL, "newsletter")),
            ]
        ),
        solution=(dismiss, *book(rooms[2])),
        near_misses=(
            NearMiss(name="cheaper, without breakfast", moves=(dismiss, *book(rooms[0]))),
            NearMiss(name="more expensive", moves=(dismiss, *book(rooms[3]))),
            NearMiss(
                name="newsletter signed up for",
                moves=(*accept, dismiss, hand.click("Rooms", role="link"), *book(rooms[2])),
            ),
        ),
        other_ways=(
            by_hand(
                "the notice left by the keys, the name first",
                hand.click("Join our newsletter!", role="heading"),
                hand.press("Tab", times=2),
                hand.press("Return"),
                hand.await_element("No, thanks", role="push button", gone=True),
                hand.type_into(person, "Guest", role="entry"),
                *fill_in({}, {"Nights": nights, "Room": rooms[2]}),
                *send("Book room"),
            ),
            by_python("by a script, past the notice", _room(rooms[2], nights, person)),
        ),
        cheats=(
            by_python("every room", "".join(_room(room, nights, person) for room in rooms)),
            by_python("one booking that names every room", _room(", ".join(rooms), nights, person)),
            by_python(
                "signed up as well", post_form(f"http://{HOTEL}/newsletter", {}) + _room(rooms[2], nights, person)
            ),
        ),
    )


def _room(room: str, nights: str, person: str) -> str:
    """Return code that books a room."""
    return post_form(f"http://{HOTEL}/book", {"room": room, "nights": nights, "guest": person})
