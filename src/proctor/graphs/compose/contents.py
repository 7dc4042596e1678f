"""What is in the things of a task: a guest list has guests, a timetable has times."""

from __future__ import annotations

from dataclasses import dataclass

from proctor.errors import UnknownName
from proctor.graphs.compose.theme import Theme, fill_line
from proctor.tasks.draw import Draw

Row = list[str | int | float]


@dataclass(frozen=True, slots=True)
class Bank:
    """Lines of one sort, of which some are drawn."""

    lines: tuple[str, ...]
    """With placeholders; a single one is drawn again and again."""
    head: bool = True
    """Whether a line above says what it is; a list that may be sorted has none."""
    orderly: bool = False
    """Whether they keep their order, each at a time of its own."""


BANKS = {
    "names": Bank(("{person}",), head=False),
    "duties": Bank(("{person} brings the keys", "{person} opens the doors", "{person} takes care of the till",
                    "{person} puts up the tables", "{person} makes the tea", "{person} sweeps the floor",
                    "{person} carries the boxes", "{person} locks up")),
    "things": Bank(("{n} folding chairs", "{n} paper cups", "{n} tablecloths", "{n} lamps", "{n} blankets",
                    "{n} batteries", "{n} name tags", "{n} umbrellas", "{n} buckets", "{n} candles")),
    "groceries": Bank(("{n} apples", "{n} bread rolls", "{n} bottles of water", "{n} lemons", "{n} bags of flour",
                       "{n} bars of chocolate", "{n} packets of tea", "{n} jars of honey", "{n} onions")),
    "timetable": Bank(("Welcome by {person}", "First part", "Short break", "Second part", "Lunch in the hall",
                       "Questions", "Group work", "Closing words by {person}"), orderly=True),
    "journey": Bank(("Meet at the station", "Train to {place}", "Walk along the river", "Lunch at the inn",
                     "Visit to the museum", "Coffee by the water", "Bus to the station", "Train home"), orderly=True),
    "minutes": Bank(("{person} books the hall by {date}", "{person} asks for two offers", "The fee stays as it is",
                     "{person} writes to the neighbours", "The next meeting is on {date}",
                     "{person} looks after the budget", "New members are welcome on {day}")),
    "questions": Bank(("Who has the keys to the side door?", "How many people are we?", "Is there room for {n} bikes?",
                       "Who pays the deposit by {date}?", "Can we use the kitchen on {day}?",
                       "Is {person} coming along?", "Where do we put the coats?")),
    "chores": Bank(("Call the caretaker on {day}", "Order the drinks by {date}", "Print the signs", "Test the lights",
                    "Collect the keys from {person}", "Pay the deposit by {date}", "Thank the helpers",
                    "Return the tables on {day}")),
    "invitation": Bank(("You are welcome on {date}", "We begin at {time} in {place}", "There is room for {n} people",
                        "Please tell {person} whether you are coming", "Coffee and cake are free",
                        "Bring a friend if you like", "Parking is behind the hall")),
    "notice": Bank(("The entrance is on the north side", "Doors open at {time}", "Dogs stay on a lead",
                    "The car park closes at {time}", "Ask {person} for the key", "The lift is out of order on {day}",
                    "Please keep the paths clear")),
    "report": Bank(("{n} people took part", "The weather held until the evening", "{person} spoke for {n} minutes",
                    "Many thanks go to {person}", "The hall was full by {time}", "The next one is on {date}",
                    "We learned where to put the signs")),
    "steps": Bank(("Open the file menu", "Choose the blue template", "Set the width to {n}", "Click on Apply twice",
                   "Wait for {n} seconds", "The window turns grey", "Close the dialog with Escape")),
    "changes": Bank(("Faster start with many files", "Search looks at tags as well", "The print dialog keeps its size",
                     "A crash with empty folders is gone", "New icons for {n} actions",
                     "Menus are sorted by name", "{person} is thanked for {n} translations")),
    "lesson": Bank(("Read page {n} aloud", "Write down {n} new words", "Ask a partner for the way",
                    "Describe the picture on page {n}", "Repeat the verbs of lesson {n}", "Spell the names of the days",
                    "Listen to the dialogue twice")),
    "reading": Bank(("Chapter {n} begins by the sea", "The letter is found on page {n}",
                     "Why does the sister stay behind?", "The lighthouse stands for hope",
                     "Compare the end with chapter {n}", "The garden is described three times")),
    "recipe": Bank(("{n} spoons of sugar", "{n} eggs", "Stir for {n} minutes", "Bake until it is golden",
                    "Let it rest overnight", "{n} grams of butter", "Serve with cream")),
    "songs": Bank(("Harbour lights", "Long way round", "Seven lanterns", "The miller's daughter", "Rain on tin",
                   "Morning ferry", "Old stone bridge", "Leave the door ajar"), head=False),
    "flat": Bank(("Three rooms on the second floor", "Balcony towards the garden", "Free from {date}",
                  "The rent includes heating", "Viewing on {day} at {time}", "Bicycles go into the cellar",
                  "The deposit is two rents")),
    "finds": Bank(("The sample of {day} is clear", "Reading {n} is too high", "The pump ran for {n} hours",
                   "No change since {date}", "The filter was replaced at {time}", "{person} checked the scales",
                   "Sensor {n} gives no signal")),
    "talk": Bank(("Where we started", "What we measured", "Results from {n} visits", "What surprised us",
                  "What comes next", "Thanks to {person}")),
    "answers": Bank(("Please send me the final figures by {date}", "{person} can help on {day}",
                     "We need {n} copies", "The offer holds until {date}", "I will call you at {time}",
                     "Could you confirm the address in {place}?")),
}  # fmt: skip
"""Lines by sort."""

