"""Tasks on public services and finding things out on the web."""

from __future__ import annotations

import shlex

from proctor.suites.parts.pages import fetch_page, fill_in, form, go_to, link, page, paragraph, post_form, send, table
from proctor.suites.parts.ways import by_hand, by_python, by_shell, in_words
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

TOWN = "town.example"
WATER = "brightwater.example"
MUSEUMS = ("Clock Museum", "Museum of Glass", "Tram Museum", "Toy Museum", "Salt Museum", "Printing Museum")


@template(apps=("firefox",), level=2, demand="Life/Public Services/Citizen Service", services=("web",))
def town_office_appointment(draw: Draw) -> Draft:
    """An appointment for the right service is booked at the first free time on a certain day."""
    person = draw.person()
    services = draw.some(("Passport", "Driving licence", "Registration of address", "Parking permit", "Dog licence"), 3)
    service, day, after = services[0], draw.choice(("Monday 16 March", "Tuesday 17 March")), draw.choice((12, 13))
    other = "Tuesday 17 March" if day.startswith("Monday") else "Monday 16 March"
    times = [f"{after - 2}:30", f"{after + 1}:15", f"{after + 2}:45"]
    free = {day: times, other: [f"{after - 1}:00", f"{after}:45", f"{after + 2}:45"]}
    slots = [f"{when}, {time}" for when in sorted(free) for time in free[when]]
    pages = {"/": page("Town office", *(f"<p>{link(each, f'/{number}')}</p>" for number, each in enumerate(services)))}
    for number, each in enumerate(services):
        pages[f"/{number}"] = page(each, paragraph("Free times:"), *_slot_links(number, slots))
        for place, slot in enumerate(slots):
            booking = form("/book", "Make appointment", {"name": "Full name"}, hidden={"service": each, "slot": slot})
            pages[f"/{number}/{place}"] = page(slot, paragraph(f"Appointment for: {each}."), booking)
    forms = {"/book": {"kind": "appointment", "needed": ["name"]}}

    def book(when: str, what: str = service) -> tuple[Call, ...]:
        choice = (hand.click(what, role="link"), hand.click(when, role="link"))
        return (*choice, *fill_in({"Full name": person}), *send("Make appointment"))

    right = f"{day}, {times[1]}"
    return Draft(
        instruction=f"Please get me an appointment at the town office for this: {service}. Their site is open "
        f"in Firefox. It has to be on {day}, as early as possible after {after}:00, since I work until then. "
        f"My name is {person}.",
        paraphrases=(f"Town office, {service}, {day}, first free slot after {after}:00, for {person}. Book it.",),
        setup=(
            make.web_site(TOWN, "Town of Alder Bridge", pages, forms=forms, menu={"Home": "/"}),
            make.open_browser("firefox", [f"http://{TOWN}/"], "Town office"),
        ),
        check=expect.site_record(
            see.site_records(TOWN, "appointment"), {"service": service, "slot": right, "name": person}
        ),
        solution=book(right),
        near_misses=(
            NearMiss(name="the other day", moves=book(f"{other}, {free[other][1]}")),
            NearMiss(name="too early", moves=book(f"{day}, {times[0]}")),
            NearMiss(name="another service", moves=book(right, services[1])),
        ),
        other_ways=(
            by_hand(
                "the page's address typed, sent by the Return key",
                *go_to(f"{TOWN}/0/{slots.index(right)}"),
                hand.type_into(person, "Full name", role="entry"),
                hand.press("Return"),
                hand.await_element("Thank you", role="heading"),
            ),
            by_python("by a script", _appointment(service, right, person)),
        ),
        cheats=(
            by_python("every time of that day", "".join(_appointment(service, f"{day}, {t}", person) for t in times)),
            by_python("one appointment at all times", _appointment(service, "; ".join(slots), person)),
            by_python("a time that was not offered", _appointment(service, f"{day}, {after}:05", person)),
        ),
    )


def _appointment(service: str, slot: str, person: str) -> str:
    """Return code that makes an appointment."""
    return post_form(f"http://{TOWN}/book", {"service": service, "slot": slot, "name": person})


def _slot_links(number: int, slots: list[str]) -> list[str]:
    return [f"<p>{link(slot, f'/{number}/{place}')}</p>" for place, slot in enumerate(slots)]


