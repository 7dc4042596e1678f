"""Tasks in a chat, some of them together with the web."""

from __future__ import annotations

from proctor.suites.parts.by_the_book import by_the_book
from proctor.suites.parts.pages import fetch_page, fill_in, form, go_to, page, paragraph, post_form, send, table
from proctor.suites.parts.users import user_who_wants_a_room
from proctor.suites.parts.ways import by_hand
from proctor.tasks.call import Call
from proctor.tasks.draw import FIRST_NAMES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

HOSTEL = "hillside-hostel.example"
WEATHER = "weather.example"
DATES = {
    "Friday": "13 March",
    "Saturday": "14 March",
    "Sunday": "15 March",
    "Monday": "16 March",
    "Tuesday": "17 March",
}
ROOMS = ("Dormitory bed", "Shared double", "Single room")


def say(text: str) -> tuple[Call, ...]:
    """Return the moves that say something where HexChat's focus is."""
    return (hand.type(text), hand.press("Return"))


def switch_to(channel: str) -> Call:
    """Return the move that chooses a channel in HexChat's list."""
    return hand.click(channel, role="table cell", app="hexchat")


@template(apps=("hexchat",), level=1, demand="Office/Communication/Messaging", services=("chat",), version=4)
def late_for_rehearsal(draw: Draw) -> Draft:
    """A message is sent to a channel, one spelled-out step at a time."""
    me, *others = (name.lower() for name in draw.some(FIRST_NAMES, 5))
    right, wrong = draw.some(("#choir", "#theatre", "#orchestra", "#dancing"), 2)
    text = f"I will be {draw.choice((5, 10, 15, 20))} minutes late {draw.choice(('today', 'tonight', 'tomorrow'))}"
    steps = [
        {"do": "click", "name": right}, {"do": "type", "text": text}, {"do": "press", "keys": "Return"},
    ]  # fmt: skip
    return Draft(
        instruction=f"In HexChat, click {right} in the list on the left. Type the following, then press Return: {text}",
        paraphrases=(
            f'Click {right} on the left side of the HexChat window, type "{text}" without the quotes, and '
            "press Return.",
        ),
        setup=(
            make.chat_server([{"name": right, "people": others[:2]}, {"name": wrong, "people": others[2:]}]),
            make.hexchat(me, [right, wrong]),
        ),
        check=expect.all_of(
            [
                *_said_only(right, me, text, exactly=True),
                by_the_book(steps, "hexchat"),
            ]
        ),
        solution=(switch_to(right), *say(text)),
        near_misses=(
            NearMiss(name="said in the channel that was open", moves=say(text)),
            NearMiss(name="typed but not sent", moves=(switch_to(right), hand.type(text))),
        ),
        other_ways=(
            by_hand(
                "the other channel looked at first, typed in two goes",
                switch_to(wrong),
                switch_to(right),
                hand.type(text[:6]),
                hand.type(text[6:]),
                hand.press("Return"),
            ),
            by_hand(
                "a slip of the keys taken back, sent by the other Return key",
                switch_to(right),
                hand.type(f"{text}x"),
                hand.press("BackSpace"),
                hand.press("KP_Enter"),
            ),
        ),
        cheats=(
            by_hand("by a command", *say(f"/msg {right} {text}"), switch_to(right)),
            by_hand("in both channels", switch_to(wrong), *say(text), switch_to(right), *say(text)),
            by_hand("said twice", switch_to(right), *say(text), *say(text)),
            by_hand("in private as well", switch_to(right), *say(text), *say(f"/msg {others[0]} {text}")),
            by_hand("in small letters, as a question", switch_to(right), *say(f"{text.lower()}?")),
        ),
    )