TABLES: dict[str, tuple[tuple[str, str, str], tuple[str, ...]]] = {
    "stock": (("Item", "Number", "Price"), ("flour", "chairs", "paper cups", "candles", "folding tables", "ribbons",
              "lamps", "tea", "name tags", "umbrellas", "crayons", "blankets", "batteries", "apples")),
    "furniture": (("Item", "Number", "Price"), ("armchairs", "beds", "bookshelves", "carpets", "chests", "cupboards",
                  "desks", "mirrors", "sofas", "stools", "tables", "wardrobes")),
    "expenses": (("Expense", "Amount", "Planned"), ("hall rent", "printing", "postage", "coffee", "flowers", "parking",
                 "cleaning", "first aid", "stationery", "taxi", "sound system")),
    "tickets": (("Ticket", "Sold", "Price"), ("adults", "children", "students", "pensioners", "families", "members",
                "helpers", "groups", "evening guests")),
    "bookings": (("Guest", "Nights", "Rate"), ("Abbott", "Berger", "Carrasco", "Dahl", "Eriksen", "Fontaine", "Gruber",
                 "Haddad", "Jansen", "Moreau", "Novak")),
    "hours": (("Helper", "Hours", "Pay"), ("Amara", "Boris", "Carla", "Deniz", "Elena", "Farid", "Greta", "Hugo",
              "Ines", "Jonas", "Lena", "Marco")),
    "household": (("Bill", "Amount", "Before"), ("rent", "heating", "water", "electricity", "telephone", "insurance",
                  "newspaper", "groceries", "repairs", "bus pass")),
    "readings": (("Station", "Samples", "Level"), ("bridge", "harbour", "lock", "mill", "north bank", "old pier",
                 "quay", "reservoir", "spring", "weir")),
    "books": (("Book", "Copies", "Price"), ("atlas", "cookbook", "dictionary", "field guide", "grammar", "novel",
              "picture book", "poems", "songbook", "travel guide")),
    "scores": (("Team", "Games", "Average"), ("Badgers", "Cranes", "Foxes", "Herons", "Kites", "Lynxes", "Otters",
               "Ravens", "Swifts", "Wolves")),
    "plants": (("Plant", "Pots", "Price"), ("basil", "chives", "dill", "fennel", "lavender", "mint", "oregano",
               "parsley", "rosemary", "sage", "thyme")),
    "equipment": (("Device", "Pieces", "Rent"), ("amplifier", "cables", "drum kit", "headphones", "light stand",
                  "microphone", "mixing desk", "projector", "screen", "tripod")),
    "issues": (("Module", "Reports", "Days"), ("backup", "calendar", "editor", "export", "import", "login", "printing",
               "search", "settings", "sync")),
}  # fmt: skip
"""Headings and first columns of tables, by what they are about; the other columns are counts and amounts."""
OF_EACH = frozenset({"Price", "Rate", "Pay", "Average", "Level", "Planned", "Before"})
"""Columns that say something of each entry, or of another time, so that nobody adds them up."""
MONEY = ("Amount", "Rent", "Price", "Rate", "Pay")
"""Columns that hold money, the likeliest to be paid as a sum first."""