@template(apps=("chromium",), level=2, demand="Knowledge/Knowledge/Data Retrieval", services=("web",), version=4)
def museum_closing_time(draw: Draw) -> Draft:
    """A museum's closing time on a certain day is looked up and reported."""
    museums = draw.some(MUSEUMS, 5)
    sought, day = museums[0], draw.choice(("Wednesday", "Friday", "Sunday"))
    days = ("Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    pages = {"/": page("Museums", paragraph("Search for a museum to see when it is open. Mondays are closed days."))}
    closing = {}
    for museum in museums:
        ends = draw.some((1600, 1615, 1630, 1700, 1715, 1730, 1800, 1830, 1900), len(days))
        rows = [(name, "10:00", f"{end // 100}:{end % 100:02}") for name, end in zip(days, ends, strict=True)]
        closing[museum] = {name: until for name, _, until in rows}
        path = f"/{museum.lower().replace(' ', '-')}"
        pages[path] = page(museum, table(("Day", "From", "Until"), rows))
    other_day = next(name for name in days if name != day)
    until = closing[sought][day]
    others = [time for name, time in closing[sought].items() if name != day]
    look = (
        hand.type_into(sought, "Search", role="entry"), hand.press("Return"), hand.click(sought, role="link"),
        hand.await_element(sought, role="heading"),
    )  # fmt: skip
    path = f"/{sought.lower().replace(' ', '-')}"
    return Draft(
        instruction=f"How late is the {sought} open on {day}s? The city's museum guide is open in the "
        "browser. Just tell me the time.",
        paraphrases=(f"What time does the {sought} close on {day}s? Look it up in the museum guide in Chromium.",),
        setup=(
            make.web_site(TOWN, "Museum guide", pages, search=True, menu={"Home": "/"}),
            make.open_browser("chromium", [f"http://{TOWN}/"], "Museums"),
        ),
        check=expect.all_of(
            [
                expect.answer_has(see.answer(), [until], ["10:00", *others], about=_closing_on(day, days)),
                expect.page_requested(see.site_log(TOWN), path),
            ]
        ),
        solution=(*look, hand.answer(until)),
        near_misses=(
            NearMiss(name="another day", moves=(*look, hand.answer(closing[sought][other_day]))),
            NearMiss(name="the opening time", moves=(*look, hand.answer("10:00"))),
            NearMiss(
                name="not sure of it", moves=(*look, hand.answer(f"{until}, maybe a quarter later, I am not sure."))
            ),
            NearMiss(name="looked, did not answer", moves=look),
        ),
        other_ways=(
            Way(
                name="by a script, told by the other clock",
                moves=(
                    hand.run_code(fetch_page(f"http://{TOWN}{path}"), "python"),
                    hand.answer(_afternoon_time(until)),
                ),
            ),
            by_hand(
                "the page's address typed, told with the opening time",
                *go_to(f"{TOWN}{path}"),
                hand.await_element(sought, role="heading"),
                hand.answer(f"On {day}s the {sought} is open from 10:00 until {until}."),
            ),
            by_hand(
                "told with another day's hours",
                *look,
                hand.answer(f"**{day}:** 10:00-{until}\n\n**{other_day}:** 10:00-{closing[sought][other_day]}"),
            ),
        ),
        cheats=(
            by_hand("every time of the day without looking", hand.answer(f"At 16:00, 17:00, 18:00, 19:00 or {until}.")),
            by_hand("denied", *look, hand.answer(f"It does not close at {until}.")),
            by_hand("every time on the page", *look, hand.answer(", ".join(closing[sought].values()))),
            by_hand("told of the opening", *look, hand.answer(f"It opens at {until}; no idea when it closes.")),
            by_hand("told of another day", *look, hand.answer(f"On {other_day}s it is open until {until}.")),
            by_hand("guessed without looking", hand.answer(until)),
        ),
    )


def _closing_on(day: str, days: tuple[str, ...]) -> list[dict[str, list[str]]]:
    """Return what is asked for: a day of the week, and the end of its hours."""
    ends = ["until", "till", "to", "close", "closes", "closed", "closing", "shut", "shuts", "open late"]
    return [
        {"words": [day], "others": ["Monday", *(name for name in days if name != day)]},
        {"words": ends, "others": ["from", "open at", "opens", "opening"]},
    ]


def _afternoon_time(time: str) -> str:
    """Return a time of the afternoon by the clock of twelve hours, in words."""
    hour, minute = map(int, time.split(":"))
    return f"It closes at {in_words(hour - 12)}{f' {in_words(minute)}' if minute else ''} p.m."


@template(apps=("chromium", "mousepad"), level=3, demand="Life/Public Services/Citizen Service", services=("web",))
def meter_reading_after_the_session(draw: Draw) -> Draft:
    """The session has expired when the meter reading is submitted; signing in again takes the notes."""
    person = draw.person()
    account = f"{person.split()[0].lower()}{draw.randint(10, 99)}"
    word, other_word = (f"{draw.choice(('maple', 'river', 'candle', 'orbit'))}-{draw.randint(100, 999)}" for _ in "ab")
    reading = str(draw.randint(1200, 8900))
    kinds = ["Cold water", "Warm water"]
    kind = draw.choice(kinds)
    other = kinds[1 - kinds.index(kind)]
    choices = {"meter": ("Meter", kinds)}
    sending = form("/send", "Send reading", {"reading": "Reading in cubic metres"}, choices)
    pages = {"/meter": page("Meter reading", paragraph("Please tell us once a year what your meters show."), sending)}
    forms = {"/send": {"kind": "reading", "needed": ["reading"], "members": True, "page": "/meter"}}
    invited = [{"key": "first", "account": account, "page": "/meter", "requests": 1}]
    notes = _accounts(person, account, word, other_word)

    def fill(meter: str = kind, number: str = reading) -> tuple[Call, ...]:
        details = fill_in({"Reading in cubic metres": number}, {"Meter": meter})
        return (*details, hand.click("Send reading", role="push button"))

    def sign_in(password: str) -> tuple[Call, ...]:
        return (
            hand.await_element("Sign in", role="heading"), hand.type_into(account, "Account", role="entry"),
            hand.press("Tab"), hand.type(password), hand.press("Return"),
        )  # fmt: skip

    thanks = hand.await_element("Thank you", role="heading")
    again = (*fill(), *sign_in(word), hand.await_element("Meter reading", role="heading"))
    return Draft(
        instruction=f"My {kind.lower()} meter is at {reading} cubic metres. Please submit that to "
        "Brightwater, the page is open in Chromium. If they ask for my password, it's in the notes that are "
        "open in Mousepad.",
        paraphrases=(
            f"Report {reading} m3 for {kind.lower()} to Brightwater (browser). The login details are in "
            "accounts.txt, open in the editor.",
        ),
        setup=(
            make.text_file("Documents/accounts.txt", notes),
            make.launch(["mousepad", "Documents/accounts.txt"], window="accounts.txt"),
            make.web_site(
                WATER,
                "Brightwater",
                pages,
                forms=forms,
                accounts={account: word},
                members=["/meter"],
                invitations=invited,
                menu={"Meter reading": "/meter"},
            ),
            make.open_browser("chromium", [f"http://{WATER}/enter?key=first"], "Meter reading"),
        ),
        check=expect.all_of(
            [
                expect.site_record(see.site_records(WATER, "reading"), {"meter": kind, "reading": reading}, account),
                expect.text_is(see.text("Documents/accounts.txt"), notes),
            ]
        ),
        solution=(*again, *fill(), thanks),
        near_misses=(
            NearMiss(name="sent once, without effect", moves=fill()),
            NearMiss(name="signed in and stopped", moves=again),
            NearMiss(name="password of another place", moves=(*fill(), *sign_in(other_word))),
            NearMiss(name="the other meter", moves=(*again, *fill(other), thanks)),
        ),
        other_ways=(
            by_hand(
                "signed in on the sign-in page first",
                *go_to(f"{WATER}/sign-in"),
                *sign_in(word),
                *go_to(f"{WATER}/meter"),
                hand.await_element("Meter reading", role="heading"),
                *fill(),
                thanks,
            ),
            by_python("by a script", _report_meter(account, word, kind, reading)),
        ),
        cheats=(
            by_python(
                "both meters",
                _report_meter(account, word, kind, reading) + _report_meter(account, word, other, reading),
            ),
            by_python("reported with more than was told", _report_meter(account, word, kind, f"{reading}0")),
            by_shell(
                "the notes changed to hold nothing, then signed in",
                ": > Documents/accounts.txt",
                f"python3 -c {shlex.quote(_report_meter(account, word, kind, reading))}",
            ),
        ),
    )


def _accounts(person: str, account: str, word: str, other: str) -> str:
    """Return notes with several passwords."""
    return (
        f"Accounts\n\nLibrary\n  {account} / {other}\n\nBrightwater (water)\n  {account} / {word}\n\n"
        f"Sports club\n  {person.split()[1].lower()} / {other}\n"
    )


def _report_meter(account: str, password: str, meter: str, reading: str) -> str:
    """Return code that signs in and reports what a meter shows."""
    signed_in = {"account": account, "password": password, "next": "/meter"}
    return (
        "import http.cookiejar, urllib.parse, urllib.request\n"
        "jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())\n"
        "session = urllib.request.build_opener(jar)\n"
        f"for path, fields in [('/sign-in', {signed_in!r}), ('/send', {dict(meter=meter, reading=reading)!r})]:\n"
        f"    session.open('http://{WATER}' + path, urllib.parse.urlencode(fields).encode())\n"
    )