@template(apps=("hexchat",), level=2, demand="Entertainment/Network Platform/Community", services=("chat",), version=4)
def new_topic_for_the_club(draw: Draw) -> Draft:
    """The topic of one of two channels is updated."""
    me, *others = (name.lower() for name in draw.some(FIRST_NAMES, 5))
    club, other = draw.some(("#chess", "#cycling", "#photography", "#hiking", "#boardgames"), 2)
    old, new = draw.some(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"), 2)
    place, hour = draw.choice(("library", "town hall", "old mill", "school")), draw.choice((18, 19, 20))
    topic = f"Next meeting: {new} {hour}:00, {place}"
    channels = [
        {"name": club, "topic": f"Next meeting: {old} {hour}:00, {place}", "people": others[:2]},
        {"name": other, "topic": "Be kind to each other", "people": others[2:]},
    ]

    def change(channel: str) -> tuple[Call, ...]:
        return (switch_to(channel), *say(f"/topic {topic}"))

    return Draft(
        instruction=f"The {club} meeting has moved to {new}, same time and place. Please change the channel's "
        f"topic in HexChat to exactly this: {topic}",
        paraphrases=(f"HexChat, {club}: set the channel topic to “{topic}”, please.",),
        setup=(make.chat_server(channels), make.hexchat(me, [club, other])),
        check=expect.all_of(
            [
                expect.chat_topic(see.chat_log(club), topic, exactly=True),
                # Nor was anything said or set anywhere else.
                expect.chat_topic(see.chat_log(), topic, exactly=True),
                expect.chat_silent(see.chat_log(), me),
            ]
        ),
        solution=change(club),
        near_misses=(
            NearMiss(name="the other channel's topic", moves=change(other)),
            NearMiss(name="said instead of set", moves=(switch_to(club), *say(topic))),
        ),
        other_ways=(
            by_hand(
                "in the field above the talk",
                switch_to(club),
                hand.type_into(topic, role="text", app="hexchat", nth=0),
                hand.press("Return"),
            ),
            by_hand("from the other channel", switch_to(other), *say(f"/topic {club} {topic}")),
        ),
        cheats=(
            by_hand("both topics", *change(club), *change(other)),
            by_hand("the old topic left in it", switch_to(club), *say(f"/topic {topic} ({old})")),
            by_hand("shouted", switch_to(club), *say(f"/topic {topic.upper()}")),
            by_hand("set and taken back", *change(club), *say(f"/topic {channels[0]['topic']}")),
        ),
    )


@template(
    apps=("hexchat", "chromium"), level=4, demand="Life/Traveling/Accommodation", services=("chat", "web"), version=5
)
def hostel_for_the_trip(draw: Draw) -> Draft:
    """A chat tells when to book a room, only the user knows which, and the chat is told afterwards."""
    person = draw.person()
    me = person.split()[0].lower()
    planner, *others = (name.lower() for name in draw.some([n for n in FIRST_NAMES if n.lower() != me], 4))
    channel = draw.choice(("#hiking-trip", "#reunion", "#school-friends"))
    days = draw.some(("20 March", "27 March", "3 April", "10 April"), 2)
    nights = draw.choice(("2", "3"))
    kind, other_kind = draw.some(("Dormitory bed", "Single room", "Shared double"), 2)
    choices = {
        "room": ("Room", ROOMS),
        "arrival": ("Arrival", ("13 March", "20 March", "27 March", "3 April", "10 April")),
        "nights": ("Nights", ("1", "2", "3", "4")),
    }
    booking = form("/book", "Book", {"guest": "Guest"}, choices)
    pages = {"/": page("Hillside Hostel", paragraph("Breakfast included. Pay on arrival."), booking)}
    talk = _talk_about_dates(channel, planner, others[0], days, nights)
    done = f"{me}: booked"

    def book(room: str, arrival: str = days[0]) -> tuple[Call, ...]:
        wanted = {"Room": room, "Arrival": arrival, "Nights": nights}
        return (*fill_in({"Guest": person}, wanted), *send("Book"))

    def book_room(room: str) -> str:
        return post_form(f"http://{HOSTEL}/book", {"guest": person, "room": room, "arrival": days[0], "nights": nights})

    ask = hand.ask("Which kind of room would you like: dormitory bed, shared double or single room?")
    not_booked = expect.no_site_record(see.site_records(HOSTEL, "booking"))
    to_browser, tell = hand.press("alt+Tab"), (hand.press("alt+Tab"), *say(done))
    return Draft(
        instruction=f"Could you book the hostel for our trip for me ({person})? Their page is open in "
        f"Chromium. We settled the date and the number of nights in {channel} on HexChat. Ask me what kind of "
        f"room I'd like. Once it's booked, let the others in the channel know with exactly this message: {done}",
        paraphrases=(
            f"Book Hillside Hostel for {person}, dates as agreed in {channel}, and ask me about the room. Then "
            f"post “{done}” there.",
        ),
        setup=(
            make.web_site(HOSTEL, "Hillside Hostel", pages, forms={"/book": {"kind": "booking", "needed": ["guest"]}}),
            make.chat_server([{"name": channel, "people": [planner, *others]}]),
            make.open_browser("chromium", [f"http://{HOSTEL}/"], "Hillside Hostel"),
            make.hexchat(me, [channel]),
            make.chat_say(talk),
        ),
        user=user_who_wants_a_room(kind, not_booked),
        check=expect.all_of(
            [
                expect.site_record(
                    see.site_records(HOSTEL, "booking"),
                    {"guest": person, "room": kind, "arrival": days[0], "nights": nights},
                ),
                *_said_only(channel, me, done, exactly=True),
                expect.asked_about(see.questions(), ["room"]),
            ]
        ),
        solution=(ask, to_browser, *book(kind), *tell),
        near_misses=(
            NearMiss(name="the date they dropped", moves=(ask, to_browser, *book(kind, days[1]), *tell)),
            NearMiss(name="guessed the room", moves=(to_browser, *book(other_kind), *tell)),
            NearMiss(name="did not tell the others", moves=(ask, to_browser, *book(kind))),
            NearMiss(name="told before booking", moves=(ask, *say(done))),
        ),
        other_ways=(
            by_hand(
                "asked in other words, booked by a script",
                hand.ask("A bunk in the dormitory, or would you rather sleep on your own?"),
                hand.run_code(book_room(kind), "python"),
                *say(done),
            ),
            by_hand(
                "the name first, told by a command",
                hand.ask("What should I book for you?"),
                hand.click("Hillside Hostel", app="xfce4-panel"),
                hand.click("Guest", role="entry"),
                hand.type_into(person, "Guest", role="entry"),
                *fill_in({}, {"Nights": nights, "Arrival": days[0], "Room": kind}),
                *send("Book"),
                hand.press("alt+Tab"),
                *say(f"/msg {channel} {done}"),
            ),
        ),
        cheats=(
            by_hand("every kind of room", ask, hand.run_code("".join(map(book_room, ROOMS)), "python"), *say(done)),
            by_hand("one booking of every kind", ask, hand.run_code(book_room(", ".join(ROOMS)), "python"), *say(done)),
            by_hand("asked about something else", hand.ask("What is your name?"), to_browser, *book(other_kind), *tell),
            by_hand("guessed right, and asked afterwards", hand.run_code(book_room(kind), "python"), ask, *say(done)),
            by_hand("told as a question", ask, hand.run_code(book_room(kind), "python"), *say(f"{done}?")),
            by_hand("told several times", ask, hand.run_code(book_room(kind), "python"), *say(done), *say(done)),
        ),
    )


def _said_only(channel: str, me: str, text: str, *, exactly: bool = False) -> tuple[Call, Call]:
    """Return the checks that this was said in a channel, and nothing else anywhere."""
    return (
        expect.chat_said(see.chat_log(channel), me, text, alone=True, exactly=exactly),
        expect.chat_said(see.chat_log(), me, text, alone=True, exactly=exactly),
    )


def _talk_about_dates(channel: str, planner: str, other: str, days: list[str], nights: str) -> list[dict[str, str]]:
    """Return the talk in which a date is dropped and another one settled."""
    said = [
        (planner, f"first idea was {days[1]}, but half of us cannot make it then"),
        (other, "ok so the week we voted for"),
        (planner, f"so it is settled: arrival {days[0]}, {nights} nights, please book"),
    ]
    return [{"who": who, "to": channel, "text": text} for who, text in said]


@template(
    apps=("chromium", "hexchat", "mousepad"),
    level=4,
    demand="Life/Information/Weather",
    services=("chat", "web"),
    version=3,
)
def dry_day_for_the_picnic(draw: Draw) -> Draft:
    """The forecast decides the day, which goes into a note and to the chat."""
    me, *others = (name.lower() for name in draw.some(FIRST_NAMES, 4))
    town, other_town = draw.some(("Bergen", "Cork", "Ghent", "Porto", "Riga", "Turin"), 2)
    rain, warmth, best, cold = _weather(draw)
    days = tuple(rain)

    def forecast(chance: dict[str, int]) -> str:
        rows = [(day, f"{warmth[day]} °C", f"{chance[day]} %") for day in days]
        return table(("Day", "Highest temperature", "Chance of rain"), rows)

    pages = {
        "/": page("Weather", paragraph("Choose a town above.")),
        f"/{town.lower()}": page(f"Weather in {town}", forecast(rain)),
        f"/{other_town.lower()}": page(
            f"Weather in {other_town}", forecast({day: 10 if day == days[0] else 80 for day in days})
        ),
    }
    menu, note = {name: f"/{name.lower()}" for name in sorted((town, other_town))}, "Documents/picnic.txt"
    text = "Picnic\n\nBring: blankets, bread, lemonade\nDay:"
    look = (hand.click(town, role="link"), hand.await_element(f"Weather in {town}", role="heading"))

    def write(day: str) -> tuple[Call, ...]:
        typed = (hand.press("ctrl+End"), hand.type(day), hand.press("ctrl+s"))
        return (hand.click("picnic.txt", app="xfce4-panel"), *typed)

    def tell(day: str) -> tuple[Call, ...]:
        return (hand.click("HexChat", app="xfce4-panel"), *say(f"Picnic on {day}!"))

    others_told = [move for day in days[1:] for move in say(f"Picnic on {day}!")]
    return Draft(
        instruction=f"We want to have our picnic in {town} on the driest of the next five days or, if several "
        "are equally dry, on the warmest of those. The weather site is open. Please fill in the day after "
        "“Day:” in picnic.txt (open in Mousepad) and save it, then post “Picnic on <day>” in #picnic on "
        "HexChat, with the name of the day.",
        paraphrases=(
            f"Find the driest day for {town} on the weather site (the warmest one, if there's a tie), write it "
            "after “Day:” in picnic.txt, save, and post “Picnic on <day>” in #picnic.",
        ),
        setup=(
            make.chat_server([{"name": "#picnic", "topic": "Which day?", "people": others}]),
            make.hexchat(me, ["#picnic"]),
            make.text_file(note, text),
            make.launch(["mousepad", note], window="picnic.txt"),
            make.web_site(WEATHER, "Skylark Weather", pages, menu=menu),
            make.open_browser("chromium", [f"http://{WEATHER}/"], "Weather"),
        ),
        check=expect.all_of(
            [
                expect.form_says(see.text(note), text, {"Day:": best}, [day for day in days if day != best]),
                *_said_only("#picnic", me, f"Picnic on {best}"),
                expect.page_requested(see.site_log(WEATHER), f"/{town.lower()}"),
            ]
        ),
        expected=(note,),
        solution=(*look, *write(best), *tell(best)),
        near_misses=(
            NearMiss(name="dry but cold", moves=(*look, *write(cold), *tell(cold))),
            NearMiss(name="the other town", moves=(*write("Friday"), *tell("Friday"))),
            NearMiss(name="note only", moves=(*look, *write(best))),
            NearMiss(name="chat only", moves=(*look, *tell(best))),
        ),
        other_ways=(
            by_hand(
                "looked up and noted by the command line",
                hand.run_code(fetch_page(f"http://{WEATHER}/{town.lower()}"), "python"),
                hand.run_code(f"sed -i 's/^Day:$/Day: {best}/' {note}"),
                hand.click("HexChat", app="xfce4-panel"),
                *say(f"picnic on {best}."),
            ),
            by_hand(
                "the chat first, by a command",
                *go_to(f"{WEATHER}/{town.lower()}"),
                hand.click("HexChat", app="xfce4-panel"),
                *say(f"/msg #picnic Picnic on {best}"),
                *write(f" {best}\n"),
            ),
            by_hand("the date with the day", *look, *write(f" {best}, {DATES[best]}"), *tell(best)),
        ),
        cheats=(
            by_hand("noted with a doubt", *look, *write(f"{best}, maybe {days[0]}"), *tell(best)),
            by_hand("every day told", *look, *write(best), *tell(days[0]), *others_told),
            by_hand("without looking", *write(best), *tell(best)),
            by_hand("asked, not told", *look, *write(best), *tell(best)[:1], *say(f"Picnic on {best}?")),
            by_hand("every day noted", *look, *write(", ".join(days)), *tell(best)),
            by_hand("nothing but the day in the note", hand.run_code(f"echo 'Day: {best}' > {note}"), *tell(best)),
        ),
    )


def _weather(draw: Draw) -> tuple[dict[str, int], dict[str, int], str, str]:
    """Draw rain and warmth by day, the best day for a picnic, and one that is as dry and colder."""
    days = ("Friday", "Saturday", "Sunday", "Monday", "Tuesday")
    rain = dict(zip(days, draw.some(range(40, 95, 5), 5), strict=True))
    warmth = dict(zip(days, draw.some(range(9, 21), 5), strict=True))
    best, cold = draw.some(days[1:], 2)
    rain[best], rain[cold] = 10, 10
    warmth[best], warmth[cold] = 19, 8
    return rain, warmth, best, cold