SORT_OF = {
    "guest list": "names", "address list": "names", "shopping list": "groceries", "packing list": "things",
    "checklist": "chores", "rota": "duties", "timetable": "timetable", "minutes": "minutes",
    "invitation": "invitation", "thank-you letter": "report", "programme": "timetable", "flyer": "invitation",
    "house rules": "notice", "application": "answers", "ideas": "questions", "open questions": "questions",
    "phone numbers": "chores", "arrangements": "minutes", "things to bring": "things", "question": "answers",
    "offer": "answers", "confirmation": "answers", "cancellation": "answers", "announcement": "notice",
    "directions": "journey", "press report": "report", "rules": "notice", "opening hours": "notice",
    "talk": "talk", "presentation": "talk", "slide show": "talk", "overview": "talk", "site plan": "notice",
    "seating plan": "names", "sign": "notice", "emblem": "notice", "greeting": "notice", "backup": "chores",
    "cleanup": "chores", "file count": "chores", "planning meeting": "minutes", "dress rehearsal": "timetable",
    "delivery": "chores", "clearing up": "chores", "ticket sales": "tickets", "donations": "stock",
    "expenses": "expenses", "price list": "stock", "stock list": "stock", "room plan": "bookings",
    "booking list": "bookings", "alarm": "notice", "theme": "notice", "time zone": "notice",
    "members": "hours", "bookings": "bookings", "inventory": "stock",
}  # fmt: skip
"""Of which sort something is that goes by a name of its own."""


def lines_about(topic: str, draw: Draw, theme: Theme) -> list[str]:
    """Draw the lines of something by its topic, or by the sort of lines itself."""
    sort = SORT_OF.get(topic, topic)
    bank = BANKS.get(sort)
    if bank is None:
        raise UnknownName("sort of lines", sort, BANKS)
    many = draw.randint(4, 7)
    if len(bank.lines) == 1:
        found = list(dict.fromkeys(fill_line(bank.lines[0], draw, theme.place) for _ in range(many)))
    else:
        chosen = draw.some(bank.lines, min(many, len(bank.lines)))
        ordered = sorted(chosen, key=bank.lines.index) if bank.orderly else chosen
        found = [fill_line(line, draw, theme.place) for line in ordered]
    if bank.orderly:
        hours = sorted(draw.some(range(8, 20), len(found)))
        found = [
            f"{hour:02}:{draw.choice(('00', '15', '30', '45'))} {line}" for hour, line in zip(hours, found, strict=True)
        ]
    return [f"{topic[:1].upper()}{topic[1:]} for {theme.title}", *found] if bank.head else found


def rows_about(topic: str, draw: Draw) -> list[Row]:
    """Draw the rows of a table by its topic, the headings first."""
    headings, names = TABLES.get(SORT_OF.get(topic, topic), TABLES["stock"])
    rows: list[Row] = [
        [name.capitalize(), draw.randint(2, 60), draw.amount(1, 40)] for name in draw.some(names, draw.randint(4, 8))
    ]
    return [list(headings), *rows]


def another_entry(headings: Row, there: list[str], draw: Draw) -> str:
    """Draw one more entry for the first column of a table."""
    names = next((names for known, names in TABLES.values() if list(known) == headings), TABLES["stock"][1])
    return draw.choice([name.capitalize() for name in names if name.capitalize() not in there] or ["Other things"])
